"""The same thing in several databases: what a name stands for in all of them, and whether they agree."""

TOOLSET = "identity"
"""What references call its tools by, as ``identity.resolve``; it is no source."""
