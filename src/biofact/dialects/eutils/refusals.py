"""Errors for requests that NCBI refuses."""

from biofact.core.errors import BiofactError, UpstreamError
from biofact.dialects.eutils.errors import ErrorMessage, found_error
from biofact.transport.service import Refused, Service


def refusal(service: Service, refused: Refused) -> BiofactError:
    """The error for a refusal: NCBI's own message, and what can be done about it."""
    message = found_error(refused.answer.body) or ErrorMessage(f"HTTP {refused.answer.status}")
    if message.kind == "key" and service.key is not None:
        return UpstreamError(
            f"NCBI does not accept the API key: {message}.",
            hint=f"Fix or unset {service.key.name}; without a key, everything works at 3 requests a second.",
        )
    return UpstreamError(f"NCBI refused the request: {message}.", hint="Asking again will not help; report it.")
