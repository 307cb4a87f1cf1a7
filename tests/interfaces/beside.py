"""A sandbox beside the tests' own thread, for commands that run an event loop of their own."""

import asyncio
import contextlib
import threading
from collections.abc import Iterator

from biofact.sandbox import Sandbox


@contextlib.contextmanager
def running(sandbox: Sandbox) -> Iterator[Sandbox]:
    """The sandbox, as long as the block lasts."""
    loop = asyncio.new_event_loop()
    thread = threading.Thread(target=loop.run_forever)
    thread.start()
    try:
        asyncio.run_coroutine_threadsafe(sandbox.__aenter__(), loop).result()
        yield sandbox
        asyncio.run_coroutine_threadsafe(sandbox.__aexit__(), loop).result()
    finally:
        loop.call_soon_threadsafe(loop.stop)
        thread.join()
        loop.close()
