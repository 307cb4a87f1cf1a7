"""The file of static tokens: what is known of each, and who must not be able to read or change it."""

import hashlib
import os
import re
import secrets
import stat
import string
import sys
import zlib
from datetime import UTC, datetime
from pathlib import Path
from typing import Annotated, Literal

from pydantic import AwareDatetime, BaseModel, ConfigDict, StringConstraints, ValidationError

from biofact.core.usage import WrongUsage
from biofact.gateway.authentication import TOKENS

PREFIX = "biofact_"
"""By it people and secret scanners see what they have found."""
FORM = r"biofact_[0-9A-Za-z]{49}"
"""What a secret scanner looks for."""

_ALPHABET = string.digits + string.ascii_letters
_RANDOM = 43  # characters of 62 kinds: 256 bits
_CHECK = 6
_FORM = re.compile(FORM)


def new_token() -> str:
    """A token that nobody can guess."""
    start = PREFIX + "".join(secrets.choice(_ALPHABET) for _ in range(_RANDOM))
    return start + _checksum(start)


def is_well_formed(text: str) -> bool:
    """Whether it can be one of ours; a slip of the hand makes it none."""
    return bool(_FORM.fullmatch(text)) and _checksum(text[:-_CHECK]) == text[-_CHECK:]


def digest(token: str) -> str:
    """What is kept of a token, and does not lead back to it.

    A slow hash protects what can be guessed. 256 random bits cannot, so that a fast one is as good, and does not let
    whoever sends wrong tokens keep the server busy.
    """
    return hashlib.sha256(token.encode()).hexdigest()


def _checksum(start: str) -> str:
    """The CRC-32 of what stands before it, in six characters."""
    rest, characters = zlib.crc32(start.encode()), ""
    for _ in range(_CHECK):
        rest, place = divmod(rest, len(_ALPHABET))
        characters = _ALPHABET[place] + characters
    return characters


NAME_FORM = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]{0,63}")
_OTHERS = stat.S_IRWXG | stat.S_IRWXO
_OTHERS_WRITE = stat.S_IWGRP | stat.S_IWOTH
_MOST_BYTES = 4 * 1024 * 1024

Stamp = tuple[int, ...]


class TokenFileRefused(WrongUsage):
    """The file of static tokens cannot be read, or cannot be trusted."""


class NoTokenFile(TokenFileRefused):
    """There is none."""


class StaticToken(BaseModel):
    """What is known of a token: nothing that opens anything."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    name: Annotated[str, StringConstraints(pattern=rf"^{NAME_FORM.pattern}$")]
    sha256: Annotated[str, StringConstraints(pattern=r"^[0-9a-f]{64}$")]
    scopes: tuple[str, ...]
    """The sources that it may ask; empty for all."""
    created: AwareDatetime
    expires: AwareDatetime | None = None

    def is_expired(self, now: datetime | None = None) -> bool:
        """Whether its time is over."""
        return self.expires is not None and self.expires <= (now or datetime.now(UTC))


class TokenList(BaseModel):
    """What the file holds."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    version: Literal[1] = 1
    tokens: tuple[StaticToken, ...] = ()

    def named(self, name: str) -> StaticToken | None:
        """The token of that name."""
        return next((token for token in self.tokens if token.name == name), None)


class TokenFile:
    """The tokens of a file as it is now: it is read anew when it has changed, so that nobody need start anew."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self._stamp: Stamp | None = None
        self._list = TokenList()

    def read(self) -> TokenList:
        """What the file holds.

        Raises:
            NoTokenFile: there is none.
            TokenFileRefused: others can read or change it, it cannot be read, or it holds something else.
        """
        try:
            stamp = _stamp(self.path.stat())
            if stamp != self._stamp:
                self._list = _token_list(self.path, _content(self.path))
                self._stamp = stamp
        except FileNotFoundError as error:
            self._stamp = None
            raise NoTokenFile(
                f"There is no file of tokens {str(self.path)!r}.", hint="`biofact token add NAME` makes one."
            ) from error
        except OSError as error:
            self._stamp = None
            reason = str(error.strerror or error).lower()
            raise TokenFileRefused(
                f"The file of tokens {str(self.path)!r} cannot be read: {reason}.",
                hint=f"Let the user who serves own it, or set {TOKENS.name} to another file.",
            ) from error
        return self._list


def _stamp(found: os.stat_result) -> Stamp:
    """What changes with the file: another one in its place, its content, or who may read it."""
    return found.st_ino, found.st_size, found.st_mtime_ns, found.st_ctime_ns


def _content(path: Path) -> bytes:
    with path.open("rb") as opened:
        _check_owner(path, os.fstat(opened.fileno()))
        return opened.read(_MOST_BYTES + 1)


def _token_list(path: Path, content: bytes) -> TokenList:
    try:
        if len(content) <= _MOST_BYTES:
            return TokenList.model_validate_json(content)
    except ValidationError:  # it quotes what it found, which may be somebody's token
        pass
    raise TokenFileRefused(
        f"{str(path)!r} is not a file of tokens.",
        hint=f"Only `biofact token` writes it: delete it, or set {TOKENS.name} to another file.",
    )


def _check_owner(path: Path, found: os.stat_result) -> None:
    """Windows keeps rights elsewhere: there the user's own folder is what protects it."""
    if sys.platform == "win32":
        return
    folder = path.resolve().parent.stat()
    is_open_folder = folder.st_mode & _OTHERS_WRITE and not folder.st_mode & stat.S_ISVTX
    if found.st_uid not in (os.geteuid(), 0):
        raise _not_ours(path, "is another user's", f"chown it to the user who serves: {path}")
    if found.st_mode & _OTHERS:
        raise _not_ours(path, "can be read or written by others", f"chmod 600 {path}")
    if is_open_folder:
        raise _not_ours(path, "is in a folder that others can write to", f"chmod go-w {path.resolve().parent}")


def _not_ours(path: Path, what: str, hint: str) -> TokenFileRefused:
    return TokenFileRefused(f"The file of tokens {str(path)!r} {what}.", hint=hint)
