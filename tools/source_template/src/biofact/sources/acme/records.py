"""The records of Acme's answers."""

from biofact.core.records import SlimRecord, absent, absent_list
from biofact.core.xrefs import CrossReferences
from biofact.protocol.listing import Candidate


class SlimAcmeEntry(SlimRecord):
    """One gene of Acme in short."""

    id: str
    symbol: str

    def slim(self) -> "SlimAcmeEntry":
        """The short form."""
        return self.shortened(SlimAcmeEntry)


class AcmeEntry(SlimAcmeEntry):
    """One gene as Acme describes it. Fields without a value are absent."""

    name: str | None = absent("Full name.")
    aliases: list[str] = absent_list("Other symbols.")
    cross_references: CrossReferences
    """Keys without a value are absent."""


class SlimAcmeCandidate(Candidate, SlimRecord):
    """One hit of a search in short."""

    symbol: str

    def slim(self) -> "SlimAcmeCandidate":
        """The short form."""
        return self.shortened(SlimAcmeCandidate)


class AcmeCandidate(SlimAcmeCandidate):
    """One hit of a search. Fields without a value are absent."""

    name: str | None = absent("Full name.")
