"""What every blocking client inherits."""

import functools
import inspect
from collections.abc import Callable
from types import TracebackType
from typing import Any, ClassVar, Self

from biofact.protocol.client import LifeSciencesClient
from biofact.transport import background
from biofact.transport.background import wait_for
from biofact.transport.stack import Transport


class BlockingClient:
    """A database that can be asked without ``await``. Usable alone, as ``with EntrezClient() as entrez:``.

    Any number of threads may share one client: what they ask at the same time joins into few requests.
    """

    _asynchronous: ClassVar[type[LifeSciencesClient]]
    _client: LifeSciencesClient

    def __init_subclass__(cls) -> None:
        """Take the other names of arguments, too, as the methods that are waited for do."""
        for name, method in list(vars(cls).items()):
            if inspect.isfunction(method) and inspect.iscoroutinefunction(getattr(cls._asynchronous, name, None)):
                setattr(cls, name, _with_other_names(method))

    def __init__(self, transport: Transport | None = None) -> None:
        """Without a transport the client makes the default one, and closes it."""
        self._client = self._asynchronous(transport)
        background.close_at_exit(self._client, self)

    @property
    def transport(self) -> Transport:
        """What it asks with; other clients may share it."""
        return self._client.transport

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, error_type: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None
    ) -> None:
        self.close()

    def close(self) -> None:
        """Close the transport, if it is this client's own."""
        background.close(self._client)


def _with_other_names(method: Callable[..., Any]) -> Callable[..., Any]:
    parameters = inspect.signature(method).parameters

    @functools.wraps(method)
    def asked(client: BlockingClient, *args: Any, **kwargs: Any) -> Any:
        if kwargs.keys() <= parameters.keys():
            return method(client, *args, **kwargs)
        return wait_for(getattr(client._client, method.__name__)(*args, **kwargs))  # our own

    return asked
