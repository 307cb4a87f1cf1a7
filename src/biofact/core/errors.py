"""Errors, one class per error code, with their recoveries.

    BiofactError
      + UnresolvedEntity       not an ID of the expected form: search first
      + EntityNotFound         a well-formed ID that names nothing (any more)
          + EntityRetired        it did once
      + AmbiguousQuery         an argument that cannot be understood
      + RateLimited            the service asked us to slow down, and the deadline is over; or a quota is used up
      + UpstreamError          the service failed, or answered nonsense
          + NoNetwork            no service can be reached from here
          + WrongSetting         a setting keeps them from being asked (library only)
          + ClientClosed         the client was closed under the call (library only)
      + InvalidCrossReference  a value that breaks its key's form (notices and batch entries only)

Texts name a tool by reference, as ``entrez.search_genes``; an interface respells it as its server does, and
``USE_SANDBOX`` as it is started there.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, ClassVar, Literal, Self

ErrorCode = Literal[
    "UNRESOLVED_ENTITY",
    "ENTITY_NOT_FOUND",
    "AMBIGUOUS_QUERY",
    "RATE_LIMITED",
    "UPSTREAM_ERROR",
    "INVALID_CROSS_REFERENCE",
]


@dataclass(frozen=True, slots=True)
class ToolRef:
    """A tool by source and method; reads ``entrez.search_genes`` until an interface respells it."""

    source: str
    method: str

    def __str__(self) -> str:
        return f"{self.source}.{self.method}"


@dataclass(frozen=True, slots=True)
class CallTool:
    """The one call that helps."""

    tool: ToolRef
    arguments: Mapping[str, object] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class RetryAfter:
    """The same call again, later."""

    seconds: float


Recovery = CallTool | RetryAfter


class BiofactError(Exception):
    """The base of all errors: the input, what was expected, and the next step."""

    code: ClassVar[ErrorCode]

    def __init__(
        self,
        message: str,
        *,
        hint: str,
        invalid_input: object = None,
        recovery: Recovery | None = None,
    ) -> None:
        super().__init__(message)
        self.message = message
        self.hint = hint
        self.invalid_input = invalid_input
        self.recovery = recovery

    def with_changes(self, **changes: Any) -> Self:
        """A copy with some of its attributes changed. The failure itself may be on its way to others, too."""
        copy = type(self).__new__(type(self), changes.get("message", self.message))
        copy.__dict__.update(self.__dict__ | changes)
        copy.__cause__ = self.__cause__
        return copy.with_traceback(self.__traceback__)


class UnresolvedEntity(BiofactError):
    """The input is not an ID of the one written form that the tool accepts."""

    code = "UNRESOLVED_ENTITY"


class EntityNotFound(BiofactError):
    """The ID is well-formed but names nothing, or nothing any more."""

    code = "ENTITY_NOT_FOUND"


class EntityRetired(EntityNotFound):
    """The ID named something once, and no one current record stands for it."""


class AmbiguousQuery(BiofactError):
    """An argument cannot be understood; the hint lists the valid values."""

    code = "AMBIGUOUS_QUERY"


class RateLimited(BiofactError):
    """The service asked us to slow down for longer than the call may take; or the caller's quota is used up."""

    code = "RATE_LIMITED"


class UpstreamError(BiofactError):
    """The service failed or answered nonsense; nothing is known about the entity."""

    code = "UPSTREAM_ERROR"


USE_SANDBOX = "use biofact.sandbox.Sandbox"
"""How to try without a network. An interface writes its own way in place of this, as it does with tools."""


class NoNetwork(UpstreamError):
    """There seems to be no network, or no way through its proxy. Nothing was asked."""

    def __init__(self, title: str, problem: str, *, hint: str, evidence: str = "") -> None:
        """``title`` is the service's, and so is the evidence; the problem is that of all services."""
        super().__init__(f"{title} was not asked: {problem}{f' ({evidence})' if evidence else ''}.", hint=hint)
        self.problem = problem


class WrongSetting(UpstreamError):
    """A setting cannot be used, so that no service may be asked. Nothing was asked."""


class ClientClosed(UpstreamError):
    """The client was closed while the call was under way."""

    def __init__(self) -> None:
        super().__init__(
            "The client was closed before the call was answered.", hint="Close it when its calls have ended."
        )


class InvalidCrossReference(BiofactError):
    """A cross-reference value breaks the form of its key."""

    code = "INVALID_CROSS_REFERENCE"
