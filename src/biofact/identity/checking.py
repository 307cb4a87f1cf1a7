"""One strict ID to what every database says of it, and whether they agree."""

from collections.abc import Iterator

from biofact.core.errors import BiofactError
from biofact.core.provenance import Notice, without
from biofact.identity import causes, labels, verdicts
from biofact.identity.checked_ids import form_of
from biofact.identity.evidence import Evidence
from biofact.identity.following import evidence_of
from biofact.identity.readers import Readers
from biofact.identity.records import Assertion, CheckedIdentity, DatabaseVerdict
from biofact.identity.resolving import Resolver
from biofact.identity.verdicts import Judgement
from biofact.transport.stack import Transport


class Checker:
    """Asks the databases, and compares what they say."""

    def __init__(self, transport: Transport, resolver: Resolver) -> None:
        self._readers = Readers(transport)
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
        open_causes = [one for one in found if one.verdict == "disagree" and causes.cause(evidence, one) is None]
        records = (evidence.start, *evidence.records())
        genes = dict.fromkeys(one.id for one in records if one.database == "ensembl" and one.kind == "gene")
        if not open_causes or len(genes) < 2:
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
    start, database = evidence.start, judgement.database
    is_told_where = judgement.verdict != "agree"
    for record in (start, *evidence.own()):
        for one in record.says.get(database, ()) if record.database != database else ():
            if one not in judgement.ids:
                continue
            target = evidence.record(database, one)
            led_back = evidence.leading_back.get((database, one))
            points_back = start.id in led_back if led_back is not None else None
            if target:
                points_back = evidence.names(target, record) or evidence.names(target, start)
            yield Assertion(
                by=record.database,
                of=record.id if record.key != start.key else None,
                says=one,
                url=record.url if is_told_where else None,
                retrieved_at=record.retrieved_at,
                points_back=points_back,
            )
    if not is_told_where and start.is_askable:
        return
    for one in judgement.ids:
        target = evidence.record(database, one)
        for said in target.says.get(start.database, ()) if target else ():
            if not start.is_askable and said != start.id:  # other components of a target
                continue
            named = evidence.record(start.database, said)
            yield Assertion(
                by=database,
                of=target.id if target else None,
                says=said,
                url=target.url if target and is_told_where else None,
                retrieved_at=target.retrieved_at if target else None,
                points_back=named.points_to(target) if named and target else None,
            )
