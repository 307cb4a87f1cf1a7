"""The text of a static token: how it is made, how a slip in it is seen, and what is kept of it. Pure but for chance."""

import hashlib
import re
import secrets
import string
import zlib

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
