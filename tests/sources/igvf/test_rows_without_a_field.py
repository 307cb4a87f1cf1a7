"""Rows that lack a field: the others are shown and these are counted; only a list of nothing else is an error."""

import pytest

from biofact.core.errors import UpstreamError
from tests.each_of import each_of
from tests.notices import message
from tests.sources.igvf.catalog_rows import edge, gene
from tests.sources.igvf.made_graph import GENE_ID, associations_run, ends, facts, region, run, variant

pytestmark = pytest.mark.quick

PLACE = "chr9:1001-1900"
GENES = [
    gene(uid=f"ENSG{number:011}", symbol=f"GENE{number}", chromosome="9", start=1000 + number, end=1100 + number)
    for number in range(6)
]
RULES = [edge("element_gene", f"element_{number}", GENE_ID, source="ENCODE") for number in range(3)]


def without(field, *places):
    """A lie: the rows at these places lack a field; all rows if no place is given."""

    def lie(answer, request):
        return [
            {name: value for name, value in row.items() if name != field or (places and place not in places)}
            for place, row in enumerate(answer(request))
        ]

    return lie


def test_a_nameless_gene_hides_no_other_gene_of_a_region():
    answer = region(facts(genes=GENES), PLACE, lies={"/genes": without("name", 2)}).answer

    assert [row.name for row in answer.genes] == ["GENE0", "GENE1", "GENE3", "GENE4", "GENE5"]
    assert "genes that lack a field, which are left out: 1 without 'name'" in message(answer, "NOT_COVERED")


def test_a_variant_without_a_place_hides_no_other_variant_of_a_region():
    graph = facts(variants=[variant(number) for number in range(3)])
    answer = region(
        graph, "chr17:43044295-43044297", lies={"/variants": without("pos", 1)}, include=["variants"]
    ).answer

    assert len(answer.variants) == 2
    assert "1 without 'pos'" in message(answer, "NOT_COVERED")


def test_a_page_with_omitted_rows_is_not_the_last():
    genes = [
        gene(uid=f"ENSG{number:011}", symbol=f"G{number}", chromosome="9", start=1001, end=1100)
        for number in range(130)
    ]
    answer = region(facts(genes=genes), PLACE, lies={"/genes": without("name", 0)}, include=["genes"], limit=100).answer
    names = {row.name for row in answer.genes}

    assert len(names) == 100
    assert answer.cursor is not None


def test_a_last_page_of_nothing_else_hides_no_other_page():
    """The service's pages have a hundred genes: one is left for the second."""
    genes = [
        gene(uid=f"ENSG{number:011}", symbol=f"G{number}", chromosome="9", start=1001, end=1100)
        for number in range(101)
    ]

    def lie(answer, request):
        rows = answer(request)
        return [{"_id": row["_id"]} if row["name"] in {"G0", "G100"} else row for row in rows]

    answer = region(facts(genes=genes), PLACE, lies={"/genes": lie}, include=["genes"], limit=100).answer

    assert len(answer.genes) == 99
    assert "2 without 'name'" in message(answer, "NOT_COVERED")


def test_genes_that_all_lack_a_name_are_a_failure_of_their_kind():
    with pytest.raises(UpstreamError, match="'name'"):
        region(facts(genes=GENES), PLACE, lies={"/genes": without("name")}, include=["genes"])


@each_of("places", [(0,), (0, 1)])
def test_an_association_without_its_ends_hides_no_other(places):
    def lie(answer, request):
        return [{"score": 1, "place": place} if place in places else row for place, row in enumerate(answer(request))]

    answer = associations_run(facts(*RULES), GENE_ID, "regulatory", lies={"/genes/genomic-elements": lie}).answer

    assert len(ends(answer.items)) == 3 - len(places)
    assert f"{len(places)} without" in message(answer, "NOT_COVERED")


def test_associations_that_all_lack_their_ends_are_a_failure_of_their_endpoint():
    lies = {"/genes/genomic-elements": lambda answer, request: [{"score": 1}, {"score": 2}]}
    answer = associations_run(facts(*RULES), GENE_ID, "regulatory", lies=lies).answer

    assert "without what they join" in message(answer, "LEG_FAILED")


def test_the_one_record_asked_for_without_its_name_is_an_error():
    with pytest.raises(UpstreamError, match="'name'"):
        run(lambda igvf, _: igvf.get_entity(GENE_ID), facts(), lies={"/genes": without("name")})


def test_a_record_asked_for_that_lacks_a_field_among_others_is_not_reported_as_absent():
    """Other rows are near misses of the service: none of them is the record."""

    def lie(answer, request):
        [row] = answer(request)
        return [{**row, "_id": "ENSG00000000001"}, {name: value for name, value in row.items() if name != "name"}]

    with pytest.raises(UpstreamError, match="'name'"):
        run(lambda igvf, _: igvf.get_entity(GENE_ID), facts(), lies={"/genes": lie})
