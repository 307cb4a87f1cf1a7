"""Methods that answer about any number of IDs: the answers of the batch, batch after batch."""

import pytest

from tests import virtual_time
from tests.sandboxed import sandboxed

pytestmark = pytest.mark.quick

METHODS = [
    ("entrez", "get_genes_batch", "get_genes_many", ("NCBIGene:7157", "NCBIGene:672")),
    ("ensembl", "get_genes_batch", "get_genes_many", ("ENSG00000141510", "ENSG00000012048")),
    ("chembl", "get_compounds_batch", "get_compounds_many", ("CHEMBL:25", "CHEMBL:1201585")),
    ("pubmed", "pubmed_get_articles", "pubmed_get_articles_many", ("PMID:32678530", "PMID:13054692")),
]


@pytest.mark.parametrize(("source", "batch_method", "method", "known_ids"), METHODS)
def test_many_are_the_batches_one_after_the_other(source, batch_method, method, known_ids):
    first, second = known_ids
    ids = [first, "no ID", *[second] * 449]

    async def ask():
        async with sandboxed(source) as (client, _):
            answers = [answer async for answer in getattr(client, method)(iter(ids))]
            return answers, [await getattr(client, batch_method)(ids[start : start + 200]) for start in (0, 200, 400)]

    answers, batches = virtual_time.run(ask())

    assert [len(answer.items) for answer in answers] == [200, 200, 51]
    assert [answer.items for answer in answers] == [answer.items for answer in batches]
    assert [row.id for row in answers[0].items if hasattr(row, "id")] == [first, *[second] * 198]


def test_ids_are_read_as_far_as_answers_are_asked_for():
    numbers = []

    def ids():
        for number in range(1000):
            numbers.append(number)
            yield f"NCBIGene:{number + 1}"

    async def ask():
        async with sandboxed("entrez") as (client, _):
            answers = client.get_genes_many(ids())
            await anext(answers)
            await answers.aclose()

    virtual_time.run(ask())

    assert len(numbers) == 200
