"""The folder of a run: its owner and plan, its files, and the answers stored so that no request is made twice."""

import datetime as dt
import hashlib
import platform
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Literal

from pydantic import ValidationError

from biofact.core.records import Frozen
from biofact.literature import files
from biofact.literature.files import FolderRefused, WriteFailed
from biofact.literature.lock import Lock
from biofact.literature.review.plan import ReviewPlan

_DIGEST_BYTES = 16


def digest(*parts: str) -> str:
    """A name for a question: the same question has the same."""
    return hashlib.blake2b("\0".join(parts).encode(), digest_size=_DIGEST_BYTES).hexdigest()


class Work:
    """Files by name under one folder. Each begins with a checksum line."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self.damaged: list[str] = []
        """Names of files whose checksum is wrong; their content is requested again."""
        for inner in (folder, *(one for one in folder.iterdir() if one.is_dir())):
            files.sweep(inner)

    def find(self, name: str) -> bytes | None:
        """What was kept under a name; None if there is nothing, or nothing that can be trusted."""
        try:
            mark, _, content = (self._folder / name).read_bytes().partition(b"\n")
        except FileNotFoundError:
            return None
        except OSError:
            mark, content = b"", b""
        if mark == _mark(name, content):
            return content
        self.damaged.append(name)
        return None

    def keep(self, name: str, content: bytes) -> bytes:
        """Keep something; it is on the disk when this returns.

        Raises:
            WriteFailed: the system refuses the write.
        """
        file = self._folder / name
        if not file.parent.is_dir():
            files.make_folder(file.parent)
        files.write(file, _mark(name, content) + b"\n" + content)
        return content


def _mark(name: str, content: bytes) -> bytes:
    return hashlib.blake2b(name.encode() + b"\0" + content, digest_size=_DIGEST_BYTES).hexdigest().encode()


Format = Literal["biofact literature review 1"]
FORMAT: Format = "biofact literature review 1"
WORK = ".work"
OUTPUTS = (
    "articles.jsonl",
    "features.csv",
    "ranking.csv",
    "references.ris",
    "references.bib",
    "report.html",
    "manifest.json",
)
"""What a run leaves, in the order written: the manifest last, so that it marks a complete folder."""
_PLAN, _LOCK = "plan.json", "lock"


class RunStart(Frozen):
    """What was fixed at the first start of a run, and holds until its end."""

    format: Format = FORMAT
    plan: ReviewPlan
    today: dt.date
    started: str
    """ISO 8601 in UTC."""
    versions: dict[str, str]
    later_versions: tuple[dict[str, str], ...] = ()
    """Others that went on with it, each once; all else is as it was fixed."""


class Folder:
    """A folder in which one review works, or has worked."""

    def __init__(self, path: Path) -> None:
        self.path = path

    @property
    def is_finished(self) -> bool:
        """Whether everything that a run leaves is there."""
        return all((self.path / name).is_file() for name in OUTPUTS)

    @contextmanager
    def opened(
        self, plan: ReviewPlan, now: dt.datetime, *, version: str, fresh: bool = False
    ) -> Iterator[tuple[RunStart, Work]]:
        """Work on ``plan`` here, alone; ``fresh`` forgets what an earlier run of ours left.

        Raises:
            FolderRefused: the folder holds something else, another plan, or a run that is at work.
            WriteFailed: the system refuses a write.
        """
        self._check_ours()
        files.make_folder(self._work)
        hint = "Wait until it has ended, or give --output another folder."
        with Lock(self._work / _LOCK, holder="Another review", hint=hint):
            known = None if fresh else self._earlier_start()
            if known is not None:
                self._check_plan(known.plan, plan)
            elif fresh:
                self._forget()
            files.sweep(self.path)
            work = Work(self._work)
            versions = {"biofact": version, "python": platform.python_version()}
            if known is None:
                known = RunStart(plan=plan, today=now.date(), started=now.isoformat(), versions=versions)
                work.keep(_PLAN, known.model_dump_json(indent=1).encode())
            elif versions not in (known.versions, *known.later_versions):
                known = known.model_copy(update={"later_versions": (*known.later_versions, versions)})
                work.keep(_PLAN, known.model_dump_json(indent=1).encode())
            yield known, work

    @property
    def _work(self) -> Path:
        return self.path / WORK

    def _earlier_start(self) -> RunStart | None:
        """What an earlier start fixed; None where there was none, or one that got nowhere.

        Raises:
            FolderRefused: it cannot be read.
        """
        file = self._work / _PLAN
        has_answers = any(one.is_dir() for one in self._work.iterdir())
        if not file.exists() or not (has_answers or any((self.path / name).exists() for name in OUTPUTS)):
            return None
        content = Work(self._work).find(_PLAN)
        try:
            return RunStart.model_validate_json(content or b"")
        except ValidationError as error:
            raise FolderRefused(
                f"{str(file)!r} is damaged, or of another version: nobody knows what this folder was made for.",
                hint="Start anew with --fresh, or give --output another folder.",
            ) from error

    def _check_ours(self) -> None:
        path, work = self.path, self._work
        try:
            if path.exists() and not path.is_dir():
                raise FolderRefused(
                    f"{str(path)!r} is a file.", hint="Give --output a folder, new or of an earlier run."
                )
            names = {one.name for one in path.iterdir()} if path.exists() else set()
            is_plain = work.is_dir() and not work.is_symlink()
            begun = {one.name for one in work.iterdir()} if is_plain else set()
        except OSError as error:
            raise WriteFailed(str(path), error) from error
        # A run that was killed in its first moments leaves no more than its lock.
        has_only_begun = is_plain and all(name == _LOCK or name.startswith(files.PART) for name in begun)
        is_new = not names or (names == {WORK} and has_only_begun)
        if not is_new and not (is_plain and _PLAN in begun):
            raise FolderRefused(
                f"{str(path)!r} holds files that are not of a review.",
                hint="Give --output a folder that is new, empty, or of an earlier run; nothing was changed.",
            )

    def _check_plan(self, known: ReviewPlan, plan: ReviewPlan) -> None:
        if other := known.differences(plan):
            raise FolderRefused(
                f"{str(self.path)!r} was begun with another {' and '.join(other)}.",
                hint="Give --output another folder, or --fresh to begin anew here and lose what is there."
                f" The review in it goes on with: {known.command()} --output {self.path}",
            )

    def _forget(self) -> None:
        """Remove what an earlier run left; the plan goes last, in being overwritten, so that the folder stays ours."""
        try:
            for name in OUTPUTS:
                (self.path / name).unlink(missing_ok=True)
            for one in self._work.iterdir():
                if one.is_dir() and not one.is_symlink():
                    shutil.rmtree(one)
                elif one.name not in {_PLAN, _LOCK}:
                    one.unlink()
        except OSError as error:
            raise WriteFailed(str(self.path), error) from error
