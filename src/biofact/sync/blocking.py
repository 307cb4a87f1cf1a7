"""What every blocking client inherits."""

import functools
import inspect
from collections.abc import Callable
from types import FunctionType
from typing import Any, ClassVar, Self

from biofact.core.parameters import plain_signature
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
    _siblings: object = None
    """The clients that it was opened with, which live as long."""

    def __init_subclass__(cls) -> None:
        """Give each method the docstring of the asynchronous one, and the other names of arguments that it takes."""
        cls.__doc__ = cls._asynchronous.__doc__
        for name, method in list(vars(cls).items()):
            asynchronous = getattr(cls._asynchronous, name, None)
            if not inspect.isfunction(method) or asynchronous is None:
                continue
            method.__doc__ = asynchronous.__doc__
            method.__dict__["__signature__"] = plain_signature(inspect.signature(method))
            if inspect.iscoroutinefunction(asynchronous):
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

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Close the transport, if it is this client's own."""
        background.close(self._client)


def _with_other_names(method: FunctionType) -> Callable[..., Any]:
    code = method.__code__
    parameters = frozenset(code.co_varnames[: code.co_argcount + code.co_kwonlyargcount])

    @functools.wraps(method)
    def wait(client: BlockingClient, *args: Any, **kwargs: Any) -> Any:
        if kwargs.keys() <= parameters:
            return method(client, *args, **kwargs)
        return wait_for(getattr(client._client, method.__name__)(*args, **kwargs))  # our own

    return wait
