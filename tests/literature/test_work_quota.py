"""Long calls of the pipeline count as the several calls that their work would fill."""

import pytest

from biofact.core.call import Caller, on_behalf_of
from biofact.core.errors import RateLimited
from biofact.core.settings import Settings
from biofact.gateway.quotas import CallerQuotas
from biofact.literature.pipeline import CHARACTERS_A_CALL, ITEMS_A_CALL
from biofact.transport.quotas import CALLS
from tests import virtual_time
from tests.sandboxed import sandboxed

pytestmark = pytest.mark.quick

SCHEMA = {"sample_size": "number"}


def article(number, characters=100):
    return {"id": f"X:{number}", "title": "A trial", "abstract": "word " * (characters // 5)}


def charged(ask, wait=0.0):
    """The amounts that a call of the pipeline is charged with; each answer is ``wait``."""
    charges = []

    async def charge(one_charge):
        charges.append(one_charge.amount)
        return wait

    async def scenario():
        async with sandboxed("literature") as (pipeline, _):
            pipeline.transport.quotas = CallerQuotas(Settings({CALLS.setting.name: "100"}), charge)
            with on_behalf_of(Caller(subject="somebody")):
                await ask(pipeline)
        return charges

    return virtual_time.run(scenario())


def extract(articles):
    return lambda pipeline: pipeline.pubmed_extract_features(SCHEMA, articles)


def score(count):
    rows = [{"item_id": f"PMID:{n}", "extraction": {"sample_size": n}} for n in range(1, count + 1)]
    return lambda pipeline: pipeline.pubmed_score_articles({"weights": {"sample_size": 1.0}}, rows)


def test_short_calls_count_as_one():
    assert charged(extract([article(1)])) == []
    assert charged(score(ITEMS_A_CALL - 1)) == []


def test_articles_and_characters_count():
    assert charged(extract([article(n) for n in range(2 * ITEMS_A_CALL)])) == [2]
    assert charged(extract([article(1, CHARACTERS_A_CALL)])) == [1]
    assert charged(score(4 * ITEMS_A_CALL)) == [4]


def test_work_beyond_the_quota_is_refused():
    with pytest.raises(RateLimited, match="quota of calls"):
        charged(score(4 * ITEMS_A_CALL), wait=30.0)
