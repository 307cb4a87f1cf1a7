"""The Catalog's payloads to records. Pure: no network, no clock."""

from biofact.sources.igvf.parse.associations import StartEntity, associations
from biofact.sources.igvf.parse.documents import document, rows
from biofact.sources.igvf.parse.entities import entity
from biofact.sources.igvf.parse.refusals import is_absence, refusal

__all__ = ["StartEntity", "associations", "document", "entity", "is_absence", "refusal", "rows"]
