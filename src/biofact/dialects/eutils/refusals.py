"""Errors for requests that NCBI refuses."""

from collections.abc import Iterator
from contextlib import contextmanager

from biofact.core.errors import BiofactError, UpstreamError
from biofact.dialects.eutils.errors import ErrorMessage, found_error
from biofact.dialects.eutils.service import NCBI
from biofact.transport.service import Refused


@contextmanager
def refusals_as_errors() -> Iterator[None]:
    """Raise a refusal within as the error that explains it."""
    try:
        yield
    except Refused as refused:
        raise refusal(refused) from refused


def refusal(refused: Refused) -> BiofactError:
    """The error for a refusal: NCBI's own message, and what can be done about it."""
    words = found_error(refused.answer.body) or ErrorMessage(f"HTTP {refused.answer.status}")
    if words.kind == "key" and NCBI.key is not None:
        return UpstreamError(
            f"NCBI does not accept the API key: {words}.",
            hint=f"Fix or unset {NCBI.key.name}; without a key, everything works at 3 requests a second.",
        )
    return UpstreamError(f"NCBI refused the request: {words}.", hint="Asking again will not help; report it.")
