"""Topics: the tree with its marks and examples, and all that changes them (Chakrabarti 1999, §2, F-02 to F-08)."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import NamedTuple

from starlette.concurrency import run_in_threadpool
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import HTMLResponse, PlainTextResponse, Response

from focused.administration import nodes
from focused.administration.files import TopicFile
from focused.administration.overview import all_topics, examples_of, kind_name, nodes_of
from focused.console import advice, recordings, trainings
from focused.console.crawls import names, shared
from focused.console.rendering import page, rendered
from focused.console.safety import changes_of
from focused.evaluate.tables import Section
from focused.topic import Topic, is_shipped
from focused.topic import names as topic_names
from models.model import OTHER, RELEVANT

Fields = Mapping[str, str]
Edit = Callable[[TopicFile, Fields], list[str]]
TRAIN_AGAIN = "Train again, so that the model knows."


class Place(NamedTuple):
    """A class in the list: of the tree, or one of the two that every topic has."""

    path: str
    name: str
    level: int
    pages: int
    below: int
    good: str


def listed() -> Section:
    return all_topics()


def view(request: Request) -> Response:
    topic = loaded(request)
    chosen = request.query_params.get("class", "")
    places = places_of(topic)
    examples = examples_of(topic, chosen).rows if chosen in [place.path for place in places] else None
    return page(
        request,
        "topic.html",
        about=topic,
        kind=kind_name(topic),
        places=places,
        has_tree="tree" in topic.taxonomy,
        chosen=chosen if examples is not None else "",
        examples=examples,
        shipped=is_shipped(topic.name),
        crawl=topic.name if topic.name in names(shared(request)) else "",
        job=shared(request).jobs.get(topic.name),
        kept=trainings.kept(shared(request).data / topic.name),
    )


def loaded(request: Request) -> Topic:
    """The topic that the address names. Only what is in the list can be named, so no path leads out of it."""
    name = request.path_params["topic"]
    if name not in topic_names():
        raise HTTPException(404, f"There is no topic '{name}' here: a topic is a folder of topics/.")
    return Topic.load(name)


def places_of(topic: Topic) -> list[Place]:
    found = [
        Place(one.path, one.path.rpartition("/")[2], one.path.count("/"), one.pages + one.sites, one.below, one.good)
        for one in nodes_of(topic)
    ]
    if found:
        return found
    return [Place(side, side, 0, len(examples_of(topic, side).rows), 0, "") for side in (RELEVANT, OTHER)]


async def change(request: Request) -> Response:
    """All that needs the token."""
    fields = await changes_of(request, shared(request).token)
    return await run_in_threadpool(_changed, request, fields)


def _changed(request: Request, fields: Fields) -> Response:
    topic, what = loaded(request), request.path_params["change"]
    if what in EDITS:
        return PlainTextResponse("\n".join(edited(topic.name, EDITS[what], fields)))
    if what == "classify":
        return HTMLResponse(rendered("classified.html", topic=topic.name, **advice.classified(request, topic, fields)))
    if what == "suggest":
        return HTMLResponse(rendered("suggested.html", topic=topic.name, **advice.suggested(request, topic)))
    if what in recordings.CHANGES:
        return recordings.changed(request, topic, what, fields)
    if what == "train":
        return PlainTextResponse(trainings.begin(request, topic))
    raise HTTPException(404, f"'{what}' is no change.")


def edited(name: str, edit: Edit, fields: Fields) -> list[str]:
    file = TopicFile(name)
    said = edit(file, fields)
    file.save()
    return said


def _of(fields: Fields, name: str) -> str:
    value = fields.get(name, "").strip()
    if not value:
        raise HTTPException(400, f"The {name} is missing: fill it in.")
    return value


EDITS: dict[str, Edit] = {
    "mark": lambda file, fields: nodes.mark(file, [_of(fields, "class")]),
    "unmark": lambda file, fields: nodes.unmark(file, [_of(fields, "class")]),
    "add": lambda file, fields: [
        *nodes.add(file, _of(fields, "class"), fields.get("example", "").split()),
        TRAIN_AGAIN,
    ],
    "move": lambda file, fields: [*nodes.move(file, _of(fields, "what"), _of(fields, "class")), TRAIN_AGAIN],
    "rename": lambda file, fields: [*nodes.rename(file, _of(fields, "class"), _of(fields, "name")), TRAIN_AGAIN],
    "delete": lambda file, fields: [*nodes.delete(file, _of(fields, "what")), TRAIN_AGAIN],
}


def record(request: Request) -> Response:
    return recordings.view(request, loaded(request))


def recording(request: Request) -> Response:
    return recordings.steps(request, loaded(request))


def recorded(request: Request) -> Response:
    return recordings.frame(request, loaded(request))


def training(request: Request) -> Response:
    """How far the training of a topic is, as a piece of its page."""
    name, given = loaded(request).name, shared(request)
    return HTMLResponse(rendered("training.html", job=given.jobs.get(name), kept=trainings.kept(given.data / name)))
