"""The service's side of the wire: requests to a stand-in and its replies. The sandbox serves these."""

import re
from abc import ABC, abstractmethod
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Protocol, runtime_checkable

import orjson

from biofact.transport.service import Service


@dataclass(frozen=True, slots=True)
class ServiceRequest:
    """A request as a stand-in sees it."""

    method: str
    path: str
    """Below the service's base URL, with a leading slash, such as ``/esearch.fcgi``."""
    params: tuple[tuple[str, str], ...]
    """Query and form fields in the order sent; a repeated name appears repeatedly."""
    body: bytes = b""
    headers: Mapping[str, str] = field(default_factory=dict)
    """Names in lower case."""
    skipped: frozenset[str] = frozenset()
    """Parameters that were removed before; a stand-in that reads some from the body skips these there."""

    def remove_parameters(self, names: Iterable[str]) -> "ServiceRequest":
        """The same request without these parameters."""
        skipped = self.skipped | frozenset(names)
        return replace(self, params=tuple(pair for pair in self.params if pair[0] not in skipped), skipped=skipped)

    def value(self, name: str, default: str = "") -> str:
        """The last value of a parameter."""
        return next((value for key, value in reversed(self.params) if key == name), default)

    def values(self, name: str) -> list[str]:
        """All values of a repeated parameter."""
        return [value for key, value in self.params if key == name]

    @property
    def parameters(self) -> dict[str, list[str]]:
        """All values of every parameter."""
        return {name: self.values(name) for name, _ in self.params}

    @property
    def json_object(self) -> dict[str, Any] | None:
        """The JSON object in the body, or None if the body is something else."""
        try:
            document = orjson.loads(self.body)
        except orjson.JSONDecodeError:
            return None
        return document if isinstance(document, dict) else None


@dataclass(frozen=True, slots=True)
class Reply:
    """A stand-in's answer."""

    body: bytes | Iterator[bytes]
    """An iterator is sent piece by piece, so that a large body is never whole in memory."""
    content_type: str
    status: int = 200
    headers: Mapping[str, str] = field(default_factory=dict)
    unknown_parameters: frozenset[str] = frozenset()
    """Parameters that a refusal is about and the real service ignores. A lenient sandbox drops them and tries again."""


class Refusal(Exception):
    """The reply that ends a request early."""

    def __init__(self, reply: Reply) -> None:
        super().__init__(reply.body)
        self.reply = reply


def json_reply(document: object, *, status: int = 200) -> Reply:
    """``document`` as JSON."""
    return Reply(orjson.dumps(document), "application/json", status)


def json_refusal(message: str, *, status: int = 400) -> Refusal:
    """A refusal in the form of several services: an object whose ``error`` is the message."""
    return Refusal(json_reply({"error": message}, status=status))


def plain_path(path: str) -> str:
    """A path without the slash and the ``.json`` that may end it."""
    return path.removesuffix("/").removesuffix(".json")


def unknown_parameters(refusal: Refusal, names: Iterable[str]) -> Refusal:
    """A refusal marked as one of parameters that the real service would ignore."""
    return Refusal(replace(refusal.reply, unknown_parameters=frozenset(names)))


def check_parameters(request: ServiceRequest, allowed: Collection[str]) -> None:
    """Refuse parameters that the endpoint lacks.

    The real services ignore them, which hides a typo; the sandbox does not.

    Raises:
        Refusal: there is a parameter of another name.
    """
    if names := sorted({name for name, _ in request.params} - {*allowed}):
        raise ignored_parameters(request.path, names)


def ignored_parameters(path: str, names: Sequence[str]) -> Refusal:
    """The refusal of parameters that the real service would not even mention."""
    message = f"{path} has no parameter {', '.join(names)}; the real service would ignore it."
    return unknown_parameters(json_refusal(message), names)


def whole_number(request: ServiceRequest, name: str, default: int, valid: range) -> int:
    """The value of a parameter.

    Raises:
        Refusal: it is no whole number, or out of range.
    """
    text = request.value(name, str(default))
    if not re.fullmatch(r"\d{1,9}", text, re.ASCII) or int(text) not in valid:
        raise json_refusal(f"{name} is a number from {valid[0]} to {valid[-1]}, not {text!r:.40}.")
    return int(text)


class StandIn(Protocol):
    """One source's part of a service. Several sources may stand in for the same service, each for its part."""

    service: Service

    def reply(self, request: ServiceRequest) -> Reply | None:
        """The reply in the service's own wire format, or None if the request is another stand-in's."""


class RefusingStandIn(ABC):
    """A stand-in whose parts raise what the service would refuse."""

    def reply(self, request: ServiceRequest) -> Reply | None:
        """The reply in the service's wire format, refusals included, or None if the request is another stand-in's."""
        try:
            return self.answer(request)
        except Refusal as refusal:
            return refusal.reply

    @abstractmethod
    def answer(self, request: ServiceRequest) -> Reply | None:
        """The reply, or None if the request is another stand-in's.

        Raises:
            Refusal: the service refuses the request.
        """


@dataclass(frozen=True, slots=True)
class Admission:
    """Whether a request is let in, and the headers that show the limit on every answer."""

    refusal: Reply | None = None
    headers: dict[str, str] = field(default_factory=dict)


class Limit(Protocol):
    """A service's limit, as its own side counts it."""

    def admit(self, request: ServiceRequest, caller: str, now: float) -> Admission:
        """Count a request of ``caller`` at ``now``, in seconds, if it is let in."""


@runtime_checkable
class LimitedStandIn(Protocol):
    """A stand-in that knows the limit of its service."""

    def limit(self, factor: float) -> Limit:
        """The limit with no request counted; ``factor`` multiplies its rate."""
