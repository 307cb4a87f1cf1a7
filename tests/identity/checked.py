"""An ID checked on the sandbox, in virtual time; a test may change payloads on their way."""

import dataclasses
import functools
from collections.abc import Sequence

from biofact.identity.client import IdentityClient
from biofact.identity.records import CheckedIdentity, DatabaseVerdict
from biofact.sandbox import Fault, services
from biofact.sandbox.control import LoggedRequest
from biofact.sandbox.standin import Reply, ServiceRequest, StandIn
from tests import virtual_time
from tests.conformance.services import body_of
from tests.sandboxed import transported


@dataclasses.dataclass(frozen=True)
class Plant:
    """Changed bytes in the answers of a service; ``ncbi`` stands for E-utilities and Datasets alike."""

    service: str
    old: str
    new: str


class _Planted:
    def __init__(self, honest: StandIn, plants: Sequence[Plant]) -> None:
        self.service = honest.service
        self._honest = honest
        self._plants = plants

    def reply(self, request: ServiceRequest) -> Reply | None:
        reply = self._honest.reply(request)
        if reply is None or not self._plants:
            return reply
        body = body_of(reply)
        for plant in self._plants:
            body = body.replace(plant.old.encode(), plant.new.encode())
        return dataclasses.replace(reply, body=body)


def planted(*plants: Plant) -> list[StandIn]:
    """All stand-ins, for ``stand_ins=…``."""
    by_service = {plant.service for plant in plants}
    stand_ins = services.stand_ins()
    assert by_service <= {stand_in.service.name for stand_in in stand_ins}
    return [
        _Planted(stand_in, [plant for plant in plants if stand_in.service.name.startswith(plant.service)])
        for stand_in in stand_ins
    ]


def check_with_requests(
    checked_id: str, expect_label: str | None = None, *, faults: Sequence[Fault] = (), **options: object
) -> tuple[CheckedIdentity, list[LoggedRequest]]:
    """The checked identity, and the requests to the services for it."""

    async def scenario() -> tuple[CheckedIdentity, list[LoggedRequest]]:
        async with transported(**options) as (transport, sandbox):
            sandbox.faults.set(*faults)
            return await IdentityClient(transport).check_identity(checked_id, expect_label), sandbox.requests

    return virtual_time.run(scenario())


@functools.cache
def check_all(*questions: tuple[str, str | None]) -> dict[tuple[str, str | None], CheckedIdentity]:
    """The identities of several IDs and labels, one after the other, on one sandbox without faults."""

    async def scenario() -> dict[tuple[str, str | None], CheckedIdentity]:
        async with transported() as (transport, _):
            client = IdentityClient(transport)
            return {
                (checked_id, label): await client.check_identity(checked_id, label) for checked_id, label in questions
            }

    return virtual_time.run(scenario())


def check(checked_id: str, expect_label: str | None = None, **options: object) -> CheckedIdentity:
    """The checked identity of an ID."""
    return check_with_requests(checked_id, expect_label, **options)[0]


def row(identity: CheckedIdentity, database: str) -> DatabaseVerdict:
    """The verdict on one database."""
    (verdict,) = (verdict for verdict in identity.databases if verdict.database == database)
    return verdict


def verdicts(identity: CheckedIdentity) -> dict[str, str]:
    """The verdicts by database."""
    return {verdict.database: verdict.verdict for verdict in identity.databases}


def assertions(verdict: DatabaseVerdict) -> set[tuple[str, str, bool | None]]:
    """The assertions about a database: the asserting database, its ID, and whether it points back."""
    return {(claim.by, claim.says, claim.points_back) for claim in verdict.assertions}
