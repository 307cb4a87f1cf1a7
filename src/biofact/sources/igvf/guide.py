"""The texts under ``igvf://``, generated from the records, the declared endpoints and the examples. Pure."""

import functools
import json
from collections.abc import Mapping
from typing import Any, Literal

from biofact.core.json_schema import plain, without_keys
from biofact.sources.igvf import records
from biofact.sources.igvf.associations.queries import ORDERS, can_start
from biofact.sources.igvf.catalog import RELATIONSHIPS, SPECIES, endpoints, names_of_relationships
from biofact.sources.igvf.data_sources import source_descriptions
from biofact.sources.igvf.examples import EXAMPLES
from biofact.sources.igvf.filters import FILTERS
from biofact.sources.igvf.records import Entity
from biofact.sources.igvf.relationships import relationship_named

_RECORDS: dict[str, type[Entity]] = {"gene": records.GeneEntity, "variant": records.VariantEntity}
_CROSS_REFERENCES = {
    "gene": {
        "hgnc": "HGNC:1100; of human genes.",
        "ensembl_gene": "ENSG00000012048, without version.",
        "entrez": "672, the number of NCBIGene:672.",
    }
}
"""The keys of cross-references by kind of entity, each with its description."""
_KIND_NAMES = {
    "coding_variant": "coding variant",
    "dataset": "data set",
    "element": "regulatory element, or region",
    "term": "ontology term: disease, phenotype, tissue, cell, function",
}
_ID_EXAMPLES = {
    "gene": "`BRCA1`, `brca1`, `ENSG00000012048`, `ENSMUSG00000059552`, `HGNC:1100`, `NCBIGene:672`",
    "variant": "`rs5050`, `NC_000001.11:230714139:T:G` (SPDI), `NC_000001.11:g.230714140T>G` (HGVS), `CA10610220`, "
    "`1-230714140-T-G`",
    "protein": "`P49711`, `P49711-2`, `CTCF_HUMAN`, `ENSP00000264010`",
    "transcript": "`ENST00000264010`",
    "term": "`MONDO:0009861`, `Orphanet_586`, `EFO:0004339`, `HP:0001250`, `GO:0006915`, `UBERON:0002107`, or a name",
    "drug": "`PA448497` (PharmGKB), or a name",
    "complex": "`CPX-11`",
    "pathway": "`R-HSA-164843`",
    "study": "`GCST007798`",
    "motif": "`STAT3_HUMAN_HOCOMOCOv11`",
    "coding_variant": "`SAMD7_ENST00000335556_p.Gly253Asp_c.758_759delinsAC`",
    "element": "`chr1:976210-976314`, or its name",
    "dataset": "`IGVFFI6893ZOAA`, `ENCFF004PFU`",
}


@functools.cache
def schema(kind: Literal["gene", "variant"]) -> str:
    """The JSON schema of one kind of entity: its fields, their descriptions, and the required ones."""
    generated = _RECORDS[kind].model_json_schema(by_alias=True, mode="validation")
    inlined = plain(without_keys(generated, "$defs"), generated.get("$defs", {}))
    _describe_cross_references(inlined["properties"], _CROSS_REFERENCES.get(kind, {}))
    return json.dumps(inlined, indent=1, ensure_ascii=False)


def _describe_cross_references(fields: dict[str, Any], descriptions: Mapping[str, str]) -> None:
    """Keep the keys that entities of the kind have, each with its description."""
    if not descriptions:
        del fields["cross_references"]
        return
    keys = fields["cross_references"]["properties"]
    properties = {name: keys[name] | {"description": words} for name, words in descriptions.items()}
    fields["cross_references"] = fields["cross_references"] | {"properties": properties}


@functools.cache
def identifiers() -> str:
    """Identifiers by kind, the relationships of each, and the filters and orders."""
    rows = [
        f"| {_KIND_NAMES.get(kind, kind)} | {examples} | {_starts(kind)} |" for kind, examples in _ID_EXAMPLES.items()
    ]
    return "\n".join(
        (
            "# Identifiers of the IGVF Catalog",
            "",
            "Terms are written with a colon (`MONDO:0009861`), variants as SPDI, whose position counts from 0; all",
            "other coordinates count from 1, on GRCh38 (human) or GRCm39 (mouse).",
            "",
            "| kind | written as | relationships |",
            "|---|---|---|",
            *rows,
            "",
            "## Relationships",
            "",
            *(f"- **{name}**: {_paths(name)}" for name in RELATIONSHIPS),
            "",
            f"By other names: {', '.join(names_of_relationships())}.",
            "A name of a kind of entity (`genes`, `variants`, `diseases`) means what joins such with the entity asked",
            "of; where that may be several relationships, it is refused with these.",
            "",
            "## Filters and orders of igvf.find_associations",
            "",
            f"Filters: {', '.join(FILTERS)}. Orders: {', '.join(ORDERS)}; `-` in front puts the greatest first.",
            "",
            "| source | relationships | methods | labels |",
            "|---|---|---|---|",
            *(
                f"| {source.name} | {', '.join(source.relationships)} | {', '.join(source.methods)}"
                f" | {', '.join(source.labels)} |"
                for source in source_descriptions(None)
            ),
            "",
        )
    )


@functools.cache
def queries() -> str:
    """The examples, each with its outcome."""
    lines = ["# Queries, and what they find on the starter facts of the sandbox", ""]
    for example in EXAMPLES:
        arguments = json.dumps(example.arguments, ensure_ascii=False)
        outcome = json.dumps(example.shows, ensure_ascii=False) if example.shows else example.outcome
        lines.append(f"- `igvf.{example.tool}` `{arguments}` → {outcome}")
    return "\n".join([*lines, ""])


def _starts(kind: str) -> str:
    return ", ".join(name for name in RELATIONSHIPS if can_start(kind, relationship_named(name))) or "none"


def _paths(relationship: str) -> str:
    asked_endpoints = [endpoint for endpoint in endpoints().values() if endpoint.relationship == relationship]
    return ", ".join(
        f"`{endpoint.path}`" + ("" if len(endpoint.organisms) == len(SPECIES) else " (human)")
        for endpoint in asked_endpoints
    )
