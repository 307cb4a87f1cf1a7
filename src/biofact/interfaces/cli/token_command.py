"""``biofact token``: static tokens of a small group, added, listed and revoked while a server goes on serving."""

import os
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import BinaryIO, Literal

from biofact import sources
from biofact.core.folder_files import FolderFile
from biofact.core.settings import Settings
from biofact.core.usage import WrongUsage, no_source
from biofact.gateway.authentication import TOKENS, tokens_file
from biofact.gateway.tokens import NAME_FORM, NoTokenFile, StaticToken, TokenFile, TokenList, digest, new_token
from biofact.interfaces import terminal
from biofact.interfaces.cli import files, writers
from biofact.interfaces.cli.options import SummaryForm, summary_form

Action = Literal["add", "list", "revoke"]

_PRIVATE_FOLDER = 0o700
_TIME_FORMAT = "%Y-%m-%d %H:%M UTC"


class NoSuchToken(WrongUsage):
    """The list has no token of this name, or it has one already."""

    exit_code = 1


def run(
    action: Action,
    name: str | None,
    scopes: Sequence[str],
    days: int | None,
    form: SummaryForm | None,
) -> None:
    """Add, list or revoke a token.

    Raises:
        WrongUsage: a name is missing or malformed, an option is another command's, or the file is not to be trusted.
        NoSuchToken: no token has the name, or for a new token, one has it.
        FileNotWritten: the file cannot be written.
    """
    if action != "add" and (scopes or days):
        raise WrongUsage("--scope and --days are of a token that is added.", hint=f"Leave them out of {action}.")
    if action == "list":
        if name is not None:
            raise WrongUsage("list takes no name: it shows all tokens.", hint="Call `biofact token list`.")
        _show(summary_form(form))
    elif name is None:
        raise WrongUsage(f"{action} needs the name of a token.", hint=f"Call `biofact token {action} NAME`.")
    elif action == "add":
        _add(name, scopes, days)
    else:
        _revoke(name)


def _add(name: str, scopes: Sequence[str], days: int | None) -> None:
    """Write a new token on stdout, the only time that it is shown, and its hash into the file."""
    if not NAME_FORM.fullmatch(name):
        hint = "Use up to 64 letters, digits, dots, hyphens and underscores."
        raise WrongUsage(f"{name!r:.80} cannot name a token.", hint=hint)
    for scope in scopes:
        if scope not in sources.names():
            raise no_source(scope, sources.names())
    text, now = new_token(), datetime.now(UTC).replace(microsecond=0)
    token = StaticToken(
        name=name,
        sha256=digest(text),
        scopes=tuple(sorted(set(scopes))),
        created=now,
        expires=now + timedelta(days=days) if days else None,
    )

    def with_token(token_list: TokenList) -> TokenList:
        if token_list.named(name):
            hint = f"Choose another name, or call `biofact token revoke {name}` first."
            raise NoSuchToken(f"There is a token {name!r} already.", hint=hint)
        return token_list.model_copy(update={"tokens": (*token_list.tokens, token)})

    _change(with_token)
    writers.write_line(text)
    until = f" until {token.expires:{_TIME_FORMAT}}" if token.expires else ""
    terminal.write_messages(
        [
            f"note: {name} may ask {_source_names(token)}{until}. This is the only time that the token is shown.",
            "note: a client sends it as the header Authorization: Bearer TOKEN. Servers of this file know it already.",
        ]
    )


def _revoke(name: str) -> None:
    def without_token(token_list: TokenList) -> TokenList:
        if token_list.named(name) is None:
            raise NoSuchToken(
                f"There is no token {name!r:.80}.", hint="`biofact token list` shows those that there are."
            )
        return token_list.model_copy(
            update={"tokens": tuple(token for token in token_list.tokens if token.name != name)}
        )

    _change(without_token)
    terminal.write_messages([f"note: the token {name} is revoked. Servers of this file refuse it from now on."])


def _show(form: SummaryForm) -> None:
    try:
        tokens = TokenFile(_file()).read().tokens
    except NoTokenFile:
        tokens = ()
    if form == "json":
        terminal.write_json([_entry(token) for token in tokens])
    elif tokens:
        writers.write_rows([_row(token) for token in tokens])
    else:
        terminal.write_messages(["note: there are no static tokens; `biofact token add NAME` makes one."])


def _entry(token: StaticToken) -> dict[str, object]:
    entry = token.model_dump(mode="json", exclude={"sha256"}, exclude_none=True)
    return entry | {"scopes": list(token.scopes or sources.names())}


def _row(token: StaticToken) -> dict[str, str]:
    expires = f"{token.expires:{_TIME_FORMAT}}" if token.expires else "never"
    return {
        "name": token.name,
        "may_ask": _source_names(token),
        "created": f"{token.created:{_TIME_FORMAT}}",
        "expires": f"{expires} (over)" if token.is_expired() else expires,
    }


def _source_names(token: StaticToken) -> str:
    return ", ".join(token.scopes) or "every source"


def _file() -> Path:
    if (file := tokens_file(Settings())) is None:
        raise WrongUsage("There is no home folder for the file of tokens.", hint=f"Set {TOKENS.name} to a file.")
    return file


def _change(change: Callable[[TokenList], TokenList]) -> None:
    """Replace the file by a changed list, one command at a time."""
    file = _file()
    try:
        file.parent.mkdir(_PRIVATE_FOLDER, parents=True, exist_ok=True)
        with _lock(file.with_name(f"{file.name}.lock")):
            try:
                token_list = TokenFile(file).read()
            except NoTokenFile:
                token_list = TokenList()
            files.write_private(file, change(token_list).model_dump_json(indent=1, exclude_none=True).encode())
    except files.FileNotWritten as error:
        raise files.FileNotWritten(str(error), hint=f"Set {TOKENS.name} to a file in a folder of yours.") from error
    except OSError as error:
        reason = str(error.strerror or error).lower()
        raise files.FileNotWritten(
            f"{str(file)!r} cannot be written: {reason}.", hint=f"Set {TOKENS.name} to a file in a folder of yours."
        ) from error


@contextmanager
def _lock(file: Path) -> Iterator[None]:
    """Wait until no other command changes the file: of two that begin with the same list, one would be lost."""
    with os.fdopen(FolderFile.at_path(file).open_to_change(0o600), "r+b") as lock_file:
        _wait_for(lock_file)
        yield


def _wait_for(lock_file: BinaryIO) -> None:
    """Lock the file; the system unlocks it when it is closed, even by a crash."""
    if sys.platform == "win32":
        import msvcrt  # noqa: PLC0415  # of this system only

        msvcrt.locking(lock_file.fileno(), msvcrt.LK_LOCK, 1)
    else:
        import fcntl  # noqa: PLC0415  # of the other systems only

        fcntl.flock(lock_file.fileno(), fcntl.LOCK_EX)
