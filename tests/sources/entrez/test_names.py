"""Many names at once, and the genes of NCBI that have them."""

import json

import pytest

from biofact.sandbox.services.entrez.corpus import gene_info, starter_genes
from tests import virtual_time
from tests.recordings import recorded_genes, recording
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


def test_a_gene_whose_weight_is_not_recorded_has_none_and_an_alias_that_it_shares_is_marked():
    spink5, gnl3 = map(gene_info, recorded_genes({"11005", "26354"}))

    entities = genes_named([*starter_genes(), spink5, gnl3], "NS")["NS"]

    assert {gene.label: (gene.weight, gene.shares_match) for gene in entities} == {
        "KRAS": (267797, True),
        "SPINK5": (None, True),
        "GNL3": (None, True),
    }
