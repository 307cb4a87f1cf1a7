"""Makes the calls of one library, in the environment that has it: JSON on standard input, JSON on standard output."""

import contextlib
import json
import sys


def main():
    """Run the lines that set the library up, then each call, in the given order."""
    section, output = json.load(sys.stdin), sys.stdout
    names = {}
    with contextlib.redirect_stdout(sys.stderr):
        exec(section["setup"], names)
        outcomes = [outcome(call, names) for call in section["calls"]]
    json.dump(outcomes, output)


def outcome(call, names):
    """The answer of a call, or its failure: the error, and the body of its response."""
    try:
        return {"answer": json.loads(json.dumps(eval(call, names)))}
    except (Exception, SystemExit) as error:  # noqa: BLE001  # every library has errors of its own, and one leaves
        return {"error": f"{type(error).__name__}: {error} {body(error)}"}


def body(error):
    """The response that an error carries; empty if it has none."""
    if hasattr(error, "read"):  # urllib's
        return error.read().decode()
    response = getattr(error, "response", None)  # requests'
    return getattr(response, "text", "")


if __name__ == "__main__":
    main()
