"""What an ID stands for, by the ID look-up service; and which release answers. Pure."""

from dataclasses import dataclass
from typing import Any

from biofact.dialects.json_values import document, objects, text
from biofact.sources.chembl.parse.documents import needed
from biofact.transport.service import Transient

LOOKUPS = "chembl_id_lookups"
"""What ChEMBL calls a list of these."""


@dataclass(frozen=True, slots=True)
class Known:
    """An ID that was given out."""

    id: str
    type: str
    """COMPOUND, TARGET, ASSAY, DOCUMENT, CELL, TISSUE."""
    is_active: bool


def known(body: bytes) -> Known:
    """What an ID stands for.

    Raises:
        Transient: the body is damaged, or something else.
        UpstreamError: it does not say what the ID stands for.
    """
    found = document(body)
    if "chembl_id" not in found:
        raise Transient("sent something other than an ID")
    return _known(found)


def known_row(payload: bytes) -> Known:
    """What an ID stands for, as it was kept of a list.

    Raises:
        Transient: the payload is damaged.
        UpstreamError: it does not say what the ID stands for.
    """
    return _known(next(iter(objects(document(payload), LOOKUPS)), {}))


def _known(found: dict[str, Any]) -> Known:
    status = text(found, "status") or "ACTIVE"
    return Known(needed(found, "chembl_id", "an ID"), needed(found, "entity_type", "an ID").upper(), status == "ACTIVE")


def release(body: bytes) -> str:
    """The release, such as ``ChEMBL_37``.

    Raises:
        Transient: the body is damaged, or something else.
    """
    found = text(document(body), "chembl_db_version")
    if found is None:
        raise Transient("sent no version")
    return found
