"""Commands as documents: what they declare, by how much each part says of what they are for, and typical questions."""

import csv
import functools
import json
import re
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

from biofact.interfaces.cli.find.index import Document
from biofact.interfaces.listed_commands import ListedArgument, ListedCommand
from biofact.interfaces.spelling import command

NAME, MEANING, SUMMARY, ARGUMENTS, ASKED, FACTS, REST = 4.0, 3.0, 1.0, 0.75, 0.5, 0.4, 0.25
"""Weights. Each is another one: they are keys of a document's parts."""
_QUESTIONS = Path(__file__).with_name("questions.tsv")
_BATCH = "_batch"


def of_tool(listed: ListedCommand, title: str) -> Document:
    """The document of a tool's command. ``title`` is the source's."""
    name = command(listed.ref).removeprefix("biofact ")
    summary, _, rest = listed.description.partition("\n\n")
    meaning = first_sentence(summary)
    subject = next((one for one in listed.parameters if one.is_required), None)
    return Document(
        name,
        {
            NAME: f"{title} {name}",
            MEANING: meaning,
            SUMMARY: summary.removeprefix(meaning),
            ARGUMENTS: "\n".join(_arguments(listed)),
            ASKED: "\n".join(_questions().get(name, ())),
            FACTS: "\n".join(f"{field} {meaning}" for field, meaning in listed.facts.items()),
            REST: re.split(r"\n(?:Raises|Source):", rest)[0],
        },
        names="\n".join(" ".join(_words(list(example.values()))) for example in listed.examples),
        takes_words=subject is not None and takes_words(subject),
        pattern=None if subject is None else subject.pattern,
        is_batch=listed.ref.method.endswith(_BATCH),
    )


def of_own(name: str, text: str) -> Document:
    """The document of a command that is no tool's, from its help."""
    meaning = first_sentence(text)
    asked = "\n".join(_questions().get(name, ()))
    return Document(name, {NAME: name, MEANING: meaning, SUMMARY: text.removeprefix(meaning), ASKED: asked})


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


def _words(value: object) -> Iterator[str]:
    """The words of a call's arguments."""
    return iter(re.findall(r"[\w:.-]+", json.dumps(value, ensure_ascii=False)))
