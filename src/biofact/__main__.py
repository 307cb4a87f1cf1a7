"""``python -m biofact``: the same as the command ``biofact``."""

import atexit
import errno
import signal
import sys
from collections.abc import Sequence


def main() -> int:
    """Run what the command line asks for; returns the exit code: 1 for what failed, 2 for wrong usage."""
    try:
        from biofact.interfaces import terminal  # noqa: PLC0415  # Ctrl-C ends imports, too

        terminal.open_streams()
        try:
            code = _exit_code(sys.argv[1:])
        finally:
            terminal.close_streams()
    except KeyboardInterrupt:
        code = 130
    atexit.register(signal.signal, signal.SIGINT, signal.SIG_IGN)  # Ctrl-C in Python's own end would be a traceback
    return code


def _exit_code(tokens: Sequence[str]) -> int:
    from biofact.core.usage import WrongUsage  # noqa: PLC0415
    from biofact.interfaces import terminal  # noqa: PLC0415

    try:
        code = _run(tokens)
        sys.stdout.flush()
    except BrokenPipeError:
        terminal.discard(sys.stdout)  # the next program in the pipe has read enough
        return 0
    except SystemExit as end:
        if not isinstance(end.__context__, BrokenPipeError):  # rich ends the program with 1 for the same
            raise
        return 0
    except WrongUsage as wrong:
        terminal.write_messages((f"error: {wrong}", f"hint: {wrong.hint}"))
        return wrong.exit_code
    except OSError as error:
        terminal.discard(sys.stdout)  # its buffer would fail again
        if error.errno == errno.EBADF:
            terminal.write_messages(("error: Standard output is closed.", "hint: Redirect it to a file or /dev/null."))
            return 1
        terminal.write_messages(
            (f"error: {error.strerror or error}.", "hint: Look for a full disk, or a file that cannot be opened.")
        )
        return 1
    return code


def _run(tokens: Sequence[str]) -> int:
    from biofact import __version__  # noqa: PLC0415
    from biofact.core.usage import WrongUsage  # noqa: PLC0415
    from biofact.interfaces import terminal  # noqa: PLC0415

    if sys.flags.optimize > 1:
        raise WrongUsage(
            "python -OO strips the descriptions of tools and commands.", hint="Use -O, or PYTHONOPTIMIZE=1."
        )
    if tokens == ["--version"]:  # needs nothing else
        terminal.write(f"{__version__}\n")
        return 0
    from biofact.interfaces import start_slots  # noqa: PLC0415  # nor does the version need that

    start_slots.take()
    try:
        from biofact.interfaces import log_output  # noqa: PLC0415  # hundreds load no more than this before their turn

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
