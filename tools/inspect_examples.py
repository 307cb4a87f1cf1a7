"""What tools/inspect.sh asks the Inspector, and whether its answers are right."""

import json
import sys
from pathlib import Path

from biofact import sources


def main(arguments: list[str]) -> int:
    """Run the verb that the first argument names."""
    verb, *rest = arguments
    if verb == "count":
        print(len(json.loads(Path(rest[0]).read_text())["result"]["tools"]))
    elif verb == "calls":
        for source in sources.names():
            for example in sources.examples(source):
                if example.outcome == "found":
                    print(f"{source}_{example.tool}", json.dumps(dict(example.arguments)), sep="\t")
    elif verb == "judge":
        answer = json.loads(Path(rest[0]).read_text() or "null")
        if not answer or answer["result"].get("isError") or "structuredContent" not in answer["result"]:
            print(f"no good answer: {answer}", file=sys.stderr)
            return 1
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
