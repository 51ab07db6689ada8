from __future__ import annotations

import pytest
from selectolax.lexbor import LexborHTMLParser

from focused.webs.simulated.catalogue import THING, Spot
from focused.webs.simulated.knobs import Knobs
from focused.webs.simulated.shopfront import LAYOUTS, Rows
from focused.webs.simulated.web import SimWeb

ROWS: Rows = [("Zoom", "3x"), ("Weight", "95 g"), ("Flash", "no")]


@pytest.mark.parametrize("layout", LAYOUTS)
def test_every_layout_shows_every_attribute_before_its_value(layout: object) -> None:
    assert callable(layout)
    text = " ".join(LexborHTMLParser(layout(ROWS)).text(separator=" ").replace(":", " ").split())
    places = [text.index(part) for row in ROWS for part in row]
    assert places == sorted(places)


def test_shops_differ_in_how_they_set_out_a_thing() -> None:
    web = SimWeb(Knobs(pages=300, shops=6))
    urls = [web.outskirts.catalogue.url(Spot(shop, THING, "cameras", 1)) for shop in range(5)]
    bodies = [web.fetch(url).body for url in urls]
    for part in (b'<table class="specs">', b"<dl>", b'<div class="grid">', b"<li><b>", b'<table border="1">'):
        assert sum(part in body for body in bodies) == 1
