"""The same thing in several databases: what a name stands for in all of them, and whether they agree."""

from biofact.core.errors import ToolRef

PUBLIC_NAMES = {"records": ("ResolvedEntity", "ResolvedName")}
"""Names that ``from biofact import ...`` offers besides the client, by module."""
RESOLVE = ToolRef("identity", "resolve")
"""The tool that takes columns of names, whatever they are of."""
