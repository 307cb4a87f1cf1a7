"""Fields of a row that contradict each other. Pure."""

import math
import re

from biofact.core.records import Notice
from biofact.dialects.genomic.genomes import chromosome_of
from biofact.dialects.json_values import decimal, number, text
from biofact.sources.igvf.identifiers.accessions import place_in
from biofact.sources.igvf.parse.documents import Row
from biofact.sources.igvf.parse.places import chromosome, is_reversed, position

_SPDI = re.compile(r"(?P<sequence>[^:]+):(?P<at>\d+):(?P<ref>[^:]*):(?P<alt>[^:]*)")
_SUBSTITUTION = re.compile(r"[^:]+:g\.(?P<at>\d+)(?P<ref>[ACGT])>(?P<alt>[ACGT])")
_RESIDUE = re.compile(r"(?:[^:]+:)?p\.\(?[A-Z][a-z]{2}(?P<at>\d+)")
_SMALLEST = 1e-300  # what is below is rounded to what a number can hold
_ROUNDING = 0.15  # of a logarithm: p-values come with one digit, too


def of_place(row: Row) -> list[Notice]:
    """What an entity's place contradicts: its own end, or the place that it is named after."""
    start, end = position(row, "start"), position(row, "end")
    if is_reversed(row):
        return [_contradiction(f"start {start} above end {end}; both are left out")]
    named = place_in(text(row, "name") or "")
    if named is None or start is None or end is None or (named.start, named.end) == (start, end):
        return []
    return [_contradiction(f"place {start}-{end} beside {text(row, 'name')}")]


def of_change(row: Row) -> list[Notice]:
    """What the change of a protein contradicts: residue and amino acid beside HGVS."""
    hgvs, residue = _RESIDUE.match(text(row, "hgvsp") or ""), number(row, "aapos")
    if hgvs is None or residue is None or int(hgvs["at"]) == residue:
        return []
    return [_contradiction(f"residue {residue} beside {text(row, 'hgvsp')}")]


def of_counts(row: Row) -> list[Notice]:
    """What the counts of a study contradict: more cases than people."""
    people, cases = decimal(row, "n_initial"), decimal(row, "n_cases")
    if people is None or cases is None or cases <= people:
        return []
    return [_contradiction(f"{cases:g} cases among {people:g} people")]


def of_row(row: Row) -> list[Notice]:
    """What an association's own fields contradict."""
    return [*_of_p_values(row), *_of_pairs(row), *_of_symbols(row)]


def of_variant(row: Row) -> list[Notice]:
    """What a variant's position, alleles and names contradict."""
    spdi = _SPDI.fullmatch(text(row, "spdi") or text(row, "_id") or "")
    if spdi is not None and (wrong_place := _of_sequence(row, spdi)):
        return wrong_place
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


def _of_sequence(row: Row, spdi: re.Match[str]) -> list[Notice]:
    """A chromosome beside the sequence of another."""
    known, named = chromosome_of(spdi["sequence"]), chromosome(row)
    if known is None or named is None or known[1] == named:
        return []
    return [_contradiction(f"chromosome {named} beside {spdi[0]}")]


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
