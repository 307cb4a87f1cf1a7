"""Many names at once: variants, diseases, proteins and regions, their requests, and a service that fails or lies."""

import pytest

from biofact.core.errors import UpstreamError
from biofact.sandbox import Fault
from biofact.sources.igvf.names import is_protein, is_term, is_words
from tests import virtual_time
from tests.each_of import each_of
from tests.sandboxed import LIFE
from tests.sources.igvf.catalog_rows import allele, starter, term
from tests.sources.igvf.made_graph import (
    GENE_ID,
    PROTEIN_ID,
    changed,
    facts,
    failure_of,
    run,
    spdi,
)

pytestmark = pytest.mark.quick

TP53, LUPUS = "ENSG00000141510", "systemic lupus erythematosus"
APOE4 = "NC_000019.10:44908683:T:C"
SICKLE = ["NC_000011.10:5227001:T:A", "NC_000011.10:5227001:T:C", "NC_000011.10:5227001:T:G"]


def named_entities(method, *names, organism="human", graph=None, faults=(), lies=None, timing=LIFE):
    def ask(igvf, _):
        return getattr(igvf, method)(names, organism)

    return run(ask, graph or starter(), *faults, lies=lies, timing=timing)


def ids(method, *names, **options):
    """The IDs under each name."""
    entities = named_entities(method, *names, **options).answer.entities
    return {name: [entity.id for entity in entities.get(name, [])] for name in names}


@each_of(
    ("name", "expected"),
    [
        ("rs429358", [APOE4]),
        ("RS429358", [APOE4]),
        (APOE4, [APOE4]),
        ("NC_000019.10:g.44908684T>C", [APOE4]),
        ("19-44908684-T-C", [APOE4]),
        ("CA229624", ["NC_000012.12:102855280:C:T"]),
        ("rs334", SICKLE),
        ("rs999999999", []),
        ("CA999999999", []),
    ],
)
def test_a_variant_is_found_by_each_of_its_names_in_one_request(name, expected):
    result = named_entities("variants_named", name)

    assert [entity.id for entity in result.answer.entities.get(name, [])] == expected
    assert [request.path for request in result.requests] == ["/variants"]


def test_alleles_of_one_rsid_are_entities_that_share_the_match():
    alleles = named_entities("variants_named", "rs334").answer.entities["rs334"]

    assert {(allele.label, allele.kind, allele.match, allele.shares_match) for allele in alleles} == {
        ("rs334", "variant", "id", True)
    }
    assert {allele.organism for allele in alleles} == {"Homo sapiens"}
    assert not named_entities("variants_named", "rs429358").answer.entities["rs429358"][0].shares_match


def test_an_assumption_about_positions_is_reported_once_for_all_names():
    names = ("19-44908684-T-C", "chr19:44908822 C>T", "rs334")
    answer = named_entities("variants_named", *names).answer

    assert [item.id for (item, *_) in answer.entities.values()] == [APOE4, "NC_000019.10:44908821:C:T", SICKLE[0]]
    assert [(notice.code, "1-based" in notice.message) for notice in answer.notices] == [("ASSUMED", True)]


def test_terms_that_could_not_be_requested_are_reported():
    answer = named_entities(
        "diseases_called", "breast cancer", faults=[failure_of("/ontology-terms", times=1, after=5)]
    ).answer
    broken = named_entities(
        "diseases_called", "breast cancer", faults=[failure_of("/ontology-terms", times=None, after=5)]
    ).answer

    assert not answer.notices  # asked again
    assert [notice.code for notice in broken.notices] == ["LEG_FAILED"]
    assert [item.id for item in broken.entities["breast cancer"]] == ["MONDO:0007254"]


def test_an_id_names_its_own_organism():
    mouse = "NC_000067.7:3050705:T:TG"
    entities = named_entities("variants_named", "rs429358", mouse, organism="mouse").answer.entities

    assert {name: (item.id, item.organism) for name, (item,) in entities.items()} == {
        "rs429358": (APOE4, "Homo sapiens"),
        mouse: (mouse, "Mus musculus"),
    }
    assert ids("variants_named", mouse, organism="human") == {mouse: [mouse]}
    assert ids("variants_named", "rs429358", organism="zebrafish") == {"rs429358": [APOE4]}


@pytest.mark.parametrize("name", ["NM_000546.6:c.215C>G", "NP_000537.3:p.Arg72Pro", "NC_000017.10:g.7579472G>C"])
def test_a_change_that_the_catalog_does_not_list_says_how_to_ask(name):
    result = named_entities("variants_named", name)

    assert not result.requests
    assert name in result.answer.reasons[name]
    assert not result.answer.failures


@each_of(
    ("name", "expected"),
    [
        ("breast cancer", [("MONDO:0007254", "name", False)]),
        ("Breast Cancer", [("MONDO:0007254", "name", False)]),
        ("malignant tumor of breast", [("MONDO:0007254", "synonym", False)]),
        ("lupus", [("MONDO:0007915", "synonym", True), ("EFO:0002690", "synonym", True)]),
        ("breast", []),
        ("breast cancr", []),
        ("liver", []),
        ("seizure", []),
    ],
)
def test_only_whole_names_and_synonyms_of_diseases_count(name, expected):
    result = named_entities("diseases_called", name)
    entities = result.answer.entities.get(name, [])

    assert [(entity.id, entity.match, entity.shares_match) for entity in entities] == expected
    assert len(result.requests) == 6


def test_terms_of_one_name_stay_apart_and_the_main_ontology_comes_first():
    first, *other_values = named_entities("diseases_called", LUPUS).answer.entities[LUPUS]

    assert first.id == "MONDO:0007915"
    assert [(item.id, item.score, item.shares_match) for item in other_values] == [
        ("EFO:0002690", 1.0, True),
        ("Orphanet:536", 1.0, True),
    ]
    assert [first.xrefs for first in (first, *other_values)] == [
        {"mondo": "MONDO:0007915"},
        {"efo": "EFO:0002690"},
        {"orphanet": "ORPHA:536"},
    ]


@each_of(
    ("name", "expected"),
    [
        ("MONDO:0007254", ["MONDO:0007254"]),
        ("mondo_0007254", ["MONDO:0007254"]),
        ("ORPHA:586", ["Orphanet:586"]),
        ("HP:0001250", ["HP:0001250"]),
        ("MONDO:9999999", []),
    ],
)
def test_the_id_of_a_term_costs_one_request(name, expected):
    result = named_entities("diseases_with_id", name)

    assert [item.id for item in result.answer.entities.get(name, [])] == expected
    assert len(result.requests) == 1


@pytest.mark.parametrize("name", ["OMIM:114480", "MESH:D001943", "GO:0006281", "UBERON:0002107"])
def test_an_id_of_no_disease_of_the_catalog_has_a_reason(name):
    assert name in named_entities("diseases_with_id", name).answer.reasons[name]


def test_a_name_is_asked_for_as_an_id_or_as_words_and_never_as_both():
    names = ("MONDO:0007254", "ORPHA:586", "OMIM:114480", "breast cancer", "type 2 diabetes", "DB00619", "CHEMBL25")

    assert [is_term(name) for name in names] == [True, True, True, False, False, False, False]
    assert [is_words(name) for name in names] == [False, False, False, True, True, False, False]


@each_of(
    ("name", "expected", "label"),
    [
        ("P04637", "UniProtKB:P04637", "P53_HUMAN"),
        ("UniProtKB:P04637", "UniProtKB:P04637", "P53_HUMAN"),
        ("P53_HUMAN", "UniProtKB:P04637", "P53_HUMAN"),
        ("P04637-2", "UniProtKB:P04637-2", "P53_HUMAN"),
        ("ENSP00000269305", "ENSP00000269305", "P53_HUMAN"),
        ("ENSP00000391127.3", "ENSP00000391127", "P53_HUMAN"),
    ],
)
def test_a_protein_is_the_entry_or_the_translation_that_was_named(name, expected, label):
    result = named_entities("proteins_named", name)
    (protein,) = result.answer.entities[name]

    assert (protein.id, protein.label, protein.product_of) == (expected, label, (TP53,))
    assert len(result.requests) == 2


def test_each_of_many_proteins_comes_with_its_gene_as_it_does_alone():
    names = [f"P0463{digit}" for digit in range(10)]
    result, single_result = named_entities("proteins_named", *names), named_entities("proteins_named", "P04637")

    assert result.answer.entities == single_result.answer.entities
    assert [item.product_of for item in result.answer.entities["P04637"]] == [("ENSG00000141510",)]
    assert [request.path for request in result.requests].count("/proteins/genes") == 1


def test_a_protein_comes_without_its_gene_if_that_request_fails():
    result = named_entities("proteins_named", "P04637", faults=[failure_of("/proteins/genes")])

    assert result.answer.entities["P04637"][0].product_of == ()
    assert not result.answer.failures


def test_the_gene_of_another_protein_is_no_gene_of_this_one():
    result = named_entities(
        "proteins_named", "P38398", graph=facts(), lies={"/proteins/genes": changed(protein_id="ENSP00000369497")}
    )

    assert [(item.id, item.product_of) for item in result.answer.entities["P38398"]] == [("UniProtKB:P38398", ())]
    assert ids("proteins_named", "P38398", graph=facts()) == {"P38398": ["UniProtKB:P38398"]}
    assert named_entities("proteins_named", PROTEIN_ID, graph=facts()).answer.entities[PROTEIN_ID][0].product_of == (
        GENE_ID,
    )


def test_another_protein_never_replaces_the_named_one():
    result = named_entities("proteins_named", "P38398", graph=facts(), lies={"/proteins": changed(protein_id="P51587")})

    assert not result.answer.entities


def test_gene_symbols_are_no_proteins():
    names = ("TP53", "BRCA1", "insulin", "NM_000546", "P04637", "ENSP00000269305", "P53_HUMAN", "P53_RAT")

    assert [is_protein(name) for name in names] == [False, False, False, False, True, True, True, False]


@each_of(
    ("name", "organism", "expected"),
    [
        (
            "chr17:43044295-43125364",
            "human",
            ("17:43044295-43125364", "chr17:43044295-43125364 (GRCh38)", "Homo sapiens"),
        ),
        (
            "17:43,044,295-43,125,364",
            "9606",
            ("17:43044295-43125364", "chr17:43044295-43125364 (GRCh38)", "Homo sapiens"),
        ),
        ("chrX:100-200", "mouse", ("X:100-200", "chrX:100-200 (GRCm39)", "Mus musculus")),
        ("mm39 chrX:100-200", "human", ("X:100-200", "chrX:100-200 (GRCm39)", "Mus musculus")),
        ("chrM:1-100", "human", ("MT:1-100", "chrM:1-100 (GRCh38)", "Homo sapiens")),
        (
            "NC_000017.11:43044295-43125364",
            "human",
            ("17:43044295-43125364", "chr17:43044295-43125364 (GRCh38)", "Homo sapiens"),
        ),
    ],
)
def test_a_region_is_read_without_a_request(name, organism, expected):
    result = named_entities("regions_named", name, organism=organism)
    (region,) = result.answer.entities[name]

    assert (region.id, region.label, region.organism) == expected
    assert not result.requests


@pytest.mark.parametrize(
    ("name", "organism", "words"),
    [
        ("chr17:0-10", "human", "begins at 0"),
        ("chr99:1-10", "human", "names no chromosome"),
        ("hg19 chr17:41196312-41277500", "human", "is on hg19"),
        ("chr1:1-10", "zebrafish", "human and mouse"),
    ],
)
def test_a_text_that_is_no_region_has_a_reason(name, organism, words):
    answer = named_entities("regions_named", name, organism=organism).answer

    assert not answer.entities
    assert words in answer.reasons[name]


def test_a_service_that_is_down_is_a_failure_of_each_name_and_no_absence():
    down = Fault("status", service="igvf", status=500, times=None)
    for method, name in (
        ("variants_named", "rs429358"),
        ("diseases_called", "breast cancer"),
        ("diseases_with_id", "MONDO:0007254"),
        ("proteins_named", "P04637"),
    ):
        answer = named_entities(method, name, faults=[down]).answer

        assert isinstance(answer.failures[name], UpstreamError)
        assert not answer.entities
        assert not answer.reasons


def test_one_name_that_fails_fails_no_other():
    good, bad = "rs429358", "rs334"
    answer = named_entities("variants_named", good, bad, faults=[failure_of("/variants", after=1, times=None)]).answer

    assert (len(answer.entities), len(answer.failures)) == (1, 1)
    assert {*answer.entities, *answer.failures} == {good, bad}


def test_a_long_list_has_the_time_that_the_rate_takes():
    rsids = [f"rs{number}" for number in range(1000, 1040)]
    graph = facts(alleles=[allele(spdi(number), rsid=[rsid]) for number, rsid in enumerate(rsids)])
    result = named_entities("variants_named", *rsids, graph=graph, timing=virtual_time.timing(deadline_seconds=4.0))

    assert [result.answer.entities[rsid][0].label for rsid in rsids] == rsids
    assert len(result.requests) == 40
    assert result.seconds > 4  # more than the time of a call


def test_a_term_that_is_no_disease_has_no_name_of_one():
    graph = facts(terms=[term(uid="UBERON_0002107", name="liver", source="UBERON")])

    assert ids("diseases_called", "liver", graph=graph) == {"liver": []}
