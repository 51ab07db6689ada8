"""One Scrapyd node, asked over HTTP. Whatever it answers becomes a value, or one sentence."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any, NamedTuple

import orjson
import urllib3

from focused.errors import FleetError
from focused.fleet.access import PASSWORD, USERNAME, Access

PROJECT = "focused"
# A node answers nothing else while it lists the spiders of a new egg: seconds, on a busy machine many.
PATIENCE = urllib3.Timeout(connect=5, read=120)
TAIL = 8192  # bytes of a log that are looked at
_LAST_WORDS = re.compile(r"\[focused\.commands\.crawl\] ERROR: (.*)")

Fields = list[tuple[str, str | tuple[str, bytes]]]


class SilentNode(FleetError):
    """Nobody answers at that address."""


class EmptyNode(FleetError):
    """A node that does not have the project."""


class Order(NamedTuple):
    """What a worker is told to do."""

    spider: str
    arguments: Mapping[str, str]
    settings: Mapping[str, str]


class Node:
    """Scrapyd's API, as far as a fleet needs it."""

    def __init__(self, url: str, access: Access) -> None:
        self.url = url
        self.user = access.user
        headers = urllib3.make_headers(basic_auth=f"{access.user}:{access.password}") if access.password else {}
        self._http = urllib3.PoolManager(headers=headers, timeout=PATIENCE, retries=False)

    def version_of(self, digest: str) -> str | None:
        """The name under which the node has an egg of this content."""
        versions: list[str] = self._get("listversions")["versions"]
        return next((version for version in versions if version.endswith(digest)), None)

    def add(self, version: str, egg: bytes) -> None:
        self._post("addversion", [("version", version), ("egg", ("focused.egg", egg))])

    def schedule(self, job: str, version: str, order: Order) -> None:
        fields: Fields = [("spider", order.spider), ("jobid", job), ("_version", version)]
        fields += [("setting", f"{name}={value}") for name, value in order.settings.items()]
        self._post("schedule", [*fields, *order.arguments.items()])

    def states(self) -> dict[str, str]:
        """pending, running or finished, by job; a job that the node has lost is not in here."""
        jobs = self._get("listjobs")
        return {job["id"]: state for state in ("finished", "pending", "running") for job in jobs[state]}

    def cancel(self, job: str) -> None:
        """As Ctrl-C would: the worker gives back what it has leased, and ends."""
        self._post("cancel", [("job", job)])

    def last_words(self, spider: str, job: str) -> str:
        """What was wrong, if the worker did not do what was asked."""
        path = f"/logs/{PROJECT}/{spider}/{job}.log"
        size = int(self._request("HEAD", path).headers.get("Content-Length", 0))
        # Not as `bytes=-8192`: Scrapyd's file server fails where the file is shorter than that.
        tail = {**self._http.headers, "Range": f"bytes={max(0, size - TAIL)}-"}
        answer = self._request("GET", path, headers=tail)
        said = _LAST_WORDS.findall(answer.data.decode("utf-8", "replace")) if answer.status in (200, 206) else []
        return str(said[-1]) if said else ""

    def _get(self, name: str) -> dict[str, Any]:
        return self._said(self._request("GET", f"/{name}.json", fields={"project": PROJECT}))

    def _post(self, name: str, fields: Fields) -> dict[str, Any]:
        return self._said(self._request("POST", f"/{name}.json", fields=[("project", PROJECT), *fields]))

    def _request(self, method: str, path: str, **what: Any) -> urllib3.BaseHTTPResponse:
        try:
            return self._http.request(method, self.url + path, redirect=False, **what)
        except urllib3.exceptions.HTTPError as error:
            said = re.sub(r"^.*?: |^.*\): ", "", str(error))
            raise SilentNode(
                f"{self.url} does not answer ({said}): start it with `scrapy fleet node`, or correct --nodes."
            ) from None

    def _said(self, answer: urllib3.BaseHTTPResponse) -> dict[str, Any]:
        if answer.status == 401:
            raise FleetError(
                f"{self.url} refuses user '{self.user}': set {USERNAME} and {PASSWORD} to those of the node."
            )
        try:
            said = orjson.loads(answer.data)
            if said["status"] == "ok":
                return dict(said)
            message = str(said["message"])
        except (orjson.JSONDecodeError, KeyError, TypeError):
            raise FleetError(
                f"{self.url} is no Scrapyd node (it answers with status {answer.status}): correct --nodes."
            ) from None
        raise self._refusal(message.strip())

    def _refusal(self, message: str) -> FleetError:
        """Scrapyd's own sentence, or the last line of the traceback that it sends instead."""
        if message == f"project '{PROJECT}' not found":
            return EmptyNode(f"{self.url} has no project '{PROJECT}': bring it there with `scrapy fleet up TOPIC`.")
        if message.startswith("RunnerError"):
            return FleetError(
                f"{self.url} cannot run the project ({message.splitlines()[-1]}): "
                "install requirements.txt in the environment of its Scrapyd."
            )
        return FleetError(f"{self.url} refuses: {message.splitlines()[-1]}.")
