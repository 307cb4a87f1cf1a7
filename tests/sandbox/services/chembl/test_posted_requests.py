"""Requests as other clients of ChEMBL send them: filters in a POST, the form in a header, the API described."""

import json
from typing import Any
from urllib.parse import parse_qsl, quote, urlencode

import pytest

from biofact.sandbox.standin import Reply, ServiceRequest
from tests.sources.chembl.made_compounds import document, usual

pytestmark = pytest.mark.quick

OVERRIDE = {"x-http-method-override": "GET"}


def post(path: str, body: object, **headers: str) -> Reply:
    content = body if isinstance(body, bytes) else json.dumps(body).encode()
    reply = usual().reply(
        ServiceRequest("POST", path, (), content, {"content-type": "application/json", **OVERRIDE, **headers})
    )
    assert reply is not None
    return reply


def get(path: str, params: tuple[tuple[str, str], ...] = (), **headers: str) -> Reply:
    reply = usual().reply(ServiceRequest("GET", path, params, b"", headers))
    assert reply is not None
    return reply


def ids(reply: Reply) -> list[str]:
    return [row["molecule_chembl_id"] for row in document(reply)["molecules"]]


def test_the_filters_of_a_json_body_are_applied(subtests: pytest.Subtests) -> None:
    cases = [
        [["pref_name__iexact", "betamab"], ["limit", 20], ["offset", 0]],
        [["pref_name__iexact", "betamab"]],
        {"pref_name__iexact": "betamab", "limit": 1},
    ]
    for body in cases:
        with subtests.test(body=body):
            assert ids(post("/molecule.json", body)) == ids(get("/molecule.json", (("pref_name__iexact", "betamab"),)))
            assert len(ids(post("/molecule.json", body))) == 1


def test_a_string_is_percent_encoded_in_a_json_body_as_the_web_client_has_it() -> None:
    body = [["molecule_structures__canonical_smiles", quote("CCO.CS(=O)(=O)O")]]

    assert ids(post("/molecule.json", body)) == ["CHEMBL2"]


def test_lists_and_truth_values_are_as_in_a_query_string() -> None:
    body = [["molecule_chembl_id__in", ["CHEMBL3", "CHEMBL1"]], ["pref_name__isnull", False]]

    assert ids(post("/molecule.json", body)) == ["CHEMBL1", "CHEMBL3"]


def test_values_of_a_list_are_whole(subtests: pytest.Subtests) -> None:
    cases = [
        [["pref_name__in", "BETAMAB,NOBODY"], ["pref_name__in", "PRO-AAANOL"]],
        [["pref_name__in", ["BETAMAB,NOBODY", "PRO-AAANOL"]]],
    ]
    for body in cases:
        with subtests.test(body=body):
            assert ids(post("/molecule.json", body)) == ["CHEMBL10"]


def test_a_list_of_one_value_is_split_at_commas() -> None:
    assert ids(post("/molecule.json", [["pref_name__in", ["BETAMAB,PRO-AAANOL"]]])) == ["CHEMBL3", "CHEMBL10"]


def test_a_form_is_read_like_a_query() -> None:
    form = urlencode({"pref_name__iexact": "betamab"})
    # the sandbox's server has read the form's fields as parameters
    headers = {"content-type": "application/x-www-form-urlencoded", **OVERRIDE}
    reply = usual().reply(ServiceRequest("POST", "/molecule.json", tuple(parse_qsl(form)), form.encode(), headers))

    assert reply is not None
    assert len(ids(reply)) == 1


def test_a_search_can_be_posted() -> None:
    body = [["q", "aaanol"], ["limit", 1], ["offset", 1]]

    assert ids(post("/molecule/search.json", body)) == ["CHEMBL2"]


def test_paging_links_of_a_posted_list_hold_its_filters() -> None:
    meta = document(post("/molecule.json", [["max_phase__gte", 0], ["limit", 1]]))["page_meta"]

    assert "max_phase__gte=0" in meta["next"]


def test_a_body_that_is_no_list_of_filters_is_refused(subtests: pytest.Subtests) -> None:
    for body in [b"{", b"3", b'["a"]', b'[["a"]]']:
        with subtests.test(body=body):
            assert "body" in document(post("/molecule.json", body), 400)["error_message"]


def test_an_unknown_filter_in_a_body_is_refused_as_in_a_query() -> None:
    assert "flavour" in document(post("/molecule.json", [["flavour", "sweet"]]), 400)["error_message"]


def test_a_post_that_does_not_override_its_method_is_refused() -> None:
    reply = usual().reply(ServiceRequest("POST", "/molecule.json", (), b"[]", {"content-type": "application/json"}))

    assert "GET" in document(reply, 405)["error_message"]


def test_json_can_be_asked_for_by_the_accept_header(subtests: pytest.Subtests) -> None:
    for accept in ["application/json", "application/xml;q=0.5, application/json", "application/json, text/xml, */*"]:
        with subtests.test(accept=accept):
            assert document(get("/molecule/CHEMBL1", accept=accept))["molecule_chembl_id"] == "CHEMBL1"
            assert len(document(get("/molecule/set/CHEMBL1;CHEMBL3", accept=accept))["molecules"]) == 2


def test_xml_is_what_the_service_would_write_otherwise(subtests: pytest.Subtests) -> None:
    for accept in ["", "*/*", "text/xml, application/json;q=0.9", "application/json;q=0"]:
        with subtests.test(accept=accept):
            assert "format=json" in document(get("/molecule/CHEMBL1", accept=accept), 400)["error_message"]


def test_the_format_parameter_counts_more_than_the_header() -> None:
    document(get("/molecule/CHEMBL1", (("format", "xml"),), accept="application/json"), 400)
    document(get("/molecule/CHEMBL1", (("format", "json"),), accept="text/xml"))


def test_the_api_describes_every_resource_that_it_has() -> None:
    description: Any = document(get("/spore", host="127.0.0.1:8765", accept="*/*"))

    details = {
        method["resource_name"]: method["collection_name"]
        for name, method in description["methods"].items()
        if name.endswith("_dispatch_detail")
    }
    assert description["base_url"] == "http://127.0.0.1:8765/"
    assert details["molecule"] == "molecules"
    assert "GET_molecule_get_search" in description["methods"]
    assert "GET_target_get_search" in description["methods"]
    assert "GET_mechanism_get_search" not in description["methods"]
    for resource, plural in details.items():
        assert plural in document(get(f"/{resource}.json"))
