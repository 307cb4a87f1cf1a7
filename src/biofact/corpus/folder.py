"""The folder of a run over a corpus: its files, its shards that are done, its progress.

No lock: files are put in place whole, and two processes that make the same one write the same bytes.
"""

import hashlib
import io
import re
import zipfile
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
import orjson
from numpy.typing import NDArray

from biofact.core.folder_files import PART, FolderFile
from biofact.corpus.records import VERSION, CorpusPlan
from biofact.literature import files
from biofact.literature.files import FolderRefused, WriteFailed

MOST_ATTEMPTS = 3
"""Attempts at a shard; then it is listed as failed, and the run goes on."""
_LONGEST_WRITE = 24 * 3600.0
"""Seconds; machines that share a disk do not agree on the time to the second, and to wait costs nothing."""
_PLAN = "plan.json"
_CHECKSUM = "checksum"
_FORM = orjson.OPT_INDENT_2 | orjson.OPT_SORT_KEYS
_FOLDERS = ("shards", "failures", "superseded")
_FAILURE = re.compile(r"\d+-(\d+)\.json")
_SUPERSEDED = re.compile(r"\d+\.npz")
_RECENT_SECONDS = 600.0
_OPTIONS = {
    "extraction_schema": "schema",
    "criteria": "set of criteria",
    "score_function": "score function",
    "reader": "reader",
    "instructions": "set of instructions",
}

Places = NDArray[np.int64]


def packed(**arrays: NDArray[np.generic]) -> bytes:
    """Arrays by name as ``numpy.load`` reads them; the same arrays are the same bytes."""
    content = io.BytesIO()
    np.savez(content, **arrays)  # type: ignore[arg-type]  # numpy's stub takes the names for its own option
    return content.getvalue()


class CorpusFolder:
    """The paths of a run, and which of its shards are done or have failed."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self._root = FolderFile(path)
        self.shards, self.failures, self.superseded = (self._root / name for name in _FOLDERS)

    def plan(self) -> CorpusPlan:
        """The plan of the run.

        Raises:
            FolderRefused: there is none, or it is of another version.
        """
        file = self._root / _PLAN
        try:
            return CorpusPlan.model_validate_json(orjson.dumps(_checked(file)))
        except FileNotFoundError as error:
            hint = "Begin with: biofact corpus plan DIR --input FILES"
            raise FolderRefused(f"{str(self.path)!r} holds no plan of a corpus.", hint=hint) from error
        except (ValueError, OSError) as error:
            hint = "Plan it anew in another folder."
            raise FolderRefused(
                f"{str(file)!r} is damaged, cannot be read, or is of another version.", hint=hint
            ) from error

    def plan_to_run(self) -> CorpusPlan:
        """The plan, for a run that adds to its shards.

        Raises:
            FolderRefused: as above; or the plan was made by another version of this code, which may read otherwise.
        """
        plan = self.plan()
        if plan.version != VERSION:
            hint = f"Install biofact {plan.version} to go on, or plan it anew in another folder. What is done stays."
            message = (
                f"{str(self.path)!r} was planned by biofact {plan.version}, and biofact {VERSION} was to do its shards."
            )
            raise FolderRefused(message, hint=hint)
        return plan

    def begin(self, plan: CorpusPlan, superseded: Mapping[int, Places]) -> CorpusPlan:
        """Bind the folder to a plan; the plan that it is bound to already, where that is the same.

        Raises:
            FolderRefused: it holds another plan, or files that are not of a corpus.
            WriteFailed: the system refuses a write.
        """
        with files.user_errors(self._root):
            has_plan = (self._root / _PLAN).exists()
        if has_plan:
            current = self.plan()
            if current.key != plan.key:
                hint = "Give another folder: what is done here stays as it is."
                raise FolderRefused(f"{str(self.path)!r} holds a run with {_difference(current, plan)}.", hint=hint)
            return current
        self._check_new()
        for folder in (self.shards, self.failures, self.superseded):
            files.make_folder(folder)
        for stale_file in {*self.superseded.entries()} - set(map(self._superseded, superseded)):
            stale_file.unlink(missing_ok=True)  # of a plan of other files, which was stopped
        for file, places in superseded.items():
            files.write(self._superseded(file), packed(places=places))
        files.write(
            self._root / _PLAN, _with_checksum(plan.model_dump(mode="json"))
        )  # last: with it the folder is bound
        return plan

    def superseded_in(self, file: int, count: int) -> frozenset[int]:
        """The places of the ``count`` entries of a file that are not read.

        Raises:
            FolderRefused: the file that names them is damaged, or gone.
        """
        path = self._superseded(file)
        places: frozenset[int] = frozenset()
        try:
            if count:
                with path.open() as stream, np.load(stream) as arrays:
                    places = frozenset(arrays["places"].tolist())
        except (OSError, ValueError, LookupError, EOFError, NotImplementedError, zipfile.BadZipFile):
            places = frozenset()
        if len(places) != count:
            hint = "Plan it anew in another folder."
            raise FolderRefused(f"{str(path)!r} does not name the {count:,} entries that are not read.", hint=hint)
        return places

    def rows_file(self, shard: int) -> FolderFile:
        """The rows of a shard."""
        return self.shards / f"{shard:05}.jsonl.gz"

    def columns_file(self, shard: int) -> FolderFile:
        """The columns of its rows, for a ranking."""
        return self.shards / f"{shard:05}.npz"

    def done_file(self, shard: int) -> FolderFile:
        """The end of a shard, which is written last: it makes the shard count as done."""
        return self.shards / f"{shard:05}.json"

    def keep_done(self, shard: int, end: dict[str, Any]) -> None:
        """Write the end of a shard whose other files are there.

        Raises:
            WriteFailed: the system refuses the write.
        """
        files.write(self.done_file(shard), _with_checksum(end))

    def done(self, shard: int, key: str) -> dict[str, Any] | None:
        """The end of a shard that is done by the plan of this key; None for a shard that is not."""
        try:
            end = _checked(self.done_file(shard))
            sizes = [
                end["files"][path.name]["bytes"] == path.stat().st_size
                for path in (self.rows_file(shard), self.columns_file(shard))
            ]
        except (OSError, ValueError, LookupError, TypeError):
            return None
        return end if all(sizes) and end.get("key") == key else None

    def attempts(self, shard: int) -> int:
        """How often a shard has failed."""
        return sum(1 for _ in self.failures_of(shard))

    def failures_of(self, shard: int) -> Iterator[FolderFile]:
        """A file for each time that a shard failed."""
        return (file for file in self._failure_files() if file.name.startswith(f"{shard:05}-"))

    def keep_failure(self, shard: int, reason: str) -> None:
        """Remember that a shard has failed.

        Raises:
            WriteFailed: the system refuses the write.
        """
        number = 1 + max((_attempt(file) for file in self.failures_of(shard)), default=0)
        files.write(self.failures / f"{shard:05}-{number}.json", orjson.dumps({"shard": shard, "reason": reason}))

    def failed(self, plan: CorpusPlan) -> dict[int, str]:
        """Shards that have failed as often as is tried, with the last reason."""
        files_by_shard: dict[int, list[FolderFile]] = {}
        for file in self._failure_files():
            files_by_shard.setdefault(_shard(file), []).append(file)
        return {
            shard: _reason(max(attempts, key=_attempt))
            for shard, attempts in files_by_shard.items()
            if len(attempts) >= MOST_ATTEMPTS and self.done(shard, plan.key) is None
        }

    def failure_reasons(self) -> Counter[str]:
        """How often shards have failed, by reason."""
        return Counter(map(_reason, self._failure_files()))

    def forget_failures(self) -> list[int]:
        """Let a run try every failed shard again; returns their numbers, those included that were done since."""
        failure_files = list(self._failure_files())
        for file in failure_files:
            file.unlink(missing_ok=True)
        return sorted(set(map(_shard, failure_files)))

    def sweep(self) -> None:
        """Remove what killed processes had begun to write, and nothing that another run may be writing now."""
        for folder in (self._root, self.shards, self.failures, self.superseded):
            files.sweep(folder, older_than=_LONGEST_WRITE)

    def _failure_files(self) -> Iterator[FolderFile]:
        with files.user_errors(self.failures):
            entries = self.failures.entries()
        return (file for file in entries if _FAILURE.fullmatch(file.name))

    def _superseded(self, file: int) -> FolderFile:
        return self.superseded / f"{file:05}.npz"

    def _check_new(self) -> None:
        """Refuse a folder with anything but what a plan leaves that was stopped before its end."""
        try:
            is_file = self.path.exists() and not self.path.is_dir()
            is_foreign = is_file or not all(map(self._is_begun, self._root.entries()))
        except OSError as error:
            raise WriteFailed(str(self.path), error) from error
        if is_foreign:
            hint = "Give a folder that is new, empty, or of an earlier run; nothing was changed."
            raise FolderRefused(f"{str(self.path)!r} holds something that is not of a corpus.", hint=hint)

    def _is_begun(self, entry: FolderFile) -> bool:
        """Whether an entry is of a plan that was stopped: no shard is done before there is a plan."""
        if not entry.is_folder():
            return entry.is_file() and entry.name.startswith(PART)
        if entry.name not in _FOLDERS:
            return False
        is_plan_file = _SUPERSEDED.fullmatch if entry == self.superseded else lambda name: None
        return all(file.name.startswith(PART) or is_plan_file(file.name) for file in entry.entries())


def _with_checksum(document: Mapping[str, Any]) -> bytes:
    """The content of a file of JSON that shows whether it is whole."""
    return orjson.dumps({**document, _CHECKSUM: _checksum(document)}, option=_FORM)


def _checked(file: FolderFile) -> dict[str, Any]:
    """The document in a file of ``_with_checksum``.

    Raises:
        OSError: it cannot be read.
        ValueError: it is damaged.
    """
    document: dict[str, Any] = orjson.loads(file.read_bytes())
    if not isinstance(document, dict) or document.pop(_CHECKSUM, None) != _checksum(document):
        raise ValueError("Its checksum is another.")  # of the content
    return document


def _checksum(document: Mapping[str, Any]) -> str:
    return hashlib.blake2b(orjson.dumps(document, option=_FORM), digest_size=16).hexdigest()


def _shard(failure: FolderFile) -> int:
    return int(failure.name.partition("-")[0])


def _attempt(failure: FolderFile) -> int:
    return int(failure.name.partition("-")[2].removesuffix(".json"))


def _reason(failure: FolderFile) -> str:
    """The reason in the file of a failure.

    Raises:
        FolderRefused: the file is damaged.
    """
    try:
        return str(orjson.loads(failure.read_bytes())["reason"])
    except (OSError, ValueError, LookupError, TypeError) as error:
        hint = "Remove it, and its shard is tried once more; or forget all failures with: biofact corpus retry DIR"
        raise FolderRefused(f"{str(failure)!r} is damaged: it does not say why its shard failed.", hint=hint) from error


def _difference(current: CorpusPlan, plan: CorpusPlan) -> str:
    """The differences of a plan from the current one, in words."""
    parts = {
        "other input files": [file.sha256 for file in current.files] != [file.sha256 for file in plan.files],
        "another version of biofact": current.version != plan.version,
        "another shard size": current.shard_size != plan.shard_size,
        **{
            f"another {_OPTIONS[name]}": getattr(current.settings, name) != getattr(plan.settings, name)
            for name in _OPTIONS
        },
    }
    return " and ".join(name for name, differs in parts.items() if differs) or "another plan"


@dataclass(frozen=True, slots=True)
class Status:
    """The progress of a run."""

    shards: int
    done: int
    articles: int
    """All articles of the plan."""
    read: int
    errors: int
    """Articles that could not be read."""
    rate: float | None
    """Articles a second over the last ten minutes in which shards ended; None where too few did."""
    remaining_seconds: float | None
    failed: dict[int, str] = field(default_factory=dict)
    """Shards that are tried no more, with the last reason."""
    failing: Counter[str] = field(default_factory=Counter)
    """How often shards have failed, by reason."""


def status(folder: Path) -> Status:
    """The progress of the run in a folder.

    Raises:
        FolderRefused: the folder holds no plan.
    """
    place = CorpusFolder(folder)
    plan = place.plan()
    ends: list[tuple[float, dict[str, Any]]] = []
    for shard in plan.shards:
        end = place.done(shard.number, plan.key)
        if end is not None:
            ends.append((place.done_file(shard.number).stat().st_mtime, end))
    counts: Counter[str] = Counter()
    for _, end in ends:
        counts.update(end["counts"])
    rate = _rate(ends)
    remaining = plan.articles - counts["read"] - counts["error"]
    return Status(
        shards=len(plan.shards),
        done=len(ends),
        articles=plan.articles,
        read=counts["read"],
        errors=counts["error"],
        rate=rate,
        remaining_seconds=remaining / rate if rate else None,
        failed=place.failed(plan),
        failing=place.failure_reasons(),
    )


def _rate(ends: list[tuple[float, dict[str, Any]]]) -> float | None:
    """Articles a second from the first shard that ended recently to the last; those of the first are not counted."""
    latest = max((time for time, _ in ends), default=0.0)
    recent = sorted((time, sum(end["counts"].values())) for time, end in ends if time > latest - _RECENT_SECONDS)
    seconds = recent[-1][0] - recent[0][0] if recent else 0.0
    return sum(count for _, count in recent[1:]) / seconds if seconds else None
