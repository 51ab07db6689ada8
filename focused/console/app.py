"""The application: which address is answered by which function."""

from __future__ import annotations

from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from importlib import resources

from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.middleware import Middleware
from starlette.middleware.trustedhost import TrustedHostMiddleware
from starlette.requests import Request
from starlette.responses import PlainTextResponse, Response
from starlette.routing import Route

from focused.console import explaining, monitor, results, topics
from focused.console.crawls import Shared, listed, shared, where
from focused.console.rendering import page
from focused.console.safety import SafeHeaders
from focused.errors import FocusedError

PLOTLY = "plotly.min.js"
KINDS = {"css": "text/css", "js": "text/javascript", "svg": "image/svg+xml"}
CACHED = {"Cache-Control": "max-age=3600"}


def application(given: Shared, hosts: Sequence[str]) -> Starlette:
    """`hosts`: names under which it may be asked for; all others are refused, whoever's name leads here."""
    crawl, topic = "/crawls/{crawl}", "/topics/{topic}"
    app = Starlette(
        routes=[
            Route("/", start),
            Route(crawl, monitor.view),
            Route(f"{crawl}/stream", monitor.stream),
            Route(f"{crawl}/results", results.view),
            Route(f"{crawl}/results/{{part}}", results.piece),
            Route(f"{crawl}/download", results.download),
            Route(f"{crawl}/explain", explaining.view),
            Route(topic, topics.view),
            Route(f"{topic}/training", topics.training),
            Route(f"{topic}/record", topics.record),
            Route(f"{topic}/recording", topics.recording),
            Route(f"{topic}/recorded/{{key}}", topics.recorded),
            Route(f"{topic}/{{change}}", topics.change, methods=["POST"]),
            Route("/static/{file}", static),
        ],
        middleware=[Middleware(SafeHeaders), Middleware(TrustedHostMiddleware, allowed_hosts=[*hosts])],
        exception_handlers={HTTPException: refused, FocusedError: refused},
        lifespan=_lifespan,
    )
    app.state.shared = given
    return app


@asynccontextmanager
async def _lifespan(app: Starlette) -> AsyncIterator[None]:
    yield
    app.state.shared.ending.set()


def start(request: Request) -> Response:
    given = shared(request)
    return page(request, "start.html", crawls=listed(given), topics=topics.listed(), where=where(given))


def refused(request: Request, error: Exception) -> Response:
    """One sentence: as a page where a person looks at it, as a text where a script has asked."""
    status, said = (error.status_code, error.detail) if isinstance(error, HTTPException) else (400, str(error))
    if request.method == "POST":
        return PlainTextResponse(said, status)
    return page(request, "refused.html", status, said=said)


def static(request: Request) -> Response:
    """The few files there are, out of the package, which may be zipped."""
    name = request.path_params["file"]
    if name == PLOTLY:
        from plotly.offline import get_plotlyjs

        return Response(get_plotlyjs(), media_type=KINDS["js"], headers=CACHED)
    folder = resources.files("focused.console").joinpath("static")
    file = next((one for one in folder.iterdir() if one.name == name and one.is_file()), None)
    if file is None:
        raise HTTPException(404, "There is no such file.")
    return Response(file.read_bytes(), media_type=KINDS[name.rpartition(".")[2]], headers={"Cache-Control": "no-cache"})
