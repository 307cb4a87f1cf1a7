"""The sources of the Catalog's data, read off the declared endpoints. Pure."""

from collections.abc import Mapping
from typing import Any, Literal

from biofact.sources.igvf.catalog import endpoints, sources
from biofact.sources.igvf.records import SourceDescription

Category = Literal[
    "variant_annotations", "gene_expression", "regulatory", "disease", "drugs", "interactions", "studies"
]


def source_descriptions(category: Category | None) -> list[SourceDescription]:
    """The sources of a category, or all of them, by name."""
    descriptions = (_description(name, entry) for name, entry in sources().items())
    matches = (source for source in descriptions if category is None or category in source.categories)
    return sorted(matches, key=lambda source: source.name.casefold())


def _description(name: str, entry: Mapping[str, Any]) -> SourceDescription:
    queried_endpoints = (endpoint for endpoint in endpoints().values() if not endpoint.unused_reason)
    source_endpoints = [endpoint for endpoint in queried_endpoints if name in "; ".join(endpoint.sources).split("; ")]
    return SourceDescription(
        name=name,
        description=entry["describes"],
        categories=entry["categories"],
        relationships=list(
            dict.fromkeys(endpoint.relationship for endpoint in source_endpoints if endpoint.relationship)
        ),
        methods=entry.get("methods", []),
        labels=entry.get("labels", []),
        organisms=list(dict.fromkeys(organism for endpoint in source_endpoints for organism in endpoint.organisms)),
    )
