"""Search engines that are asked over HTTP: SearXNG (your own), Brave Search, Google Programmable Search.

Keys come from the environment and go nowhere else: not into the store, not into a log, not into an error. A busy or
broken engine is asked again after 1, 2 and 4 seconds, or when it says; then it counts as down.
"""

from __future__ import annotations

import json
import os
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from http.client import HTTPException
from typing import Any, NamedTuple
from urllib.error import HTTPError
from urllib.parse import urlencode
from urllib.request import HTTPRedirectHandler, Request, build_opener

from focused.errors import SettingError
from focused.outcomes import retry_after
from focused.search.engine import DOWN, QUOTA, REFUSED, Answers, SearchFault

WAITS = (1.0, 2.0, 4.0)
LONGEST = 60.0  # seconds; an engine that asks for more has no more answers today
SECONDS = 20.0  # for one answer
MOST_BYTES = 4 * 1024 * 1024
BUSY = {429, 500, 502, 503, 504}


class Asked(NamedTuple):
    """A request as the engine wants it."""

    url: str
    parameters: Mapping[str, str]
    headers: Mapping[str, str] = {}


@dataclass
class Online:
    """One HTTP search engine; a kind of engine supplies the request and reads the answer."""

    name: str
    asked: Callable[[str, int], Asked]
    read: Callable[[Any], Answers]
    sleep: Callable[[float], None] = field(default=time.sleep, repr=False)
    is_local: bool = False

    def ask(self, query: str, most: int) -> Answers:
        asked = self.asked(query, most)
        for wait in (*WAITS, None):
            try:
                answers = self.read(_fetched(asked))
                return Answers([url for url in answers.urls if isinstance(url, str)][:most], answers.hits)
            except HTTPError as error:
                pause = self._pause(error, wait)
            except (OSError, HTTPException) as error:
                pause = self._again(wait, f"{self.name} does not answer ({type(error).__name__})")
            except (ValueError, KeyError, TypeError, AttributeError):
                raise SearchFault(DOWN, f"{self.name} answered with something that is no answer") from None
            self.sleep(pause)
        raise AssertionError("the last wait raises")

    def _pause(self, error: HTTPError, wait: float | None) -> float:
        with error:
            said = retry_after(error.headers.get("Retry-After"), time.time())
        if error.code not in BUSY:
            raise SearchFault(REFUSED, f"{self.name} refused the query with status {error.code}") from None
        if error.code == 429 and (wait is None or (said or 0.0) > LONGEST):
            raise SearchFault(QUOTA, f"{self.name} answers no more queries for now (status 429)") from None
        return self._again(wait, f"{self.name} fails with status {error.code}", said)

    @staticmethod
    def _again(wait: float | None, why: str, said: float | None = None) -> float:
        if wait is None:
            raise SearchFault(DOWN, why) from None
        return max(wait, min(said or 0.0, LONGEST))


class _Stay(HTTPRedirectHandler):
    """A redirect would take the key to somebody else."""

    def redirect_request(self, *_: Any) -> None:
        return None


def _fetched(asked: Asked) -> Any:
    headers = {"Accept": "application/json", "User-Agent": "focused", **asked.headers}
    request = Request(f"{asked.url}?{urlencode(asked.parameters)}", headers=headers)
    with build_opener(_Stay).open(request, timeout=SECONDS) as response:
        return json.loads(response.read(MOST_BYTES))


def searxng(address: str) -> Online:
    """An instance of your own: its settings.yml must allow the format json."""
    if not address.startswith(("http://", "https://")):
        raise SettingError(f"search engine 'searxng:{address}' has no address: write searxng:http://127.0.0.1:8080.")
    url = f"{address.rstrip('/')}/search"

    def read(answer: Any) -> Answers:
        hits = int(answer.get("number_of_results") or 0)
        return Answers([result["url"] for result in answer["results"]], hits or None)

    return Online("SearXNG", lambda query, most: Asked(url, {"q": query, "format": "json"}), read)


def brave(address: str) -> Online:
    """It does not say how many pages it knows."""
    key = _key("BRAVE_SEARCH_KEY", "brave")
    url = address or "https://api.search.brave.com/res/v1/web/search"

    def asked(query: str, most: int) -> Asked:
        return Asked(url, {"q": query, "count": str(min(most, 20))}, {"X-Subscription-Token": key})

    def read(answer: Any) -> Answers:
        return Answers([result["url"] for result in answer.get("web", {}).get("results", [])], None)

    return Online("Brave Search", asked, read)


def google(address: str) -> Online:
    key, engine = _key("GOOGLE_SEARCH_KEY", "google"), _key("GOOGLE_SEARCH_CX", "google")
    url = address or "https://www.googleapis.com/customsearch/v1"

    def asked(query: str, most: int) -> Asked:
        return Asked(url, {"key": key, "cx": engine, "q": query, "num": str(min(most, 10))})

    def read(answer: Any) -> Answers:
        urls = [item["link"] for item in answer.get("items", [])]
        return Answers(urls, int(answer["searchInformation"]["totalResults"]))

    return Online("Google", asked, read)


def _key(name: str, engine: str) -> str:
    key = os.environ.get(name, "")
    if not key:
        raise SettingError(f"search engine '{engine}' needs a key: set the environment variable {name}.")
    return key
