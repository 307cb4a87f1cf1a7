"""The stand-in for Ensembl REST: its shapes compared with the recordings, and its lookups."""

import json
from typing import Any

import pytest

from biofact.sandbox.services.ensembl.corpus import Genes
from biofact.sandbox.services.ensembl.standin import EnsemblStandIn, stand_ins
from biofact.sandbox.standin import ServiceRequest
from biofact.sandbox.tables import Row
from tests.recordings import needs_recordings, recording
from tests.sandbox.few_genes import few_genes
from tests.sandbox.services.ensembl.made_genes import document_of, gene, genes, made_row, refusal, status_and_document

pytestmark = pytest.mark.quick


def recorded_json(name: str) -> Any:
    return json.loads(recording(f"ensembl/{name}.json"))


GENE = ("id", "version", "display_name", "description", "biotype", "canonical_transcript")
PLACE = ("seq_region_name", "start", "end", "strand")


def some_fields(record: Row, *names: str) -> Row:
    return {name: record[name] for name in names if name in record}


def genes_of(record: Row, *transcripts: Row) -> Genes:
    """A recorded gene among the stand-in's."""
    return genes(made_row("gene.human", **some_fields(record, *GENE, *PLACE)), transcripts=list(transcripts))


def transcript_of(record: Row, translation: Row | None = None) -> Row:
    """The row of a recorded transcript."""
    known_values = some_fields(record, "id", "version", "Parent", "biotype", "display_name", "start", "end")
    exons = [some_fields(exon, "id", "version", "start", "end") for exon in record.get("Exon", ())]
    protein = (
        {"Translation": some_fields(translation, "id", "version", "start", "end", "length")} if translation else {}
    )
    return made_row("transcript", **known_values, **protein, Exon=exons)


# shapes


def test_a_gene_a_transcript_and_a_translation_are_as_recorded() -> None:
    recorded_gene = recorded_json("lookup_id_ENSG00000133703_pori")
    recorded_transcript = recorded_json("lookup_id_ENST00000557334_pori")
    recorded_translation = recorded_json("lookup_id_ENSP00000452512_pori")
    standin = EnsemblStandIn(genes_of(recorded_gene, transcript_of(recorded_transcript, recorded_translation)))

    assert document_of("/lookup/id/ENSG00000133703", standin) == recorded_gene
    added = {"gencode_primary": 0}  # the recording is older than this field
    assert document_of("/lookup/id/ENST00000557334", standin) == recorded_transcript | added
    assert document_of("/lookup/id/ENSP00000452512", standin) == recorded_translation


def test_a_gene_by_symbol_is_as_recorded_and_repeats_the_species_as_asked() -> None:
    by_get = recorded_json("lookup_symbol_BRCA2")
    by_post = recorded_json("lookup_symbol_human-62b625-POST")
    standin = EnsemblStandIn(genes_of(by_get))

    assert document_of("/lookup/symbol/homo_sapiens/BRCA2", standin) == by_get
    assert document_of("/lookup/symbol/human", standin, posted_body={"symbols": ["BRCA2", "BR"]}) == by_post
    assert by_post["BRCA2"]["species"] == "human"


def test_an_expanded_gene_has_the_recorded_keys_and_those_added_since() -> None:
    braf = recorded_json("lookup-braf-expanded-response")
    transcripts = [transcript_of(item, item.get("Translation")) for item in braf["Transcript"]]
    known_values = genes_of(braf | {"canonical_transcript": "ENST00000646891.2"}, *transcripts)

    document = document_of("/lookup/id/ENSG00000157764", EnsemblStandIn(known_values), expand="1")

    assert set(document) == {*braf, "canonical_transcript"}
    assert len(document["Transcript"]) == len(braf["Transcript"]) == 21
    for own_values, other_values in zip(document["Transcript"], braf["Transcript"], strict=True):
        assert set(own_values) == {*other_values, "gencode_primary"}
        assert own_values["Exon"] == other_values["Exon"]
        assert own_values.get("Translation") == other_values.get("Translation")
        assert own_values["is_canonical"] == other_values["is_canonical"]


def test_rows_of_xrefs_have_the_recorded_keys() -> None:
    other_values = {row["dbname"]: row for row in recorded_json("xrefs_id_ENSG00000157764_grch37")}

    for row in document_of("/xrefs/id/ENSG00000000001"):
        recorded_row = other_values[row["dbname"]]
        assert set(row) == set(recorded_row)
        assert (row["version"], row["info_type"]) == (recorded_row["version"], recorded_row["info_type"])
    assert document_of("/xrefs/id/ENSG00000000001")[0]["db_display_name"] == other_values["HGNC"]["db_display_name"]


def test_current_ids_are_archived_as_recorded() -> None:
    other_values = recorded_json("archive_id_POST_release108")
    known_values = [gene(row["id"], version=row["version"]) for row in other_values]
    body = {"id": [row["id"] for row in other_values]}

    own_values = document_of("/archive/id", EnsemblStandIn(genes(*known_values)), posted_body=body)

    assert own_values == [{**row, "release": "113"} for row in other_values]


@needs_recordings
def test_a_species_is_as_recorded() -> None:
    for division, file in (
        ("EnsemblVertebrates", "bd9eab"),
        ("EnsemblProtists", "43fcb1"),
        ("EnsemblMetazoa", "a62029"),
    ):
        species = {row["name"]: row for row in recorded_json(f"info_species_species-{file}")["species"]}
        own_species = document_of("/info/species", stand_ins(few_genes())[0], division=division)["species"]

        assert {row["name"] for row in own_species} == set(species)
        assert all(row == species[row["name"]] for row in own_species)


# lookup


def test_a_transcript_by_itself_is_expanded_too() -> None:
    record = document_of("/lookup/id/ENST00000000011", expand="1", mane="1")

    assert [exon["start"] for exon in record["Exon"]] == [500, 100]
    assert record["Translation"]["id"] == "ENSP00000000021"
    assert (record["Parent"], record["is_canonical"], record["length"]) == ("ENSG00000000001", 1, 502)
    assert [(item["refseq_match"], item["type"]) for item in record["MANE"]] == [("NM_000001.5", "MANE_Select")]


def test_mane_needs_expand_and_is_empty_for_other_transcripts() -> None:
    plain = document_of("/lookup/id/ENSG00000000001", mane="1")
    expanded = document_of("/lookup/id/ENSG00000000001", expand="1", mane="1")

    assert "Transcript" not in plain
    assert "MANE" not in plain
    kinds = [[item["type"] for item in row["MANE"]] for row in expanded["Transcript"]]
    assert kinds == [["MANE_Select"], [], ["MANE_Plus_Clinical"]]
    assert "MANE" not in document_of("/lookup/id/ENSG00000000001", expand="1")["Transcript"][0]


def test_a_translation_is_not_expanded() -> None:
    assert refusal("/lookup/id/ENSP00000000021", expand="1") == (
        "Expand option only available for Genes and Transcripts"
    )
    assert document_of("/lookup/id", posted_body={"ids": ["ENSP00000000021"], "expand": 1}) == {"ENSP00000000021": None}


def test_unknown_facts_are_omitted_and_an_unknown_place_is_plainly_made_up() -> None:
    assert document_of("/lookup/id/ENSG00000000009") == {
        "id": "ENSG00000000009",
        "species": "homo_sapiens",
        "object_type": "Gene",
        "db_type": "core",
        "biotype": "lncRNA",
        "source": "ensembl_havana",
        "logic_name": "ensembl_havana_gene_homo_sapiens",
        "seq_region_name": "unplaced",
        "start": 1,
        "end": 1,
        "strand": 1,
        "assembly_name": "GRCh38",
    }


def test_condensed_is_the_head_alone() -> None:
    record = document_of("/lookup/id/ENSG00000000001", format="condensed")

    assert set(record) == {"id", "species", "object_type", "db_type", "version"}
    assert refusal("/lookup/id/ENSG00000000001", format="short") == ("The format 'short' is not an understood encoding")


def test_the_current_version_is_found_and_repeated_and_no_other() -> None:
    assert document_of("/lookup/id/ENSG00000000001.7")["id"] == "ENSG00000000001.7"
    assert document_of("/lookup/id/ENSP00000000021.4")["id"] == "ENSP00000000021.4"
    assert refusal("/lookup/id/ENSG00000000001.6") == "ID 'ENSG00000000001.6' not found"


def test_an_id_with_dots_of_its_own_is_found() -> None:
    assert document_of("/lookup/id/Y74C9A.2a.1")["object_type"] == "Transcript"
    assert document_of("/lookup/id/Y74C9A.2a.1.1")["version"] == 1
    assert refusal("/lookup/id/Y74C9A.2a.1.2") == "ID 'Y74C9A.2a.1.2' not found"


def test_an_unknown_or_retired_id_is_not_found(subtests: pytest.Subtests) -> None:
    for ensembl_id in ["ENSG00000099999", "ENSG00000000005"]:
        with subtests.test(ensembl_id=ensembl_id):
            assert refusal(f"/lookup/id/{ensembl_id}") == f"ID '{ensembl_id}' not found"
            assert refusal(f"/xrefs/id/{ensembl_id}") == f"ID '{ensembl_id}' not found"


def test_the_parameters_of_a_request_have_to_fit_the_id() -> None:
    result = {"species": "human", "object_type": "gene", "db_type": "core"}

    assert document_of("/lookup/id/ENSG00000000001", **result)["display_name"] == "AAA1"
    for name, value in (("species", "mouse"), ("object_type", "transcript"), ("db_type", "otherfeatures")):
        assert "not found" in refusal("/lookup/id/ENSG00000000001", **{name: value})


def test_a_batch_answers_null_for_what_there_is_not() -> None:
    document = document_of("/lookup/id", posted_body={"ids": ["ENSG00000000001", "ENSG00000099999", "ENST00000000012"]})

    assert list(document) == ["ENSG00000000001", "ENSG00000099999", "ENST00000000012"]
    assert document["ENSG00000099999"] is None
    assert document["ENST00000000012"]["object_type"] == "Transcript"


@pytest.mark.parametrize(
    ("path", "name"), [("/lookup/id", "ids"), ("/lookup/symbol/human", "symbols"), ("/archive/id", "id")]
)
def test_more_than_a_thousand_are_too_many(path: str, name: str) -> None:
    assert refusal(path, posted_body={name: ["x"] * 1001}) == (
        "POST message too large. You have submitted 1001 elements but a limit of 1000 is in place."
        " Request smaller regions or lists of IDs"
    )


def test_a_thousand_are_not_too_many() -> None:
    assert set(
        document_of("/lookup/id", posted_body={"ids": [f"ENSG{number}" for number in range(1000)]}).values()
    ) == {None}


def test_a_body_in_another_form_is_refused(subtests: pytest.Subtests) -> None:
    for bad_body in [b"ids=1", b"[]", {"id": ["x"]}, {"ids": "x"}, {"ids": [1]}, {"ids": [], "x": 1}]:
        with subtests.test(posted_body=bad_body):
            assert refusal("/lookup/id", posted_body=bad_body)


def test_a_bad_switch_is_refused_in_a_batch_too() -> None:
    assert "expand" in refusal("/lookup/id", posted_body={"ids": ["ENSG00000000001"], "expand": "yes"})


def test_a_symbol_is_found_in_any_case_on_the_reference_first() -> None:
    assert document_of("/lookup/symbol/human/aaa1")["id"] == "ENSG00000000001"
    assert document_of("/lookup/symbol/Mouse/AAA1")["id"] == "ENSMUSG00000000001"


def test_a_synonym_is_no_symbol() -> None:
    assert refusal("/lookup/symbol/human/p99") == "No valid lookup found for symbol p99"
    assert document_of("/lookup/symbol/human", posted_body={"symbols": ["p99"]}) == {}


def test_an_absent_symbol_is_refused_in_the_recorded_words() -> None:
    reply = EnsemblStandIn(genes()).reply(ServiceRequest("GET", "/lookup/symbol/homo_sapiens/BR", ()))

    assert reply.body == recording("ensembl/http400_lookup_symbol_homo_sapiens_BR.json")
    assert reply.status == 400


def test_a_species_goes_by_any_of_its_aliases(subtests: pytest.Subtests) -> None:
    for path in ["/lookup/symbol/{}/AAA1", "/xrefs/symbol/{}/AAA1"]:
        with subtests.test(path=path):
            assert (
                status_and_document(path.format("9606"))[0]
                == status_and_document(path.format("Homo sapiens"))[0]
                == 200
            )
            assert refusal(path.format("unicorn")) == "Can not find internal name for species 'unicorn'"
