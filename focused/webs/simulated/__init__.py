"""A web that exists nowhere: every page is computed from its seed and its number."""
