"""``biofact corpus run`` as a program of its own, which can be stopped."""

import sys

COMMAND = (sys.executable, "-m", "biofact")
"""The words that ``corpus run DIR`` and its options follow."""
