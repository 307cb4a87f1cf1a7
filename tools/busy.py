"""The tests that time could trouble, beside four busy loops, five times: a busy machine changes nothing.

Takes some fifteen minutes on two cores. Arguments of the command line take the place of those tests.
"""

import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager

LOOPS, ROUNDS = 4, 5
TESTS = ("tests/test_faults.py", "tests/transport", "tests/interfaces")
_BUSY = "import time; end = time.monotonic() + 1800\nwhile time.monotonic() < end: pass"  # ends by itself, too


@contextmanager
def busy() -> Iterator[None]:
    """A machine with more to do than it has cores."""
    loops = [subprocess.Popen([sys.executable, "-c", _BUSY]) for _ in range(LOOPS)]
    try:
        yield
    finally:
        for loop in loops:
            loop.kill()
            loop.wait()


def main() -> int:
    """The number of rounds that failed."""
    command = [sys.executable, "-m", "pytest", "-q", "-n", "auto", "--dist", "worksteal", *(sys.argv[1:] or TESTS)]
    failed = 0
    for number in range(1, ROUNDS + 1):
        start = time.monotonic()
        with busy():
            code = subprocess.run(command, check=False).returncode
        failed += code != 0
        outcome = "failed" if code else "passed"
        print(f"round {number} of {ROUNDS} {outcome} in {time.monotonic() - start:.0f} s", flush=True)
    return failed


if __name__ == "__main__":
    sys.exit(main())
