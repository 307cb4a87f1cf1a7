"""The answers of a model, line by line and on the disk: none of them is asked for again.

A file for each shard, so that memory is bounded by the shard. One process writes at a time.
"""

import asyncio
import errno
import hashlib
import json
import os
import zlib
from collections import Counter
from collections.abc import Iterator
from contextlib import ExitStack, suppress
from pathlib import Path
from typing import Any, NamedTuple, Self

from pydantic import BaseModel, ConfigDict, Field, ValidationError, model_validator

from biofact.core.folder_files import FolderFile
from biofact.corpus.records import Settings
from biofact.literature import files
from biofact.literature.files import FolderRefused, WriteFailed
from biofact.literature.lock import Lock

_FOLDER = "model"
_LOCK = "lock"


def _check(document: bytes) -> bytes:
    """The end of a line, by which a damaged one shows."""
    return b', "check": "%08x"}' % zlib.crc32(document)


_CHECK_SIZE = len(_check(b""))


class TextKey(NamedTuple):
    """An article as the model is asked about it."""

    pmid: str
    text: str
    """A hash of all that is sent of it."""


class LoggedAnswer(BaseModel):
    """The model's answer about one article, or its failure."""

    model_config = ConfigDict(frozen=True, extra="forbid", strict=True)

    pmid: str
    text: str
    tokens: int = Field(ge=0)
    """Tokens of question and answer; estimated where the model does not report them."""
    is_final: bool
    """The article is not asked about again."""
    fields: Any = None
    """An object by the schema's names, as the model gave it: with whatever letters and numbers."""
    failure: str | None = None
    """The reason why there are no fields."""

    @model_validator(mode="after")
    def _check_kind(self) -> Self:
        is_answer = isinstance(self.fields, dict) and self.failure is None
        is_failure = self.fields is None and self.failure is not None
        if not (is_answer or is_failure):
            raise ValueError("It has neither fields nor a failure, or both.")
        return self

    @property
    def key(self) -> TextKey:
        """The article that it answers about."""
        return TextKey(self.pmid, self.text)

    def line(self) -> bytes:
        """The line in the log. Not by orjson: an answer may have numbers and letters that it refuses."""
        document = json.dumps({name: value for name, value in self if value is not None}).encode()
        return document[:-1] + _check(document) + b"\n"

    @classmethod
    def of_line(cls, line: bytes) -> "LoggedAnswer":
        """The answer in a line of the log.

        Raises:
            ValueError, RecursionError: the line is none of ours, or damaged.
        """
        document = line.rstrip(b"\n")[:-_CHECK_SIZE] + b"}"
        if line != document[:-1] + _check(document) + b"\n":
            raise ValueError("Its checksum is another.")
        return cls.model_validate(json.loads(document))


class ShardTotals(BaseModel):
    """Totals of the log of a shard."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    size: int
    """Size of the log in bytes."""
    articles: int
    """Articles that are not asked about again."""
    answers: int
    """Answers about all articles, failures that took tokens among them."""
    tokens: int


class ModelLog:
    """``with ModelLog(folder, settings) as log`` is alone with it. Without ``with`` it can be looked at only."""

    def __init__(self, folder: Path, settings: Settings) -> None:
        """``folder`` is that of the run."""
        self._parent = FolderFile(folder) / _FOLDER
        self._path = self._parent / _key(settings)
        self._exits = ExitStack()

    def __enter__(self) -> Self:
        """The log, for this process alone.

        Raises:
            FolderRefused: another process writes to it.
            WriteFailed: the system refuses a write.
        """
        files.make_folder(self._path)
        hint = "Wait until it has ended: a model is asked by one process at a time."
        self._exits.enter_context(Lock(self._parent / _LOCK, holder="Another process that asks a model", hint=hint))
        files.sweep(self._path)
        return self

    def __exit__(self, *_: object) -> None:
        self._exits.close()

    def shard(self, number: int) -> "ShardLog":
        """The log of a shard, to be read and written to.

        Raises:
            FolderRefused: a line in it is none of ours.
            WriteFailed: the system refuses a write.
        """
        log = ShardLog(self._file(number))
        self._exits.callback(log.close)
        return log

    def totals(self, number: int) -> ShardTotals:
        """The totals of the log of a shard.

        Raises:
            FolderRefused: a line in it is none of ours.
        """
        file = self._file(number)
        size = file.stat().st_size if file.is_file() else 0
        try:
            cached = ShardTotals.model_validate_json(self._totals_file(number).read_bytes())
        except (OSError, ValidationError):
            cached = None
        return cached if cached is not None and cached.size == size else _count(file, size)

    def keep_totals(self, number: int) -> None:
        """Write the totals of a shard that is done, for the next start.

        Raises:
            WriteFailed: the system refuses the write.
        """
        files.write(self._totals_file(number), self.totals(number).model_dump_json().encode())

    def _file(self, number: int) -> FolderFile:
        return self._path / f"{number:05}.jsonl"

    def _totals_file(self, number: int) -> FolderFile:
        return self._path / f"{number:05}.json"


class ShardLog:
    """The answers about the articles of one shard. The rest of a line that a killed process left is cut off."""

    def __init__(self, file: FolderFile) -> None:
        self._file = file
        self._final: dict[TextKey, int] = {}
        """The offset of the line of an article: answers stay on the disk."""
        self._attempts: Counter[TextKey] = Counter()
        self._sync_lock = asyncio.Lock()
        self._size = 0
        for offset, line, answer in _answers(file):
            self._size = offset + len(line)
            self._note(answer, offset)
        with files.user_errors(file):
            self._descriptor = file.open_to_change(flags=os.O_WRONLY | os.O_APPEND)
            os.ftruncate(self._descriptor, self._size)
            os.fsync(self._descriptor)
            self._reader = file.open()
        self._synced = self._size

    def __len__(self) -> int:
        """Articles that are not asked about again."""
        return len(self._final)

    def __contains__(self, key: TextKey) -> bool:
        return key in self._final

    def attempts(self, key: TextKey) -> int:
        """Unusable answers about an article without a final one."""
        return self._attempts[key]

    def answer(self, key: TextKey) -> LoggedAnswer:
        """The final answer about an article.

        Raises:
            KeyError: there is none.
        """
        self._reader.seek(self._final[key])
        return LoggedAnswer.of_line(self._reader.readline())

    async def add(self, answer: LoggedAnswer) -> None:
        """Log an answer; it is on the disk when this returns. Answers that come together share the wait for the disk.

        Raises:
            WriteFailed: the system refuses the write.
        """
        offset = self._size
        self._write(answer.line())
        end = self._size
        async with self._sync_lock:
            if self._synced < end:
                reached = self._size  # answers may be added while the disk is waited for
                try:
                    await asyncio.to_thread(os.fsync, self._descriptor)
                except OSError as error:
                    raise WriteFailed(str(self._file), error) from error
                self._synced = reached
        self._note(answer, offset)

    def close(self) -> None:
        """Close the file."""
        if self._descriptor >= 0:
            self._reader.close()
            os.close(self._descriptor)
            self._descriptor = -1
            self._final.clear()
            self._attempts.clear()

    def _write(self, line: bytes) -> None:
        """One write at once, so that a kill finds the whole line or none; a full disk leaves none."""
        try:
            size = os.write(self._descriptor, line)
        except OSError as error:
            raise self._write_failed(error) from error
        if size != len(line):
            raise self._write_failed(OSError(errno.ENOSPC, os.strerror(errno.ENOSPC)))
        self._size += size

    def _write_failed(self, error: OSError) -> WriteFailed:
        with suppress(OSError):
            os.ftruncate(self._descriptor, self._size)
        return WriteFailed(str(self._file), error)

    def _note(self, answer: LoggedAnswer, offset: int) -> None:
        if answer.is_final:
            self._final[answer.key] = offset
        else:
            self._attempts[answer.key] += 1


def _answers(file: FolderFile) -> Iterator[tuple[int, bytes, LoggedAnswer]]:
    """Offset, line and answer of each whole line.

    Raises:
        FolderRefused: a line is none of ours.
    """
    if not file.exists():
        return
    offset = 0
    with files.user_errors(file):
        stream = file.open()
    with stream:
        for number, line in enumerate(stream, start=1):
            if not line.endswith(b"\n"):
                return
            try:
                yield offset, line, LoggedAnswer.of_line(line)
            except (ValueError, RecursionError) as error:
                raise FolderRefused(
                    f"Line {number:,} of {str(file)!r} is no answer of a model.",
                    hint="Put back the file as it was; without it, its articles are asked about once more.",
                ) from error
            offset += len(line)


def _count(file: FolderFile, size: int) -> ShardTotals:
    keys: set[TextKey] = set()
    answers = tokens = 0
    for _, _, answer in _answers(file):
        answers += bool(answer.tokens)
        tokens += answer.tokens
        if answer.is_final:
            keys.add(answer.key)
    return ShardTotals(size=size, articles=len(keys), answers=answers, tokens=tokens)


def _key(settings: Settings) -> str:
    """The key of a log: by the schema in its order, the instructions and the model."""
    document = json.dumps([settings.extraction_schema, settings.instructions, settings.reader])
    return hashlib.blake2b(document.encode(), digest_size=16).hexdigest()
