"""From the words of a tool's command to its run: what is wrong with them is said before anything is asked."""

import asyncio
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from biofact.core.tool import ToolSpec
from biofact.interfaces.cli import arguments, targets
from biofact.interfaces.sandbox_option import SandboxOption
from biofact.interfaces.spelling import Spelling, command

if TYPE_CHECKING:
    from biofact.interfaces.cli.tool_command import ToolCommand


def has_pages(spec: ToolSpec) -> bool:
    """Whether its list goes on behind a cursor."""
    return any(parameter.name == "cursor" for parameter in spec.parameters)


def run_tool(spec: ToolSpec, given: Mapping[str, Any], options: Mapping[str, Any], spelling: Spelling) -> int:
    """Ask what the words of a tool's command ask for; the exit code.

    Raises:
        WrongUsage: the words or options do not fit.
        FileNotWritten: there is no place for the answer.
    """
    run = tool_command(spec, arguments.parse_words(spec, given), options, spelling)
    return asyncio.run(_run(run, options["sandbox"] or False))


def tool_command(
    spec: ToolSpec, values: Mapping[str, Any], options: Mapping[str, Any], spelling: Spelling
) -> "ToolCommand":
    """The run that the arguments of a tool's command ask for; raises as ``run_tool`` does for its options."""
    # Help needs none of them.
    from biofact.interfaces.cli import cells, questions  # noqa: PLC0415
    from biofact.interfaces.cli.tool_command import ToolCommand  # noqa: PLC0415

    column = arguments.entities_parameter(spec)
    input_count = len(values[column.name]) if column is not None else 0
    layout = cells.ToolLayout.of(spec, values, has_input=column is not None, input_count=input_count)
    target = targets.target(options, layout.names, command(spec.ref))
    reads_all_pages = bool(options.get("all"))
    if reads_all_pages:
        values = questions.with_largest_pages(spec, values)
    asked = questions.questions(spec, values)
    is_forgotten = options["sandbox"] is True
    return ToolCommand(spec, asked, layout, target, spelling, reads_all_pages, is_forgotten)


async def _run(run: "ToolCommand", sandbox: SandboxOption) -> int:
    from biofact.interfaces.clients import opened  # noqa: PLC0415

    async with opened(sandbox=sandbox) as clients:
        return await run.run(clients)
