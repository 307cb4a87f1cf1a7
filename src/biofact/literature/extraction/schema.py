"""What to extract: the fields of a caller's schema. Pure."""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Self

from biofact.literature.extraction import notation
from biofact.literature.extraction.fields import SchemaField


@dataclass(frozen=True)
class ExtractionSchema:
    """The fields asked for, in the order given."""

    fields: tuple[SchemaField, ...]

    @classmethod
    def read(cls, given: object) -> Self:
        """The schema that an object describes: ``{"sample_size": "number"}``, nested likewise, or JSON Schema.

        Raises:
            ValueError: it describes none; the sentence names the field and the valid forms.
        """
        return cls(notation.read(given))

    @cached_property
    def leaves(self) -> tuple[SchemaField, ...]:
        """What values are found for, one by one: every field but those that are objects of further fields."""
        return tuple(leaf for field in self.fields for leaf in field.leaves())


def nest_values(values: Mapping[str, Any]) -> dict[str, Any]:
    """Values by dotted path as the schema nests them."""
    nested: dict[str, Any] = {}
    for path, value in values.items():
        *groups, name = path.split(".")
        inner = nested
        for group in groups:
            inner = inner.setdefault(group, {})
        inner[name] = value
    return nested
