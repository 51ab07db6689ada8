"""Examples made by hand, for the tests of what learns from them."""

from __future__ import annotations

import random

from focused.examples.collection import Document, Examples
from focused.page import PageReader
from models.text import Vocabulary

WORDS = {
    "relevant": "bicycle wheel chain pedal saddle race tour".split(),
    "other": "garden flower soil seed rose lawn".split(),
    "Recreation/Cycling": "bicycle wheel chain pedal saddle race tour".split(),
    "Home/Gardening": "garden flower soil seed rose lawn".split(),
    "Home/Cooking": "pepper sauce onion oven bread cheese".split(),
}
COMMON = "house people year water town street morning letter".split()


def made(counts: dict[str, int], sites: int = 6, good: tuple[str, ...] = (), noise: float = 0.4) -> Examples:
    """So many pages of each label, on so many sites each; `noise` is the share of words that say nothing."""
    examples, dice = Examples(PageReader(Vocabulary()), good), random.Random(1)
    for label, count in counts.items():
        for number in range(count):
            words = [dice.choice(COMMON if dice.random() < noise else WORDS[label]) for _ in range(30)]
            url = f"http://{label.replace('/', '-').lower()}{number % sites}.example/{number}" if sites else ""
            examples.add(Document(f"{label} {number}", url, " ".join(words).encode()), label)
    return examples
