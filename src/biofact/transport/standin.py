"""The other side of the wire: what a service's stand-in is asked and replies. The sandbox serves these."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Protocol

from biofact.transport.service import Service


@dataclass(frozen=True, slots=True)
class Ask:
    """A request as a stand-in sees it."""

    method: str
    path: str
    """Below the service's base URL, with a leading slash, such as ``/esearch.fcgi``."""
    params: tuple[tuple[str, str], ...]
    """Query and form fields in the order sent; a repeated name appears repeatedly."""
    body: bytes = b""

    def one(self, name: str, default: str = "") -> str:
        """The last value of a parameter."""
        return next((value for key, value in reversed(self.params) if key == name), default)

    def many(self, name: str) -> list[str]:
        """All values of a repeated parameter."""
        return [value for key, value in self.params if key == name]


@dataclass(frozen=True, slots=True)
class Reply:
    """What the stand-in answers."""

    body: bytes
    content_type: str
    status: int = 200
    headers: Mapping[str, str] = field(default_factory=dict)


class StandIn(Protocol):
    """One source's part of a service. Several sources may stand in for the same service, each for its part."""

    service: Service

    def reply(self, ask: Ask) -> Reply | None:
        """The reply in the service's own wire format; None when the question is another stand-in's."""
