"""Static tokens: their text, their digests, and the file that keeps these and that only its owner may read."""

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
"""Shows people and secret scanners what the text is."""
FORM = r"biofact_[0-9A-Za-z]{49}"
"""The regular expression for secret scanners."""
_FORM = re.compile(FORM)
_ALPHABET = string.digits + string.ascii_letters
_RANDOM = 43  # characters of 62 kinds: 256 bits
_CHECK = 6
NAME_FORM = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]{0,63}")
_GROUP_AND_WORLD = stat.S_IRWXG | stat.S_IRWXO
_GROUP_AND_WORLD_WRITE = stat.S_IWGRP | stat.S_IWOTH
_MOST_BYTES = 4 * 1024 * 1024
Stamp = tuple[int, ...]


def new_token() -> str:
    """A new token with 256 random bits."""
    start = PREFIX + "".join(secrets.choice(_ALPHABET) for _ in range(_RANDOM))
    return start + _checksum(start)


def is_well_formed(text: str) -> bool:
    """Whether a text has the form of a token and the right checksum: a typing error changes it."""
    return bool(_FORM.fullmatch(text)) and _checksum(text[:-_CHECK]) == text[-_CHECK:]


def digest(token: str) -> str:
    """The digest of a token that the file keeps; it does not lead back to the token.

    A slow hash protects secrets that can be guessed. 256 random bits cannot, so a fast one is as good, and wrong tokens
    do not keep the server busy.
    """
    return hashlib.sha256(token.encode()).hexdigest()


def _checksum(start: str) -> str:
    """The CRC-32 of a token's other characters, in six characters."""
    rest, characters = zlib.crc32(start.encode()), ""
    for _ in range(_CHECK):
        rest, place = divmod(rest, len(_ALPHABET))
        characters = _ALPHABET[place] + characters
    return characters


class TokenFileRefused(WrongUsage):
    """The file of static tokens cannot be read, or cannot be trusted."""


class NoTokenFile(TokenFileRefused):
    """There is no file of static tokens."""


class StaticToken(BaseModel):
    """A token in the file: its digest, name, scopes and times, and nothing that grants access."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    name: Annotated[str, StringConstraints(pattern=rf"^{NAME_FORM.pattern}$")]
    sha256: Annotated[str, StringConstraints(pattern=r"^[0-9a-f]{64}$")]
    scopes: tuple[str, ...]
    """The sources that it grants; empty for all."""
    created: AwareDatetime
    expires: AwareDatetime | None = None

    def is_expired(self, now: datetime | None = None) -> bool:
        """Whether its expiry has passed."""
        return self.expires is not None and self.expires <= (now or datetime.now(UTC))


class TokenList(BaseModel):
    """The content of the file."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    version: Literal[1] = 1
    tokens: tuple[StaticToken, ...] = ()

    def named(self, name: str) -> StaticToken | None:
        """The token of a name; None where there is none."""
        return next((token for token in self.tokens if token.name == name), None)


class TokenFile:
    """The tokens of a file. It is read again when it has changed, so that a server needs no restart."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self._stamp: Stamp | None = None
        self._list = TokenList()

    def read(self) -> TokenList:
        """The content of the file.

        Raises:
            NoTokenFile: there is no file.
            TokenFileRefused: others can read or change the file, it cannot be read, or it is no file of tokens.
        """
        try:
            status = self.path.stat()
            _check_owner(self.path, status)  # each time: the rights of the folder change without the file
            stamp = _stamp(status)
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


def _stamp(status: os.stat_result) -> Stamp:
    """Values that change when the file is replaced, or its content or permissions change."""
    return status.st_ino, status.st_size, status.st_mtime_ns, status.st_ctime_ns


def _content(path: Path) -> bytes:
    with path.open("rb") as file:
        _check_owner(path, os.fstat(file.fileno()))
        return file.read(_MOST_BYTES + 1)


def _token_list(path: Path, content: bytes) -> TokenList:
    try:
        if len(content) <= _MOST_BYTES:
            return TokenList.model_validate_json(content)
    except ValidationError:  # its message quotes the content, which may be a token
        pass
    raise TokenFileRefused(
        f"{str(path)!r} is not a file of tokens.",
        hint=f"Only `biofact token` writes it: delete it, or set {TOKENS.name} to another file.",
    )


def _check_owner(path: Path, status: os.stat_result) -> None:
    """Check owner and permissions. Windows keeps these elsewhere: there the user's own folder protects the file."""
    if sys.platform == "win32":
        return
    folder = path.resolve().parent.stat()
    is_open_folder = folder.st_mode & _GROUP_AND_WORLD_WRITE and not folder.st_mode & stat.S_ISVTX
    if status.st_uid not in (os.geteuid(), 0):
        raise _refusal(path, "is another user's", f"chown it to the user who serves: {path}")
    if status.st_mode & _GROUP_AND_WORLD:
        raise _refusal(path, "can be read or written by others", f"chmod 600 {path}")
    if is_open_folder:
        raise _refusal(path, "is in a folder that others can write to", f"chmod go-w {path.resolve().parent}")


def _refusal(path: Path, fault: str, hint: str) -> TokenFileRefused:
    return TokenFileRefused(f"The file of tokens {str(path)!r} {fault}.", hint=hint)
