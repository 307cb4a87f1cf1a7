"""Where each kind of identifier is looked up, and how a row proves that it is meant. Pure.

The service falls back to near misses without a word when an exact name finds nothing: no row counts that does not
carry the very identifier that was requested.
"""

from collections.abc import Callable
from dataclasses import dataclass

from biofact.dialects.genomic.regions import Region
from biofact.sources.igvf import records
from biofact.sources.igvf.identifiers.forms import place_in
from biofact.sources.igvf.identifiers.kinds import IdentifierReading
from biofact.sources.igvf.records import Entity
from biofact.sources.igvf.spans import overlaps, region_of
from biofact.sources.igvf.term_ids import curie


@dataclass(frozen=True, slots=True)
class Key:
    """One kind of identifier."""

    parameter: str
    """Of the endpoint."""
    carries: Callable[[Entity, str], bool]
    """Whether an entity has it."""
    value: Callable[[str], str] = str
    """How the endpoint writes it."""
    words: str = ""
    """What a sentence calls it."""
    field: str = ""
    """Of the service's rows, where each that is found by it has a value there."""


def key_of(reading: IdentifierReading) -> Key:
    """How the identifier that was read is looked up."""
    return _KEYS[reading.by] if reading.by != "name" else _BY_NAME


def is_called(entity: Entity, name: str) -> bool:
    """Whether this is its name, in any letter case."""
    return (entity.name or "").casefold() == name.casefold()


def is_also_called(entity: Entity, name: str) -> bool:
    """Whether this is its name or a synonym, in any letter case."""
    return is_called(entity, name) or name.casefold() in set(map(str.casefold, entity.synonyms))


def has_words(entity: Entity, name: str) -> bool:
    """Whether its name holds all the words."""
    return set(name.casefold().split()) <= set((entity.name or "").casefold().replace(",", " ").split())


def _is(entity: Entity, wanted: str) -> bool:
    return entity.id == wanted


def _cross_reference(key: str) -> Callable[[Entity, str], bool]:
    def carries(entity: Entity, wanted: str) -> bool:
        references = entity.cross_references
        return references is not None and getattr(references, key) == wanted.removeprefix("ENTREZ:")

    return carries


def _protein(entity: Entity, wanted: str) -> bool:
    """An accession stands for its isoforms; an isoform for itself."""
    if not isinstance(entity, records.ProteinEntity):
        return False
    accessions = {entity.id, *entity.uniprot_ids, *(isoform.partition("-")[0] for isoform in entity.uniprot_ids)}
    return wanted in accessions


def _in_field(name: str) -> Callable[[Entity, str], bool]:
    """Whether a field that some kinds of entities have holds it, alone or among others."""

    def carries(entity: Entity, wanted: str) -> bool:
        value = getattr(entity, name, None)
        return wanted in value if isinstance(value, list) else wanted == value

    return carries


def fills(entity: Entity, region: str) -> bool:
    """Whether it fills a region, 0-based and half-open, from end to end."""
    return region_of(entity) == Region.from_half_open(region)


_BY_NAME = Key("name", is_also_called, words="name")
_KEYS = {
    "gene_id": Key("gene_id", _is, words="Ensembl gene ID"),
    "hgnc_id": Key("hgnc_id", _cross_reference("hgnc"), words="HGNC ID", field="hgnc"),
    "entrez": Key("entrez", _cross_reference("entrez"), words="NCBI Gene ID", field="entrez"),
    "transcript_id": Key("transcript_id", _is, words="Ensembl transcript ID"),
    "protein_id": Key("protein_id", _protein, words="protein ID"),
    "uniprot_name": Key("uniprot_name", _in_field("uniprot_names"), words="UniProt entry name", field="uniprot_names"),
    "spdi": Key("spdi", _is, words="SPDI"),
    "hgvs": Key("hgvs", _in_field("hgvs"), words="HGVS", field="hgvs"),
    "rsid": Key("rsid", _in_field("rsids"), words="rsID", field="rsid"),
    "ca_id": Key("ca_id", _in_field("ca_id"), words="allele ID", field="ca_id"),
    "coding_variant": Key("id", lambda entity, wanted: wanted in {entity.id, entity.name}, words="coding variant"),
    "term_id": Key(
        "term_id", lambda term, wanted: term.id.casefold() == curie(wanted).casefold(), words="ontology term"
    ),
    "drug_id": Key("drug_id", _is, words="PharmGKB ID"),
    "complex_id": Key("complex_id", _is, words="complex ID"),
    "study_id": Key("study_id", _is, words="study ID"),
    "pathway_id": Key("id", _is, words="Reactome ID"),
    "motif": Key("tf_name", _is, value=lambda name: name.rsplit("_", 1)[0], words="motif"),
    "fileset_id": Key("fileset_id", _in_field("file_set"), words="data set ID", field="file_set_id"),
    "file_fileset_id": Key("file_fileset_id", _is, words="data set ID"),
    "element": Key(
        "region",
        _is,
        value=lambda name: place.half_open if (place := place_in(name)) else name,
        words="regulatory element",
    ),
    "region": Key(
        "region", lambda entity, wanted: overlaps(entity, Region.from_half_open(wanted)), words="regulatory element"
    ),
}
