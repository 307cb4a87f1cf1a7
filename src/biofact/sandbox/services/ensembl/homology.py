"""``homology/id``: the homologues of a gene, as far as the starter rows know."""

from biofact.sandbox.services.ensembl.requests import EndpointRequest
from biofact.sandbox.standin import Reply, refused, written
from biofact.sandbox.tables import Row, starter_rows, without

PARAMETERS = frozenset({"type", "sequence", "aligned", "cigar_line", "target_species", "target_taxon", "format"})
_KINDS = {"orthologues": "ENSEMBL_ORTHOLOGUES", "paralogues": "ENSEMBL_PARALOGUES"}
_PAIRS = starter_rows(__package__, "homology.jsonl")


def by_id(request: EndpointRequest) -> Reply:
    """GET homology/id: an empty list for a gene without homologues."""
    name, ensembl_id = request.parts
    species, kind = request.species(name)["name"], request.text("type", "all")
    gene = request.genes.get(ensembl_id)
    if gene is None or gene["species"] != species:
        raise refused(f"ID '{ensembl_id}' not found")
    if kind not in {"all", *_KINDS}:
        raise refused(f"The type '{kind}' is not a known available type")
    target = request.species(request.text("target_species"))["name"] if request.text("target_species") else ""
    rows = [row for pair in _PAIRS for row in _rows(request, pair, ensembl_id)]
    wanted = [
        row
        for row in rows
        if target in {"", row["target"]["species"]} and row["method_link_type"] in {_KINDS.get(kind), *_any(kind)}
    ]
    return written({"data": [{"id": ensembl_id, "homologies": wanted}]})


def _any(kind: str) -> tuple[str, ...]:
    return tuple(_KINDS.values()) if kind == "all" else ()


def _rows(request: EndpointRequest, pair: Row, ensembl_id: str) -> list[Row]:
    """A pair as seen from one of its genes."""
    if ensembl_id not in pair["genes"]:
        return []
    (other,) = (one for one in pair["genes"] if one != ensembl_id)
    method = "ENSEMBL_ORTHOLOGUES" if pair["type"].startswith("ortholog") else "ENSEMBL_PARALOGUES"
    source, target = _member(request, ensembl_id), _member(request, other)
    return [{**without(pair, "genes"), "dn_ds": None, "method_link_type": method, "source": source, "target": target}]


def _member(request: EndpointRequest, ensembl_id: str) -> Row:
    gene = request.genes[ensembl_id]
    species = request.species(gene["species"])
    return {"id": ensembl_id, "species": gene["species"], "taxon_id": int(species["taxon_id"])}
