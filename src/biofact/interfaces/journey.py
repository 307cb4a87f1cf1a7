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
"""The rules of all journeys, which follow the text of each."""

_FENCE = "+++\n"
_PLACE = re.compile(r"\{(\w+)\}")
_REFERENCE = re.compile(r"`([a-z]+)\.([a-z_]+)`")
_MARKUP = "`<"
_LONGEST = 300


@dataclass(frozen=True, slots=True)
class JourneyArgument:
    """An argument of a journey, in the user's words."""

    name: str
    description: str
    example: str
    default: str | None = None
    """The value where none is given; without a default the argument is required."""
    longest: int = _LONGEST
    """The maximum length, in characters."""

    def check(self, journey: str, argument: object) -> str:
        """The value without surrounding blanks, or else the default.

        Raises:
            AmbiguousQuery: a required value is missing, or a value is too long.
        """
        text = argument.strip() if isinstance(argument, str) else ""
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
    """A question that takes several tools, and the steps to its answer."""

    name: str
    title: str
    description: str
    use: str
    """The situations to use it in."""
    arguments: tuple[JourneyArgument, ...]
    text: str
    """The task, numbered steps with their calls, and what to report."""
    rules: str
    command: str | None = None
    """The command that does all of it, where there is one."""

    @classmethod
    def read(cls, file: Path) -> "Journey":
        """The journey in a file.

        Raises:
            ValueError: text and front matter have different arguments.
        """
        import tomllib  # noqa: PLC0415  # a server starts before it needs this

        _, front, text = file.read_text("utf-8").split(_FENCE, 2)
        entry: dict[str, Any] = tomllib.loads(front)
        arguments = tuple(JourneyArgument(name, **rest) for name, rest in entry.pop("arguments").items())
        if (names_in_text := set(_PLACE.findall(text))) != {argument.name for argument in arguments}:
            raise ValueError(
                f"{file.name} has the arguments {sorted(names_in_text)} in its text, and others in its front matter."
            )
        rules = file.with_name(RULES).read_text("utf-8")
        return cls(file.stem, arguments=arguments, text=text.strip(), rules=rules.strip(), **entry)

    @property
    def whole_text(self) -> str:
        """The text and the rules."""
        return f"{self.text}\n\n{self.rules}"

    def refs(self, toolsets: tuple[str, ...]) -> frozenset[ToolRef]:
        """The tools of these toolsets that the text names."""
        return frozenset(ToolRef(*parts) for parts in _REFERENCE.findall(self.whole_text) if parts[0] in toolsets)

    def check(self, arguments: Mapping[str, object]) -> dict[str, str]:
        """The arguments, with defaults.

        Raises:
            AmbiguousQuery: one is unknown, missing or too long.
        """
        names = [argument.name for argument in self.arguments]
        for name in arguments:
            if name not in names:
                hint = f"Its arguments are {', '.join(names)}."
                message = f"The prompt {self.name} has no argument {quoted(name)}."
                raise AmbiguousQuery(message, hint=hint, invalid_input=name)
        return {argument.name: argument.check(self.name, arguments.get(argument.name)) for argument in self.arguments}


@functools.cache
def journeys() -> tuple[Journey, ...]:
    """All journeys, in the order of their names."""
    return tuple(Journey.read(file) for file in sorted(FOLDER.glob("*.md")) if file.name != RULES)


def fill(text: str, values: Mapping[str, str], format_value: Callable[[str], str] | None = None) -> str:
    """``text`` with the values of arguments in their places, each formatted by ``format_value`` or as a JSON string."""
    return _PLACE.sub(lambda place: (format_value or json_text)(values[place[1]]), text)


def json_text(value: str) -> str:
    """A JSON string that ends neither the line nor the code around it, and does not read as a ``<name>``."""
    return "".join(map(_escape, json.dumps(value, ensure_ascii=False)))


def _escape(character: str) -> str:
    """A character, escaped as in JSON where it is not printable, such as one that changes the direction of writing."""
    if character.isprintable() and character not in _MARKUP:
        return character
    units = character.encode("utf-16-be", "surrogatepass").hex()
    return "".join(f"\\u{units[place : place + 4]}" for place in range(0, len(units), 4))
