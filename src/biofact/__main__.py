"""``python -m biofact``: the same as the command ``biofact``."""

import os
import sys
from collections.abc import Sequence

from biofact import __version__
from biofact.core.usage import WrongUsage
from biofact.interfaces import terminal


def main() -> int:
    """Run what the command line asks for; returns the exit code: 1 for what failed, 2 for wrong usage."""
    terminal.open_streams()
    try:
        code = _run(sys.argv[1:])
        sys.stdout.flush()
    except BrokenPipeError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())  # the next program in the pipe has read enough
        return 0
    except WrongUsage as wrong:
        terminal.write_messages((f"error: {wrong}", f"hint: {wrong.hint}"))
        return wrong.exit_code
    except OSError as error:
        terminal.write_messages(
            (f"error: {error.strerror or error}.", "hint: Look for a full disk, or a file that cannot be opened.")
        )
        return 1
    except KeyboardInterrupt:
        return 130
    return code


def _run(tokens: Sequence[str]) -> int:
    if sys.flags.optimize > 1:
        raise WrongUsage(
            "python -OO strips the descriptions of tools and commands.", hint="Use -O, or PYTHONOPTIMIZE=1."
        )
    if tokens == ["--version"]:  # needs nothing else
        terminal.write(f"{__version__}\n")
        return 0
    from biofact.interfaces import log_output, start_slots  # noqa: PLC0415  # nor does the version need that

    start_slots.take()
    try:
        with log_output.on_stderr():
            return _answer(tokens)
    finally:
        start_slots.give_up()


def _answer(tokens: Sequence[str]) -> int:
    if tokens[:1] == ["serve"]:
        from biofact.interfaces import serve  # noqa: PLC0415  # a server starts without the command line's library

        options = serve.parse_tokens(tokens[1:])
        if options is not None:
            serve.run(options)
            return 0
    from biofact.interfaces.cli import app as cli  # noqa: PLC0415

    return cli.run(tokens)


if __name__ == "__main__":
    sys.exit(main())
