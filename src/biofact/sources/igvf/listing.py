"""Whose data the Catalog holds, read off the declared endpoints. Pure."""

from typing import Literal

from biofact.sources.igvf.catalog import Source, endpoints, sources
from biofact.sources.igvf.records import SourceDescription

Category = Literal[
    "variant_annotations", "gene_expression", "regulatory", "disease", "drugs", "interactions", "studies"
]


def described(category: Category | None) -> list[SourceDescription]:
    """The sources of a category, or all of them, by name."""
    chosen = [one for one in sources().values() if category is None or category in one.categories]
    return [_description(one) for one in sorted(chosen, key=lambda one: one.name.casefold())]


def _description(source: Source) -> SourceDescription:
    asked = [one for one in endpoints().values() if not one.why and source.name in "; ".join(one.sources).split("; ")]
    return SourceDescription(
        name=source.name,
        description=source.describes,
        categories=list(source.categories),
        relationships=list(dict.fromkeys(one.relationship for one in asked if one.relationship)),
        methods=list(source.methods),
        labels=list(source.labels),
        organisms=list(dict.fromkeys(organism for one in asked for organism in one.organisms)),
    )
