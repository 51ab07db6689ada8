"""What all tests share."""

from __future__ import annotations

from hypothesis import settings

# The machines are noisy: how long an example takes says nothing.
settings.register_profile("steady", deadline=None)
settings.load_profile("steady")
