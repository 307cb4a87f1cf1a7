"""Commands as documents: what they declare, by how much each part says of what they are for, and typical questions."""

import csv
import functools
import inspect
import json
import re
from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path

from biofact.interfaces.cli.find.index import Document
from biofact.interfaces.listing import ListedArgument, ListedCommand
from biofact.interfaces.spelling import command

NAME, MEANING, SUMMARY, ARGUMENTS, FACTS, REST = 6.0, 2.0, 0.5, 0.25, 0.4, 0.1
"""Weights."""
_QUESTIONS = Path(__file__).with_name("questions.tsv")
_BATCH = "_batch"


def of_tool(listed: ListedCommand, title: str) -> Document:
    """The document of a tool's command. ``title`` is the source's."""
    name = command(listed.ref).removeprefix("biofact ")
    summary, _, rest = listed.description.partition("\n\n")
    sentence = first_sentence(summary)
    subject = next((one for one in listed.parameters if one.is_required), None)
    return Document(
        name,
        (
            (NAME, f"{title} {name}"),
            (MEANING, sentence),
            (SUMMARY, summary.removeprefix(sentence)),
            (ARGUMENTS, "\n".join(_arguments(listed))),
            (FACTS, "\n".join(f"{field} {text}" for field, text in listed.facts.items())),
            (REST, re.split(r"\n(?:Raises|Source):", rest)[0]),
        ),
        asked=tuple(_questions().get(name, ())),
        names="\n".join(" ".join(words(list(example.values()))) for example in listed.examples),
        takes_words=subject is not None and takes_words(subject),
        pattern=None if subject is None else subject.pattern,
        is_batch=listed.ref.method.endswith(_BATCH),
    )


def of_own(name: str, function: Callable[..., object]) -> Document:
    """The document of a command that is no tool's, from its help and that of its options."""
    text = inspect.getdoc(function) or ""
    sentence = first_sentence(text)
    options = "\n".join(_options(function))
    parts = ((NAME, name), (MEANING, sentence), (SUMMARY, text.removeprefix(sentence)), (ARGUMENTS, options))
    return Document(name, parts, asked=tuple(_questions().get(name, ())))


def meaning(text: str) -> str:
    """What a command does, in one line: its first sentence without what a colon or semicolon adds."""
    return f"{re.split(r'[:;] ', first_sentence(text))[0].rstrip('.')}."


def _options(function: Callable[..., object]) -> Iterator[str]:
    for name, parameter in inspect.signature(function).parameters.items():
        helps = (getattr(one, "help", None) for one in getattr(parameter.annotation, "__metadata__", ()))
        yield " ".join((name.replace("_", " "), *filter(None, helps)))


def takes_words(argument: ListedArgument) -> bool:
    """Whether it takes names as people write them."""
    schema = argument.schema.get("items", argument.schema)
    return argument.pattern is None and schema.get("type") == "string" and "enum" not in schema


def first_sentence(text: str) -> str:
    """The first sentence, on one line."""
    return " ".join(re.split(r"(?<=[.])\s+(?=[A-Z`])|\n\n", text.strip())[0].split())


@functools.cache
def _questions() -> Mapping[str, Sequence[str]]:
    """What people ask, by the commands that answer it."""
    found = defaultdict[str, list[str]](list)
    with _QUESTIONS.open(encoding="utf-8", newline="") as file:
        for row in csv.DictReader(file, delimiter="\t", quoting=csv.QUOTE_NONE):
            for name in row["commands"].split(","):
                found[name].append(row["question"])
    return found


def _arguments(listed: ListedCommand) -> Iterator[str]:
    for argument in listed.parameters:
        schema = argument.schema
        values = schema.get("enum") or schema.get("items", {}).get("enum") or ()
        yield " ".join((argument.name.replace("_", " "), schema.get("description", ""), *map(str, values)))


def words(value: object) -> Iterator[str]:
    """The words of a call's arguments."""
    return iter(re.findall(r"[\w:.-]+", json.dumps(value, ensure_ascii=False)))
