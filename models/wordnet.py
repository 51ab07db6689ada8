"""WordNet as an ontology, read from its own files (format: wndb(5)) without nltk, whose import takes seconds.

The index is held in memory (word → place of its line); a synset is read from the file when it is asked for. What a
word means is looked up as nltk does it: in the order noun, verb, adjective, adverb, each by the word as written and
by the forms its ending may stand for.
"""

from __future__ import annotations

import mmap
import os
import re
from collections.abc import Iterator
from pathlib import Path

from models.ontology import OntologyError

PARTS = ("noun", "verb", "adj", "adv")
CORPUS = Path("corpora", "wordnet")
# Endings and what may have stood in their place (morphy(7WN)).
_ENDINGS = (
    "s: ses:s ves:f xes:x zes:z ches:ch shes:sh men:man ies:y",
    "s: ies:y es:e es: ed:e ed: ing:e ing:",
    "er: est: er:e est:e",
    "",
)
ENDINGS = [[pair.split(":") for pair in pairs.split()] for pairs in _ENDINGS]
_ENTRY = re.compile(rb"^([^ \n]+) ", re.MULTILINE)  # the licence heads each file, indented
_ABOVE = re.compile(rb" @i? (\d{8}) ([nvar]) ")  # pointers to what a synset is a kind of, or an instance of
_LETTERS = (b"n", b"v", b"a", b"r")


class WordNet:
    """Concepts are synsets: their place in the data file and, in the last two bits, the part of speech."""

    def __init__(self, folder: Path) -> None:
        self._indexes = [_mapped(folder / f"index.{part}") for part in PARTS]
        self._data = [_mapped(folder / f"data.{part}") for part in PARTS]
        self._places = [{entry[1]: entry.start() for entry in _ENTRY.finditer(index)} for index in self._indexes]
        self._irregular = [_irregular(folder / f"{part}.exc") for part in PARTS]

    def concepts(self, word: str) -> list[int]:
        lower = word.lower()
        return [concept for part in range(4) for form in self._forms(lower, part) for concept in self._of(form, part)]

    def parents(self, concept: int) -> list[int]:
        return [int(to) << 2 | _LETTERS.index(part) for to, part in _ABOVE.findall(self._entry(concept))]

    def names(self, concept: int) -> list[str]:
        fields = self._entry(concept).split()
        written = (name.decode() for name in fields[4 : 4 + 2 * int(fields[3], 16) : 2])
        return [name.partition("(")[0].replace("_", " ") for name in written]  # good(p): only after a verb

    def _entry(self, concept: int) -> bytes:
        """The line of a synset without its gloss."""
        data, place = self._data[concept & 3], concept >> 2
        return data[place : data.find(b"|", place)]

    def _of(self, form: bytes, part: int) -> list[int]:
        index, place = self._indexes[part], self._places[part][form]
        fields = index[place : index.find(b"\n", place)].split()
        return [int(offset) << 2 | part for offset in fields[-int(fields[2]) :]]

    def _forms(self, word: str, part: int) -> dict[bytes, None]:
        """The word and what it may be a form of, as far as the index knows them."""
        regular = [word.removesuffix(old) + new for old, new in ENDINGS[part] if word.endswith(old)]
        forms = [word, *self._irregular[part].get(word, regular)]
        return {form: None for form in (form.encode() for form in forms) if form in self._places[part]}


def wordnet(folder: str = "") -> WordNet:
    """The WordNet of a folder, or the one that the set-up has put in place or nltk would find."""
    roots = list(_roots())
    folders = [Path(folder)] if folder else [root / CORPUS for root in roots]
    for candidate in folders:
        if (candidate / "data.noun").is_file():
            try:
                return WordNet(candidate)
            except (OSError, ValueError) as error:
                raise OntologyError(f"WordNet in {candidate} cannot be read ({error}): run `make setup`.") from None
    where = folder or ", ".join(map(str, roots))
    raise OntologyError(f"WordNet was not found in {where}: run `make setup`, or name its folder in NLTK_DATA.")


def _roots() -> Iterator[Path]:
    yield from (Path(root) for root in os.environ.get("NLTK_DATA", "").split(os.pathsep) if root)
    yield Path(__file__).parent.parent / ".cache" / "nltk_data"
    yield Path.home() / "nltk_data"
    yield from (Path(prefix, "share", "nltk_data") for prefix in ("/usr", "/usr/local"))


def _mapped(path: Path) -> mmap.mmap:
    with path.open("rb") as file:
        return mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ)


def _irregular(path: Path) -> dict[str, list[str]]:
    """mice → mouse; a WordNet without these lists only loses such words."""
    lines = path.read_text("utf-8").splitlines() if path.is_file() else []
    return {forms[0]: forms[1:] for forms in map(str.split, lines) if forms}
