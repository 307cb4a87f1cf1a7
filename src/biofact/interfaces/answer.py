"""The answer to a call: its result as it is sent, or an envelope. Errors become envelopes here only."""

import logging
import traceback
from collections.abc import Awaitable, Callable, Coroutine, Mapping
from dataclasses import dataclass
from typing import Any

from biofact.core import events
from biofact.core.envelopes import ErrorEnvelope
from biofact.core.errors import BiofactError, ToolRef, UpstreamError
from biofact.core.events import DefectFound
from biofact.core.records import Body, Result, flat_json
from biofact.core.settings import Settings
from biofact.core.tool import ResourceContent
from biofact.interfaces import log_output, terminal
from biofact.interfaces.spelling import Spelling
from biofact.transport.service import redacted

PROVENANCE = "biofact/provenance"
"""The key of the provenance in the ``_meta`` of an MCP answer."""

log = logging.getLogger("biofact")


@dataclass(frozen=True, slots=True)
class ToolAnswer:
    """A tool's result or a resource's content, ready to be sent."""

    body: Body
    """The result; for a resource its notices."""
    provenance: Body | None = None
    content: str | bytes = ""
    """The content of a resource, unchanged."""
    is_failure: bool = False


AnswerFunction = Callable[[Mapping[str, object]], Coroutine[Any, Any, ToolAnswer]]
"""Answers a call with these arguments."""


async def tool_answer(
    call: Awaitable[Result], ref: ToolRef, spelling: Spelling, arguments: Mapping[str, object]
) -> ToolAnswer:
    """The answer to one call of a tool or resource with these arguments; never raises."""
    try:
        result = await call
        body = spelling.body(flat_json(result))
    except BiofactError as error:
        return failure_answer(error, spelling)
    except Exception as defect:  # noqa: BLE001  # a caller gets an envelope for defects too
        return failure_answer(_defect_error(defect, f"Answering {ref}", arguments), spelling)
    provenance = None if result.provenance is None else flat_json(result.provenance)
    return ToolAnswer(body, provenance, content=result.content if isinstance(result, ResourceContent) else "")


def failure_answer(error: BiofactError, spelling: Spelling) -> ToolAnswer:
    """The envelope of a failure."""
    return ToolAnswer(spelling.body(flat_json(ErrorEnvelope.of(error))), is_failure=True)


def _defect_error(defect: Exception, action: str, arguments: Mapping[str, object]) -> UpstreamError:
    """The error for a defect of biofact: the log gets the traceback without secrets, the caller its class."""
    traceback_text = redacted("".join(traceback.format_exception(defect)), Settings())
    without_words = f"{action} hit a defect of biofact.\n{log_output.outline(defect)}"
    extra = {log_output.OUTLINE: terminal.plain(without_words)}
    log.error("%s hit a defect of biofact.\n%s", action, terminal.plain(traceback_text), extra=extra)
    events.emit(DefectFound())
    return UpstreamError(
        f"{action} hit a defect of biofact: {type(defect).__name__}.",
        hint="Your question was not answered. Report this, with what biofact wrote on stderr.",
        invalid_input=dict(arguments),
    )
