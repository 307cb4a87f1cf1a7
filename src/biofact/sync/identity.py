"""IdentityClient, blocking. Written by make docs from biofact.identity.client."""

from collections.abc import Iterable, Iterator

from biofact.core.envelopes import ErrorEnvelope, PaginationEnvelope
from biofact.core.kinds import EntityKind
from biofact.core.organisms import OrganismName
from biofact.identity import client as asynchronous
from biofact.identity.records import CheckedIdentity, ResolvedName
from biofact.sync.blocking import BlockingClient
from biofact.transport.background import each, wait_for


class IdentityClient(BlockingClient):
    """Names to entities in all databases at once, and whether the databases agree on them.

    >>> with biofact.sync.IdentityClient() as identity:
    ...     identity.resolve(["BRCA1"]).items[0].entities[0].id
    'NCBIGene:672'
    """

    _asynchronous = asynchronous.IdentityClient
    _client: asynchronous.IdentityClient

    def resolve(
        self, names: list[asynchronous.Name], kind: EntityKind | None = None, organism: OrganismName = "human"
    ) -> PaginationEnvelope[ResolvedName | ErrorEnvelope]:
        """Resolve up to 200 names or IDs at once, of any kind, in all databases: one row per name, in order, with
        ranked entities and the `ids` that strict tools take. Use it for columns of names. A name without an entity is
        an answer; `ambiguous_with` names others that match equally well: do not guess between them. All notations of
        one variant or gene: igvf.resolve_id.

        Without ``kind`` it is guessed from the form of each name, and a notice says how. Genes, transcripts, proteins
        and forms of compounds stay separate entities, joined by ``product_of`` and ``form_of``. ``ids`` holds Ensembl
        IDs with their versions. A source that is down is a notice; a row fails where it has no entity and a source that
        may know it could not answer.

        Raises:
            AmbiguousQuery: no names, or more than 200. An organism that no source knows fails the rows that ask for it.

        Source: each database that can know a name of this kind; see the sources' own search tools.
        """
        return wait_for(self._client.resolve(names, kind, organism))

    def check_identity(self, id: str, expect_label: asynchronous.Label | None = None) -> CheckedIdentity:
        """Check whether the databases mean the same by an ID. Takes NCBIGene:7157, ENSG…, CHEMBL:25, PMID:…, rs…, SPDI
        or UniProtKB:…, and follows cross-references there and back. Each database has a `verdict`, who asserts what,
        and the likely `cause`; `missing` is no disagreement. `expect_label`: is it the current label, an alias,
        another's? For all identifiers of one entity in the Catalog call igvf.resolve_id.

        ``agree``: the IDs point to each other. ``one_way``: one says so, the other says nothing. ``disagree``: they
        name others. ``missing``: no record names one. ``retired``: the ID named was merged or withdrawn.
        ``one_to_many``: several IDs where one is meant; several products agree. Databases that cannot be asked (hgnc,
        omim, uniprot) are compared by what those say that can. A source that is down is a notice, and has no verdict.
        Causes are read from the records: readthrough, paralogue, patch or haplotype, lag of releases, merged record.

        Raises:
            UnresolvedEntity: ``id`` is no strict ID of these databases; ``resolve`` takes names and other spellings.
            EntityNotFound: its database has no such record.
            RateLimited, UpstreamError: the record of the ID itself cannot be had.

        Source: the strict lookups of each database; see the sources' own tools.
        """
        return wait_for(self._client.check_identity(id, expect_label))

    def resolve_many(
        self, names: Iterable[object], kind: EntityKind | None = None, organism: str = "human"
    ) -> Iterator[asynchronous.Resolved]:
        """Resolve any number of names: a row for each, in order, in answers of up to 1,000 rows as they are known.

        Rows are as those of ``resolve``, but whole: each states label, kind, organism and status, and ``ids`` holds the
        leading ID, too. What was answered is kept, so that a program that was stopped goes on where it was.
        """
        return each(self._client.resolve_many(names, kind, organism))
