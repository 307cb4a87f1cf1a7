"""What every blocking client inherits."""

from types import TracebackType
from typing import ClassVar, Self

from biofact.protocol.client import LifeSciencesClient
from biofact.transport import background
from biofact.transport.stack import Transport


class BlockingClient:
    """A database that can be asked without ``await``. Usable alone, as ``with EntrezClient() as entrez:``.

    Any number of threads may share one client: what they ask at the same time joins into few requests.
    """

    _asynchronous: ClassVar[type[LifeSciencesClient]]
    _client: LifeSciencesClient

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
