"""Arguments in a caller's words: tissues by any name, organisms, hints, regions; and recoveries with all arguments."""

import re

import pytest

from biofact.core.errors import AmbiguousQuery, ToolRef, UnresolvedEntity
from biofact.sandbox import Fault
from biofact.sandbox.services.igvf.standin import stand_ins
from tests.each_of import each_of
from tests.marks import requirement
from tests.notices import codes, message
from tests.sandboxed import on_sandbox, result_or_error
from tests.served import replies
from tests.sources.igvf.catalog_rows import term
from tests.sources.igvf.made_graph import GENE_ID, associations_run, edge, eqtl, every_page, facts

pytestmark = pytest.mark.quick

FIND = "/genes/variants"


def ask(*calls, faults=()):
    """The answer or error of the sandbox's client for each call."""

    async def call_all(igvf, _):
        kinds = AmbiguousQuery, UnresolvedEntity
        return [await result_or_error(getattr(igvf, tool)(**arguments), kinds) for tool, arguments in calls]

    return on_sandbox("igvf", call_all, *faults, stand_ins=stand_ins())


def regulatory(tissue):
    return "find_associations", {"entity_id": "BRCA1", "relationship": "regulatory", "filters": {"tissue": tissue}}


@each_of("spelling", ["liver", "Liver", "LIVER", "UBERON:0002107", "UBERON_0002107"])
def test_all_spellings_of_a_tissue_find_the_same_rows(spelling):
    (page,) = ask(regulatory(spelling))

    assert {row.context_id for row in page.items} == {"UBERON:0002107"}
    assert len(page.items) == 4


def test_a_tissue_goes_by_its_synonyms():
    graph = facts(
        eqtl(1, biological_context="lymphoblastoid cell line", biosample_term="ontology_terms/EFO_0005292"),
        eqtl(2, biological_context="brain", biosample_term="ontology_terms/UBERON_0000955"),
        terms=(term(uid="EFO_0005292", name="lymphoblastoid cell line", source="EFO", synonyms=("LCL",)),),
    )
    catalog_run = associations_run(graph, GENE_ID, "regulatory", filters={"tissue": "LCL"})

    assert [row.context for row in catalog_run.answer.items] == ["lymphoblastoid cell line"]
    assert catalog_run.params_of(FIND)[0]["biosample_term"] == "EFO_0005292"


@pytest.mark.parametrize(
    ("entity_id", "relationship"),
    [("lupus", "genetic"), ("liver", "regulatory"), ("warfarin", "pharmacological"), ("GO:0000122", "functional")],
)
def test_nothing_human_comes_for_the_mouse(entity_id, relationship):
    (page,) = ask(("find_associations", {"entity_id": entity_id, "relationship": relationship, "organism": "mouse"}))

    assert page.items == []
    assert "mouse" in message(page, "NOT_COVERED")


@each_of(
    ("entity_id", "hint", "fits"),
    [
        ("phenylketonuria", "disease", True),
        ("phenylketonuria", "tissue", False),
        ("liver", "tissue", True),
        ("liver", "disease", False),
        ("MONDO:0009861", "tissue", False),
        ("lupus", "tissue", False),
    ],
)
def test_a_hint_distinguishes_diseases_from_tissues(entity_id, hint, fits):
    (answer,) = ask(("get_entity", {"id": entity_id, "hint": hint}))

    assert isinstance(answer, UnresolvedEntity) != fits


@requirement("003 T3-pharmacological")
@pytest.mark.parametrize(
    ("region", "relationship", "subject", "other"),
    [
        ("chr12:102917130", "genetic", "NC_000012.12:102917129:T:C", "MONDO:0009861"),
        ("chr1:230714140", "pharmacological", "NC_000001.11:230714139:T:G", "PA448497"),
        ("chr20:3,658,900-3,659,000", "regulatory", "NC_000020.11:3658947:A:G", "ENSG00000149451"),
    ],
)
def test_variants_of_a_region_lead_to_what_they_are_associated_with(region, relationship, subject, other):
    (page,) = ask(("find_associations", {"entity_id": region, "relationship": relationship}))

    assert (subject, other) in [(row.subject, row.object) for row in page.items]


def test_rows_of_a_region_come_once():
    (page,) = ask(("find_associations", {"entity_id": "chr1:970001-980000", "relationship": "all", "limit": 100}))

    rows = [row.model_dump_json() for row in page.items]
    assert len(rows) == len(set(rows)) == page.pagination.total_count


@pytest.mark.parametrize("position", [43057063, 43057065])
def test_a_position_within_an_insertion_leads_to_its_associations(position):
    (page,) = ask(("find_associations", {"entity_id": f"chr17:{position}", "relationship": "all"}))

    assert {row.subject for row in page.items} >= {"NC_000017.11:43057062:GGG:GGGG"}
    assert "DROPPED" not in codes(page)


@pytest.mark.parametrize("limit", [1, 2, 7])
def test_a_gene_that_regulates_itself_is_listed_once_on_all_pages(limit):
    loops = [edge("regulator_gene", GENE_ID, GENE_ID, log2FC=-1.0, method="Perturb-seq", source="IGVF")]
    edges = [edge("regulator_gene", f"ENSG{place:011}", GENE_ID, log2FC=0.5) for place in range(3)]

    pages = every_page(facts(*loops, *edges), GENE_ID, "regulatory", limit=limit).answer

    assert sum(len(page.items) for page in pages) == 4


@pytest.mark.parametrize("tissue", ["k562", "EFO:0002067"])
def test_a_tissue_by_its_id_is_the_tissue_by_its_name(tissue):
    (page,) = ask(regulatory(tissue))

    assert len(page.items) == 8


def test_a_tissue_of_several_terms_is_asked_for_term_by_term():
    terms = [term(uid=item, name="hepatocyte", source=item[:2]) for item in ("CL_0000182", "EFO_0000182")]
    blood = [
        eqtl(place, biological_context="blood", biosample_term="ontology_terms/UBERON_0000178") for place in range(600)
    ]
    rare = eqtl(900, biological_context="hepatocyte", biosample_term="ontology_terms/EFO_0000182")
    catalog_run = associations_run(
        facts(*blood, rare, terms=tuple(terms)), GENE_ID, "regulatory", filters={"tissue": "hepatocyte"}
    )

    assert [row.context_id for row in catalog_run.answer.items] == ["EFO:0000182"]
    assert {item["biosample_term"] for item in catalog_run.params_of(FIND)} == {"CL_0000182", "EFO_0000182"}


def test_a_region_that_is_too_long_for_an_endpoint_is_reported():
    (page,) = ask(("find_associations", {"entity_id": "chr12:102900000-102999999", "relationship": "genetic"}))

    assert "the region is too long for" in message(page, "NOT_COVERED")
    assert "/variants/phenotypes" in message(page, "NOT_COVERED")


def test_no_endpoint_leads_every_page():
    graph = facts(
        *(eqtl(place) for place in range(15)),
        *(edge("gene_pathway", GENE_ID, f"R-HSA-{place}") for place in range(1, 6)),
        *(edge("gene_transcript", GENE_ID, f"ENST{place:011}") for place in range(5)),
        *(edge("gene_disease", GENE_ID, f"MONDO_{place:07}") for place in range(5)),
    )
    pages = every_page(graph, GENE_ID, "all", limit=2).answer

    first = [row.predicate for page in pages[:4] for row in page.items]
    assert len(set(first)) >= 4, first
    rows = [(row.subject, row.predicate, row.object) for page in pages for row in page.items]
    assert len(rows) == len(set(rows)) == 31  # and the protein


def test_a_reading_that_cannot_be_asked_takes_no_other_with_it():
    fault = Fault("status", status=503, path="/proteins", times=None)
    (gene,) = ask(("get_entity", {"id": "P2RY12"}), faults=[fault])

    assert gene.name == "P2RY12"
    assert "LEG_FAILED" in codes(gene)


def test_a_human_synonym_in_capitals_is_no_mouse_gene():
    human, mouse = ask(("get_entity", {"id": "TRP53"}), ("get_entity", {"id": "Trp53"}))

    assert (human.name, human.organism) == ("TP53", "human")
    assert (mouse.name, mouse.organism) == ("Trp53", "mouse")


@pytest.mark.parametrize(
    ("tool", "arguments", "mended_arguments"),
    [
        (
            "search_region",
            {"region": "chr17:43125364-43044295", "include": ["variants"], "limit": 5},
            {"region": "chr17:43044295-43125364", "include": ["variants"], "limit": 5},
        ),
        (
            "find_associations",
            {"entity_id": "mondo:9861", "relationship": "genetic", "limit": 3},
            {"entity_id": "MONDO:0009861", "relationship": "genetic", "limit": 3},
        ),
        (
            "find_associations",
            {"entity_id": "BRCA1", "relationship": "all", "hint": "transcript"},
            {"entity_id": "BRCA1", "relationship": "all"},
        ),
        (
            "find_associations",
            {"entity_id": "chr1:10-1", "relationship": "genetic", "filters": {"p_value": 0.05}},
            {"entity_id": "chr1:1-10", "relationship": "genetic", "filters": {"p_value": 0.05}},
        ),
    ],
)
def test_a_recovery_keeps_what_was_right(tool, arguments, mended_arguments):
    (error,) = ask((tool, arguments))

    assert error.recovery.tool == ToolRef("igvf", tool)
    assert dict(error.recovery.arguments) == mended_arguments


@pytest.mark.parametrize(
    ("tool", "arguments"),
    [
        ("igvf_get_entity", {"id": "Trp53", "organism": "rat"}),
        ("igvf_search_region", {"region": "chr1:1-100", "organism": "rat"}),
        ("igvf_find_associations", {"entity_id": "BRCA1", "relationship": "structure", "organism": "Mus musculus"}),
        ("igvf_find_associations", {"entity_id": "BRCA1", "relationship": "regulatory", "filters": "p_value<0.05"}),
    ],
)
def test_no_recovery_asks_for_another_organism_or_without_a_filter(tool, arguments):
    (answer,) = replies((tool, arguments))

    assert answer.code == "AMBIGUOUS_QUERY"
    assert "recovery" not in answer.body["error"]


def test_the_given_arguments_are_echoed():
    (error,) = ask(
        ("find_associations", {"entity_id": "BRCA1", "relationship": "structure", "filters": {"score": ">0.5"}})
    )

    assert error.invalid_input == {"score": ">0.5"}
    assert re.search("filtered by score", error.message)


def test_an_order_that_there_is_not_names_those_there_are():
    (error,) = ask(("find_associations", {"entity_id": "BRCA1", "relationship": "regulatory", "order_by": "r2"}))

    assert error.invalid_input == "r2"
    assert error.hint == "Valid orders here: p_value, effect, score, z_score."
