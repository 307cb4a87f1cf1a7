"""Transcripts and proteins as their lookups tell them, as far as it takes to say which they are. Pure."""

from dataclasses import dataclass

from biofact.dialects.json_values import number, objects, text
from biofact.sources.ensembl.identifiers import bare
from biofact.sources.ensembl.parse.documents import mapping, needed


@dataclass(frozen=True, slots=True)
class Product:
    """A transcript or the protein of one."""

    id: str
    """Without version."""
    kind: str | None
    """``Transcript`` or ``Translation``."""
    version: int | None
    parent: str
    """The gene of a transcript, the transcript of a protein."""
    species: str
    """Ensembl's name."""
    name: str | None = None
    chromosome: str | None = None
    mane_partners: tuple[str, ...] = ()
    """RefSeq's transcripts of the very same sequence, without versions: an expanded lookup tells them."""

    @property
    def versioned_id(self) -> str:
        """Its ID with the version, where it has one."""
        return self.id if self.version is None else f"{self.id}.{self.version}"


def product(payload: bytes) -> Product:
    """The transcript or protein that a lookup describes.

    Raises:
        UpstreamError: it has no ID, parent or species.
    """
    values = mapping(payload)
    stable_id = needed(values, "id", "a transcript or protein")
    partners = (text(match, "refseq_match") or "" for match in objects(values, "MANE"))
    return Product(
        id=bare(stable_id),
        kind=text(values, "object_type"),
        version=number(values, "version"),
        parent=bare(needed(values, "Parent", stable_id)),
        species=needed(values, "species", stable_id),
        name=text(values, "display_name"),
        chromosome=text(values, "seq_region_name"),
        mane_partners=tuple(partner.partition(".")[0] for partner in partners if partner),
    )
