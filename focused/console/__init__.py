"""The web console: watch crawls, look through what they found, and administer topics."""
