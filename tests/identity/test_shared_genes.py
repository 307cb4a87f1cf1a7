"""Ensembl genes that NCBI gives to several of its own, all of the recorded human file; and genes of one each."""

import functools
import random
from collections import defaultdict

import pytest

from biofact.identity.client import IdentityClient
from biofact.sandbox import Fault
from tests import virtual_time
from tests.identity.checked import check_with_requests, row, verdicts
from tests.recordings import folder_of_genes, gene_table, needs_recordings
from tests.sandboxed import WHOLE, transported

pytestmark = needs_recordings

SEED = 37
CLEAN = {"entrez", "ensembl", "hgnc", "omim"}
"""Databases on which two records of one gene agree; the sandbox's Catalog has few of these genes."""


@functools.cache
def genes_of_ensembl_ids():
    """The rows of human genes by each Ensembl ID that they list."""
    genes = defaultdict(list)
    for cells in gene_table(9606):
        for reference in cells[5].split("|"):
            if reference.startswith("Ensembl:"):
                genes[reference.removeprefix("Ensembl:")].append(cells)
    return genes


def drawn(genes, count):
    return dict(random.Random(SEED).sample([*genes.items()], min(count, len(genes))))


def checked(ids, genes):
    """The checked identities of these IDs, where the databases have these genes alone."""

    async def ask(folder):
        async with transported(timing=WHOLE, recordings=folder) as (transport, _):
            client = IdentityClient(transport)
            return {checked_id: await client.check_identity(checked_id) for checked_id in ids}

    rows = {"\t".join(cells): None for gene_rows in genes.values() for cells in gene_rows}
    with folder_of_genes(rows) as folder:
        return virtual_time.run(ask(folder))


@pytest.mark.parametrize(
    "count", [pytest.param(4, marks=pytest.mark.quick), pytest.param(1_000, marks=pytest.mark.sweep)]
)
def test_an_ensembl_gene_of_several_ncbi_genes_names_them_all(count):
    shared = {ensembl_id: rows for ensembl_id, rows in genes_of_ensembl_ids().items() if len(rows) > 1}
    assert len(shared) == 99  # in NCBI's file
    genes = drawn(shared, count)

    for ensembl_id, identity in checked(genes, genes).items():
        verdict = row(identity, "entrez")
        assert verdict.verdict == "one_to_many", ensembl_id
        citing_ids = {claim.of for claim in verdict.assertions if (claim.by, claim.says) == ("entrez", ensembl_id)}
        assert citing_ids == {f"NCBIGene:{cells[1]}" for cells in genes[ensembl_id]}


@pytest.mark.parametrize(
    "count", [pytest.param(5, marks=pytest.mark.quick), pytest.param(300, marks=pytest.mark.sweep)]
)
@pytest.mark.parametrize("side", ["entrez", "ensembl"])
def test_a_gene_of_one_id_in_each_database_raises_no_alarm(side, count):
    pairs = {
        ensembl_id: rows
        for ensembl_id, rows in genes_of_ensembl_ids().items()
        if len(rows) == 1 and rows[0][5].count("Ensembl:") == 1
    }
    genes = drawn(pairs, count)
    ids = [f"NCBIGene:{cells[1]}" for (cells,) in genes.values()] if side == "entrez" else [*genes]

    for checked_id, identity in checked(ids, genes).items():
        on_others = {database: verdict for database, verdict in verdicts(identity).items() if database in CLEAN}
        assert {*on_others.values()} == {"agree"}, checked_id


@pytest.mark.quick
def test_an_ensembl_gene_has_no_verdict_on_ncbi_when_its_genes_cannot_be_searched():
    """One that it does not name may list it, too."""
    down = Fault("status", status=500, service="ncbi", path="/esearch.fcgi", times=None)
    identity, _ = check_with_requests("ENSG00000012048", faults=[down])

    assert "entrez" not in verdicts(identity)
    assert [notice.code for notice in identity.notices] == ["LEG_FAILED"]
