"""What a page says: its title, and words drawn in one go from its topic, from ordinary English and from its own stock.

A page repeats a few words of its topic instead of using all of them (Church and Gale 1995: words come in bursts), so
many pages on a topic do not contain the words that name it.
"""

from __future__ import annotations

from math import cos, exp, log, pi, sqrt

import numpy as np

from focused.webs.simulated.dice import Bits, Stream, mix
from focused.webs.simulated.shape import CONTENT, HOME, INDEX, LINKS, Place, Shape
from focused.webs.simulated.words import COARSE, Ids

POOL = 32  # words of the topic that a page draws from; its title's are among them
OWN = 16  # ordinary words that a page repeats for no topic's sake
DIGRESS = 5  # of those
SENTENCE = 15  # words, on average
UNIT16 = 65536.0

LOW16 = np.uint64(0xFFFF)
SHIFT16, SHIFT32, SHIFT37, SHIFT44 = (np.uint64(n) for n in (16, 32, 37, 44))


class Text:
    def __init__(self, shape: Shape) -> None:
        self.shape, self.knobs, self.lexicon = shape, shape.knobs, shape.words
        self._titles = Stream(shape.knobs.seed, "titles")
        self._bodies = Stream(shape.knobs.seed, "bodies")
        self._traits = Stream(shape.knobs.seed, "traits")
        self._blurbs = Stream(shape.knobs.seed, "blurbs")
        self._synonyms = Stream(shape.knobs.seed, "synonyms")

    def title(self, place: Place) -> list[str]:
        """Two to five different words, two in three of the topic."""
        bits = self._titles.at(place.page)
        kinds = mix(bits)
        tables = self.lexicon.titles_synonymous if self._is_synonymous(place.page) else self.lexicon.titles
        topic, general = tables[place.topic], tables[self.shape.general]
        found: dict[str, None] = {}
        for _ in range(2 + (bits & 3)):
            bits >>= 12
            kinds >>= 2
            found[(topic if kinds % 3 else general)[bits & (COARSE - 1)]] = None
        return list(found)

    def words(self, place: Place) -> list[str]:
        """The text, word by word, with capitals and full stops."""
        draws = self._traits.units(place.page, 6)
        count = self._length(place, draws)
        bits = self._bodies.bits(place.page, count + POOL + OWN)
        ids = self._draw(bits[POOL + OWN :], *self._pools(place, bits), self._shares(place, draws))
        written: list[str] = self.lexicon.forms.take(self._sentences(ids, bits[POOL + OWN :])).tolist()
        return written

    def blurb(self, place: Place, count: int) -> list[str]:
        """A few words about a page, for lists that describe what they link to."""
        bits = self._blurbs.bits(place.page, count)
        table = self._table(place)[(bits & np.uint64(COARSE - 1)).astype(np.int64)]
        plain = self.lexicon.ordinary[((bits >> SHIFT16) & LOW16).astype(np.int64)]
        return list(self.lexicon.forms.take(np.where((bits >> SHIFT32) & np.uint64(3) == 0, table, plain)).tolist())

    def _is_synonymous(self, page: int) -> bool:
        return self._synonyms.unit(page) < self.knobs.synonyms

    def _table(self, place: Place) -> Ids:
        tables = self.lexicon.synonymous if self._is_synonymous(place.page) else self.lexicon.plain
        return tables[place.topic]

    def _length(self, place: Place, draws: list[float]) -> int:
        """Log-normal for content, less for the pages that lead to it."""
        normal = sqrt(-2.0 * log(1.0 - draws[0])) * cos(2.0 * pi * draws[1])
        count = self.knobs.words_median * exp(self.knobs.words_sigma * normal)
        if place.kind == CONTENT:
            return int(min(max(count, self.knobs.words_least), self.knobs.words_most))
        least, share, most = {HOME: (60, 0.5, 500), INDEX: (20, 0.1, 80), LINKS: (20, 0.1, 80)}.get(
            place.kind, (60, 0.3, 300)
        )
        return int(min(max(count * share, least), most))

    def _shares(self, place: Place, draws: list[float]) -> tuple[float, float, float]:
        """Upper ends of the shares of topic, second topic and own words among all words."""
        topical = 0.0 if place.topic == self.shape.general else self.knobs.topical * (0.4 + 1.2 * draws[2])
        main = topical * 0.6 if draws[3] < self.knobs.mixed else topical
        return main * UNIT16, topical * UNIT16, (topical + self.knobs.incidental) * UNIT16

    def _pools(self, place: Place, bits: Bits) -> tuple[Ids, Ids, Ids]:
        entries = (bits & np.uint64(COARSE - 1)).astype(np.int64)
        topic = self._table(place)[entries[:POOL]]
        title = self.lexicon.ids(self.title(place))
        topic[: len(title)] = title
        siblings = self.lexicon.siblings(place.topic)
        other = self.lexicon.plain[siblings[int(entries[0]) % len(siblings)]] if siblings else self.lexicon.content
        own = self.lexicon.content[entries[POOL : POOL + OWN]]
        # Words are ambiguous and pages digress: a few of a page's own words are some other topic's.
        own[:DIGRESS] = self.lexicon.plain[int(entries[1]) % len(self.lexicon.plain)][entries[2 : 2 + DIGRESS]]
        return topic, other[entries[:POOL]], own

    def _draw(self, bits: Bits, topic: Ids, second: Ids, own: Ids, shares: tuple[float, float, float]) -> Ids:
        lane = bits & LOW16
        in_pool = ((bits >> SHIFT32) & np.uint64(POOL - 1)).astype(np.int64)
        in_own = ((bits >> SHIFT37) & np.uint64(OWN - 1)).astype(np.int64)
        ids = self.lexicon.ordinary[((bits >> SHIFT16) & LOW16).astype(np.int64)]
        ids = np.where(lane < shares[2], own[in_own], ids)
        ids = np.where(lane < shares[1], second[in_pool], ids)
        drawn: Ids = np.where(lane < shares[0], topic[in_pool], ids)
        return drawn

    def _sentences(self, ids: Ids, bits: Bits) -> Ids:
        """Word ids turned into ids of forms: a capital begins a sentence, a full stop ends it."""
        ends = (bits >> SHIFT44) % np.uint64(SENTENCE) == 0
        ends[-1] = True
        starts = np.empty_like(ends)
        starts[0], starts[1:] = True, ends[:-1]
        shift = np.where(starts, 1, np.where(ends, 2, 0)).astype(np.int32)
        forms: Ids = ids + np.int32(self.lexicon.size) * shift
        return forms
