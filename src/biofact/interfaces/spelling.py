"""The names of tools in each interface; code refers to a tool as ``entrez.search_genes``."""

import re
from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol

from biofact import toolsets
from biofact.core.errors import USE_SANDBOX, ToolRef
from biofact.interfaces.listing import ListedCommand, SourceListing

if TYPE_CHECKING:  # they bring pydantic along, which help does without
    from biofact.core.records import Body
    from biofact.interfaces.journey import Journey

QUOTED = r"""(?<!\w)(?:'(?:\\.|[^'\\])*'?|"(?:\\.|[^"\\])*"?)"""
"""Input quoted as by ``repr``; a cut one has no end. An apostrophe follows a letter, and opens no quotation."""

_REFERENCE = re.compile(rf"{QUOTED}|{re.escape(USE_SANDBOX)}|(?<![\w.])([a-z]+)\.([a-z_]+)(?!\w|\.\w)")


class Catalog(Protocol):
    """The sources and all tools that can be called; ``every_source`` is one."""

    def names(self) -> tuple[str, ...]:
        """The names of the sources."""

    def toolsets(self) -> tuple[str, ...]:
        """The names of all toolsets: those above the sources, then the sources."""

    def client_class(self, name: str, /) -> type:
        """The client of a toolset, imported now."""

    def listing(self, name: str, /) -> SourceListing:
        """The listing of a toolset; imports no client."""

    def journeys(self) -> "tuple[Journey, ...]":
        """The journeys through several tools."""

    def commands(self, name: str, /) -> tuple[ListedCommand, ...]:
        """The commands of a toolset, from generated files; imports no client."""


def above_sources(catalog: Catalog) -> tuple[str, ...]:
    """The toolsets that are no source."""
    return tuple(name for name in catalog.toolsets() if name not in catalog.names())


@dataclass(frozen=True, slots=True)
class Spelling:
    """One interface's names for tools, and the tools that can be called there."""

    catalog: Catalog
    write: Callable[[ToolRef], str]
    reaches: Callable[[ToolRef], bool] = lambda ref: True

    def name(self, ref: ToolRef) -> str:
        """The name of a tool; a description where this interface does not offer it."""
        return self.write(ref) if self.reaches(ref) else f"{bare(ref)} of biofact's {_server(ref)}"

    def title(self, ref: ToolRef, title: str) -> str:
        """The title for people: ``NCBI Gene: search genes`` beside other sources."""
        if self.write is bare or toolsets.is_above_sources(ref.source):
            return title[:1].upper() + title[1:]
        return f"{self.catalog.listing(ref.source).title.removeprefix('The ')}: {title}"

    def text(self, text: str) -> str:
        """``text`` with its references in this spelling; everything else is unchanged, quoted input too."""
        return _REFERENCE.sub(self._replacement, text)

    def body(self, body: "Body") -> "Body":
        """A result or failure with its notices, messages, reasons and recovery in this spelling; facts stay."""
        translated = self._entry(body)
        if isinstance(items := body.get("items"), list):
            translated["items"] = [self._entry(item) if isinstance(item, dict) else item for item in items]
        return translated

    def _entry(self, entry: "Body") -> "Body":
        translated = dict(entry)
        if "notices" in entry:
            translated["notices"] = [{**notice, "message": self.text(notice["message"])} for notice in entry["notices"]]
        if "reason" in entry:
            translated["reason"] = self.text(entry["reason"])
        if entry.get("success") is False:
            translated["error"] = self._error(entry["error"])
        return translated

    def _error(self, error: "Body") -> "Body":
        translated = {**error, **{name: self.text(error[name]) for name in ("message", "recovery_hint")}}
        recovery = error.get("recovery", {})
        if "tool" in recovery:
            ref = ToolRef(*recovery["tool"].split("."))
            translated["recovery"] = {**recovery, "tool": self.write(ref)}
            if not self.reaches(ref):
                del translated["recovery"]
        return translated

    def _replacement(self, match: re.Match[str]) -> str:
        source, method = match.groups()
        if match[0] == USE_SANDBOX:
            return "add --sandbox" if self.write is command else "have it started as `biofact serve --sandbox`"
        if source not in self.catalog.toolsets():  # quoted input, or any words with a dot between
            return match[0]
        ref = ToolRef(source, method)
        return self.name(ref) if ref in self.catalog.listing(source).refs() else match[0]


def _server(ref: ToolRef) -> str:
    return "server of all sources" if toolsets.is_above_sources(ref.source) else f"{ref.source} server"


def bare(ref: ToolRef) -> str:
    """``search_genes``: on a server for one source."""
    return ref.method


def prefixed(ref: ToolRef) -> str:
    """``entrez_search_genes``: beside other sources. A method with its source in its name gets no prefix, nor does
    ``resolve``, which asks all sources.
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
