"""Build models/data/idf.tsv.gz: in how many of WordNet's glosses each Porter stem occurs.

117,659 short texts about everything: a general document frequency that needs no crawl. First line N, then stem TAB df.
"""

from __future__ import annotations

import gzip
import re
import shutil
from collections import Counter
from functools import cache
from pathlib import Path

import Stemmer
from wordnet import entries, ready

DATA = Path(__file__).resolve().parent.parent / "models" / "data"
TARGET = DATA / "idf.tsv.gz"
WORD = re.compile(r"[^\W_]+")
LEAST = 2  # a stem seen in one gloss only is mostly a proper name; unseen stems get the idf of df = 1 anyway

# The stop words and the stemmer of models/text.py: other ones would make the table miss what is looked up in it.
STOP_WORDS = frozenset((DATA / "stop_words.txt").read_text("utf-8").split())
stem = cache(Stemmer.Stemmer("porter").stemWord)


def stems(gloss: str) -> set[str]:
    words = (word for word in WORD.findall(gloss.lower()) if len(word) > 1 and word not in STOP_WORDS)
    return {stem(word) for word in words}


def build(folder: Path) -> bytes:
    """The table as text; commonest stem first, ties in alphabetical order."""
    counts: Counter[str] = Counter()
    total = 0
    for _, gloss in entries(folder):
        counts.update(stems(gloss))
        total += 1
    kept = sorted(((df, term) for term, df in counts.items() if df >= LEAST), key=lambda row: (-row[0], row[1]))
    return "".join([f"{total}\n", *(f"{term}\t{df}\n" for df, term in kept)]).encode()


if __name__ == "__main__":
    # mtime=0: the same WordNet gives the same bytes.
    source = ready()
    TARGET.write_bytes(gzip.compress(build(source), 9, mtime=0))
    shutil.copyfile(source / "LICENSE.txt", TARGET.with_name("WORDNET-LICENSE.txt"))
    print(f"{TARGET.name}: {TARGET.stat().st_size} bytes")
