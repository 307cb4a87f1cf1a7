"""Asks a server as the client of an agent does."""

import json
from collections.abc import Iterable
from typing import Any

from fastmcp import Client, FastMCP
from mcp_types import CallToolResult

from tests import virtual_time

HANDSHAKE, MODERN = "legacy", "2026-07-28"
ERAS = (HANDSHAKE, MODERN)

Call = tuple[str, dict[str, Any]]


def list_tools(server: FastMCP[Any], era: str = MODERN) -> dict[str, dict[str, Any]]:
    """The tools on the wire, by name."""

    async def ask() -> dict[str, dict[str, Any]]:
        async with Client(server, mode=era) as client:
            return {tool.name: tool.model_dump(by_alias=True, exclude_none=True) for tool in await client.list_tools()}

    return virtual_time.run(ask())


def call_tools(server: FastMCP[Any], calls: Iterable[Call], era: str = MODERN) -> list[CallToolResult]:
    """The answers to some calls over one connection."""

    async def ask() -> list[CallToolResult]:
        async with Client(server, mode=era) as client:
            return [await client.call_tool_mcp(name, arguments) for name, arguments in calls]

    return virtual_time.run(ask())


def call(server: FastMCP[Any], name: str, **arguments: Any) -> dict[str, Any]:
    """The answer, after checking that its forms agree."""
    (result,) = call_tools(server, [(name, arguments)])
    return body(result)


def body(result: CallToolResult) -> dict[str, Any]:
    """The object in the only text block, compact JSON; structured content equals it, and a failure has none."""
    (block,) = result.content
    answer = json.loads(block.text)
    assert result.structured_content == (None if result.is_error else answer)
    assert block.text == json.dumps(answer, separators=(",", ":"), ensure_ascii=False)
    return answer


def nulls(answer: object, path: str = "") -> list[str]:
    """The paths of nulls, without the meaningful ones in pagination and echoes."""
    if answer is None:
        return [path]
    if isinstance(answer, dict):
        return [
            p for k, v in answer.items() if k not in {"pagination", "invalid_input"} for p in nulls(v, f"{path}/{k}")
        ]
    if isinstance(answer, list):
        return [p for place, item in enumerate(answer) for p in nulls(item, f"{path}/{place}")]
    return []
