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
            hint=f"Correct the key or leave it out: without one, everything works at 3 requests a second. "
            f"It was sent with the call, or else it is the setting {service.key.name}.",
        )
    return UpstreamError(f"NCBI refused the request: {message}.", hint="Asking again will not help; report it.")
