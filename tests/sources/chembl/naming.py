"""The compounds of many names on the sandbox, and the requests for them."""

from biofact.protocol.names import NameFinder, finders
from tests.sources.chembl.searching import on_sandbox


def finder(chembl, *, is_joined=True) -> NameFinder:
    [item] = [
        finder
        for finder in finders(chembl)
        if (finder.kind, finder.is_joined) == ("compound", is_joined) and finder.takes("aspirin")
    ]
    return item


def run_lookup(names, folder=None, *, is_joined=True):
    """The matches of the names, and the number of requests."""

    async def scenario(chembl, sandbox):
        matches = await finder(chembl, is_joined=is_joined).find(names, "human")
        return matches, len(sandbox.requests)

    return on_sandbox(scenario, folder)
