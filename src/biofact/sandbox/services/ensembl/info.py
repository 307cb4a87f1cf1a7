"""``info``: whether the service is up, its release, and its species."""

from typing import Any

from biofact.sandbox.services.ensembl.facts import SpeciesFacts
from biofact.sandbox.services.ensembl.requests import EndpointRequest
from biofact.sandbox.services.ensembl.species import VERTEBRATES
from biofact.sandbox.services.ensembl.starters import STARTER_RELEASE
from biofact.sandbox.standin import Reply, written

RELEASE = STARTER_RELEASE
_HIDDEN = {"strain", "strain_collection"}


def ping(_: EndpointRequest) -> Reply:
    """GET info/ping."""
    return written({"ping": 1})


def releases(_: EndpointRequest) -> Reply:
    """GET info/data."""
    return written({"releases": [RELEASE]})


def species(request: EndpointRequest) -> Reply:
    """GET info/species: those of a division, vertebrates unless another is named."""
    division = request.text("division", VERTEBRATES)
    hidden = _HIDDEN if request.is_on("hide_strain_info") else set()
    rows = [_row(one, division) for one in request.genes.species.of(division)]
    return written({"species": [{name: row[name] for name in row if name not in hidden} for row in rows]})


def _row(one: SpeciesFacts, division: str) -> dict[str, Any]:
    return {
        "name": one.name,
        "display_name": one.display_name,
        "common_name": one.common_name or None,
        "taxon_id": str(one.taxon_id),
        "aliases": list(one.aliases),
        "assembly": one.assembly or None,
        "accession": one.accession or None,
        "division": division,
        "groups": ["core"],
        "release": RELEASE,
        "strain": one.strain or None,
        "strain_collection": None,
    }
