"""The stand-in for Ensembl REST: cross-references, retired IDs, information, and its refusals."""

import pytest

from biofact.sandbox.services.ensembl.standin import EnsemblStandIn
from tests.sandbox.services.ensembl.made_genes import document_of, genes, refusal, status_and_document

pytestmark = pytest.mark.quick

# xrefs


def test_a_gene_goes_by_symbol_synonym_and_external_names(subtests: pytest.Subtests) -> None:
    for name in ["AAA1", "aaa1", "P99", "old1", "HGNC:1", "101", "NM_000001", "P00001", "p00001.12"]:
        with subtests.test(name=name):
            assert {"id": "ENSG00000000001", "type": "gene"} in document_of(
                f"/xrefs/symbol/human/{name}", object_type="gene"
            )


def test_several_genes_may_go_by_one_name_and_none_by_another() -> None:
    result = document_of("/xrefs/symbol/human/p99", object_type="gene")

    assert result == [{"id": "ENSG00000000000", "type": "gene"}, {"id": "ENSG00000000001", "type": "gene"}]
    assert document_of("/xrefs/symbol/human/nothing") == []
    assert document_of("/xrefs/symbol/mouse/p99") == []


def test_without_a_type_transcripts_and_translations_are_reported_too() -> None:
    result = document_of("/xrefs/symbol/human/P00001")

    assert [row["type"] for row in result] == ["gene", *["transcript"] * 3, *["translation"] * 2]
    assert document_of("/xrefs/symbol/human/AAA1-202") == [{"id": "ENST00000000012", "type": "transcript"}]


def test_an_external_database_narrows_the_names() -> None:
    gene_row = [{"id": "ENSG00000000001", "type": "gene"}]

    assert document_of("/xrefs/symbol/human/101", object_type="gene", external_db="EntrezGene") == gene_row
    assert document_of("/xrefs/symbol/human/101", object_type="gene", external_db="HGNC") == []
    assert document_of("/xrefs/symbol/human/old1", object_type="gene", external_db="HGNC") == gene_row


def test_xrefs_are_those_of_the_level_unless_all_are_asked_for() -> None:
    def names(ensembl_id: str, **params: str) -> list[str]:
        return [row["dbname"] for row in document_of(f"/xrefs/id/{ensembl_id}", **params)]

    assert names("ENSG00000000001") == ["HGNC", "EntrezGene"]
    # once for each of three transcripts and two translations, as the real answers repeat them
    all_values = names("ENSG00000000001", all_levels="1")
    assert all_values == ["HGNC", "EntrezGene", *["RefSeq_mRNA"] * 3, *["Uniprot/SWISSPROT"] * 2]
    assert names("ENST00000000011") == ["RefSeq_mRNA"]
    assert names("ENST00000000011", all_levels="1") == ["RefSeq_mRNA", "Uniprot/SWISSPROT"]
    assert names("ENSP00000000021", all_levels="1") == ["Uniprot/SWISSPROT"]
    assert names("ENSG00000000001", external_db="EntrezGene") == ["EntrezGene"]


def test_an_xref_is_reported_with_its_synonyms_and_versioned_display() -> None:
    hgnc = document_of("/xrefs/id/ENSG00000000001", external_db="HGNC")[0]
    uniprot = document_of("/xrefs/id/ENSP00000000021")[0]

    assert (hgnc["primary_id"], hgnc["display_id"], hgnc["synonyms"]) == ("HGNC:1", "AAA1", ["p99", "OLD1"])
    assert hgnc["description"] == "first gene"
    assert (uniprot["primary_id"], uniprot["display_id"], uniprot["synonyms"]) == ("P00001", "P00001.12", [])


# archive


def test_a_retired_id_has_its_replacement() -> None:
    assert document_of("/archive/id/ENSG00000000005") == {
        "id": "ENSG00000000005",
        "version": 2,
        "latest": "ENSG00000000005.2",
        "is_current": "",
        "release": "98",
        "assembly": "GRCh38",
        "type": "Gene",
        "possible_replacement": [{"stable_id": "ENSG00000000001", "score": 0.94}],
        "peptide": None,
    }


def test_an_older_version_is_not_current_and_a_newer_does_not_exist() -> None:
    current, older = document_of("/archive/id/ENST00000000011.3"), document_of("/archive/id/ENST00000000011.1")

    assert (current["is_current"], current["type"], current["latest"]) == ("1", "Transcript", "ENST00000000011.3")
    assert (older["is_current"], older["version"], older["latest"]) == ("", 1, "ENST00000000011.3")
    assert refusal("/archive/id/ENST00000000011.9") == "No object found for ENST00000000011.9"


def test_an_id_that_never_was_fails_a_whole_batch() -> None:
    assert refusal("/archive/id/ENSG00000099999") == "No object found for ENSG00000099999"
    assert refusal("/archive/id", posted_body={"id": ["ENSG00000000001", "ENSG00000099999"]}) == (
        "No object found for ENSG00000099999"
    )


# information, and what every endpoint refuses


def test_the_service_reports_that_it_is_up_its_release_and_its_species() -> None:
    assert document_of("/info/ping") == {"ping": 1}
    assert document_of("/info/data") == {"releases": [113]}
    assert [row["name"] for row in document_of("/info/species")["species"]] == ["homo_sapiens", "mus_musculus"]
    assert [row["taxon_id"] for row in document_of("/info/species", division="EnsemblProtists")["species"]] == ["1"]


def test_strains_are_hidden_on_request() -> None:
    species = document_of("/info/species", division="EnsemblVertebrates")["species"][1]
    hidden = document_of("/info/species", division="EnsemblVertebrates", hide_strain_info="1")["species"][1]

    assert species["strain"] == "reference (CL57BL6)"
    assert set(species) - set(hidden) == {"strain", "strain_collection"}


def test_a_parameter_that_there_is_not_is_refused(subtests: pytest.Subtests) -> None:
    cases = [
        *("/info/ping", "/info/data", "/info/species", "/lookup/id/ENSG00000000001", "/lookup/symbol/human/AAA1"),
        *("/xrefs/symbol/human/AAA1", "/xrefs/id/ENSG00000000001", "/archive/id/ENSG00000000001"),
    ]
    for path in cases:
        with subtests.test(path=path):
            assert "expnd" in refusal(path, expnd="1")
            assert status_and_document(path, content_type="application/json")[0] == 200
            assert status_and_document(path, content_type="text/xml")[0] == 415
            assert document_of(f"{path}.json") == document_of(f"{path}/") == document_of(path)


@pytest.mark.parametrize("name", ["utr", "phenotypes"])
def test_an_unsupported_parameter_is_refused(name: str) -> None:
    assert name in refusal("/lookup/id/ENSG00000000001", expand="1", **{name: "1"})
    assert document_of("/lookup/id/ENSG00000000001", **{name: "0"})


def test_another_path_or_method_is_refused() -> None:
    status, document = status_and_document("/search/human/AAA1")

    assert status == 404
    assert document["error"].startswith("page not found. Please check your uri")
    assert status_and_document("/lookup/id/ENSG00000000001", posted_body={"ids": []})[0] == 405


def test_a_server_of_grch37_names_its_assembly() -> None:
    standin = EnsemblStandIn(genes(), assembly="GRCh37")

    assert document_of("/lookup/id/ENSG00000000001", standin)["assembly_name"] == "GRCh37"
    assert document_of("/archive/id/ENSG00000000001", standin)["assembly"] == "GRCh37"
    assert document_of("/lookup/id/ENSG00000000001")["assembly_name"] == "GRCh38"
