"""A topic with a small tree and comments in its files, for the tests of those who change it."""

from __future__ import annotations

from pathlib import Path

from focused.administration.files import TopicFile

TOPIC = """# mine
query = "bicycles"  # the words
seeds = ["https://a.example/"]

[taxonomy]
tree = "taxonomy.toml"
good = [
    "Recreation/Cycling",  # the topic
]
"""
TREE = """# All there is

["Recreation/Cycling"]  # the best
examples = [
    "cycling/*.html",  # saved
    "https://a.example/bikes",
]

# gardening is here for contrast
["Recreation/Gardening"]
examples = ["gardening/1.html", "gardening/2.html", "gardening/3.html"]

# money
[Business]
examples = ["business"]
"""
WORDS = {
    "cycling": "bicycle wheel chain pedal saddle race tour mountain trail rider",
    "gardening": "garden flower soil seed shrub plant compost roses tulip lawn",
    "business": "fund stock bond dividend investor market portfolio broker shares trade",
}


def made_topic(folder: Path, name: str = "bikes") -> TopicFile:
    home = folder / "topics" / name
    for label, words in WORDS.items():
        for number in range(1, 4):
            file = home / label / f"{number}.html"
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_text(f"<title>{label} {number}</title><p>{words} {' '.join(words.split()[number:])}")
    (home / "taxonomy.toml").write_text(TREE)
    (home / "topic.toml").write_text(TOPIC)
    return TopicFile(str(home))
