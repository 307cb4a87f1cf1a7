"""One strict ID to each database's verdict on it: what the records assert, whether they agree, and the likely cause."""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import get_args

from biofact.core.envelopes import ErrorEnvelope
from biofact.core.errors import AmbiguousQuery, BiofactError, EntityRetired
from biofact.core.kinds import EntityKind
from biofact.core.records import Notice, missing_part
from biofact.identity.evidence import DatabaseRecord, Evidence, form_of, is_single, means
from biofact.identity.readers import Readers, evidence_of
from biofact.identity.records import (
    Assertion,
    Cause,
    CheckedIdentity,
    DatabaseVerdict,
    ExpectedLabel,
    ResolvedEntity,
    Verdict,
)
from biofact.identity.resolving import Resolver
from biofact.protocol.client import LifeSciencesClient

_MOST_PRODUCTS = 3  # that are listed of those that all name; a gene has dozens of transcripts


@dataclass(frozen=True, slots=True)
class Judgement:
    """What is to be said of one database."""

    database: str
    verdict: Verdict
    ids: tuple[str, ...] = ()
    """What the records say, what the start says first."""


def judgements(evidence: Evidence) -> Iterator[Judgement]:
    """Of each database that was asked and answered, then of those that others speak of."""
    start = evidence.start
    if start.is_replacement:
        yield Judgement(start.database, "retired", (start.id,))
    for database in evidence.asked:
        if database not in evidence.failures:
            yield _of_asked(evidence, database)
    if not start.is_askable:  # it has no record that could be compared with what others say
        return
    own = evidence.own()
    mentioned = dict.fromkeys(database for record in (start, *own) for database in record.says)
    for database in mentioned:
        if database not in {start.database, *evidence.asked, *evidence.failures, "igvf"}:
            yield from _of_others(evidence, database, (start, *own))


def _of_asked(evidence: Evidence, database: str) -> Judgement:
    ids = evidence.of(database)
    if database == "igvf":  # its IDs are Ensembl's: only its records say which of them it has
        ids = [one for one in ids if evidence.record(database, one)]
    return Judgement(database, _verdict(evidence, database, ids), tuple(ids))


def _verdict(evidence: Evidence, database: str, ids: list[str]) -> Verdict:
    start = evidence.start
    named_first = start.says.get(database, ()) or ids
    if named_first and all(isinstance(evidence.outcomes.get((database, one)), EntityRetired) for one in named_first):
        return "retired"
    current = [one for one in ids if not evidence.is_absent(database, one)]
    if not current:
        return "missing"
    records = {record.key: record for one in current if (record := evidence.record(database, one))}
    back = [record for record in records.values() if evidence.names(record, start)]
    if not start.is_askable:
        return "agree" if back else "one_way"
    named = {evidence.current_id(database, one) for one in start.says.get(database, ())}
    if len(named) > 1 or len(back) > 1 or any(len(record.says[start.database]) > 1 for record in back):
        return "one_to_many"
    if len({evidence.current_id(database, one) for one in ids}) > 1:
        return "disagree"
    return _of_one_record(evidence, database, current[0])


def _of_one_record(evidence: Evidence, database: str, record_id: str) -> Verdict:
    """All that is said of a database is one record."""
    start, record = evidence.start, evidence.record(database, record_id)
    is_named = record_id in start.says.get(database, ())
    if record is None:
        return "one_way"
    if record.id != record_id:
        return "retired"
    if record.points_to(start):
        return "agree" if is_named else "one_way"
    if evidence.names(record, start):
        return "retired"
    if record.says.get(start.database):
        return "disagree"
    return "one_way" if is_named else "missing"


def _of_others(evidence: Evidence, database: str, records: tuple[DatabaseRecord, ...]) -> Iterator[Judgement]:
    """A database that cannot be asked, or leads back to the start's own."""
    tellers = [record for record in records if record.says.get(database)]
    ids = tuple(dict.fromkeys(one for record in tellers for one in record.says[database]))
    led_back = {one: found for one in ids if (found := evidence.leading_back.get((database, one))) is not None}
    if led_back:
        yield Judgement(database, _of_round_trips(evidence.start, database, led_back), ids)
    elif is_single(database) and _is_compared(evidence.start, database, records, tellers):
        yield Judgement(database, _of_single(database, records, tellers), ids)
    elif means(database) == "product" and len(tellers) > 1:
        shared = set.intersection(*(set(record.says[database]) for record in tellers))
        contrary = dict.fromkeys(record.says[database][0] for record in tellers)
        listed = [one for one in ids if one in shared][:_MOST_PRODUCTS] or contrary
        yield Judgement(database, "agree" if shared else "disagree", tuple(listed))


def _is_compared(
    start: DatabaseRecord, database: str, records: tuple[DatabaseRecord, ...], tellers: list[DatabaseRecord]
) -> bool:
    """Whether two records could say the ID; of compounds and articles one of our databases alone has records."""
    could_say = [record for record in records if record in tellers or database in record.tells]
    return len({record.database for record in could_say}) > 1 or start.kind != "gene"


def _of_single(database: str, records: tuple[DatabaseRecord, ...], tellers: list[DatabaseRecord]) -> Verdict:
    claims = [set(record.says[database]) for record in tellers]
    if not set.intersection(*claims):
        return "disagree"
    if any(len(ids) > 1 for ids in claims):
        return "one_to_many"
    is_silent = any(database in record.tells for record in records if record not in tellers)
    return "one_way" if is_silent or len(tellers) == 1 else "agree"


def _of_round_trips(start: DatabaseRecord, database: str, led_back: dict[str, tuple[str, ...]]) -> Verdict:
    """What the start's own database has under the IDs that it asserts."""
    if any(start.id not in found for found in led_back.values() if found):
        return "disagree"
    if not all(led_back.values()):
        return "one_way"
    is_shared = any(len(found) > 1 for found in led_back.values())
    return "one_to_many" if is_single(database) and (is_shared or len(led_back) > 1) else "agree"


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


_CURRENT = frozenset({"symbol", "name"})
"""What of an entity its label is."""


def read_label(evidence: Evidence, label: str) -> ExpectedLabel:
    """What the records say of a label. Pure.

    NCBI and Ensembl list previous symbols among aliases; one that another database still shows is told as previous.
    """
    start, own = evidence.start, evidence.called()
    wanted = label.strip().casefold()
    if wanted == start.label.casefold():
        return ExpectedLabel(label=label, status="current")
    if wanted in {record.label.casefold() for record in own}:
        return ExpectedLabel(label=label, status="previous")
    names = {name.casefold() for record in (start, *own) for name in (*record.aliases, record.name)}
    return ExpectedLabel(label=label, status="alias" if wanted in names else "unknown")


async def check_label(resolver: Resolver, evidence: Evidence, label: str) -> tuple[ExpectedLabel, list[Notice]]:
    """The same, and which other entities the label is of now."""
    found = read_label(evidence, label)
    start = evidence.start
    if found.status == "current" or start.kind not in get_args(EntityKind):
        return found, []
    try:
        resolution = await resolver.resolve([label], start.kind, start.organism or "human")
    except AmbiguousQuery as failure:
        return found, [
            Notice(code="LEG_FAILED", message=f"Whose label {label!r:.80} is, is not known. {failure.message}")
        ]
    (row,) = resolution.rows
    if isinstance(row, ErrorEnvelope):
        message = f"Whose label {label!r:.80} is, is not known. {row.error.message}"
        return found, [Notice(code="LEG_FAILED", message=message)]
    ids = {start.id, *(record.id for record in evidence.called())}
    others = [entity for entity in row.entities if entity.match in _CURRENT and not ids & _entity_ids(entity)]
    status = "another" if others and found.status == "unknown" else found.status
    named = [entity.id for entity in others]
    return ExpectedLabel(label=label, status=status, of=named), resolution.notices


def _entity_ids(entity: ResolvedEntity) -> set[str]:
    return {one.partition(".")[0] for one in (entity.id, *entity.ids.values())}


_CONFUSED = 2  # genes at least, one of which stands for another


class Checker:
    """Asks the databases, and compares what they say."""

    def __init__(self, clients: Mapping[str, LifeSciencesClient], resolver: Resolver) -> None:
        self._readers = Readers(clients)
        self._resolver = resolver

    async def check(self, checked_id: str, expected_label: str | None) -> CheckedIdentity:
        """What all databases have of the entity with a strict ID.

        Raises:
            BiofactError: its own record cannot be had.
        """
        evidence = await evidence_of(self._readers, form_of(checked_id), checked_id)
        notices = [*evidence.start.notices, *await self._add_paralogues(evidence)]
        label = None
        if expected_label is not None:
            label, remarks = await check_label(self._resolver, evidence, expected_label)
            notices += remarks
        start = evidence.start
        return CheckedIdentity(
            id=start.id,
            label=start.label,
            kind=start.kind,
            organism=start.organism,
            form_of=start.form_of,
            expected_label=label,
            databases=[database_verdict(evidence, one) for one in judgements(evidence)],
            notices=list(dict.fromkeys([*notices, *self._failed(evidence)])),
        )

    async def _add_paralogues(self, evidence: Evidence) -> list[Notice]:
        """Ask for paralogues where genes of Ensembl are confused, and nothing else tells why."""
        found = judgements(evidence)
        unproven = {None, "lag of releases"}
        open_causes = [one for one in found if one.verdict == "disagree" and cause(evidence, one) in unproven]
        records = (evidence.start, *evidence.records())
        genes = dict.fromkeys(one.id for one in records if one.database == "ensembl" and one.kind == "gene")
        if not open_causes or len(genes) < _CONFUSED:
            return []
        try:
            evidence.paralogues = await self._readers.paralogues(next(iter(genes)))
        except BiofactError as failure:
            return [missing_part("paralogues, which may be the cause", failure.message)]
        return []

    def _failed(self, evidence: Evidence) -> Iterator[Notice]:
        for database, failure in evidence.failures.items():
            yield missing_part(f"what {self._readers.title(database)} knows", failure.message)


def database_verdict(evidence: Evidence, judgement: Judgement) -> DatabaseVerdict:
    """A database as the answer has it. Pure."""
    return DatabaseVerdict(
        database=judgement.database,
        id=judgement.ids[0] if judgement.ids else None,
        verdict=judgement.verdict,
        cause=cause(evidence, judgement),
        assertions=list(_assertions(evidence, judgement)),
    )


def _assertions(evidence: Evidence, judgement: Judgement) -> Iterator[Assertion]:
    """What the entity's records say of the database, then what its records say of the start."""
    has_urls = judgement.verdict != "agree"
    found = [*_claims_on(evidence, judgement)]
    if has_urls or not evidence.start.is_askable:
        found += _claims_by(evidence, judgement)
    for record, says, points_back in found:
        yield Assertion(
            by=record.database,
            of=record.id if record.key != evidence.start.key else None,
            says=says,
            url=record.url if has_urls else None,
            retrieved_at=record.retrieved_at,
            points_back=points_back,
        )


def _claims_on(evidence: Evidence, judgement: Judgement) -> Iterator[tuple[DatabaseRecord, str, bool | None]]:
    """The records that say which ID the database has, what they say, and whether it points back."""
    start, database = evidence.start, judgement.database
    for record in (start, *evidence.own()):
        for one in record.says.get(database, ()) if record.database != database else ():
            led_back = evidence.leading_back.get((database, one))
            points_back = start.id in led_back if led_back is not None else None
            if target := evidence.record(database, one):
                points_back = evidence.names(target, record) or evidence.names(target, start)
            if one in judgement.ids:
                yield record, one, points_back


def _claims_by(evidence: Evidence, judgement: Judgement) -> Iterator[tuple[DatabaseRecord, str, bool | None]]:
    """What records of the database say of the start; where they name none of its kind, the ID that they share."""
    start = evidence.start
    records = (evidence.record(judgement.database, one) for one in judgement.ids)
    for record in {record.key: record for record in records if record}.values():
        if record.key == start.key:
            continue
        claims = record.says.get(start.database, ())
        for other in claims if start.is_askable else {start.id} & {*claims}:  # targets have other components
            named = evidence.record(start.database, other)
            yield record, other, evidence.names(named, record) if named else None
        if not claims:
            yield from ((record, shared, None) for shared in evidence.shared_names(record))
