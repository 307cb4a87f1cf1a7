"""What tools/inspect.sh asks the Inspector, and whether its answers are right."""

import json
import sys
from pathlib import Path

from biofact import sources


def main(arguments: list[str]) -> int:
    """Run the verb that the first argument names."""
    verb, *rest = arguments
    if verb == "count":
        print(len(json.loads(Path(rest[0]).read_text())["tools"]))
    elif verb == "calls":
        for source in sources.names():
            for example in sources.examples(source):
                print(f"{source}_{example.tool}", json.dumps(dict(example.arguments)), example.outcome, sep="\t")
    elif verb == "judge":
        outcome, *files = rest
        text = "".join(Path(file).read_text() for file in files)
        is_failure = '"success":false' in "".join(text.split()).replace("\\", "")
        is_right = (
            outcome in text if outcome != "found" else bool(text.strip()) and not (is_failure and '"items"' not in text)
        )
        if not is_right:
            print(f"expected {outcome}, got: {text[:2000]}", file=sys.stderr)
            return 1
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
