"""Entities by any identifier or name: the requests, the matching rows, and the errors if there are none."""

import asyncio
import difflib
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from typing import get_args

from biofact.core.errors import (
    AmbiguousQuery,
    BiofactError,
    CallTool,
    EntityNotFound,
    RateLimited,
    ToolRef,
    UnresolvedEntity,
    UpstreamError,
)
from biofact.core.identifiers import QUERY_LENGTH
from biofact.core.quoting import name_list
from biofact.core.records import Notice, noticed
from biofact.dialects.genomic.genomes import Organism
from biofact.dialects.genomic.regions import Region
from biofact.dialects.readable_rows import ReadableRows
from biofact.protocol.listing import distinct
from biofact.protocol.templates import NoticeTemplate
from biofact.sources.igvf import records
from biofact.sources.igvf.catalog import endpoint_of
from biofact.sources.igvf.filters import AssociationFilters, is_term
from biofact.sources.igvf.identifiers.forms import place_in_name
from biofact.sources.igvf.identifiers.kinds import GET_ENTITY, KIND_PHRASES, SEARCH_REGION, Hint, IdentifierReading
from biofact.sources.igvf.identifiers.readings import readings
from biofact.sources.igvf.questions import IGVFQuestions
from biofact.sources.igvf.records import Entity, ProteinEntity, TermEntity
from biofact.sources.igvf.spans import overlaps, region_of
from biofact.sources.igvf.term_ids import curie, native


@dataclass(frozen=True, slots=True)
class Key:
    """One kind of identifier."""

    parameter: str
    """The parameter of the endpoint."""
    carries: Callable[[Entity, str], bool]
    """Whether an entity has it."""
    value: Callable[[str], str] = str
    """The identifier in the endpoint's spelling."""
    words: str = ""
    """The phrase for it in messages."""
    field: str = ""
    """The field of the service's rows that holds it, if every matching row has one."""


def has_name(entity: Entity, name: str) -> bool:
    """Whether this is its name, in any letter case."""
    return (entity.name or "").casefold() == name.casefold()


def has_name_or_synonym(entity: Entity, name: str) -> bool:
    """Whether this is its name or a synonym, in any letter case."""
    return has_name(entity, name) or name.casefold() in set(map(str.casefold, entity.synonyms))


def _has_id(entity: Entity, identifier: str) -> bool:
    return entity.id == identifier


def _cross_reference(key: str) -> Callable[[Entity, str], bool]:
    def carries(entity: Entity, identifier: str) -> bool:
        references = entity.cross_references
        return references is not None and getattr(references, key) == identifier.removeprefix("ENTREZ:")

    return carries


def _protein(entity: Entity, identifier: str) -> bool:
    """An accession stands for its isoforms; an isoform for itself."""
    if not isinstance(entity, records.ProteinEntity):
        return False
    accessions = {entity.id, *entity.uniprot_ids, *(isoform.partition("-")[0] for isoform in entity.uniprot_ids)}
    return identifier in accessions


def _in_field(name: str) -> Callable[[Entity, str], bool]:
    """Whether a field that some kinds of entities have holds it, alone or among others."""

    def carries(entity: Entity, identifier: str) -> bool:
        value = getattr(entity, name, None)
        return identifier in value if isinstance(value, list) else identifier == value

    return carries


_KEYS = {
    "gene_id": Key("gene_id", _has_id, words="Ensembl gene ID"),
    "hgnc_id": Key("hgnc_id", _cross_reference("hgnc"), words="HGNC ID", field="hgnc"),
    "entrez": Key("entrez", _cross_reference("entrez"), words="NCBI Gene ID", field="entrez"),
    "transcript_id": Key("transcript_id", _has_id, words="Ensembl transcript ID"),
    "protein_id": Key("protein_id", _protein, words="protein ID"),
    "uniprot_name": Key("uniprot_name", _in_field("uniprot_names"), words="UniProt entry name", field="uniprot_names"),
    "spdi": Key("spdi", _has_id, words="SPDI"),
    "hgvs": Key("hgvs", _in_field("hgvs"), words="HGVS", field="hgvs"),
    "rsid": Key("rsid", _in_field("rsids"), words="rsID", field="rsid"),
    "ca_id": Key("ca_id", _in_field("ca_id"), words="allele ID", field="ca_id"),
    "coding_variant": Key(
        "id", lambda entity, identifier: identifier in {entity.id, entity.name}, words="coding variant"
    ),
    "term_id": Key(
        "term_id", lambda term, identifier: term.id.casefold() == curie(identifier).casefold(), words="ontology term"
    ),
    "drug_id": Key("drug_id", _has_id, words="PharmGKB ID"),
    "complex_id": Key("complex_id", _has_id, words="complex ID"),
    "study_id": Key("study_id", _has_id, words="study ID"),
    "pathway_id": Key("id", _has_id, words="Reactome ID"),
    "motif": Key("tf_name", _has_id, value=lambda name: name.rsplit("_", 1)[0], words="motif"),
    "fileset_id": Key("fileset_id", _in_field("file_set"), words="data set ID", field="file_set_id"),
    "file_fileset_id": Key("file_fileset_id", _has_id, words="data set ID"),
    "element": Key(
        "region",
        _has_id,
        value=lambda name: place.half_open if (place := place_in_name(name)) else name,
        words="regulatory element",
    ),
    "region": Key(
        "region",
        lambda entity, identifier: overlaps(entity, Region.from_half_open(identifier)),
        words="regulatory element",
    ),
}


_RESOLVE_ID = ToolRef("igvf", "resolve_id")
_GENES = ToolRef("entrez", "search_genes")

_MOST_SUGGESTED, _MOST_NAMED = 5, 10


@contextmanager
def recovery_for(tool: ToolRef, parameter: str, arguments: Mapping[str, object]) -> Iterator[None]:
    """Let a recovery that corrects one argument call the same tool, with all the other arguments."""
    try:
        yield
    except BiofactError as error:
        takes_ids = {GET_ENTITY, SEARCH_REGION} if tool != SEARCH_REGION else set()  # a region is no ID
        if isinstance(error.recovery, CallTool) and error.recovery.tool in {*takes_ids, tool}:
            corrected = dict(error.recovery.arguments)
            entity = corrected.pop("id", None) or corrected.pop("region", None) or corrected.pop(parameter, None)
            merged_arguments = {**arguments, **corrected}
            call_arguments = {
                name: value for name, value in merged_arguments.items() if value is not None and name != "hint"
            }
            error.recovery = CallTool(tool, {**call_arguments, parameter: entity}) if entity is not None else None
        raise


def not_found(
    text: str, readings: Sequence[IdentifierReading], near_misses: Sequence[Entity], organism: str | None = None
) -> BiofactError:
    """The error that ``text`` names nothing in the Catalog; ``near`` are near misses that the service sent."""
    kinds_phrase = " or ".join(f"{_article(kind)} {kind}" for kind in dict.fromkeys(map(_kind, readings)))
    names = dict.fromkeys(entity.name for entity in near_misses if entity.name)
    close = difflib.get_close_matches(text.upper(), [name.upper() for name in names], _MOST_SUGGESTED, 0.6)
    suggestions = [name for name in names if name.upper() in close][:_MOST_SUGGESTED]
    is_name = any(identifier.id_type == "name" and identifier.kind == "gene" for identifier in readings)
    hint = f"Names near it: {', '.join(suggestions)}; they are other things. " if suggestions else ""
    hint += f"Call {_GENES} to find the gene by what it is called." if is_name else "Check the ID."
    options = {"organism": organism} if organism else {}
    return EntityNotFound(
        f"The IGVF Catalog has nothing called {text!r:.120}, read as {kinds_phrase}.",
        hint=hint,
        invalid_input=text,
        recovery=CallTool(_GENES, {"query": text, **options}) if is_name and len(text) in QUERY_LENGTH else None,
    )


def ambiguous(text: str, entities: Sequence[Entity], noun: str) -> BiofactError:
    """The error that ``text`` names several entities, none of them more than the others."""
    titles = [entity.id if entity.name == text else titled(entity) for entity in entities]
    entity_names = name_list(titles, _MOST_NAMED)
    is_variant = entities[0].type == "variant"
    if entities[0].type == "regulatory_element":
        return AmbiguousQuery(
            f"At {text!r:.120} lie {len(entities)} regulatory elements: {entity_names}.",
            hint=f"Call {SEARCH_REGION} for all of them.",
            invalid_input=text,
            recovery=CallTool(SEARCH_REGION, {"region": text, "include": ["regulatory_elements"]}),
        )
    hint = f"Call {_RESOLVE_ID} for all their identifiers, or {GET_ENTITY} with the one that is meant."
    return AmbiguousQuery(
        f"{text!r:.120} names {len(entities)} {noun}: {entity_names}.",
        hint=hint if is_variant else f"Call {GET_ENTITY} with the ID of the one that is meant.",
        invalid_input=text,
        recovery=CallTool(_RESOLVE_ID, {"id": text}) if is_variant else None,
    )


def _kind(identifier: IdentifierReading) -> str:
    if identifier.id_type == "name":
        return {"gene": "gene symbol", "drug": "drug's name", "term": "term's name"}.get(identifier.kind, "name")
    return _KEYS[identifier.id_type].words


def _article(kind: str) -> str:
    return "an" if kind[0] in "aeioAEIO" or kind.startswith(("HGNC", "HGVS", "SPDI", "NCBI", "rs")) else "a"


_OPEN_READING_FRAME = re.compile(r"C(\d+|X|Y)ORF(\d+)(.*)")
_SYMBOL_ROWS = 500  # rows: near misses that fill a page do not hide the gene itself


@dataclass(frozen=True, slots=True)
class GeneSymbols:
    """Looks genes up by symbol or synonym."""

    questions: IGVFQuestions
    near_misses: list[Entity] = field(default_factory=list)
    """Other genes that the service sent: near misses."""

    async def find(self, identifier: IdentifierReading, organism: Organism | None) -> "EntityResults":
        """The gene of this name, else the gene of this synonym; empty if there is none.

        Raises:
            AmbiguousQuery: it is a synonym of several genes.
        """
        symbol = identifier.id
        organisms: tuple[Organism, ...] = (organism,) if organism else ("human", "mouse")
        by_name, by_synonym = ([(look, species) for species in organisms] for look in (self._by_name, self._by_synonym))
        further_steps = [*by_name[1:], *by_synonym]
        if not _is_mouse_style(symbol):  # letter case shows whose symbol is meant: TRP53 is a human synonym
            further_steps.sort(key=lambda step: step[1] != "human")
        for look, species in (by_name[0], *further_steps):
            if genes := await look(symbol, species):
                break
        else:
            return EntityResults(identifier, (), near_misses=tuple(self.near_misses))
        if len(genes) > 1 and (look, species) != by_name[0]:
            raise ambiguous(symbol, genes, "genes as a synonym")
        is_by_synonym = not has_name(genes[0], symbol)
        notices = [
            *noticed("QUERY_UNDERSTOOD", f"{symbol} is a synonym of {genes[0].name}." if is_by_synonym else None),
            *noticed("ASSUMED", _assumed_organism(symbol, genes[0]) if organism is None else None),
        ]
        return EntityResults(identifier, tuple(genes), notices, is_by_synonym, near_misses=tuple(self.near_misses))

    async def _by_name(self, symbol: str, organism: Organism) -> list[Entity]:
        """The genes of one organism with this name, in any letter case; rows by another name are near misses."""
        name = _conventional(symbol, organism)  # the service finds exact names by letter case, others as near misses
        entities = await self._genes("name", name, organism)
        named = [gene for gene in entities if gene.name == name] or [gene for gene in entities if has_name(gene, name)]
        if not named:
            self.near_misses.extend(entities)
        return named

    async def _by_synonym(self, symbol: str, organism: Organism) -> list[Entity]:
        """The genes of one organism that have this synonym, by the first spelling that any has."""
        # The service compares synonyms with their letter case.
        for spelling in dict.fromkeys((symbol, symbol.upper(), _conventional(symbol, organism))):
            entities = await self._genes("synonym", spelling, organism)
            if synonym_matches := [gene for gene in entities if spelling in gene.synonyms]:
                return synonym_matches
        return []

    async def _genes(self, parameter: str, symbol: str, organism: Organism) -> list[Entity]:
        genes = await self.questions.entities("/genes", {parameter: symbol}, organism, limit=_SYMBOL_ROWS)
        return distinct(genes.items)  # a row for each annotation of one gene is one gene


def _conventional(symbol: str, organism: str) -> str:
    """As the nomenclature committee of the organism writes a symbol."""
    if organism == "mouse":
        return symbol if any(letter.islower() for letter in symbol) else symbol.capitalize()
    frame = _OPEN_READING_FRAME.fullmatch(symbol.upper())
    return f"C{frame[1]}orf{frame[2]}{frame[3]}" if frame else symbol.upper()


def _is_mouse_style(symbol: str) -> bool:
    return symbol[:1].isupper() and any(letter.islower() for letter in symbol)


def _assumed_organism(symbol: str, gene: Entity) -> str | None:
    """The gene's organism, if the symbol's letter case leaves it open."""
    if gene.organism == "mouse":
        return f"Nothing human is called {symbol}; {gene.name} is the mouse's."
    if not _is_mouse_style(symbol) or gene.name == symbol:
        return None
    return f"{symbol} was read as the human gene {gene.name}; ask with organism='mouse' for the mouse's."


_ANY_CLASS = "biolink:OntologyClass"  # of an ontology with several kinds of things in it, such as EFO
_TISSUES = frozenset({_ANY_CLASS, "biolink:AnatomicalEntity", "biolink:Cell", "biolink:CellLine"})
_DISEASES = frozenset({_ANY_CLASS, "biolink:Disease", "biolink:PhenotypicFeature"})
_BY_HINT = {
    "disease": _DISEASES,
    "phenotype": _DISEASES | {"biolink:BiologicalProcess", "biolink:MolecularActivity"},
    "tissue": _TISSUES,
}


def fitting_entities(text: str, entities: Sequence[Entity], hint: str | None) -> tuple[Entity, ...]:
    """The terms of the kind that the hint names; all entities if it is no kind of terms.

    Raises:
        UnresolvedEntity: no term is of this kind; the error names the kind of the first.
    """
    kinds = _BY_HINT.get(hint or "")
    terms = [term for term in entities if isinstance(term, TermEntity)]
    if kinds is None or not terms:
        return tuple(entities)
    # An open one of the same name is most likely the same thing.
    specific_terms = [term for term in terms if term.category != _ANY_CLASS]
    if any(term.category in kinds for term in specific_terms or terms):
        return tuple(term for term in terms if term.category in kinds)
    first = (specific_terms or terms)[0]
    kind = first.category.removeprefix("biolink:")
    raise UnresolvedEntity(
        f"{text!r:.120} is {first.id} ({first.name}), of the kind {kind}, which is no {hint}.",
        hint="Ask without the hint.",
        invalid_input=text,
        recovery=CallTool(GET_ENTITY, {"id": text}),
    )


_MOST_TERMS = 4
_ONLY_IN_MOUSE = NoticeTemplate("ASSUMED", "Nothing human is {text}; it is the mouse's.")
_ID_TYPES_WITHOUT_ORGANISM = frozenset({"entrez", "protein_id"})  # identifiers that do not show the organism


@dataclass(frozen=True, slots=True)
class EntityResults:
    """The entities that a caller named: one; or several alleles, isoforms, or terms that share a name's words."""

    identifier: IdentifierReading
    entities: tuple[Entity, ...]
    notices: list[Notice] = field(default_factory=list)
    is_by_synonym: bool = False
    is_by_words: bool = False
    """Whether its name only holds the words of the query."""
    near_misses: tuple[Entity, ...] = ()
    """Other entities that the service sent."""
    failure: UpstreamError | RateLimited | None = None
    """The failure of the lookup."""


@dataclass(frozen=True, slots=True)
class EntityLookup:
    """Looks up the entities that callers name."""

    questions: IGVFQuestions

    async def find(
        self, text: str, hint: str | None, organism: Organism | None, *, is_start: bool = False
    ) -> EntityResults:
        """The entities that ``text`` names; with ``is_start`` also terms whose names hold its words, and any region.

        Raises:
            UnresolvedEntity, AmbiguousQuery: it cannot be read, or means several things alike.
            EntityNotFound: the Catalog has nothing of that name or ID.
        """
        alternatives = readings(text, hint, organism)
        lookups: list[EntityResults] = []
        hits: list[EntityResults] = []
        for batch in _batches(alternatives):
            lookups += await asyncio.gather(*(self._try(identifier, organism) for identifier in batch))
            hits = [
                entities
                for entities in lookups
                if entities.entities or (is_start and entities.identifier.kind == "element")
            ]
            if any(not hit.is_by_synonym for hit in hits):
                break  # a name beats a synonym, of another kind too
        hits = hits or await self._find_in_mouse(alternatives, organism)
        failure = next((entities.failure for entities in lookups if entities.failure), None)
        near_entities = [entity for entities in lookups for entity in entities.near_misses]
        if not hits and is_start:
            hits = [family for identifier in alternatives if (family := _family(identifier, near_entities)).entities]
        if not hits:
            raise failure or not_found(text, alternatives, near_entities, organism)
        hits.sort(key=lambda hit: hit.is_by_synonym)
        entities = replace(hits[0], notices=[*hits[0].notices, *_other_readings(text, hits, lookups, failure)])
        entities = replace(entities, entities=fitting_entities(text, entities.entities, hint))
        return _shared_name(entities) if is_start else entities

    async def add_tissue_terms(self, filters: AssociationFilters) -> AssociationFilters:
        """The filters with the ontology terms of their tissue; unchanged if it has none."""
        if filters.tissue is None:
            return filters
        try:
            if is_term(filters.tissue):
                entities = await self.by_reading(IdentifierReading("term", "term_id", native(filters.tissue)))
            else:
                entities = (await self._find_by_name(IdentifierReading("term", "name", filters.tissue))).entities
        except (UpstreamError, RateLimited):
            return filters  # rows are compared with the words then
        terms = tuple(term for term in entities if isinstance(term, TermEntity) and term.category in _TISSUES)
        return replace(filters, tissue_terms=terms[:_MOST_TERMS])

    async def _try(self, identifier: IdentifierReading, organism: Organism | None) -> EntityResults:
        """The results of one reading; a failure is part of them, as another reading may still match."""
        species = identifier.organism or organism
        try:
            if identifier.id_type != "name":
                results = EntityResults(identifier, await self.by_reading(identifier, species or "human"))
            elif identifier.kind == "gene":
                results = await GeneSymbols(self.questions).find(identifier, species)
            else:
                results = await self._find_by_name(identifier)
        except (UpstreamError, RateLimited) as failure:
            return EntityResults(identifier, (), failure=failure)
        return replace(results, notices=[*noticed("ASSUMED", identifier.assumption), *results.notices])

    async def _find_by_name(self, identifier: IdentifierReading) -> EntityResults:
        """Entities of exactly this name, else terms with this synonym."""
        near_entities = tuple(distinct((await self._entities(identifier, {"name": identifier.id})).items))
        if exact := tuple(entity for entity in near_entities if has_name(entity, identifier.id)):
            return EntityResults(identifier, exact)
        if identifier.kind != "term":
            return EntityResults(identifier, (), near_misses=near_entities)
        terms = distinct((await self._entities(identifier, {"synonyms": identifier.id})).items)
        synonym_matches = tuple(term for term in terms if has_name_or_synonym(term, identifier.id))
        is_by_synonym = bool(synonym_matches)
        names = ", ".join(f"{term.name} ({term.id})" for term in synonym_matches)
        message = f"{identifier.id} is a synonym of {names}." if is_by_synonym else None
        notices = noticed("QUERY_UNDERSTOOD", message)
        return EntityResults(identifier, synonym_matches, notices, is_by_synonym, near_misses=near_entities)

    async def by_reading(self, identifier: IdentifierReading, organism: Organism = "human") -> tuple[Entity, ...]:
        """The entities of one organism that carry an identifier; empty if there are none."""
        key = _KEYS[identifier.id_type]
        parameters = {key.parameter: key.value(identifier.id)}
        found = await self._entities(identifier, parameters, organism, id_field=key.field)
        entities = tuple(entity for entity in distinct(found.items) if key.carries(entity, identifier.id))
        if found.failure and not entities:
            raise found.failure  # the row that was asked for may be the one that lacks a field
        if identifier.id_type != "region":
            return entities
        region = Region.from_half_open(identifier.id)
        return tuple(entity for entity in entities if region_of(entity) == region) or entities

    async def _find_in_mouse(
        self, alternatives: Sequence[IdentifierReading], organism: Organism | None
    ) -> list[EntityResults]:
        """The mouse's entities, if neither the caller nor the ID names the organism."""
        if organism is not None:
            return []
        candidates = [
            identifier
            for identifier in alternatives
            if identifier.organism is None and identifier.id_type in _ID_TYPES_WITHOUT_ORGANISM
        ]
        results = await asyncio.gather(*(self.by_reading(identifier, "mouse") for identifier in candidates))
        return [
            EntityResults(identifier, entities, [_ONLY_IN_MOUSE(text=identifier.id)])
            for identifier, entities in zip(candidates, results, strict=True)
            if entities
        ]

    async def _entities(
        self,
        identifier: IdentifierReading,
        parameters: dict[str, str],
        organism: Organism = "human",
        *,
        id_field: str = "",
    ) -> ReadableRows[Entity]:
        """The entities that an endpoint has for an identifier; near misses may be among them."""
        endpoint = endpoint_of(identifier.kind)
        if "organism" in endpoint.parameters and organism not in endpoint.organisms:
            return ReadableRows([])
        return await self.questions.entities(endpoint.path, parameters, organism, id_field=id_field)


def single_entity(text: str, results: EntityResults) -> tuple[Entity, list[Notice]]:
    """The single entity of the results; for isoforms of a protein, the one that represents its gene.

    Raises:
        AmbiguousQuery: there are several, and none represents the others.
    """
    first, *other_entities = results.entities
    if not other_entities:
        return first, results.notices
    isoforms = [protein for protein in results.entities if isinstance(protein, ProteinEntity)]
    if not isoforms:
        raise ambiguous(text, results.entities, "alleles" if first.type == "variant" else "entities")
    representative = next((protein for protein in isoforms if protein.is_mane_select), isoforms[0])
    other_ids = ", ".join(protein.id for protein in isoforms if protein is not representative)
    message = f"{text} stands for {len(isoforms)} proteins; {representative.id} is shown. The others: {other_ids}."
    return representative, [*results.notices, Notice(code="SEVERAL_VALUES", message=message)]


def _batches(alternatives: Sequence[IdentifierReading]) -> list[tuple[IdentifierReading, ...]]:
    """The readings in batches of one lookup: all readings of an ID together, those of a name one by one."""
    if any(identifier.id_type != "name" for identifier in alternatives):
        return [tuple(alternatives)]
    return [(identifier,) for identifier in alternatives]


def _family(identifier: IdentifierReading, near_entities: Sequence[Entity]) -> EntityResults:
    """Terms whose names contain all words of a name that no term has exactly."""
    if identifier.kind != "term" or identifier.id_type != "name":
        return EntityResults(identifier, ())
    name_words = set(identifier.id.casefold().split())
    terms = [entity for entity in near_entities if entity.type == "ontology_term"]
    family = [term for term in terms if name_words <= set((term.name or "").casefold().replace(",", " ").split())]
    family.sort(key=lambda term: (len(term.name or ""), term.id))
    return EntityResults(identifier, tuple(family), is_by_words=True)


def _shared_name(entities: EntityResults) -> EntityResults:
    """Terms that share a name, as far as one call goes from all of them; says which they are."""
    is_plain = len(entities.entities) == 1 and not entities.is_by_words
    if entities.identifier.kind != "term" or entities.identifier.id_type != "name" or is_plain:
        return entities
    terms = entities.entities[:_MOST_TERMS]
    names = ", ".join(map(titled, terms))
    remainder = f", not {len(entities.entities) - _MOST_TERMS} more" if len(entities.entities) > _MOST_TERMS else ""
    notice = Notice(code="QUERY_UNDERSTOOD", message=f"{entities.identifier.id} was read as {names}{remainder}.")
    return replace(entities, entities=terms, notices=[*entities.notices, notice])


def _other_readings(
    text: str, hits: Sequence[EntityResults], lookups: Sequence[EntityResults], failure: BiofactError | None
) -> list[Notice]:
    """A notice of readings besides the first hit: further hits, and readings of an ID without any."""
    first, *other_hits = hits
    if failure is not None:
        message = f"Whether {text} is something else, too, could not be asked. {failure.message}"
        return [Notice(code="LEG_FAILED", message=message)]
    words = f"{text} was read as {KIND_PHRASES[first.identifier.kind]}"
    if other_hits:
        phrases = [
            f"{KIND_PHRASES[other.identifier.kind]}, {', '.join(map(titled, other.entities[:_MOST_TERMS]))}"
            for other in other_hits
        ]
        kind = other_hits[0].identifier.kind
        hint = "disease" if kind == "term" else kind
        hint_phrase = f": call {GET_ENTITY} with hint={hint!r} for that" if hint in get_args(Hint) else ""
        return [Notice(code="SHARED_MATCH", message=f"{words}, and is also {'; '.join(phrases)}{hint_phrase}.")]
    if len(lookups) == 1 or all(entities.identifier.id_type == "name" for entities in lookups):
        return []
    failed = [entities.identifier.kind for entities in lookups if entities.identifier is not first.identifier]
    phrase = " or ".join(dict.fromkeys(KIND_PHRASES[kind] for kind in failed))
    return [Notice(code="QUERY_UNDERSTOOD", message=f"{words}; nothing is {phrase} of that name.")]


def titled(entity: Entity) -> str:
    """The ID of an entity, with its name where it has one."""
    return entity.id if entity.name is None else f"{entity.id} ({entity.name})"
