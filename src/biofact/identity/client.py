"""The client of all databases together: names to entities, and whether the databases agree."""

import itertools
from collections.abc import AsyncIterator, Iterable, Sequence
from typing import Annotated, Any

from pydantic import Field, WithJsonSchema

from biofact import sources
from biofact.core import call
from biofact.core.envelopes import ErrorEnvelope, PaginationEnvelope, page
from biofact.core.kinds import EntityKind
from biofact.core.organisms import OrganismName
from biofact.core.records import ClientMethod
from biofact.core.tool import AS_WRITTEN, BATCH_LIMIT, tool
from biofact.identity.checker import Checker
from biofact.identity.cross_references import CrossReferenceReader, checked_databases
from biofact.identity.evidence import CHECKED_ID
from biofact.identity.records import CheckedIdentity, ResolvedName
from biofact.identity.resolver import Resolver
from biofact.protocol.client import LifeSciencesClient
from biofact.protocol.listing import batch
from biofact.transport.stack import Transport

AT_ONCE = 1000
"""Names resolved together where no limit of a tool call applies."""

Name = Annotated[Any, WithJsonSchema({"type": "string"})]
"""A name as it is written: an input that is no name fails in its place, alone."""
Label = Annotated[str, Field(min_length=1, max_length=300)]
Resolved = PaginationEnvelope[ResolvedName | ErrorEnvelope]


class IdentityClient(LifeSciencesClient):
    """Names to entities in all databases at once, and whether the databases agree on them.

    >>> with biofact.sync.IdentityClient() as identity:
    ...     identity.resolve(["BRCA1"]).items[0].entities[0].id
    'NCBIGene:672'
    """

    source_name = "identity"
    title = "All databases"
    services = ()

    def __init__(self, transport: Transport | None = None) -> None:
        super().__init__(transport)
        clients = sources.clients(self.transport)
        self._resolver = Resolver(clients, self.transport.afresh)
        self._cross_references = CrossReferenceReader(clients, self.transport.afresh)
        self._checker = Checker(clients, self._resolver)

    @tool(is_heavy=True)
    async def resolve(
        self,
        names: Annotated[list[Name], AS_WRITTEN, Field(min_length=1, max_length=BATCH_LIMIT)],
        kind: EntityKind | None = None,
        organism: OrganismName = "human",
    ) -> PaginationEnvelope[ResolvedName | ErrorEnvelope]:
        """Resolve up to 200 names or IDs at once, of any kind, in all databases: one row per name, in order, with
        ranked entities and the `ids` that strict tools take. Use it for columns of names. A name without an entity is
        an answer; where several match equally well, `ambiguous_with` names them: do not guess. Rows that the time of
        the call did not reach say so: resolve these again. All notations of one variant or gene: igvf.resolve_id.

        Marks of missing values (``NA``, ``#REF!``, ``-``) have no entity, and a notice names them. For a date or number
        that a spreadsheet made of a gene's name (``2-Sep``), ``ambiguous_with`` has what it may have been.
        Without ``kind`` it is guessed from the form of each name, and a notice says how. Genes, transcripts, proteins
        and forms of compounds stay separate entities, joined by ``product_of`` and ``form_of``. ``ids`` holds Ensembl
        IDs with their versions. Of several that match equally well one is an entity only if it is ahead by its
        database's weight, as ``reason`` says. Names that no joined question finds are searched by words, one by one;
        what is kept is not asked again. A source that is down is a notice; a row fails where it has no entity and a
        source that may know it could not answer.

        Raises:
            AmbiguousQuery: no names, or more than 200. An organism that no source knows fails the rows that ask for it.

        Source: each database that can know a name of this kind; see the sources' own search tools.
        """
        resolution = await self._resolver.resolve(names, kind, organism)
        return batch(resolution.rows, ResolvedName.slim, resolution.notices)

    @tool(is_heavy=True)
    async def check_identity(
        self,
        id: Annotated[str, CHECKED_ID],  # noqa: A002  # as the issue and other tools name it
        expect_label: Label | None = None,
        *,
        other_id: Annotated[str | None, CHECKED_ID] = None,
    ) -> CheckedIdentity:
        """Check whether the databases mean the same by an ID. Takes NCBIGene:7157, ENSG…, CHEMBL:25, PMID:…, rs…, SPDI
        or UniProtKB:…, and follows cross-references there and back. Each database has a `verdict`, who asserts what,
        and the likely `cause`; `missing` is no disagreement. `expect_label`: is it the current label, an alias,
        another's? `other_id`: are the two IDs the `same` entity, and the `reason`. For all identifiers of one entity
        in the Catalog call igvf.resolve_id.

        ``agree``: the IDs point to each other. ``one_way``: one says so, the other says nothing. ``disagree``: they
        name others. ``missing``: no record names one. ``retired``: the ID named was merged or withdrawn.
        ``one_to_many``: several IDs where one is meant; several products agree. Databases that cannot be asked (hgnc,
        omim, uniprot) are compared by what those say that can. NCBI is searched for all genes that list an Ensembl
        gene, of which Ensembl names one. A source that is down is a notice, and has no verdict.
        Of ``other_id``, a salt and its parent, a gene and its product, genes of two organisms and an rsID and its
        allele are not the same; ``same`` is absent where the records do not show it.
        Causes are read from the records: readthrough, paralogue, patch or haplotype, lag of releases, merged record.

        Raises:
            UnresolvedEntity: ``id`` is no strict ID of these databases; ``resolve`` takes names and other spellings.
            EntityNotFound: its database has no such record.
            RateLimited, UpstreamError: the record of the ID itself cannot be had.

        Source: the strict lookups of each database; see the sources' own tools.
        """
        return await self._checker.check(id, expect_label, other_id)

    async def resolve_many(
        self,
        names: Iterable[object],
        kind: EntityKind | None = None,
        organism: str = "human",
        *,
        keep_na: bool = False,
        databases: Sequence[str] = (),
    ) -> AsyncIterator[Resolved]:
        """Resolve any number of names: a row for each, in order, in answers of up to 1,000 rows as they are known. Each
        question has the whole time of a call, and all are asked.

        Rows are as those of ``resolve``, but whole: each states label, kind, organism and status, and ``ids`` holds the
        leading ID, too. With ``keep_na``, marks of missing values, such as ``NA``, are read as names. Answers are kept,
        so that a program that was stopped goes on where it was.

        With ``databases``, ``ids`` of a row's leading gene or compound also holds its IDs there, read from its record:
        of ``hgnc, ensembl_gene, uniprot, refseq, omim, alliance`` of a gene, ``pubchem_compound, pubchem_substance,
        drugbank, kegg, pdb, uniprot`` of a compound. Several values have a semicolon between. Compounds take a third of
        a second each, as UniChem is asked three times a second. A source that is down leaves them out, with a notice.

        Raises:
            AmbiguousQuery: there is no such database.
        """
        keys = checked_databases(databases)
        rest = iter(names)
        while chunk := list(itertools.islice(rest, AT_ONCE)):
            yield await self._resolved(chunk, kind, organism, keep_na, keys)

    async def _resolved(
        self, names: Sequence[object], kind: EntityKind | None, organism: str, keep_na: bool, keys: Sequence[str]
    ) -> Resolved:
        with call.session() as current:
            current.lane = "bulk"
            resolution = await self._resolver.resolve(names, kind, organism, is_whole=True, keep_na=keep_na)
            whole_rows, remarks = await self._cross_references.add(resolution.rows, keys)
            question = ClientMethod(type(self), "resolve", {"names": names, "databases": keys})
            rows = page(whole_rows, len(names), total=len(names), notices=[*resolution.notices, *remarks])
            return rows.signed(current.provenance(), current.notices, question)
