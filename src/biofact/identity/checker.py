"""One strict ID to each database's verdict on it: what the records assert, whether they agree, and the likely cause."""

import asyncio
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import get_args

from biofact.core.errors import AmbiguousQuery, BiofactError, EntityRetired, RateLimited, UpstreamError
from biofact.core.kinds import EntityKind
from biofact.core.records import Notice, missing_part
from biofact.core.words import is_readthrough
from biofact.identity.comparison import Comparison, compare
from biofact.identity.evidence import DatabaseRecord, Evidence, has_single_id, meaning, strict_form
from biofact.identity.joining import JoinedEntity
from biofact.identity.readers import Readers, collect_evidence
from biofact.identity.records import (
    Assertion,
    Cause,
    CheckedIdentity,
    DatabaseVerdict,
    ExpectedLabel,
    Verdict,
)
from biofact.identity.resolver import Resolver
from biofact.protocol.client import LifeSciencesClient

_FEWEST_GENES = 2  # for paralogues: one of them is taken for another
_MOST_PRODUCTS = 3  # listed of those that all records name; a gene has dozens of transcripts
_FAMILY_MEMBER = re.compile(r"(?:[-.]?\d+)?(?:[-.]?ps\d*|rt|[A-Z]|P\d*)?$")
"""The end of a symbol that differs between the genes of a family: SMN1 and SMN2, IGHV3-29 and IGHV3-32, Uba52rt."""
_SHORTEST_STEM = 3
_LABEL_MATCHES = frozenset({"symbol", "name"})
"""Kinds of match with the label of an entity."""


class Checker:
    """Collects the evidence of an entity from the databases, and compares it."""

    def __init__(self, clients: Mapping[str, LifeSciencesClient], resolver: Resolver) -> None:
        self._readers = Readers(clients)
        self._resolver = resolver

    async def check(self, checked_id: str, expected_label: str | None, other_id: str | None = None) -> CheckedIdentity:
        """The verdict of each database on the entity with a strict ID, and whether another ID is of the same.

        Raises:
            BiofactError: the record of one of the IDs cannot be had.
        """
        ids = [checked_id] if other_id is None else [checked_id, other_id]
        outcomes = await asyncio.gather(
            *(collect_evidence(self._readers, strict_form(strict_id), strict_id) for strict_id in ids),
            return_exceptions=True,  # none is left running behind the failure of another
        )
        for outcome in outcomes:
            if isinstance(outcome, BaseException):
                raise outcome
        evidence, *others = [outcome for outcome in outcomes if isinstance(outcome, Evidence)]
        comparisons = [compare(evidence, other, self._readers.title) for other in others]
        notices = [*evidence.start.notices, *await self._add_paralogues(evidence)]
        label = None
        if expected_label is not None:
            label, label_notices = await check_label(self._resolver, evidence, expected_label)
            notices += label_notices
        start = evidence.start
        notices += (
            missing_part(f"what {self._readers.title(database)} knows", failure.message)
            for database, failure in evidence.failures.items()
        )
        return CheckedIdentity(
            id=start.id,
            label=start.label,
            kind=start.kind,
            organism=start.organism,
            form_of=start.form_of,
            expected_label=label,
            other_id=others[0].start.id if others else None,
            same=comparisons[0].is_same if comparisons else None,
            reason=_reason(comparisons[0]) if comparisons else None,
            databases=[database_verdict(evidence, judgement) for judgement in judgements(evidence)],
            notices=list(dict.fromkeys(notices)),
        )

    async def _add_paralogues(self, evidence: Evidence) -> list[Notice]:
        """Fetch paralogues where genes of Ensembl are confused and no other cause is known."""
        weak_causes = {None, "lag of releases"}
        is_unexplained = any(
            judgement.verdict == "disagree" and likely_cause(evidence, judgement) in weak_causes
            for judgement in judgements(evidence)
        )
        records = (evidence.start, *evidence.records())
        genes = dict.fromkeys(record.id for record in records if record.database == "ensembl" and record.kind == "gene")
        if not is_unexplained or len(genes) < _FEWEST_GENES:
            return []
        try:
            evidence.paralogues = await self._readers.paralogues(next(iter(genes)))
        except BiofactError as failure:
            return [missing_part("paralogues, which may be the cause", failure.message)]
        return []


def _reason(comparison: Comparison) -> str:
    return f"The records leave it open: {comparison.reason}" if comparison.is_same is None else comparison.reason


@dataclass(frozen=True, slots=True)
class Judgement:
    """The verdict on one database."""

    database: str
    verdict: Verdict
    ids: tuple[str, ...] = ()
    """IDs that the records name, those of the start first."""


def judgements(evidence: Evidence) -> Iterator[Judgement]:
    """A verdict for each database that answered, then for those that are only named in records. Pure."""
    start = evidence.start
    if start.is_replacement:
        yield Judgement(start.database, "retired", (start.id,))
    for database in evidence.databases:
        if database not in evidence.failures:
            ids = evidence.ids_in(database)
            if database == "igvf":  # the Catalog uses Ensembl's IDs: only its records show which of them it has
                ids = [record_id for record_id in ids if evidence.record(database, record_id)]
            yield Judgement(database, _source_verdict(evidence, database, ids), tuple(ids))
    if not start.has_record:  # there is nothing to compare with the cross-references of other records
        return
    entity_records = evidence.entity_records()
    xref_databases = dict.fromkeys(database for record in (start, *entity_records) for database in record.xrefs)
    for database in xref_databases:
        if database not in {start.database, *evidence.databases, *evidence.failures, "igvf"}:
            yield from _external_judgements(evidence, database, (start, *entity_records))


def _source_verdict(evidence: Evidence, database: str, ids: list[str]) -> Verdict:
    start = evidence.start
    start_ids = start.xrefs.get(database, ()) or ids
    # An ID that was withdrawn is distinguished from one that never was (decision 0052).
    if start_ids and all(isinstance(evidence.outcomes.get((database, xref)), EntityRetired) for xref in start_ids):
        return "retired"
    current = [record_id for record_id in ids if not evidence.is_absent(database, record_id)]
    if not current:
        return "missing"
    records = {record.key: record for xref in current if (record := evidence.record(database, xref))}
    reciprocal = [record for record in records.values() if evidence.refers_to(record, start)]
    if not start.has_record:
        return "agree" if reciprocal else "one_way"
    named_ids = {evidence.current_id(database, xref) for xref in start.xrefs.get(database, ())}
    if len(named_ids) > 1 or len(reciprocal) > 1 or any(len(record.xrefs[start.database]) > 1 for record in reciprocal):
        return "one_to_many"
    if len({evidence.current_id(database, record_id) for record_id in ids}) > 1:
        return "disagree"
    return _single_record_verdict(evidence, database, current[0])


def _single_record_verdict(evidence: Evidence, database: str, record_id: str) -> Verdict:
    """The verdict where all evidence leads to one record of a database."""
    start, record = evidence.start, evidence.record(database, record_id)
    is_named = record_id in start.xrefs.get(database, ())
    if record is None:
        return "one_way"
    if record.id != record_id:
        return "retired"
    if record.points_to(start):
        return "agree" if is_named else "one_way"
    if evidence.refers_to(record, start):
        return "retired"
    if record.xrefs.get(start.database):
        return "disagree"
    return "one_way" if is_named else "missing"


def _external_judgements(evidence: Evidence, database: str, records: tuple[DatabaseRecord, ...]) -> Iterator[Judgement]:
    """The verdict on a database that cannot be queried, or by whose IDs the start's own database can."""
    citing_records = [record for record in records if record.xrefs.get(database)]
    ids = tuple(dict.fromkeys(xref for record in citing_records for xref in record.xrefs[database]))
    reverse_ids = {
        xref: start_ids for xref in ids if (start_ids := evidence.reverse_lookups.get((database, xref))) is not None
    }
    if reverse_ids:
        yield Judgement(database, _round_trip_verdict(evidence.start, database, reverse_ids), ids)
    elif has_single_id(database) and _is_comparable(evidence.start, database, records, citing_records):
        yield Judgement(database, _xref_verdict(database, records, citing_records), ids)
    elif meaning(database) == "product" and len(citing_records) > 1:
        shared = set.intersection(*(set(record.xrefs[database]) for record in citing_records))
        contradictory = dict.fromkeys(record.xrefs[database][0] for record in citing_records)
        products = [xref for xref in ids if xref in shared][:_MOST_PRODUCTS] or contradictory
        yield Judgement(database, "agree" if shared else "disagree", tuple(products))


def _is_comparable(
    start: DatabaseRecord, database: str, records: tuple[DatabaseRecord, ...], citing_records: list[DatabaseRecord]
) -> bool:
    """Whether records of two databases could name the ID; of compounds and articles only one database has records."""
    able = [record for record in records if record in citing_records or database in record.xref_databases]
    return len({record.database for record in able}) > 1 or start.kind != "gene"


def _xref_verdict(database: str, records: tuple[DatabaseRecord, ...], citing_records: list[DatabaseRecord]) -> Verdict:
    claims = [set(record.xrefs[database]) for record in citing_records]
    if not set.intersection(*claims):
        return "disagree"
    if any(len(ids) > 1 for ids in claims):
        return "one_to_many"
    is_silent = any(database in record.xref_databases for record in records if record not in citing_records)
    return "one_way" if is_silent or len(citing_records) == 1 else "agree"


def _round_trip_verdict(start: DatabaseRecord, database: str, reverse_ids: dict[str, tuple[str, ...]]) -> Verdict:
    """The verdict by the IDs of the start's own database under each ID that the start asserts."""
    if any(start.id not in start_ids for start_ids in reverse_ids.values() if start_ids):
        return "disagree"
    if not all(reverse_ids.values()):
        return "one_way"
    is_shared = any(len(start_ids) > 1 for start_ids in reverse_ids.values())
    return "one_to_many" if has_single_id(database) and (is_shared or len(reverse_ids) > 1) else "agree"


def likely_cause(evidence: Evidence, judgement: Judgement) -> Cause | None:
    """The likely cause of a disagreement, where the records show one. Pure."""
    lag: Cause | None = "lag of releases" if _is_lagging(evidence, judgement) else None
    match judgement.verdict:
        case "agree":
            return None
        case "missing":
            return lag
        case _:
            return _cause_in_records(evidence, judgement) or lag


def _cause_in_records(evidence: Evidence, judgement: Judgement) -> Cause | None:
    if _is_merged(evidence, judgement):
        return "merged record"
    genes = _conflicting_records(evidence, judgement)
    is_confused = judgement.verdict != "one_way"  # a record without a cross-reference names no other gene
    if is_confused and is_readthrough(gene.name for gene in genes):
        return "readthrough"
    if len({gene.scaffold is not None for gene in genes}) > 1:
        return "patch or haplotype"
    return "paralogue" if is_confused and _are_paralogues(evidence, genes) else None


def _is_merged(evidence: Evidence, judgement: Judgement) -> bool:
    """Whether an ID that is named has another record, or its record names the start by an ID that was merged."""
    start, database = evidence.start, judgement.database
    if database == start.database:
        return True
    records = [record for record_id in judgement.ids if (record := evidence.record(database, record_id))]
    return any(
        record.is_replacement or (evidence.refers_to(record, start) and not record.points_to(start))
        for record in records
    )


def _is_lagging(evidence: Evidence, judgement: Judgement) -> bool:
    """Whether an ID that a record names is not in the database's release."""
    start, database = evidence.start, judgement.database
    ids = {*start.xrefs.get(database, ())} if database != "igvf" else set()
    if judgement.verdict in {"retired", "disagree"}:
        ids |= {*judgement.ids}
    records = (evidence.record(database, record_id) for record_id in judgement.ids)
    back_references = {xref for record in records if record for xref in record.xrefs.get(start.database, ())}
    return any(evidence.is_absent(database, record_id) for record_id in ids) or any(
        evidence.is_absent(start.database, xref) for xref in back_references
    )


def _conflicting_records(evidence: Evidence, judgement: Judgement) -> list[DatabaseRecord]:
    """The start, the database's records or those that cite it, and the records that those take for the start."""
    start, database = evidence.start, judgement.database
    if database in {start.database, *evidence.databases}:
        records = [record for record_id in judgement.ids if (record := evidence.record(database, record_id))]
    else:
        records = [record for record in evidence.entity_records() if record.xrefs.get(database)]
    claims = [xref for record in records for xref in record.xrefs.get(start.database, ())]
    claimed_records = [record for xref in claims if (record := evidence.record(start.database, xref))]
    return [start, *records, *claimed_records]


def _are_paralogues(evidence: Evidence, genes: Sequence[DatabaseRecord]) -> bool:
    if any(gene.database == "ensembl" and gene.id in evidence.paralogues for gene in genes):
        return True
    symbols = {gene.label for gene in genes if gene.kind == "gene"}
    return any(
        symbol.upper() != other.upper() and _is_one_family(symbol, other) for symbol, other in combinations(symbols, 2)
    )


def _is_one_family(symbol: str, other: str) -> bool:
    stems = {_FAMILY_MEMBER.sub("", name).upper() for name in (symbol, other)}
    return len(stems) == 1 and all(len(stem) >= _SHORTEST_STEM for stem in stems)


def database_verdict(evidence: Evidence, judgement: Judgement) -> DatabaseVerdict:
    """A judgement as the answer has it. Pure."""
    return DatabaseVerdict(
        database=judgement.database,
        id=judgement.ids[0] if judgement.ids else None,
        verdict=judgement.verdict,
        cause=likely_cause(evidence, judgement),
        assertions=list(_assertions(evidence, judgement)),
    )


def _assertions(evidence: Evidence, judgement: Judgement) -> Iterator[Assertion]:
    """The cross-references of the entity's records to the database, then those of its records to the start."""
    has_urls = judgement.verdict != "agree"
    claims = [*_claims_on(evidence, judgement)]
    if has_urls or not evidence.start.has_record:
        claims += _claims_by(evidence, judgement)
    for record, xref, points_back in claims:
        yield Assertion(
            by=record.database,
            of=record.id if record.key != evidence.start.key else None,
            says=xref,
            url=record.url if has_urls else None,
            retrieved_at=record.retrieved_at,
            points_back=points_back,
        )


def _claims_on(evidence: Evidence, judgement: Judgement) -> Iterator[tuple[DatabaseRecord, str, bool | None]]:
    """The records that cite the database, each with the ID, and whether its record points back."""
    start, database = evidence.start, judgement.database
    for record in (start, *evidence.entity_records()):
        for xref in record.xrefs.get(database, ()) if record.database != database else ():
            start_ids = evidence.reverse_lookups.get((database, xref))
            points_back = start.id in start_ids if start_ids is not None else None
            if target := evidence.record(database, xref):
                points_back = evidence.refers_to(target, record) or evidence.refers_to(target, start)
            if xref in judgement.ids:
                yield record, xref, points_back


def _claims_by(evidence: Evidence, judgement: Judgement) -> Iterator[tuple[DatabaseRecord, str, bool | None]]:
    """The IDs of the start's kind in the database's records; in those without one, the IDs that they share with it."""
    start = evidence.start
    records = (evidence.record(judgement.database, record_id) for record_id in judgement.ids)
    for record in {record.key: record for record in records if record}.values():
        if record.key == start.key:
            continue
        claims = record.xrefs.get(start.database, ())
        for xref in claims if start.has_record else {start.id} & {*claims}:  # targets have other components
            target = evidence.record(start.database, xref)
            yield record, xref, evidence.refers_to(target, record) if target else None
        if not claims:
            yield from ((record, shared_id, None) for shared_id in evidence.shared_nomenclature_ids(record))


def label_status(evidence: Evidence, label: str) -> ExpectedLabel:
    """The status of a label by the records of the entity. Pure.

    NCBI and Ensembl list previous symbols among aliases; one that another database still shows counts as previous.
    """
    start, records = evidence.start, evidence.named_records()
    key = label.strip().casefold()
    if key == start.label.casefold():
        return ExpectedLabel(label=label, status="current")
    if key in {record.label.casefold() for record in records}:
        return ExpectedLabel(label=label, status="previous")
    names = {name.casefold() for record in (start, *records) for name in (*record.aliases, record.name)}
    return ExpectedLabel(label=label, status="alias" if key in names else "unknown")


async def check_label(resolver: Resolver, evidence: Evidence, label: str) -> tuple[ExpectedLabel, list[Notice]]:
    """The status of a label, with the other entities that have it now."""
    expected = label_status(evidence, label)
    start = evidence.start
    if expected.status == "current" or start.kind not in get_args(EntityKind):
        return expected, []
    try:
        entities, notices = await resolver.namesakes(label, start.kind, start.organism or "human")
    except (AmbiguousQuery, RateLimited, UpstreamError) as failure:
        return expected, [_unknown_owner(label, failure.message)]
    ids = {start.id, *(record.id for record in evidence.named_records())}
    namesakes = [entity for entity in entities if entity.best.match in _LABEL_MATCHES and not ids & _bare_ids(entity)]
    status = "another" if namesakes and expected.status == "unknown" else expected.status
    return ExpectedLabel(label=label, status=status, of=[entity.lead.id for entity in namesakes]), notices


def _unknown_owner(label: str, reason: str) -> Notice:
    return Notice(code="LEG_FAILED", message=f"Whose label {label!r:.80} is, is not known. {reason}")


def _bare_ids(entity: JoinedEntity) -> set[str]:
    """All IDs of an entity, without their versions."""
    return {part.id.partition(".")[0] for part in entity.parts.values()}
