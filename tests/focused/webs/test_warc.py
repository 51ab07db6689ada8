from __future__ import annotations

import gzip
from collections.abc import Iterable
from io import BytesIO
from pathlib import Path
from uuid import uuid4

import pytest
from warcio.statusandheaders import StatusAndHeaders
from warcio.warcwriter import WARCWriter

from focused.errors import WebError
from focused.webs import open_web
from focused.webs.warc import WarcWeb

A, B, C = "https://a.example/", "http://b.example/page.html", "https://c.example/x?y=1"
HTML = [("Content-Type", "text/html; charset=utf-8")]


class Recorder:
    """Writes records as a crawler would; each one's bytes are kept apart, so that tests can damage them."""

    def __init__(self, is_gzip: bool = True, version: str = "WARC/1.1") -> None:
        self.is_gzip, self.version = is_gzip, version
        self.parts: list[bytes] = []
        self.info()

    def _write(
        self, kind: str, uri: str | None, http: StatusAndHeaders | None, body: bytes, extra: dict[str, str]
    ) -> str:
        out = BytesIO()
        writer = WARCWriter(out, gzip=self.is_gzip, warc_version=self.version)
        if kind == "warcinfo":
            record = writer.create_warcinfo_record("test.warc.gz", {"software": "test"})
        else:
            record = writer.create_warc_record(
                uri, kind, payload=BytesIO(body), http_headers=http, warc_headers_dict=extra, length=len(body)
            )
        writer.write_record(record)
        self.parts.append(out.getvalue())
        return str(record.rec_headers.get_header("WARC-Record-ID"))

    def info(self) -> str:
        return self._write("warcinfo", "", None, b"", {})

    def response(self, uri: str, body: bytes, status: str = "200 OK", headers: Iterable[tuple[str, str]] = HTML) -> str:
        http = StatusAndHeaders(status, list(headers), protocol="HTTP/1.1")
        return self._write("response", uri, http, body, {})

    def resource(self, uri: str, body: bytes, kind: str) -> str:
        return self._write("resource", uri, None, body, {"Content-Type": kind})

    def request(self, uri: str) -> str:
        return self._write(
            "request", uri, StatusAndHeaders("GET / HTTP/1.1", [("Host", "x")], is_http_request=True), b"", {}
        )

    def revisit(self, uri: str, extra: dict[str, str], headers: Iterable[tuple[str, str]] | None = None) -> str:
        http = StatusAndHeaders("200 OK", list(headers), protocol="HTTP/1.1") if headers is not None else None
        return self._write("revisit", uri, http, b"", extra)

    def save(self, path: Path) -> str:
        path.write_bytes(b"".join(self.parts))
        return str(path)


@pytest.fixture
def tape() -> Recorder:
    recorder = Recorder()
    recorder.response(A, b"<html>page a</html>")
    recorder.response(B, b"<html>page b</html>")
    recorder.response(C, b"<html>page c</html>")
    return recorder


def bodies(web: WarcWeb) -> list[bytes | int]:
    answers = [web.fetch(url) for url in (A, B, C)]
    return [answer.body if answer.status == 200 else answer.status for answer in answers]


ALL: list[bytes | int] = [b"<html>page a</html>", b"<html>page b</html>", b"<html>page c</html>"]


@pytest.mark.parametrize("version", ["WARC/1.0", "WARC/1.1"])
@pytest.mark.parametrize("form", ["members", "one gzip", "plain"])
def test_every_form_of_warc_is_served(tmp_path: Path, form: str, version: str) -> None:
    tape = Recorder(form == "members", version)
    for url, body in zip((A, B, C), ALL, strict=True):
        assert isinstance(body, bytes)
        tape.request(url)
        tape.response(url, body)
    path = tmp_path / "tape.warc.gz"
    data = b"".join(tape.parts)
    path.write_bytes(gzip.compress(data) if form == "one gzip" else data)
    web = WarcWeb(str(path))
    assert bodies(web) == ALL and len(web) == 3 and not web.faults
    assert web.fetch(A).headers["Content-Type"] == "text/html; charset=utf-8"
    assert web.truth(A) is None and web.seeds("any", 5, 0) == []


def test_a_folder_of_warcs_is_one_web(tmp_path: Path, tape: Recorder) -> None:
    other = Recorder(is_gzip=False)
    other.response("https://d.example/", b"page d")
    (tmp_path / "deep").mkdir()
    tape.save(tmp_path / "one.warc.gz")
    other.save(tmp_path / "deep" / "two.warc")
    (tmp_path / "notes.txt").write_text("not a recording")
    web = WarcWeb(str(tmp_path))
    assert bodies(web) == ALL and web.fetch("https://d.example/").body == b"page d"


def test_schemes_spellings_and_fragments_name_one_page(tmp_path: Path, tape: Recorder) -> None:
    web = WarcWeb(tape.save(tmp_path / "t.warc.gz"))
    for url in ("http://a.example/", "https://A.example:443/#top", "http://a.example"):
        assert web.fetch(url).body == ALL[0]


def test_what_was_not_recorded_is_not_found(tmp_path: Path, tape: Recorder) -> None:
    web = WarcWeb(tape.save(tmp_path / "t.warc.gz"))
    assert [web.fetch(url).status for url in ("https://a.example/other", "ftp://a.example/", "")] == [404] * 3


def test_redirects_and_errors_are_replayed_as_such(tmp_path: Path, tape: Recorder) -> None:
    tape.response("https://a.example/old", b"", "301 Moved Permanently", [("Location", A)])
    tape.response("https://a.example/gone", b"gone", "410 Gone")
    web = WarcWeb(tape.save(tmp_path / "t.warc.gz"))
    moved = web.fetch("https://a.example/old")
    assert (moved.status, moved.headers["Location"]) == (301, A)
    assert web.fetch("https://a.example/gone").status == 410


def test_of_several_records_the_last_success_is_served_else_the_first(tmp_path: Path) -> None:
    tape = Recorder()
    tape.response("http://a.example/", b"", "301 Moved Permanently", [("Location", A)])
    tape.response(A, b"first")
    tape.response(A, b"second")
    tape.response(A, b"broken", "500 Internal Server Error")
    tape.response(B, b"one", "503 Service Unavailable")
    tape.response(B, b"two", "404 Not Found")
    web = WarcWeb(tape.save(tmp_path / "t.warc.gz"))
    assert web.fetch(A).body == b"second"
    assert (web.fetch(B).status, web.fetch(B).body) == (503, b"one")
    assert web.faults == {"duplicate_url": 3}  # two of A, one of B; that http moved to https is none


def test_a_resource_is_served_with_its_own_type(tmp_path: Path) -> None:
    tape = Recorder()
    tape.resource(A, b"plain words", "text/plain")
    answer = WarcWeb(tape.save(tmp_path / "t.warc.gz")).fetch(A)
    assert answer == (200, {"Content-Type": "text/plain"}, b"plain words")


@pytest.mark.parametrize("by", ["id", "digest", "url"])
def test_a_revisit_is_served_with_the_original_payload(tmp_path: Path, by: str) -> None:
    tape = Recorder()
    # The revisit may come first: archives are not sorted.
    place = len(tape.parts)
    name = tape.response(
        A, b"<html>the payload</html>", headers=[("Content-Type", "text/html"), ("X-Which", "original")]
    )
    digest = "sha1:NOBODYHASTHISDIGEST"
    if by == "digest":
        line = next(part for part in gzip.decompress(tape.parts[-1]).split(b"\r\n") if b"Payload-Digest" in part)
        digest = line.partition(b": ")[2].decode()
    extra = {
        "id": {"WARC-Refers-To": name, "WARC-Payload-Digest": digest},
        "digest": {"WARC-Payload-Digest": digest},
        "url": {"WARC-Refers-To-Target-URI": "http://a.example/", "WARC-Payload-Digest": digest},
    }[by]
    tape.revisit(B, extra, [*HTML, ("X-Which", "revisit")])
    tape.revisit(C, extra)
    tape.parts[place:] = [*tape.parts[place + 1 :], tape.parts[place]]
    web = WarcWeb(tape.save(tmp_path / "t.warc.gz"))
    assert web.fetch(B).body == web.fetch(C).body == b"<html>the payload</html>"
    assert (web.fetch(B).headers["X-Which"], web.fetch(C).headers["X-Which"]) == ("revisit", "original")
    assert not web.faults


def test_a_revisit_of_nothing_is_counted(tmp_path: Path, tape: Recorder) -> None:
    tape.revisit("https://e.example/", {"WARC-Refers-To": "<urn:uuid:0>", "WARC-Payload-Digest": "sha1:NO"})
    web = WarcWeb(tape.save(tmp_path / "t.warc.gz"))
    assert web.faults == {"revisit_without_original": 1}
    assert web.fetch("https://e.example/").status == 404 and bodies(web) == ALL


@pytest.mark.parametrize("form", ["members", "one gzip", "plain"])
def test_a_truncated_tail_costs_only_the_last_record(tmp_path: Path, form: str) -> None:
    tape = Recorder(form == "members")
    noise = bytes(range(256)) * 8
    for url, body in zip((A, B, C), ALL, strict=True):
        assert isinstance(body, bytes)
        tape.response(url, body)
    tape.response("https://e.example/", noise)
    data = b"".join(tape.parts)
    path = tmp_path / "t.warc.gz"
    path.write_bytes(gzip.compress(data)[:-100] if form == "one gzip" else data[: -len(tape.parts[-1]) // 2])
    web = WarcWeb(str(path))
    assert bodies(web) == ALL
    assert web.faults["truncated"] >= 1 and web.fetch("https://e.example/").status == 404


def test_garbage_between_members_is_stepped_over(tmp_path: Path, tape: Recorder) -> None:
    tape.parts[2:2] = [b"\x00\xffgarbage" * 500, b"\x1f\x8b\x08 no member at all"]
    tape.parts.append(b"more garbage")
    web = WarcWeb(tape.save(tmp_path / "t.warc.gz"))
    assert bodies(web) == ALL and web.faults["corrupt_gzip"] == 2


def test_a_damaged_member_costs_only_itself(tmp_path: Path, tape: Recorder) -> None:
    part = bytearray(tape.parts[2])
    part[len(part) // 2] ^= 0xFF
    tape.parts[2] = bytes(part)
    web = WarcWeb(tape.save(tmp_path / "t.warc.gz"))
    assert bodies(web) == [ALL[0], 404, ALL[2]] and web.faults["corrupt_gzip"] >= 1


def test_a_damaged_plain_record_costs_only_itself(tmp_path: Path) -> None:
    tape = Recorder(is_gzip=False)
    for url, body in zip((A, B, C), ALL, strict=True):
        assert isinstance(body, bytes)
        tape.response(url, body)
    tape.parts[2] = tape.parts[2].replace(b"WARC/1.1", b"CRAW/1.1", 1)
    web = WarcWeb(tape.save(tmp_path / "t.warc"))
    assert bodies(web) == [ALL[0], 404, ALL[2]] and web.faults == {"not_a_record": 1}


def test_a_record_with_a_bad_url_is_counted(tmp_path: Path, tape: Recorder) -> None:
    tape.resource("urn:pageinfo:https://a.example/", b"{}", "application/json")
    web = WarcWeb(tape.save(tmp_path / "t.warc.gz"))
    assert web.faults == {"bad_url": 1} and bodies(web) == ALL


def test_bodies_come_without_transfer_and_content_coding(tmp_path: Path) -> None:
    tape = Recorder()
    packed = gzip.compress(b"<html>packed</html>")
    tape.response(A, packed, headers=[*HTML, ("Content-Encoding", "gzip"), ("Content-Length", str(len(packed)))])
    tape.response(B, b"5\r\n<html\r\n9\r\n>b</html>\r\n0\r\n\r\n", headers=[*HTML, ("Transfer-Encoding", "chunked")])
    web = WarcWeb(tape.save(tmp_path / "t.warc.gz"))
    assert web.fetch(A) == (200, dict(HTML), b"<html>packed</html>")
    assert web.fetch(B) == (200, dict(HTML), b"<html>b</html>")


@pytest.mark.parametrize(
    "content", [b"", b"only some text\n" * 50, gzip.compress(b"only some text\n" * 50, mtime=0), b"\x1f\x8b\x08"]
)
def test_a_file_that_is_no_warc_is_refused(tmp_path: Path, content: bytes) -> None:
    path = tmp_path / "file.warc.gz"
    path.write_bytes(content)
    with pytest.raises(WebError, match=r"file\.warc\.gz"):
        open_web(f"warc:{path}")


def test_an_empty_folder_is_refused(tmp_path: Path) -> None:
    with pytest.raises(WebError, match="has no"):
        open_web(f"warc:{tmp_path}")


def test_a_broken_file_does_not_spoil_the_folder(tmp_path: Path, tape: Recorder) -> None:
    tape.save(tmp_path / "good.warc.gz")
    (tmp_path / "empty.warc.gz").write_bytes(b"")
    (tmp_path / "text.warc").write_bytes(b"only some text\n")
    web = WarcWeb(str(tmp_path))
    assert bodies(web) == ALL and web.faults == {"empty_file": 1, "not_a_record": 1}


def test_a_file_that_vanishes_becomes_not_found(tmp_path: Path, tape: Recorder) -> None:
    web = WarcWeb(tape.save(tmp_path / "t.warc.gz"))
    (tmp_path / "t.warc.gz").unlink()
    assert web.fetch(A).status == 404 and web.faults == {"unreadable": 1}


def test_the_inflated_copy_is_removed_with_the_web(tmp_path: Path, tape: Recorder) -> None:
    path = tmp_path / "one.warc.gz"
    path.write_bytes(gzip.compress(b"".join(gzip.decompress(part) for part in tape.parts)))
    web = WarcWeb(str(path))
    assert web._scratch is not None and web._scratch.is_dir()
    scratch = web._scratch
    del web
    assert not scratch.exists()


def test_a_response_without_a_status_is_counted_and_hides_nothing(tmp_path: Path) -> None:
    good = b"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n\r\n<p>good</p>"
    records = b"".join(_raw_response("http://a.example/", block) for block in (good, b"", b"HTTP/1.1 what\r\n\r\nx"))
    (tmp_path / "x.warc").write_bytes(records)
    web = WarcWeb(str(tmp_path / "x.warc"))
    assert web.fetch("http://a.example/").body == b"<p>good</p>"
    assert web.faults["no_http_headers"] == 2


def _raw_response(url: str, block: bytes) -> bytes:
    head = (
        f"WARC/1.0\r\nWARC-Type: response\r\nWARC-Target-URI: {url}\r\nWARC-Date: 2026-01-01T00:00:00Z\r\n"
        f"WARC-Record-ID: <urn:uuid:{uuid4()}>\r\nContent-Type: application/http; msgtype=response\r\n"
        f"Content-Length: {len(block)}\r\n\r\n"
    )
    return head.encode() + block + b"\r\n\r\n"
