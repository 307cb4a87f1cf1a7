"""The recorded answers of the IGVF Catalog, and tables of the databases whose data it holds."""

import csv
import functools
import json
from collections.abc import Iterator
from typing import Any

from tests.recordings import recording


@functools.cache
def answers() -> dict[str, Any]:
    """The recorded answers of the service, by file."""
    lines = recording("MANIFEST.tsv").decode().splitlines()
    names = [line.split("\t")[0] for line in lines if line.startswith(("igvf/example_", "igvf/acceptance_"))]
    return {name.removeprefix("igvf/"): json.loads(recording(name)) for name in names}


def sample(operation: str) -> Any:
    return answers()[f"example_{operation}.json"]["sample"]


def accepted(name: str) -> list[Any]:
    """The items of all answers of a file of 2023-24."""
    answer = next(iter(answers()[f"acceptance_{name}.json"].values()))
    return [item for recorded_call in answer for item in recorded_call["response"]]


def objects(value: Any) -> Iterator[dict[str, Any]]:
    """Every object in an answer, at any depth."""
    if isinstance(value, dict):
        yield value
    for item in value.values() if isinstance(value, dict) else value if isinstance(value, list) else ():
        yield from objects(item)


def table(name: str, delimiter: str = "\t") -> list[dict[str, str]]:
    return list(csv.DictReader(recording(f"bulk/{name}").decode("utf-8-sig").splitlines(), delimiter=delimiter))
