"""resolve_id on the sandbox: every identifier of an entity, from any of them."""

import pytest

from biofact.core.errors import AmbiguousQuery, EntityNotFound, UpstreamError
from biofact.sandbox import Fault
from biofact.sandbox.services.igvf.standin import stand_ins
from tests.each_of import each_of
from tests.marks import requirement
from tests.sandboxed import on_sandbox, result_or_error
from tests.sources.igvf.catalog_rows import starter

pytestmark = pytest.mark.quick

BRCA1 = {
    "symbol": "BRCA1",
    "ensembl": "ENSG00000012048",
    "hgnc": "HGNC:1100",
    "entrez": "NCBIGene:672",
    "synonyms": ["BRCAI", "BRCC1", "BROVCA1", "FANCS", "IRIS", "PNCA4", "PPP1R53", "PSCP", "RNF53"],
    "uniprot": ["UniProtKB:P38398"],
}
AGT_VARIANT = {
    "rsid": "rs5050",
    "spdi": "NC_000001.11:230714139:T:G",
    "hgvs": "NC_000001.11:g.230714140T>G",
    "ca_id": "CA10610220",
}
PROTEIN = {
    "symbol": "BRCA1",
    "ensembl_protein": "ENSP00000350283",
    "uniprot": ["UniProtKB:P38398"],
    "uniprot_name": ["BRCA1_HUMAN"],
    "ensembl": "ENSG00000012048",
    "hgnc": "HGNC:1100",
    "entrez": "NCBIGene:672",
}
TRANSCRIPT = {
    "ensembl_transcript": "ENST00000357654",
    "name": "BRCA1-203",
    **{name: BRCA1[name] for name in ("symbol", "ensembl", "hgnc", "entrez")},
}
ONE_ALLELE = [variant for variant in starter()["variants"] if variant["rsid"] and variant["rsid"] != ["rs334"]]


def resolve_all(*questions, faults=()):
    """The answer of resolve_id to each question: identifiers, or an error."""

    async def resolve_each(igvf, sandbox):
        return [await result_or_error(igvf.resolve_id(**question)) for question in questions], list(sandbox.requests)

    return on_sandbox("igvf", resolve_each, *faults, stand_ins=stand_ins())


def resolved(entity_id, target_type=None, **options):
    (answer,), _ = resolve_all({"id": entity_id, "target_type": target_type}, **options)
    return answer


@requirement("003 T4-out", "003 T4-ex", "003 S4")
@each_of(
    ("kind", "identifiers", "spellings"),
    [
        ("gene", BRCA1, ["BRCA1", "brca1", "ENSG00000012048", "HGNC:1100", "NCBIGene:672", "FANCS"]),
        ("variant", AGT_VARIANT, list(AGT_VARIANT.values())),
        ("protein", PROTEIN, ["ENSP00000350283", "P38398", "BRCA1_HUMAN"]),
        ("transcript", TRANSCRIPT, ["ENST00000357654"]),
        ("drug", {"pharmgkb": "PA448497", "name": "aspirin"}, ["PA448497", "aspirin"]),
        (
            "ontology_term",
            {"id": "MONDO:0009861", "name": "phenylketonuria", "synonyms": ["PKU", "Folling disease"]},
            ["MONDO:0009861", "MONDO_0009861", "phenylketonuria"],
        ),
        (
            "coding_variant",
            {"id": "PAH_ENST00000553106_p.Met1!_c.1A-G", "name": "PAH_ENST00000553106_p.Met1?_c.1A>G"},
            ["PAH_ENST00000553106_p.Met1!_c.1A-G", "PAH_ENST00000553106_p.Met1?_c.1A>G"],
        ),
    ],
)
def test_every_identifier_leads_to_all_of_them(kind, identifiers, spellings):
    answers, _ = resolve_all(*({"id": spelling} for spelling in spellings))

    assert [getattr(answer, "identifiers", answer) for answer in answers] == [identifiers] * len(spellings)
    assert [(answer.input, answer.entity_type) for answer in answers] == [(spelling, kind) for spelling in spellings]


def test_a_mouse_gene_has_no_hgnc_id_and_a_mouse_protein():
    identifiers = resolved("Trp53").identifiers

    assert (identifiers["ensembl"], identifiers["uniprot"]) == ("ENSMUSG00000059552", ["UniProtKB:P02340"])
    assert "hgnc" not in identifiers


@requirement("003 T4-ex")
@each_of("item", ONE_ALLELE[::9])
def test_a_variant_goes_from_rsid_to_spdi_and_back(item):
    assert resolved(item["rsid"][0], "spdi").preferred == item["spdi"]
    assert resolved(item["spdi"], "rsid").preferred == item["rsid"][0]


def test_all_alleles_of_an_rsid_are_listed_and_none_is_preferred():
    answer = resolved("rs334", "spdi")

    (notice,) = answer.notices
    assert (answer.identifiers, answer.preferred) == ({"rsid": "rs334"}, None)
    assert {(allele.spdi, allele.hgvs) for allele in answer.alleles} == {
        (variant["spdi"], variant["hgvs"]) for variant in starter()["variants"] if "rs334" in (variant["rsid"] or ())
    }
    assert len(answer.alleles) == 3
    assert "3 alleles" in notice.message
    assert resolved("rs334", "rsid").preferred == "rs334"


@each_of(
    ("entity_id", "spellings", "preferred_kind"),
    [
        ("rs5050", ["spdi", "SPDI", " Spdi "], AGT_VARIANT["spdi"]),
        ("rs5050", ["ca_id", "CA ID", "caid", "CA-ID"], AGT_VARIANT["ca_id"]),
        (AGT_VARIANT["spdi"], ["rsid", "rsID", "rs"], "rs5050"),
        ("BRCA1", ["ensembl", "Ensembl Gene", "ensembl_gene_id"], "ENSG00000012048"),
        ("BRCA1", ["entrez", "NCBIGene", "ncbi-gene"], "NCBIGene:672"),
        ("ENSG00000012048", ["symbol", "SYMBOL"], "BRCA1"),
        ("BRCA1", ["hgnc", "HGNC"], "HGNC:1100"),
        ("BRCA1", ["uniprot", "UniProtKB"], "UniProtKB:P38398"),
    ],
)
def test_the_preferred_kind_is_accepted_in_every_common_spelling(entity_id, spellings, preferred_kind):
    answers, _ = resolve_all(*({"id": entity_id, "target_type": spelling} for spelling in spellings))

    assert [getattr(answer, "preferred", answer) for answer in answers] == [preferred_kind] * len(spellings)


@pytest.mark.parametrize(
    ("entity_id", "target_type", "has"),
    [
        ("BRCA1", "spdi", ["symbol", "ensembl", "hgnc", "entrez", "uniprot"]),
        ("rs62513865", "ca_id", ["rsid", "spdi", "hgvs"]),
        ("Trp53", "hgnc", ["symbol", "ensembl", "entrez"]),
        ("rs334", "hgnc", ["rsid", "spdi"]),
    ],
)
def test_a_kind_that_an_entity_does_not_have_is_refused_with_those_it_has(entity_id, target_type, has):
    error = resolved(entity_id, target_type)

    assert isinstance(error, AmbiguousQuery), error
    assert error.invalid_input == target_type
    assert [name for name in has if name not in error.hint] == []


def test_an_absent_id_is_not_found():
    assert isinstance(resolved("rs9999999999"), EntityNotFound)


# When a part fails

PROTEINS_DOWN = Fault("status", path="/genes/proteins", status=503, times=None)


def test_without_its_proteins_a_gene_is_resolved_in_part_with_a_notice():
    answer = resolved("BRCA1", faults=[PROTEINS_DOWN])

    (notice,) = answer.notices
    assert notice.code == "LEG_FAILED"
    assert answer.identifiers == {name: value for name, value in BRCA1.items() if name != "uniprot"}


def test_a_failure_of_what_was_asked_for_is_no_absence():
    answer = resolved("BRCA1", "uniprot", faults=[PROTEINS_DOWN])

    assert isinstance(answer, UpstreamError), answer


@pytest.mark.parametrize("target_type", [None, "hgnc"])
def test_a_failed_look_up_is_no_absence(target_type):
    down = Fault("status", path="/genes", status=503, times=None)

    assert isinstance(resolved("BRCA1", target_type, faults=[down]), UpstreamError)


@pytest.mark.parametrize("ambiguous", ["CREB2", "rs334", "lupus", "mucoviscidosis"])
def test_each_id_in_an_ambiguous_answer_can_be_requested(ambiguous):
    async def ask(igvf, _):
        with pytest.raises(AmbiguousQuery) as raises:
            await igvf.get_entity(ambiguous)
        names = raises.value.message.partition(": ")[2].removesuffix(".").split(", ")
        return [(item.split(" (")[0], await igvf.get_entity(item.split(" (")[0])) for item in names]

    result = on_sandbox("igvf", ask, stand_ins=stand_ins())

    assert len(result) >= 2
    assert [entity.id for _, entity in result] == [entity_id for entity_id, _ in result]
