"""A web made for a browser that is killed: its pages ask for data that can be held back, and some never end."""

from __future__ import annotations

from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Event, Lock, Thread
from types import TracebackType

TEXT = "some words about nothing at all " * 12
# A page that shows its links once it has its data; a page that never ends.
PAGE = """<title>page {n}</title><div id=list></div><script>
fetch('/data/{n}').then((answer) => answer.json()).then((links) => {{
  for (const link of links) list.innerHTML += `<p>{text}<a href="${{link}}">${{link}}</a></p>`;
}});</script>"""
ENDLESS = "<title>endless</title><script>while (true);</script>"


class DataWeb:
    """Pages 0 .. pages-1 in a binary tree, and `endless` pages that hang on page 0. All links come as data."""

    def __init__(self, pages: int, endless: int = 0) -> None:
        self.pages = pages
        self.endless = endless
        self.held: int | None = None  # the page whose data is held back
        self.is_asked, self.is_free = Event(), Event()
        self.shown: list[int] = []  # pages whose data was asked for
        self._lock = Lock()

    def links(self, number: int) -> list[str]:
        below = [f"/{child}" for child in (2 * number + 1, 2 * number + 2) if child < self.pages]
        return below + [f"/endless/{n}" for n in range(self.endless if number == 0 else 0)]

    def urls(self) -> set[str]:
        return {f"{self.root}/{n}" for n in range(self.pages)} | {
            f"{self.root}/endless/{n}" for n in range(self.endless)
        }

    def data(self, number: int) -> str:
        with self._lock:
            self.shown.append(number)
        if number == self.held and not self.is_free.is_set():
            self.is_asked.set()
            self.is_free.wait(120)
        return str(self.links(number)).replace("'", '"')

    def answer(self, path: str) -> tuple[str, str]:
        kind, _, number = path[1:].rpartition("/")
        if kind == "data":
            return "application/json", self.data(int(number))
        if kind == "endless":
            return "text/html", ENDLESS
        return "text/html", PAGE.format(n=number, text=TEXT)

    def topic(self, folder: Path) -> Path:
        path = folder / "topic.toml"
        path.write_text(f'query = "words"\nseeds = ["{self.root}/{0 if self.pages else "endless/0"}"]\n')
        return path

    def __enter__(self) -> DataWeb:
        web = self

        class Handler(BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def do_GET(self) -> None:
                kind, body = web.answer(self.path)
                self.send_response(200)
                self.send_header("Content-Type", kind)
                self.send_header("Content-Length", str(len(body)))
                self.end_headers()
                self.wfile.write(body.encode())

            def log_message(self, *_: object) -> None:
                pass

        self._server = ThreadingHTTPServer(("127.0.0.2", 0), Handler)
        self._server.daemon_threads = True
        self.root = f"http://127.0.0.2:{self._server.server_port}"
        Thread(target=self._server.serve_forever, daemon=True).start()
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        self._server.shutdown()
        self._server.server_close()
