"""Whether the databases agree: cases that trackers report, labels, all kinds of entity, and refusals."""

import pytest

from biofact.core.errors import CallTool, EntityNotFound, ToolRef, UnresolvedEntity
from tests.each_of import each_of
from tests.identity.checked import Plant, assertions, check, check_all, check_with_requests, planted, row, verdicts

pytestmark = pytest.mark.quick

# Genes on which databases disagree, as trackers report: kind, ID, database, verdict, cause.
REPORTED_CASES = [
    ("readthrough", "ENSG00000278232", "entrez", "one_to_many", "readthrough"),
    ("readthrough", "NCBIGene:4207", "ensembl", "disagree", "readthrough"),
    ("readthrough", "ENSG00000064489", "entrez", "disagree", "readthrough"),
    ("paralogue", "ENSG00000205571", "entrez", "disagree", "paralogue"),
    ("paralogue", "NCBIGene:6607", "ensembl", "disagree", "paralogue"),
    ("wrong for several releases", "ENSG00000104237", "entrez", "disagree", "lag of releases"),
    ("wrong for several releases", "NCBIGene:6101", "ensembl", "disagree", "lag of releases"),
    ("swapped", "NCBIGene:28440", "ensembl", "disagree", "paralogue"),
    ("swapped", "NCBIGene:28435", "ensembl", "disagree", "paralogue"),
    ("swapped", "ENSG00000270474", "entrez", "disagree", "paralogue"),
    ("several ENSG", "NCBIGene:883", "ensembl", "one_to_many", None),
    ("several ENSG", "ENSG00000171097", "entrez", "one_to_many", None),
    ("several ENSG, one in the recorded gene_info", "NCBIGene:8337", "ensembl", "agree", None),
    ("missing, another in the recorded gene_info", "NCBIGene:7012", "ensembl", "disagree", "lag of releases"),
    ("missing, another in the recorded gene_info", "ENSG00000270141", "entrez", "disagree", "lag of releases"),
    ("mouse", "ENSMUSG00000068240", "entrez", "disagree", "paralogue"),
    ("mouse", "NCBIGene:666586", "ensembl", "disagree", "paralogue"),
]
REPORTED_IDS = [(checked_id, None) for _, checked_id, *_ in REPORTED_CASES]


@each_of(("kind", "checked_id", "database", "verdict", "cause"), REPORTED_CASES)
def test_a_reported_disagreement_comes_with_its_cause(kind, checked_id, database, verdict, cause):
    judgement = row(check_all(*REPORTED_IDS)[checked_id, None], database)

    assert (judgement.verdict, judgement.cause) == (verdict, cause), kind


def test_a_paralogue_named_in_place_of_a_gene_comes_with_the_databases_that_name_it():
    verdict = row(check_all(*REPORTED_IDS)["ENSG00000205571", None], "entrez")

    assert assertions(verdict) == {
        ("ensembl", "NCBIGene:6606", False),
        ("entrez", "ENSG00000172062", True),
        ("entrez", "ENSG00000205571", False),
    }
    assert {claim.of for claim in verdict.assertions} == {None, "NCBIGene:6606", "NCBIGene:6607"}
    assert all(claim.url and claim.retrieved_at for claim in verdict.assertions)


def test_a_gene_without_a_link_on_either_side_is_missing_not_in_disagreement():
    """TERC without an Ensembl ID at NCBI, as before the recorded file."""
    no_link = planted(Plant("ncbi", "ENSG00000277925", ""))
    forward, reverse = check("NCBIGene:7012", stand_ins=no_link), check("ENSG00000270141", stand_ins=no_link)

    assert (row(forward, "ensembl").verdict, row(forward, "ensembl").id) == ("missing", "ENSG00000270141")
    assert (row(reverse, "entrez").verdict, row(reverse, "entrez").id) == ("missing", "NCBIGene:7012")


OF_EVERY_KIND = {
    "NCBIGene:7157": dict.fromkeys(("ensembl", "igvf", "hgnc", "omim", "uniprot", "refseq"), "agree"),
    "ENSG00000141510": dict.fromkeys(("entrez", "igvf", "hgnc", "omim", "uniprot", "refseq"), "agree"),
    "ENSG00000141510.20": dict.fromkeys(("entrez", "igvf", "hgnc", "omim", "uniprot", "refseq"), "agree"),
    "NCBIGene:22059": dict.fromkeys(("ensembl", "igvf", "alliance", "uniprot"), "agree"),
    "ENST00000269305": {"igvf": "agree"},
    "UniProtKB:P00533": dict.fromkeys(("chembl", "igvf", "entrez", "ensembl"), "agree"),
    "PMID:11832527": {"doi": "agree", "pmc": "one_way"},
    "rs429358": {"igvf": "agree"},
    "NC_000019.10:44908683:T:C": {"hgvs": "agree", "rsid": "agree"},
    "NC_000019.10:g.44908684T>C": {"hgvs": "agree", "rsid": "agree"},
}


@each_of(("checked_id", "expected"), OF_EVERY_KIND.items())
def test_entities_of_every_kind_are_followed_there_and_back(checked_id, expected):
    assert verdicts(check_all(*((other_id, None) for other_id in OF_EVERY_KIND))[checked_id, None]) == expected


def test_a_compound_s_structure_leads_back_to_it():
    identity = check("CHEMBL:25")

    assert row(identity, "inchi_key").verdict == "agree"
    assert assertions(row(identity, "inchi_key")) == {("chembl", "BSYNRYMUTXBXSQ-UHFFFAOYSA-N", True)}
    assert {verdict.verdict for verdict in identity.databases if verdict.database != "inchi_key"} == {"one_way"}


def test_a_salt_is_a_form_of_another_compound_and_no_disagreement():
    identity = check("CHEMBL:1642")

    assert (identity.label, identity.form_of) == ("IMATINIB MESYLATE", "CHEMBL:941")
    assert "disagree" not in verdicts(identity).values()


def test_several_alleles_of_an_rsid_are_no_disagreement():
    verdict = row(check("rs334"), "igvf")

    assert verdict.verdict == "agree"
    assert len({claim.of for claim in verdict.assertions}) > 1


def test_a_merged_record_is_retired_and_its_successor_is_checked():
    identity = check("NCBIGene:1226")

    assert identity.id == "NCBIGene:4625"
    assert (row(identity, "entrez").verdict, row(identity, "entrez").cause) == ("retired", "merged record")
    assert row(identity, "ensembl").verdict == "agree"
    assert [notice.code for notice in identity.notices] == ["REPLACED"]


def test_a_loop_of_cross_references_ends_and_each_record_is_asked_for_once():
    """28440 names ENSG00000254289, which names 28435, which names ENSG00000270474, which names 28440."""
    identity, requests = check_with_requests("NCBIGene:28440")

    assert row(identity, "ensembl").verdict == "disagree"
    records = [
        uid for request in requests if request.path == "/esummary.fcgi" for uid in dict(request.params)["id"].split(",")
    ]
    xrefs = [request.path for request in requests if request.path.startswith("/xrefs/id/")]
    assert sorted(records) == ["28435", "28440"]
    assert sorted(xrefs) == ["/xrefs/id/ENSG00000254289", "/xrefs/id/ENSG00000270474"]


LABELS = [
    ("NCBIGene:672", "BRCA1", "current", []),
    ("NCBIGene:672", "brca1", "current", []),
    ("NCBIGene:672", "RNF53", "alias", []),
    ("NCBIGene:672", "BRCA2", "another", ["NCBIGene:675"]),
    ("NCBIGene:672", "no such gene", "unknown", []),
    ("NCBIGene:666586", "Gm11808", "previous", []),
    ("NCBIGene:8337", "H2AC19", "alias", ["NCBIGene:723790"]),
    ("CHEMBL:25", "Acetylsalicylic acid", "alias", []),
]


@each_of(("checked_id", "label", "status", "owners"), LABELS)
def test_an_expected_label_gets_its_status(checked_id, label, status, owners):
    answers = check_all(*((other_id, expected) for other_id, expected, *_ in LABELS))
    expected = answers[checked_id, label].expected_label

    assert (expected.label, expected.status, expected.of) == (label, status, owners)


def test_a_label_that_another_database_still_shows_is_a_previous_one():
    stand_ins = planted(Plant("ensembl", '"display_name":"KYAT1"', '"display_name":"CCBL1"'))

    assert check("NCBIGene:883", "CCBL1", stand_ins=stand_ins).expected_label.status == "previous"


@each_of(
    ("text", "name"),
    [("p53", "p53"), ("7157", "7157"), ("CHEMBL25", "CHEMBL:25"), ("GeneID 672", "NCBIGene:672"), ("TP53 human", None)],
)
def test_a_text_that_is_no_strict_id_leads_to_resolve(text, name):
    with pytest.raises(UnresolvedEntity) as refusal:
        check(text)

    assert refusal.value.recovery == CallTool(ToolRef("identity", "resolve"), {"names": [name or text]})


@each_of("checked_id", ["NCBIGene:999999999", "ENSG99999999999", "CHEMBL:999999999", "PMID:999999999"])
def test_an_id_of_no_record_is_not_found(checked_id):
    with pytest.raises(EntityNotFound):
        check(checked_id)


def test_the_words_of_verdicts_stand_nowhere_else():
    text = check_all(*REPORTED_IDS)["ENSG00000205571", None].model_dump_json()

    for verdict in ("disagree", "one_way", "one_to_many", "agree"):
        assert text.count(f'"{verdict}"') == text.count(f'"verdict":"{verdict}"')
