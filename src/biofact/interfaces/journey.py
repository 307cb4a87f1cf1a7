"""Journeys: from a question through several tools to a report, for an agent; a Markdown file in ``journeys/`` each.

A file is the source of an MCP prompt and of a skill. Its front matter, TOML between two lines ``+++``, says what it is
for and which arguments it has. Its text names tools by reference, as ``entrez.get_gene``, and arguments as ``{gene}``.
"""

import functools
import json
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from biofact.core.errors import AmbiguousQuery, ToolRef
from biofact.core.quoting import quoted

FOLDER = Path(__file__).parent / "journeys"
RULES = "rules.md"
"""What holds on every journey; stands behind the text of each."""

_FENCE = "+++\n"
_PLACE = re.compile(r"\{(\w+)\}")
_REFERENCE = re.compile(r"`([a-z]+)\.([a-z_]+)`")
_MARKUP = "`<"
_LONGEST = 300


@dataclass(frozen=True, slots=True)
class JourneyArgument:
    """What a journey is about, in somebody's words."""

    name: str
    description: str
    example: str
    default: str | None = None
    """What is meant where nothing is given; without one the argument is required."""
    longest: int = _LONGEST
    """In characters."""

    def checked(self, journey: str, written: object) -> str:
        """What is given without blanks around it, or else the default.

        Raises:
            AmbiguousQuery: nothing is given where something has to be, or too much.
        """
        text = written.strip() if isinstance(written, str) else ""
        value = text or self.default
        if value is None or len(value) > self.longest:
            fault = "is missing" if value is None else f"has {len(value)} characters, and may have {self.longest}"
            raise AmbiguousQuery(
                f"The argument {self.name} of the prompt {journey} {fault}.",
                hint=f"Give {self.name} as {self.description}, like {self.example!r}.",
                invalid_input=self.name,
            )
        return value


@dataclass(frozen=True, slots=True)
class Journey:
    """A question that takes several tools, and the way to its answer."""

    name: str
    title: str
    description: str
    use: str
    """When it is the thing to do."""
    arguments: tuple[JourneyArgument, ...]
    text: str
    """The way: a task, numbered steps with their calls, and what to report."""
    rules: str
    command: str | None = None
    """The command that goes the whole way, where there is one."""

    @classmethod
    def read(cls, file: Path) -> "Journey":
        """What a file says.

        Raises:
            ValueError: its text has an argument that its front matter has not, or the other way.
        """
        import tomllib  # noqa: PLC0415  # a server starts before it needs this

        _, front, text = file.read_text("utf-8").split(_FENCE, 2)
        entry: dict[str, Any] = tomllib.loads(front)
        arguments = tuple(JourneyArgument(name, **rest) for name, rest in entry.pop("arguments").items())
        if (named := set(_PLACE.findall(text))) != {argument.name for argument in arguments}:
            raise ValueError(
                f"{file.name} has the arguments {sorted(named)} in its text, and others in its front matter."
            )
        rules = file.with_name(RULES).read_text("utf-8")
        return cls(file.stem, arguments=arguments, text=text.strip(), rules=rules.strip(), **entry)

    @property
    def whole_text(self) -> str:
        """The way and the rules."""
        return f"{self.text}\n\n{self.rules}"

    def refs(self, toolsets: tuple[str, ...]) -> frozenset[ToolRef]:
        """The tools of these toolsets that its text names."""
        return frozenset(ToolRef(*found) for found in _REFERENCE.findall(self.whole_text) if found[0] in toolsets)

    def checked(self, written: Mapping[str, object]) -> dict[str, str]:
        """The arguments, with defaults.

        Raises:
            AmbiguousQuery: one is unknown, missing or too long.
        """
        names = [argument.name for argument in self.arguments]
        for name in written:
            if name not in names:
                hint = f"Its arguments are {', '.join(names)}."
                message = f"The prompt {self.name} has no argument {quoted(name)}."
                raise AmbiguousQuery(message, hint=hint, invalid_input=name)
        return {argument.name: argument.checked(self.name, written.get(argument.name)) for argument in self.arguments}


@functools.cache
def journeys() -> tuple[Journey, ...]:
    """The journeys there are, by name."""
    return tuple(Journey.read(file) for file in sorted(FOLDER.glob("*.md")) if file.name != RULES)


def filled(text: str, values: Mapping[str, str], written: Callable[[str], str] | None = None) -> str:
    """``text`` with the arguments in their places, each as ``written`` has it, or else as a text of JSON."""
    return _PLACE.sub(lambda place: (written or json_text)(values[place[1]]), text)


def json_text(value: str) -> str:
    """A text of JSON that ends neither the line nor the code that it stands in, and reads as no ``<name>``."""
    return "".join(map(_harmless, json.dumps(value, ensure_ascii=False)))


def _harmless(sign: str) -> str:
    """A sign as it is, or escaped as JSON does: such as what turns the direction of writing."""
    if sign.isprintable() and sign not in _MARKUP:
        return sign
    units = sign.encode("utf-16-be", "surrogatepass").hex()
    return "".join(f"\\u{units[place : place + 4]}" for place in range(0, len(units), 4))
