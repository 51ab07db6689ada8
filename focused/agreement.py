"""All workers of a shared crawl go by the same topic, model and files of the ordering: the crawl's store holds them.

The first brings them there. Who comes without them takes them from there, into `brought/` in the crawl's folder. Who
comes with others has changed them since it last looked, or has what was the crawl's before, or another crawl's: the
digest of what the crawl went by at the last look is kept beside them and tells which.
"""

from __future__ import annotations

import shutil
from collections.abc import Mapping
from pathlib import Path

from focused.bundle import Bundle, of_model, of_ordering, of_topic, place_of
from focused.errors import StoreError
from focused.store.bundles import Bundles, Packed
from focused.topic import FILE, find, name_of
from focused.training.fitting import MODEL

TOPIC, EXAMPLES, ORDERING = "topic", "examples", "ordering"
PARTS = (TOPIC, EXAMPLES, MODEL, ORDERING)
FOLDER = "brought"


class Agreement:
    """`given` is the topic as the user names it, `folder` the crawl's, `read` what the ordering reads, by argument."""

    def __init__(self, bundles: Bundles, folder: Path, given: str, read: Mapping[str, str]) -> None:
        self.bundles, self.folder, self.given, self.read = bundles, folder, given, read
        self.look()

    def look(self) -> None:
        """What the crawl goes by, and what lies here. Raises StoreError if that is another crawl's."""
        latest = self.bundles.latest().items()
        self.theirs = {part: Bundle.unpacked(packed.content, packed.digest) for part, packed in latest}
        topic, examples = of_topic(self.given) or (None, None)
        found = zip(PARTS, (topic, examples, of_model(self.folder), of_ordering(self.read)), strict=True)
        self.here = {part: bundle for part, bundle in found if bundle is not None}
        if TOPIC not in self.here and TOPIC not in self.theirs:
            find(self.given)  # says what can be given
        chosen = {part: self._chosen(part) for part in PARTS}
        self.agreed = {part: bundle for part, bundle in chosen.items() if bundle is not None}

    def _chosen(self, part: str) -> Bundle | None:
        mine, theirs = self.here.get(part), self.theirs.get(part)
        if theirs is not None:
            self._check_name(part, theirs)
        if mine is None or theirs is None:
            return mine or theirs
        known = self._known(part)
        if mine.files.items() <= theirs.files.items() or known == mine.digest:
            return theirs
        if part == EXAMPLES or known == theirs.digest:
            return mine
        raise StoreError(
            f"Crawl '{self.folder.name}' in {self.bundles.name} goes by another {part} than the one here "
            f"({_difference(mine, theirs)}), and it is not this folder's: give another FOCUSED_CRAWL, or take away "
            f"{self._where(part)} to go by the crawl's."
        )

    def _check_name(self, part: str, theirs: Bundle) -> None:
        """A topic of another name is no change of the crawl's: it would be brought, and refused only afterwards."""
        if part != TOPIC or f"{name_of(self.given)}/{FILE}" in theirs.files:
            return
        of = ", ".join(sorted(name.removesuffix(f"/{FILE}") for name in theirs.files if name.endswith(f"/{FILE}")))
        raise StoreError(
            f"Crawl '{self.folder.name}' in {self.bundles.name} is of topic '{of}', not of '{name_of(self.given)}': "
            "give another FOCUSED_CRAWL."
        )

    @property
    def topic(self) -> str:
        """Of the file to go by: as given if that one is it."""
        wanted, here = _files(self.agreed), _files(self.here)
        if wanted.items() <= here.items():
            return self.given
        return str(Bundle(wanted).written(self.folder / FOLDER) / name_of(self.given) / FILE)

    @property
    def model_folder(self) -> Path:
        """Where a kept model is, or will be. For a topic that was changed here it is made here."""
        agreed = self.agreed.get(MODEL)
        if agreed is None or agreed == self.here.get(MODEL, Bundle({})) or self._is_changed(TOPIC):
            return self.folder
        return agreed.written(self.folder / FOLDER)

    @property
    def files(self) -> dict[str, str]:
        """By argument: where the ordering finds what it is to read, where that is not as given."""
        agreed = self.agreed.get(ORDERING)
        if agreed is None or not self.read or agreed == self.here.get(ORDERING):
            return {}
        folder = agreed.written(self.folder / FOLDER)
        places = {argument: folder / place_of(argument, given) for argument, given in self.read.items()}
        return {argument: str(place) for argument, place in places.items() if place.exists()}

    def made(self) -> None:
        """The model is there, trained or made of words alone."""
        self.agreed[MODEL] = of_model(self.model_folder) or Bundle({})

    def bring(self) -> bool:
        """Into the store, before the worker joins the crawl. False: another one was quicker, look again."""
        changed = [part for part in self.agreed if self._is_changed(part) and part != EXAMPLES]
        if changed and self.bundles.workers():
            raise StoreError(
                f"{self._where(changed[0])} was changed while workers of crawl '{self.folder.name}' go by the former "
                f"{changed[0]}: end them first (`scrapy fleet down`), or wait until their lease has run out."
            )
        parts = {part: Packed(bundle.digest, bundle.packed()) for part, bundle in self.agreed.items()}
        if not self.bundles.put(parts, {part: bundle.digest for part, bundle in self.theirs.items()}):
            if MODEL not in self.here:  # trained a moment ago: the other's is the crawl's
                shutil.rmtree(self.folder / MODEL, ignore_errors=True)
            return False
        (self.folder / FOLDER).mkdir(parents=True, exist_ok=True)
        for part, packed in parts.items():
            self._note(part).write_text(packed.digest)
        return True

    def _is_changed(self, part: str) -> bool:
        return part in self.theirs and self.agreed[part] != self.theirs[part]

    def _where(self, part: str) -> str:
        places = {MODEL: str(self.folder / MODEL), ORDERING: ", ".join(self.read.values())}
        return places.get(part) or str(find(self.given))

    def _note(self, part: str) -> Path:
        return self.folder / FOLDER / f"{part}.digest"

    def _known(self, part: str) -> str:
        """The digest of what the crawl went by when this folder last took part."""
        return self._note(part).read_text() if self._note(part).is_file() else ""


def agreement_of(url: str, folder: Path, topic: str, read: Mapping[str, str]) -> Agreement:
    """Of the crawl that a database holds under the folder's name."""
    return Agreement(Bundles(url, folder.name), folder, topic, read)


def _files(parts: dict[str, Bundle]) -> dict[str, bytes]:
    """Of the topic and its examples."""
    return {name: content for part in (TOPIC, EXAMPLES) if part in parts for name, content in parts[part].files.items()}


def _difference(mine: Bundle, theirs: Bundle) -> str:
    names = sorted({*mine.files, *theirs.files})
    other = [name for name in names if mine.files.get(name) != theirs.files.get(name)]
    return ", ".join(other[:3]) + (f" and {len(other) - 3} more" if len(other) > 3 else "")
