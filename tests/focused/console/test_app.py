"""The console over HTTP: who may ask, what is answered."""

from __future__ import annotations

import time
from collections.abc import Iterator

import pytest

from focused.console.keeping import LARGE
from tests.focused.console.made_topic import write_topic
from tests.focused.console.running import Console, running
from tests.focused.made_crawl import MadeCrawl, small_crawl, write_warc

MARK = "/topics/bikes/mark"
OPEN = ["/", "/crawls/made", "/crawls/made/results", "/crawls/made/explain", "/topics/bikes", "/static/console.css"]


@pytest.fixture(scope="module")
def console(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Console]:
    folder = tmp_path_factory.mktemp("console")
    made = small_crawl(folder / "crawls/made")
    write_warc(made)
    made.save()
    MadeCrawl(folder / "crawls/newer", version=99).save()
    large = small_crawl(folder / "crawls/large")
    large.fetched("http://b.example/far", visit=LARGE + 1, fetched_at=time.time())
    large.save()
    MadeCrawl(folder / "secret").save()
    (folder / "crawls/notes.txt").write_text("secret")
    write_topic(folder / "topics/bikes")
    with running(folder) as found:
        yield found


# --- who may ask ---------------------------------------------------------------------------------------------


@pytest.mark.parametrize("path", OPEN)
def test_every_answer_has_the_safe_headers(console: Console, path: str) -> None:
    answer = console.get(path)
    policy = answer.headers["content-security-policy"]
    assert answer.status == 200
    assert "default-src 'none'; script-src 'self';" in policy and "unsafe" not in policy
    assert (answer.headers["x-content-type-options"], answer.headers["referrer-policy"]) == ("nosniff", "no-referrer")
    assert "access-control-allow-origin" not in answer.headers and "set-cookie" not in answer.headers


@pytest.mark.parametrize("host", ["evil.example", "127.0.0.1.evil.example", "localhost.evil.example:80", ""])
def test_a_stranger_s_name_for_this_machine_is_refused(console: Console, host: str) -> None:
    assert console.get("/", Host=host).status == 400
    assert console.get("/", Host=f"localhost:{console.port}").status == 200


@pytest.mark.parametrize("token", ["", "wrong", "é", "x" * 5000])
def test_changes_need_the_token(console: Console, token: str) -> None:
    before = (console.folder / "topics/bikes/topic.toml").read_text()
    given = token.encode("utf-8").decode("latin-1")
    answer = console.change(MARK, token=given, **{"class": "Recreation/Sailing"})
    assert (answer.status, answer.text) == (403, "Changes need the token: open the address that the terminal shows.")
    assert (console.folder / "topics/bikes/topic.toml").read_text() == before


@pytest.mark.parametrize("kind", ["application/x-www-form-urlencoded", "multipart/form-data", "text/plain", ""])
def test_what_a_form_of_a_stranger_could_send_is_no_change(console: Console, kind: str) -> None:
    head = {"X-Focused-Token": console.token, "Content-Type": kind, "Origin": "http://evil.example"}
    assert console.ask("POST", MARK, '{"class": "Recreation/Sailing"}', head).status == 415


@pytest.mark.parametrize("body", ["", "[]", "{", '{"class": 1}', "null", '{"class": {"a": "b"}}'])
def test_a_change_that_is_none_is_one_sentence(console: Console, body: str) -> None:
    head = {"X-Focused-Token": console.token, "Content-Type": "application/json"}
    answer = console.ask("POST", MARK, body, head)
    assert (answer.status, answer.text) == (400, "A change is an object of texts.")


def test_a_change_has_a_size(console: Console) -> None:
    assert console.change("/topics/bikes/classify", page="x" * 1_100_000).status == 413


def test_a_link_changes_nothing(console: Console) -> None:
    assert console.get(f"{MARK}?class=Recreation/Sailing").status == 405


@pytest.mark.parametrize(
    "path",
    [
        *(
            "/crawls/..",
            "/crawls/../secret",
            "/crawls/%2e%2e",
            "/crawls/..%2fsecret",
            "/crawls/%2e%2e%2fsecret/results",
        ),
        *("/crawls/notes.txt", "/crawls/nothing", "/crawls/made%00", "/static/..%2fapp.py", "/static/../app.py"),
        *("/static/app.py", "/static/", "/topics/..%2f..%2fsecret", "/topics/nothing", "/crawls/made/nothing"),
    ],
)
def test_no_path_leads_out(console: Console, path: str) -> None:
    assert console.get(path).status == 404


# --- what is answered ----------------------------------------------------------------------------------------


def test_the_start_page_lists_crawls_and_topics(console: Console) -> None:
    text = console.get("/").text
    assert '<a href="/crawls/made">made</a>' in text and "75.0 %" in text
    assert "has schema 99" in text  # a crawl that cannot be read says why
    assert '<a href="/topics/bikes">bikes</a>' in text and '<a href="/topics/cycling">' in text


def test_a_crawl_that_cannot_be_read_is_one_sentence(console: Console) -> None:
    answer = console.get("/crawls/newer")
    assert answer.status == 400
    assert "has schema 99, but this focused reads at most" in answer.text and "Traceback" not in answer.text


def test_results_are_the_tables_of_the_report(console: Console) -> None:
    text = console.get("/crawls/made/results").text
    for title in ("Best pages", "Best sites", "Best hubs so far", "Authorities", "Categories"):
        assert f"<h2>{title}</h2>" in text
    assert '<a href="/crawls/made/explain?url=http%3A//b.example/one">One</a>' in text


def test_slow_tables_of_a_large_crawl_are_pieces_of_their_own(console: Console) -> None:
    text = console.get("/crawls/large/results").text
    assert "<h2>Best pages</h2>" in text and "<h2>Authorities</h2>" not in text
    assert 'data-from="/crawls/large/results/hubs"' in text
    piece = console.get("/crawls/large/results/hubs").text
    assert '<section id="authorities">' in piece and "<html" not in piece
    assert console.get("/crawls/large/results/nothing").status == 404
    assert console.get("/crawls/none/results/hubs").status == 404


def test_tables_are_a_click_away(console: Console) -> None:
    text = console.get("/crawls/made/results").text
    assert '<a href="#best-hubs-so-far">Best hubs so far</a>' in text and '<section id="best-hubs-so-far">' in text


def test_the_start_page_says_what_is_running(console: Console) -> None:
    text = console.get("/").text
    assert text.count(">running<") == 1
    assert text.index('"/crawls/large"') < text.index(">running<") < text.index('"/crawls/made"')


def test_pages_are_found_by_their_words(console: Console) -> None:
    text = console.get("/crawls/made/results?q=%22the+one%22").text
    assert "<mark>the one</mark>" in text or "<mark>the</mark> <mark>one</mark>" in text
    assert (console.folder / "crawls/made/search.db").is_file()
    assert "0 pages" in console.get("/crawls/made/results?q=zebra").text


def test_files_can_be_taken_away(console: Console) -> None:
    table = console.get("/crawls/made/download?format=csv&relevant=1")
    assert table.headers["content-disposition"] == "attachment; filename*=utf-8''made-exported-relevant.csv"
    assert table.text.count("\r\n") == 4 and "http://b.example/one,One,0.9,True" in table.text
    assert console.get("/crawls/made/download?format=jsonl").text.count("\n") == 4
    refused = console.get("/crawls/made/download?format=warc")
    assert refused.status == 400 and "There is no format" in refused.text


def test_explain_shows_the_path_and_the_neighbours(console: Console) -> None:
    text = console.get("/crawls/made/explain?page=4").text
    assert "fetched as page 4" in text and "relevance 0.800, relevant" in text
    path = [text.index(f">{title}</a>") for title in ("Start", "One", "Two")]
    assert path == sorted(path)
    assert "Also linked from" in text and "<h2>Links to</h2>" not in text
    assert "<h2>Links to</h2>" in console.get("/crawls/made/explain?page=1").text


def test_explain_says_why_a_page_was_not_fetched(console: Console) -> None:
    assert "robots.txt of d.example" in console.get("/crawls/made/explain?url=http://d.example/no").text
    assert "Nearest known" in console.get("/crawls/made/explain?url=http://b.example/three").text
    assert console.get("/crawls/made/explain?page=77").status == 404
    assert console.get(f"/crawls/made/explain?page={'9' * 400}").status == 404
    assert "is not an http(s) URL" in console.get("/crawls/made/explain?url=javascript:alert(1)").text


def test_a_shipped_topic_is_not_changed(console: Console) -> None:
    answer = console.change("/topics/cycling/add", **{"class": "relevant", "example": "https://www.example.org/"})
    assert answer.status == 400
    assert answer.text.startswith("Topic 'cycling' came with the project and is not changed")


def test_a_topic_says_what_its_numbers_count_and_whether_it_is_trained(console: Console) -> None:
    text = console.get("/topics/bikes").text
    assert "0 examples, 12 below" in text and "6 examples" in text and "No model was trained and kept yet." in text
    shipped = console.get("/topics/cycling").text
    assert "simulated examples" in shipped and "/record" not in shipped and "/record" in text


def test_explain_without_a_page_says_what_it_is_for(console: Console) -> None:
    assert "or why it was not" in console.get("/crawls/made/explain").text


def test_mistakes_in_a_change_are_one_sentence(console: Console) -> None:
    assert console.change(MARK).text == "The class is missing: fill it in."
    assert "did you mean Recreation/Cycling" in console.change(MARK, **{"class": "Recreation/Cyclng"}).text
    assert console.change("/topics/bikes/explode").status == 404
    assert "nothing to classify" in console.change("/topics/bikes/classify", page=" ").text
    assert "whose links could be looked at: crawl first" in console.change("/topics/bikes/suggest").text


def test_classes_and_examples_are_edited(console: Console) -> None:
    tree = console.folder / "topics/bikes/taxonomy.toml"
    url = "https://www.example.org/chess"
    assert console.change("/topics/bikes/add", **{"class": "Recreation/Chess", "example": url}).status == 200
    assert url in tree.read_text() and url in console.get("/topics/bikes?class=Recreation/Chess").text
    assert console.change("/topics/bikes/move", what=url, **{"class": "Recreation/Sailing"}).status == 200
    assert console.change("/topics/bikes/rename", name="Go", **{"class": "Recreation/Chess"}).status == 200
    assert console.change("/topics/bikes/delete", what=url).status == 200
    assert console.change("/topics/bikes/delete", what="Recreation/Go").status == 200
    assert url not in tree.read_text() and "Go" not in tree.read_text()
