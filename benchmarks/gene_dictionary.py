"""A plain dictionary over recorded gene_info files, which shares no rule for words with the sources.

It is the yardstick of ``benchmarks.names``: a rival that takes an afternoon to build.
"""

import functools
import re
import unicodedata
from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from benchmarks.symbols import ORGANISMS, gene_rows
from biofact.sandbox.dialects.gene_info import PLACEHOLDER, GeneRow

KINDS: Mapping[str, Callable[[GeneRow], Sequence[str]]] = {
    "symbol": lambda row: (row.symbol, row.official_symbol),
    "alias": lambda row: row.synonyms,
    "official name": lambda row: (row.official_name, row.description),
    "designation": lambda row: row.designations,
}
"""The names of a gene by kind; an earlier kind is meant before a later one."""
_GREEK = {
    code: unicodedata.name(chr(code)).rpartition(" ")[2].lower().replace("lamda", "lambda")
    for code in (*range(0x391, 0x3AA), *range(0x3B1, 0x3CA))
    if unicodedata.name(chr(code), "")
}


def folded(name: str) -> str:
    """The name without letter case, with single blanks and Greek letters written out."""
    return " ".join(name.translate(_GREEK).casefold().split())


def compact(name: str) -> str:
    """The folded name without hyphens, blanks, dots, commas and slashes."""
    return re.sub(r"[-\s.,/]", "", folded(name))


@dataclass(frozen=True, slots=True)
class Meaning:
    """The genes of a name, best first: coding genes before others, then those with lower GeneIDs."""

    kind: str
    """The kind of name that it is of the genes; empty without a gene."""
    genes: tuple[GeneRow, ...] = ()

    @property
    def gene_ids(self) -> list[str]:
        """The GeneIDs of the genes, best first."""
        return [gene.gene_id for gene in self.genes]


class GeneDictionary:
    """The names of one organism's genes."""

    def __init__(self, rows: Sequence[GeneRow]) -> None:
        self.rows = rows
        self._tables = [
            (kind, spelling, _table(rows, names, spelling))
            for kind, names in KINDS.items()
            for spelling in (folded, compact)
        ]

    def meaning(self, name: str) -> Meaning:
        """The genes with the name as the first kind that any has it as, in the name's own spelling before others."""
        for kind, spelling, table in self._tables:
            if genes := table.get(spelling(name)):
                return Meaning(kind, tuple(sorted(genes, key=_order)))
        return Meaning("")


def _table(
    rows: Sequence[GeneRow], names: Callable[[GeneRow], Sequence[str]], spelling: Callable[[str], str]
) -> dict[str, list[GeneRow]]:
    table: dict[str, list[GeneRow]] = defaultdict(list)
    for row in rows:
        for name in {spelling(name) for name in names(row)} - {""}:
            table[name].append(row)
    return dict(table)


def _order(row: GeneRow) -> tuple[bool, int]:
    return (row.gene_type != "protein-coding", int(row.gene_id))


@functools.cache
def dictionary(taxon_id: int) -> GeneDictionary:
    """The dictionary of an organism's recorded file."""
    return GeneDictionary([row for row in gene_rows(taxon_id) if _is_gene(row, taxon_id)])


def _is_gene(row: GeneRow, taxon_id: int) -> bool:
    """The human file has Neanderthals, too, and enhancers under the names of the genes beside them."""
    return row.taxon_id == taxon_id and row.gene_type != "biological-region" and row.symbol != PLACEHOLDER


def names_of(row: GeneRow) -> Iterator[str]:
    """Every name of a gene, of all kinds."""
    for names in KINDS.values():
        yield from filter(None, names(row))


@dataclass(frozen=True, slots=True)
class GeneName:
    """A name, and the gene that it means: the one from whose row it was drawn, or of which a text speaks."""

    name: str
    kind: str
    """The kind of name in the file, or the kind of text."""
    taxon_id: int
    gene_id: str

    @property
    def organism(self) -> str:
        """The name of the organism in a query."""
        return ORGANISMS[self.taxon_id]

    @property
    def meaning(self) -> Meaning:
        """The genes of the name in the dictionary of the organism."""
        return dictionary(self.taxon_id).meaning(self.name)
