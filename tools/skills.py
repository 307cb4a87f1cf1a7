"""Writes a skill of each journey, as ``skills/<name>/SKILL.md``; ``--check`` says what is stale.

The form is that of Agent Skills, the words are the journey's. Tools are named as the gateway names them; each call has
the command that does the same.
"""

import json
import re
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from biofact.core.errors import ToolRef
from biofact.interfaces import every_source
from biofact.interfaces.journey import FOLDER, Journey, JourneyArgument, fill
from biofact.interfaces.listing import ListedTool
from biofact.interfaces.spelling import Spelling, command, prefixed

ROOT = Path(__file__).parents[1]
GATEWAY = Spelling(every_source, prefixed)
_STEP = re.compile(r"^\d+\. .*(?:\n   .*)*", re.MULTILINE)
_CALL = re.compile(r"call `(\w+)\.(\w+)` with `(.*)`")
AT_A_TERMINAL = """## At a terminal

- Put each value, quoted for the shell, in the place of its `{argument}` or `<word>`; a list becomes several words.
- In a pipe commands print JSON; of `resolve` a line for each name, which is `items.0` here.
- A failure goes to stderr as `error:` and `hint:`, with exit status 1.
- `--provenance` adds source and time of each fact; `--sandbox` answers from stand-ins, without the network.
"""


def main() -> int:
    """Write the files, or compare them."""
    texts = {ROOT / "skills" / _name(journey) / "SKILL.md": text(journey) for journey in every_source.journeys()}
    stale = {file for file, text in texts.items() if not file.is_file() or file.read_text("utf-8") != text}
    for file in stale:
        if "--check" in sys.argv[1:]:
            print(f"{file.relative_to(ROOT)} is stale: run make docs", file=sys.stderr)
        else:
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_text(texts[file], "utf-8")
    return 1 if stale and "--check" in sys.argv[1:] else 0


def text(journey: Journey) -> str:
    """The skill of a journey."""
    places = {argument.name: f"{{{argument.name}}}" for argument in journey.arguments}
    way = fill(journey.text, places)
    if not journey.command:
        way = _STEP.sub(lambda step: _with_command(step[0]), way)
    parts = (
        f"---\nname: {_name(journey)}\ndescription: {json.dumps(f'{journey.description} {journey.use}')}\n---",
        f"# {journey.title}",
        f"<!-- by make docs, from {(FOLDER / journey.name).relative_to(ROOT).as_posix()}.md: change that -->",
        "\n".join(map(_argument, journey.arguments)),
        f"Calls name the tools of the MCP server `biofact serve`, whose prompt `{journey.name}` says the same.",
        *_whole_way(journey, places),
        GATEWAY.text(f"{way}\n\n{journey.rules}"),
        AT_A_TERMINAL,
    )
    return "\n\n".join(parts)


def _name(journey: Journey) -> str:
    return journey.name.replace("_", "-")


def _argument(argument: JourneyArgument) -> str:
    return f"- `{{{argument.name}}}`: {argument.description}; such as {argument.example}"


def _whole_way(journey: Journey, places: dict[str, str]) -> Iterator[str]:
    if journey.command:
        typed = fill(journey.command, places, _quoted)
        yield f"At a terminal one command goes the whole way, and goes on where it was stopped: `{typed}`."


def _with_command(step: str) -> str:
    """A step with the command that does the same as its call."""
    if match := _CALL.search(step):
        ref = ToolRef(match[1], match[2])
        return f"{step}\n   At a terminal: `{_typed(ref, json.loads(match[3]))}`."
    return step


def _typed(ref: ToolRef, arguments: dict[str, Any]) -> str:
    """A call as it is typed: what is required by place, the rest as options."""
    tool: ListedTool = next(tool for tool in every_source.listing(ref.source).tools if tool.ref == ref)
    required = tool.input_schema["required"]
    places = (word for name in required for word in _words(arguments[name]))
    options = (word for name, value in arguments.items() if name not in required for word in _option(name, value))
    return " ".join((command(ref), *places, *options))


def _option(name: str, value: object) -> Iterator[str]:
    option = f"--{name.replace('_', '-')}"
    if value is True:
        yield option
    else:
        yield from (f"{option} {word}" for word in _words(value))


def _words(value: object) -> list[str]:
    """A value as words of a shell."""
    values = value if isinstance(value, list) else [value]
    return [_quoted(str(value)) if re.search(r"\W", str(value)) else str(value) for value in values]


def _quoted(word: str) -> str:
    return f"'{word}'"


if __name__ == "__main__":
    sys.exit(main())
