"""What the user got wrong: one family, one sentence each (what was given, where, what to do)."""

from __future__ import annotations


class FocusedError(Exception):
    """A mistake of the user; it stops the command at the start, never in the middle of a crawl."""


class SettingError(FocusedError):
    """A setting or an argument."""


class TopicError(FocusedError):
    """A topic file, its examples or its seeds."""


class StoreError(FocusedError):
    """The crawl database or the data directory."""


class WebError(FocusedError):
    """A frozen web: its name, its options or its file."""


class FleetError(FocusedError):
    """A node of the fleet: its address, its password, what it has."""
