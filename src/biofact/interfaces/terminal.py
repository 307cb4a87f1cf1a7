"""The one way to standard output and standard error. Words of others arrive at a terminal as text, never as commands.

A name with an escape sequence could clear the screen, set the title or fake a line of output; one with a
direction override shows another ID than it holds. In a pipe, answers are data and stay as they are.
"""

import io
import os
import re
import sys
from collections.abc import Iterable
from contextlib import suppress
from typing import TYPE_CHECKING, TextIO

if TYPE_CHECKING:
    from rich.console import Console

# Control characters (but line end and tab), and what is invisible and changes the order, the place or the number of
# what stands around it. The joiners of Persian, Indic and emoji spelling (U+200C, U+200D) and the soft hyphen stay.
_COMMANDS = re.compile(
    "[\x00-\x08\x0b-\x1f\x7f-\x9f\u061c\u180e\u200b\u200e\u200f\u2028-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb"
    "\ud800-\udfff\U000110bd\U000110cd\U00013430-\U0001343f\U0001bca0-\U0001bca3\U0001d173-\U0001d17a"
    "\U000e0000-\U000e007f]"
)


def plain(text: str) -> str:
    r"""``text`` with everything that a terminal would obey written out, as ``\x1b`` and ``\u202e``."""
    return _COMMANDS.sub(lambda match: match[0].encode("unicode_escape").decode(), text)


def plain_json(text: str) -> str:
    """The same JSON with such characters escaped in JSON's own way."""
    import json  # noqa: PLC0415  # --version does without

    return _COMMANDS.sub(lambda match: json.dumps(match[0])[1:-1], text)


def open_streams() -> None:
    """Let stdout and stderr take every character: a pipe as UTF-8, a terminal with a narrower code page as ``?``.

    Windows gives pipes its code page. PYTHONIOENCODING takes precedence.
    """
    for place, (name, mode, flags) in enumerate(_CLOSED_STREAMS):
        if getattr(sys, name) is None:
            _take(place, flags)
            setattr(sys, name, open(place, mode, closefd=False))  # noqa: SIM115  # as long as the program
    for stream in (sys.stdout, sys.stderr):
        if not isinstance(stream, io.TextIOWrapper):
            continue
        if stream.isatty() or "PYTHONIOENCODING" in os.environ:
            stream.reconfigure(errors="replace")
        else:
            stream.reconfigure(encoding="utf-8")


_CLOSED_STREAMS = (("stdin", "r", os.O_RDONLY), ("stdout", "w", os.O_RDONLY), ("stderr", "w", os.O_WRONLY))
"""The way to open closed streams, as the next files would take their places: stdin is empty, writing on stdout fails,
as an answer would be lost, and messages on stderr are dropped.
"""


def _take(place: int, flags: int) -> None:
    null = os.open(os.devnull, flags)
    os.dup2(null, place)  # children inherit it
    if null != place:
        os.close(null)
    os.set_inheritable(place, True)


def close_streams() -> None:
    """Write the rest of stdout and stderr, or drop what fails, with which the interpreter would end in an error."""
    for stream in (sys.stdout, sys.stderr):
        try:
            stream.flush()
        except OSError:
            discard(stream)


def discard(stream: TextIO) -> None:
    """Drop the buffer of a stream and all further text: its reader has gone, or its disk is full."""
    with suppress(OSError):  # a stream in memory has no file
        _take(stream.fileno(), os.O_WRONLY)


def write(text: str) -> None:
    """Write text on stdout: plain at a terminal, as it is into a pipe."""
    sys.stdout.write(plain(text) if sys.stdout.isatty() else text)


def write_json(value: object) -> None:
    """Write JSON on stdout that a person can read too."""
    text = indented_json(value)
    sys.stdout.write(plain_json(text) if sys.stdout.isatty() else text)


def indented_json(value: object) -> str:
    """JSON that a person can read too, with a line end behind it."""
    from pydantic_core import to_json  # noqa: PLC0415  # --version does without

    return f"{to_json(value, indent=2).decode()}\n"


def write_bytes(content: bytes) -> None:
    """Write on stdout what goes into a file as it is."""
    sys.stdout.flush()
    sys.stdout.buffer.write(content)
    sys.stdout.buffer.flush()


def write_messages(lines: Iterable[str], *, is_wrapped: bool = True) -> None:
    """Write messages for people on stderr, a line each, wrapped where that is a terminal."""
    with suppress(BrokenPipeError):  # stdout is closed; stderr is not
        sys.stdout.flush()
    try:
        for line in lines:
            text = plain(" ".join(line.splitlines()))
            sys.stderr.write(f"{_wrapped(text) if is_wrapped else text}\n")
        sys.stderr.flush()
    except OSError:  # the exit code still counts
        discard(sys.stderr)


def is_typed_into() -> bool:
    """Whether a person can type on stdin: a client that starts us has a pipe there."""
    return sys.stdin is not None and sys.stdin.isatty()


def _wrapped(line: str) -> str:
    """A message as a terminal shows it, wrapped at words; no word is cut, so that it can be copied."""
    if not sys.stderr.isatty():
        return line
    import shutil  # noqa: PLC0415  # few messages are for a terminal
    import textwrap  # noqa: PLC0415

    width = shutil.get_terminal_size().columns
    return textwrap.fill(line, width, subsequent_indent="  ", break_long_words=False, break_on_hyphens=False)


def console(*, stderr: bool = False) -> "Console":
    """For tables and bars: brackets and colons in a text are no markup and no emoji. Give it ``plain`` text."""
    import shutil  # noqa: PLC0415

    from rich.console import Console  # noqa: PLC0415  # only a terminal needs it

    columns, lines = shutil.get_terminal_size()  # rich would take a dumb terminal for one of 80 columns
    return Console(stderr=stderr, markup=False, emoji=False, highlight=False, width=columns, height=lines)
