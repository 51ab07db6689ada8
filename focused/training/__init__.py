"""From examples to the model that judges the pages of a crawl."""

from __future__ import annotations

from focused.training.choice import model_for

__all__ = ["model_for"]
