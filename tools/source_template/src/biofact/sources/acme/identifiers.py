"""The ID that the strict tools take."""

import re

from biofact.core import identifiers
from biofact.core.errors import ToolRef
from biofact.core.identifiers import IdKind

SEARCH = ToolRef("acme", "search_entries")


def curie(number: str | int) -> str:
    """An ID as it is written: Acme has numbers."""
    return f"ACME:{number}"


def _repaired(text: str) -> str | None:
    match = re.fullmatch(r"(?:ACME)?\W*([1-9]\d{0,6})", text, re.ASCII | re.IGNORECASE)
    return curie(match[1]) if match else None


ACME_ID = identifiers.declare(
    IdKind(
        "Acme ID",
        r"ACME:[1-9]\d{0,6}",
        "ACME:1001",
        SEARCH,
        repair=_repaired,
        local=lambda acme_id: acme_id.partition(":")[2],
    )
)
