"""``info``: whether the service is up, its release, and its species."""

from biofact.sandbox.services.ensembl.requests import EndpointRequest
from biofact.sandbox.services.ensembl.rows import RELEASE
from biofact.sandbox.services.ensembl.species import VERTEBRATES
from biofact.sandbox.standin import Reply, written
from biofact.sandbox.tables import without

_HIDDEN = "strain strain_collection"


def ping(_: EndpointRequest) -> Reply:
    """GET info/ping."""
    return written({"ping": 1})


def releases(_: EndpointRequest) -> Reply:
    """GET info/data."""
    return written({"releases": [RELEASE]})


def species(request: EndpointRequest) -> Reply:
    """GET info/species: those of a division, vertebrates unless another is named."""
    division = request.text("division", VERTEBRATES)
    hidden = _HIDDEN if request.is_on("hide_strain_info") else ""
    return written({"species": [without(row, hidden) for row in request.genes.species.of(division)]})
