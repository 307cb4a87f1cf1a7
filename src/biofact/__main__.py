"""``python -m biofact``: the same as the command ``biofact``."""

import os
import sys
from collections.abc import Sequence

from biofact import __version__
from biofact.interfaces import terminal
from biofact.interfaces.usage import WrongUsage


def main() -> int:
    """Run what the command line asks for; returns the exit code: 1 for an answer that failed, 2 for wrong usage."""
    terminal.open_streams()
    try:
        code = _run(sys.argv[1:])
        sys.stdout.flush()
    except BrokenPipeError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())  # the next program in the pipe has read enough
        return 0
    except (WrongUsage, OSError) as wrong:
        terminal.write_messages((f"error: {wrong}", f"hint: {getattr(wrong, 'hint', 'See biofact --help.')}"))
        return getattr(wrong, "exit_code", 2)
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
    if tokens[:1] == ["serve"]:
        from biofact.interfaces.mcp import serve  # noqa: PLC0415  # a server starts without the command line's library

        serving = serve.parse_tokens(tokens[1:])
        if serving is not None:
            serve.run(serving)
            return 0
    from biofact.interfaces.cli import app as cli  # noqa: PLC0415

    return cli.run(tokens)


if __name__ == "__main__":
    sys.exit(main())
