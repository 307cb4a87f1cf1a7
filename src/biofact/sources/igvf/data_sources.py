"""Whose data the Catalog holds, read off the declared endpoints. Pure."""

from typing import Literal

from biofact.sources.igvf.catalog import Source, endpoints, sources
from biofact.sources.igvf.records import SourceDescription

Category = Literal[
    "variant_annotations", "gene_expression", "regulatory", "disease", "drugs", "interactions", "studies"
]


def source_descriptions(category: Category | None) -> list[SourceDescription]:
    """The sources of a category, or all of them, by name."""
    chosen = [source for source in sources().values() if category is None or category in source.categories]
    return [_description(source) for source in sorted(chosen, key=lambda source: source.name.casefold())]


def _description(source: Source) -> SourceDescription:
    its_endpoints = [
        endpoint
        for endpoint in endpoints().values()
        if not endpoint.why and source.name in "; ".join(endpoint.sources).split("; ")
    ]
    return SourceDescription(
        name=source.name,
        description=source.describes,
        categories=list(source.categories),
        relationships=list(dict.fromkeys(one.relationship for one in its_endpoints if one.relationship)),
        methods=list(source.methods),
        labels=list(source.labels),
        organisms=list(dict.fromkeys(organism for one in its_endpoints for organism in one.organisms)),
    )
