"""A caller's use of the host's model: reported tokens, else an estimate, until the quota is used up."""

import json
from contextlib import aclosing

import httpx2
import pytest

from biofact.core.call import Caller, on_behalf_of
from biofact.core.settings import Settings
from biofact.gateway.counts import MemoryCounts
from biofact.gateway.quotas import CallerQuotas
from biofact.literature.endpoint import ModelEndpoint
from biofact.literature.model import ModelFailed, ModelQuestion
from biofact.transport.quotas import MODEL_TOKENS
from tests import virtual_time
from tests.each_of import each_of
from tests.sandboxed import LIFE

pytestmark = pytest.mark.quick

QUESTION = ModelQuestion("Answer in one word.", "Which word? " * 20, {"type": "object"})


async def failure_of(model, subject):
    """The failure of a caller's question; None if it is answered."""
    with on_behalf_of(Caller(subject=subject)):
        try:
            await model.answer(QUESTION)
        except ModelFailed as failed:
            return failed
    return None


def questions(count, usage, *, content='{"a": 1}', subject="a" * 16):
    """The number of questions sent to a model that reports this usage, and the last failure."""
    sent_values = []

    def reply(request):
        sent_values.append(request)
        body = {"choices": [{"message": {"content": content}, "finish_reason": "stop"}], "usage": usage}
        return httpx2.Response(200, content=json.dumps(body))

    async def main():
        settings = Settings({"BIOFACT_LLM_BASE_URL": "http://127.0.0.1:1/v1", MODEL_TOKENS.setting.name: "100"})
        counts = MemoryCounts()

        async def charge(charge):
            return counts.charge(charge, virtual_time.wall_now())

        endpoint = ModelEndpoint(
            settings, timing=LIFE, network=httpx2.MockTransport(reply), quotas=CallerQuotas(settings, charge)
        )
        failure = None
        async with aclosing(endpoint) as model:
            for _ in range(count):
                failure = await failure_of(model, subject)
        return len(sent_values), failure

    return virtual_time.run(main())


def test_tokens_are_counted_until_they_are_used_up():
    sent_values, failure = questions(10, {"total_tokens": 40})

    assert sent_values == 3
    assert not failure.may_pass
    assert failure.reason.startswith("your quota of model tokens on this gateway is used up: 100 a day.")
    assert failure.limit.recovery.seconds > 22 * 3600


@each_of("usage", [None, {}, {"total_tokens": 0}])
def test_a_model_that_reports_no_tokens_is_counted_by_an_estimate(usage):
    sent_values, _ = questions(10, usage)

    assert sent_values == 2


def test_tokens_of_answers_that_cannot_be_used_count_too():
    assert questions(10, {"total_tokens": 40}, content="no JSON")[0] == 3


def test_a_caller_who_is_the_only_one_may_ask_without_end():
    assert questions(10, {"total_tokens": 40}, subject="") == (10, None)
