"""From a caller's text to the entities that it means, each checked to carry the identifier."""

from biofact.sources.igvf.lookup.absence import recovery_for
from biofact.sources.igvf.lookup.entities import EntityLookup, FoundEntities, single_entity

__all__ = ["EntityLookup", "FoundEntities", "recovery_for", "single_entity"]
