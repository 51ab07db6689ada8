"""A crawl that is one worker's part of a larger one: the same loop, on sites that come and go."""

from __future__ import annotations

import logging
from contextlib import suppress
from typing import TYPE_CHECKING

import numpy as np

from focused import outcomes
from focused.crawl import Crawl
from focused.graph import LinkGraph
from focused.options import Options
from focused.orderings.base import Ordering, Rescored, Revision
from focused.page import PageReader
from focused.progress import is_within, limit_reached
from focused.revision import Reviser
from focused.sharing import Sharing
from focused.stop import Stopped, whole
from focused.store.interface import Fenced
from focused.store.rows import Found
from focused.visit import Visit
from models.model import PageModel
from models.text import Vocabulary

if TYPE_CHECKING:
    from focused.store.news import News
    from focused.store.postgres import PostgresStore

logger = logging.getLogger(__name__)


class SharedCrawl(Crawl):
    """What differs: a commit may find that the lease has run out, and others have work when this one has none."""

    def __init__(
        self, options: Options, store: PostgresStore, ordering: Ordering, model: PageModel, reader: PageReader
    ) -> None:
        self.shared, self.team = store, store.team
        self.segment = self.team.segment
        self.sharing = Sharing(store, options)
        super().__init__(options, store, ordering, model, reader)
        self._looked_back = self.progress.pages // options.revise_every
        self._drawing = Reviser[LinkGraph](options.strict)  # of all workers' pages, for the next look back
        self._texts = PageReader(Vocabulary())  # of what is not judged, and not to be learned from

    @whole
    def next(self) -> Visit | None:
        """Never more under way than may be: what all workers have under way is what a limit may be passed by."""
        return super().next() if len(self.state.in_flight) < self.options.room else None

    @whole
    def finish(self, visit: Visit, outcome: str = outcomes.OK) -> None:
        """The text goes where the page goes, so that it is found from everywhere."""
        if self.state.is_open(visit):
            self.shared.keep_text(visit.id, visit.page.text if visit.page is not None else self._text_of(visit))
        super().finish(visit, outcome)

    def _text_of(self, visit: Visit) -> str:
        """Of an answer to a spider's own request that is no HTML: as focused.webs.texts reads it from the WARC."""
        self.hand.hold(visit.id)
        page = self._texts.read(visit.url, visit.exchange.body, visit.exchange.header("content-type") or "")
        self.hand.free()
        return page.text

    def _found_on(self, visit: Visit) -> Found:
        found = super()._found_on(visit)
        if found.abroad and visit.kept is None and self.ordering.looks_abroad:
            sites = list({link.site_id for link in found.abroad})
            self.ordering.abroad(found.abroad, self.team.post.parts_of(sites, "ordering.site"))
        return found

    @whole
    def commit(self) -> None:
        self.shared.write(self.ordering.letters(), {})
        try:
            super().commit()
        except Fenced:
            return self._begin_again()
        self.state.follow()

    def _begin_again(self) -> None:
        """This worker was away for longer than its lease: others have its sites, and what it did since is void."""
        logger.warning("The lease has run out: %d visits are discarded", self.progress.in_flight)
        self.outputs.close()
        self.sharing.be_quiet()
        self.team.unlock()
        self._drawing = Reviser(self.options.strict)
        self.shared.begin_again()
        self.ordering, shown = self.ordering.anew(), self.progress
        self._begin()
        self.progress = self.state.progress = shown.become(self.progress)

    @whole
    def share(self, at_once: bool = False) -> bool:
        """Now and then: sites come and go, and others' links to ours come in. Says whether it was time."""
        if not (self.sharing.is_due() or at_once):
            return False
        self.commit()
        self.sharing.balance(self.state)
        self._hear(self.sharing.news(self.ordering.tells))
        self.commit()
        return True

    def _hear(self, news: News) -> None:
        """Others' links to our sites, and what they have to say of these; it is ours with the next commit."""
        for link in news.links:
            found = self.state.discovery.of_others(link, self.ordering.combine)
            self._add(found)
            for page_id in found.ids.tolist():
                self._apply(self.ordering.linked(page_id, link, self.state.frontier))
        scores: dict[int, float] = {}
        for letter in news.letters:
            if letter.page_id is None:
                self._apply(self.ordering.receive(letter.site_id, letter.value))
            else:
                scores[letter.page_id] = letter.value
        if scores:
            self._apply(Rescored(np.array([*scores], np.int64), np.array([*scores.values()], np.float64)))
        if news.is_all:
            self.ordering.hear(news.colleagues)
            self.progress.enough = self.ordering.enough()

    def _apply(self, rescored: Rescored | None) -> None:
        super()._apply(rescored)
        if rescored is not None and rescored.links is not None:
            self.shared.count(rescored.ids.tolist(), rescored.links.tolist())

    def has_more(self) -> bool:
        return super().has_more() or (self.sharing.elsewhere and limit_reached(self.options, self.progress) is None)

    def may_fetch(self, visit: Visit) -> bool:
        """Whether its site is ours, and will be while it is fetched; and, as of the last commit, a page may be had."""
        return self.state.is_open(visit) and self.sharing.may_fetch() and is_within(self.options, self.progress)

    def _is_time(self, number: int) -> bool:
        """One worker at a time looks back over the whole crawl; for the links of all it waits until they are drawn."""
        if self._is_due(number) and (self.team.is_alone() or self.team.lock()):
            if self.team.is_alone() or not self.ordering.needs_graph:
                return True
            self.commit()
            self._drawing.start(self._drawn)
        if graph := self._drawing.result():
            self._look_back_over(graph)
        return False

    def _is_due(self, number: int) -> bool:
        before, self._looked_back = self._looked_back, max(self._looked_back, number // self.options.revise_every)
        return self._looked_back > before and not self.reviser.is_busy and not self._drawing.is_busy

    def _drawn(self) -> LinkGraph:
        """In a thread: the links of all workers may take long to read."""
        graph = LinkGraph()
        with self.shared.graph() as stored:
            graph.enter(*stored.pages())
            for sources, targets in stored.links():
                graph.extend(sources, targets)
            for page_id, relevance in zip(*stored.judged(), strict=True):
                graph.judge(page_id, relevance)
        return graph

    def _look_back_over(self, graph: LinkGraph) -> None:
        """The ordering's own graph goes on growing by what this worker finds."""
        around, self.ordering.around = self.ordering.around, self.ordering.around._replace(graph=graph)
        work = self.ordering.revise()
        self.ordering.around = around
        if work is not None:
            self.reviser.start(work)
        else:
            self.team.unlock()

    def _take_up(self, revision: Revision) -> None:
        """New scores of links on other workers' sites go there."""
        super()._take_up(revision)
        if revision.rescored is not None:
            ids, scores, _ = revision.rescored
            self.shared.write((), dict(zip(ids.tolist(), scores.tolist(), strict=True)))
        self.team.unlock()

    def abandon(self) -> None:
        """Others may have the sites at once."""
        self.store.roll_back()
        with suppress(Stopped, OSError):  # the database is gone, or its disk is full: the lease runs out by itself
            self.team.leave()
            return super().abandon()
        self.outputs.close()
        self.store.close()
        self.hand.close()
