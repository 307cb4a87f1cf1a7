"""What Acme answers are made of."""

from typing import ClassVar

from biofact.core.provenance import Record, absent, absent_list
from biofact.core.xrefs import CrossReferences
from biofact.protocol.offsets import Candidate


class AcmeEntry(Record):
    """One gene as Acme describes it. Fields without a value are absent."""

    slim_fields: ClassVar[tuple[str, ...]] = ("id", "symbol")

    id: str
    symbol: str
    name: str | None = absent("Full name.")
    aliases: list[str] = absent_list("Other symbols.")
    cross_references: CrossReferences | None = absent("Keys without a value are absent.")


class AcmeCandidate(Candidate):
    """One hit of a search. Fields without a value are absent."""

    slim_fields: ClassVar[tuple[str, ...]] = ("id", "symbol", "score", "match")

    symbol: str
    name: str | None = absent("Full name.")
