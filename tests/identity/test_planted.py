"""Planted disagreements, services that fail, and services that answer with another entity."""

import pytest

from biofact.core.errors import EntityNotFound, RateLimited, UpstreamError
from biofact.sandbox import Fault
from tests.conformance.services import changed, replacement_of, whole
from tests.each_of import each_of
from tests.identity.checked import Plant, assertions, check, check_all, check_with_requests, planted, row, verdicts

pytestmark = pytest.mark.quick

BRCA1, BRCA2 = "ENSG00000012048", "ENSG00000139618"
ASPIRIN, IBUPROFEN = "BSYNRYMUTXBXSQ-UHFFFAOYSA-N", "HEFNNWSXXWATRW-UHFFFAOYSA-N"

# The kinds that no user reported: what is planted, in which ID it shows, at which database, and who contradicts whom.
CASES = [
    ("NCBI names another gene's Ensembl ID", Plant("ncbi", BRCA1, BRCA2), "NCBIGene:672", "ensembl"),
    (
        "Ensembl has another gene's ID of the nomenclature",
        Plant("ensembl", '"primary_id":"HGNC:1100"', '"primary_id":"HGNC:1101"'),
        "NCBIGene:672",
        "hgnc",
    ),
    ("the Catalog names another GeneID", Plant("igvf", "ENTREZ:672", "ENTREZ:675"), BRCA1, "entrez"),
    ("ChEMBL files another compound's structure", Plant("chembl", ASPIRIN, IBUPROFEN), "CHEMBL:25", "inchi_key"),
    (
        "PubMed gives another article's DOI",
        Plant("ncbi", "10.1056/NEJMoa012512", "10.5555/biofact.99000002"),
        "PMID:11832527",
        "doi",
    ),
    (
        "the Catalog writes another allele's HGVS",
        Plant("igvf", "NC_000019.10:g.44908684T>C", "NC_000019.10:g.44908822C>T"),
        "NC_000019.10:44908683:T:C",
        "hgvs",
    ),
]
HONEST = [*((checked_id, None) for _, _, checked_id, _ in CASES), ("UniProtKB:P00533", None)]


@each_of(("kind", "plant", "checked_id", "database"), CASES)
def test_a_planted_disagreement_is_found_and_nothing_else(kind, plant, checked_id, database):
    honest = verdicts(check_all(*HONEST)[checked_id, None])
    database_verdicts = verdicts(check(checked_id, stand_ins=planted(plant)))

    assert (honest[database], database_verdicts[database]) == ("agree", "disagree"), kind


def test_a_gene_that_ensembl_gives_to_a_patch_as_well_is_one_to_many():
    """A second gene of Ensembl that names 672, on a scaffold."""
    stand_ins = planted(
        Plant("ncbi", BRCA1, BRCA2),
        Plant("ensembl", '"primary_id":"675"', '"primary_id":"672"'),
        Plant("ensembl", '"seq_region_name":"13"', '"seq_region_name":"HSCHR13_1_CTG1"'),
    )
    verdict = row(check("NCBIGene:672", stand_ins=stand_ins), "ensembl")

    assert (verdict.verdict, verdict.cause) == ("one_to_many", "patch or haplotype")
    assert {("ensembl", "NCBIGene:672", False), ("ensembl", "NCBIGene:672", True)} <= assertions(verdict)


@pytest.mark.parametrize(
    ("stable_id", "cause"), [("ENSG00000104725", "merged record"), ("ENSG00999900002", "lag of releases")]
)
def test_an_id_that_was_replaced_or_withdrawn_is_retired(stable_id, cause):
    """NEFL, as NCBI would name it if it had not followed Ensembl."""
    verdict = row(check("NCBIGene:4747", stand_ins=planted(Plant("ncbi", "ENSG00000277586", stable_id))), "ensembl")

    assert (verdict.verdict, verdict.cause, verdict.id) == ("retired", cause, stable_id)


def test_a_cause_is_read_from_ensembl_s_paralogues_where_names_do_not_show_it():
    """TP63's Ensembl ID at TP53: their symbols share two letters."""
    stand_ins = planted(Plant("ncbi", "ENSG00000141510", "ENSG00000073282"))
    identity, requests = check_with_requests("NCBIGene:7157", stand_ins=stand_ins)

    assert (row(identity, "ensembl").verdict, row(identity, "ensembl").cause) == ("disagree", "paralogue")
    assert any("/homology/" in request.path for request in requests)


def test_a_gene_id_that_ncbi_withdrew_is_retired():
    withdrawn = planted(Plant("ensembl", '"primary_id":"672"', '"primary_id":"544580"'))
    verdict = row(check(BRCA1, stand_ins=withdrawn), "entrez")

    assert (verdict.verdict, verdict.cause, verdict.id) == ("retired", "lag of releases", "NCBIGene:544580")


def down(service):
    return [Fault("status", service=service, status=503, times=None)]


@each_of(
    ("checked_id", "service", "database"),
    [
        ("NCBIGene:672", "ensembl", "ensembl"),
        ("NCBIGene:672", "igvf", "igvf"),
        (BRCA1, "ncbi", "entrez"),
        (BRCA1, "igvf", "igvf"),
        ("UniProtKB:P00533", "chembl", "chembl"),
        ("UniProtKB:P00533", "igvf", "igvf"),
    ],
)
def test_a_source_that_is_down_is_a_notice_and_has_no_verdict(checked_id, service, database):
    honest = verdicts(check_all(*HONEST)[checked_id, None])
    identity = check(checked_id, faults=down(service))

    assert "LEG_FAILED" in {notice.code for notice in identity.notices}
    assert database not in verdicts(identity)
    assert "disagree" not in verdicts(identity).values()
    assert "missing" not in verdicts(identity).values()
    assert set(verdicts(identity)) < set(honest)


@each_of(
    ("checked_id", "service"),
    [
        ("NCBIGene:672", "ncbi"),
        (BRCA1, "ensembl"),
        ("CHEMBL:25", "chembl"),
        ("PMID:11832527", "ncbi"),
        ("rs429358", "igvf"),
        ("NC_000019.10:44908683:T:C", "igvf"),
    ],
)
def test_the_call_fails_if_the_source_of_the_id_is_down(checked_id, service):
    with pytest.raises((RateLimited, UpstreamError)):
        check(checked_id, faults=down(service))


def test_an_id_by_which_the_source_cannot_be_asked_in_turn_has_no_verdict():
    identity = check("PMID:11832527", faults=[Fault("status", path="esearch", status=503, times=None)])

    assert verdicts(identity) == {"pmc": "one_way"}
    assert [notice.code for notice in identity.notices] == ["LEG_FAILED"]


def test_cross_references_that_cannot_be_had_prove_nothing():
    identity = check("NCBIGene:672", faults=[Fault("status", path="xrefs/id", status=503, times=None)])

    assert "ensembl" not in verdicts(identity)
    assert "disagree" not in verdicts(identity).values()


@pytest.mark.parametrize(
    ("checked_id", "asked_id", "answered_id", "database"),
    [
        ("NCBIGene:672", BRCA1, BRCA2, "ensembl"),
        (BRCA1, "672", "675", "entrez"),
    ],
)
def test_a_source_that_answers_with_another_entity_is_not_believed(checked_id, asked_id, answered_id, database):
    identity = check(checked_id, stand_ins=changed(replacement_of(whole(asked_id), answered_id)))

    assert database not in verdicts(identity)
    assert "disagree" not in verdicts(identity).values()
    assert answered_id not in identity.model_dump_json(exclude={"notices"})


@each_of(
    ("checked_id", "asked_id", "answered_id"),
    [
        ("NCBIGene:672", "672", "675"),
        (BRCA1, BRCA1, BRCA2),
        ("CHEMBL:25", "CHEMBL25", "CHEMBL521"),
        ("PMID:11832527", "11832527", "23121403"),
    ],
)
def test_another_entity_in_place_of_the_one_asked_for_fails_the_call(checked_id, asked_id, answered_id):
    with pytest.raises((EntityNotFound, UpstreamError)):
        check(checked_id, stand_ins=changed(replacement_of(whole(asked_id), answered_id)))


def test_the_databases_are_asked_side_by_side():
    """Ensembl and the Catalog are asked at once when NCBI has named them: no database waits for another in vain."""
    identity, requests = check_with_requests("NCBIGene:672")

    assert set(verdicts(identity).values()) == {"agree"}
    assert len(requests) <= 7
    times = [request.at for request in requests]
    assert len({round(time, 3) for time in times}) < len(times)
