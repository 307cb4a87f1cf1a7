"""Which sources a request asks, and so which scopes its token needs. A scope is called what its source is."""

import functools
from collections.abc import Mapping

from biofact.interfaces.spelling import Catalog, prefixed

CALL, READ = "tools/call", "resources/read"
_NONE: frozenset[str] = frozenset()


class RequiredScopes:
    """The scopes for the tools and resources of one server: of every source, or of the one that is named."""

    def __init__(self, catalog: Catalog, source: str | None = None) -> None:
        self._catalog = catalog
        self._source = source

    @functools.cached_property
    def all(self) -> frozenset[str]:
        """Every scope that there is."""
        return frozenset((self._source,) if self._source else self._catalog.names())

    def of(self, method: object, name: object) -> frozenset[str]:
        """The scopes for a request by its method and by the tool, or the URI, that it names.

        A tool that asks all sources needs the scopes of all. Lists, prompts, and what there is not, need none.
        """
        if not isinstance(name, str) or method not in {CALL, READ}:
            return _NONE
        if self._source:
            return self.all
        return self._by_tool.get(name, _NONE) if method == CALL else self.all & {name.partition("://")[0]}

    @functools.cached_property
    def _by_tool(self) -> Mapping[str, frozenset[str]]:
        return {
            prefixed(tool.ref): self.all & {tool.ref.source} or self.all
            for toolset in self._catalog.toolsets()
            for tool in self._catalog.listing(toolset).tools
        }
