"""What keeps the console from being used by others than the person at it.

It listens on the loopback address. A page of a stranger in the same browser cannot read it (Host allow-list, no CORS)
and cannot change anything: changes need a token in a header, which the browser never sends by itself. The token is
shown on the terminal, as the fragment of the console's address, which is not sent to any server either.
"""

from __future__ import annotations

import hmac

import orjson
from starlette.datastructures import MutableHeaders
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.types import ASGIApp, Message, Receive, Scope, Send

TOKEN = "X-Focused-Token"
MOST_BYTES = 1024 * 1024  # of what a browser may send
# Plotly makes an empty style element and fills it by script: the hash of the empty text. And it brings the style of its
# maps, which are not used here; without that hash, of plotly 7.1, each browser would complain of it.
EMPTY_STYLE = "'sha256-47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU='"
MAP_STYLE = "'sha256-ji27qzEtxXZW+7dun6UwjHXJ18e6WAin1VvNtkzIE/o='"
POLICY = "; ".join(
    (
        "default-src 'none'",
        "script-src 'self'",
        f"style-src 'self' {EMPTY_STYLE} {MAP_STYLE}",
        "connect-src 'self'",
        "img-src 'self' data:",
        "form-action 'self'",
        "base-uri 'none'",
        "frame-ancestors 'none'",
    )
)
HEADERS = {
    "Content-Security-Policy": POLICY,
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "no-referrer",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
}


class SafeHeaders:
    """Puts the headers on every answer."""

    def __init__(self, app: ASGIApp) -> None:
        self.app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        async def sent(message: Message) -> None:
            if message["type"] == "http.response.start":
                headers = MutableHeaders(scope=message)
                for name, value in HEADERS.items():
                    headers.setdefault(name, value)  # a page in a frame has a stricter policy of its own
                headers.setdefault("Cache-Control", "no-store")
            await send(message)

        await self.app(scope, receive, sent)


async def changes_of(request: Request, token: str) -> dict[str, str]:
    """What a change asks for, once it is known to come from the person at the terminal."""
    given = request.headers.get(TOKEN, "")
    if not hmac.compare_digest(given.encode(), token.encode()):
        raise HTTPException(403, "Changes need the token: open the address that the terminal shows.")
    if request.headers.get("content-type") != "application/json":
        raise HTTPException(415, "A change is sent as JSON.")
    body = b""
    async for chunk in request.stream():
        body += chunk
        if len(body) > MOST_BYTES:
            raise HTTPException(413, f"That is more than {MOST_BYTES:,} bytes: send less.")
    return _texts(body)


def _texts(body: bytes) -> dict[str, str]:
    try:
        found = orjson.loads(body)
    except orjson.JSONDecodeError:
        found = None
    if not isinstance(found, dict) or not all(isinstance(value, str) for value in found.values()):
        raise HTTPException(400, "A change is an object of texts.")
    return found
