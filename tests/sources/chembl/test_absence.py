"""IDs of no compound or of something else, and the meaning of ChEMBL's failures."""

import functools
import itertools
import json

import pytest

from biofact.core.errors import CallTool, EntityNotFound, ToolRef, UnresolvedEntity, UpstreamError
from biofact.sandbox import Fault
from biofact.sources.chembl import resolver
from biofact.sources.chembl.parse import IdStatus
from biofact.sources.chembl.service import CHEMBL, PDBE, UNICHEM, error_words, judge
from biofact.transport.service import Answer
from tests.sources.chembl.made_client import fixed_answer, run
from tests.sources.chembl.made_compounds import FACTS

pytestmark = pytest.mark.quick

GET = ToolRef("chembl", "get_compound")
ON_TARGET = ToolRef("chembl", "find_compounds_for_target")


def answer(body: bytes | str, status: int = 200) -> Answer:
    return Answer(status, {}, body.encode() if isinstance(body, str) else body, "https://www.ebi.ac.uk/chembl/api/data")


def error(words: str, name: str = "error_message") -> str:
    return json.dumps({name: words})


# Statuses and texts as UPSTREAMS 4.2 has them; 408, 429, 5xx and web pages the transport knows without asking.
FAILED = [
    error("Sorry, this request could not be processed. Please try again later."),
    error("the request timed out"),
    error("Search backend is down", "exception"),
    error("Service temporarily unavailable", "error"),
]
ERRORS = [
    error("Search query too short"),
    error("No search query provided"),
    error("Invalid limit 'x' provided. Please provide a positive integer."),
    error("The 'pref_nam' field is not a valid field name", "exception"),
]
LIMITED = [error("Rate limit exceeded"), error("Too many requests", "error"), error("Request was throttled.")]
NO_JSON = ["", "Bad Request", '{"error_message":"cut', "[]", "<response><error_message>bad</error_message></response>"]


def test_a_failure_may_pass_with_any_status(subtests):
    for status, body in itertools.product([200, 400], FAILED):
        with subtests.test(status=status, body=body):
            assert judge(answer(body, status)) == "transient"


def test_a_bad_request_stays_one(subtests):
    for body in ERRORS:
        with subtests.test(body=body):
            assert judge(answer(body, 400)) == "refused"


def test_an_error_under_a_good_status_is_no_data_and_may_pass(subtests):
    for body in ERRORS:
        with subtests.test(body=body):
            assert judge(answer(body, 200)) == "transient"


def test_the_words_of_a_rate_limit_count_under_any_status(subtests):
    for status, body in itertools.product([200, 400, 403], LIMITED):
        with subtests.test(status=status, body=body):
            assert judge(answer(body, status)) == "limited"


def test_a_bad_request_that_is_no_json_comes_from_a_server_in_between(subtests):
    for body in NO_JSON:
        with subtests.test(body=body):
            assert judge(answer(body, 400)) == "transient"


def test_a_404_is_a_refusal_with_any_body(subtests):
    for body in ["", "{}", error("Not found"), "Page not found"]:
        with subtests.test(body=body):
            assert judge(answer(body, 404)) == "refused"


def test_data_are_a_good_answer_even_when_only_their_head_is_there(subtests):
    for body in ['{"molecules":[]}', "{}", "[]", '{"molecules":[{"molecule_che', "null"]:
        with subtests.test(body=body):
            assert judge(answer(body)) == "good"


def test_the_three_services_are_judged_alike_and_have_budgets_of_their_own():
    services = (CHEMBL, UNICHEM, PDBE)

    assert [service.judge for service in services] == [judge] * 3
    assert {service.name: service.per_second for service in services} == {"chembl": 10.0, "unichem": 3.0, "pdbe": 5.0}


def test_the_words_of_an_error_are_read_in_one_line():
    assert error_words(b'{"error_message": " too \\n short "}') == "too short"
    assert error_words(b'{"error_message": "", "exception": "away"}') == "away"
    assert error_words(b'{"molecules": []}') is None
    assert error_words(b"<html>") is None


# The kinds of records that IDs belong to


def test_an_id_that_never_was_sends_to_the_search():
    missing = resolver.no_compound("CHEMBL:99", None)

    assert isinstance(missing, EntityNotFound)
    assert (missing.message, missing.invalid_input) == ("ChEMBL has no entry CHEMBL:99.", "CHEMBL:99")
    assert "chembl.search_compounds" in missing.hint


def test_a_withdrawn_compound_is_not_found_with_a_reason():
    missing = resolver.no_compound("CHEMBL:9", IdStatus("CHEMBL9", "COMPOUND", is_active=False))

    assert isinstance(missing, EntityNotFound)
    assert missing.message == "CHEMBL:9 was withdrawn from ChEMBL; nothing is known to replace it."


def test_a_compound_that_is_listed_but_not_sent_is_a_failure_and_no_absence():
    assert isinstance(resolver.no_compound("CHEMBL:9", IdStatus("CHEMBL9", "COMPOUND", is_active=True)), UpstreamError)
    assert isinstance(resolver.no_target("CHEMBL:9", IdStatus("CHEMBL9", "TARGET", is_active=True)), UpstreamError)


def test_a_target_in_place_of_a_compound_leads_to_the_tool_for_targets():
    no_compound = resolver.no_compound("CHEMBL:203", IdStatus("CHEMBL203", "TARGET", is_active=True))

    assert isinstance(no_compound, UnresolvedEntity)
    assert no_compound.message == "CHEMBL:203 is a ChEMBL target, not a compound."
    assert no_compound.recovery == CallTool(ON_TARGET, {"target_id": "CHEMBL:203"})


def test_a_compound_in_place_of_a_target_leads_to_the_tool_for_compounds():
    no_target = resolver.no_target("CHEMBL:25", IdStatus("CHEMBL25", "COMPOUND", is_active=True))

    assert no_target.message == "CHEMBL:25 is a ChEMBL compound, not a target."
    assert no_target.recovery == CallTool(GET, {"chembl_id": "CHEMBL:25"})


def test_a_record_that_no_tool_describes_is_named_without_a_recovery(subtests):
    for kind in ["ASSAY", "DOCUMENT", "CELL", "TISSUE"]:
        with subtests.test(kind=kind):
            for no_compound in (resolver.no_compound, resolver.no_target):
                error_ = no_compound("CHEMBL:7", IdStatus("CHEMBL7", kind, is_active=True))

                assert isinstance(error_, UnresolvedEntity)
                assert f"CHEMBL:7 is a ChEMBL {kind.lower()}" in error_.message
                assert error_.recovery is None


# On the sandbox


NO_COMPOUNDS = [
    ("CHEMBL:99999999", EntityNotFound, "has no entry"),
    ("CHEMBL:203", UnresolvedEntity, "is a ChEMBL target"),
    ("CHEMBL:100000", EntityNotFound, "withdrawn"),
    ("CHEMBL:1000000", UnresolvedEntity, "is a ChEMBL assay"),
    ("CHEMBL:1125500", UnresolvedEntity, "is a ChEMBL document"),
    ("CHEMBL:3307686", UnresolvedEntity, "is a ChEMBL cell"),
    ("CHEMBL:3638173", UnresolvedEntity, "is a ChEMBL tissue"),
]


@pytest.mark.parametrize(
    ("tool", "rows"),
    [
        ("get_compound", NO_COMPOUNDS),
        *((tool, NO_COMPOUNDS[:2]) for tool in ("get_bioactivities", "draw")),
        *(pytest.param(tool, NO_COMPOUNDS[2:], marks=pytest.mark.sweep) for tool in ("get_bioactivities", "draw")),
    ],
)
def test_every_tool_reports_the_kind_of_an_id_that_is_no_compound(tool, rows, subtests):
    for chembl_id, kind, words in rows:
        with subtests.test(chembl_id=chembl_id):
            with pytest.raises(kind, match=words) as raises:
                run(functools.partial(call_tool, tool, chembl_id))

            assert raises.value.invalid_input == chembl_id


async def call_tool(tool, chembl_id, chembl):
    return await getattr(chembl, tool)(chembl_id)


@pytest.mark.parametrize("chembl_id", ["CHEMBL:3705", "CHEMBL:884521", "CHEMBL:3307686"])
def test_an_id_that_is_no_target_is_named_in_the_error(chembl_id):
    with pytest.raises((UnresolvedEntity, UpstreamError), match=chembl_id):
        run(lambda chembl: chembl.find_compounds_for_target(chembl_id))


def test_absence_is_two_requests_and_the_second_time_none():
    async def call_twice(chembl):
        for _ in range(2):
            with pytest.raises(EntityNotFound):
                await chembl.get_compound("CHEMBL:99999999")

    assert [request.path for request in run(call_twice).requests] == [
        "/molecule/set/CHEMBL99999999.json",
        "/chembl_id_lookup/CHEMBL99999999.json",
    ]


def test_a_failed_look_up_is_never_not_found(subtests):
    for fault in [
        Fault("status", path="id_lookup", status=503, times=None),
        Fault("html", path="id_lookup", times=None),
        fixed_answer({"chembl_id": "CHEMBL1", "entity_type": "TARGET", "status": "ACTIVE"}, "id_lookup"),
        fixed_answer({}, "id_lookup"),
    ]:
        with subtests.test(fault=fault), pytest.raises(UpstreamError):
            run(lambda chembl: chembl.get_compound("CHEMBL:99"), fault, facts=FACTS)


def test_an_empty_404_of_the_look_up_means_that_there_is_no_such_id(subtests):
    for body, error in [
        (b"", EntityNotFound),
        (b'{"error_message":"no such thing"}', EntityNotFound),
        (b"{}", UpstreamError),
        (b"Page not found", UpstreamError),
    ]:
        with subtests.test(body=body):
            fault = Fault("status", path="id_lookup", status=404, body=body, times=None)

            with pytest.raises(error):
                run(lambda chembl: chembl.get_compound("CHEMBL:99"), fault, facts=FACTS)
