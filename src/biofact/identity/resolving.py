"""Many names to entities: every source that can know a name is asked at once, and what they answer is joined."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from biofact import sources
from biofact.core import organisms
from biofact.core.entity_kinds import EntityKind
from biofact.core.envelopes import ErrorEnvelope
from biofact.core.errors import AmbiguousQuery
from biofact.core.identifiers import QUERY_LENGTH, query_text
from biofact.core.provenance import Notice
from biofact.core.quoting import brief
from biofact.core.quoting import shown as shown_input
from biofact.identity import kinds
from biofact.identity.inquiry import Inquiry, SourceFinder
from biofact.identity.kinds import Reading
from biofact.identity.records import ResolvedName
from biofact.identity.rows import Shown
from biofact.protocol.client import LifeSciencesClient
from biofact.protocol.names import finders
from biofact.transport.stack import Transport

Row = ResolvedName | ErrorEnvelope


@dataclass(frozen=True, slots=True)
class Resolution:
    """A row for each name, in order, and what is to be said about all."""

    rows: list[Row]
    notices: list[Notice]


class Resolver:
    """Asks the sources that declare what they find by name."""

    def __init__(self, asked: Sequence[SourceFinder]) -> None:
        self._finders = tuple(asked)

    @classmethod
    def of_all_sources(cls, transport: Transport) -> "Resolver":
        """One that asks every source there is."""
        return cls.of(sources.clients(transport))

    @classmethod
    def of(cls, clients: Mapping[str, LifeSciencesClient]) -> "Resolver":
        """One that asks these clients of sources, by name."""
        return cls(
            [SourceFinder(name, client.title, one) for name, client in clients.items() for one in finders(client)]
        )

    async def resolve(
        self, names: Sequence[object], kind: EntityKind | None, organism: str, *, is_whole: bool = False
    ) -> Resolution:
        """A row for each name, in order; the same name has the same row, and what is no name a failure. Whole rows
        state what the question says already, too. An organism that a source does not know is its failure.
        """
        texts = {name: query_text(name) for name in names if isinstance(name, str)}
        asked = {text: Reading((kind,)) if kind else kinds.reading(text) for text in texts.values() if _is_name(text)}
        inquiry = Inquiry(self._finders, asked, organism)
        await inquiry.run()
        shown = Shown(organisms.taxon(organism), is_whole)
        made = [
            _row(name, texts[name], inquiry, shown)
            if isinstance(name, str) and _is_name(texts[name])
            else _unreadable(name)
            for name in names
        ]
        guessed = [] if kind else kinds.assumed(asked.values())
        return Resolution(made, [*guessed, *inquiry.notices()])


def _is_name(text: str) -> bool:
    return len(text) in QUERY_LENGTH


def _unreadable(name: object) -> ErrorEnvelope:
    length = f"text of {QUERY_LENGTH[0]} to {QUERY_LENGTH[-1]} characters"
    failure = AmbiguousQuery(
        f"A name is {length}, not {shown_input(query_text(name) if isinstance(name, str) else name)}.",
        hint="Give a name, or leave the row out.",
    )
    return ErrorEnvelope.of(failure, brief(name))


def _row(name: str, text: str, inquiry: Inquiry, shown: Shown) -> Row:
    answers = inquiry.answers[text]
    entities = inquiry.entities(text)
    if not entities and answers.is_unknown:
        return ErrorEnvelope.of(answers.unanswered[0], name)
    reason = None if entities else answers.reason(inquiry.readings[text])
    return ResolvedName(name=name, entities=shown.entities(entities, name, inquiry.readings[text]), reason=reason)
