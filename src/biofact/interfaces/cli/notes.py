"""Messages beside the rows of an answer, each once: notices, failures, origins, and how to go on."""

import re
from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass, field

from biofact.core.json_schema import without_keys
from biofact.core.records import Body
from biofact.interfaces.answer import ToolAnswer
from biofact.interfaces.cli.rows import failures, flat, is_record, is_table, next_cursor

MOST_ALIKE = 5
"""The limit for notes of one kind, and for kinds of failure: a column of names has too many to be read."""


@dataclass(slots=True)
class Notes:
    """Collects the messages of all answers for the end."""

    row_lists: Collection[str] = ()
    """The fields with an answer's rows; none where the answer is a row itself."""
    is_of_many: bool = False
    """Whether there is more than one question."""
    reads_all_pages: bool = False
    row_count: int = 0
    failed_row_count: int = 0
    has_collection: bool = False
    """Whether an answer has the handle of a collection for the next step."""
    failed: Counter[tuple[str, str]] = field(default_factory=Counter)
    """Counts of failed rows, and of failed pages without rows, by message and hint."""
    _notices: dict[str, dict[tuple[str, str], None]] = field(default_factory=dict)
    """Messages by code, each with its subject."""
    _origins: dict[str, None] = field(default_factory=dict)
    _side_facts: dict[str, None] = field(default_factory=dict)
    _incomplete: dict[str, Body] = field(default_factory=dict)
    """The last page of each incomplete list, by its subject."""

    def add(self, answer: ToolAnswer, rows: Sequence[Body], subject: str = "") -> None:
        """Add the messages of an answer and its rows; ``subject`` is the input, where it is one of several."""
        body = answer.body
        self.add_rows(rows)
        if answer.is_failure and not failures(rows):
            self._add_errors([body["error"]])
        self._origins.update(dict.fromkeys(origin_lines(answer.provenance)))
        if answer.is_failure:
            return
        self.has_collection = self.has_collection or "collection" in body
        if not is_record(body, rows):
            self._add_notices(subject, body)
        for row in rows:
            self._add_notices(row.get("id", ""), row)
        self._side_facts.update(dict.fromkeys(_facts_outside_rows(body, self.row_lists)))
        self._incomplete.pop(subject, None)
        if next_cursor(body):
            self._incomplete[subject] = body

    def add_rows(self, rows: Sequence[Body]) -> None:
        """Add rows, with their failures."""
        self.row_count += len(rows)
        self.failed_row_count += len(failures(rows))
        self._add_errors(failures(rows))

    def _add_errors(self, errors: Iterable[Body]) -> None:
        self.failed.update((error["message"], error["recovery_hint"]) for error in errors)

    def _add_notices(self, subject: str, entry: Body) -> None:
        for notice in entry.get("notices", ()):
            self._notices.setdefault(notice["code"], {})[subject, notice["message"]] = None

    def lines(self, *, has_provenance: bool) -> Iterator[str]:
        """All messages, a line each."""
        yield from self._side_facts
        for code, messages in self._notices.items():
            texts = list(dict.fromkeys(self._with_subject(*message) for message in messages))
            yield from (f"note: {text}" for text in texts[:MOST_ALIKE])
            if (hidden := len(texts) - MOST_ALIKE) > 0:
                yield f"note: {hidden:,} more notes of this kind ({code}); --format json has them all."
        yield from self._next_pages()
        if has_provenance:
            yield from self._origins
        yield from self._failure_lines()

    def lines_beside_json(self) -> Iterator[str]:
        """The messages that a JSON document does not hold."""
        if self.is_of_many or self.failed:
            yield from self._next_pages()
        yield from self._failure_lines()

    def _next_pages(self) -> Iterator[str]:
        if len(self._incomplete) > MOST_ALIKE:
            advice = "the same command goes on" if self.reads_all_pages else "--all reads them to the end"
            yield f"note: {len(self._incomplete):,} lists are longer; {advice}."
            return
        for subject, body in self._incomplete.items():
            prefix = f"{subject}: " if subject else ""
            if self.reads_all_pages:
                yield f"note: {prefix}Not all pages could be read; the rest: --cursor {next_cursor(body)}"
            else:
                yield f"{prefix}{_page_extent(body)}all of them: --all; the next page: --cursor {next_cursor(body)}"

    def _with_subject(self, subject: str, message: str) -> str:
        """A message that names its subject, where there are several rows."""
        names_subject = self.row_count == 1 or re.search(rf"{re.escape(subject)}(?!\w)", message)
        return message if names_subject else f"{subject}: {message}"

    def _failure_lines(self) -> Iterator[str]:
        if self.failed_row_count and self.row_count > 1:
            yield f"note: {self.failed_row_count:,} of {self.row_count:,} rows failed."
        for (message, hint), count in self.failed.most_common(MOST_ALIKE):
            yield f"error: {message}{f' ({count:,} rows)' if count > 1 else ''}"
            yield f"hint: {hint}"
        if (hidden := len(self.failed) - MOST_ALIKE) > 0:
            yield f"error: {hidden:,} more kinds of failure; --format tsv has the message of each row."


def _facts_outside_rows(body: Body, row_lists: Collection[str]) -> Iterable[str]:
    """Facts of an answer outside its rows; those of a page are in other messages."""
    if row_lists and "pagination" not in body:
        tables = [name for name, value in body.items() if is_table(value)]
        facts = flat(without_keys(body, "cursor", *row_lists, *tables), ", ")
        yield from (f"{name}: {value}" for name, value in facts.items() if value)


def origin_lines(origin: Body | None) -> Iterable[str]:
    """The origins of facts, a line for each answer of a service."""
    for answer in (origin, *origin.get("others", ())) if origin else ():
        month = f" of {answer['release_date']}" if "release_date" in answer else ""
        release = f", release {answer['release']}{month}" if "release" in answer else ""
        licence = f"; {answer['licence']}" if "licence" in answer else ""
        yield f"{answer['from']}: {answer['url']} at {answer['retrieved_at']}{release}{licence}"


def _page_extent(body: Body) -> str:
    """The number of rows of a page and of the whole list, as far as known."""
    total = body.get("pagination", {}).get("total_count")
    return f"{len(body['items']):,} of {'many' if total is None else f'{total:,}'}; " if "items" in body else ""
