"""A request that others can join lets the rest pass, but not until the time of those who wait for it is over."""

import asyncio
from dataclasses import replace

import httpx2

from biofact.core import call
from biofact.core.call import Caller
from biofact.core.errors import BiofactError
from biofact.core.settings import Settings
from biofact.transport.cache import CACHE_DIR
from biofact.transport.service import BatchCall, Batching, Request
from biofact.transport.stack import Transport
from tests import virtual_time
from tests.transport.scene import TOY, Lines, asked, lines
from tests.virtual_time import closed_at_end

SLOW = replace(TOY, per_second=10.0)
WORDS = Batching("word/1", 10, lambda ids: BatchCall(Request(SLOW, "/words", (("id", ",".join(ids)),)), Lines()))


async def _reply(request):
    await asyncio.sleep(0.3)
    return lines(asked(request)) if request.url.path.endswith("/words") else httpx2.Response(200, content=b"word")


def _opened(folder):
    settings = Settings({CACHE_DIR.name: str(folder)})
    network = httpx2.MockTransport(_reply)
    return closed_at_end(Transport(settings, timing=virtual_time.timing(), wire=network))


def test_a_lookup_at_the_end_of_its_call_does_not_wait_for_others_to_join(tmp_path):
    async def test():
        transport = _opened(tmp_path)
        lookups = transport.batched(WORDS)

        async def word(name, subject):
            with call.made_by(Caller(subject=subject)), call.opened():
                await transport.fetch(Request(SLOW, "/word", (("term", name),)), bytes.decode)

        async def late_lookup():
            """Of a call that has two seconds left."""
            with call.made_by(Caller(subject="late")), call.opened():
                await transport.fetch(Request(SLOW, "/word", (("term", "first"),)), bytes.decode)
                now, timing = transport.timing.clock(), transport.timing
                await asyncio.sleep(call.current().deadline - now - timing.join_seconds)
                return await lookups.get("second")

        late = asyncio.create_task(late_lookup())
        await asyncio.sleep(26.0)
        others = [asyncio.create_task(word(f"{subject}-{n}", f"s{subject}")) for subject in range(10) for n in range(9)]
        try:
            assert await late == b"body of second"
        finally:
            for task in others:
                task.cancel()
            outcomes = await asyncio.gather(*others, return_exceptions=True)

        assert not any(isinstance(outcome, BiofactError) for outcome in outcomes)

    virtual_time.run(test())
