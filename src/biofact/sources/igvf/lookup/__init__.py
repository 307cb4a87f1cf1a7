"""What a caller wrote to the entities that it means, each held against what was asked."""

from biofact.sources.igvf.lookup.absence import GET_ENTITY, nothing, several
from biofact.sources.igvf.lookup.lookup import Found, Lookup, single

__all__ = ["GET_ENTITY", "Found", "Lookup", "nothing", "several", "single"]
