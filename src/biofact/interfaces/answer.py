"""The answer to a call: its result as it goes onto the wire, or an envelope. Errors become envelopes here only."""

import logging
import traceback
from collections.abc import Awaitable, Callable, Coroutine, Mapping
from dataclasses import dataclass
from typing import Any

from biofact.core import events
from biofact.core.envelopes import ErrorEnvelope
from biofact.core.errors import BiofactError, ToolRef, UpstreamError
from biofact.core.events import DefectFound
from biofact.core.records import Result
from biofact.core.settings import Settings
from biofact.core.tool import ResourceContent
from biofact.interfaces import log_output, result_json, terminal
from biofact.interfaces.spelling import Spelling
from biofact.transport.service import redacted

PROVENANCE = "biofact/provenance"
"""Where an MCP answer says, in its ``_meta``, what its provenance is."""

log = logging.getLogger("biofact")


@dataclass(frozen=True, slots=True)
class ToolAnswer:
    """A tool's result or a resource's content, ready to be written."""

    body: result_json.Body
    """The result; of a resource what is to be said beside its content."""
    provenance: result_json.Body | None = None
    content: str | bytes = ""
    """What a resource holds, as it is."""
    is_failure: bool = False


AnswerFunction = Callable[[Mapping[str, object]], Coroutine[Any, Any, ToolAnswer]]
"""What answers a call with these arguments."""


async def tool_answer(
    call: Awaitable[Result], ref: ToolRef, spelling: Spelling, arguments: Mapping[str, object]
) -> ToolAnswer:
    """The answer to one call of a tool or resource with these arguments, whatever happens."""
    try:
        result = await call
        body = spelling.body(result_json.body(result))
    except BiofactError as error:
        return failure_answer(error, spelling)
    except Exception as defect:  # noqa: BLE001  # nothing but an envelope may leave
        return failure_answer(_defect_error(defect, f"Answering {ref}", arguments), spelling)
    provenance = None if result.provenance is None else result_json.body(result.provenance)
    return ToolAnswer(body, provenance, content=result.content if isinstance(result, ResourceContent) else "")


def failure_answer(error: BiofactError, spelling: Spelling) -> ToolAnswer:
    """A failure as its envelope."""
    return ToolAnswer(spelling.body(result_json.body(ErrorEnvelope.of(error))), is_failure=True)


def _defect_error(defect: Exception, what: str, arguments: Mapping[str, object]) -> UpstreamError:
    """The error for a defect of ours: the log gets the whole traceback without secrets, the caller only its kind."""
    trace = redacted("".join(traceback.format_exception(defect)), Settings())
    without_words = f"{what} hit a defect of biofact.\n{log_output.outline(defect)}"
    extra = {log_output.OUTLINE: terminal.plain(without_words)}
    log.error("%s hit a defect of biofact.\n%s", what, terminal.plain(trace), extra=extra)
    events.emit(DefectFound())
    return UpstreamError(
        f"{what} hit a defect of biofact: {type(defect).__name__}.",
        hint="Your question was not answered. Report this, with what biofact wrote on stderr.",
        invalid_input=dict(arguments),
    )
