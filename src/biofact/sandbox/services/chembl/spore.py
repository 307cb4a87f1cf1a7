"""ChEMBL's description of its own API, in SPORE, which chembl_webresource_client reads when it is imported."""

from collections.abc import Iterator, Mapping
from typing import Any

from biofact.sandbox.services.chembl.molecules import Molecules
from biofact.sandbox.services.chembl.requests import BASE_PATH
from biofact.sandbox.services.chembl.tables import ResourceTable
from biofact.sandbox.services.chembl.targets import Targets

SPORE_PATH = "/spore"


def spore(resources: Mapping[str, ResourceTable], host: str) -> dict[str, Any]:
    """The description of these resources; without a ``host``, without an address.

    A resource that can be searched has a method ``GET_<name>_get_search``. Which other members the real description
    has is not recorded; these are the ones that chembl_webresource_client 0.10.9 reads (new_client.py).
    """
    methods = {name: method for resource, table in resources.items() for name, method in _methods(resource, table)}
    methods["GET_status"] = _method("GET", "/status.json", "status", "")
    address = {"base_url": f"http://{host}/"} if host else {}
    return {"name": "ChEMBL", "version": "sandbox", "expected_status": [200, 400, 404], **address, "methods": methods}


def _methods(resource: str, table: ResourceTable) -> Iterator[tuple[str, dict[str, Any]]]:
    named = (resource, table.plural)
    yield f"GET_{resource}_dispatch_list", _method("GET", f"/{resource}.json", *named)
    yield f"POST_{resource}_dispatch_list", _method("POST", f"/{resource}.json", *named)
    yield f"GET_{resource}_dispatch_detail", _method("GET", f"/{resource}/:{table.key}.json", *named)
    if isinstance(table, Molecules | Targets):
        yield f"GET_{resource}_get_search", _method("GET", f"/{resource}/search.json", *named)


def _method(method: str, path: str, resource: str, plural: str) -> dict[str, Any]:
    return {
        "method": method,
        "path": f"{BASE_PATH}{path}",
        "resource_name": resource,
        "collection_name": plural or None,
        "formats": ["json"],
        "default_format": "application/json",
    }
