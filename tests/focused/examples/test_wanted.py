"""What a topic's file names as examples."""

from __future__ import annotations

from pathlib import Path

import pytest

from focused.errors import TopicError
from focused.examples.collection import Document, Skipped
from focused.examples.files import document_of
from focused.examples.wanted import Wanted, wanted
from focused.topic import Topic


def topic(folder: Path, text: str) -> Topic:
    (folder / "topic.toml").write_text('query = "bicycles"\n' + text)
    return Topic.load(str(folder / "topic.toml"))


def pages(folder: Path, *names: str) -> None:
    for name in names:
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(f"<p>{name}")


def files(found: Wanted) -> dict[str, str]:
    return {str(path.relative_to(found.folder)): label for path, label in found.files.items()}


def mistake(folder: Path, text: str) -> str:
    with pytest.raises(TopicError) as caught:
        wanted(topic(folder, text))
    assert "\n" not in str(caught.value)
    return str(caught.value)


def test_files_patterns_and_folders_are_beside_the_topic(tmp_path: Path) -> None:
    pages(tmp_path, "a.html", "good/b.html", "good/c.html", "bad/d.html", "bad/deep/e.html", "bad/.hidden")
    found = wanted(topic(tmp_path, '[examples]\nrelevant = ["a.html", "good/*.html"]\nother = ["bad"]\n'))
    assert files(found) == {
        **dict.fromkeys(["a.html", "good/b.html", "good/c.html"], "relevant"),
        **dict.fromkeys(["bad/d.html", "bad/deep/e.html"], "other"),
    }


def test_urls_are_named_or_listed_in_a_file(tmp_path: Path) -> None:
    (tmp_path / "urls.txt").write_text("# the first ones\nhttps://a.org/1\n\nhttp://B.org:80/2#x\n")
    (tmp_path / "note.txt").write_text("see https://a.org/1")
    text = '[examples]\nrelevant = ["https://c.org/", "urls.txt", "note.txt"]\n'
    found = wanted(topic(tmp_path, text))
    assert found.pages == dict.fromkeys(["https://c.org/", "https://a.org/1", "http://b.org/2"], "relevant")
    assert files(found) == {"note.txt": "relevant"}


def test_sites_are_their_homepages(tmp_path: Path) -> None:
    (tmp_path / "sites.txt").write_text("https://b.org/deep/page\n")
    found = wanted(topic(tmp_path, '[examples]\nrelevant_sites = ["https://a.org/x"]\nother_sites = ["sites.txt"]\n'))
    assert found.sites == {"https://a.org/": "relevant", "https://b.org/": "other"}


DIRECTORY = """<!-- saved from url=(0031)https://directory.example/Horses -->
<a href="https://directory.example/Dogs">see also</a> <a href="Ponies.html">below</a> <a href="mailto:a@b.org">write</a>
<ul><li><a href="http://www.Stable.org/welcome.html">Stable</a> <li><a rel="nofollow" href="https://b.org">B</a>
<li><a href="http://stable.example/~riders/">not its own host</a> <li><a href="http://www.stable.org/horses">again</a>
"""


def test_directory_page_names_the_sites_it_links_to(tmp_path: Path) -> None:
    (tmp_path / "list.html").write_text(DIRECTORY)
    found = wanted(topic(tmp_path, '[examples]\nrelevant_sites = ["https://a.org/", "list.html"]\n'))
    homepages = ["https://a.org/", "http://www.stable.org/", "https://b.org/", "http://stable.example/"]
    assert list(found.sites.items()) == [(url, "relevant") for url in homepages]
    assert (found.skipped, found.files, found.directories) == ([], {}, {})


def test_directory_pages_are_files_patterns_and_urls(tmp_path: Path) -> None:
    pages(tmp_path, "other/empty.html")
    (tmp_path / "other/list.html").write_text('<a href="http://a.org/1">a</a>')
    (tmp_path / "other/list.txt").write_text("http://b.org/2\n")
    text = '[examples]\nrelevant_directories = ["https://d.org/Horses#top"]\nother_directories = ["other/*"]\n'
    found = wanted(topic(tmp_path, text))
    assert found.directories == {"https://d.org/Horses": "relevant"}
    assert found.sites == {"http://a.org/": "other", "http://b.org/": "other"}
    assert found.skipped == [(str(tmp_path / "other/empty.html"), "lists no site")]


def test_site_that_two_directories_list_keeps_the_first_label(tmp_path: Path) -> None:
    for name in ("horses", "dogs"):
        (tmp_path / f"{name}.html").write_text('<a href="http://a.org/1">a</a>')
    text = '[examples]\nrelevant_sites = ["horses.html"]\nother_sites = ["dogs.html"]\n'
    found = wanted(topic(tmp_path, text))
    assert found.sites == {"http://a.org/": "relevant"}
    assert found.skipped == [("http://a.org/", "named as other and as relevant")]


@pytest.mark.parametrize("own", ["saved", "canonical", "folder"])
def test_links_of_a_directory_to_its_own_pages_name_no_site(tmp_path: Path, own: str) -> None:
    said = {
        "saved": "<!-- saved from url=(0014)https://d.org/ -->",
        "canonical": '<link rel="canonical" href="https://d.org/x">',
    }
    path = tmp_path / ("d.org/list.html" if own == "folder" else "list.html")
    path.parent.mkdir(exist_ok=True)
    path.write_text(said.get(own, "") + '<a href="https://d.org/y">y</a> <a href="https://a.org/">a</a>')
    found = wanted(topic(tmp_path, f'[examples]\nrelevant_sites = ["{path.relative_to(tmp_path)}"]\n'))
    assert list(found.sites) == ["https://a.org/"]


def test_directory_page_may_be_longer_than_a_page_that_is_crawled(tmp_path: Path) -> None:
    (tmp_path / "list.html").write_text("".join(f'<a href="http://s{n}.org/">{n}</a>' for n in range(3000)))
    assert len(wanted(topic(tmp_path, '[examples]\nrelevant_sites = ["list.html"]\n')).sites) == 3000


@pytest.mark.parametrize("body", [b"", b"%PDF-1.4 http://a.org/", b"<p>no link", b'<a href="/y">y</a>'])
def test_page_that_lists_no_site_is_one_sentence(tmp_path: Path, body: bytes) -> None:
    (tmp_path / "list.html").write_bytes(body)
    for key in ("relevant_sites", "other_directories"):
        said = mistake(tmp_path, f'[examples]\n{key} = ["list.html"]\n')
        assert f"'list.html' in [examples] {key} of topic " in said
        assert said.endswith("give one with a URL a line, or an HTML page that links to them.")


def test_class_of_a_taxonomy_may_have_directories(tmp_path: Path) -> None:
    (tmp_path / "list.html").write_text('<a href="http://a.org/1">a</a>')
    (tmp_path / "tree.toml").write_text('["Animals/Horses"]\ndirectories = ["list.html", "https://d.org/horses"]\n')
    found = wanted(topic(tmp_path, '[taxonomy]\ntree = "tree.toml"\ngood = ["Animals/Horses"]\n'))
    assert found.sites == {"http://a.org/": "Animals/Horses"}
    assert found.directories == {"https://d.org/horses": "Animals/Horses"}


def test_labels_come_from_a_csv(tmp_path: Path) -> None:
    pages(tmp_path, "p.html")
    rows = ["url,label", "https://a.org/,relevant", "https://b.org/,No", "p.html,1", "", "https://c.org/,perhaps"]
    rows += ["nowhere.html,other", "https://d.org/", "https://a.org/,other", "http://[x,yes"]
    (tmp_path / "labels.csv").write_text("\n".join(rows))
    found = wanted(topic(tmp_path, '[examples]\nlabels = "labels.csv"\n'))
    assert found.pages == {"https://a.org/": "relevant", "https://b.org/": "other"}
    assert files(found) == {"p.html": "relevant"}
    assert [why for _, why in found.skipped] == [
        "'perhaps' is no label: write relevant or other",
        "'nowhere.html' is neither a URL nor a file",
        "'' is no label: write relevant or other",
        "named as other and as relevant",
        "not an http(s) URL",
    ]


def test_taxonomy_names_examples_of_each_class(tmp_path: Path) -> None:
    pages(tmp_path, "cycling/a.html", "gardening/b.html")
    (tmp_path / "taxonomy.toml").write_text(
        '["Recreation/Cycling"]\nexamples = ["cycling/*.html"]\nsites = ["https://bikes.org/"]\n'
        '["Home/Gardening"]\nexamples = ["gardening", "https://plants.org/rose"]\n'
    )
    found = wanted(topic(tmp_path, '[taxonomy]\ntree = "taxonomy.toml"\ngood = ["Recreation/Cycling"]\n'))
    assert files(found) == {"cycling/a.html": "Recreation/Cycling", "gardening/b.html": "Home/Gardening"}
    assert found.sites == {"https://bikes.org/": "Recreation/Cycling"}
    assert found.pages == {"https://plants.org/rose": "Home/Gardening"}


@pytest.mark.parametrize("name", ["cycling/b.html", "{folder}/cycling/b.html"])
def test_file_that_a_class_names_is_of_that_class_whatever_pattern_holds_it(tmp_path: Path, name: str) -> None:
    pages(tmp_path, "cycling/a.html", "cycling/b.html")
    (tmp_path / "taxonomy.toml").write_text(
        '["Cycling"]\nexamples = ["cycling/*.html"]\n'
        f'["Cycling/Clubs"]\nexamples = ["{name.format(folder=tmp_path)}"]\n'
    )
    found = wanted(topic(tmp_path, '[taxonomy]\ntree = "taxonomy.toml"\ngood = ["Cycling"]\n'))
    assert files(found) == {"cycling/a.html": "Cycling", "cycling/b.html": "Cycling/Clubs"}


def test_file_with_two_labels_keeps_the_first(tmp_path: Path) -> None:
    pages(tmp_path, "a.html")
    found = wanted(topic(tmp_path, '[examples]\nrelevant = ["a.html"]\nother = ["*.html"]\n'))
    assert files(found) == {"a.html": "relevant"}
    assert [why for _, why in found.skipped] == ["named as other and as relevant"]


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ('[examples]\nrelvant = ["a"]\n', "'relvant' in [examples] of "),
        ('[examples]\nrelevant = ["a/*.html"]\n', "'a/*.html' in [examples] relevant of topic "),
        ('[examples]\nrelevant = "a.html"\n', "is not a list of texts: write "),
        ("[examples]\nrelevant = [1]\n", "is not a list of texts"),
        ('[examples]\nother_sites = ["a.html"]\n', "is neither a homepage nor a file that lists some"),
        ('[examples]\nlabels = "none.csv"\n', "cannot be read (No such file or directory): give a CSV"),
        ('[taxonomy]\ntree = "none.toml"\n', "none.toml cannot be read (No such file or directory)"),
        ('[taxonomy]\ntree = "broken.toml"\n', "broken.toml is not valid TOML"),
        ('[taxonomy]\ntree = "odd.toml"\n', "has 'example': write examples = [...] and sites = [...]"),
    ],
)
def test_mistakes_in_the_file_are_one_sentence(tmp_path: Path, text: str, said: str) -> None:
    (tmp_path / "broken.toml").write_text("[Recreation\n")
    (tmp_path / "odd.toml").write_text('["A"]\nexample = ["a"]\n["A/B"]\n')
    assert said in mistake(tmp_path, text)


def test_topic_in_an_egg_has_no_files_beside_it() -> None:
    with pytest.raises(TopicError, match=r"has no folder for its examples: copy it to topics/"):
        wanted(Topic("packed", "words", examples={"relevant": ["a.html"]}))


def test_folder_named_like_a_host_is_a_site(tmp_path: Path) -> None:
    pages(tmp_path, "other/www.example.org/deep/page.html", "v1.2/page.html")
    found = document_of(tmp_path / "other/www.example.org/deep/page.html", tmp_path)
    assert isinstance(found, Document)
    assert found.url == "https://www.example.org/deep/page.html"
    plain = document_of(tmp_path / "v1.2/page.html", tmp_path)
    assert isinstance(plain, Document)
    assert plain.url == ""


def test_fifty_megabytes_are_not_even_opened(tmp_path: Path) -> None:
    with (tmp_path / "large.html").open("wb") as file:
        file.truncate(50 * 1024 * 1024)
    (tmp_path / "large.html").chmod(0)
    assert document_of(tmp_path / "large.html", tmp_path) == Skipped("large.html", "larger than 8 MiB")


def test_file_that_cannot_be_read_is_named(tmp_path: Path) -> None:
    assert document_of(tmp_path / "gone.html", tmp_path) == Skipped(
        "gone.html", "cannot be read (No such file or directory)"
    )
