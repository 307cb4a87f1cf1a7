"""The compounds of many names on the sandbox, and what they cost."""

from biofact.protocol.names import NameFinder, finders
from tests.sources.chembl.searching import on_sandbox


def finder(chembl, *, is_joined=True) -> NameFinder:
    [one] = [one for one in finders(chembl) if (one.kind, one.is_joined) == ("compound", is_joined)]
    return one


def asked(names, folder=None, *, is_joined=True):
    """What is found under the names, and how many requests that takes."""

    async def scenario(chembl, sandbox):
        found = await finder(chembl, is_joined=is_joined).find(names, "human")
        return found, len(sandbox.requests)

    return on_sandbox(scenario, folder)
