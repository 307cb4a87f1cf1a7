"""Whether the evidence on two IDs is of one entity, and why. Pure.

The answer is open unless records show it: a database that names nothing says neither yes nor no.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from biofact.identity.evidence import DatabaseRecord, Evidence

_UNIQUE = ("hgnc", "alliance")
"""Nomenclatures that give an ID to one gene of an organism, and a gene one ID."""


@dataclass(frozen=True, slots=True)
class Comparison:
    """Whether two IDs stand for one entity."""

    is_same: bool | None
    """None where the records do not show it."""
    reason: str
    """A sentence on who asserts what."""


def compare(first: Evidence, second: Evidence, title: Callable[[str], str]) -> Comparison:
    """The comparison of the entities of two IDs; ``title`` names a database in a sentence."""
    start, other = first.start, second.start
    if start.key == other.key:
        return Comparison(True, _one_record(start, other, title(start.database)))
    if "rsid" in {start.database, other.database}:
        return _places(first, second)
    return _kinds_apart(first, second) or _of_one_kind(first, second, title)


def _of_one_kind(first: Evidence, second: Evidence, title: Callable[[str], str]) -> Comparison:
    start, other = first.start, second.start
    if start.organism and other.organism and start.organism != other.organism:
        organisms = f"{start.id} is of {start.organism}, {other.id} of {other.organism}"
        return Comparison(False, f"{organisms}: {start.kind}s of two organisms are orthologues at best.")
    if start.kind == "compound":
        return _compounds(start, other)
    if start.database == other.database:
        return _records_of_one_database(first, other, title(start.database))
    return _linked(first, second, title)


def _one_record(start: DatabaseRecord, other: DatabaseRecord, title: str) -> str:
    replaced = [record.requested_id for record in (start, other) if record.is_replacement]
    if replaced and {start.requested_id, other.requested_id} != {*replaced[:1]}:
        verb = "was" if len(replaced) == 1 else "were"
        return f"{' and '.join(replaced)} {verb} replaced by {start.id}."
    if not start.has_record:
        return f"Both are written for {start.id}."
    return f"{title} has one record for both, {start.id}."


def _places(first: Evidence, second: Evidence) -> Comparison:
    """An rsID and a variant, or two rsIDs: an rsID names a place, and each of its alleles is a variant."""
    place, other = (first, second) if first.start.database == "rsid" else (second, first)
    alleles = {record.id for record in place.records()}
    if other.start.database == "rsid":
        is_shared = bool(alleles & {record.id for record in other.records()})
        reason = "have an allele in common" if is_shared else "have no allele in common"
        return Comparison(None if is_shared else False, f"{place.start.id} and {other.start.id} {reason}.")
    if other.start.kind != "variant":
        return Comparison(False, f"{place.start.id} names a place, {other.start.id} is {_article(other.start.kind)}.")
    if other.start.id in alleles:
        count = f"its {len(alleles)} alleles" if len(alleles) > 1 else "its alleles"
        return Comparison(False, f"{place.start.id} names a place, and {other.start.id} is one of {count} there.")
    return Comparison(False, f"{other.start.id} is no allele of {place.start.id}.")


def _kinds_apart(first: Evidence, second: Evidence) -> Comparison | None:
    """Entities of two kinds, one of which may be a product of the other; None for one kind."""
    start, other = first.start, second.start
    if start.kind == other.kind:
        return None
    for product, gene in ((first, second), (second, first)):
        if gene.start.kind == "gene" and _is_product(product, gene.start):
            words = f"{product.start.id} is a {product.start.kind}, a product of the gene {gene.start.id}."
            return Comparison(False, words)
    return Comparison(False, f"{start.id} is {_article(start.kind)}, {other.id} {_article(other.kind)}.")


def _article(kind: str) -> str:
    return f"an {kind}" if kind.startswith("a") else f"a {kind}"


def _is_product(product: Evidence, gene: DatabaseRecord) -> bool:
    """Whether the gene names the product, or a record of the product names the gene."""
    start = product.start
    gene_ids = {gene.id, *gene.xrefs.get("ensembl", ())}
    is_named = start.id in gene.xrefs.get(start.database, ()) or not gene_ids.isdisjoint(start.product_of)
    return is_named or any(record.points_to(gene) for record in product.entity_records())


def _compounds(start: DatabaseRecord, other: DatabaseRecord) -> Comparison:
    for form, parent in ((start, other), (other, start)):
        if form.form_of == parent.id:
            return Comparison(False, f"{form.id} is a form of {parent.id}, such as a salt, with a record of its own.")
    if start.form_of and start.form_of == other.form_of:
        return Comparison(False, f"Both are forms of {start.form_of}, such as salts, each with a record of its own.")
    keys = [record.xrefs.get("inchi_key", ()) for record in (start, other)]
    if keys[0] and keys[0] == keys[1]:
        return Comparison(None, f"ChEMBL has two records of one structure, {keys[0][0]}.")
    structures = f", of the structures {keys[0][0]} and {keys[1][0]}" if all(keys) else ""
    return Comparison(False, f"ChEMBL has {start.id} and {other.id} as two compounds{structures}.")


def _records_of_one_database(first: Evidence, other: DatabaseRecord, title: str) -> Comparison:
    start = first.start
    if not start.has_record:
        return Comparison(None, f"{start.id} and {other.id} are two accessions; whether one was merged is not known.")
    shared = first.shared_nomenclature_ids(other) or _common(start, other, ("doi", "pmc"))
    if shared:
        return Comparison(None, f"{title} has two records, {start.id} and {other.id}, that share {shared[0]}.")
    return Comparison(False, f"{title} has two records, {start.id} and {other.id}.")


def _common(start: DatabaseRecord, other: DatabaseRecord, databases: Sequence[str]) -> list[str]:
    return [xref for name in databases for xref in start.xrefs.get(name, ()) if xref in other.xrefs.get(name, ())]


def _linked(first: Evidence, second: Evidence, title: Callable[[str], str]) -> Comparison:
    """Records of two databases: the same where both name the other's alone, or one does and a nomenclature agrees."""
    start, other = first.start, second.start
    names = _current_names(first, other.database)
    other_names = _current_names(second, start.database)
    claims = [_claim(start, names, title(other.database)), _claim(other, other_names, title(start.database))]
    asserted = f"{claims[0]}, {claims[1]}"
    is_named, is_named_back = other.id in names, start.id in other_names
    shared = first.shared_nomenclature_ids(other)
    conflict = next((name for name in _UNIQUE if _contradict(start, other, name)), None)
    if conflict:
        ids = f"{start.xrefs[conflict][0]} and {other.xrefs[conflict][0]}"
        is_open = is_named or is_named_back
        return Comparison(None if is_open else False, f"{asserted}; their nomenclature IDs differ, {ids}.")
    if is_named and is_named_back:
        is_exclusive = len(names) == len(other_names) == 1
        return Comparison(True if is_exclusive else None, f"{asserted}{_shared_in_words(shared)}.")
    if is_named or is_named_back:
        is_silent = not (other_names if is_named else names)
        is_exclusive = len(names) + len(other_names) == 1
        is_proven = is_silent and is_exclusive and bool(shared)
        return Comparison(True if is_proven else None, f"{asserted}{_shared_in_words(shared)}.")
    if names and other_names and not shared:
        return Comparison(False, f"{asserted}.")
    is_proven = bool(shared) and not names and not other_names
    return Comparison(True if is_proven else None, f"{asserted}{_shared_in_words(shared)}.")


def _current_names(evidence: Evidence, database: str) -> list[str]:
    """The IDs of a database that the start names, as they are now."""
    names = evidence.start.xrefs.get(database, ())
    return list(dict.fromkeys(evidence.current_id(database, xref) for xref in names))


def _claim(record: DatabaseRecord, names: Sequence[str], title: str) -> str:
    return f"{record.id} names {' and '.join(names)}" if names else f"{record.id} names no record of {title}"


def _contradict(start: DatabaseRecord, other: DatabaseRecord, database: str) -> bool:
    ids, other_ids = start.xrefs.get(database, ()), other.xrefs.get(database, ())
    return bool(ids) and bool(other_ids) and not {*ids} & {*other_ids}


def _shared_in_words(shared: Sequence[str]) -> str:
    return f", and both have {shared[0]}" if shared else ""
