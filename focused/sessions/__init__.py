"""Recorded browsing: what somebody visited, by which links, and which pages were relevant (Batsakis 2007, §3.4)."""

from __future__ import annotations

from focused.sessions.imports import from_csv, from_har
from focused.sessions.steps import Recording, Step, browsed, join, read, write

__all__ = ["Recording", "Step", "browsed", "from_csv", "from_har", "join", "read", "write"]
