"""A pause of a service is reported at once to every call that waits for it, at any stage, with what is left of it."""

import pytest

from biofact import EnsemblClient
from biofact.core.errors import RateLimited, RetryAfter
from biofact.core.settings import Settings
from biofact.sandbox import Fault
from biofact.transport.stack import Transport
from tests import virtual_time
from tests.in_process import in_process
from tests.virtual_time import now

pytestmark = pytest.mark.quick


@pytest.mark.parametrize("connect_seconds", [0.0, 3.0])
def test_a_gene_whose_parallel_request_is_limited_is_refused_with_the_pause(tmp_path, connect_seconds):
    async def test():
        async with in_process() as (sandbox, network):
            settings = Settings({**sandbox.environment(), "BIOFACT_CACHE_DIR": str(tmp_path)})
            async with Transport(settings, timing=virtual_time.timing(), wire=network) as transport:
                sandbox.faults.set(
                    Fault("status", service="ensembl", status=429, headers={"Retry-After": "40"}, times=1)
                )
                network.set_connect_seconds(lambda: connect_seconds)
                with pytest.raises(RateLimited) as refusal:
                    await EnsemblClient(transport).get_gene("ENSG00000141510")
                return now(), refusal.value, len(sandbox.requests)

    seconds, error, count = virtual_time.run(test())

    assert (error.message, error.recovery) == ("Ensembl REST asked us to slow down.", RetryAfter(40))
    assert (seconds, count) == (connect_seconds, 1)
