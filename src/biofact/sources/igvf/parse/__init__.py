"""The Catalog's payloads to records. Pure: no network, no clock."""

from biofact.sources.igvf.parse.associations import StartEntity, associations, without_ends
from biofact.sources.igvf.parse.documents import Row, distinct, document, entity_rows, is_absence, rows
from biofact.sources.igvf.parse.ends import entity_mention
from biofact.sources.igvf.parse.entities import check_fields, entity
from biofact.sources.igvf.parse.refusals import refusal

__all__ = [
    "Row",
    "StartEntity",
    "associations",
    "check_fields",
    "distinct",
    "document",
    "entity",
    "entity_mention",
    "entity_rows",
    "is_absence",
    "refusal",
    "rows",
    "without_ends",
]
