"""``map``: regions of one assembly on another, as far as the starter rows know: elsewhere there is nothing."""

import re

from biofact.sandbox.services.ensembl.requests import EndpointRequest
from biofact.sandbox.standin import Reply, refused, written
from biofact.sandbox.tables import Row, starter_rows

_REGION = re.compile(r"(?P<name>[^:]+):(?P<start>\d+)(?:-|\.\.)(?P<end>\d+)(?::(?P<strand>-?1))?")
_BLOCKS = starter_rows(__package__, "block.jsonl")


def between_assemblies(request: EndpointRequest) -> Reply:
    """GET map: an empty list where nothing of the region is known on the other assembly."""
    name, before, text, after = request.parts
    species = request.species(name)["name"]
    known = {assembly for block in _BLOCKS if block["species"] == species for assembly in block["assemblies"]}
    if unknown := next((assembly for assembly in (before, after) if assembly not in known), None):
        raise refused(f"The sandbox knows no coordinate system of version {unknown} of {species}")
    found = _REGION.fullmatch(text)
    if found is None:
        raise refused(f"{text} is not a valid region")
    span = int(found["start"]), int(found["end"])
    blocks = [_turned(block, before) for block in _BLOCKS if {before, after} == set(block["assemblies"])]
    return written({"mappings": [row for one in blocks for row in _mapped(one, found["name"], span)]})


def _turned(block: Row, before: str) -> Row:
    """The block as it is read from ``before`` on."""
    if block["assemblies"][0] == before:
        return block
    ends = {name: block[name] + block["offset"] for name in ("start", "end")}
    return {**block, **ends, "offset": -block["offset"], "assemblies": block["assemblies"][::-1]}


def _mapped(block: Row, name: str, span: tuple[int, int]) -> list[Row]:
    start, end = max(span[0], block["start"]), min(span[1], block["end"])
    if name != block["seq_region_name"] or start > end:
        return []
    before, after = block["assemblies"]
    usual = {"seq_region_name": name, "coord_system": "chromosome", "strand": 1}
    mapped = {**usual, "assembly": after, "start": start + block["offset"], "end": end + block["offset"]}
    return [{"original": {**usual, "assembly": before, "start": start, "end": end}, "mapped": mapped}]
