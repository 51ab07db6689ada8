"""Labelled pages to learn from: out of files, the Web, a taxonomy, a simulated web, or the crawl itself."""

from __future__ import annotations

from focused.examples.collection import Examples, Skipped
from focused.examples.gather import gather

__all__ = ["Examples", "Skipped", "gather"]
