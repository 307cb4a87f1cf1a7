"""Errors of the command line's library in our words: what is wrong with a command, and what to write instead."""

import difflib
from collections.abc import Iterable
from typing import Any, get_args, get_origin

from cyclopts import (
    CoercionError,
    CycloptsError,
    MissingArgumentError,
    RepeatArgumentError,
    Token,
    UnknownCommandError,
    UnknownOptionError,
    UnusedCliTokensError,
)

from biofact.core.usage import WrongUsage
from biofact.interfaces.cli.forms import Form

_EXPECTED = {int: "a whole number", float: "a number", bool: "true or false"}


def wrong_usage(error: CycloptsError) -> WrongUsage:
    """The mistake in our words. ``error`` is the command line's library's."""
    command = " ".join(("biofact", *(error.command_chain or ())))
    match error:
        case UnknownCommandError():
            return _unknown_command(error, command)
        case UnknownOptionError():
            return _unknown_option(error, command)
        case MissingArgumentError():
            return _missing(error, command)
        case CoercionError() if error.token is not None:
            return _unfit(error, error.token)
    return WrongUsage(_message(error, command), hint=f"See {command} --help.")


def _unknown_command(error: UnknownCommandError, command: str) -> WrongUsage:
    (word, *_) = error.unused_tokens or ("",)
    names = [name for name in error.app or () if not name.startswith("-")]
    if word.startswith("-"):
        return WrongUsage(f"{command} needs a command before {word!r}.", hint=f"The commands are {', '.join(names)}.")
    return WrongUsage(f"{command} has no command {word!r}.", hint=_suggested(word, names, "commands"))


def _unknown_option(error: UnknownOptionError, command: str) -> WrongUsage:
    word = error.token.keyword or error.token.value
    names = [name for argument in error.argument_collection for name in argument.names if name.startswith("--")]
    form = word.removeprefix("--")
    if form in get_args(Form) and "--format" in names:
        return WrongUsage(f"{command} has no option {word!r}.", hint=f"Write --format {form}.")
    return WrongUsage(f"{command} has no option {word!r}.", hint=_suggested(word, names, "options"))


def _missing(error: MissingArgumentError, command: str) -> WrongUsage:
    if error.keyword:
        return WrongUsage(f"{error.keyword} needs a value.", hint=f"See {command} --help.")
    name = _name(error)
    meaning = error.argument.parameter.help if error.argument is not None else None
    hint = f"Give {name}: {meaning[:1].lower()}{meaning[1:]}" if meaning else f"See {command} --help."
    return WrongUsage(f"{command} needs {name}.", hint=hint)


def _unfit(error: CoercionError, token: Token) -> WrongUsage:
    name = token.keyword or _name(error)
    return WrongUsage(f"{name} cannot be {token.value!r}.", hint=f"Give {name} as {_expected(error.target_type)}.")


def _message(error: CycloptsError, command: str) -> str:
    match error:
        case RepeatArgumentError():
            return f"{error.token.keyword} is given more than once."
        case UnusedCliTokensError():
            return f"{command} does not take {', '.join(map(repr, error.unused_tokens or ()))}."
    return " ".join(str(error).split())


def _suggested(word: str, names: Iterable[str], what: str) -> str:
    close = difflib.get_close_matches(word, names := list(names), n=1)
    return f"{f'Did you mean {close[0]}? ' if close else ''}The {what} are {', '.join(names)}."


def _name(error: CycloptsError) -> str:
    return "The argument" if error.argument is None else error.argument.name


def _expected(kind: Any) -> str:
    if get_origin(kind) is not None:
        return f"one of {', '.join(map(str, get_args(kind)))}"
    return _EXPECTED.get(kind, "a value of the declared type")
