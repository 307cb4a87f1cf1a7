"""Questions to Ensembl REST and EBI Search. JSON everywhere."""

from collections.abc import Sequence

from biofact.dialects import ebi_search
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


def xrefs_of_symbol(species: str, symbol: str, database: str | None = None) -> Request:
    """Genes of one species that carry a symbol, synonym or external name; of one database alone where it is given."""
    params = (("object_type", "gene"), *((("external_db", database),) if database else ()))
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
