"""Requests to the Catalog, each built from the declaration of its endpoint. Pure.

The service drops a parameter that it does not know, and cuts a limit above its own, without a word: neither can leave
here.
"""

from collections.abc import Mapping

from biofact.sources.igvf.catalog import Endpoint, endpoints
from biofact.sources.igvf.service import IGVF
from biofact.transport.service import Request

_DEFAULT_ROWS = 25  # of a page for which no limit is sent


def rows(path: str, given: Mapping[str, str], *, page: int = 0, limit: int | None = None) -> Request:
    """One page of what an endpoint has for these parameters.

    Raises:
        ValueError: the endpoint is not declared to take a parameter or value: a defect of ours.
    """
    endpoint = endpoints()[path]
    for name, value in given.items():
        _check(endpoint, name, value)
    if missing := [name for name in endpoint.required if name not in given]:
        raise ValueError(f"{path} needs {missing}.")
    params = dict(given)
    if "limit" in endpoint.parameters:
        most = endpoint.most or _DEFAULT_ROWS
        if limit is not None and limit > most:
            raise ValueError(f"{path} gives {most} rows a page at most, not {limit}.")
        params |= {"page": str(page), "limit": str(limit or most)}
    elif "page" in endpoint.parameters:
        params["page"] = str(page)
    return Request(
        IGVF,
        path,
        tuple(sorted(params.items())),
        accept="application/json",
        part=path,
    )


def page_size(endpoint: Endpoint, wanted: int) -> int:
    """Rows to ask for where ``wanted`` are needed; a fixed number where the endpoint takes no limit."""
    most = endpoint.most or _DEFAULT_ROWS
    return min(wanted, most) if "limit" in endpoint.parameters else most


def _check(endpoint: Endpoint, name: str, value: str) -> None:
    if name not in endpoint.parameters:
        raise ValueError(f"{endpoint.path} has no parameter {name!r}.")
    valid = endpoint.parameters[name]
    if not isinstance(valid, str) and value not in valid:
        raise ValueError(f"{endpoint.path} takes {name} as one of {', '.join(valid)}; not {value!r}.")
    if valid == "flag" and value not in {"true", "false"}:
        raise ValueError(f"{endpoint.path} takes {name} as true or false; not {value!r}.")
