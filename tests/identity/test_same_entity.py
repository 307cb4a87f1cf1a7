"""Whether two IDs are one entity: pairs of each kind on the sandbox, both ways round."""

import functools

import pytest

from biofact.core.errors import EntityNotFound, UnresolvedEntity
from biofact.identity.client import IdentityClient
from tests import virtual_time
from tests.each_of import each_of
from tests.identity.checked import Plant, planted
from tests.sandboxed import transported

pytestmark = pytest.mark.quick

PAIRS = [
    ("NCBIGene:7157", "ENSG00000141510", True, "NCBIGene:7157 names ENSG00000141510"),
    ("NCBIGene:7157", "ENSG00000141510.20", True, "and both have HGNC:11998"),
    ("NCBIGene:22059", "ENSMUSG00000059552", True, "MGI:98834"),
    ("NCBIGene:1226", "NCBIGene:4625", True, "NCBIGene:1226 was replaced by NCBIGene:4625."),
    ("ENSG00000141510.20", "ENSG00000141510", True, "one record for both, ENSG00000141510"),
    ("NC_000019.10:44908683:T:C", "NC_000019.10:g.44908684T>C", True, "one record for both"),
    ("NCBIGene:7157", "NCBIGene:22059", False, "Homo sapiens"),
    ("NCBIGene:7157", "ENSMUSG00000059552", False, "orthologues at best"),
    ("NCBIGene:7157", "NCBIGene:672", False, "two records"),
    ("NCBIGene:7157", "ENSG00000012048", False, "names"),
    ("ENST00000269305", "ENSG00000141510", False, "a product of the gene ENSG00000141510"),
    ("ENST00000269305", "NCBIGene:7157", False, "a product of the gene NCBIGene:7157"),
    ("ENST00000269305", "NCBIGene:672", False, "a transcript"),
    ("UniProtKB:P00533", "NCBIGene:1956", False, "a product of the gene NCBIGene:1956"),
    ("CHEMBL:1642", "CHEMBL:941", False, "CHEMBL:1642 is a form of CHEMBL:941"),
    ("CHEMBL:25", "CHEMBL:941", False, "two compounds"),
    ("CHEMBL:25", "NCBIGene:7157", False, "a compound"),
    ("rs429358", "NC_000019.10:44908683:T:C", False, "names a place"),
    ("PMID:11832527", "PMID:9500320", False, "two records"),
    # Databases that contradict each other, as trackers report: a yes would be wrong.
    ("NCBIGene:6607", "ENSG00000205571", None, "names"),
    ("NCBIGene:28440", "ENSG00000254289", None, "names"),
    ("NCBIGene:4207", "ENSG00000064489", None, "names"),
    ("NCBIGene:883", "ENSG00000171097", None, "names"),
]


@functools.cache
def compared():
    """The answers of all pairs, both ways round, on one sandbox."""

    async def scenario():
        async with transported() as (transport, _):
            client = IdentityClient(transport)
            ways = [pair for first, second, *_ in PAIRS for pair in ((first, second), (second, first))]
            return {way: await client.check_identity(way[0], other_id=way[1]) for way in ways}

    return virtual_time.run(scenario())


@each_of(("first", "second", "same", "words"), PAIRS)
def test_a_pair_is_judged_alike_both_ways_round_with_the_reason(first, second, same, words):
    for way in ((first, second), (second, first)):
        answer = compared()[way]

        assert answer.same is same, answer.reason
        assert words in answer.reason
        assert answer.reason.endswith(".")
        assert answer.other_id


def checked(first, second, **options):
    async def scenario():
        async with transported(**options) as (transport, _):
            return await IdentityClient(transport).check_identity(first, other_id=second)

    return virtual_time.run(scenario())


def test_a_common_nomenclature_id_is_enough_where_neither_names_the_other():
    no_link = planted(Plant("ncbi", "ENSG00000277925", ""))

    answer = checked("NCBIGene:7012", "ENSG00000270141", stand_ins=no_link)

    assert answer.same is True
    assert answer.reason == (
        "NCBIGene:7012 names no record of Ensembl, ENSG00000270141 names no record of NCBI Gene,"
        " and both have HGNC:11727."
    )


def test_an_id_without_the_other_has_no_word_on_it():
    answer = checked("NCBIGene:7157", None)

    assert (answer.same, answer.reason, answer.other_id) == (None, None, None)
    assert "same" not in answer.model_dump_json()


def test_another_id_that_is_none_or_unknown_is_refused_by_name():
    with pytest.raises(UnresolvedEntity) as malformed:
        checked("NCBIGene:7157", "TP53")
    with pytest.raises(EntityNotFound) as unknown:
        checked("NCBIGene:7157", "NCBIGene:999999999")

    assert "TP53" in malformed.value.message
    assert "NCBIGene:999999999" in unknown.value.message
