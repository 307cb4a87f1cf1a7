"""Questions to Ensembl REST and EBI Search. JSON everywhere."""

from collections.abc import Sequence

from biofact.dialects import ebi_search
from biofact.sources.ensembl.identifiers import EnsemblRegion
from biofact.sources.ensembl.service import ENSEMBL
from biofact.transport.service import Request

JSON = "application/json"
MOST_IDS = 1000
"""Of a POST; Ensembl refuses more."""
_FIELDS = ("id", "name", "description", "gene_name", "gene_synonym", "transcript_count", "species")


def lookup(ids: Sequence[str], *, expanded: bool = False) -> Request:
    """Genes, transcripts or translations by stable ID; ``expanded`` with what they are made of."""
    params = (("expand", "1"), ("mane", "1")) if expanded else ()
    return Request(ENSEMBL, "/lookup/id", params, "POST", json={"ids": list(ids)}, accept=JSON)


def lookup_symbols(species: str, symbols: Sequence[str]) -> Request:
    """The gene of one species that displays each symbol; one at most for each."""
    return Request(ENSEMBL, ("lookup", "symbol", species), (), "POST", json={"symbols": list(symbols)}, accept=JSON)


def xrefs_of_symbol(species: str, symbol: str, database: str | None = None, *, kind: str = "gene") -> Request:
    """Genes of one species, or transcripts, that carry a symbol, synonym or external name; of one database alone where
    it is given.
    """
    params = (("object_type", kind), *((("external_db", database),) if database else ()))
    return Request(ENSEMBL, ("xrefs", "symbol", species, symbol), params, accept=JSON)


def xrefs(gene_id: str) -> Request:
    """What other databases call a gene, its transcripts and translations."""
    return Request(ENSEMBL, ("xrefs", "id", gene_id), (("all_levels", "1"),), accept=JSON)


def archive(stable_id: str) -> Request:
    """What became of a stable ID."""
    return Request(ENSEMBL, ("archive", "id", stable_id), accept=JSON)


def species() -> Request:
    """The vertebrates, and fly, worm and yeast beside them."""
    return Request(ENSEMBL, "/info/species", (("division", "EnsemblVertebrates"),), accept=JSON)


def gene_search(term: str, start: int, size: int) -> Request:
    """Genes that match a term of EBI Search."""
    return ebi_search.search("ensembl_gene", term, start, size, _FIELDS)


def synonyms(gene_ids: Sequence[str]) -> Request:
    """The synonyms of genes, 100 at most, as they are written."""
    return ebi_search.fetch("ensembl_gene", gene_ids, ("id", "gene_synonym"))


def sequence(stable_id: str, sequence_type: str) -> Request:
    """The cdna, cds or protein of a transcript, or the protein with this ID."""
    return Request(ENSEMBL, ("sequence", "id", stable_id), (("type", sequence_type),), accept=JSON)


def region_sequence(species: str, region: EnsemblRegion) -> Request:
    """The sequence of a region, along its strand."""
    return Request(ENSEMBL, ("sequence", "region", species, region.path), accept=JSON)


def assembly_map(species: str, assembly: str, region: EnsemblRegion, other_assembly: str) -> Request:
    """What a region of one assembly is on another."""
    return Request(ENSEMBL, ("map", species, assembly, region.path, other_assembly), accept=JSON)


def homologies(species: str, gene_id: str, kind: str, target_species: str | None = None) -> Request:
    """The homologues of a gene, ``orthologues``, ``paralogues`` or ``all``, without their sequences."""
    params = (("type", kind), ("sequence", "none"), ("aligned", "0"), ("cigar_line", "0"))
    target = (("target_species", target_species),) if target_species else ()
    return Request(ENSEMBL, ("homology", "id", species, gene_id), (*params, *target), accept=JSON)
