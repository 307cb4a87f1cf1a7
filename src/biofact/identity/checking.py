"""One strict ID to what every database says of it, and whether they agree."""

from collections.abc import Iterator, Mapping

from biofact.core.errors import BiofactError
from biofact.core.provenance import Notice, without
from biofact.identity import causes, labels, verdicts
from biofact.identity.checked_ids import form_of
from biofact.identity.database_records import DatabaseRecord
from biofact.identity.evidence import Evidence
from biofact.identity.following import evidence_of
from biofact.identity.readers import Readers
from biofact.identity.records import Assertion, CheckedIdentity, DatabaseVerdict
from biofact.identity.resolving import Resolver
from biofact.identity.verdicts import Judgement
from biofact.protocol.client import LifeSciencesClient

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
            label, remarks = await labels.expected(self._resolver, evidence, expected_label)
            notices += remarks
        start = evidence.start
        return CheckedIdentity(
            id=start.id,
            label=start.label,
            kind=start.kind,
            organism=start.organism,
            form_of=start.form_of,
            expected_label=label,
            databases=[database_verdict(evidence, one) for one in verdicts.judgements(evidence)],
            notices=list(dict.fromkeys([*notices, *self._failed(evidence)])),
        )

    async def _add_paralogues(self, evidence: Evidence) -> list[Notice]:
        """Ask for paralogues where genes of Ensembl are confused, and nothing else tells why."""
        found = verdicts.judgements(evidence)
        unproven = {None, "lag of releases"}
        open_causes = [one for one in found if one.verdict == "disagree" and causes.cause(evidence, one) in unproven]
        records = (evidence.start, *evidence.records())
        genes = dict.fromkeys(one.id for one in records if one.database == "ensembl" and one.kind == "gene")
        if not open_causes or len(genes) < _CONFUSED:
            return []
        try:
            evidence.paralogues = await self._readers.paralogues(next(iter(genes)))
        except BiofactError as failure:
            return [without("paralogues, which may be the cause", failure.message)]
        return []

    def _failed(self, evidence: Evidence) -> Iterator[Notice]:
        for database, failure in evidence.failures.items():
            yield without(f"what {self._readers.title(database)} knows", failure.message)


def database_verdict(evidence: Evidence, judgement: Judgement) -> DatabaseVerdict:
    """A database as the answer has it. Pure."""
    return DatabaseVerdict(
        database=judgement.database,
        id=judgement.ids[0] if judgement.ids else None,
        verdict=judgement.verdict,
        cause=causes.cause(evidence, judgement),
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
