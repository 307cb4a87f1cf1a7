"""What a caller wrote to the entities that it means, each held against what was asked."""

from biofact.sources.igvf.lookup.absence import asked_again
from biofact.sources.igvf.lookup.lookup import Found, Lookup, single

__all__ = ["Found", "Lookup", "asked_again", "single"]
