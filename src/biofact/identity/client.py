"""What can be asked of all databases together."""

from typing import Annotated

from pydantic import Field

from biofact.core.entity_kinds import EntityKind
from biofact.core.envelopes import ErrorEnvelope, PaginationEnvelope, page
from biofact.core.organisms import OrganismName
from biofact.core.tool import BATCH_LIMIT, tool
from biofact.identity.records import ResolvedName
from biofact.identity.resolving import Resolver
from biofact.protocol.client import LifeSciencesClient
from biofact.transport.stack import Transport

Name = Annotated[str, Field(min_length=1, max_length=300)]


class IdentityClient(LifeSciencesClient):
    """Names to entities in all databases at once, and whether the databases agree on them."""

    source_name = "identity"
    title = "biofact"
    services = ()

    def __init__(self, transport: Transport | None = None) -> None:
        super().__init__(transport)
        self._resolver = Resolver.of_all_sources(self.transport)

    @tool
    async def resolve(
        self,
        names: Annotated[list[Name], Field(min_length=1, max_length=BATCH_LIMIT)],
        kind: EntityKind | None = None,
        organism: OrganismName = "human",
    ) -> PaginationEnvelope[ResolvedName | ErrorEnvelope]:
        """Resolve up to 200 names or IDs at once, of any kind, in all databases: one row per name, in order, with
        ranked entities and the `ids` that strict tools take. Use it for columns of names. A name without an entity is
        an answer; `ambiguous_with` names others that match equally well: do not guess between them.

        Without ``kind`` it is guessed from the form of each name, and a notice says how. Genes, transcripts, proteins
        and forms of compounds stay separate entities, joined by ``product_of`` and ``form_of``. ``ids`` holds Ensembl
        IDs with their versions. A source that is down is a notice; a row fails only where no source could answer.

        Raises:
            AmbiguousQuery: no names, or more than 200; an organism that is not known.

        Source: each database that can know a name of this kind; see the sources' own search tools.
        """
        resolution = await self._resolver.resolve(names, kind, organism)
        return page(resolution.rows, len(names), total=len(names), notices=resolution.notices)
