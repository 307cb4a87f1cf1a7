"""An ID checked on the sandbox, in virtual time; payloads changed on their way where a test plants something."""

import dataclasses
import functools
from collections.abc import Sequence

from biofact.identity.client import IdentityClient
from biofact.identity.records import CheckedIdentity, DatabaseVerdict
from biofact.sandbox import Fault, services
from biofact.sandbox.control import LoggedRequest
from biofact.sandbox.standin import Ask, Reply, StandIn
from tests import virtual_time
from tests.conformance.services import body_of
from tests.sandboxed import transported


@dataclasses.dataclass(frozen=True)
class Plant:
    """Other bytes in what a service answers."""

    service: str
    old: str
    new: str


class _Planted:
    def __init__(self, honest: StandIn, plants: Sequence[Plant]) -> None:
        self.service = honest.service
        self._honest = honest
        self._plants = plants

    def reply(self, ask: Ask) -> Reply | None:
        reply = self._honest.reply(ask)
        if reply is None or not self._plants:
            return reply
        body = body_of(reply)
        for plant in self._plants:
            body = body.replace(plant.old.encode(), plant.new.encode())
        return dataclasses.replace(reply, body=body)


def planted(*plants: Plant) -> list[StandIn]:
    """All stand-ins, for ``stand_ins=…``."""
    by_service = {plant.service for plant in plants}
    every = services.stand_ins()
    assert by_service <= {one.service.name for one in every}
    return [_Planted(one, [plant for plant in plants if plant.service == one.service.name]) for one in every]


def asked(
    checked_id: str, expect_label: str | None = None, *, faults: Sequence[Fault] = (), **options: object
) -> tuple[CheckedIdentity, list[LoggedRequest]]:
    """What comes of an ID, and what the services were asked for it."""

    async def scenario() -> tuple[CheckedIdentity, list[LoggedRequest]]:
        async with transported(**options) as (transport, sandbox):
            sandbox.faults.set(*faults)
            return await IdentityClient(transport).check_identity(checked_id, expect_label), sandbox.requests

    return virtual_time.run(scenario())


@functools.cache
def checked_together(*questions: tuple[str, str | None]) -> dict[tuple[str, str | None], CheckedIdentity]:
    """What comes of several IDs and labels, one after the other, on one sandbox without faults."""

    async def scenario() -> dict[tuple[str, str | None], CheckedIdentity]:
        async with transported() as (transport, _):
            client = IdentityClient(transport)
            return {(one, label): await client.check_identity(one, label) for one, label in questions}

    return virtual_time.run(scenario())


def checked(checked_id: str, expect_label: str | None = None, **options: object) -> CheckedIdentity:
    """What comes of an ID."""
    return asked(checked_id, expect_label, **options)[0]


def row(identity: CheckedIdentity, database: str) -> DatabaseVerdict:
    """What is said of one database."""
    (found,) = (one for one in identity.databases if one.database == database)
    return found


def verdicts(identity: CheckedIdentity) -> dict[str, str]:
    """The verdicts by database."""
    return {one.database: one.verdict for one in identity.databases}


def says(found: DatabaseVerdict) -> set[tuple[str, str, bool | None]]:
    """Who says what of a database, and whether it points back."""
    return {(one.by, one.says, one.points_back) for one in found.assertions}
