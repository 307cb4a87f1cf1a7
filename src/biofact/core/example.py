"""What a source shows of each tool: the docs print these, the conformance suite runs them on the sandbox."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Literal

from biofact.core.errors import ErrorCode
from biofact.core.provenance import NoticeCode


@dataclass(frozen=True, slots=True)
class Example:
    """One call and its outcome on the starter facts."""

    tool: str
    """Method of the source's client."""
    arguments: Mapping[str, Any]
    outcome: Literal["found"] | ErrorCode = "found"
    shows: Mapping[str, Any] | None = None
    """Some fields of the answer, or of a list's first item, that the starter facts determine."""
    notices: tuple[NoticeCode, ...] = ()
    """Codes of notices that the answer carries."""
    is_from_service: bool = True
    """Whether a service is asked; what is declared here has no provenance."""
