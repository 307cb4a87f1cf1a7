"""Calls that show what the pipeline's tools answer, on the starter facts."""

from biofact.core.example import Example

EXAMPLES: tuple[Example, ...] = ()
