"""What the readers of genomic notation raise: a caller adds the names of its own service and tools. Pure."""

from biofact.dialects.genomic.genomes import Organism


class NotationError(ValueError):
    """Text that cannot be read, or in more than one way."""

    def __init__(self, why: str, hint: str = "", fixed: str | None = None) -> None:
        super().__init__(why)
        self.why = why
        """The rest of a sentence that begins with the text in quotes."""
        self.hint = hint
        """What to write instead; empty where any other spelling will do."""
        self.fixed = fixed
        """The one spelling that is obviously meant."""


class RegionError(NotationError):
    """Text that is no region of the genome on which it was read."""

    def __init__(
        self, why: str, hint: str, fixed: str | None = None, *, organism: Organism | None = None, entity: str = ""
    ) -> None:
        super().__init__(why, hint, fixed)
        self.organism = organism
        """Whose genome ``fixed`` is on, where that is another than the expected one."""
        self.entity = entity
        """What may be the name or ID of something else, such as a gene."""


class RegionIsVariant(RegionError):
    """Text that spells a variant; ``entity`` is all of it."""


class NotGenomicVariant(NotationError):
    """A change in a transcript or protein, which does not say where it lies on the genome."""
