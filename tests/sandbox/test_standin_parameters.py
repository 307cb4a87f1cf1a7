"""Parameters of requests to a stand-in, and refusals of them."""

import json
from functools import partial

import pytest

from biofact.sandbox.standin import Refusal, ServiceRequest, check_parameters, json_refusal, whole_number

pytestmark = pytest.mark.quick


def refusal_of(check):
    with pytest.raises(Refusal) as raises:
        check()
    reply = raises.value.reply
    return reply.status, json.loads(reply.body), reply.unknown_parameters


def test_an_unknown_parameter_of_an_endpoint_is_refused_and_named():
    request = ServiceRequest("GET", "/search", (("query", "x"), ("sort", "y")))

    check_parameters(request, ("query", "sort"))
    message = "/search has no parameter sort; the real service would ignore it."
    expected = (400, {"error": message}, frozenset({"sort"}))
    assert refusal_of(lambda: check_parameters(request, ("query",))) == expected


def test_a_number_out_of_range_is_refused(subtests):
    for value in ["-1", "11", "x", "", "1.0", "9" * 5000, "\u0661"]:
        with subtests.test(value=value):
            request = ServiceRequest("GET", "/search", (("limit", value),))

            status, body, _ = refusal_of(partial(whole_number, request, "limit", 5, range(11)))
            assert (status, body) == (400, {"error": f"limit is a number from 0 to 10, not {value!r:.40}."})


def test_a_number_that_is_not_given_is_the_usual_one():
    assert whole_number(ServiceRequest("GET", "/search", ()), "limit", 5, range(11)) == 5


def test_a_refusal_has_the_status_it_is_given():
    assert json_refusal("gone", status=404).reply.status == 404
