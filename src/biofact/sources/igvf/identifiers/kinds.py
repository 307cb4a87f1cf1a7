"""The kinds of entities that identifiers stand for, and one reading of an identifier. Pure."""

from dataclasses import dataclass
from typing import Literal

from biofact.core.errors import CallTool, ToolRef
from biofact.dialects.genomic.genomes import Organism

Kind = Literal[
    "gene",
    "transcript",
    "protein",
    "variant",
    "coding_variant",
    "term",
    "drug",
    "complex",
    "study",
    "pathway",
    "motif",
    "dataset",
    "element",
]
Hint = Literal[
    "gene",
    "variant",
    "protein",
    "transcript",
    "disease",
    "phenotype",
    "tissue",
    "drug",
    "complex",
    "pathway",
    "study",
]
"""The kinds that a caller may declare for an identifier."""


@dataclass(frozen=True, slots=True)
class IdentifierReading:
    """One way to understand an identifier."""

    kind: Kind
    id_type: str
    """The type of identifier: ``gene_id``, ``hgnc_id``, ``entrez``, ``transcript_id``, ``protein_id``,
    ``uniprot_name``, ``spdi``, ``hgvs``, ``rsid``, ``ca_id``, ``coding_variant``, ``term_id``, ``drug_id``,
    ``complex_id``, ``study_id``, ``pathway_id``, ``motif``, ``file_fileset_id``, ``fileset_id``, ``element``,
    ``region``, or ``name`` for a symbol or words.
    """
    id: str
    """As the service writes it; a region 0-based and half-open."""
    organism: Organism | None = None
    """The organism, if the identifier or the caller names it."""
    assumption: str | None = None
    """A sentence about a part that was left out or assumed."""


KINDS_BY_HINT: dict[str, tuple[Kind, ...]] = {
    "variant": ("variant", "coding_variant"),
    "disease": ("term",),
    "phenotype": ("term",),
    "tissue": ("term",),
}
"""The kinds for a hint that is not itself a kind."""
KINDS_WITH_NAMES: frozenset[Kind] = frozenset(("gene", "protein", "term", "drug", "complex", "pathway"))
"""The kinds that the service finds by name."""
KINDS_WITH_ORGANISM: frozenset[Kind] = frozenset(
    ("gene", "transcript", "protein", "variant", "coding_variant", "element")
)
"""The kinds of which the service has human and mouse ones."""
KIND_PHRASES: dict[Kind, str] = {
    "gene": "a gene",
    "transcript": "a transcript",
    "protein": "a protein",
    "variant": "a variant",
    "coding_variant": "a coding variant",
    "term": "an ontology term (disease, phenotype or tissue)",
    "drug": "a drug",
    "complex": "a protein complex",
    "study": "a study",
    "pathway": "a pathway",
    "motif": "a motif",
    "dataset": "a data set",
    "element": "a regulatory element",
}
"""The phrases for kinds in messages."""


GET_ENTITY = ToolRef("igvf", "get_entity")
FIND_ASSOCIATIONS = ToolRef("igvf", "find_associations")
SEARCH_TERMS = ToolRef("igvf", "search_terms")
SEARCH_REGION = ToolRef("igvf", "search_region")
GET_COMPOUND = ToolRef("chembl", "get_compound")


def quoted(text: str) -> str:
    """``text`` as a message shows it: in quotes, and cut if it is long."""
    return f"{text!r:.120}"


def entity_call(entity_id: str) -> CallTool:
    """The call that looks an entity up by this ID."""
    return CallTool(GET_ENTITY, {"id": entity_id})
