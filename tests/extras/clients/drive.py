"""A Python client of either major version asks a server: ``drive.py SERVER CALLS``, both as JSON.

SERVER has a ``command``, or a ``url`` with a ``token``, or with a user to ``signIn`` and an ``issuer``. Prints the
number of tools, the result or exception of each call as the host gets it, and the refusals over HTTP.
"""

import asyncio
import json
import os
import sys
from contextlib import asynccontextmanager

from mcp import ClientSession, StdioServerParameters
from mcp.client import streamable_http
from mcp.client.stdio import stdio_client

http = getattr(streamable_http, "httpx2", None) or streamable_http.httpx  # of version 2, or 1


async def main(server, calls):
    report = {"refusals": []}
    try:
        await ask(server, calls, report)
    except Exception as error:  # noqa: BLE001  # whatever it is, the test shows it
        report["thrown"] = repr(error)
    sys.stdout.write(json.dumps(report))


async def ask(server, calls, report):
    async with transport(server, report["refusals"]) as streams, ClientSession(*streams[:2]) as client:
        await client.initialize()
        report["tools"] = len((await client.list_tools()).tools)
        report["answers"] = []
        for name, arguments in calls:
            report["answers"].append(await answer(client, name, arguments))


@asynccontextmanager
async def transport(server, refusals):
    if "command" in server:
        command, *arguments = server["command"]
        async with stdio_client(
            StdioServerParameters(command=command, args=arguments, env=dict(os.environ))
        ) as streams:
            yield streams
        return

    async def watch(response):
        challenge = response.headers.get("www-authenticate")
        if str(response.request.url) == server["url"] and challenge is not None:
            refusals.append({"status": response.status_code, "challenge": challenge})

    headers = {"Authorization": f"Bearer {server['token']}"} if "token" in server else {}
    auth = signing_in(server) if "signIn" in server else None
    wire = http.AsyncClient(headers=headers, auth=auth, event_hooks={"response": [watch]}, timeout=60.0)
    async with wire, streamable_http.streamable_http_client(server["url"], http_client=wire) as streams:
        yield streams


def signing_in(server):
    import sign_in  # noqa: PLC0415  # beside this file

    return sign_in.provider(server["signIn"], server["url"], server["issuer"], http)


async def answer(client, name, arguments):
    try:
        return (await client.call_tool(name, arguments)).model_dump(mode="json", by_alias=True, exclude_none=True)
    except Exception as error:  # noqa: BLE001  # whatever it is, the test shows it
        return {"thrown": repr(error)}


asyncio.run(main(*map(json.loads, sys.argv[1:])))
