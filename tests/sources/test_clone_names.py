"""Names after clones, of genes that no database has so any more: no search finds something else by their words."""

import pytest

from biofact.identity.resolver import Resolver
from biofact.sources import clients
from tests import virtual_time
from tests.sandboxed import transported

pytestmark = pytest.mark.quick

CLONES = ("RP11-17A4.3", "CTD-2517M22.14", "AC093668.1", "KB-1507C5.2", "XXbac-B461K10.4", "RP5-1112D6.4", "Z97634.5")


def test_no_search_answers_the_name_of_a_clone_with_another_entity():
    async def ask():
        async with transported() as (transport, _):
            sources = clients(transport)
            searches = [
                sources["entrez"].search_genes,
                sources["ensembl"].search_genes,
                sources["chembl"].search_targets,
                sources["chembl"].search_compounds,
                sources["igvf"].search_terms,
            ]
            pages = {(search.__qualname__, name): await search(name) for search in searches for name in CLONES}
            rows = (await Resolver(sources, transport.afresh).resolve(CLONES, None, "human")).rows
            return pages, rows

    pages, rows = virtual_time.run(ask())

    assert {key: page.items for key, page in pages.items() if page.items} == {}
    assert [key for key, page in pages.items() if "UNMATCHED" not in {notice.code for notice in page.notices}] == []
    assert [
        row.name for row in rows if row.entities or row.ambiguous_with or "named after a clone" not in row.reason
    ] == []
