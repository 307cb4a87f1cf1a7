"""The Catalog's payloads to records. Pure: no network, no clock."""

from biofact.sources.igvf.parse.associations import StartEntity, associations, entity_mention, without_ends
from biofact.sources.igvf.parse.documents import Row, distinct, document, is_absence, refusal, rows
from biofact.sources.igvf.parse.entities import check_fields, entities, entity
