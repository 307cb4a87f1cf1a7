"""Many names to entities: each source that may know a name is queried in few requests, and the hits are joined."""

import asyncio
import re
from collections import Counter, defaultdict
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Literal

from biofact.core import call, curies, organisms
from biofact.core.envelopes import ErrorEnvelope
from biofact.core.errors import AmbiguousQuery, BiofactError, RateLimited, UpstreamError
from biofact.core.identifiers import (
    QUERY_LENGTH,
    UNREADABLE_ADDRESS,
    is_letter,
    is_unreadable_address,
    is_words,
    query_text,
)
from biofact.core.kinds import EntityKind
from biofact.core.organisms import Taxon
from biofact.core.quoting import brief, summary
from biofact.core.records import Notice, missing_part
from biofact.core.words import fragments
from biofact.core.xrefs import ENSEMBL_GENE, ENSEMBL_TRANSCRIPT, OF_WORM, REGISTRY
from biofact.dialects.genomic.regions import is_written_like_a_region
from biofact.dialects.genomic.variants import is_written_like_a_variant
from biofact.identity.cells import MISSING, SpreadsheetCell, cell_text, is_missing, spreadsheet_cell
from biofact.identity.forms import NamedForm, named_form
from biofact.identity.joining import JoinedEntity, Leader, is_same, join_entities
from biofact.identity.records import ResolvedEntity, ResolvedName
from biofact.protocol.client import LifeSciencesClient
from biofact.protocol.names import NamedEntity, NameFinder, NameResults, NewCall, finders
from biofact.protocol.ranking import is_written_as_in_mouse, read_as_human

_UNIPROT_ACCESSION = REGISTRY["uniprot"].form.partition(":")[2]
_SPECIES = "HUMAN|MOUSE|RAT|DANRE|DROME|CAEEL|YEAST"
_REFSEQ = r"(?:RefSeq:)?"
_KINDS_BY_FORM: tuple[tuple[tuple[EntityKind, ...], str], ...] = (
    (
        ("gene",),
        (
            rf"(?:{ENSEMBL_GENE})(?:\.\d+)?|(?:NCBIGene|GeneID|EntrezGene|HGNC)[:_ ]\s*(?:HGNC:)?\d+|LOC\d+"
            r"|(?:MGI|RGD|ZFIN|SGD):\S+"
        ),
    ),
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
    (
        ("compound",),
        (
            r"(?:chembl\.compound:)?CHEMBL:?\d+|[A-Z]{14}-[A-Z]{10}-[A-Z]|InChI=\S+"
            r"|(?:DrugBank|PUBCHEM\.COMPOUND|CHEBI|CAS|KEGG|UNII|HMDB|DRUGCENTRAL|GTOPDB):\S+|DTXSID\d+"
        ),
    ),
    (("variant",), r"rs\d+|CA\d{5,}"),
    (("disease",), r"(?:MONDO|EFO|DOID|ORPHA(?:NET)?|HP|O?MIM)[:_]\d+|(?:MESH|UMLS|ICD[\w-]*|SNOMED\w*):\S+"),
    (
        ("article",),
        (
            r"(?:PMID|PubMed)[:#]?\s*\d+|(?:PMCID:\s*)?PMC:?\s*\d{3,}(?:\.\d+)?"
            r"|(?:doi\s*:?\s*)?10\.\d{4,9}/\S+"
        ),
    ),
)
_READERS: tuple[tuple[tuple[EntityKind, ...], Callable[[str], object]], ...] = (
    ((), is_unreadable_address),
    *((kinds, re.compile(form, re.IGNORECASE | re.ASCII).fullmatch) for kinds, form in _KINDS_BY_FORM),
    (("gene",), is_letter),
    (("variant",), is_written_like_a_variant),
    (("region",), is_written_like_a_region),
)
"""Kinds, and whether a name is of their form; the first that it has counts."""
_SYMBOL = re.compile(r"(?=\S*[A-Z0-9():\[\]])\S{1,30}")
"""One word with a capital, a digit or a sign, as most names in columns are. A word with a capital in front may
begin a sentence: Imatinib."""

_CODE = re.compile(r"[A-Z]{2,}\d+[A-Z]{0,2}", re.IGNORECASE | re.ASCII)
"""Letters with a number, as compounds under research have them: AZD6244. To look a disease up takes six requests."""


@dataclass(frozen=True, slots=True)
class LikelyKinds:
    """The kinds of entity to search for under a name."""

    first: tuple[EntityKind, ...]
    fallback: tuple[EntityKind, ...] = ()
    """The kinds to search for where there is no hit of the first kinds; none of either for an unreadable address."""
    is_exact: bool = False
    """Whether it is looked up as it is written, and not searched for by words."""


_EXAMPLES = 5  # cells that a notice quotes
_HUMAN = "Homo sapiens"
_WORDS: tuple[EntityKind, ...] = ("compound", "gene", "disease")


def likely_kinds(name: str) -> LikelyKinds:
    """The kinds that a name of this form may stand for."""
    for kinds, has_form in _READERS:
        if has_form(name):
            return LikelyKinds(kinds)
    if _SYMBOL.fullmatch(name) and not (name.istitle() and name.isalpha()):
        return LikelyKinds(("gene",), fallback=("compound",) if _CODE.fullmatch(name) else ("compound", "disease"))
    return LikelyKinds(_WORDS)


def assumption_notices(likely_kinds: Iterable[LikelyKinds]) -> list[Notice]:
    """A notice with the kinds inferred for names given without one."""
    counts = Counter(" or ".join(kinds.first) for kinds in likely_kinds if kinds.first)
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
        if not likely_kinds.first:
            return UNREADABLE_ADDRESS
        if self.reasons:
            return " ".join(dict.fromkeys(self.reasons))
        kinds = " or ".join((*likely_kinds.first, *likely_kinds.fallback))
        failed = "".join(f" {message}" for message in dict.fromkeys(failure.message for failure in self.failures))
        unknown = "No database that answered knows it." if failed else f"No {kinds} is called so."
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

    def __init__(
        self,
        finders: Sequence[SourceFinder],
        likely_kinds: Mapping[str, LikelyKinds],
        organism: str,
        new_call: NewCall,
    ) -> None:
        self.likely_kinds = likely_kinds
        self._new_call = new_call
        self.answers = {name: NameAnswers() for name in likely_kinds}
        self._finders = finders
        self._organism = organism
        self._hits: dict[tuple[SourceFinder, str, str], Sequence[NamedEntity]] = {}
        """Hits of a source for a name, or a label, in an organism."""
        self._failures: dict[str, BiofactError] = {}
        self._remarks: list[Notice] = []

    async def run(self) -> None:
        """Look all names up together, then search for each that is open, and in sources without its entity.

        The requests for a name depend on its own answers alone: it has the same row in any company.
        """
        await self._search(*self._joined_requests("first"))
        # An entity that one source knows under the name may be known to another by its label alone (decision 0053).
        await self._search(*self._joined_requests("fallback"), *self._searches("first"), *self._label_requests())
        await self._search(*self._searches("fallback"), *self._label_requests())

    def has_no_answer(self, name: str) -> bool:
        """Whether every source that may know the name answered that it does not."""
        answers = self.answers[name]
        has_words = not {*self.likely_kinds[name].first}.isdisjoint(_WORDS)
        return has_words and not answers.is_settled and not answers.is_unknown

    def leader_of_parts(self, parts: Sequence[str]) -> Leader | None:
        """The leader of a cell with these parts; None where they are no names, or it is not known what they are."""
        if any(self.answers[part].blocking_failures for part in parts):
            return None
        return Leader.of_parts({part: self.entities(part) for part in parts})

    def notices(self) -> list[Notice]:
        """The sources that failed, and the remarks of the others on all names."""
        failed = (missing_part(f"what {title} knows", failure.message) for title, failure in self._failures.items())
        return list(dict.fromkeys([*self._remarks, *failed]))

    def _joined_requests(self, part: Round) -> Iterator[SearchRequest]:
        """A request for all open names to each source that takes many at once."""
        for source in self._finders:
            if source.finder.is_joined:
                yield SearchRequest(source, self._open_names(source, part), self._organism)

    def _searches(self, part: Round) -> Iterator[SearchRequest]:
        """The open names for each source that searches for one at a time."""
        for source in self._finders:
            if not source.finder.is_joined:
                yield SearchRequest(source, self._open_names(source, part), self._organism)

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
        # Searches for one name at a time count their names themselves.
        joined_names = (len(request.names) for request in requests if request.finder.finder.is_joined)
        counter = call.Counter(sum(joined_names), "names looked up")
        answers = await asyncio.gather(*(self._send(request, counter) for request in requests))
        for request, answer in zip(requests, answers, strict=True):
            if answer.failures:
                self._failures[request.finder.title] = next(iter(answer.failures.values()))
            self._remarks += answer.notices
            for name in request.names:
                key = (request.finder, _species(request.organism), name)
                self._hits[key] = answer.entities.get(name, ())
                if not request.is_by_label:
                    self._add_answer(request.finder, name, answer)

    async def _send(self, request: SearchRequest, counter: call.Counter) -> NameResults:
        try:
            with self._new_call():
                answer = await request.finder.finder.find(request.names, request.organism)
        except (AmbiguousQuery, RateLimited, UpstreamError) as failure:
            answer = NameResults(failures=dict.fromkeys(request.names, failure))
        if request.finder.finder.is_joined:
            await counter.add(len(request.names))
        return answer

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


def _species(organism: str) -> str:
    """The scientific name of a model organism, by whatever name the user calls it."""
    taxon = organisms.taxon(organism)
    return taxon.name if taxon else organism


@dataclass(frozen=True, slots=True)
class RowFormat:
    """The facts that rows state: an agent pays for each word."""

    taxon: Taxon | None
    """The organism of the query, where it is a model organism."""
    is_whole: bool = False
    """Whether rows repeat facts of the query: a file of rows is read without it."""

    def row(self, leader: Leader, name: str, kinds: LikelyKinds) -> ResolvedName:
        """The row of a name that stands for an entity, or for several."""
        reasons = [leader.reason, _OF_MOUSE if _is_read_as_human(leader, name) else None]
        return ResolvedName(
            name=name,
            entities=[self._entity(entity, name, kinds) for entity in leader.entities],
            ambiguous_with=[*leader.ambiguous_with],
            reason=" ".join(filter(None, reasons)) or None,
        )

    def _entity(self, entity: JoinedEntity, name: str, kinds: LikelyKinds) -> ResolvedEntity:
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
            product_of=list(dict.fromkeys(gene for part in entity.parts.values() for gene in part.product_of)),
            form_of=lead.form_of,
        )


_OF_MOUSE = "Written as in mouse and rat; read as human."


def _is_read_as_human(leader: Leader, name: str) -> bool:
    """Whether a human gene leads that has the name in another letter case, and the name is in that of mouse and rat."""
    if not leader.entities or not is_written_as_in_mouse(name):
        return False
    best = leader.entities[0].best
    return best.is_other_case and best.organism == _HUMAN


Row = ResolvedName | ErrorEnvelope


@dataclass(frozen=True, slots=True)
class Resolution:
    """A row for each name, in order, and notices about all of them."""

    rows: list[Row]
    notices: list[Notice]


class Resolver:
    """Searches the sources that declare a search by name."""

    def __init__(self, clients: Mapping[str, LifeSciencesClient], new_call: NewCall) -> None:
        """The sources have these clients, by name; each round of requests runs in a new call."""
        self._finders = [
            SourceFinder(name, client.title, finder) for name, client in clients.items() for finder in finders(client)
        ]
        self._new_call = new_call

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
        names = [cell_text(name) for name in names]
        texts = {name: _text(name) for name in names if isinstance(name, str)}
        missing = {text for text in texts.values() if not keep_na and is_missing(text)}
        named = [text for text in texts.values() if _is_name(text, kind) and text not in missing]
        cells = {text: cell for text in named if kind in {None, "gene"} and (cell := spreadsheet_cell(text))}
        kinds = {text: _kinds(text, kind) for text in named if text not in cells}
        exact_gene = LikelyKinds(("gene",), is_exact=True)
        readings = {name: exact_gene for text, cell in cells.items() for name in cell.readings(text)}
        taxon = organisms.taxon(organism)
        forms = {text: form for text in kinds if (form := named_form(text, taxon.id if taxon else None))}
        bases = {name: LikelyKinds((form.kind,), is_exact=True) for form in forms.values() for name in form.names}
        search = await self._search({**bases, **readings, **kinds}, organism)
        parts = {text: fragments(text) for text in kinds if text not in forms and search.has_no_answer(text)}
        part_kinds = {
            part: replace(_kinds(part, kind), is_exact=True) for text_parts in parts.values() for part in text_parts
        }
        part_search = await self._search(part_kinds, organism)
        row_format = RowFormat(taxon, is_whole)

        def row(name: object) -> Row:
            text = texts.get(name) if isinstance(name, str) else None
            if not isinstance(name, str) or text not in {*missing, *search.answers}:
                return _unreadable(name)
            if text in missing:
                return ResolvedName(name=name, entities=[], reason=MISSING)
            if text in forms and not search.entities(text):
                return _form_row(name, text, forms[text], search, row_format)
            if leader := part_search.leader_of_parts(parts.get(text, ())):
                return row_format.row(leader, name, kinds[text])
            cell = cells.get(text)
            return _cell_row(name, text, cell, search, row_format) if cell else _row(name, text, search, row_format)

        rows = [row(name) for name in names]
        assumptions = [] if kind else assumption_notices(kinds.values())
        read = {row.name: None for row in rows if isinstance(row, ResolvedName) and _OF_MOUSE in (row.reason or "")}
        if read:
            assumptions.append(read_as_human([*read]))
        notices = dict.fromkeys([*search.notices(), *part_search.notices()])
        return Resolution(rows, [*assumptions, *missing_notices(missing), *notices])

    async def namesakes(
        self, label: str, kind: EntityKind, organism: str
    ) -> tuple[Sequence[JoinedEntity], list[Notice]]:
        """All entities of a kind that answer a label, best first.

        Raises:
            AmbiguousQuery, RateLimited, UpstreamError: there are none among the answers, and a source did not answer.
        """
        text = query_text(label)
        search = await self._search({text: LikelyKinds((kind,))}, organism)
        entities = search.entities(text)
        if not entities and search.answers[text].is_unknown:
            raise search.answers[text].blocking_failures[0]
        return entities, search.notices()

    async def _search(self, kinds: Mapping[str, LikelyKinds], organism: str) -> NameSearch:
        search = NameSearch(self._finders, kinds, organism, self._new_call)
        await search.run()
        return search


def _kinds(text: str, kind: EntityKind | None) -> LikelyKinds:
    return LikelyKinds((kind,)) if kind and not is_unreadable_address(text) else likely_kinds(text)


def _text(name: str) -> str:
    """The ID that a name writes, or its words."""
    text = query_text(name)
    return curies.read_id(text) or text


def _is_name(text: str, kind: EntityKind | None) -> bool:
    return is_words(text) or (is_letter(text) and kind in {None, "gene"})


def _unreadable(name: object) -> ErrorEnvelope:
    length = f"text of {QUERY_LENGTH[0]} to {QUERY_LENGTH[-1]} characters, or a gene's symbol of one letter"
    failure = AmbiguousQuery(
        f"A name is {length}, not {summary(query_text(name) if isinstance(name, str) else name)}.",
        hint="Give a name, or leave the row out.",
    )
    return ErrorEnvelope.of(failure, brief(name))


def _row(name: str, text: str, search: NameSearch, row_format: RowFormat) -> Row:
    answers, kinds = search.answers[text], search.likely_kinds[text]
    entities = search.entities(text)
    if entities:
        return row_format.row(Leader.of(entities), name, kinds)
    if answers.is_unknown:
        return ErrorEnvelope.of(answers.blocking_failures[0], name)
    return ResolvedName(name=name, entities=[], reason=answers.reason(kinds))


def _form_row(name: str, text: str, form: NamedForm, search: NameSearch, row_format: RowFormat) -> Row:
    """The row of a form that no database has under its own name: the entity that it is of, or all that it may be of."""
    found = (candidate.entity for candidate in _candidates(form.names, search).values())
    entities = [entity for entity in found if form.is_of(entity.lead.label, entity.lead.kind)]
    if not entities:
        return _row(name, text, search, row_format)
    reason = form.reason([entity.lead.label for entity in entities])
    if len(entities) > 1:
        named = [entity.written for entity in entities]
        return ResolvedName(name=name, entities=[], ambiguous_with=named, reason=reason)
    row = row_format.row(Leader.of(entities), name, search.likely_kinds[text])
    return row.model_copy(update={"reason": reason})


def _cell_row(name: str, text: str, cell: SpreadsheetCell, search: NameSearch, row_format: RowFormat) -> Row:
    """The row of a cell that a spreadsheet may have made of a name, or that of the name where it stands for no more."""
    own = {entity.lead.id: Candidate(entity) for entity in search.entities(text)}
    candidates = {**own, **(_candidates(cell.names, search) or _candidates(cell.foreign_names, search))}
    if own and candidates.keys() == own.keys():
        return _row(name, text, search, row_format)
    failures = [failure for reading in cell.readings(text) for failure in search.answers[reading].blocking_failures]
    if not candidates and failures:
        return ErrorEnvelope.of(failures[0], name)
    reason = cell.reason(", ".join(candidate.origin for candidate in candidates.values()))
    named = [candidate.entity.written for candidate in candidates.values()]
    return ResolvedName(name=name, entities=[], ambiguous_with=named, reason=reason)


@dataclass(frozen=True, slots=True)
class Candidate:
    """An entity that a cell may have stood for before a spreadsheet changed it."""

    entity: JoinedEntity
    names: Sequence[str] = ()
    """The names of it that become the cell; none where it has the cell as a name, such as a GeneID."""

    @property
    def origin(self) -> str:
        """The label, with the names in brackets."""
        names, label = " or ".join(self.names), self.entity.lead.label
        return label if names == label else f"{label} ({f'was {names}' if names else 'as written'})"


def _candidates(names: Iterable[str], search: NameSearch) -> dict[str, Candidate]:
    """The entities with one of these names, by ID, in the order of the names."""
    candidates: dict[str, Candidate] = {}
    for name in names:
        for entity in search.entities(name):
            known = candidates.get(entity.lead.id)
            candidates[entity.lead.id] = Candidate(entity, [*known.names, name] if known else [name])
    return candidates
