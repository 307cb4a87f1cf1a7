"""What becomes of a call: its result as it goes onto the wire, or an envelope. Errors become envelopes here only."""

import logging
import traceback
from collections.abc import Awaitable
from dataclasses import dataclass

from biofact.core.envelopes import ErrorEnvelope
from biofact.core.errors import BiofactError, ToolRef, UpstreamError
from biofact.core.provenance import Result
from biofact.core.settings import Settings
from biofact.interfaces import wire
from biofact.interfaces.spelling import Spelling
from biofact.transport.redaction import redacted

log = logging.getLogger("biofact")


@dataclass(frozen=True, slots=True)
class Answer:
    """What a tool said, ready to be written."""

    body: wire.Body
    provenance: wire.Body | None = None
    is_failure: bool = False


async def answered(call: Awaitable[Result], ref: ToolRef, spelling: Spelling) -> Answer:
    """The answer to one call of a tool, whatever happens."""
    try:
        result = await call
        body = spelling.body(wire.body(result))
    except BiofactError as error:
        return failed(error, spelling)
    except Exception as defect:  # noqa: BLE001  # nothing but an envelope may leave
        return failed(_told(defect, f"Answering {ref}"), spelling)
    return Answer(body, None if result.provenance is None else wire.body(result.provenance))


def failed(error: BiofactError, spelling: Spelling) -> Answer:
    """A failure as its envelope."""
    return Answer(spelling.body(wire.body(ErrorEnvelope.of(error))), is_failure=True)


def _told(defect: Exception, what: str) -> UpstreamError:
    """A defect of ours: the log gets the whole of it without secrets, the caller only its kind."""
    log.error(
        "%s met a defect of biofact.\n%s", what, redacted("".join(traceback.format_exception(defect)), Settings())
    )
    return UpstreamError(
        f"{what} met a defect of biofact: {type(defect).__name__}.",
        hint="Nothing is known about what you asked for. Report it, with what biofact wrote on stderr.",
    )
