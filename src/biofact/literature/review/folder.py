"""The folder of a run: its owner and plan, its files, and the answers stored so that no request is made twice."""

import datetime as dt
import hashlib
import platform
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Literal

from pydantic import ValidationError

from biofact.core.folder_files import PART, FolderFile
from biofact.core.records import Frozen
from biofact.literature import files
from biofact.literature.files import FolderRefused, WriteFailed
from biofact.literature.lock import Lock
from biofact.literature.review.plan import ReviewPlan

_DIGEST_BYTES = 16


def digest(*parts: str) -> str:
    """The name of a question, a hash of its parts."""
    return hashlib.blake2b("\0".join(parts).encode(), digest_size=_DIGEST_BYTES).hexdigest()


class Work:
    """Files by name under one folder. Each begins with a checksum line."""

    def __init__(self, folder: FolderFile) -> None:
        self._folder = folder
        self.damaged: list[str] = []
        """Names of files whose checksum is wrong; their content is requested again."""
        for inner in (folder, *(entry for entry in folder.entries() if entry.is_folder())):
            files.sweep(inner)

    def find(self, name: str) -> bytes | None:
        """The content stored under a name; None if there is none, or its checksum is wrong."""
        try:
            mark, _, content = (self._folder / name).read_bytes().partition(b"\n")
        except FileNotFoundError:
            return None
        except OSError:
            # an unreadable file counts as damaged
            mark, content = b"", b""
        if mark == _mark(name, content):
            return content
        self.damaged.append(name)
        return None

    def keep(self, name: str, content: bytes) -> bytes:
        """Store content under a name; it is on the disk when this returns.

        Raises:
            WriteFailed: the system refuses the write.
        """
        file = self._folder / name
        if not file.parent.is_folder():
            files.make_folder(file.parent)
        files.write(file, _mark(name, content) + b"\n" + content)
        return content


def _mark(name: str, content: bytes) -> bytes:
    return hashlib.blake2b(name.encode() + b"\0" + content, digest_size=_DIGEST_BYTES).hexdigest().encode()


Format = Literal["biofact literature review 1"]
FORMAT: Format = "biofact literature review 1"
WORK = ".work"
OUTPUTS = (
    "articles.jsonl", "features.csv", "ranking.csv", "references.ris", "references.bib", "report.html", "manifest.json",
)  # fmt: skip
"""The files of a complete run, in the order of writing: the manifest last, so that it marks a complete folder."""
_PLAN, _LOCK = "plan.json", "lock"


class RunStart(Frozen):
    """The facts fixed at the first start of a run, which hold until its end."""

    format: Format = FORMAT
    plan: ReviewPlan
    today: dt.date
    started: str
    """ISO 8601 in UTC."""
    versions: dict[str, str]
    later_versions: tuple[dict[str, str], ...] = ()
    """Later versions that continued the run, each once."""


class Folder:
    """The folder of one review."""

    def __init__(self, path: Path) -> None:
        self.path = path

    @property
    def is_finished(self) -> bool:
        """Whether all files of a complete run exist."""
        return all((self._root / name).is_file() for name in OUTPUTS)

    @contextmanager
    def session(
        self, plan: ReviewPlan, now: dt.datetime, *, version: str, fresh: bool = False
    ) -> Iterator[tuple[RunStart, Work]]:
        """Work on ``plan`` in this folder, alone; ``fresh`` removes the files of an earlier run.

        Raises:
            FolderRefused: the folder holds something else, another plan, or a run that is at work.
            WriteFailed: the system refuses a write.
        """
        self._check_ownership()
        files.make_folder(self._work)
        hint = "Wait until it has ended, or give --output another folder."
        with Lock(self._work / _LOCK, holder="Another review", hint=hint):
            with files.user_errors(self._work):
                run_start = None if fresh else self._earlier_start()
            if run_start is not None:
                self._check_plan(run_start.plan, plan)
            elif fresh:
                self._forget()
            files.sweep(self._root)  # under the lock, so that every unfinished file is a dead run's
            with files.user_errors(self._work):
                work = Work(self._work)
            versions = {"biofact": version, "python": platform.python_version()}
            if run_start is None:
                run_start = RunStart(plan=plan, today=now.date(), started=now.isoformat(), versions=versions)
                work.keep(_PLAN, run_start.model_dump_json(indent=1).encode())
            elif versions not in (run_start.versions, *run_start.later_versions):
                run_start = run_start.model_copy(update={"later_versions": (*run_start.later_versions, versions)})
                work.keep(_PLAN, run_start.model_dump_json(indent=1).encode())
            yield run_start, work

    @property
    def _root(self) -> FolderFile:
        return FolderFile(self.path)

    @property
    def _work(self) -> FolderFile:
        return self._root / WORK

    def _earlier_start(self) -> RunStart | None:
        """The facts of an earlier start; None if there was none, or one without any answer.

        Raises:
            FolderRefused: it cannot be read.
        """
        file = self._work / _PLAN
        has_answers = any(entry.is_folder() for entry in self._work.entries())
        if not file.exists() or not (has_answers or any((self._root / name).exists() for name in OUTPUTS)):
            return None
        content = Work(self._work).find(_PLAN)
        try:
            return RunStart.model_validate_json(content or b"")
        except ValidationError as error:
            raise FolderRefused(
                f"{str(file)!r} is damaged, or of another version: nobody knows what this folder was made for.",
                hint="Start anew with --fresh, or give --output another folder.",
            ) from error

    def _check_ownership(self) -> None:
        path, work = self.path, self._work
        try:
            if path.exists() and not path.is_dir():
                hint = "Give --output a folder, new or of an earlier run."
                raise FolderRefused(f"{str(path)!r} is a file.", hint=hint)
            names = {entry.name for entry in path.iterdir()} if path.exists() else set()
            is_plain = work.is_folder()
            work_names = {entry.name for entry in work.entries()} if is_plain else set()
        except OSError as error:
            raise WriteFailed(str(path), error) from error
        # A run that was killed in its first moments leaves no more than its lock.
        is_just_begun = is_plain and all(name == _LOCK or name.startswith(PART) for name in work_names)
        is_new = not names or (names == {WORK} and is_just_begun)
        if not is_new and not (is_plain and _PLAN in work_names):
            raise FolderRefused(
                f"{str(path)!r} holds files that are not of a review.",
                hint="Give --output a folder that is new, empty, or of an earlier run; nothing was changed.",
            )

    def _check_plan(self, earlier_plan: ReviewPlan, plan: ReviewPlan) -> None:
        if other := earlier_plan.differences(plan):
            raise FolderRefused(
                f"{str(self.path)!r} was begun with another {' and '.join(other)}.",
                hint="Give --output another folder, or --fresh to begin anew here and lose what is there."
                f" The review in it goes on with: {earlier_plan.command()} --output {self.path}",
            )

    def _forget(self) -> None:
        """Remove the files of an earlier run. The plan stays until it is overwritten, so that the folder stays ours."""
        try:
            for name in OUTPUTS:
                (self._root / name).unlink(missing_ok=True)
            for entry in self._work.entries():
                if entry.is_folder():
                    entry.remove_folder()
                elif entry.name not in {_PLAN, _LOCK}:
                    entry.unlink()
        except OSError as error:
            raise WriteFailed(str(self.path), error) from error
