"""Every failure echoes the caller's input, even if the service failed, and within batches."""

import pytest

from biofact.interfaces.spelling import prefixed
from biofact.sandbox import Fault
from tests.conformance.cases import THREE_TRIES, first_from_services
from tests.conformance.items import with_kinds
from tests.served import replies

pytestmark = pytest.mark.quick

FAULTS = {
    "UPSTREAM_ERROR": ("UPSTREAM_ERROR", Fault("status", status=503, times=None)),
    "RATE_LIMITED": ("RATE_LIMITED", Fault("status", status=429, headers={"Retry-After": "120"}, times=None)),
}
KNOWN_CASES = first_from_services()


@with_kinds(KNOWN_CASES, FAULTS, minimum=1, rest=pytest.mark.sweep)
def test_a_failure_of_the_service_echoes_the_input(case, failure):
    code, fault = failure

    (answer,) = replies((prefixed(case.spec.ref), case.arguments), timing=THREE_TRIES, faults=[fault])
    errors = [answer.body["error"]] if answer.is_failure else [item["error"] for item in answer.body["items"]]

    assert errors
    assert {error["code"] for error in errors} == {code}
    assert all(error["invalid_input"] not in (None, "") for error in errors)
