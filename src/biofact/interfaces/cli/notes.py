"""What is said beside the rows of an answer, each thing once: notices, failures, origins, what is next."""

import re
from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass, field

from biofact.core.json_schema import without
from biofact.interfaces.answer import ToolAnswer
from biofact.interfaces.cli.rows import failures, flat, is_record, is_table, next_cursor
from biofact.interfaces.result_json import Body

MOST_ALIKE = 5
"""Notes of one kind, and kinds of failure: a column of thousands has more than anybody reads."""


@dataclass(slots=True)
class Notes:
    """Collects what is to be said at the end, of all answers together."""

    row_lists: Collection[str] = ()
    """Where an answer has its rows, if it is not a row itself."""
    is_of_many: bool = False
    """There is more than one question."""
    reads_all_pages: bool = False
    row_count: int = 0
    failed_row_count: int = 0
    has_collection: bool = False
    """An answer names a handle for the next step."""
    failed: Counter[tuple[str, str]] = field(default_factory=Counter)
    """Rows, and pages without a row for it, by message and hint."""
    _notices: dict[str, dict[tuple[str, str], None]] = field(default_factory=dict)
    """Messages by code, each with what it is about."""
    _origins: dict[str, None] = field(default_factory=dict)
    _beside: dict[str, None] = field(default_factory=dict)
    _unread: dict[str, Body] = field(default_factory=dict)
    """The last page of each list that goes on, by what it is about."""

    def add(self, answer: ToolAnswer, rows: Sequence[Body], about: str = "") -> None:
        """Take note of an answer and the rows that it became; ``about`` is the input, where it is one of several."""
        body = answer.body
        self.row_count += len(rows)
        self.failed_row_count += len(failures(rows))
        wrong = failures(rows) or ([body["error"]] if answer.is_failure else [])
        self.failed.update((error["message"], error["recovery_hint"]) for error in wrong)
        self._origins.update(dict.fromkeys(origin_lines(answer.provenance)))
        if answer.is_failure:
            return
        self.has_collection = self.has_collection or "collection" in body
        if not is_record(body, rows):
            self._note(about, body)
        for row in rows:
            self._note(row.get("id", ""), row)
        self._beside.update(dict.fromkeys(_facts_beside_rows(body, self.row_lists)))
        self._unread.pop(about, None)
        if next_cursor(body):
            self._unread[about] = body

    def _note(self, about: str, entry: Body) -> None:
        for notice in entry.get("notices", ()):
            self._notices.setdefault(notice["code"], {})[about, notice["message"]] = None

    def lines(self, *, has_provenance: bool) -> Iterator[str]:
        """All there is to say, a line each."""
        yield from self._beside
        for code, messages in self._notices.items():
            own = list(dict.fromkeys(self._about(*message) for message in messages))
            yield from (f"note: {message}" for message in own[:MOST_ALIKE])
            if (more := len(own) - MOST_ALIKE) > 0:
                yield f"note: {more:,} more notes of this kind ({code}); --format json has them all."
        yield from self._next_pages()
        if has_provenance:
            yield from self._origins
        yield from self._failure_lines()

    def lines_beside_json(self) -> Iterator[str]:
        """What a JSON document does not hold."""
        if self.is_of_many or self.failed:
            yield from self._next_pages()
        yield from self._failure_lines()

    def _next_pages(self) -> Iterator[str]:
        if len(self._unread) > MOST_ALIKE:
            how = "the same command goes on" if self.reads_all_pages else "--all reads them to the end"
            yield f"note: {len(self._unread):,} lists are longer; {how}."
            return
        for about, body in self._unread.items():
            subject = f"{about}: " if about else ""
            if self.reads_all_pages:
                yield f"note: {subject}Not all pages could be read; the rest: --cursor {next_cursor(body)}"
            else:
                yield f"{subject}{_shown(body)}all of them: --all; the next page: --cursor {next_cursor(body)}"

    def _about(self, subject: str, message: str) -> str:
        """A message that says what it is about, where there are several rows."""
        is_clear = self.row_count == 1 or re.search(rf"{re.escape(subject)}(?!\w)", message)
        return message if is_clear else f"{subject}: {message}"

    def _failure_lines(self) -> Iterator[str]:
        if self.failed_row_count and self.row_count > 1:
            yield f"note: {self.failed_row_count:,} of {self.row_count:,} rows failed."
        for (message, hint), count in self.failed.most_common(MOST_ALIKE):
            yield f"error: {message}{f' ({count:,} rows)' if count > 1 else ''}"
            yield f"hint: {hint}"
        if (hidden := len(self.failed) - MOST_ALIKE) > 0:
            yield f"error: {hidden:,} more kinds of failure; --format tsv has the message of each row."


def _facts_beside_rows(body: Body, row_lists: Collection[str]) -> Iterable[str]:
    """What an answer tells beside its rows; of a page that is all in words."""
    if row_lists and "pagination" not in body:
        tables = [name for name, value in body.items() if is_table(value)]
        facts = flat(without(body, "cursor", *row_lists, *tables), ", ")
        yield from (f"{name}: {value}" for name, value in facts.items() if value)


def origin_lines(origin: Body | None) -> Iterable[str]:
    """Where facts come from, a line for each answer of a service."""
    for answer in (origin, *origin.get("others", ())) if origin else ():
        release = f", release {answer['release']}" if "release" in answer else ""
        licence = f"; {answer['licence']}" if "licence" in answer else ""
        yield f"{answer['from']}: {answer['url']} at {answer['retrieved_at']}{release}{licence}"


def _shown(body: Body) -> str:
    """How many rows of how many a page has, as far as it says."""
    total = body.get("pagination", {}).get("total_count")
    return f"{len(body['items']):,} of {'many' if total is None else f'{total:,}'}; " if "items" in body else ""
