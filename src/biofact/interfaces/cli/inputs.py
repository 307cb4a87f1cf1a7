"""The inputs of a command: words, the lines of a list, or a column of a table, whose rows the answers join."""

import itertools
import re
import shutil
import sys
import tempfile
from collections import deque
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import IO, Any

from biofact import sources
from biofact.core.records import Body
from biofact.core.usage import WrongUsage
from biofact.identity.cells import is_missing
from biofact.interfaces.cli.options import FILE_FORM
from biofact.interfaces.cli.rows import ROW, JoinedLayout, Layout
from biofact.tables.input_file import SUFFIXES, Choice, InputFile, InputRow, read_file
from biofact.tables.spreadsheet import Cell

STDIN = "standard input"
_NAME_WORD = "|".join(
    (
        *sources.names(),
        r"accession|antigen|cas|chemical|compound|disease|drug|entrezid|genes?|hgnc|ids?|identifier|marker|molecule",
        r"names?|ncbi|pmids?|proteins?|rs|rsid|snp|symbols?|target|transcript|uniprot|uniprotkb|variant",
    )
)
NAME_HEADER = re.compile(rf"(?:(?:approved|official) )?(?:{_NAME_WORD})(?: (?:{_NAME_WORD}|number|stable))*")
"""The headers of columns with names and IDs, in small letters: ``gene stable id``, ``cas number``."""


@dataclass(slots=True)
class Join:
    """The rows of a file, each with its answers, in the order of the file."""

    file: InputFile
    _rows: Iterator[InputRow]
    _pending: deque[InputRow] = field(default_factory=deque)
    _current: InputRow = field(default_factory=InputRow)
    _remark_count: int = field(init=False)

    def __post_init__(self) -> None:
        self._remark_count = len(self.file.remarks)

    def texts(self) -> Iterator[str]:
        """The text of each row that has one."""
        for row in self._rows:
            self._pending.append(row)
            if row.text:
                yield row.text

    def layout(self, answers: Layout) -> JoinedLayout:
        """The columns of the file, and behind them those of its answers."""
        return JoinedLayout(self.file.header, self.file.column, answers)

    def add(self, inputs: Sequence[str], answers: Sequence[Body], *, is_further_page: bool = False) -> list[Body]:
        """The answers to the next inputs, each with its row, and before them the rows that ask nothing. One input has
        any number of answers, several have one each; one without has its row all the same.
        """
        if is_further_page:
            return self._with_cells(answers)
        joined: list[Body] = []
        for group in [answers] if len(inputs) == 1 else ([answer] for answer in answers):
            while not self._pending[0].text:
                joined.append(self._without_answer(self._pending.popleft()))
            self._current = self._pending.popleft()
            joined += self._with_cells(group or [{}])
        return joined

    def _with_cells(self, answers: Iterable[Body]) -> list[Body]:
        cells = self._cells(self._current)
        return [{ROW: cells, **answer} for answer in answers]

    def last_rows(self) -> list[Body]:
        """The rows after the last that asks something."""
        rows, self._pending = self._pending, deque()
        return [self._without_answer(row) for row in rows]

    def last_messages(self) -> list[str]:
        """Lines on what was seen while the rows were read."""
        return [f"note: {remark}" for remark in self.file.remarks[self._remark_count :]]

    def _without_answer(self, row: InputRow) -> Body:
        body: Body = {ROW: self._cells(row)}
        if row.problem:
            hint = "Is a mark that separates cells a part of one? Put the cell in quotation marks."
            error = {"code": "AMBIGUOUS_QUERY", "message": row.problem, "recovery_hint": hint, "invalid_input": None}
            body |= {"success": False, "error": error}
        return body

    def _cells(self, row: InputRow) -> dict[str, Cell]:
        return dict(zip(self.file.header, row.cells, strict=False))


@dataclass(frozen=True, slots=True)
class Inputs:
    """The texts that are asked, in order; duplicates are kept."""

    texts: Iterable[str]
    count: int | None
    """How many; of a table its rows, as far as they are known beforehand."""
    is_of_file: bool
    """Whether a file or standard input is among the words: one input has then the form of many."""
    messages: Sequence[str]
    """Lines on what was read and how."""
    join: Join | None = None

    @classmethod
    def of(cls, texts: Sequence[str]) -> "Inputs":
        """These texts, as they are."""
        return cls(texts, len(texts), is_of_file=False, messages=())


@contextmanager
def open_inputs(
    words: Sequence[str], options: Mapping[str, Any], pattern: re.Pattern[str] | None = None
) -> Iterator[Inputs]:
    """The words, with the column or the lines of a file for each ``@FILE``, or path of a table, and of standard input
    for ``-``; ``pattern`` is the form of the IDs that are looked for.

    ``options`` are ``column``, ``sheet`` and ``join``, which is None where the file decides: the rows of a table are
    joined, a list is not.

    Raises:
        WrongUsage: a file cannot be read, its column is not clear, or nothing is asked.
    """
    choice = Choice(NAME_HEADER, options.get("column"), options.get("sheet"), pattern)
    with ExitStack() as stack:
        reader = _Reader(choice, options.get("join"), is_alone=len(words) == 1, stack=stack)
        for word in words:
            reader.add(word)
        yield reader.inputs(words)


@dataclass(slots=True)
class _Reader:
    """Reads the words of a command."""

    choice: Choice
    joins: bool | None
    is_alone: bool
    stack: ExitStack
    texts: list[str] = field(default_factory=list)
    messages: list[str] = field(default_factory=list)
    has_file: bool = False
    join: Join | None = None
    blank_count: int = 0
    comment_count: int = 0

    def add(self, word: str) -> None:
        """Add the inputs that the word stands for."""
        path = file_path(word)
        if path is None:
            self.texts += [word.strip()] if word.strip() else []
            if len(word) > 1 and _is_file(word):
                self.messages.append(f"note: {word} is a file here, too: @{word} reads it.")
            return
        self.has_file = True
        name = STDIN if path == "-" else path
        file = read_file(open_file(path, self.stack), name, self.choice)
        if file.header and self.joins is not False and self.is_alone:
            self._join(file)
        elif self.joins:
            raise WrongUsage(f"{name!r} cannot be joined.", hint="Give one file with a header and nothing else.")
        else:
            self._add_list(file)
        self.messages += [f"note: {remark}" for remark in file.remarks]

    def inputs(self, words: Sequence[str]) -> Inputs:
        """All that is asked."""
        if (self.choice.column or self.choice.sheet or self.joins) and not self.has_file:
            option = "--column" if self.choice.column else "--sheet" if self.choice.sheet else "--join"
            raise WrongUsage(f"{option} is for a file.", hint=FILE_FORM)
        if self.join:
            return Inputs(self.join.texts(), self.join.file.row_count, True, self.messages, self.join)
        if not self.texts:
            raise WrongUsage(f"There is nothing to ask in {', '.join(words)}.", hint=FILE_FORM)
        for count, kind, plural in (
            (self.blank_count, "blank line", "blank lines"),
            (self.comment_count, "line that begins with #", "lines that begin with #"),
        ):
            if count:
                self.messages.append(f"note: {count:,} {kind if count == 1 else plural} skipped.")
        return Inputs(self.texts, len(self.texts), self.has_file, self.messages)

    def _join(self, file: InputFile) -> None:
        rows = file.rows()
        start: list[InputRow] = []
        for row in rows:
            start.append(row)
            if row.text:
                break
        else:
            raise WrongUsage(f"The column {file.header[file.column]!r} of {file.name!r} is empty.", hint=FILE_FORM)
        self.join = Join(file, itertools.chain(start, rows))

    def _add_list(self, file: InputFile) -> None:
        texts = [row.text for row in file.rows()]
        while texts and not texts[-1]:
            texts.pop()  # the end of the file is no line
        comments = [text for text in texts if not file.header and _is_comment(text)]
        self.comment_count += len(comments)
        self.blank_count += texts.count("")
        self.texts += [text for text in texts if text and (file.header or not _is_comment(text))]


def file_path(word: str) -> str | None:
    """The path of the file that the word stands for, ``-`` for standard input; None where it is an input itself."""
    if word in {"-", "@-"}:
        return "-"
    if word.startswith("@") and len(word) > 1:
        return word[1:]
    return word if Path(word).suffix.lower() in SUFFIXES else None


def _is_file(word: str) -> bool:
    try:
        return Path(word).is_file()
    except (OSError, ValueError):  # a name that no file can have
        return False


def _is_comment(line: str) -> bool:
    """Whether a line has # before anything but an error of a spreadsheet, as ``#N/A``."""
    return line.startswith("#") and not (any(map(str.isalnum, line)) and is_missing(line))


def open_file(path: str, stack: ExitStack) -> IO[bytes]:
    """The file, or a copy of standard input, which is read twice; the stack closes it."""
    try:
        if path != "-":
            return stack.enter_context(Path(path).open("rb"))
        copy = stack.enter_context(tempfile.TemporaryFile())  # noqa: SIM115  # the stack closes it
        shutil.copyfileobj(sys.stdin.buffer, copy)
        copy.seek(0)
    except FileNotFoundError as error:
        raise WrongUsage(f"There is no file {path!r}.", hint=FILE_FORM) from error
    except OSError as error:
        raise WrongUsage(f"{path!r} cannot be read: {str(error.strerror).lower()}.", hint=FILE_FORM) from error
    return copy
