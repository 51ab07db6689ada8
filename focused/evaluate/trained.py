"""What a training found out, as tables and lines for the terminal."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from focused.evaluate.tables import Cell, Section
from focused.examples import Examples
from focused.training.fitting import Training
from focused.training.quality import BINS
from focused.training.words import telling_words

SHOWN = 5  # documents named of those left out for one reason


def of_examples(examples: Examples) -> Section:
    rows = [(label, count, examples.sites_of(label)) for label, count in sorted(examples.counts().items())]
    return Section("Examples", ("label", "pages", "sites"), [*rows])


def left_out(examples: Examples) -> list[str]:
    """Why some documents are no examples, most frequent reason first."""
    lines = []
    for why, count in Counter(one.why for one in examples.skipped).most_common():
        named = [one.name for one in examples.skipped if one.why == why][:SHOWN]
        more = f" and {count - SHOWN:,} more" if count > SHOWN else ""
        lines.append(f"Left out, {why}: {count:,} ({', '.join(named)}{more})")
    return lines


def of_models(trainings: Sequence[Training]) -> Section:
    """The kinds beside each other."""
    headings = ("model", "F", "precision", "recall", "accuracy", "Brier", "ECE", "best threshold", "its F", "fit, s")
    rows: list[tuple[Cell, ...]] = []
    for one in trainings:
        q = one.quality
        figures: tuple[Cell, ...] = (q.f, q.precision, q.recall, q.accuracy, q.brier, q.ece, q.suggested, q.f_suggested)
        rows.append((one.kind.name, *(figures if q.pages else (None,) * len(figures)), one.seconds))
    quality = trainings[0].quality
    return Section(f"Judged by {quality.folds}-fold cross-validation, {quality.pages:,} pages", headings, rows)


def of_model(training: Training) -> list[Section]:
    """One kind in full; what is empty is left out."""
    quality = training.quality
    bins: list[tuple[Cell, ...]] = [
        (f"{i / BINS:.1f} to {(i + 1) / BINS:.1f}", row.pages, row.said, row.was)
        for i, row in enumerate(quality.bins)
        if row.pages
    ]
    doubts = [(one.example.url, one.example.label, one.relevance) for one in training.doubtful]
    sections = [
        _confusion(quality.confusion),
        Section("Relevance said, and share that was relevant", ("relevance", "pages", "said", "was"), bins),
        Section("Most doubtful examples: look at their labels again", ("page", "label", "relevance"), [*doubts]),
    ]
    return [section for section in sections if section.rows]


def _confusion(table: dict[str, dict[str, int]]) -> Section:
    """Two classes as a square; of more, those that were taken for another one."""
    if len(table) <= 2:
        names = sorted({name for row in table.values() for name in row} | set(table))
        square: list[tuple[Cell, ...]] = [(label, *(row.get(n, 0) for n in names)) for label, row in table.items()]
        return Section("Confusion", ("label", *(f"taken for {name}" for name in names)), square)
    wrong = [(label, name, count) for label, row in table.items() for name, count in row.items() if name != label]
    worst = sorted(wrong, key=lambda row: -row[2])[:20]
    return Section("Confusion: classes taken for another", ("label", "taken for", "pages"), [*worst])


def words_of(training: Training, examples: Examples) -> list[str]:
    """The most telling words of each label, a line each."""
    words = telling_words(examples.vocabulary, training.kind.taught(examples))
    written = examples.vocabulary.written(term for best in words.values() for term in best)
    return [f"Most telling of {label}: {' '.join(written[term] for term in best)}" for label, best in words.items()]
