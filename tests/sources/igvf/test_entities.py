"""get_entity on the sandbox: the entity behind each identifier, whole records, and near misses that are refused."""

import re

import pytest

from biofact.core.errors import AmbiguousQuery, BiofactError, EntityNotFound, ToolRef, UnresolvedEntity
from biofact.sandbox.services.igvf.standin import IgvfStandIn, stand_ins
from tests.each_of import each_of
from tests.marks import requirement
from tests.sandboxed import on_sandbox, result_or_error
from tests.sources.igvf import expected
from tests.sources.igvf.catalog_rows import catalog, element, gene, starter, term

pytestmark = pytest.mark.quick

BRCA1, TP53, TRP53, FIRRM = "ENSG00000012048", "ENSG00000141510", "ENSMUSG00000059552", "ENSG00000000460"
PAH, RS1, ABCA4 = "ENSG00000171759", "ENSG00000102104", "ENSG00000198691"
ADAM33_VARIANT, DUPLICATION = "NC_000020.11:3658947:A:G", "NC_000017.11:43057062:GGG:GGGG"
PKU, LIVER, HBS = "MONDO:0009861", "UBERON:0002107", "NC_000011.10:5227001:T:A"
MISSES = {
    "BRCAX": ["BRCA1", "BRCA2"],
    "TP5": ["TP53"],
    "aspirn": ["aspirin"],
    "phenylketonurea": ["phenylketonuria"],
    "CTCFX": ["CTCF"],
}
"""Names of no entity, and the names that the service sends for them."""
MOST_REQUESTS = 11


def answers_and_requests(*questions):
    """The answer of get_entity to each question: a record, or an error."""

    async def get_all(igvf, sandbox):
        return [await result_or_error(igvf.get_entity(**question)) for question in questions], list(sandbox.requests)

    return on_sandbox("igvf", get_all, stand_ins=stand_ins())


def entity_of(entity_id, **options):
    (result,), _ = answers_and_requests({"id": entity_id, **options})
    return result


def entity_among(rows, entity_id):
    """The answer of get_entity from a Catalog with these rows alone."""

    return on_sandbox("igvf", lambda igvf, _: igvf.get_entity(entity_id), stand_ins=[IgvfStandIn(rows)])


def plain(record):
    fields = record.model_dump(mode="json", by_alias=True)
    return {name: value for name, value in fields.items() if name != "notices"}


def notice_texts(record):
    return [notice.message for notice in record.notices]


# The entities behind identifiers


@each_of(
    ("stands_for", "spellings"),
    [
        (BRCA1, ["BRCA1", "brca1", "Brca1", "bRcA1", BRCA1, f"{BRCA1}.23", "ensg00000012048", "HGNC:1100"]),
        (BRCA1, ["NCBIGene:672", "ENTREZ:672", "FANCS", "fancs"]),
        (TRP53, [TRP53, f"{TRP53}.9", "Trp53"]),
        (FIRRM, ["FIRRM", "C1orf112", "C1ORF112", "c1orf112"]),
        (ADAM33_VARIANT, ["rs58658771", ADAM33_VARIANT, "NC_000020.11:g.3658948A>G", "CA739473472"]),
        (DUPLICATION, ["rs80357906", DUPLICATION, "NC_000017.11:g.43057065dup"]),
        ("ENSP00000264010", ["ENSP00000264010", "P49711", "CTCF_HUMAN", "ctcf_human", "UniProtKB:P49711"]),
        ("ENSP00000384707", ["ENSP00000384707", "P49711-2"]),
        (PKU, [PKU, "MONDO_0009861", "mondo:0009861", "phenylketonuria", "Phenylketonuria"]),
        ("CVCL_0030", ["CVCL_0030", "HeLa"]),
        (LIVER, ["UBERON:0002107", "uberon_0002107", "liver"]),
        ("Orphanet:586", ["Orphanet:586", "Orphanet_586", "ORPHA:586"]),
        ("PA448497", ["PA448497", "aspirin", "Aspirin"]),
        ("ENCFF004PFU", ["ENCFF004PFU", "ENCSR359DFW"]),
        ("PAH_ENST00000553106_p.Met1!_c.1A-G", ["PAH_ENST00000553106_p.Met1?_c.1A>G"]),
    ],
)
def test_an_entity_answers_to_every_spelling(stands_for, spellings):
    answers, _ = answers_and_requests(*({"id": spelling} for spelling in spellings))

    assert [getattr(answer, "id", answer) for answer in answers] == [stands_for] * len(spellings)


@each_of(
    ("entity_id", "options", "result"),
    [
        ("Brca1", {"organism": "mouse"}, "ENSMUSG00000017146"),
        ("BRCA1", {"organism": "mouse"}, "ENSMUSG00000017146"),
        ("TP53", {"organism": "mouse"}, TRP53),
        ("NCBIGene:22059", {"organism": "mouse"}, TRP53),
        ("P02340", {"organism": "mouse"}, "ENSMUSP00000104298"),
        ("PKU", {"hint": "disease"}, PKU),
        ("BRCA1", {"hint": "protein"}, "ENSP00000350283"),
        ("DNA Repair", {"hint": "pathway"}, "R-HSA-73894"),
        ("liver", {"hint": "tissue"}, LIVER),
        ("RS1", {"hint": "gene"}, RS1),
    ],
)
def test_organism_and_hint_settle_what_is_meant(entity_id, options, result):
    assert entity_of(entity_id, **options).id == result


def test_a_mouse_gene_answers_to_its_ncbi_id_without_the_organism():
    assert getattr(entity_of("NCBIGene:22059"), "id", None) == TRP53


@each_of(
    ("entity_id", "says"),
    [
        ("P53", "synonym of TP53"),
        ("C1ORF112", "synonym of FIRRM"),
        ("Brca1", "organism='mouse'"),
        ("Trp53", "mouse"),
        (f"{BRCA1}.23", "version .23"),
        ("P04637", "ENSP00000391478"),
        ("chr17:43070901-43071400", "GRCh38"),
    ],
)
def test_a_notice_states_the_assumption(entity_id, says):
    assert says in " ".join(notice_texts(entity_of(entity_id)))


@each_of("entity_id", ["BRCA1", BRCA1, PKU, "rs58658771", "ENSA", "CPXM1", "HP1BP3"])
def test_without_an_assumption_there_is_no_notice(entity_id):
    assert notice_texts(entity_of(entity_id)) == []


@each_of(
    ("symbol", "not_a"),
    [
        *((symbol, "protein") for symbol in ("P2RY12", "B3GNT2", "R3HDM1", "H2AC14")),
        *((symbol, "variant") for symbol in ("CA1", "CA12", "RS1")),
    ],
)
def test_a_symbol_shaped_like_an_id_is_the_gene_and_says_what_else_was_looked_for(symbol, not_a):
    result = entity_of(symbol)

    assert (result.type, result.name) == ("gene", symbol)
    assert [message for message in notice_texts(result) if not_a in message]


# Ambiguous identifiers


@pytest.mark.parametrize(
    ("entity_id", "names"),
    [
        ("CREB2", ["ENSG00000115966", "ATF2", "ENSG00000128272", "ATF4"]),
        ("rs334", [HBS, HBS.replace(":A", ":C"), HBS.replace(":A", ":G")]),
        ("lupus", ["MONDO:0007915", "EFO:0002690"]),
        ("cystic fibrosis", ["Orphanet:586", "MONDO:0009061"]),
    ],
)
def test_of_several_entities_none_is_picked_silently(entity_id, names):
    error = entity_of(entity_id)

    assert isinstance(error, AmbiguousQuery), error
    assert [name for name in names if name not in error.message] == []


def test_a_term_comes_before_a_gene_that_has_its_name_as_a_synonym():
    rows = catalog(
        gene(uid="ENSG00000000001", symbol="LVR", chromosome="1", start=1, end=9, synonyms=("liver",)),
        term(uid="UBERON_0002107", name="liver", source="UBERON"),
    )

    assert entity_among(rows, "liver").id == LIVER


def test_an_element_is_distinguished_by_name_from_another_at_its_place():
    names = [f"genic_chr1_99_200_GRCh38_{file}" for file in ("ENCFF990AAA", "ENCFF990AAB")]
    elements = [element(uid=name, chromosome="1", start=100, end=200, type="accessible dna elements") for name in names]
    rows = catalog(*elements)

    assert [entity_among(rows, name).id for name in names] == names


@pytest.mark.parametrize(("entity_id", "hint"), [("BRCA1", "variant"), ("rs334", "gene"), ("PA448497", "protein")])
def test_a_hint_that_contradicts_the_id_is_refused(entity_id, hint):
    error = entity_of(entity_id, hint=hint)

    assert isinstance(error, UnresolvedEntity)
    assert error.recovery.arguments == {"id": entity_id}


# Whole records


@requirement("003 T1-out")
@each_of(
    ("collection", "record", "key"),
    [
        ("genes", expected.gene, "_id"),
        ("transcripts", expected.transcript, "_id"),
        ("proteins", expected.protein, "_id"),
        ("variants", expected.variant, "_id"),
        ("coding_variants", expected.coding_variant, "_id"),
        ("ontology_terms", expected.term, "term_id"),
        ("drugs", expected.drug, "_id"),
        ("complexes", expected.protein_complex, "_id"),
        ("pathways", expected.pathway, "_id"),
        ("studies", expected.study, "_id"),
        ("motifs", expected.motif, "name"),
        ("files_filesets", expected.dataset, "_id"),
    ],
)
def test_a_record_is_whole(collection, record, key):
    rows = starter()[collection]
    group = rows[:: len(rows) // 10 + 1]
    answers, requests = answers_and_requests(*({"id": item[key]} for item in group))

    assert [plain(answer) for answer in answers] == [record(item) for item in group]
    assert len(requests) == len(group)


def test_an_element_is_whole_by_its_name_and_by_its_place():
    genomic_elements = [
        genomic_element
        for genomic_element in starter()["genomic_elements"]
        if re.search(r"_GRC[hm]3[89]", genomic_element["_id"])
    ]
    answers, _ = answers_and_requests(*({"id": item["_id"]} for item in genomic_elements))
    item = next(item for item in genomic_elements if item["_id"].startswith("CRISPR_chr17"))

    assert len(genomic_elements) > 20
    assert [answer.message for answer in answers if isinstance(answer, BiofactError)] == []
    assert [plain(answer) for answer in answers] == [expected.element(item) for item in genomic_elements]
    assert plain(entity_of(f"{item['chr']}:{item['start'] + 1}-{item['end']}")) == expected.element(item)


# Absent entities


@each_of("name", MISSES)
def test_a_near_miss_is_not_found_and_is_suggested(name):
    (missing,), requests = answers_and_requests({"id": name})

    assert isinstance(missing, EntityNotFound), missing
    assert repr(name) in missing.message
    assert [words for words in MISSES[name] if words not in missing.hint] == []
    assert len(requests) <= MOST_REQUESTS


@each_of(
    "entity_id",
    [
        "rs1",  # RS1 is a gene
        "genic_chr17_43070900_43071400_GRCh38_ENCFF999ZZZ",  # another file's element lies there
        *("GO:9999999", "MONDO:9999999", "ENSG99999999999", "rs999999999", "CA99999999", "HGNC:9999999", "PA999999"),
        *("NC_000020.11:3658947:A:C", "CPX-99999", "R-HSA-1", "GCST999999", "NOBODY_HUMAN", "ENCFF999ZZZ"),
    ],
)
def test_an_absent_id_is_one_request_and_not_found(entity_id):
    (missing,), requests = answers_and_requests({"id": entity_id})

    assert isinstance(missing, EntityNotFound), missing
    assert missing.invalid_input == entity_id
    assert len(requests) == 1


def test_an_accession_that_no_protein_has_is_looked_for_in_the_mouse_too():
    (missing,), requests = answers_and_requests({"id": "P99999"})

    assert isinstance(missing, EntityNotFound), missing
    assert [dict(request.params)["organism"] for request in requests] == ["Homo sapiens", "Mus musculus"]


def test_several_elements_at_a_place_lead_to_the_search_of_regions():
    (refusal,), _ = answers_and_requests({"id": "chr1:976210-976314"})

    assert isinstance(refusal, AmbiguousQuery)
    assert refusal.recovery.tool == ToolRef("igvf", "search_region")
    assert refusal.recovery.arguments["region"] == "chr1:976210-976314"


@each_of(("entity_id", "limit"), [("BRCA1", 1), ("brca1", 1), ("Brca1", 1), ("P2RY12", 2), ("CA1", 2)])
def test_a_symbol_costs_one_request_and_one_more_where_it_could_be_an_id(entity_id, limit):
    _, requests = answers_and_requests({"id": entity_id})

    assert len(requests) == limit


@pytest.mark.parametrize("name", ["phenylketonuria", "liver", "aspirin"])
def test_a_name_in_words_costs_few_requests(name):
    _, requests = answers_and_requests({"id": name})

    assert len(requests) <= 4, [request.path for request in requests]


def test_a_name_is_never_asked_for_past_its_first_page():
    _, requests = answers_and_requests(*({"id": name} for name in (*MISSES, "BRCA1", "lupus", "warfarin")))

    assert {dict(request.params)["page"] for request in requests} == {"0"}
