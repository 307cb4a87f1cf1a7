"""Whether a database agrees that its record is the entity's. Pure."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal

from biofact.core.errors import EntityRetired
from biofact.identity.database_records import DatabaseRecord, is_single, means
from biofact.identity.evidence import Evidence

Verdict = Literal["agree", "one_way", "disagree", "missing", "retired", "one_to_many"]
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
    return _of_one(evidence, database, current[0])


def _of_one(evidence: Evidence, database: str, record_id: str) -> Verdict:
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
