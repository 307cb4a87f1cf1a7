"""Aliases that several genes of an organism carry and that differ by letter case only, drawn from gene_info files."""

import functools
import random
from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass

from benchmarks.symbols import gene_rows

from biofact.core.words import bare_name, compact
from biofact.sandbox.dialects.gene_info import GeneRow

ORGANISMS = {9606: "human", 10090: "mouse", 7955: "zebrafish"}
_SEED = 20261123
ITEM = 20
_SHORTEST = 3  # letters and digits: P and R are aliases of a hundred genes


@dataclass(frozen=True, slots=True)
class AliasTie:
    """An alias, the only gene with this spelling, and the others that have it in another letter case."""

    alias: str
    taxon_id: int
    gene: GeneRow
    gene_rows: tuple[GeneRow, ...]


@functools.cache
def alias_ties() -> tuple[AliasTie, ...]:
    """Sixty ties, twenty of each organism, of genes that NCBI and Ensembl both have; no pseudogenes or readthroughs."""
    selection = random.Random(_SEED)  # a draw, no secret
    return tuple(
        tie for taxon_id in ORGANISMS for tie in selection.sample(ties_among(gene_rows(taxon_id), taxon_id), ITEM)
    )


def ties_among(rows: Iterable[GeneRow], taxon_id: int) -> list[AliasTie]:
    """All ties among the genes of an organism."""
    genes = [row for row in rows if row.taxon_id == taxon_id]
    symbols = {compact(symbol) for row in genes for symbol in (row.symbol, row.official_symbol)}
    carriers: dict[str, list[tuple[str, GeneRow]]] = defaultdict(list)
    for row in genes:
        for alias in row.synonyms:
            carriers[alias.casefold()].append((alias, row))
    result = []
    for folded, pairs in carriers.items():
        is_twice = len({row.gene_id for _, row in pairs}) < len(pairs)
        is_in_both = all(len(row.ids.get("Ensembl", ())) == 1 and not _is_minor(row) for _, row in pairs)
        if compact(folded) in symbols or len(folded) < _SHORTEST or is_twice or not is_in_both:
            continue
        result += [
            AliasTie(alias, taxon_id, row, tuple(other for _, other in pairs if other is not row))
            for alias, row in pairs
            if len(pairs) > 1 and sum(alias == other for other, _ in pairs) == 1 and bare_name(alias) == alias
        ]
    return result


def _is_minor(row: GeneRow) -> bool:
    """Whether it comes behind other genes in whatever letter case: a pseudogene or a readthrough."""
    return row.gene_type == "pseudo" or "readthrough" in row.description
