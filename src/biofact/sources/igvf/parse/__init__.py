"""The Catalog's payloads to records. Pure: no network, no clock."""

from biofact.sources.igvf.parse.associations import StartEntity, associations
from biofact.sources.igvf.parse.documents import Row, document, entity_rows, is_absence, rows
from biofact.sources.igvf.parse.entities import entity
from biofact.sources.igvf.parse.refusals import refusal

__all__ = ["Row", "StartEntity", "associations", "document", "entity", "entity_rows", "is_absence", "refusal", "rows"]
