"""Fields of a row that contradict each other. Pure."""

import math
import re

from biofact.core.provenance import Notice
from biofact.dialects.json_values import decimal, number, text
from biofact.sources.igvf.parse.documents import Row

_SPDI = re.compile(r"(?P<sequence>[^:]+):(?P<at>\d+):(?P<ref>[^:]*):(?P<alt>[^:]*)")
_SUBSTITUTION = re.compile(r"[^:]+:g\.(?P<at>\d+)(?P<ref>[ACGT])>(?P<alt>[ACGT])")
_SMALLEST = 1e-300  # what is below is rounded to what a number can hold
_ROUNDING = 0.15  # of a logarithm: p-values come with one digit, too


def of_row(row: Row) -> list[Notice]:
    """What an association's own fields contradict."""
    return [*_of_p_values(row), *_of_pairs(row), *_of_symbols(row)]


def of_variant(row: Row) -> list[Notice]:
    """What a variant's position, alleles and names contradict."""
    spdi = _SPDI.fullmatch(text(row, "spdi") or text(row, "_id") or "")
    if spdi is None or not len(spdi["ref"]) == len(spdi["alt"]) == 1:
        return []  # position and alleles of insertions and deletions are a VCF's, with a base in front (recorded 2023)
    at, wrong = number(row, "pos"), []
    if at is not None and at != int(spdi["at"]):
        wrong.append(f"position {at}")
    wrong += [f"{name} {row[name]}" for name in ("ref", "alt") if text(row, name) not in {None, spdi[name]}]
    hgvs = _SUBSTITUTION.fullmatch(text(row, "hgvs") or "")
    if hgvs and (int(hgvs["at"]) - 1, hgvs["ref"], hgvs["alt"]) != (int(spdi["at"]), spdi["ref"], spdi["alt"]):
        wrong.append(hgvs[0])
    return [_contradiction(f"{', '.join(wrong)} beside {spdi[0]}")] if wrong else []


def _of_p_values(row: Row) -> list[Notice]:
    p, logarithm = decimal(row, "p_value"), decimal(row, "neg_log10_pvalue")
    if p is not None and logarithm is None and not 0 < p <= 1:
        return [Notice(code="MISMATCH", message=f"A p-value of {p:g} is none, and left out.")]
    if logarithm is not None and logarithm < 0:
        return [Notice(code="MISMATCH", message=f"A p-value with -log10(p) {logarithm:g} is none, and left out.")]
    if p is None or logarithm is None or p < _SMALLEST:
        return []
    if abs(-math.log10(p) - logarithm) <= _ROUNDING:
        return []
    return [_contradiction(f"p {p:g} beside -log10(p) {logarithm:g}, which is shown")]


def _of_pairs(row: Row) -> list[Notice]:
    """Of linkage disequilibrium: the alleles of a variant beside those of its SPDI."""
    wrong = []
    for which in ("variant_1", "variant_2"):
        pair, spdi = text(row, f"{which}_base_pair"), _SPDI.fullmatch(text(row, f"{which}_spdi") or "")
        is_substitution = spdi is not None and len(spdi["ref"]) == len(spdi["alt"]) == 1  # a pair is a VCF's otherwise
        if pair and spdi and is_substitution and pair != f"{spdi['ref']}:{spdi['alt']}":
            wrong.append(f"alleles {pair} beside {spdi[0]}")
    return [_contradiction("; ".join(wrong))] if wrong else []


def _of_symbols(row: Row) -> list[Notice]:
    gene, symbol = row.get("gene"), text(row, "gene_symbol") or text(row, "gene_name")
    if not isinstance(gene, dict) or symbol is None:
        return []
    name = text(gene, "name")
    synonyms = gene.get("synonyms")
    if name in {None, symbol} or (isinstance(synonyms, list) and symbol in synonyms):
        return []
    return [_contradiction(f"gene {symbol} beside {name} ({gene.get('_id')})")]


def _contradiction(what: str) -> Notice:
    return Notice(code="MISMATCH", message=f"The row contradicts itself: {what}.")
