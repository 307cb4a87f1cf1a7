"""From the arguments of a command to its run: what does not fit is said before anything is asked."""

import asyncio
from collections.abc import Mapping
from typing import Any

from biofact.core.tool import Declaration, ToolSpec, resources_of, spec_of
from biofact.interfaces.answer import ToolAnswer, tool_answer
from biofact.interfaces.cli import cells, files, output, progress, questions, targets
from biofact.interfaces.cli.arguments import entities_parameter
from biofact.interfaces.cli.tool_command import ToolCommand
from biofact.interfaces.clients import opened
from biofact.interfaces.listed_commands import ListedCommand
from biofact.interfaces.sandbox_option import SandboxOption
from biofact.interfaces.spelling import Catalog, Spelling, command


def run(
    listed: ListedCommand, catalog: Catalog, values: Mapping[str, Any], options: Mapping[str, Any], spelling: Spelling
) -> int:
    """Ask what the arguments and options of a command ask for; the exit code. Imports the command's source.

    Raises:
        WrongUsage: the options do not fit.
        FileNotWritten: there is no place for the answer.
    """
    client_class: Any = catalog.client_class(listed.ref.source)
    if listed.is_tool:
        spec = spec_of(client_class, listed.ref.method)
        return asyncio.run(_ask_tool(tool_command(spec, values, options, spelling), options["sandbox"] or False))
    resource = next(spec for spec in resources_of(client_class) if spec.ref == listed.ref)
    file = None if options["output"] is None else files.writable(options["output"])
    answer = asyncio.run(_read(resource, values, spelling, sandbox=options["sandbox"] or False))
    return output.save(answer, file, provenance=bool(options["provenance"]))


def tool_command(
    spec: ToolSpec, values: Mapping[str, Any], options: Mapping[str, Any], spelling: Spelling
) -> ToolCommand:
    """The run that the arguments of a tool's command ask for; raises as ``run`` does for its options."""
    column = entities_parameter(spec)
    input_count = len(values[column.name]) if column is not None else 0
    layout = cells.ToolLayout.of(spec, values, has_input=column is not None, input_count=input_count)
    target = targets.target(options, layout.names, command(spec.ref))
    reads_all_pages = bool(options.get("all"))
    if reads_all_pages:
        values = questions.with_largest_pages(spec, values)
    asked = questions.questions(spec, values)
    is_forgotten = options["sandbox"] is True
    return ToolCommand(spec, asked, layout, target, spelling, reads_all_pages, is_forgotten)


async def _ask_tool(run: ToolCommand, sandbox: SandboxOption) -> int:
    async with opened(sandbox=sandbox) as clients:
        return await run.run(clients)


async def _read(
    spec: Declaration, values: Mapping[str, object], spelling: Spelling, *, sandbox: SandboxOption
) -> ToolAnswer:
    async with opened(sandbox=sandbox) as clients, progress.shown(spelling.name(spec.ref)):
        return await tool_answer(spec.call(clients.of(spec.client_class), values), spec.ref, spelling, values)
