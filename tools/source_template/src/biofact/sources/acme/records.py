"""The records of Acme's answers."""

from biofact.core.records import SlimRecord, absent, absent_list
from biofact.core.xrefs import CrossReferences
from biofact.protocol.listing import Candidate


class SlimAcmeEntry(SlimRecord):
    """One gene of Acme in short."""

    id: str
    symbol: str


class AcmeEntry(SlimAcmeEntry):
    """One gene as Acme describes it. Fields without a value are absent."""

    name: str | None = absent("Full name.")
    aliases: list[str] = absent_list("Other symbols.")
    cross_references: CrossReferences
    """Keys without a value are absent."""


class AcmeCandidate(Candidate):
    """One hit of a search."""

    symbol: str
