"""Pages that go elsewhere by script, each in its own way, and a loopback server that notes what it is asked for."""

from __future__ import annotations

import json
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Thread
from types import TracebackType
from typing import NamedTuple


class Way(NamedTuple):
    """A page, and the paths it leads to."""

    html: str
    leads_to: set[str]


WAYS = {
    "handler in a tag": Way("""<button onclick="location.href='/a1'">go</button>""", {"/a1"}),
    "added listener": Way(
        """<div id=b>go</div><script>b.addEventListener('click', () => location.assign('/b1'))</script>""", {"/b1"}
    ),
    "listener on the document": Way(
        """<ul><li data-url="/c1">one</li><li data-url="/c2">two</li></ul><script>
        document.addEventListener('click', (e) => { if (e.target.dataset.url) location = e.target.dataset.url })
        </script>""",
        {"/c1", "/c2"},
    ),
    "delegation as frameworks do it": Way(
        """<div id=root></div><script>
        const props = new WeakMap();
        for (const name of ['d1', 'd2']) {
          const row = root.appendChild(document.createElement('div'));
          row.appendChild(document.createElement('b')).textContent = name;
          props.set(row, { onClick: () => location.replace('/' + name) });
        }
        root.addEventListener('click', (e) => {
          for (let n = e.target; n && n !== root; n = n.parentElement) props.get(n)?.onClick();
        });</script>""",
        {"/d1", "/d2"},
    ),
    "router that pushes states": Way(
        """<a href="/e1" data-route>first</a><span id=s>second</span><main id=view></main><script>
        const show = (path) => { history.pushState({}, '', path);
          view.innerHTML = path === '/e2' ? '<a href="/e3">third</a>' : ''; };
        document.querySelector('a').onclick = (e) => { e.preventDefault(); show('/e1'); };
        s.onclick = () => show('/e2');</script>""",
        {"/e1", "/e2", "/e3"},
    ),
    "menu opened by the mouse": Way(
        """<div id=m>menu</div><script>
        m.addEventListener('mouseenter', () => { m.innerHTML = '<a href="/f1">f1</a><i id=deep>more</i>';
          deep.onmouseover = () => { m.innerHTML += '<a href="/f2">f2</a>' } });
        m.addEventListener('click', () => { m.innerHTML = 'menu' });</script>""",
        {"/f1", "/f2"},
    ),
    "menus in menus": Way(
        """<div id=m></div><script>
        const tree = { Cameras: { Compact: { Small: '/g1', Tiny: '/g2' }, Reflex: '/g3' }, Lenses: { Wide: '/g4' } };
        function show(node) { m.replaceChildren(...Object.entries(node).map(([name, below]) => {
          const b = document.createElement('button'); b.textContent = name;
          b.onclick = () => typeof below === 'string' ? location = below : show(below); return b; })); }
        show(tree);</script>""",
        {"/g1", "/g2", "/g3", "/g4"},
    ),
    "list to choose from": Way(
        """<select onchange="if (this.value) location = this.value"><option value="">where?</option>
        <option value="/h1">one</option><option value="/h2">two</option></select>""",
        {"/h1", "/h2"},
    ),
    "button in a shadow tree": Way(
        """<x-open></x-open><x-closed></x-closed><script>
        for (const mode of ['open', 'closed']) customElements.define('x-' + mode, class extends HTMLElement {
          connectedCallback() { const root = this.attachShadow({ mode });
            root.innerHTML = `<button>go</button><a href="/i-${mode}-link">link</a>`;
            root.querySelector('button').onclick = () => { location.href = `/i-${mode}` }; } });</script>""",
        {"/i-open", "/i-closed", "/i-open-link", "/i-closed-link"},
    ),
    "list that grows at its end": Way(
        """<div id=list></div><div id=end style="margin-top: 3000px">end</div><script>
        let page = 0, busy = false;
        new IntersectionObserver(async (seen) => {
          if (!seen[0].isIntersecting || busy || page >= 3) return;
          busy = true; page += 1;
          const names = await (await fetch('/data/j' + page)).json();
          for (const name of names) list.innerHTML += `<p style="height: 900px"><a href="/${name}">${name}</a></p>`;
          busy = false;
        }).observe(end);</script>""",
        {"/j1a", "/j1b", "/j2a", "/j2b", "/j3a", "/j3b"},
    ),
    "load more": Way(
        """<div id=list></div><button id=more>more</button><script>
        let page = 0;
        more.onclick = async () => { page += 1;
          for (const name of await (await fetch('/data/k' + page)).json())
            list.insertAdjacentHTML('beforeend', `<a href="/${name}">${name}</a>`);
          if (page === 4) more.remove(); };</script>""",
        {f"/k{n}{letter}" for n in range(1, 5) for letter in "ab"},
    ),
    "new windows": Way(
        """<button onclick="window.open('/l1')">one</button><a href="#" id=two>two</a><script>
        two.onclick = () => { const w = window.open(); w.location.href = '/l2'; return false };</script>""",
        {"/l1", "/l2"},
    ),
    "base address": Way(
        """<base href="/deep/folder/"><a href="m1">one</a><button onclick="location = 'm2'">two</button>""",
        {"/deep/folder/m1", "/deep/folder/m2"},
    ),
    "address that is a script": Way("""<a href="javascript:location.assign('/n1')">go</a>""", {"/n1"}),
    "after a while": Way("""<b onclick="setTimeout(() => { location = '/o1' }, 150)">go</b>""", {"/o1"}),
    "dialogs on the way": Way(
        """<button onclick="alert('hi'); confirm('sure?'); prompt('who?'); print(); location = '/p1'">go</button>""",
        {"/p1"},
    ),
    "at once": Way("""<script>location.replace('/q1')</script><p>moving</p>""", {"/q1"}),
    "forms": Way(
        """<form action="/search"><input name=q><input type=submit value=search><button>find</button>
        <select name=c onchange="this.form.submit()"><option>1</option><option>2</option></select></form>
        <form id=f action="/search" method=post><input name=q></form>
        <button onclick="f.submit()">send</button><button onclick="f.requestSubmit()">send</button>
        <button onclick="fetch('/search', { method: 'POST' })">post</button>
        <button onclick="document.forms[0].querySelector('[type=submit]').click()">press</button>
        <input oninput="location = '/search?q=' + this.value"><a href="/r1">r1</a>""",
        {"/r1"},
    ),
}


class ScriptedSite:
    """Serves /way/N, /data/NAME (a list of two names) and nothing else."""

    def __enter__(self) -> ScriptedSite:
        site, self.asked = self, list[tuple[str, str]]()
        pages = [f"<!doctype html><title>{name}</title>{way.html}" for name, way in WAYS.items()]

        class Handler(BaseHTTPRequestHandler):
            def do_GET(self) -> None:
                site.asked.append((self.command, self.path))
                folder, _, name = self.path[1:].partition("/")
                data = json.dumps([f"{name}a", f"{name}b"])
                found = {"way": ("text/html", pages[int(name)] if folder == "way" else ""), "data": ("text/json", data)}
                kind, body = found.get(folder, ("text/plain", "nothing"))
                self.send_response(200)
                self.send_header("Content-Type", kind)
                self.send_header("Content-Length", str(len(body)))
                self.end_headers()
                self.wfile.write(body.encode())

            do_POST = do_GET

            def log_message(self, *_: object) -> None:
                pass

        self._server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.root = f"http://127.0.0.1:{self._server.server_port}"
        Thread(target=self._server.serve_forever, daemon=True).start()
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        self._server.shutdown()
        self._server.server_close()

    def url(self, way: str) -> str:
        return f"{self.root}/way/{list(WAYS).index(way)}"
