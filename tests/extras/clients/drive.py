"""A Python client of either major version asks a server: ``drive.py SERVER CALLS``, both as JSON.

Prints how many tools it lists and what it hands its host for each call: the result, or what it raises.
"""

import asyncio
import json
import os
import sys

from mcp import ClientSession, StdioServerParameters
from mcp.client.stdio import stdio_client
from mcp.client.streamable_http import streamable_http_client


async def main(server, calls):
    async with transport(server) as streams, ClientSession(*streams[:2]) as client:
        await client.initialize()
        tools = (await client.list_tools()).tools
        answers = [await answer(client, name, given) for name, given in calls]
    sys.stdout.write(json.dumps({"tools": len(tools), "answers": answers}))


def transport(server):
    if "url" in server:
        return streamable_http_client(server["url"])
    command, *arguments = server["command"]
    return stdio_client(StdioServerParameters(command=command, args=arguments, env=dict(os.environ)))


async def answer(client, name, given):
    try:
        return (await client.call_tool(name, given)).model_dump(mode="json", by_alias=True, exclude_none=True)
    except Exception as error:  # noqa: BLE001  # whatever it is, the test shows it
        return {"thrown": repr(error)}


asyncio.run(main(*map(json.loads, sys.argv[1:])))
