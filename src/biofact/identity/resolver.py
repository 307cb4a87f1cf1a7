"""Names to rows: what each cell of a column stands for, beside what the sources know of it."""

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace

from biofact.core import curies, organisms
from biofact.core.envelopes import ErrorEnvelope
from biofact.core.errors import AmbiguousQuery
from biofact.core.identifiers import QUERY_LENGTH, is_letter, is_unreadable_address, is_words, query_text
from biofact.core.kinds import EntityKind
from biofact.core.organisms import Taxon
from biofact.core.quoting import brief, summary
from biofact.core.records import Notice
from biofact.core.words import fragments
from biofact.identity.cells import MISSING, SpreadsheetCell, cell_text, is_missing, spreadsheet_cell
from biofact.identity.forms import NamedForm, named_form
from biofact.identity.joining import JoinedEntity, Leader
from biofact.identity.kinds import LikelyKinds, assumption_notices, likely_kinds
from biofact.identity.records import ResolvedEntity, ResolvedName
from biofact.identity.search import NameSearch, SourceFinder
from biofact.protocol.client import LifeSciencesClient
from biofact.protocol.names import NewCall, finders
from biofact.protocol.ranking import is_written_as_in_mouse, read_as_human

_EXAMPLES = 5  # cells that a notice quotes
_HUMAN = "Homo sapiens"


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
        taxon = organisms.taxon(organism)
        column = Column.read(names, kind, taxon, keep_na=keep_na)
        search = await self._search(column.searched_names(), organism)
        # Only of what no source knows as a whole.
        open_names = [text for text in column.kinds if text not in column.forms and search.has_no_answer(text)]
        parts = {text: fragments(text) for text in open_names}
        part_kinds = {part: column.exact_kinds(part) for text_parts in parts.values() for part in text_parts}
        part_search = await self._search(part_kinds, organism)
        leaders = {text: leader for text in parts if (leader := part_search.leader_of_parts(parts[text]))}
        rows = ColumnRows(column, search, leaders, RowFormat(taxon, is_whole)).rows()
        notices = dict.fromkeys([*search.notices(), *part_search.notices()])
        return Resolution(rows, [*column.notices(), *_human_notices(rows), *notices])

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


@dataclass(frozen=True, slots=True)
class Column:
    """Names as they are read: by text, each once."""

    names: Sequence[object]
    """As given, cells of data frames as text."""
    kind: EntityKind | None
    texts: Mapping[str, str]
    """The ID that a name writes, or its words."""
    missing: Collection[str]
    """Texts that mark a missing value."""
    cells: Mapping[str, SpreadsheetCell]
    """Texts that a spreadsheet may have made of a name."""
    kinds: Mapping[str, LikelyKinds]
    """The likely kinds of the other texts that are names."""
    forms: Mapping[str, NamedForm]
    """Texts that are named after a gene or protein."""

    @classmethod
    def read(cls, names: Sequence[object], kind: EntityKind | None, taxon: Taxon | None, *, keep_na: bool) -> "Column":
        """Read names of an organism."""
        given_names = [cell_text(name) for name in names]
        texts = {name: _text(name) for name in given_names if isinstance(name, str)}
        missing = {text for text in texts.values() if not keep_na and is_missing(text)}
        named = [text for text in texts.values() if _is_name(text, kind) and text not in missing]
        cells = {text: cell for text in named if kind in {None, "gene"} and (cell := spreadsheet_cell(text))}
        kinds = {text: _kinds(text, kind) for text in named if text not in cells}
        forms = {text: form for text in kinds if (form := named_form(text, taxon.id if taxon else None))}
        return cls(given_names, kind, texts, missing, cells, kinds, forms)

    def searched_names(self) -> dict[str, LikelyKinds]:
        """The names to search for: the texts, and those that cells and forms lead to, which are only looked up."""
        exact_gene = LikelyKinds(("gene",), is_exact=True)
        of_cells = {name: exact_gene for text, cell in self.cells.items() for name in cell.readings(text)}
        of_forms = {
            name: LikelyKinds((form.kind,), is_exact=True) for form in self.forms.values() for name in form.names
        }
        return {**of_forms, **of_cells, **self.kinds}

    def exact_kinds(self, part: str) -> LikelyKinds:
        """The likely kinds of a part of a text, which is only looked up."""
        return replace(_kinds(part, self.kind), is_exact=True)

    def notices(self) -> list[Notice]:
        """Notices of kinds that were inferred, and of missing values."""
        assumptions = [] if self.kind else assumption_notices(self.kinds.values())
        return [*assumptions, *missing_notices(self.missing)]


@dataclass(frozen=True, slots=True)
class ColumnRows:
    """The rows of a column."""

    column: Column
    search: NameSearch
    leaders_of_parts: Mapping[str, Leader]
    """By text, of cells with several names."""
    row_format: RowFormat

    def rows(self) -> list[Row]:
        """A row for each name, in order."""
        return [self._row_of(name) for name in self.column.names]

    def _row_of(self, name: object) -> Row:
        column = self.column
        text = column.texts.get(name) if isinstance(name, str) else None
        if not isinstance(name, str) or text not in {*column.missing, *self.search.answers}:
            return _unreadable(name)
        if text in column.missing:
            return ResolvedName(name=name, entities=[], reason=MISSING)
        if text in column.forms and not self.search.entities(text):
            return self._form_row(name, text)
        if leader := self.leaders_of_parts.get(text):
            return self.row_format.row(leader, name, column.kinds[text])
        return self._cell_row(name, text) if text in column.cells else self._row(name, text)

    def _row(self, name: str, text: str) -> Row:
        answers, kinds = self.search.answers[text], self.search.likely_kinds[text]
        entities = self.search.entities(text)
        if entities:
            return self.row_format.row(Leader.of(entities), name, kinds)
        if answers.is_unknown:
            return ErrorEnvelope.of(answers.blocking_failures[0], name)
        return ResolvedName(name=name, entities=[], reason=answers.reason(kinds))

    def _form_row(self, name: str, text: str) -> Row:
        """The row of a form that no database has under its own name: the entity that it is of, or all it may be of."""
        form = self.column.forms[text]
        found = (candidate.entity for candidate in _candidates(form.names, self.search).values())
        entities = [entity for entity in found if form.is_of(entity.lead.label, entity.lead.kind)]
        if not entities:
            return self._row(name, text)
        reason = form.reason([entity.lead.label for entity in entities])
        if len(entities) > 1:
            named = [entity.written for entity in entities]
            return ResolvedName(name=name, entities=[], ambiguous_with=named, reason=reason)
        row = self.row_format.row(Leader.of(entities), name, self.search.likely_kinds[text])
        return row.model_copy(update={"reason": reason})

    def _cell_row(self, name: str, text: str) -> Row:
        """The row of a cell that a spreadsheet may have made of a name; of the name where it stands for no more."""
        cell, search = self.column.cells[text], self.search
        own = {entity.lead.id: Candidate(entity) for entity in search.entities(text)}
        candidates = {**own, **(_candidates(cell.names, search) or _candidates(cell.foreign_names, search))}
        if own and candidates.keys() == own.keys():
            return self._row(name, text)
        failures = [failure for reading in cell.readings(text) for failure in search.answers[reading].blocking_failures]
        if not candidates and failures:
            return ErrorEnvelope.of(failures[0], name)
        reason = cell.reason(", ".join(candidate.origin for candidate in candidates.values()))
        named = [candidate.entity.written for candidate in candidates.values()]
        return ResolvedName(name=name, entities=[], ambiguous_with=named, reason=reason)


def missing_notices(cells: Collection[str]) -> list[Notice]:
    """A notice about the cells read as missing values."""
    if not cells:
        return []
    examples = ", ".join(sorted(map(repr, cells))[:_EXAMPLES])
    message = f"Read as missing values, not as names: {examples}. Search tools take them as names, as does --keep-na."
    return [Notice(code="ASSUMED", message=message)]


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


def _human_notices(rows: Iterable[Row]) -> list[Notice]:
    """A notice of the names that were written as in mouse and read as human."""
    names = {row.name: None for row in rows if isinstance(row, ResolvedName) and _OF_MOUSE in (row.reason or "")}
    return [read_as_human([*names])] if names else []


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
