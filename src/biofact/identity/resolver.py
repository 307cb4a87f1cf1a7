"""Many names to entities: each source that may know a name is queried in few requests, and the hits are joined."""

import asyncio
import re
from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Literal

from biofact.core import call, organisms
from biofact.core.envelopes import ErrorEnvelope
from biofact.core.errors import AmbiguousQuery, BiofactError, RateLimited, UpstreamError
from biofact.core.identifiers import QUERY_LENGTH, query_text
from biofact.core.kinds import EntityKind
from biofact.core.organisms import Taxon
from biofact.core.quoting import brief, summary
from biofact.core.records import Notice, missing_part
from biofact.core.words import folded
from biofact.core.xrefs import ENSEMBL_GENE, ENSEMBL_TRANSCRIPT, OF_WORM, REGISTRY
from biofact.dialects.genomic.regions import is_written_like_a_region
from biofact.dialects.genomic.variants import is_written_like_a_variant
from biofact.identity.cells import MISSING, SpreadsheetCell, is_missing, spreadsheet_cell
from biofact.identity.records import Candidate, ResolvedEntity, ResolvedName
from biofact.protocol.client import LifeSciencesClient
from biofact.protocol.names import SINGLE_LOOKUP_LIMIT, NamedEntity, NameFinder, NameResults, finders

_UNIPROT_ACCESSION = REGISTRY["uniprot"].form.partition(":")[2]
_SPECIES = "HUMAN|MOUSE|RAT|DANRE|DROME|CAEEL|YEAST"
_REFSEQ = r"(?:RefSeq:)?"
_KINDS_BY_FORM: tuple[tuple[tuple[EntityKind, ...], str], ...] = (
    (("gene",), rf"(?:{ENSEMBL_GENE})(?:\.\d+)?|(?:NCBIGene|GeneID|EntrezGene|HGNC)[:_ ]\s*(?:HGNC:)?\d+|LOC\d+"),
    (("gene",), r"(?-i:R[Ss])\d{1,2}"),  # RS1 is retinoschisin, rs1 a variant
    (("variant", "gene"), r"(?-i:R[Ss])\d+"),
    (("gene", "transcript"), OF_WORM),  # as are names of clones that are genes' aliases: OR1.5.10
    (("transcript",), rf"(?:{ENSEMBL_TRANSCRIPT})(?:\.\d+)?|{_REFSEQ}[NX][MR]_\d+(?:\.\d+)?"),
    (
        ("protein",),
        (
            rf"ENS[A-Z]*P\d{{11}}(?:\.\d+)?|{_REFSEQ}[NX]P_\d+(?:\.\d+)?|UniProt(?:KB)?:\s*(?:{_UNIPROT_ACCESSION})(?:[.-]\d+)?"
            rf"|(?:{_UNIPROT_ACCESSION})-\d+|[OPQ]\d{{5}}|[A-Z0-9]{{1,10}}_(?:{_SPECIES})"
        ),
    ),
    (
        ("gene", "protein"),
        rf"(?:{_UNIPROT_ACCESSION})(?:\.\d+)?",
    ),  # B3GAT1 and P2RY11 are symbols in the form of accessions
    (("compound",), r"(?:chembl\.compound:)?CHEMBL:?\d+|[A-Z]{14}-[A-Z]{10}-[A-Z]|InChI=\S+"),
    (("variant",), r"rs\d+|CA\d{5,}"),
    (("disease",), r"(?:MONDO|EFO|DOID|ORPHA(?:NET)?|HP|O?MIM)[:_]\d+|(?:MESH|UMLS|ICD[\w-]*|SNOMED\w*):\S+"),
    (
        ("article",),
        (
            r"(?:https?://)?(?:www\.)?(?:pubmed\.ncbi\.nlm\.nih\.gov|ncbi\.nlm\.nih\.gov/(?:pubmed|pmc/articles)"
            r"|pmc\.ncbi\.nlm\.nih\.gov/articles)/\S+|(?:PMID|PubMed)[:#]?\s*\d+|(?:PMCID:\s*)?PMC:?\s*\d{3,}(?:\.\d+)?"
            r"|(?:(?:https?://)?(?:dx\.)?doi\.org/|doi\s*:?\s*)?10\.\d{4,9}/\S+"
        ),
    ),
)
_PATTERNS = tuple((kinds, re.compile(form, re.IGNORECASE | re.ASCII)) for kinds, form in _KINDS_BY_FORM)
_SYMBOL = re.compile(r"(?=\S*[A-Z0-9():\[\]])\S{1,30}")
"""One word with a capital, a digit or a sign, as most names in columns are. A word with a capital in front may
begin a sentence: Imatinib."""


_UNPLACED = "Un"
"""The chromosome of NCBI's genes on sequences that no chromosome has."""


@dataclass(frozen=True, slots=True)
class LikelyKinds:
    """The kinds of entity to search for under a name."""

    first: tuple[EntityKind, ...]
    fallback: tuple[EntityKind, ...] = ()
    """The kinds to search for where there is no hit of the first kinds."""
    is_exact: bool = False
    """Whether it is looked up as it is written, and not searched for by words."""


_EXAMPLES = 5  # cells that a notice quotes
_WORDS: tuple[EntityKind, ...] = ("compound", "gene", "disease")


def likely_kinds(name: str) -> LikelyKinds:
    """The kinds that a name of this form may stand for."""
    for kinds, pattern in _PATTERNS:
        if pattern.fullmatch(name):
            return LikelyKinds(kinds)
    if is_written_like_a_variant(name):
        return LikelyKinds(("variant",))
    if is_written_like_a_region(name):
        return LikelyKinds(("region",))
    if _SYMBOL.fullmatch(name) and not (name.istitle() and name.isalpha()):
        return LikelyKinds(("gene",), fallback=("compound", "disease"))
    return LikelyKinds(_WORDS)


def assumption_notices(likely_kinds: Iterable[LikelyKinds]) -> list[Notice]:
    """A notice with the kinds inferred for names given without one."""
    counts = Counter(" or ".join(kinds.first) for kinds in likely_kinds)
    if not counts:
        return []
    summary = ", ".join(f"{count} as {kinds}" for kinds, count in counts.most_common())
    return [Notice(code="ASSUMED", message=f"Names read by their form: {summary}.")]


def missing_notices(cells: Collection[str]) -> list[Notice]:
    """A notice about the cells read as missing values."""
    if not cells:
        return []
    examples = ", ".join(sorted(map(repr, cells))[:_EXAMPLES])
    message = f"Read as missing values, not as names: {examples}. Search tools take them as names, as does --keep-na."
    return [Notice(code="ASSUMED", message=message)]


LEADING_SOURCES: Mapping[EntityKind, str] = {
    "gene": "entrez",
    "transcript": "ensembl",
    "protein": "igvf",
    "compound": "chembl",
    "variant": "igvf",
    "disease": "igvf",
    "article": "pubmed",
}
"""The source whose ID leads for an entity of several sources; without it, the first source by name."""


@dataclass(frozen=True)
class JoinedEntity:
    """One entity as the sources know it."""

    parts: Mapping[str, NamedEntity]
    """The hits by source, the one with the leading ID first."""
    counterparts: frozenset[str] = frozenset()
    """Sources that were searched for its label, and not for the name."""

    @property
    def lead(self) -> NamedEntity:
        """The part with the leading ID."""
        return next(iter(self.parts.values()))

    @cached_property
    def best(self) -> NamedEntity:
        """The part that matches the name best."""
        name_hits = (part for source, part in self.parts.items() if source not in self.counterparts)
        return max(name_hits, key=lambda part: part.score)

    @property
    def is_ambiguous(self) -> bool:
        """Whether a source has other entities that match equally well."""
        return self.best.shares_match

    def with_part(self, source: str, part: NamedEntity, *, is_counterpart: bool = False) -> "JoinedEntity":
        """The entity with the part of another source."""
        counterparts = self.counterparts | ({source} if is_counterpart else set())
        return JoinedEntity(_leading_first({**self.parts, source: part}, part.kind), counterparts)


def join_entities(by_source: Mapping[str, Sequence[NamedEntity]]) -> list[JoinedEntity]:
    """The entities of one name, each once, best first."""
    entities: list[JoinedEntity] = []
    for source, hits in by_source.items():
        for hit in hits:
            index = next((number for number, entity in enumerate(entities) if is_same(entity, source, hit)), None)
            if index is None:
                entities.append(JoinedEntity({source: hit}))
            else:
                entities[index] = entities[index].with_part(source, hit)
    return sorted(entities, key=lambda entity: -entity.best.score)


def is_same(entity: JoinedEntity, source: str, part: NamedEntity) -> bool:
    """Whether ``part`` is proven to be the entity: by a common ID, or else by the nomenclature's symbol."""
    if source in entity.parts or part.kind != entity.lead.kind:
        return False
    return any(_have_common_id(other, part) or _have_common_symbol(other, part) for other in entity.parts.values())


def _have_common_id(entity: NamedEntity, other: NamedEntity) -> bool:
    return any(entity.xrefs.get(key) == value for key, value in other.xrefs.items())


def _have_common_symbol(gene: NamedEntity, other: NamedEntity) -> bool:
    """A nomenclature gives a symbol to one gene of an organism, and it lies on one chromosome."""
    return (
        gene.kind == "gene"
        and gene.label == other.label
        and gene.organism is not None
        and folded(gene.organism) == folded(other.organism or "")
        and _may_share_chromosome(gene, other)
    )


def _may_share_chromosome(gene: NamedEntity, other: NamedEntity) -> bool:
    """A pseudoautosomal gene of NCBI's lies on ``X, Y``, Ensembl's on one of them; an unplaced one may lie anywhere."""
    chromosomes, other_chromosomes = (
        {*re.findall(r"[^\s,|]+", part.chromosome or _UNPLACED)} for part in (gene, other)
    )
    return not chromosomes.isdisjoint(other_chromosomes) or _UNPLACED in chromosomes | other_chromosomes


def _leading_first(parts: Mapping[str, NamedEntity], kind: EntityKind) -> dict[str, NamedEntity]:
    leading = LEADING_SOURCES.get(kind)
    return dict(sorted(parts.items(), key=lambda item: (item[0] != leading, item[0])))


Round = Literal["first", "fallback"]


@dataclass(frozen=True, slots=True)
class SourceFinder:
    """One search by name that a source offers."""

    source: str
    title: str
    finder: NameFinder


@dataclass(slots=True)
class NameAnswers:
    """The answers of the sources on one name."""

    by_source: dict[str, list[NamedEntity]] = field(default_factory=lambda: defaultdict(list))
    failures: list[BiofactError] = field(default_factory=list)
    blocking_failures: list[BiofactError] = field(default_factory=list)
    """The failures of sources that have the name's first kinds."""
    reasons: list[str] = field(default_factory=list)
    remarks: list[str] = field(default_factory=list)
    is_unsearched: bool = False
    """Whether a source that may know the name was not searched for it."""

    @property
    def is_settled(self) -> bool:
        """Whether a source has the name, or the reason that none does."""
        return bool(self.by_source or self.reasons)

    @property
    def is_unknown(self) -> bool:
        """Whether a source that should know the name failed: then the silence of the others proves nothing."""
        return bool(self.blocking_failures) and not self.reasons

    def reason(self, likely_kinds: LikelyKinds) -> str:
        """Why there is no entity."""
        if self.reasons:
            return " ".join(dict.fromkeys(self.reasons))
        kinds = " or ".join((*likely_kinds.first, *likely_kinds.fallback))
        failed = "".join(f" {message}" for message in dict.fromkeys(failure.message for failure in self.failures))
        unknown = "No database that answered knows it." if failed else f"No {kinds} is called so."
        if self.is_unsearched:
            unknown = "It was not searched by words: too many names are unknown for that; ask for this one alone."
        remarks = "".join(f" {remark}" for remark in dict.fromkeys(self.remarks))
        return f"{unknown}{remarks}{failed}"


@dataclass(frozen=True, slots=True)
class SearchRequest:
    """A request to one source for several names."""

    finder: SourceFinder
    names: Sequence[str]
    organism: str
    is_by_label: bool = False
    """Whether the names are labels of entities that another source found."""


class NameSearch:
    """The search for one list of names in all sources."""

    def __init__(self, finders: Sequence[SourceFinder], likely_kinds: Mapping[str, LikelyKinds], organism: str) -> None:
        self.likely_kinds = likely_kinds
        self.answers = {name: NameAnswers() for name in likely_kinds}
        self._finders = finders
        self._organism = organism
        self._hits: dict[tuple[SourceFinder, str, str], Sequence[NamedEntity]] = {}
        """Hits of a source for a name, or a label, in an organism."""
        self._failures: dict[str, BiofactError] = {}
        self._remarks: list[Notice] = []

    async def run(self) -> None:
        """Search for many names at once, then for those without a hit and in sources without the entity."""
        single = (
            self._single_requests("first", skips_batched=True) if len(self.likely_kinds) < SINGLE_LOOKUP_LIMIT else ()
        )
        await self._search(*self._batch_requests("first"), *single)
        # An entity that one source knows under the name may be known to another by its label alone (decision 0053).
        await self._search(*self._batch_requests("fallback"), *self._single_requests("first"), *self._label_requests())
        await self._search(*self._single_requests("fallback"), *self._label_requests())
        for name, answers in self.answers.items():
            answers.is_unsearched = not answers.is_settled and any(
                self._may_know(finder, name) and not self._is_searched(finder, name) for finder in self._finders
            )

    def notices(self) -> list[Notice]:
        """The sources that failed, and the remarks of the others on all names."""
        failed = (missing_part(f"what {title} knows", failure.message) for title, failure in self._failures.items())
        return list(dict.fromkeys([*self._remarks, *failed]))

    def _batch_requests(self, part: Round) -> Iterator[SearchRequest]:
        """A request for all open names to each source that takes many at once."""
        for source in self._finders:
            if source.finder.is_joined:
                yield SearchRequest(source, self._open_names(source, part), self._organism)

    def _single_requests(self, part: Round, *, skips_batched: bool = False) -> Iterator[SearchRequest]:
        """The open names, where they are few, for sources that take one at a time.

        ``skips_batched`` leaves out names that a batch request covers.
        """
        for source in self._finders:
            if source.finder.is_joined:
                continue
            names = self._open_names(source, part)
            if len(names) < SINGLE_LOOKUP_LIMIT:
                names = [name for name in names if not (skips_batched and self._is_batched(name, source.finder.kind))]
                yield SearchRequest(source, names, self._organism)

    def _is_batched(self, name: str, kind: EntityKind) -> bool:
        finders = (source.finder for source in self._finders)
        return any(finder.is_joined and finder.kind == kind and finder.takes(name) for finder in finders)

    def _label_requests(self) -> list[SearchRequest]:
        """Requests for entities by their label, to sources that were not searched for it: they may lack the name."""
        labels: dict[tuple[SourceFinder, str], dict[str, None]] = defaultdict(dict)
        for entity in (entity for name in self.answers for entity in self.entities(name)):
            organism = entity.lead.organism or self._organism
            for source in self._counterpart_sources(entity):
                if (source, _species(organism), entity.lead.label) not in self._hits:
                    labels[source, organism][entity.lead.label] = None
        return [
            SearchRequest(source, [*names], organism, is_by_label=True) for (source, organism), names in labels.items()
        ]

    def _counterpart_sources(self, entity: JoinedEntity) -> Iterator[SourceFinder]:
        """Sources that may have the entity under its label."""
        for source in self._finders:
            finder = source.finder
            is_able = source.title not in self._failures and finder.is_joined and finder.takes(entity.lead.label)
            if is_able and finder.kind == entity.lead.kind and source.source not in entity.parts:
                yield source

    def entities(self, name: str) -> list[JoinedEntity]:
        """The entities of a name, each once, best first, with their counterparts in other sources."""
        return [self._with_counterparts(entity) for entity in join_entities(self.answers[name].by_source)]

    def _with_counterparts(self, entity: JoinedEntity) -> JoinedEntity:
        species = _species(entity.lead.organism or self._organism)
        for source in self._counterpart_sources(entity):
            hits = self._hits.get((source, species, entity.lead.label), ())
            # A label may be shared: only what is proven the same joins.
            if (hit := next((hit for hit in hits if is_same(entity, source.source, hit)), None)) is not None:
                entity = entity.with_part(source.source, hit, is_counterpart=True)
        return entity

    async def _search(self, *requests: SearchRequest) -> None:
        requests = tuple(request for request in requests if request.names)
        counter = call.Counter(sum(len(request.names) for request in requests), "names looked up")
        answers = await asyncio.gather(*(_send(request, counter) for request in requests))
        for request, answer in zip(requests, answers, strict=True):
            if answer.failures:
                self._failures[request.finder.title] = next(iter(answer.failures.values()))
            self._remarks += answer.notices
            for name in request.names:
                key = (request.finder, _species(request.organism), name)
                self._hits[key] = answer.entities.get(name, ())
                if not request.is_by_label:
                    self._add_answer(request.finder, name, answer)

    def _add_answer(self, source: SourceFinder, name: str, answer: NameResults) -> None:
        """Add a source's answer to the answers on one name."""
        answers = self.answers[name]
        if entities := answer.entities.get(name):
            answers.by_source[source.source] += entities
        elif name in answer.failures:
            answers.failures.append(answer.failures[name])
            if source.finder.kind in self.likely_kinds[name].first:
                answers.blocking_failures.append(answer.failures[name])
        elif name in answer.reasons:
            answers.reasons.append(answer.reasons[name])
        if name in answer.remarks:
            answers.remarks.append(answer.remarks[name])

    def _open_names(self, source: SourceFinder, part: Round) -> list[str]:
        """The names that a source may know and was not searched for; in the fallback round, those without a hit."""
        return [
            name
            for name, kinds in self.likely_kinds.items()
            if source.finder.kind in (kinds.first if part == "first" else kinds.fallback)
            and (source.finder.is_joined or not kinds.is_exact)
            and not self._is_searched(source, name)
            and ((source.finder.is_joined and part == "first") or not self.answers[name].is_settled)
            and source.finder.takes(name)
        ]

    def _is_searched(self, source: SourceFinder, name: str) -> bool:
        return (source, _species(self._organism), name) in self._hits

    def _may_know(self, source: SourceFinder, name: str) -> bool:
        kinds = self.likely_kinds[name]
        return source.finder.kind in (*kinds.first, *kinds.fallback) and bool(source.finder.takes(name))


def _species(organism: str) -> str:
    """The scientific name of a model organism, by whatever name the user calls it."""
    taxon = organisms.taxon(organism)
    return taxon.name if taxon else organism


async def _send(request: SearchRequest, counter: call.Counter) -> NameResults:
    try:
        answer = await request.finder.finder.find(request.names, request.organism)
    except (AmbiguousQuery, RateLimited, UpstreamError) as failure:
        answer = NameResults(failures=dict.fromkeys(request.names, failure))
    await counter.add(len(request.names))
    return answer


@dataclass(frozen=True, slots=True)
class RowFormat:
    """The facts that rows state: an agent pays for each word."""

    taxon: Taxon | None
    """The organism of the query, where it is a model organism."""
    is_whole: bool = False
    """Whether rows repeat facts of the query: a file of rows is read without it."""

    def entities(self, entities: Sequence[JoinedEntity], name: str, kinds: LikelyKinds) -> list[ResolvedEntity]:
        """The entities of one name, best first."""
        return [self._entity(entity, entities, name, kinds) for entity in entities]

    def _entity(
        self, entity: JoinedEntity, entities: Sequence[JoinedEntity], name: str, kinds: LikelyKinds
    ) -> ResolvedEntity:
        lead, best = entity.lead, entity.best
        is_query_organism = self.taxon is not None and lead.organism == self.taxon.name
        return ResolvedEntity(
            id=lead.id,
            label=lead.label if self.is_whole or lead.label != name else None,
            kind=lead.kind if self.is_whole or kinds.first != (lead.kind,) else None,
            organism=lead.organism if self.is_whole or not is_query_organism else None,
            score=best.score,
            match=best.match,
            status=best.status if self.is_whole or best.status != "current" else None,
            ids={source: part.id for source, part in entity.parts.items() if self.is_whole or part.id != lead.id},
            ambiguous_with=_ambiguous_ids(entity, entities),
            product_of=list(dict.fromkeys(gene for part in entity.parts.values() for gene in part.product_of)),
            form_of=lead.form_of,
        )


def _ambiguous_ids(entity: JoinedEntity, entities: Sequence[JoinedEntity]) -> list[str]:
    """IDs of the other entities of its kind that match equally well."""
    if not entity.is_ambiguous:
        return []
    kind = entity.lead.kind
    return [
        other.lead.id for other in entities if other is not entity and other.is_ambiguous and other.lead.kind == kind
    ]


Row = ResolvedName | ErrorEnvelope


@dataclass(frozen=True, slots=True)
class Resolution:
    """A row for each name, in order, and notices about all of them."""

    rows: list[Row]
    notices: list[Notice]


class Resolver:
    """Searches the sources that declare a search by name."""

    def __init__(self, finders: Sequence[SourceFinder]) -> None:
        self._finders = tuple(finders)

    @classmethod
    def of(cls, clients: Mapping[str, LifeSciencesClient]) -> "Resolver":
        """A resolver of the sources with these clients, by name."""
        return cls(
            [SourceFinder(name, client.title, finder) for name, client in clients.items() for finder in finders(client)]
        )

    async def resolve(
        self,
        names: Sequence[object],
        kind: EntityKind | None,
        organism: str,
        *,
        is_whole: bool = False,
        keep_na: bool = False,
    ) -> Resolution:
        """A row for each name, in order; the same name has the same row, and an input that is no name a failure.

        Whole rows repeat facts of the query, too. An organism that a source does not know is its failure. Marks of a
        missing value are no names, unless ``keep_na``.
        """
        texts = {name: query_text(name) for name in names if isinstance(name, str)}
        missing = {text for text in texts.values() if not keep_na and is_missing(text)}
        named = [text for text in texts.values() if _is_name(text) and text not in missing]
        cells = {text: cell for text in named if kind in {None, "gene"} and (cell := spreadsheet_cell(text))}
        kinds = {text: LikelyKinds((kind,)) if kind else likely_kinds(text) for text in named if text not in cells}
        exact_gene = LikelyKinds(("gene",), is_exact=True)
        readings = {name: exact_gene for text, cell in cells.items() for name in cell.readings(text)}
        search = NameSearch(self._finders, {**readings, **kinds}, organism)
        await search.run()
        row_format = RowFormat(organisms.taxon(organism), is_whole)

        def row(name: object) -> Row:
            text = texts.get(name) if isinstance(name, str) else None
            if not isinstance(name, str) or text not in {*missing, *search.answers}:
                return _unreadable(name)
            if text in missing:
                return ResolvedName(name=name, entities=[], reason=MISSING)
            cell = cells.get(text)
            return _cell_row(name, text, cell, search, row_format) if cell else _row(name, text, search, row_format)

        assumptions = [] if kind else assumption_notices(kinds.values())
        return Resolution([row(name) for name in names], [*assumptions, *missing_notices(missing), *search.notices()])


def _is_name(text: str) -> bool:
    return len(text) in QUERY_LENGTH


def _unreadable(name: object) -> ErrorEnvelope:
    length = f"text of {QUERY_LENGTH[0]} to {QUERY_LENGTH[-1]} characters"
    failure = AmbiguousQuery(
        f"A name is {length}, not {summary(query_text(name) if isinstance(name, str) else name)}.",
        hint="Give a name, or leave the row out.",
    )
    return ErrorEnvelope.of(failure, brief(name))


def _row(name: str, text: str, search: NameSearch, row_format: RowFormat) -> Row:
    answers, kinds = search.answers[text], search.likely_kinds[text]
    entities = search.entities(text)
    if not entities and answers.is_unknown:
        return ErrorEnvelope.of(answers.blocking_failures[0], name)
    reason = None if entities else answers.reason(kinds)
    return ResolvedName(name=name, entities=row_format.entities(entities, name, kinds), reason=reason)


def _cell_row(name: str, text: str, cell: SpreadsheetCell, search: NameSearch, row_format: RowFormat) -> Row:
    """The row of a cell that a spreadsheet may have made of a name, or that of the name where it stands for no more."""
    own = _candidates([text], search)
    candidates = {**own, **(_candidates(cell.names, search) or _candidates(cell.foreign_names, search))}
    if own and candidates.keys() == own.keys():
        return _row(name, text, search, row_format)
    failures = [failure for reading in cell.readings(text) for failure in search.answers[reading].blocking_failures]
    if not candidates and failures:
        return ErrorEnvelope.of(failures[0], name)
    reason = cell.reason(", ".join(map(str, candidates.values())))
    return ResolvedName(name=name, entities=[], reason=reason, candidates=[*candidates.values()])


def _candidates(names: Iterable[str], search: NameSearch) -> dict[str, Candidate]:
    """The entities with one of these names, by ID, in the order of the names."""
    candidates: dict[str, Candidate] = {}
    for name in names:
        for entity in search.entities(name):
            known = candidates.get(entity.lead.id)
            was = [*known.was, name] if known else [name]
            candidates[entity.lead.id] = Candidate(id=entity.lead.id, label=entity.lead.label, was=was)
    return candidates
