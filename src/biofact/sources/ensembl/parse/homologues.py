"""The genes that descend from the same one. Pure."""

from collections.abc import Mapping
from typing import Any

from biofact.core.errors import UpstreamError
from biofact.core.organisms import MODEL_ORGANISMS
from biofact.dialects import json_values
from biofact.dialects.json_values import decimal, text, within
from biofact.sources.ensembl.identifiers import bare
from biofact.sources.ensembl.parse.documents import absence, mapping, needed
from biofact.sources.ensembl.parse.found import NAMES
from biofact.sources.ensembl.records import Homologue

_ORDER: Mapping[str, int] = {NAMES[taxon.id]: place for place, taxon in enumerate(MODEL_ORGANISMS)}
_PERCENT = 100.0


def homologues(gene_id: str, body: bytes) -> list[Homologue]:
    """The homologues of a gene, each once: model organisms first, then by how many letters are the same.

    Raises:
        Transient: the body is damaged, or without a list: an empty one says that there are none.
        UpstreamError: a row is of another gene, or does not say which gene it leads to.
    """
    if absence(body, gene_id):
        return []
    found: dict[tuple[str, str], Homologue] = {}
    for entry in json_values.rows(mapping(body), "data"):
        if bare(needed(entry, "id", "homologues")) != gene_id:
            message = f"Ensembl answered {gene_id} with the homologues of {entry['id']}."
            raise UpstreamError(message, hint="Call again later.")
        for row in json_values.rows(entry, "homologies"):
            one = _homologue(row, gene_id)
            found.setdefault((one.id, one.type), one)
    return sorted(found.values(), key=_order)


def _homologue(row: dict[str, Any], gene_id: str) -> Homologue:
    source, target = within(row, "source"), within(row, "target")
    if bare(needed(source, "id", f"a homologue of {gene_id}")) != gene_id:
        raise UpstreamError(f"Ensembl answered {gene_id} with a homologue of {source['id']}.", hint="Call again later.")
    stable_id = bare(needed(target, "id", f"a homologue of {gene_id}"))
    return Homologue(
        id=stable_id,
        type=needed(row, "type", stable_id),
        species=needed(target, "species", stable_id),
        percent_identity=_percent(target),
        percent_identity_of_query=_percent(source),
        protein_id=text(target, "protein_id"),
        common_ancestor=text(row, "taxonomy_level"),
    )


def _percent(values: dict[str, Any]) -> float | None:
    found = decimal(values, "perc_id")
    return found if found is not None and 0 <= found <= _PERCENT else None


def _order(one: Homologue) -> tuple[int, float, str, str]:
    return (_ORDER.get(one.species, len(_ORDER)), -(one.percent_identity or 0.0), one.id, one.type)
