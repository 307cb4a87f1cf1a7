"""How each interface writes the name of a tool. Code says ``entrez.search_genes``; nobody outside should have to."""

import re
from collections.abc import Callable
from dataclasses import dataclass
from typing import Protocol

from biofact.core.errors import ToolRef
from biofact.interfaces.listing import SourceListing
from biofact.interfaces.result_json import Body

QUOTED = r"""(?<!\w)(?:'(?:\\.|[^'\\])*'?|"(?:\\.|[^"\\])*"?)"""
"""Somebody's input as ``repr`` writes it; a cut one has no end. An apostrophe follows a letter, and opens nothing."""

_REFERENCE = re.compile(rf"{QUOTED}|(?<![\w.])([a-z]+)\.([a-z_]+)(?!\w|\.\w)")


class Catalog(Protocol):
    """The sources there are; ``every_source`` is one."""

    def names(self) -> tuple[str, ...]:
        """The sources by name."""

    def client_class(self, name: str, /) -> type:
        """The client of a source, imported when asked for."""

    def listing(self, name: str, /) -> SourceListing:
        """What the client of a source offers; imports none."""


@dataclass(frozen=True, slots=True)
class Spelling:
    """One interface's names for tools, and which of them can be called there."""

    catalog: Catalog
    write: Callable[[ToolRef], str]
    reaches: Callable[[ToolRef], bool] = lambda ref: True

    def name(self, ref: ToolRef) -> str:
        """The name of a tool, in words where this interface does not offer it."""
        return self.write(ref) if self.reaches(ref) else f"{bare(ref)} of biofact's {ref.source} server"

    def text(self, text: str) -> str:
        """``text`` with each reference to a tool in this spelling; all else, quoted input too, stays as it is."""
        return _REFERENCE.sub(self._named, text)

    def body(self, body: Body) -> Body:
        """A result or failure with its notices, messages and recovery in this spelling; facts stay as they are."""
        renamed = self._entry(body)
        if isinstance(items := body.get("items"), list):
            renamed["items"] = [self._entry(item) if isinstance(item, dict) else item for item in items]
        return renamed

    def _entry(self, entry: Body) -> Body:
        renamed = dict(entry)
        if "notices" in entry:
            renamed["notices"] = [{**notice, "message": self.text(notice["message"])} for notice in entry["notices"]]
        if entry.get("success") is False:
            renamed["error"] = self._error(entry["error"])
        return renamed

    def _error(self, error: Body) -> Body:
        renamed = {**error, **{name: self.text(error[name]) for name in ("message", "recovery_hint")}}
        recovery = error.get("recovery", {})
        if "tool" in recovery:
            ref = ToolRef(*recovery["tool"].split("."))
            renamed["recovery"] = {**recovery, "tool": self.write(ref)}
            if not self.reaches(ref):
                del renamed["recovery"]
        return renamed

    def _named(self, found: re.Match[str]) -> str:
        source, method = found.groups()
        if source is None:
            return found[0]
        ref = ToolRef(source, method)
        return self.name(ref) if self._is_declared(ref) else found[0]

    def _is_declared(self, ref: ToolRef) -> bool:
        return ref.source in self.catalog.names() and ref in self.catalog.listing(ref.source).refs()


def bare(ref: ToolRef) -> str:
    """``search_genes``: on a server for one source."""
    return ref.method


def prefixed(ref: ToolRef) -> str:
    """``entrez_search_genes``: beside other sources. A method that names its source already stays."""
    return ref.method if ref.method.startswith(f"{ref.source}_") else f"{ref.source}_{ref.method}"


def command(ref: ToolRef) -> str:
    """``biofact entrez search-genes``: at the command line."""
    return f"biofact {ref.source} {subcommand(ref)}"


def subcommand(ref: ToolRef) -> str:
    """``search-genes``: below its source at the command line."""
    return ref.method.removeprefix(f"{ref.source}_").replace("_", "-")
