"""What waits, in order: sites and the links on each, best first; and the test whether a URL was seen."""

from focused.frontier.frontier import Frontier
from focused.frontier.seen import Seen

__all__ = ["Frontier", "Seen"]
