"""Names to rows: what each cell of a column stands for, beside what the sources know of it."""

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from biofact.core import curies, organisms
from biofact.core.envelopes import ErrorEnvelope
from biofact.core.errors import AmbiguousQuery, BiofactError
from biofact.core.identifiers import QUERY_LENGTH, is_letter, is_words, query_text
from biofact.core.kinds import EntityKind
from biofact.core.organisms import Taxon
from biofact.core.quoting import brief, summary
from biofact.core.records import Notice
from biofact.identity.cells import cell_text
from biofact.identity.forms import MISSING_VALUE, Reading, read_again, read_cell
from biofact.identity.joining import JoinedEntity, Leader
from biofact.identity.kinds import LikelyKinds, assumption_notices, likely_kinds
from biofact.identity.records import ResolvedEntity, ResolvedName
from biofact.identity.search import NameSearch, SourceFinder
from biofact.protocol.client import LifeSciencesClient
from biofact.protocol.names import NewCall, finders
from biofact.protocol.ranking import BUT_FOR, is_written_as_in_mouse, read_as_human

_EXAMPLES = 5  # cells that a notice quotes
_HUMAN = "Homo sapiens"
_SYMBOL = re.compile(r"(?=\S*\d|\S*[A-Z]\S*[A-Z])\S*\w", re.ASCII)  # a line of a name that is wrapped has small letters


@dataclass(frozen=True, slots=True)
class RowFormat:
    """The facts that rows state: an agent pays for each word."""

    taxon: Taxon | None
    """The organism of the query, where it is a model organism."""
    is_whole: bool = False
    """Whether rows repeat facts of the query: a file of rows is read without it."""

    def row(self, leader: Leader, name: str, kinds: LikelyKinds) -> ResolvedName:
        """The row of a name that stands for an entity, or for several."""
        is_of_family = any(entity.best.is_of_family for entity in leader.entities[:1])
        remarks = [_OF_FAMILY] if is_of_family else [_OF_MOUSE] if _is_read_as_human(leader, name) else []
        return ResolvedName(
            name=name,
            entities=[self._entity(entity, name, kinds) for entity in leader.entities],
            ambiguous_with=[*leader.ambiguous_with],
            reason=" ".join(filter(None, [leader.reason, *remarks])) or None,
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


_OF_FAMILY = f"Called so {BUT_FOR}."
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
        cells = [*map(cell_text, names)]
        taxon_id = taxon.id if taxon else None
        column = Column.read(cells, kind, taxon_id, keep_na=keep_na)
        search = await self._search(column.searched_names(), organism)
        leaders = {text: search.leader(text, column.readings.get(text)) for text in column.kinds}
        # Only what no source knows as it is written.
        readings = {text: read_again(text, kind, taxon_id) for text in search.unknown_names(leaders)}
        second_search = await self._search(_searched_names(readings.values()), organism)
        leaders |= second_search.other_leaders(readings)
        row_format = RowFormat(taxon, is_whole)
        rows = [column.row(name, leaders, row_format) for name in cells]
        notices = dict.fromkeys([*search.notices(), *second_search.notices()])
        assumptions = [] if kind else assumption_notices(column.kinds.values())
        return Resolution(rows, [*assumptions, *_missing_notices(column.readings), *_human_notices(rows), *notices])

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

    texts: Mapping[str, str]
    """The ID that a name writes, or its words."""
    readings: Mapping[str, Reading]
    """Texts that may stand for something else than the entity of their name."""
    kinds: Mapping[str, LikelyKinds]
    """The likely kinds of the texts that can be read."""

    @classmethod
    def read(cls, names: Iterable[object], kind: EntityKind | None, taxon_id: int | None, *, keep_na: bool) -> "Column":
        """Read names of an organism."""
        texts = {name: _text(name) for name in names if isinstance(name, str)}
        read_cells = ((text, read_cell(text, kind, taxon_id, keep_na=keep_na)) for text in texts.values())
        readings = {text: reading for text, reading in read_cells if reading}
        names_alone = {text: likely_kinds(text, kind) for text in texts.values() if _is_name(text, kind)}
        kinds = {**names_alone, **{text: reading.kinds for text, reading in readings.items() if reading.kinds}}
        return cls(texts, readings, kinds)

    def searched_names(self) -> dict[str, LikelyKinds]:
        """The names to search for: the texts, and those that readings lead to, which are only looked up."""
        return {**_searched_names(self.readings.values()), **self.kinds}

    def row(self, name: object, leaders: Mapping[str, Leader | BiofactError], row_format: RowFormat) -> Row:
        """The row of a name."""
        text = self.texts.get(name, "") if isinstance(name, str) else ""
        if not isinstance(name, str) or text not in leaders:
            return _unreadable(name)
        leader = leaders[text]
        if isinstance(leader, BiofactError):
            return ErrorEnvelope.of(leader, name)
        return row_format.row(leader, name, self.kinds[text])


def _searched_names(readings: Iterable[Reading]) -> dict[str, LikelyKinds]:
    return {name: kinds for reading in readings for name, kinds in reading.searched_names.items()}


def _missing_notices(readings: Mapping[str, Reading]) -> list[Notice]:
    """A notice about the cells read as missing values."""
    cells = sorted(repr(text) for text, reading in readings.items() if reading is MISSING_VALUE)
    message = (
        f"Read as missing values, not as names: {', '.join(cells[:_EXAMPLES])}."
        " Search tools take them as names, as does --keep-na."
    )
    return [Notice(code="ASSUMED", message=message)] if cells else []


def _text(name: str) -> str:
    """The ID that a name writes, or its words; symbols below each other, as Alt+Enter has them in a cell, as a list."""
    lines = [text for line in name.splitlines() if (text := query_text(line))]
    text = "; ".join(lines) if len(lines) > 1 and all(map(_SYMBOL.fullmatch, lines)) else query_text(name)
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
