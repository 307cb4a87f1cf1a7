"""The stand-in for Ensembl REST: its shapes against the recordings, and its look-ups."""

import json
from typing import Any

import pytest

from biofact.sandbox.services.ensembl.corpus import Genes
from biofact.sandbox.services.ensembl.standin import EnsemblStandIn, stand_ins
from biofact.sandbox.standin import ServiceRequest
from biofact.sandbox.tables import Row
from tests.recordings import needs_recordings, recording
from tests.sandbox.few_genes import few_genes
from tests.sandbox.services.ensembl.made_genes import asked, gene, genes, made, refusal, told

pytestmark = pytest.mark.quick


def recorded(name: str) -> Any:
    return json.loads(recording(f"ensembl/{name}.json"))


GENE = ("id", "version", "display_name", "description", "biotype", "canonical_transcript")
PLACE = ("seq_region_name", "start", "end", "strand")


def some(record: Row, *names: str) -> Row:
    return {name: record[name] for name in names if name in record}


def genes_of(record: Row, *transcripts: Row) -> Genes:
    """A recorded gene among the stand-in's."""
    return genes(made("gene.human", **some(record, *GENE, *PLACE)), transcripts=list(transcripts))


def transcript_of(record: Row, translation: Row | None = None) -> Row:
    """The row of a recorded transcript."""
    known = some(record, "id", "version", "Parent", "biotype", "display_name", "start", "end")
    exons = [some(exon, "id", "version", "start", "end") for exon in record.get("Exon", ())]
    protein = {"Translation": some(translation, "id", "version", "start", "end", "length")} if translation else {}
    return made("transcript", **known, **protein, Exon=exons)


# shapes


def test_a_gene_a_transcript_and_a_translation_are_as_recorded() -> None:
    gene_told = recorded("lookup_id_ENSG00000133703_pori")
    transcript_told = recorded("lookup_id_ENST00000557334_pori")
    translation_told = recorded("lookup_id_ENSP00000452512_pori")
    standin = EnsemblStandIn(genes_of(gene_told, transcript_of(transcript_told, translation_told)))

    assert told("/lookup/id/ENSG00000133703", standin) == gene_told
    assert told("/lookup/id/ENST00000557334", standin) == transcript_told
    assert told("/lookup/id/ENSP00000452512", standin) == translation_told


def test_a_gene_by_symbol_is_as_recorded_and_repeats_the_species_as_asked() -> None:
    by_get = recorded("lookup_symbol_BRCA2")
    by_post = recorded("lookup_symbol_human-62b625-POST")
    standin = EnsemblStandIn(genes_of(by_get))

    assert told("/lookup/symbol/homo_sapiens/BRCA2", standin) == by_get
    assert told("/lookup/symbol/human", standin, posted={"symbols": ["BRCA2", "BR"]}) == by_post
    assert by_post["BRCA2"]["species"] == "human"


def test_an_expanded_gene_has_the_recorded_keys_and_those_added_since() -> None:
    braf = recorded("lookup-braf-expanded-response")
    transcripts = [transcript_of(one, one.get("Translation")) for one in braf["Transcript"]]
    known = genes_of(braf | {"canonical_transcript": "ENST00000646891.2"}, *transcripts)

    document = told("/lookup/id/ENSG00000157764", EnsemblStandIn(known), expand="1")

    assert set(document) == {*braf, "canonical_transcript"}
    assert len(document["Transcript"]) == len(braf["Transcript"]) == 21
    for ours, theirs in zip(document["Transcript"], braf["Transcript"], strict=True):
        assert set(ours) == set(theirs)
        assert ours["Exon"] == theirs["Exon"]
        assert ours.get("Translation") == theirs.get("Translation")
        assert ours["is_canonical"] == theirs["is_canonical"]


def test_rows_of_xrefs_have_the_recorded_keys() -> None:
    theirs = {row["dbname"]: row for row in recorded("xrefs_id_ENSG00000157764_grch37")}

    for row in told("/xrefs/id/ENSG00000000001"):
        recorded_row = theirs[row["dbname"]]
        assert set(row) == set(recorded_row)
        assert (row["version"], row["info_type"]) == (recorded_row["version"], recorded_row["info_type"])
    assert told("/xrefs/id/ENSG00000000001")[0]["db_display_name"] == theirs["HGNC"]["db_display_name"]


def test_current_ids_are_archived_as_recorded() -> None:
    theirs = recorded("archive_id_POST_release108")
    known = [gene(row["id"], version=row["version"]) for row in theirs]
    body = {"id": [row["id"] for row in theirs]}

    ours = told("/archive/id", EnsemblStandIn(genes(*known)), posted=body)

    assert ours == [{**row, "release": "113"} for row in theirs]


@needs_recordings
def test_a_species_is_as_recorded() -> None:
    for division, file in (
        ("EnsemblVertebrates", "bd9eab"),
        ("EnsemblProtists", "43fcb1"),
        ("EnsemblMetazoa", "a62029"),
    ):
        theirs = {row["name"]: row for row in recorded(f"info_species_species-{file}")["species"]}
        ours = told("/info/species", stand_ins(few_genes())[0], division=division)["species"]

        assert {row["name"] for row in ours} == set(theirs)
        assert all(row == theirs[row["name"]] for row in ours)


# lookup


def test_a_transcript_by_itself_is_expanded_too() -> None:
    record = told("/lookup/id/ENST00000000011", expand="1", mane="1")

    assert [exon["start"] for exon in record["Exon"]] == [500, 100]
    assert record["Translation"]["id"] == "ENSP00000000021"
    assert (record["Parent"], record["is_canonical"], record["length"]) == ("ENSG00000000001", 1, 502)
    assert [(one["refseq_match"], one["type"]) for one in record["MANE"]] == [("NM_000001.5", "MANE_Select")]


def test_mane_needs_expand_and_is_empty_for_other_transcripts() -> None:
    plain = told("/lookup/id/ENSG00000000001", mane="1")
    expanded = told("/lookup/id/ENSG00000000001", expand="1", mane="1")

    assert "Transcript" not in plain
    assert "MANE" not in plain
    kinds = [[one["type"] for one in row["MANE"]] for row in expanded["Transcript"]]
    assert kinds == [["MANE_Select"], [], ["MANE_Plus_Clinical"]]
    assert "MANE" not in told("/lookup/id/ENSG00000000001", expand="1")["Transcript"][0]


def test_a_translation_is_not_expanded() -> None:
    assert refusal("/lookup/id/ENSP00000000021", expand="1") == (
        "Expand option only available for Genes and Transcripts"
    )
    assert told("/lookup/id", posted={"ids": ["ENSP00000000021"], "expand": 1}) == {"ENSP00000000021": None}


def test_what_is_not_known_is_left_out_and_a_place_that_is_not_known_is_plainly_made_up() -> None:
    assert told("/lookup/id/ENSG00000000009") == {
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
    record = told("/lookup/id/ENSG00000000001", format="condensed")

    assert set(record) == {"id", "species", "object_type", "db_type", "version"}
    assert refusal("/lookup/id/ENSG00000000001", format="short") == ("The format 'short' is not an understood encoding")


def test_the_current_version_is_found_and_repeated_and_no_other() -> None:
    assert told("/lookup/id/ENSG00000000001.7")["id"] == "ENSG00000000001.7"
    assert told("/lookup/id/ENSP00000000021.4")["id"] == "ENSP00000000021.4"
    assert refusal("/lookup/id/ENSG00000000001.6") == "ID 'ENSG00000000001.6' not found"


def test_an_id_with_dots_of_its_own_is_found() -> None:
    assert told("/lookup/id/Y74C9A.2a.1")["object_type"] == "Transcript"
    assert told("/lookup/id/Y74C9A.2a.1.1")["version"] == 1
    assert refusal("/lookup/id/Y74C9A.2a.1.2") == "ID 'Y74C9A.2a.1.2' not found"


def test_an_unknown_or_retired_id_is_not_found(subtests: pytest.Subtests) -> None:
    for ensembl_id in ["ENSG00000099999", "ENSG00000000005"]:
        with subtests.test(ensembl_id=ensembl_id):
            assert refusal(f"/lookup/id/{ensembl_id}") == f"ID '{ensembl_id}' not found"
            assert refusal(f"/xrefs/id/{ensembl_id}") == f"ID '{ensembl_id}' not found"


def test_what_the_request_says_of_the_id_has_to_be_so() -> None:
    found = {"species": "human", "object_type": "gene", "db_type": "core"}

    assert told("/lookup/id/ENSG00000000001", **found)["display_name"] == "AAA1"
    for name, value in (("species", "mouse"), ("object_type", "transcript"), ("db_type", "otherfeatures")):
        assert "not found" in refusal("/lookup/id/ENSG00000000001", **{name: value})


def test_a_batch_answers_null_for_what_there_is_not() -> None:
    document = told("/lookup/id", posted={"ids": ["ENSG00000000001", "ENSG00000099999", "ENST00000000012"]})

    assert list(document) == ["ENSG00000000001", "ENSG00000099999", "ENST00000000012"]
    assert document["ENSG00000099999"] is None
    assert document["ENST00000000012"]["object_type"] == "Transcript"


@pytest.mark.parametrize(
    ("path", "name"), [("/lookup/id", "ids"), ("/lookup/symbol/human", "symbols"), ("/archive/id", "id")]
)
def test_more_than_a_thousand_are_too_many(path: str, name: str) -> None:
    assert refusal(path, posted={name: ["x"] * 1001}) == (
        "POST message too large. You have submitted 1001 elements but a limit of 1000 is in place."
        " Request smaller regions or lists of IDs"
    )


def test_a_thousand_are_not_too_many() -> None:
    assert set(told("/lookup/id", posted={"ids": [f"ENSG{number}" for number in range(1000)]}).values()) == {None}


def test_a_body_in_another_form_is_refused(subtests: pytest.Subtests) -> None:
    for posted in [b"ids=1", b"[]", {"id": ["x"]}, {"ids": "x"}, {"ids": [1]}, {"ids": [], "x": 1}]:
        with subtests.test(posted=posted):
            assert refusal("/lookup/id", posted=posted)


def test_a_bad_switch_is_refused_in_a_batch_too() -> None:
    assert "expand" in refusal("/lookup/id", posted={"ids": ["ENSG00000000001"], "expand": "yes"})


def test_a_symbol_is_found_in_any_case_on_the_reference_first() -> None:
    assert told("/lookup/symbol/human/aaa1")["id"] == "ENSG00000000001"
    assert told("/lookup/symbol/Mouse/AAA1")["id"] == "ENSMUSG00000000001"


def test_a_synonym_is_no_symbol() -> None:
    assert refusal("/lookup/symbol/human/p99") == "No valid lookup found for symbol p99"
    assert told("/lookup/symbol/human", posted={"symbols": ["p99"]}) == {}


def test_an_absent_symbol_is_refused_in_the_recorded_words() -> None:
    reply = EnsemblStandIn(genes()).reply(ServiceRequest("GET", "/lookup/symbol/homo_sapiens/BR", ()))

    assert reply.body == recording("ensembl/http400_lookup_symbol_homo_sapiens_BR.json")
    assert reply.status == 400


def test_a_species_goes_by_any_of_its_aliases(subtests: pytest.Subtests) -> None:
    for path in ["/lookup/symbol/{}/AAA1", "/xrefs/symbol/{}/AAA1"]:
        with subtests.test(path=path):
            assert asked(path.format("9606"))[0] == asked(path.format("Homo sapiens"))[0] == 200
            assert refusal(path.format("unicorn")) == "Can not find internal name for species 'unicorn'"
