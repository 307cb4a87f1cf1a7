"""One folder per database: its services' side of the wire. A new folder is found by itself."""

import functools
import importlib
import pkgutil
from pathlib import Path
from types import ModuleType
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from biofact.sandbox.standin import StandIn


@functools.cache
def names() -> tuple[str, ...]:
    """The databases whose services are stood in for, by folder."""
    return tuple(sorted(package.name for package in pkgutil.iter_modules(__path__) if package.ispkg))


def stand_ins(recordings: Path | None = None) -> "list[StandIn]":
    """The stand-ins of every database; with ``recordings``, with their larger corpora too."""
    modules = [importlib.import_module(f"{__name__}.{name}.standin") for name in names()]
    return [stand_in for module in modules for stand_in in _stand_ins_of(module, recordings)]


def _stand_ins_of(module: ModuleType, recordings: Path | None) -> "list[StandIn]":
    """The stand-ins that a module's ``stand_ins`` builds, or else one of each of its own classes with a service."""
    if hasattr(module, "stand_ins"):
        return list(module.stand_ins(recordings))
    classes = (kind for kind in vars(module).values() if isinstance(kind, type) and kind.__module__ == module.__name__)
    return [kind() for kind in classes if hasattr(kind, "service")]
