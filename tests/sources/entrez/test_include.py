"""Parts for ``include``: GO terms, phenotypes, and lists that a record cuts."""

import pytest

from biofact.core.errors import AmbiguousQuery, UpstreamError
from biofact.sandbox.services.entrez.corpus import NcbiGeneFacts
from biofact.sources.entrez import parse
from biofact.transport.service import Transient
from tests import virtual_time
from tests.each_of import each_of
from tests.sources.entrez import gene_xml as xml
from tests.sources.entrez.made_genes import open_entrez
from tests.sources.entrez.test_client import codes, on_sandbox
from tests.sources.splitting import records_of

pytestmark = pytest.mark.quick

NCBI_GENE_FACTS = NcbiGeneFacts(
    gene_id="1",
    symbol="MANY",
    aliases=tuple(f"ALIAS{number}" for number in range(60)),
    designations=tuple(f"product number {number}" for number in range(40)),
    refseq=tuple(f"NM_{number:06}" for number in range(1, 25)),
)


def gene(entrez_id="NCBIGene:7157", **options):
    return on_sandbox(lambda entrez, _: entrez.get_gene(entrez_id, **options))


def made_record(**options):
    async def scenario():
        async with open_entrez([NCBI_GENE_FACTS]) as entrez:
            return await entrez.get_gene("NCBIGene:1", **options)

    return virtual_time.run(scenario())


def test_by_default_a_gene_has_no_annotations_and_requests_none():
    record = gene()

    assert (record.go_terms, record.phenotypes) == ([], [])


def test_go_terms_come_with_aspect_evidence_and_articles():
    record = gene("NCBIGene:4747", include=["go_terms"])

    terms = {(term.id, term.qualifier): term for term in record.go_terms}
    axon = terms["GO:0030424", "located_in"]
    assert (axon.name, axon.aspect, axon.evidence, axon.pmids) == ("axon", "component", "IDA", ["PMID:14662745"])
    assert terms["GO:0045109", "involved_in"].pmids == ["PMID:17052987", "PMID:12432080"]
    assert ("GO:0030424", "is_active_in") in terms
    assert record.phenotypes == []


def test_phenotypes_come_with_their_own_ids_and_not_with_the_genes():
    record = gene(include=["phenotypes"])

    assert [(phenotype.name, phenotype.omim_ids, phenotype.medgen_ids) for phenotype in record.phenotypes] == [
        ("Li-Fraumeni syndrome 1", ["151623"], ["C1835398"])
    ]
    assert record.cross_references.omim == "191170"
    assert record.go_terms == []


@each_of(
    ("word", "whole"),
    [
        ("aliases", {"aliases"}),
        ("other_designations", {"designations"}),
        ("cross_references", {"refseq"}),
        ("all", {"aliases", "designations", "refseq"}),
    ],
)
def test_a_word_asks_for_its_list_whole_and_leaves_the_others_as_they_are(word, whole):
    all_of = {"aliases": 60, "designations": 40, "refseq": 24}
    usual = lengths(made_record())

    record = made_record(include=[word])

    assert all(usual[name] < count for name, count in all_of.items())
    # RefSeqs that are listed take some of the room that the usual record has for names.
    compared = {"refseq"} if word == "cross_references" else {*all_of}
    expected = {name: all_of[name] if name in whole else usual[name] for name in compared}
    assert {name: lengths(record)[name] for name in compared} == expected
    assert ("LIST_CUT" in codes(record)) == (word != "all")


def lengths(record):
    return {
        "aliases": len(record.aliases),
        "designations": len(record.other_designations),
        "refseq": len(record.cross_references.refseq or ()),
    }


def test_include_overrules_slim_in_a_batch_too():
    async def scenario(entrez, _):
        return await entrez.get_genes_batch(["NCBIGene:7157", "TP53", "NCBIGene:9606"], include=["phenotypes"])

    whole, refusal, current = on_sandbox(scenario).items

    assert (whole.phenotypes[0].omim_ids, whole.map_location) == (["151623"], "17p13.1")
    assert refusal.error.code == "UNRESOLVED_ENTITY"
    assert (current.id, current.replaces) == ("NCBIGene:8666", "NCBIGene:9606")


def test_a_word_that_is_none_is_refused_with_those_that_are():
    with pytest.raises(AmbiguousQuery) as raises:
        gene(include=["go"])

    assert "go_terms" in raises.value.hint


def test_a_whole_record_takes_one_request_and_the_usual_one_two():
    async def scenario(entrez, sandbox):
        await entrez.get_gene("NCBIGene:7157", include=["all"])
        await entrez.get_gene("NCBIGene:7157", include=["phenotypes"])
        request_count = len(sandbox.requests)
        await entrez.get_gene("NCBIGene:7157")
        await entrez.get_gene("NCBIGene:7157", include=["aliases"])
        return request_count, len(sandbox.requests)

    assert on_sandbox(scenario) == (1, 3)


def go(number, label="Function", post_text="evidence: IDA", pre_text="NOT enables", database="GO"):
    source = xml.element(
        "Other-source",
        xml.element("Other-source_src", xml.tag(database, number)),
        xml.element("Other-source_pre-text", pre_text),
        xml.element("Other-source_anchor", "binding"),
        xml.element("Other-source_post-text", post_text),
    )
    return xml.commentary(label=label, comment=xml.commentary(source=source))


def annotated_gene(body):
    ((_, record),) = records_of(parse.GeneSplitter(parse.annotated), body)
    return parse.gene(record).gene


def annotated(*aspects, heading="GeneOntology"):
    properties = xml.commentary(heading=heading, comment="".join(aspects))
    body = xml.body(xml.gene(gene_ref=xml.gene_with_names("A"), properties=properties))
    return annotated_gene(body).go_terms


def test_a_denied_term_keeps_its_qualifier():
    (term,) = annotated(go(5515))

    assert (term.id, term.qualifier) == ("GO:0005515", "NOT enables")


def test_terms_that_stand_there_twice_are_one():
    assert len(annotated(go(5515), go(5515), go(5515, post_text="evidence: IPI"))) == 2


@each_of("aspect", [go("x"), go(0), go(5515, label="Aspect"), go(5515, database="GeneOntology"), ""])
def test_go_terms_that_cannot_be_read_are_no_empty_list(aspect):
    with pytest.raises(UpstreamError):
        annotated(aspect or xml.commentary(label="Function"))


def test_go_terms_under_another_heading_are_no_empty_list():
    with pytest.raises(Transient):
        annotated(go(5515), heading="Gene Ontology")


def disease(name="D", database="MIM", value=151623):
    part = xml.commentary("phenotype", heading="OMIM", source=xml.source(database, value))
    return xml.commentary("phenotype", **({"heading": name} if name else {}), comment=part)


def phenotypes(*diseases, heading="Phenotypes"):
    comments = xml.commentary(heading=heading, comment="".join(diseases))
    body = xml.body(xml.gene(gene_ref=xml.gene_with_names("A"), comments=comments))
    return annotated_gene(body).phenotypes


def test_a_disease_that_stands_there_twice_is_one_and_clingens_dosage_is_none():
    result = phenotypes(disease(), disease(), disease("Copy number response"))

    assert [(item.name, item.omim_ids) for item in result] == [("D", ["151623"])]


@each_of("value", [15162, "191170.0", "CHEMBL25"])
def test_an_id_of_another_form_is_none(value):
    assert phenotypes(disease(value=value))[0].omim_ids == []


def test_diseases_without_a_name_or_under_another_heading_are_no_empty_list():
    with pytest.raises(UpstreamError, match="no name"):
        phenotypes(disease(name=""))
    with pytest.raises(Transient):
        phenotypes(disease(), heading="Diseases")
