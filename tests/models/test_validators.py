from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from selectolax.lexbor import LexborHTMLParser

from focused.page import Page, PageReader
from focused.webs.simulated.catalogue import BRAND, GUIDE, HOME, LIST, NEWS, THING, Spot
from focused.webs.simulated.knobs import knobs_of
from focused.webs.simulated.web import SimWeb
from models.model import OTHER, RELEVANT, Example, ModelError, Readable
from models.tabular import MAX_TEXT, Reading
from models.text import Text, Vocabulary
from models.validators import Accepting, TableModel, TableValidator, TextModel, TextValidator, background
from tests.models.instance_pages import PRESENT_NONE, PRESENT_ONE

CAMERA = ("pixels", "megapixels", "sensor", "zoom", "lens", "aperture", "shutter", "ISO", "viewfinder", "flash")
HORSES = ["horse saddle rein horse stable", "pony stable hay rider horse", "rider saddle horse pony rein hay"]
STARS = ["planet star orbit moon", "telescope night star planet", "moon orbit night star"]


def read(html: str, vocabulary: Vocabulary | None = None) -> Page:
    return PageReader(vocabulary or Vocabulary()).read("http://a.example/", html.encode())


def horses(vocabulary: Vocabulary) -> list[Example]:
    return [Example(Text(vocabulary, text * 4).terms, RELEVANT) for text in HORSES]


@pytest.mark.parametrize("name", PRESENT_ONE)
def test_a_page_that_presents_one_thing_is_accepted(name: str) -> None:
    validator = TableValidator(Vocabulary())
    assert validator.accept(read(PRESENT_ONE[name]))
    assert validator.faults == 0


@pytest.mark.parametrize("name", PRESENT_NONE)
def test_a_page_that_presents_none_or_several_is_not(name: str) -> None:
    validator = TableValidator(Vocabulary())
    assert not validator.accept(read(PRESENT_NONE[name]))
    assert validator.faults == 0


def test_an_empty_page_is_not() -> None:
    assert not TableValidator(Vocabulary()).accept(read(""))


def spots(web: SimWeb) -> Iterator[Spot]:
    """Pages of all kinds of each shop."""
    for shop in web.outskirts.catalogue.shops:
        yield from (Spot(shop.number, kind) for kind in (HOME, NEWS, GUIDE))
        for goods, count in shop.sections.items():
            yield Spot(shop.number, LIST, goods)
            yield Spot(shop.number, BRAND, goods, brand=1)
            yield from (Spot(shop.number, THING, goods, number) for number in range(0, count, 1 + count // 4))


def test_things_of_all_shops_of_the_simulated_catalogue_are_told_from_their_lists() -> None:
    web, vocabulary = SimWeb(knobs_of("catalogue", {"seed": "1"})), Vocabulary()
    reader, validators = PageReader(vocabulary), [TableValidator(vocabulary), TableValidator(vocabulary, CAMERA)]
    told: Counter[tuple[str, bool, bool]] = Counter()
    for url in map(web.outskirts.catalogue.url, spots(web)):
        page = reader.read(url, web.fetch(url).body)
        truth = web.truth(url) or ""
        told["thing", truth.startswith("catalogue/"), validators[0].accept(page)] += 1
        told["camera", truth == "catalogue/cameras", validators[1].accept(page)] += 1
    assert told["thing", False, True] == told["camera", False, True] == 0
    assert told["thing", True, True] >= 0.97 * (told["thing", True, False] + told["thing", True, True]) > 0
    assert told["camera", True, True] >= 0.97 * (told["camera", True, False] + told["camera", True, True]) > 0


def test_attributes_decide_what_kind_of_thing_is_wanted() -> None:
    camera, boat = read(PRESENT_ONE["camera in a plain table"]), read(PRESENT_ONE["lines with breaks"])
    validator = TableValidator(Vocabulary(), ["Resolution, zoom", "displays", "flash"])
    assert (validator.accept(camera), validator.accept(boat)) == (True, False)
    assert not TableValidator(Vocabulary(), ["zoom", "flash", "shutter"], least=2).accept(camera)
    assert TableValidator(Vocabulary(), ["zoom"]).accept(camera)  # of one word no three can be found


def test_lines_of_one_paragraph_are_one_group_whatever_marks_the_labels() -> None:
    bold = "<p><b>Length:</b> 7 m<br><b>Built:</b> 1987</p><p><b>Length:</b> 9 m<br><b>Built:</b> 1990</p>"
    plain = bold.replace("<b>", "").replace("</b>", "")
    for html in (bold, plain):
        groups = Reading(LexborHTMLParser(html)).groups.values()
        assert [[(row.label, row.value) for row in group.rows] for group in groups] == [
            [("Length", "7 m"), ("Built", "1987")],
            [("Length", "9 m"), ("Built", "1990")],
        ]


def test_reading_a_page_leaves_it_as_it_was() -> None:
    page = read(PRESENT_ONE["table inside a layout table"])
    before = page.tree.html
    TableValidator(Vocabulary()).accept(page)
    assert page.tree.html == before


TAGS = ["table", "tr", "td", "th", "dl", "dt", "dd", "div", "ul", "li", "b", "span", "p", "input", "a href=/x"]
PIECES = st.one_of(
    st.sampled_from(TAGS).map("<{}>".format),
    st.sampled_from(TAGS).map(lambda tag: f"</{tag.split()[0]}>"),
    st.sampled_from(["Weight", "12 g", ":", "Colour: red", "<br>", "x" * 50, "(", "...", "Ä ", "<!-- -->", "\0"]),
)


@settings(deadline=None)
@given(st.lists(PIECES, max_size=60).map("".join))
def test_no_markup_makes_it_fail(html: str) -> None:
    validator = TableValidator(Vocabulary())
    validator.accept(read(html))
    assert validator.faults == 0


class Broken(Page):
    @property
    def tree(self) -> LexborHTMLParser:
        raise RuntimeError("no tree")


def test_a_page_that_cannot_be_read_is_rejected_and_counted() -> None:
    model = TableModel(Vocabulary())
    assert not model.judge(Broken("http://a.example/")).relevant
    assert (model.validator.faults, model.evidence(Broken("http://a.example/"))) == (1, [])


def test_tables_inside_tables_are_not_read_again_and_again() -> None:
    html = "<table><tr><td>Weight</td><td>" * 300 + "word " * 20_000
    assert Reading(LexborHTMLParser(html))._left > -len(html)
    assert Reading(LexborHTMLParser(html))._left < MAX_TEXT


def test_the_model_of_tables_says_one_or_nothing_and_names_the_attributes() -> None:
    model = TableModel(Vocabulary(), "cameras", attributes="resolution zoom")
    camera, prices = read(PRESENT_ONE["camera in a plain table"]), read(PRESENT_NONE["price list"])
    one, none = model.judge(camera), model.judge(prices)
    assert (one.relevance, one.relevant, one.best_class) == (1.0, True, RELEVANT)
    assert (none.relevance, none.relevant, none.best_class) == (0.0, False, OTHER)
    assert [label for label, _ in model.evidence(camera, 3)] == ["Resolution", "Zoom", "Display"]
    assert sum(share for _, share in model.evidence(camera)) == pytest.approx(1.0)
    assert model.evidence(prices) == []
    assert model.judge_spans(camera.terms, camera.starts, camera.ends).tolist() == [0.0] * len(camera.links)


def test_the_text_validator_accepts_what_is_like_its_examples() -> None:
    vocabulary = Vocabulary()
    others = [Example(Text(vocabulary, text * 4).terms, OTHER) for text in STARS]
    model = TextModel.fit(vocabulary, horses(vocabulary) + others)
    validator = TextValidator(model.validator.model)
    horse, star = Text(vocabulary, "rider on a horse"), Text(vocabulary, "the moon at night")
    assert (validator.accept(horse), validator.accept(star)) == (True, False)
    assert (model.judge(horse).relevance, model.judge(star).relevance) == (1.0, 0.0)
    assert not TextModel.fit(vocabulary, horses(vocabulary) + others, certainty=1.0).judge(horse).relevant


def test_without_other_examples_it_is_english_that_is_not_wanted() -> None:
    vocabulary = Vocabulary()
    model = TextModel.fit(vocabulary, horses(vocabulary))
    assert model.judge(Text(vocabulary, "saddle and rein of a horse in its stable")).relevant
    assert not model.judge(Text(vocabulary, "the government said that people work in the city this year")).relevant


def test_english_pages_are_the_same_each_time_and_as_long_as_asked() -> None:
    one, other = background(Vocabulary(), [30, 0, 500]), background(Vocabulary(), [30, 0, 500])
    assert [len(example.terms) for example in one] == [30, 0, 500]
    assert all((a.terms == b.terms).all() for a, b in zip(one, other, strict=True))


def test_the_text_validator_cannot_learn_from_nothing() -> None:
    with pytest.raises(ModelError, match="there are none"):
        TextModel.fit(Vocabulary(), [])


class Short:
    """Somebody's own validator; it fails on pages without words."""

    def accept(self, page: Readable) -> bool:
        return 1 / len(page.words) > 0.1


def test_anything_that_accepts_is_a_page_model_and_rejects_where_it_raises() -> None:
    model = Accepting(Short())
    short, long, empty = (Page("http://a.example/", words=["x"] * count) for count in (3, 30, 0))
    assert [model.judge(page).relevance for page in (short, long, empty)] == [1.0, 0.0, 0.0]
    assert [model.judge(page).relevant for page in (short, long, empty)] == [True, False, False]
    assert model.faults == 2 and model.evidence(short) == []
    assert model.judge_spans(short.terms, short.starts, short.ends).tolist() == []
