"""One folder per database; every folder looks the same. A new folder is found by itself."""

import functools
import importlib
import inspect
import pkgutil
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:  # a server starts before it needs any of these
    from biofact.core.tool import Example
    from biofact.protocol.client import LifeSciencesClient
    from biofact.transport.stack import Transport


@functools.cache
def names() -> tuple[str, ...]:
    """The sources there are, by folder; found once in a process, since every failure message lists them."""
    return tuple(sorted(iter_module.name for iter_module in pkgutil.iter_modules(__path__) if iter_module.ispkg))


def folder(name: str) -> Path:
    """The folder of a source."""
    return Path(__file__).parent / name


@functools.cache
def client_class(name: str) -> "type[LifeSciencesClient]":
    """The client of a source; imports that source and no other."""
    from biofact.protocol.client import LifeSciencesClient  # noqa: PLC0415

    module = importlib.import_module(f"{__name__}.{name}.client")
    return next(
        member
        for member in vars(module).values()
        if inspect.isclass(member) and issubclass(member, LifeSciencesClient) and member.__module__ == module.__name__
    )


def clients(transport: "Transport") -> "dict[str, LifeSciencesClient]":
    """The clients of all sources over one transport, by name."""
    return {name: client_class(name)(transport) for name in names()}


def examples(name: str) -> "tuple[Example, ...]":
    """The calls that show a source's tools."""
    found_examples: tuple[Example, ...] = importlib.import_module(f"{__name__}.{name}.examples").EXAMPLES
    return found_examples
