"""``archive/id``: whether an ID is current, and what took its place."""

from typing import Any

from biofact.sandbox.services.ensembl.facts import EnsemblGeneFacts
from biofact.sandbox.services.ensembl.info import RELEASE
from biofact.sandbox.services.ensembl.requests import EndpointRequest, refused
from biofact.sandbox.standin import Reply, written

Record = dict[str, Any]


def by_id(request: EndpointRequest) -> Reply:
    """GET archive/id."""
    return written(_record(request, request.parts[0]))


def by_ids(request: EndpointRequest) -> Reply:
    """POST archive/id: a list in the order asked. An unknown ID fails all of them (no recording shows it)."""
    return written([_record(request, ensembl_id) for ensembl_id in request.posted])


def _record(request: EndpointRequest, asked: str) -> Record:
    ensembl_id, text = request.genes.versioned(asked)
    version = int(text) if text else None
    record = _current(request, ensembl_id) or _retired(request, ensembl_id)
    if record is None:
        raise refused(f"No object found for {asked}")
    newest = record.get("version")
    if version is None or newest is None or version == newest:
        return record
    if version > newest:
        raise refused(f"No object found for {asked}")
    # An older version is retired though its ID is not; of its release nothing is known.
    older = {**record, "version": version, "is_current": ""}
    del older["release"]
    return older


def _current(request: EndpointRequest, ensembl_id: str) -> Record | None:
    found = request.genes.find(ensembl_id)
    if found is None:
        return None
    latest = ensembl_id if found.version is None else f"{ensembl_id}.{found.version}"
    record: Record = {
        "id": ensembl_id,
        "latest": latest,
        "is_current": "1",
        "release": str(RELEASE),
        "assembly": _assembly(request, found.gene),
        "type": found.level.capitalize(),
        "possible_replacement": [],
        "peptide": None,
    }
    return record if found.version is None else {**record, "version": found.version}


def _retired(request: EndpointRequest, ensembl_id: str) -> Record | None:
    retired = request.genes.retired(ensembl_id)
    if retired is None:
        return None
    return {
        "id": ensembl_id,
        "version": retired.version,
        "latest": f"{ensembl_id}.{retired.version}",
        "is_current": "",
        "release": str(retired.release),
        "assembly": retired.assembly,
        "type": retired.type,
        "possible_replacement": [{"stable_id": one, "score": score} for one, score in retired.replacements],
        "peptide": None,
    }


def _assembly(request: EndpointRequest, gene: EnsemblGeneFacts) -> str:
    species = request.genes.species.named(gene.species)
    return request.assembly or gene.assembly or (species.assembly if species else "")
