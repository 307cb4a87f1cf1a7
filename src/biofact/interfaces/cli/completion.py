"""The script with which a shell completes commands. It holds all of them: pressing the key starts no Python."""

import inspect
from collections.abc import Iterable, Iterator, Mapping
from typing import Annotated, Any, Literal, get_args

from cyclopts import App

from biofact.interfaces.listed_commands import ListedCommand
from biofact.interfaces.spelling import command

Shell = Literal["bash", "zsh", "fish", "powershell"]


def script(app: App, shell: Shell, listed: Iterable[ListedCommand] = ()) -> str:
    """The script for all commands and options of an app, which is good for nothing else afterwards: the arguments of
    the ``listed`` ones are of the values that they may have.
    """
    for one in listed:
        _, *words = command(one.ref).split()
        function: Any = _found(app, words).default_command
        if (signature := getattr(function, "__signature__", None)) is not None:
            _set_signature(function, signature.replace(parameters=list(_with_values(signature, dict(_values(one))))))
    return app.generate_completion(shell=shell, prog_name="biofact")


def _found(app: App, words: Iterable[str]) -> App:
    for word in words:
        app = app[word]
    return app


def _values(listed: ListedCommand) -> Iterator[tuple[str, tuple[Any, ...]]]:
    """The values that each argument may have, where they are listed."""
    for argument in listed.parameters:
        items = argument.schema.get("items", argument.schema)
        if values := argument.schema.get("enum") or items.get("enum"):
            yield argument.name, tuple(values)


def _with_values(signature: inspect.Signature, values: Mapping[str, tuple[Any, ...]]) -> Iterator[inspect.Parameter]:
    for name, parameter in signature.parameters.items():
        if name in values:
            options = get_args(parameter.annotation)[1:]
            yield parameter.replace(annotation=Annotated[(Literal[values[name]] | None, *options)])
        else:
            yield parameter


def _set_signature(function: Any, signature: inspect.Signature) -> None:
    function.__signature__ = signature
    function.__annotations__ = {name: parameter.annotation for name, parameter in signature.parameters.items()}
