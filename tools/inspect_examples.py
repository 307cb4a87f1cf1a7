"""What tools/inspect.sh asks the Inspector, and whether its answers are right."""

import json
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from biofact.interfaces import every_source


def main(arguments: list[str]) -> int:
    """Run the verb that the first argument names; the Inspector's output, where needed, is the second."""
    match arguments:
        case ["count", output]:
            print(len(result(output)["tools"]))
        case ["calls"]:
            print("\n".join(calls()))
        case ["judge", output]:
            answer = result(output)
            if answer.get("isError") or "structuredContent" not in answer:
                print(f"no good answer: {answer}", file=sys.stderr)
                return 1
        case _:
            return 2
    return 0


def calls() -> Iterator[str]:
    """Tool and arguments of every example that finds something."""
    for source in every_source.names():
        for example in every_source.examples(source):
            if example.outcome == "found":
                yield f"{source}_{example.tool}\t{json.dumps(dict(example.arguments))}"


def result(output: str) -> dict[str, Any]:
    """The result that the Inspector wrote."""
    answer: dict[str, Any] = json.loads(Path(output).read_text())["result"]
    return answer


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
