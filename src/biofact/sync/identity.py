"""IdentityClient, blocking. Written by make docs from biofact.identity.client."""

from collections.abc import Iterable, Iterator, Sequence

from biofact.core.envelopes import ErrorEnvelope, PaginationEnvelope
from biofact.core.kinds import EntityKind
from biofact.core.organisms import OrganismName
from biofact.identity import client as asynchronous
from biofact.identity.records import CheckedIdentity, ResolvedName
from biofact.sync.blocking import BlockingClient
from biofact.transport.background import each, wait_for


class IdentityClient(BlockingClient):
    _asynchronous = asynchronous.IdentityClient
    _client: asynchronous.IdentityClient

    def resolve(
        self, names: list[asynchronous.Name], kind: EntityKind | None = None, organism: OrganismName = "human"
    ) -> PaginationEnvelope[ResolvedName | ErrorEnvelope]:
        return wait_for(self._client.resolve(names, kind, organism))

    def check_identity(
        self, id: str, expect_label: asynchronous.Label | None = None, *, other_id: str | None = None
    ) -> CheckedIdentity:
        return wait_for(self._client.check_identity(id, expect_label, other_id=other_id))

    def resolve_many(
        self,
        names: Iterable[object],
        kind: EntityKind | None = None,
        organism: str = "human",
        *,
        keep_na: bool = False,
        databases: Sequence[str] = (),
    ) -> Iterator[asynchronous.Resolved]:
        return each(self._client.resolve_many(names, kind, organism, keep_na=keep_na, databases=databases))
