"""Many names at once, and the genes of NCBI that have them."""

import json

import pytest

from biofact.sandbox.services.entrez.corpus import starter_genes
from tests import virtual_time
from tests.recordings import recording
from tests.sources.entrez.made_genes import open_entrez

pytestmark = pytest.mark.quick


def genes_named(genes, *names):
    async def ask():
        async with open_entrez(genes) as entrez:
            return await entrez.genes_named(names, "human")

    return virtual_time.run(ask()).entities


def test_a_gene_comes_with_the_weight_that_ncbi_gives_it():
    recorded_summary = json.loads(recording("entrez/esummary_gene_3845_json_pori.json"))["result"]["3845"]

    entities = genes_named(starter_genes(), "KRAS", "NCBIGene:3845")

    weights = {name: gene.weight for name, (gene,) in entities.items()}
    assert weights == dict.fromkeys(["KRAS", "NCBIGene:3845"], recorded_summary["geneweight"])
