"""IDs of no gene or of something else, and the meaning of Ensembl's failures."""

import json

import pytest

from biofact.core.errors import CallTool, ToolRef, UpstreamError
from biofact.sources.ensembl import parse, resolver
from biofact.sources.ensembl.service import is_about_species, judge
from biofact.transport.service import Answer, Transient
from tests.each_of import each_of
from tests.recordings import recording
from tests.sources.ensembl.test_lies import BRCA1_ROW

pytestmark = pytest.mark.quick

GET_GENE = ToolRef("ensembl", "get_gene")
GET_TRANSCRIPT = ToolRef("ensembl", "get_transcript")
SEARCH = ToolRef("ensembl", "search_genes")
TP53 = "ENSG00000141510"


def answer(body: bytes | str, status: int = 200) -> Answer:
    return Answer(status, {}, body.encode() if isinstance(body, str) else body, "https://rest.ensembl.org/")


def error(words: str) -> str:
    return json.dumps({"error": words})


# Statuses and texts as UPSTREAMS 3.1 has them; 408, 429, 5xx and web pages the transport knows without asking.
ABSENT = [
    error(f"ID '{TP53}' not found"),
    error("No valid lookup found for symbol BR"),
    error("No valid lookup found for ID ENSG00000000000"),
    error("No object found for ID ENSG00000000000"),
    '\n { "error" : "ID\\n\'ENSG00000000000\' not  found" }\n',
]
FAILED = [
    error("something bad has happened"),
    error("Unknown backend error"),
    error("Something Bad Has Happened"),
    error("the request timed out"),
]
BAD_SPECIES = [
    error("Do not know anything about the species unicorn (and core database)"),
    error("Can not find internal name for species 'unicorn'"),
]
BAD_SPECIESS = [
    *BAD_SPECIES,
    error("POST message too large. You have submitted 1001 elements but a limit of 1000 is in place."),
    error("Bad ID list"),
]
LIMITED = [error("You have exceeded your rate limit"), error("Too many requests"), error("API rate limit exceeded")]
NO_JSON = [
    *("", "IP blacklisted", "Bad Request", '{"error":"cut', "[]"),
    "<html><body>Bad Request</body></html>",
    '<?xml version="1.0"?><error>bad</error>',
]


@each_of("body", ABSENT)
def test_that_there_is_no_such_thing_is_a_good_answer(body):
    assert judge(answer(body, 400)) == "good"


def test_the_recorded_refusal_of_an_unknown_symbol_is_a_good_answer():
    assert judge(answer(recording("ensembl/http400_lookup_symbol_homo_sapiens_BR.json"), 400)) == "good"


@each_of("body", FAILED)
def test_a_failure_disguised_as_a_bad_request_may_pass(body):
    assert judge(answer(body, 400)) == "transient"
    assert judge(answer(body, 200)) == "transient"


@each_of("body", BAD_SPECIESS)
def test_a_bad_request_stays_one(body):
    assert judge(answer(body, 400)) == "refused"


@each_of("status", [200, 400, 403])
@each_of("body", LIMITED)
def test_the_words_of_a_rate_limit_count_under_any_status(body, status):
    assert judge(answer(body, status)) == "limited"


@each_of("body", NO_JSON)
def test_a_bad_request_that_is_no_json_comes_from_a_server_in_between(body):
    assert judge(answer(body, 400)) == "transient"


@each_of(
    ("status", "body"),
    [
        (403, "IP blacklisted"),
        (404, error("page not found. Please check your uri and refer to our documentation")),
        (415, ""),
        (404, error(f"ID '{TP53}' not found")),  # Ensembl says this with 400; a 404 is a wrong path
    ],
)
def test_other_statuses_are_refusals(status, body):
    assert judge(answer(body, status)) == "refused"


@each_of("body", ["[]", "{}", '{"hitCount":0,"entries":[]}', "null", '{"ENSG1":null}', '{"id":"cut'])
def test_data_are_a_good_answer_even_when_only_their_head_is_there(body):
    assert judge(answer(body, 200)) == "good"


@each_of("body", BAD_SPECIES)
def test_an_error_about_the_species_is_recognized(body):
    assert is_about_species(json.loads(body)["error"])
    assert not is_about_species("No valid lookup found for symbol BR")


def test_an_unknown_symbol_is_an_empty_search_and_never_that_of_another():
    body = error("No valid lookup found for symbol BR").encode()

    assert parse.with_symbols(["BR"], body).items == []
    with pytest.raises(UpstreamError) as nonsense:
        parse.with_symbols(["TP53"], body)
    assert nonsense.value.message == "Ensembl was asked for TP53 and answered: No valid lookup found for symbol BR"


def test_genes_by_symbols_that_were_not_asked_for_are_no_answer():
    body = json.dumps({"BRCA1": BRCA1_ROW}).encode()

    assert [gene.id for gene in parse.with_symbols(["BR", "BRCA1"], body).items] == ["ENSG00000012048"]
    with pytest.raises(Transient):
        parse.with_symbols(["BR"], body)


def test_a_gene_with_another_symbol_than_requested_is_ignored():
    assert parse.with_symbols(["TP53"], json.dumps({"TP53": BRCA1_ROW}).encode()).items == []
    assert parse.with_symbols(["brca-1"], json.dumps({"brca-1": BRCA1_ROW}).encode()).items[0].symbol == "BRCA1"


def archived(**fields):
    answer = {"id": TP53, "version": "18", "latest": f"{TP53}.18", "type": "Gene", "is_current": "", "release": "98"}
    return parse.archived(TP53, json.dumps({**answer, "possible_replacement": [], **fields}).encode())


def replacements(*scored_rows):
    return [{"stable_id": stable_id, "score": score} for stable_id, score in scored_rows]


@each_of(("answer", "is_current"), [("1", True), (1, True), ("", False), ("0", False), (0, False), (None, False)])
def test_an_id_is_current_when_the_archive_says_one(answer, is_current):
    assert archived(is_current=answer).is_current is is_current


@each_of(
    "odd",
    [
        {"possible_replacement": None},
        {"possible_replacement": "ENSG1"},
        {"possible_replacement": [{"id": "ENSG00000000002", "score": 1}]},
        {"is_current": "perhaps"},
    ],
)
def test_an_archive_that_does_not_say_what_replaced_an_id_is_asked_again(odd):
    with pytest.raises(Transient):
        archived(**odd)


def test_replacements_come_with_their_scores_the_best_first_and_never_the_id_itself():
    answer = replacements(("ENSG00000000003", 0.5), (f"{TP53}.17", 1), ("ENSG00000000002.4", "0.9"), ("ENSG4", None))

    assert archived(possible_replacement=answer).replacements == (
        ("ENSG00000000002", 0.9),
        ("ENSG00000000003", 0.5),
        ("ENSG4", 0.0),
    )


@each_of("words", [f"No object found for ID {TP53}", f"ID '{TP53}' not found"])
def test_an_id_outside_of_the_archive_never_existed(words):
    assert parse.archived(TP53, error(words).encode()) is None


def test_an_archive_that_speaks_of_another_id_or_of_nothing_is_nonsense():
    with pytest.raises(UpstreamError, match=TP53):
        parse.archived(TP53, error("No object found for ID ENSG00000000002").encode())
    with pytest.raises(UpstreamError, match="'id'"):
        parse.archived(TP53, b'{"type":"Gene"}')
    with pytest.raises(Transient):
        parse.archived(TP53, error("something bad has happened").encode())


def test_an_id_that_never_was_sends_to_the_search():
    missing = resolver.UNKNOWN_ID("ENSG00000000000")

    assert missing.message == "Ensembl has no record ENSG00000000000, and its archive has none either."
    assert (missing.invalid_input, missing.recovery) == ("ENSG00000000000", None)
    assert str(SEARCH) in missing.hint


def test_an_id_that_nothing_replaced_says_when_it_went():
    missing = resolver.withdrawn(TP53, [TP53], archived(release=98))

    assert missing.message == f"{TP53} was withdrawn from Ensembl after release 98; nothing replaced it."
    assert (missing.invalid_input, missing.recovery) == (TP53, None)


def test_a_withdrawal_at_an_unknown_time_has_no_release():
    assert resolver.withdrawn(TP53, [TP53], archived(release=None)).message == (
        f"{TP53} was withdrawn from Ensembl; nothing replaced it."
    )


@each_of(
    ("kind", "tool", "parameter"),
    [("Gene", GET_GENE, "ensembl_id"), ("Transcript", GET_TRANSCRIPT, "transcript_id")],
)
def test_several_replacements_are_listed_with_scores_and_the_best_is_the_next_call(kind, tool, parameter):
    answer = replacements(("ENSX00000000002", 0.47), ("ENSX00000000003", 0.9))

    missing = resolver.withdrawn("ENSX9", ["ENSX9", TP53], archived(type=kind, possible_replacement=answer))

    assert "it may be any of: ENSX00000000003 (0.90), ENSX00000000002 (0.47)" in missing.message
    assert f"(ENSX9 > {TP53})" in missing.message
    assert missing.invalid_input == "ENSX9"
    assert missing.recovery == CallTool(tool, {parameter: "ENSX00000000003"})
    assert str(tool) in missing.hint


def test_replacements_that_run_in_a_circle_are_listed_step_by_step():
    missing = resolver.ENDLESS("A", steps="A > B > C")

    assert "circle" in missing.message
    assert "A > B > C" in missing.message
    assert missing.invalid_input == "A"


def test_a_record_of_another_id_or_version_says_whose_it_is():
    replacement = resolver.REPLACED(requested_id="A", current="B", score=0.937)
    other = resolver.OTHER_VERSION(requested_id="A.3", current=7)

    assert (replacement.code, replacement.message) == ("REPLACED", "A was replaced by B (mapping score 0.94 of 1).")
    assert (other.code, other.message) == ("REPLACED", "A.3 is not current; this is version 7.")
