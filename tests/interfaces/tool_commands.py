"""Runs ``resolve`` or the command of a tool on a transport of the test's own, such as one in virtual time."""

from collections.abc import Mapping
from typing import Any

from biofact.core.tool import ToolSpec, spec_of
from biofact.interfaces import every_source
from biofact.interfaces.cli import resolve_command
from biofact.interfaces.cli.arguments import TypedSpelling
from biofact.interfaces.cli.inputs import Inputs, open_inputs
from biofact.interfaces.cli.resolve_command import Options
from biofact.interfaces.cli.tool_command import ToolCommand, tool_command
from biofact.interfaces.clients import Clients
from biofact.interfaces.spelling import command
from biofact.transport.stack import Transport

OPTIONS = ("format", "output", "columns", "provenance", "sandbox", "all")


def spec(source: str, method: str) -> ToolSpec:
    """The declaration of a tool."""
    return spec_of(every_source.client_class(source), method)


async def run_resolve(transport: Transport, *words: str, **typed: Any) -> int:
    """The exit code of ``biofact resolve`` with these words and options."""
    options = {**dict.fromkeys(OPTIONS), **typed}
    target, layout = resolve_command.choose_layout(options)
    with open_inputs(words, options) as inputs:
        command_options = Options(None, "human", target, layout=layout)
        return await resolve_command.write_rows(Clients(transport), inputs, command_options)


def tool_run(tool: ToolSpec, arguments: Mapping[str, Any], **options: Any) -> ToolCommand:
    """The run of a tool's command with these arguments and options."""
    spelling = TypedSpelling(every_source, command, parameters=tool.parameters)
    column = tool.entities
    inputs = Inputs.of(arguments[column.name] if column else ())
    return tool_command(tool, arguments, inputs, {**dict.fromkeys(OPTIONS), **options}, spelling)


async def run_tool(transport: Transport, tool: ToolSpec, arguments: Mapping[str, Any], **options: Any) -> int:
    """The exit code of such a run."""
    return await tool_run(tool, arguments, **options).run(Clients(transport))
