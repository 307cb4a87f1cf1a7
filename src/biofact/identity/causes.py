"""The likely cause of what databases do not agree on, read from their records. Pure."""

import re
from collections.abc import Sequence
from itertools import combinations
from typing import Literal

from biofact.identity.database_records import DatabaseRecord
from biofact.identity.evidence import Evidence
from biofact.identity.verdicts import Judgement

Cause = Literal["merged record", "readthrough", "patch or haplotype", "paralogue", "lag of releases"]

_READTHROUGH = re.compile(r"\bread-?through\b", re.IGNORECASE)
_MEMBER = re.compile(r"(?:[-.]?\d+)?(?:[-.]?ps\d*|rt|[A-Z]|P\d*)?$")
"""What tells the genes of a family apart at the end of a symbol: SMN1 and SMN2, IGHV3-29 and IGHV3-32, Uba52rt."""
_LEAST_STEM = 3


def cause(evidence: Evidence, judgement: Judgement) -> Cause | None:
    """The likely cause, where the records show one."""
    lag: Cause | None = "lag of releases" if _is_lagging(evidence, judgement) else None
    match judgement.verdict:
        case "agree":
            return None
        case "missing":
            return lag
        case _:
            return _of_records(evidence, judgement) or lag


def _of_records(evidence: Evidence, judgement: Judgement) -> Cause | None:
    """What the records that speak of one another show; who is silent confuses no genes."""
    if _merged(evidence, judgement):
        return "merged record"
    genes, is_confused = _involved(evidence, judgement), judgement.verdict != "one_way"
    if is_confused and any(_READTHROUGH.search(gene.name) for gene in genes):
        return "readthrough"
    if len({gene.scaffold is not None for gene in genes}) > 1:
        return "patch or haplotype"
    return "paralogue" if is_confused and _are_paralogues(evidence, genes) else None


def _merged(evidence: Evidence, judgement: Judgement) -> bool:
    """An ID that is named has another record, or the record names the start by an ID that has."""
    start, database = evidence.start, judgement.database
    if database == start.database:
        return True
    records = [record for one in judgement.ids if (record := evidence.record(database, one))]
    return any(
        record.is_replacement or (evidence.names(record, start) and not record.points_to(start)) for record in records
    )


def _is_lagging(evidence: Evidence, judgement: Judgement) -> bool:
    """An ID that a record names is not in the database's release."""
    named = {*evidence.start.says.get(judgement.database, ())} if judgement.database != "igvf" else set()
    if judgement.verdict in {"retired", "disagree"}:
        named |= {*judgement.ids}
    records = (evidence.record(judgement.database, one) for one in judgement.ids)
    in_turn = {one for record in records if record for one in record.says.get(evidence.start.database, ())}
    return any(evidence.is_absent(judgement.database, one) for one in named) or any(
        evidence.is_absent(evidence.start.database, one) for one in in_turn
    )


def _involved(evidence: Evidence, judgement: Judgement) -> list[DatabaseRecord]:
    """The start, the records of the database or those that speak of it, and what those say the start is."""
    start, database = evidence.start, judgement.database
    if database in {start.database, *evidence.asked}:
        records = [record for one in judgement.ids if (record := evidence.record(database, one))]
    else:
        records = [record for record in evidence.own() if record.says.get(database)]
    claims = [one for record in records for one in record.says.get(start.database, ())]
    named = [record for one in claims if (record := evidence.record(start.database, one))]
    return [start, *records, *named]


def _are_paralogues(evidence: Evidence, genes: Sequence[DatabaseRecord]) -> bool:
    if any(gene.database == "ensembl" and gene.id in evidence.paralogues for gene in genes):
        return True
    symbols = {gene.label for gene in genes if gene.kind == "gene"}
    return any(one.upper() != other.upper() and _is_one_family(one, other) for one, other in combinations(symbols, 2))


def _is_one_family(one: str, other: str) -> bool:
    stems = {_MEMBER.sub("", symbol).upper() for symbol in (one, other)}
    return len(stems) == 1 and all(len(stem) >= _LEAST_STEM for stem in stems)
