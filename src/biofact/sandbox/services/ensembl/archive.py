"""``archive/id``: whether an ID is current, and what took its place."""

from biofact.sandbox.services.ensembl.requests import EndpointRequest
from biofact.sandbox.services.ensembl.rows import RELEASE
from biofact.sandbox.standin import Reply, refused, written
from biofact.sandbox.tables import Row


def by_id(request: EndpointRequest) -> Reply:
    """GET archive/id."""
    return written(_record(request, request.parts[0]))


def by_ids(request: EndpointRequest) -> Reply:
    """POST archive/id: a list in the order asked. An unknown ID fails all of them (no recording shows it)."""
    return written([_record(request, ensembl_id) for ensembl_id in request.posted])


def _record(request: EndpointRequest, asked: str) -> Row:
    ensembl_id, text = request.genes.versioned(asked)
    version = int(text) if text else None
    record = _current(request, ensembl_id) or request.genes.retired(ensembl_id)
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


def _current(request: EndpointRequest, ensembl_id: str) -> Row | None:
    found = request.genes.find(ensembl_id)
    if found is None:
        return None
    version = found.record.get("version")
    record: Row = {
        "id": ensembl_id,
        "latest": ensembl_id if version is None else f"{ensembl_id}.{version}",
        "is_current": "1",
        "release": str(RELEASE),
        "assembly": request.assembly_of(found.gene),
        "type": found.level.capitalize(),
        "possible_replacement": [],
        "peptide": None,
    }
    return record if version is None else {**record, "version": version}
