"""Shchekotykhin, Jannach, Friedrich: worked numbers of the apprentice (X-16)."""

from __future__ import annotations

import pytest

from models.apprentice import Apprentice
from models.text import Vocabulary


def test_x9_probability_that_a_link_leads_to_an_accepted_page() -> None:
    apprentice = Apprentice(Vocabulary())
    for names in (["camera@0", "spec@1"], ["camera@0", "spec@1", "canon@-2"]):
        apprentice.learn(apprentice.named(names), True)
    for names in (["printer@0", "canon@-2"], ["login@0"]):
        apprentice.learn(apprentice.named(names), False)
    links = [apprentice.named(names) for names in (["camera@0", "spec@1"], ["printer@0", "canon@-2"], ["zzz@3"])]
    assert apprentice.score(links) == pytest.approx([0.852071, 0.242424, 0.5], abs=1e-6)
    assert apprentice.known == 5
