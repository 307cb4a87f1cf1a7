"""The client of the IGVF Catalog."""

import asyncio
from collections.abc import Sequence
from typing import Annotated, Any, Literal, overload

from pydantic import AfterValidator, Field

from biofact.core.envelopes import PaginationEnvelope, page
from biofact.core.errors import AmbiguousQuery
from biofact.core.parameters import InvalidPart, InvalidValues, PageSize, Query
from biofact.core.tool import ENTITY, NARROWS, CursorText, resource, tool
from biofact.dialects.genomic.genomes import Organism
from biofact.protocol.client import LifeSciencesClient
from biofact.protocol.listing import Listing, OffsetPages, OffsetPosition
from biofact.protocol.names import NameResults, finds
from biofact.protocol.search import MergedPages, MergedPosition
from biofact.sources.igvf import data_sources, guide
from biofact.sources.igvf.associations.queries import ORDERS, AssociationQuery, Order, effective_relationship, nodes
from biofact.sources.igvf.associations.search import AssociationSearch
from biofact.sources.igvf.data_sources import Category
from biofact.sources.igvf.entities import EntityLookup, recovery_for, single_entity
from biofact.sources.igvf.filters import AssociationFilters
from biofact.sources.igvf.identifiers.kinds import FIND_ASSOCIATIONS, SEARCH_REGION, SEARCH_TERMS, Hint
from biofact.sources.igvf.names import NamedEntities, is_protein, is_term, is_words, regions
from biofact.sources.igvf.questions import IGVFQuestions
from biofact.sources.igvf.records import (
    Entity,
    FullAssociation,
    RegionContents,
    ResolvedId,
    SlimTermCandidate,
    SourceDescription,
    TermCandidate,
)
from biofact.sources.igvf.regions import USUAL, Include, Places, RegionPosition, RegionSearch, VariantFilters
from biofact.sources.igvf.relationships import RelationshipName, relationship_named
from biofact.sources.igvf.resolver import IdentifierResolver
from biofact.sources.igvf.service import IGVF
from biofact.sources.igvf.term_search import TermKind, TermSearch
from biofact.transport.service import Request
from biofact.transport.stack import Transport

_ROWS = 25
EntityText = Annotated[str, ENTITY]
Limit = Annotated[int, Field(ge=1, le=100)]
Included = Annotated[list[Include], Field(min_length=1), NARROWS]


def _check_filters(values: dict[str, Any]) -> dict[str, Any]:
    AssociationFilters.read(values)
    return values


def _check_variant_filters(values: dict[str, Any]) -> dict[str, Any]:
    VariantFilters.read(values, "human")
    return values


def _check_order(text: str) -> str:
    try:
        Order.read(text)
    except AmbiguousQuery as error:
        valid = f"one of {', '.join(ORDERS)}, with - in front the greatest first"
        raise InvalidValues([InvalidPart((), text, expected=valid)]) from error
    return text


Filtering = Annotated[dict[str, Any], AfterValidator(_check_filters), NARROWS]
VariantFiltering = Annotated[dict[str, Any], AfterValidator(_check_variant_filters), NARROWS]


def _probe(path: str, **parameters: str) -> Request:
    return Request(IGVF, path, tuple(sorted(parameters.items())))


class IGVFClient(LifeSciencesClient):
    """Identifiers and regions to entities of a knowledge graph, and what it joins them with.

    >>> with biofact.sync.IGVFClient() as igvf:
    ...     igvf.get_entity("BRCA1").id
    'ENSG00000012048'
    """

    source_name = "igvf"
    title = "The IGVF Catalog"
    services = (IGVF,)
    probes = (
        ("a gene by name", _probe("/genes", name="BRCA1", organism="Homo sapiens", limit="3")),
        ("a gene that is none", _probe("/genes", name="BRCAX", organism="Homo sapiens", limit="3")),
        ("past the end of a name", _probe("/genes", name="BRCA1", organism="Homo sapiens", limit="3", page="1")),
        ("a tissue that is none", _probe("/variants/genes", biological_context="livre", method="eQTL", limit="3")),
        ("contexts of liver", _probe("/variants/genes", biological_context="liver", method="eQTL", limit="3")),
        (
            "eQTLs by a tissue's term",
            _probe("/variants/genes", biosample_term="UBERON_0002107", method="eQTL", limit="3"),
        ),
        ("a variant that is none", _probe("/variants/diseases", rsid="rs1", limit="3")),
        ("a term by name", _probe("/ontology-terms", name="lupus", limit="3")),
        ("a term by synonym", _probe("/ontology-terms", synonyms="SLE", limit="3")),
        ("whose protein, by accession", _probe("/proteins/proteins", protein_id="P04637", limit="3")),
        ("whose protein, by name", _probe("/proteins/proteins", protein_name="TP53", limit="3")),
        ("functions by a protein's name", _probe("/gene-products/go-terms", query="TP53", limit="3")),
        ("who regulates", _probe("/gene-regulatory-network", response_gene_name="CDKN1A", limit="3")),
        ("a term with a slip", _probe("/ontology-terms", name="phenylketonurea", limit="3")),
        ("a term of one ontology", _probe("/ontology-terms", name="asthma", source="MONDO", limit="3")),
        ("genes near a place", _probe("/variants/nearest-genes", region="chr1:1157520-1158189")),
        ("counts of a region", _probe("/variants/region-summary", region="chr1:1157520-1158520")),
    )

    def __init__(self, transport: Transport | None = None) -> None:
        super().__init__(transport)
        self._questions = IGVFQuestions(self.transport)
        self._lookup = EntityLookup(self._questions)
        self._places = Places(self._lookup)
        self._named_entities = NamedEntities(self._questions)

    @tool
    async def get_entity(
        self,
        id: EntityText,  # noqa: A002  # the specification's name
        hint: Hint | None = None,
        organism: Annotated[Organism | None, NARROWS] = None,
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
        with self._places.leading_to(id):
            entities = await self._lookup.find(id, hint, organism)
        entity, notices = single_entity(id, entities)
        return entity.model_copy(update={"notices": [*entity.notices, *notices]})

    @tool(is_heavy=True)
    async def search_region(
        self,
        region: str,
        include: Included | None = None,
        organism: Annotated[Organism, NARROWS] = "human",
        limit: Limit = _ROWS,
        filters: VariantFiltering | None = None,
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
        kinds = tuple(dict.fromkeys(include or USUAL))
        variant_filters = VariantFilters.read(filters or {}, organism)
        arguments = {
            "include": include,
            "filters": filters or None,
            "organism": organism if organism != "human" else None,
        }
        with recovery_for(SEARCH_REGION, "region", arguments | {"limit": limit if limit != _ROWS else None}):
            parsed_region, notices = await self._places.region(region, organism)
        listing = Listing(
            SEARCH_REGION,
            {**arguments, "region": region},
            RegionPosition,
            cursor=cursor,
            page_size=limit,
            size_argument="limit" if limit != _ROWS else None,
        )
        contents = await RegionSearch(self._questions, parsed_region, organism, variant_filters).page(kinds, listing)
        self._places.remember(contents.regulatory_elements or ())
        return contents.model_copy(update={"notices": [*([] if cursor else notices), *contents.notices]})

    @tool(is_heavy=True)
    async def find_associations(  # noqa: PLR0913  # the specification's arguments
        self,
        entity_id: EntityText,
        relationship: RelationshipName,
        *,
        filters: Filtering | None = None,
        order_by: Annotated[str, AfterValidator(_check_order)] | None = None,
        limit: Limit = _ROWS,
        cursor: CursorText | None = None,
        hint: str | None = None,
        organism: Annotated[Organism | None, NARROWS] = None,
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
        arguments = {
            "entity_id": entity_id,
            "relationship": relationship,
            "filters": filters or None,
            "order_by": order_by,
            "hint": hint,
            "organism": organism,
        }
        listing = Listing(
            FIND_ASSOCIATIONS, arguments, MergedPosition, cursor=cursor, page_size=limit, size_argument="limit"
        )
        order = Order.read(order_by) if order_by is not None else None
        named_relationship = relationship_named(relationship)
        filter_values = {
            **({"method": named_relationship.method} if named_relationship.method else {}),
            **(filters or {}),
        }
        association_filters = await self._lookup.add_tissue_terms(AssociationFilters.read(filter_values))
        call_arguments = arguments | {"limit": limit if limit != _ROWS else None}
        with recovery_for(FIND_ASSOCIATIONS, "entity_id", call_arguments), self._places.leading_to(entity_id):
            entities = await self._lookup.find(entity_id, hint, organism, is_start=True)
        starts = nodes(entities, organism)
        query = AssociationQuery(starts, effective_relationship(named_relationship, starts), association_filters, order)
        search = AssociationSearch(self._questions, query, entities.notices)
        rows = await listing.page(MergedPages(search.lists_from, order.sort if order is not None else None))
        self._places.remember_ends(rows.rows)
        return listing.envelope(rows)

    @overload
    async def search_terms(
        self,
        query: str,
        kind: TermKind | None = ...,
        page_size: int = ...,
        cursor: str | None = ...,
        slim: Literal[False] = ...,
    ) -> PaginationEnvelope[TermCandidate]: ...

    @overload
    async def search_terms(
        self, query: str, kind: TermKind | None = ..., page_size: int = ..., cursor: str | None = ..., slim: bool = ...
    ) -> PaginationEnvelope[SlimTermCandidate]: ...

    @tool
    async def search_terms(
        self,
        query: Query,
        kind: Annotated[TermKind | None, NARROWS] = None,
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
        arguments = {"query": query, "kind": kind}
        listing = Listing(SEARCH_TERMS, arguments, OffsetPosition, cursor=cursor, page_size=page_size, is_slim=slim)
        candidates = await listing.page(OffsetPages(TermSearch(self._questions, query, kind).page_from))
        return listing.envelope_in_form(candidates, TermCandidate.slim)

    @tool
    async def resolve_id(
        self,
        id: EntityText,  # noqa: A002  # the specification's name
        target_type: str | None = None,
        organism: Annotated[Organism | None, NARROWS] = None,
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
        entities = await self._lookup.find(id, None, organism)
        return await IdentifierResolver(self._questions).resolve(id, entities, target_type)

    @tool(asks_services=False)
    async def list_sources(
        self, category: Annotated[Category | None, NARROWS] = None
    ) -> PaginationEnvelope[SourceDescription]:
        """List whose data the Catalog holds, with the relationships, methods and labels by which to ask for it: the
        valid values of the filters of igvf.find_associations. Asks no service.

        Raises:
            AmbiguousQuery: there is no such category.

        Source: the declared endpoints (contract 1.2.0 of https://api.catalogkg.igvf.org, read 2026-11-22).
        """
        descriptions = await asyncio.to_thread(data_sources.source_descriptions, category)
        return page(descriptions, len(descriptions), total=len(descriptions))

    @finds("variant")
    async def variants_named(self, names: Sequence[str], organism: str) -> NameResults:
        """Alleles by rsID, SPDI, HGVS or allele ID; a request a name."""
        return await self._named_entities.variants(names, organism)

    @finds("disease", takes=is_term)
    async def diseases_with_id(self, names: Sequence[str], _: str) -> NameResults:
        """Diseases and phenotypes by the IDs of terms; a request a name."""
        return await self._named_entities.terms(names)

    @finds("disease", is_joined=False, takes=is_words)
    async def diseases_called(self, names: Sequence[str], _: str) -> NameResults:
        """Diseases by name or synonym; six requests a name."""
        return await self._named_entities.diseases(names)

    @finds("protein", takes=is_protein)
    async def proteins_named(self, names: Sequence[str], _: str) -> NameResults:
        """Proteins by accession, entry name or Ensembl's ID; two requests a name."""
        return await self._named_entities.proteins(names)

    @finds("region")
    async def regions_named(self, names: Sequence[str], organism: str) -> NameResults:
        """Regions of human and mouse; asks no service."""
        return await regions(names, organism)

    @resource("igvf://schemas/gene", "application/json")
    async def gene_schema(self) -> str:
        """Read the fields of a gene as igvf.get_entity gives it.

        Raises: nothing.

        Source: the records of this package.
        """
        return guide.schema("gene")

    @resource("igvf://schemas/variant", "application/json")
    async def variant_schema(self) -> str:
        """Read the fields of a variant as igvf.get_entity gives it.

        Raises: nothing.

        Source: the records of this package.
        """
        return guide.schema("variant")

    @resource("igvf://guide/identifiers", "text/markdown")
    async def identifier_guide(self) -> str:
        """Read which identifiers there are, how each is written, and which relationships start from it.

        Raises: nothing.

        Source: the declared endpoints (contract 1.2.0 of https://api.catalogkg.igvf.org, read 2026-11-22).
        """
        return guide.identifiers()

    @resource("igvf://examples/queries", "text/markdown")
    async def example_queries(self) -> str:
        """Read calls that answer common questions, with what they find in the sandbox.

        Raises: nothing.

        Source: the examples that this package is tested by.
        """
        return guide.queries()
