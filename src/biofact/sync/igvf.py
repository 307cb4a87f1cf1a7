"""IGVFClient, blocking. Written by make docs from biofact.sources.igvf.client."""

from typing import Literal, overload

from biofact.core.envelopes import PaginationEnvelope
from biofact.core.parameters import PageSize, Query
from biofact.core.tool import CursorText
from biofact.dialects.genomic.genomes import Organism
from biofact.sources.igvf import client as asynchronous
from biofact.sources.igvf.data_sources import Category
from biofact.sources.igvf.identifiers.kinds import Hint
from biofact.sources.igvf.records import (
    Entity,
    FullAssociation,
    RegionContents,
    ResolvedId,
    SlimTermCandidate,
    SourceDescription,
    TermCandidate,
)
from biofact.sources.igvf.relationships import RelationshipName
from biofact.sources.igvf.term_search import TermKind
from biofact.sync.blocking import BlockingClient
from biofact.transport.background import wait_for


class IGVFClient(BlockingClient):
    """Identifiers and regions to entities of a knowledge graph, and what it joins them with.

    >>> with biofact.sync.IGVFClient() as igvf:
    ...     igvf.get_entity("BRCA1").id
    'ENSG00000012048'
    """

    _asynchronous = asynchronous.IGVFClient
    _client: asynchronous.IGVFClient

    def get_entity(
        self, id: asynchronous.EntityText, hint: Hint | None = None, organism: Organism | None = None
    ) -> Entity:
        """Look up one entity by ID or exact name; its type is read off the ID: gene (BRCA1, ENSG…, HGNC:…,
        NCBIGene:…), variant (rs…, SPDI, HGVS, CA…), protein, transcript, ontology term (MONDO:…, GO:…, or a disease's
        name), drug (PA…), complex, pathway, study. `hint` settles what could be two things. Never a near miss.

        ``_type`` is the kind, ``category`` the Biolink class. Coordinates are 1-based and inclusive. Symbols match in
        any letter case, human before mouse; a synonym of one gene stands for it, with a notice.

        Raises:
            EntityNotFound: the Catalog has nothing of this ID or name.
            UnresolvedEntity: the ID belongs to another database, or is not what ``hint`` says.
            AmbiguousQuery: several entities are meant alike; the error names them.

        Source: GET /genes, /transcripts, /proteins, /variants, /coding-variants, /ontology-terms, /drugs, /complexes,
        /studies, /pathways, /motifs, /genomic-elements, /files-filesets (https://api.catalogkg.igvf.org, contract
        1.2.0, read 2026-11-22).
        """
        return wait_for(self._client.get_entity(id, hint, organism))

    def search_region(
        self,
        region: str,
        include: asynchronous.Included | None = None,
        organism: Organism = "human",
        limit: asynchronous.Limit = 25,
        filters: asynchronous.VariantFiltering | None = None,
        cursor: CursorText | None = None,
    ) -> RegionContents:
        """List what lies in a region (chr17:43,044,295-43,125,364, 17:43M-43.1M, one position, or a gene by name):
        genes, variants, regulatory_elements, transcripts; `limit` of each. Coordinates are 1-based, GRCh38 or GRCm39.
        `filters` of variants: category (coding, noncoding), min_af, max_af, af_source (gnomad_af_total).

        Ends are inclusive. Variants are looked for in windows of 10,000 bases, five a call; ``variant_windows`` tells
        where, and how many there are. ``cursor`` leads to what is still to come: a kind that has ended is absent then.

        Raises:
            AmbiguousQuery: the region or a filter cannot be understood; an older assembly is named.

        Source: GET /genes, /transcripts, /genomic-elements, /variants, /variants/freq, /variants/region-summary
        (https://api.catalogkg.igvf.org, contract 1.2.0, read 2026-11-22).
        """
        return wait_for(self._client.search_region(region, include, organism, limit, filters, cursor))

    def find_associations(
        self,
        entity_id: asynchronous.EntityText,
        relationship: RelationshipName,
        *,
        filters: asynchronous.Filtering | None = None,
        order_by: str | None = None,
        limit: asynchronous.Limit = 25,
        cursor: CursorText | None = None,
        hint: str | None = None,
        organism: Organism | None = None,
    ) -> PaginationEnvelope[FullAssociation]:
        """List what a gene, variant, protein, disease, tissue, drug or region (ID, name) is associated with.
        `filters`: p_value (greatest), source, tissue, method, label, ancestry; score, z_score, effect, r2, d_prime
        as ">0.7". `order_by`: p_value or such numbers; "-score": greatest first. `hint` as in igvf.get_entity.

        Each row has a Biolink predicate, and where it is told p-value, effect with its allele, lead variant, context,
        source, method and publications. Of a gene's proteins and a disease's genes more is asked by way of these. Rows
        come in turn from all endpoints, or in one order: partial where a notice says so, as the service cannot sort.
        ``total_count`` is null where it is not known.

        Raises:
            EntityNotFound, UnresolvedEntity: as get_entity.
            AmbiguousQuery: nothing is known of such a relationship of such an entity, or no row could keep a filter;
                the error names what is valid.

        Source: the endpoints that list_sources and igvf://guide/identifiers name (https://api.catalogkg.igvf.org,
        contract 1.2.0, read 2026-11-22).
        """
        call = self._client.find_associations(
            entity_id,
            relationship,
            filters=filters,
            order_by=order_by,
            limit=limit,
            cursor=cursor,
            hint=hint,
            organism=organism,
        )
        return wait_for(call)

    @overload
    def search_terms(
        self,
        query: str,
        kind: TermKind | None = ...,
        page_size: int = ...,
        cursor: str | None = ...,
        slim: Literal[False] = ...,
    ) -> PaginationEnvelope[TermCandidate]: ...

    @overload
    def search_terms(
        self, query: str, kind: TermKind | None = ..., page_size: int = ..., cursor: str | None = ..., slim: bool = ...
    ) -> PaginationEnvelope[SlimTermCandidate]: ...

    def search_terms(
        self,
        query: Query,
        kind: TermKind | None = None,
        page_size: PageSize = 50,
        cursor: CursorText | None = None,
        slim: bool = False,
    ) -> PaginationEnvelope[TermCandidate | SlimTermCandidate]:
        """Find diseases, phenotypes, tissues, cells, GO terms, chemicals, drugs and pathways by name, synonym or words,
        with a slip in them too: start here when you have no ID such as MONDO:0009861. Best match first; `match` says
        what matched: `near` is a letter away, for you to confirm. Several ontologies have terms of one name.

        Scores are 0-1 and never increase along the list. The service finds a slip of one letter in a name's first
        word, and in the others where nothing has them all; what it sends beside that is left out and counted.

        Raises:
            AmbiguousQuery: the cursor comes from another query.

        Source: GET /ontology-terms, /drugs, /pathways (https://api.catalogkg.igvf.org, contract 1.2.0,
        read 2026-11-23).
        """
        return wait_for(self._client.search_terms(query, kind, page_size, cursor, slim))

    def resolve_id(
        self, id: asynchronous.EntityText, target_type: str | None = None, organism: Organism | None = None
    ) -> ResolvedId:
        """Tell all identifiers of one entity: of a variant rsID, SPDI, HGVS and CA ID, of a gene symbol, Ensembl, HGNC,
        NCBI Gene and UniProt. `target_type`, such as spdi or hgnc, puts that one into `preferred`. All alleles of an
        rsID are listed. Many names at once, and the IDs of other databases: identity.resolve;
        identity.check_identity tells whether they agree.

        Raises:
            EntityNotFound, UnresolvedEntity: as get_entity.
            AmbiguousQuery: there is no identifier of the preferred kind; the error names those there are.

        Source: as get_entity; GET /genes/proteins, /proteins/genes, /transcripts/genes
        (https://api.catalogkg.igvf.org, contract 1.2.0, read 2026-11-22).
        """
        return wait_for(self._client.resolve_id(id, target_type, organism))

    def list_sources(self, category: Category | None = None) -> PaginationEnvelope[SourceDescription]:
        """List whose data the Catalog holds, with the relationships, methods and labels by which to ask for it: the
        valid values of the filters of igvf.find_associations. Asks no service.

        Raises:
            AmbiguousQuery: there is no such category.

        Source: the declared endpoints (contract 1.2.0 of https://api.catalogkg.igvf.org, read 2026-11-22).
        """
        return wait_for(self._client.list_sources(category))

    def gene_schema(self) -> str:
        """Read the fields of a gene as igvf.get_entity gives it.

        Raises: nothing.

        Source: the records of this package.
        """
        return wait_for(self._client.gene_schema())

    def variant_schema(self) -> str:
        """Read the fields of a variant as igvf.get_entity gives it.

        Raises: nothing.

        Source: the records of this package.
        """
        return wait_for(self._client.variant_schema())

    def identifier_guide(self) -> str:
        """Read which identifiers there are, how each is written, and which relationships start from it.

        Raises: nothing.

        Source: the declared endpoints (contract 1.2.0 of https://api.catalogkg.igvf.org, read 2026-11-22).
        """
        return wait_for(self._client.identifier_guide())

    def example_queries(self) -> str:
        """Read calls that answer common questions, with what they find in the sandbox.

        Raises: nothing.

        Source: the examples that this package is tested by.
        """
        return wait_for(self._client.example_queries())
