"""Questions too long for an address, in the form that each service accepts."""

import json
from dataclasses import replace
from urllib.parse import unquote

import httpx2
import pytest

from biofact.transport.service import Request
from tests.transport.scene import MAIL, TOY
from tests.transport.test_wire import sent_request

pytestmark = pytest.mark.quick


@pytest.mark.parametrize(("count", "method"), [(200, "GET"), (600, "POST")])
def test_a_query_too_long_for_an_address_goes_as_a_form(count, method):
    ids = ",".join(str(number) for number in range(100, 100 + count))

    request = sent_request(Request(replace(TOY, form_headers=()), "word", (("id", ids),)))

    params = request.url.params if method == "GET" else httpx2.QueryParams(request.content.decode())
    assert request.method == method
    assert (params["id"], params["tool"]) == (ids, "biofact")
    assert len(str(request.url)) < 2100


def test_a_service_without_forms_is_asked_in_its_address_at_any_length():
    request = sent_request(Request(TOY, "word", (("name", "é" * 300),)))
    assert (request.method, request.url.params["name"]) == ("GET", "é" * 300)


def test_a_long_question_sent_as_a_form_has_the_headers_that_the_service_requires():
    service = replace(TOY, form_headers=(("X-HTTP-Method-Override", "GET"),))
    ids = ",".join(["CHEMBL25"] * 300)

    long, short = (sent_request(Request(service, "word", (("id", text),))) for text in (ids, "CHEMBL25"))

    assert (long.method, long.headers["x-http-method-override"]) == ("POST", "GET")
    assert (short.method, "x-http-method-override" in short.headers) == ("GET", False)


def test_a_service_that_reads_pairs_gets_a_long_question_as_json():
    service = replace(TOY, form_headers=(("X-HTTP-Method-Override", "GET"),), reads_pairs=True)
    parameters = (("name", "5%, é"), ("name", "x" * 2000), ("limit", "20"))

    long, short = (sent_request(Request(service, "word", params)) for params in (parameters, parameters[:1]))

    assert (long.method, long.headers["x-http-method-override"]) == ("POST", "GET")
    assert long.headers["content-type"] == "application/json"
    pairs = [(name, unquote(value)) for name, value in json.loads(long.content)]
    assert pairs == [*parameters, ("tool", "biofact"), ("email", MAIL)]
    assert json.loads(long.content)[0] == ["name", "5%25%2C%20%C3%A9"]
    assert not long.url.query
    assert (short.method, short.url.params["name"]) == ("GET", "5%, é")
