"""Answers of the server itself, where no call is made."""

import json
from typing import Any

from starlette.responses import Response

from biofact.interfaces.http.limits import RETRY_AFTER_SECONDS

SERVER_ERROR = -32000
"""JSON-RPC's code for errors of a server that it does not name itself."""


def error_message(message: str, request_id: object = None) -> dict[str, Any]:
    """An error as JSON-RPC has it; without the ID of the request where that was not read."""
    return {"jsonrpc": "2.0", "id": request_id, "error": {"code": SERVER_ERROR, "message": message}}


def refusal(status: int, message: str, request_id: object = None, **headers: str) -> Response:
    """An answer that refuses a request, as a status and as an error of JSON-RPC."""
    named = {name.replace("_", "-"): value for name, value in headers.items()}
    body = json.dumps(error_message(message, request_id))
    return Response(body, status, named, media_type="application/json")


def come_again(message: str, request_id: object = None) -> Response:
    """There is no room now."""
    return refusal(503, message, request_id, retry_after=str(RETRY_AFTER_SECONDS))
