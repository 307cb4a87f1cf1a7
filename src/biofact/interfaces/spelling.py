"""How each interface writes the name of a tool. Code says ``entrez.search_genes``; nobody outside should have to."""

import re
from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol

from biofact import toolsets
from biofact.core.errors import USE_SANDBOX, ToolRef
from biofact.interfaces.listing import ListedCommand, SourceListing

if TYPE_CHECKING:  # brings pydantic along, which help does without
    from biofact.interfaces.result_json import Body

if TYPE_CHECKING:
    from biofact.interfaces.journey import Journey

QUOTED = r"""(?<!\w)(?:'(?:\\.|[^'\\])*'?|"(?:\\.|[^"\\])*"?)"""
"""Somebody's input as ``repr`` writes it; a cut one has no end. An apostrophe follows a letter, and opens nothing."""

_REFERENCE = re.compile(rf"{QUOTED}|{re.escape(USE_SANDBOX)}|(?<![\w.])([a-z]+)\.([a-z_]+)(?!\w|\.\w)")


class Catalog(Protocol):
    """The sources there are, and all tools that can be called; ``every_source`` is one."""

    def names(self) -> tuple[str, ...]:
        """The sources by name."""

    def toolsets(self) -> tuple[str, ...]:
        """Whatever has tools, by name: what stands above all sources, and the sources."""

    def client_class(self, name: str, /) -> type:
        """The client of a toolset, imported when asked for."""

    def listing(self, name: str, /) -> SourceListing:
        """What the client of a toolset offers; imports none."""

    def journeys(self) -> "tuple[Journey, ...]":
        """What leads through several tools."""

    def commands(self, name: str, /) -> tuple[ListedCommand, ...]:
        """The commands of a toolset as they stand ready; imports none."""


def above_sources(catalog: Catalog) -> tuple[str, ...]:
    """The toolsets that are no source."""
    return tuple(name for name in catalog.toolsets() if name not in catalog.names())


@dataclass(frozen=True, slots=True)
class Spelling:
    """One interface's names for tools, and which of them can be called there."""

    catalog: Catalog
    write: Callable[[ToolRef], str]
    reaches: Callable[[ToolRef], bool] = lambda ref: True

    def name(self, ref: ToolRef) -> str:
        """The name of a tool, in words where this interface does not offer it."""
        return self.write(ref) if self.reaches(ref) else f"{bare(ref)} of biofact's {_server(ref)}"

    def title(self, ref: ToolRef, title: str) -> str:
        """What people read in place of a name: ``NCBI Gene: search genes`` beside other sources."""
        if self.write is bare or toolsets.is_above_sources(ref.source):
            return title[:1].upper() + title[1:]
        return f"{self.catalog.listing(ref.source).title.removeprefix('The ')}: {title}"

    def text(self, text: str) -> str:
        """``text`` with its references in this spelling; all else, quoted input too, stays as it is."""
        return _REFERENCE.sub(self._named, text)

    def body(self, body: "Body") -> "Body":
        """A result or failure with its notices, messages, reasons and recovery in this spelling; facts stay."""
        renamed = self._entry(body)
        if isinstance(items := body.get("items"), list):
            renamed["items"] = [self._entry(item) if isinstance(item, dict) else item for item in items]
        return renamed

    def _entry(self, entry: "Body") -> "Body":
        renamed = dict(entry)
        if "notices" in entry:
            renamed["notices"] = [{**notice, "message": self.text(notice["message"])} for notice in entry["notices"]]
        if "reason" in entry:
            renamed["reason"] = self.text(entry["reason"])
        if entry.get("success") is False:
            renamed["error"] = self._error(entry["error"])
        return renamed

    def _error(self, error: "Body") -> "Body":
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
            return self._use_sandbox() if found[0] == USE_SANDBOX else found[0]
        ref = ToolRef(source, method)
        return self.name(ref) if self._is_declared(ref) else found[0]

    def _use_sandbox(self) -> str:
        return "add --sandbox" if self.write is command else "have it started as `biofact serve --sandbox`"

    def _is_declared(self, ref: ToolRef) -> bool:
        return ref.source in self.catalog.toolsets() and ref in self.catalog.listing(ref.source).refs()


def _server(ref: ToolRef) -> str:
    return "server of all sources" if toolsets.is_above_sources(ref.source) else f"{ref.source} server"


def bare(ref: ToolRef) -> str:
    """``search_genes``: on a server for one source."""
    return ref.method


def prefixed(ref: ToolRef) -> str:
    """``entrez_search_genes``: beside other sources. A method that names its source already stays, as does ``resolve``,
    which asks all of them.
    """
    is_alone = toolsets.is_above_sources(ref.source) or ref.method.startswith(f"{ref.source}_")
    return ref.method if is_alone else f"{ref.source}_{ref.method}"


def command(ref: ToolRef) -> str:
    """``biofact entrez search-genes``: at the command line. ``biofact resolve`` asks all sources."""
    source = "" if toolsets.is_above_sources(ref.source) else f"{ref.source} "
    return f"biofact {source}{subcommand(ref)}"


def subcommand(ref: ToolRef) -> str:
    """``search-genes``: below its source at the command line, or below none."""
    return ref.method.removeprefix(f"{ref.source}_").replace("_", "-")
