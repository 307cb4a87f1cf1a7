"""The questions of tools/inspect.sh to the Inspector, and whether its answers are right."""

import json
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from biofact.core.errors import ToolRef
from biofact.interfaces import every_source
from biofact.interfaces.spelling import prefixed


def main(arguments: list[str]) -> int:
    """Run the verb that the first argument names; the Inspector's output, where needed, is the second."""
    match arguments:
        case ["count", output]:
            print(len(result(output)["tools"]))
        case ["calls"]:
            print("\n".join(calls()))
        case ["judge", outcome, output]:
            answer = result(output)
            if outcome != _outcome(answer):
                print(f"{outcome} was due: {answer}", file=sys.stderr)
                return 1
        case _:
            return 2
    return 0


def calls() -> Iterator[str]:
    """Tool, outcome and arguments of every example."""
    for source in every_source.toolsets():
        for example in every_source.examples(source):
            name = prefixed(ToolRef(source, example.tool))
            yield f"{name}\t{example.outcome}\t{json.dumps(dict(example.arguments))}"


def _outcome(answer: dict[str, Any]) -> str:
    """The outcome of a call: found, or the code of its failure."""
    if not answer.get("isError"):
        return "found" if "structuredContent" in answer else "an answer without structured content"
    return str(json.loads(answer["content"][0]["text"])["error"]["code"])


def result(output: str) -> dict[str, Any]:
    """The result that the Inspector wrote."""
    answer: dict[str, Any] = json.loads(Path(output).read_text(encoding="utf-8"))["result"]
    return answer


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
