"""Build focused/webs/simulated/data/vocabulary.json.gz: the words of the simulated web, taken from WordNet 3.0.

For each leaf topic the words that its neighbourhood of synsets uses more than WordNet at large does, and groups of
synonyms among them; besides, ordinary English in Zipf order (WordNet's own counts in tagged running text).
"""

from __future__ import annotations

import gzip
import json
import re
import shutil
import tomllib
from collections import Counter
from collections.abc import Iterator
from math import log
from pathlib import Path

from nltk import data
from nltk.corpus.reader import WordNetCorpusReader
from nltk.corpus.reader.wordnet import Synset
from sklearn.feature_extraction.text import ENGLISH_STOP_WORDS
from wordnet import ROOT, entries, ready

SYNSETS = Path(__file__).with_name("synsets.toml")
TARGET = Path(__file__).resolve().parent.parent / "focused" / "webs" / "simulated" / "data" / "vocabulary.json.gz"
WORD = re.compile(r"\b[a-z]{3,14}\b")
RUDE = re.compile(r"\b(offensive|obscene|slur|disparaging|vulgar)\b")
DEPTH = 3  # how far below a root a synset still belongs to the topic
KEPT = 260  # words a topic
LIFT = 3.0  # a topical word is at least so many times commoner than in all glosses
LEMMA = 3  # a lemma of the neighbourhood counts as much as so many mentions in glosses
FLATTEN = 0.7
ORDINARY = 5000  # background words
STANDS_FOR_NAMES = ("person", "group", "location")  # proper names are tagged with these, which inflates them
FUNCTION_SHARE = 0.45  # of running English text is function words


def neighbourhood(root: Synset) -> Iterator[Synset]:
    """The root, what is below it, its parts, and what WordNet files under it as a domain."""
    yield root
    yield from root.closure(lambda synset: synset.hyponyms(), depth=DEPTH)
    for near in root.part_meronyms() + root.substance_meronyms() + root.in_topic_domains():
        yield near
        yield from near.hyponyms()


def synsets_of(wordnet: WordNetCorpusReader, roots: str) -> list[Synset]:
    found = {near.name(): near for root in roots.split() for near in neighbourhood(wordnet.synset(root))}
    return [found[name] for name in sorted(found)]


def coarse(folder: Path) -> set[str]:
    """Words that WordNet itself calls rude in any of their senses: no page of ours uses them."""
    return {lemma.lower() for lemmas, gloss in entries(folder) if RUDE.search(gloss) for lemma in lemmas}


def words_in(text: str) -> list[str]:
    return [word for word in WORD.findall(text) if word not in ENGLISH_STOP_WORDS]


def lemma_words(synset: Synset) -> list[str]:
    return [word for name in synset.lemma_names() for word in words_in(name.replace("_", " "))]


def counts_of(synsets: list[Synset]) -> Counter[str]:
    """How often each word is used by the lemmas, definitions and examples of these synsets."""
    counts: Counter[str] = Counter()
    for synset in synsets:
        counts.update(words_in(" ".join([synset.definition(), *synset.examples()])))
        for word in set(lemma_words(synset)):
            counts[word] += LEMMA
    return counts


def topical(counts: Counter[str], everywhere: Counter[str]) -> list[tuple[str, int]]:
    """The words that say most about the topic, by count times log of the lift, and how often pages use them.

    Every gloss names its genus (each breed is "a horse"), which running text does not: the power flattens that.
    """
    share = sum(everywhere.values()) / sum(counts.values())
    # A lemma that no gloss ever uses is a Latin species name or an oddity; people do not write it either.
    lifts = {word: count * share / everywhere[word] for word, count in counts.items() if word in everywhere}
    gains = {word: counts[word] * log(lift) for word, lift in lifts.items() if lift >= LIFT and counts[word] > 1}
    best = sorted(gains, key=lambda word: (-gains[word], word))[:KEPT]
    return [(word, max(1, round(gains[word] ** FLATTEN))) for word in best]


def groups_of(synsets: list[Synset], words: list[tuple[str, int]], rude: set[str]) -> list[list[str]]:
    """Synonyms: the commonest word of a synset first; a word is in one group only."""
    order = {word: place for place, (word, _) in enumerate(words)}
    groups, taken = [], set(rude)
    for synset in sorted(synsets, key=lambda each: min(order.get(name, KEPT) for name in each.lemma_names())):
        names = [name for name in synset.lemma_names() if WORD.fullmatch(name) and name not in taken]
        names.sort(key=lambda name: (order.get(name, KEPT), name))
        if len(names) > 1 and names[0] in order:
            groups.append(names)
            taken.update(names)
    return groups


def tagged_counts(folder: Path) -> Counter[str]:
    """How often each lemma was met in WordNet's tagged texts: the last field of index.sense."""
    counts: Counter[str] = Counter()
    for line in (folder / "index.sense").read_text("ascii").splitlines():
        lemma, _, rest = line.partition("%")
        counts[lemma] += int(rest.rsplit(" ", 1)[1])
    for word in STANDS_FOR_NAMES:
        counts[word] //= 20
    return Counter({word: count for word, count in counts.items() if count and WORD.fullmatch(word)})


def ordinary(folder: Path, texts: list[str], rude: set[str]) -> list[tuple[str, int]]:
    """Background English: function words as glosses use them, the others as tagged text does, in one Zipf order."""
    used = Counter(word for text in texts for word in re.findall(r"\b[a-z]+\b", text) if word in ENGLISH_STOP_WORDS)
    tagged = tagged_counts(folder)
    content = {word: n for word, n in tagged.items() if word not in ENGLISH_STOP_WORDS and word not in rude}
    scale = FUNCTION_SHARE / (1 - FUNCTION_SHARE) * sum(content.values()) / sum(used.values())
    both = content | {word: max(1, round(count * scale)) for word, count in used.items()}
    return sorted(both.items(), key=lambda row: (-row[1], row[0]))[:ORDINARY]


def build(wordnet: WordNetCorpusReader, folder: Path) -> dict[str, object]:
    texts = [gloss for _, gloss in entries(folder)]
    everywhere = Counter(word for text in texts for word in words_in(text))
    rude = coarse(folder)
    topics = {}
    for path, roots in tomllib.loads(SYNSETS.read_text("utf-8")).items():
        synsets = synsets_of(wordnet, roots)
        counts = counts_of(synsets)
        words = topical(Counter({word: n for word, n in counts.items() if word not in rude}), everywhere)
        topics[path] = {"words": words, "synonyms": groups_of(synsets, words, rude)}
    return {"topics": topics, "ordinary": ordinary(folder, texts, rude)}


if __name__ == "__main__":
    source = ready()
    data.path.insert(0, str(ROOT))  # nltk opens corpora below its own path only
    table = build(WordNetCorpusReader(str(source), None), source)
    TARGET.parent.mkdir(exist_ok=True)
    TARGET.write_bytes(gzip.compress(json.dumps(table, separators=(",", ":")).encode(), 9, mtime=0))
    shutil.copyfile(source / "LICENSE.txt", TARGET.with_name("WORDNET-LICENSE.txt"))
    print(f"{TARGET.name}: {TARGET.stat().st_size} bytes")
