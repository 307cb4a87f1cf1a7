"""Command lines of examples: calls as a person types them, and those by hand of the built-in commands. Pure."""

import json
import re
import shlex
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from biofact.interfaces.listing import ListedArgument, ListedCommand
from biofact.interfaces.spelling import command

WIDTH = 100
"""The longest line that is taken before the shortest one: three IDs in a row, of which a terminal may wrap one."""
HARD_BREAK = "  \n"
"""A line break in Markdown."""
_LIKE = "like "
_NEEDS_SINGLE_QUOTES = re.compile(r'["$`\\!]')


def command_line(entry: ListedCommand, arguments: Mapping[str, Any]) -> str:
    """A call as a person types it, ready for a shell."""
    return " ".join((command(entry.ref), *map(quoted, words(entry, arguments))))


def example_line(entry: ListedCommand) -> str | None:
    """The line of a command's first example that is not long, else of the shortest one."""
    lines = [command_line(entry, arguments) for arguments in entry.examples or _form_arguments(entry)]
    return next((line for line in lines if len(line) <= WIDTH), min(lines, key=len, default=None))


def epilogue(lines: Sequence[str]) -> str | None:
    """The lines as Markdown below the help of their command; None without any."""
    if not lines:
        return None
    heading = "Example:" if len(lines) == 1 else "Examples:"
    return f"{heading}\n\n{HARD_BREAK.join(f'`{line}`' for line in lines)}"


def command_help(name: str, arguments: str | None) -> dict[str, str | None]:
    """The usage and the examples of a built-in command, for its app; its docstring says the rest.

    ``arguments`` are those that stand before the options; None for the usage that the library makes.
    """
    usage = None if arguments is None else " ".join(filter(None, ("Usage: biofact", name, arguments, "[OPTIONS]")))
    return {"usage": usage, "help_epilogue": epilogue(EXAMPLES.get(name, ()))}


def _form_arguments(entry: ListedCommand) -> list[dict[str, str]]:
    """A call with the ID that the description of each required argument shows ("like ENSG00000141510"), if all do."""
    forms = {
        parameter.name: parameter.schema.get("description", "")
        for parameter in entry.parameters
        if parameter.is_required
    }
    has_ids = forms and all(form.startswith(_LIKE) for form in forms.values())
    return [{name: form.removeprefix(_LIKE) for name, form in forms.items()}] if has_ids else []


def words(entry: ListedCommand, arguments: Mapping[str, Any]) -> list[str]:
    """The words after the command: its required arguments in order, then the options."""
    parameters = sorted(entry.parameters, key=lambda parameter: not parameter.is_required)
    return [
        word
        for parameter in parameters
        if parameter.name in arguments
        for word in (_required if parameter.is_required else _optional)(parameter, arguments[parameter.name])
    ]


def quoted(word: str) -> str:
    """A word as every shell reads it, in double quotes where they do: Windows knows no others."""
    if shlex.quote(word) == word:
        return word
    return shlex.quote(word) if _NEEDS_SINGLE_QUOTES.search(word) else f'"{word}"'


def _required(parameter: ListedArgument, value: Any) -> Iterator[str]:
    if parameter.is_list and all(isinstance(item, str) for item in value):
        yield from value
    else:
        yield value if isinstance(value, str) else _json(value)


def _optional(parameter: ListedArgument, value: Any) -> Iterator[str]:
    name = parameter.name.replace("_", "-")
    if isinstance(value, bool):
        yield f"--{'' if value else 'no-'}{name}"
        return
    for word in _option_words(value):
        yield from [f"--{name}={word}"] if word.startswith("-") else [f"--{name}", word]


def _option_words(value: Any) -> list[str]:
    """The values of an option, which is written once for each."""
    if isinstance(value, dict):
        is_pairs = bool(value) and all(map(_is_filter, value.values()))
        return [f"{name}={_switch(item)}" for name, item in value.items()] if is_pairs else [_json(value)]
    if isinstance(value, list):
        is_typed = bool(value) and all(isinstance(item, str) and not item.startswith(("[", "@")) for item in value)
        return value if is_typed else [_json(value)]
    return [value if isinstance(value, str) else _json(value)]


def _is_filter(value: Any) -> bool:
    """Whether ``name=value`` can write it: a switch, or text that is not read as one."""
    return isinstance(value, bool) or (isinstance(value, str) and value == value.strip() not in {"true", "false"})


def _switch(value: str | bool) -> str:
    return str(value).lower() if isinstance(value, bool) else value


def _json(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False)


EXAMPLES: dict[str, tuple[str, ...]] = {
    "resolve": (
        'biofact resolve BRCA1 p53 "no such gene"',
        "biofact resolve wg Trp53 --kind gene --organism mouse",
        'biofact resolve genes.xlsx --column "Gene name" -o genes-with-ids.xlsx',
    ),
    "find": ("biofact find which drugs hit EGFR", 'biofact find "protein sequence of BRCA2" --top 1'),
    "literature review": ('biofact literature review "Does metformin prevent diabetes?" -o metformin',),
    "literature train": ("biofact literature train screening --labels labels.csv",),
    "corpus plan": (
        "biofact corpus plan trials --sandbox",
        "biofact corpus plan medline --input pubmed26n*.xml.gz --parts 200",
    ),
    "corpus run": ("biofact corpus run trials", "biofact corpus run trials --part 3/8"),
    "corpus status": ("biofact corpus status trials",),
    "corpus rank": ("biofact corpus rank trials --top 100 --from-year 2015",),
    "corpus report": ("biofact corpus report trials",),
    "corpus retry": ("biofact corpus retry trials",),
    "serve": ("biofact serve", "biofact serve entrez --http 127.0.0.1:8000"),
    "install": ("biofact install --client claude-desktop --print", "biofact install --client json"),
    "token": ("biofact token add alice", "biofact token add course --scope entrez --scope pubmed --days 90"),
    "sandbox": ("biofact sandbox --port 0",),
    "demo": ("biofact demo",),
    "doctor": ("biofact doctor",),
    "cache": ("biofact cache stats",),
    "completion": ("source <(biofact completion bash)", "biofact completion fish"),
}
