"""Reads the requests to Ensembl REST, and refuses what Ensembl refuses or ignores."""

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

from biofact.sandbox.services.ensembl.corpus import CurrentRecord, Genes
from biofact.sandbox.standin import (
    Reply,
    ServiceRequest,
    check_parameters,
    ignored_parameters,
    json_refusal,
)
from biofact.sandbox.tables import Row

JSON = "application/json"
MOST_POSTED = 1000
_ON = {"1", "true"}
_OFF = {"", "0", "false"}


@dataclass(frozen=True, slots=True)
class EndpointRequest:
    """One request to one endpoint."""

    raw: ServiceRequest
    genes: Genes
    assembly: str
    """Of every gene, where this server has one of its own; else empty."""
    parts: tuple[str, ...]
    """The values in the path, such as species and symbol."""
    body: Mapping[str, Any] = field(default_factory=dict)
    posted: tuple[str, ...] = ()

    def text(self, name: str, default: str = "") -> str:
        """A parameter, from the query or the body."""
        return self.raw.value(name) or str(self.body.get(name, default))

    def is_on(self, name: str) -> bool:
        """Whether a switch is on."""
        value = self.text(name).lower()
        if value not in _ON | _OFF:
            raise json_refusal(f"{name} is 0 or 1, not {value!r:.40}.")
        return value in _ON

    def species(self, name: str) -> Row:
        """The species that goes by ``name``."""
        found = self.genes.species.named(name)
        if found is None:
            raise json_refusal(f"Can not find internal name for species '{name}'")
        return found

    def assembly_of(self, gene: Row) -> str:
        """That of the server, where it has one of its own, or of the species; empty where neither is known."""
        species = self.genes.species.named(gene["species"]) or {}
        return self.assembly or species.get("assembly") or ""

    def current(self, stable_id: str) -> CurrentRecord:
        """The current record of an ID, of the version, species, kind and database that the request names, if it does.

        Any version will do where the current one is not known.

        Raises:
            Refusal: there is none.
        """
        ensembl_id, version = self.genes.versioned(stable_id)
        found = self.genes.find(ensembl_id)
        if found is None or not self._fits(found, version):
            raise json_refusal(f"ID '{stable_id}' not found")
        return found

    def _fits(self, found: CurrentRecord, version: str) -> bool:
        is_version = not version or version == str(found.record.get("version", version))
        species = self.text("species")
        is_species = not species or self.species(species)["name"] == found.gene["species"]
        is_kind = self.text("object_type", found.level).lower() == found.level
        return is_version and is_species and is_kind and self.text("db_type", "core") == "core"


@dataclass(frozen=True, slots=True)
class RestEndpoint:
    """One endpoint: what it may be asked, and what answers."""

    method: str
    path: re.Pattern[str]
    parameters: frozenset[str]
    answer: Callable[[EndpointRequest], Reply]
    list_name: str = ""
    """The name of the list in a POST's body."""

    def request(self, request: ServiceRequest, parts: tuple[str, ...], genes: Genes, assembly: str) -> EndpointRequest:
        """The request, checked."""
        check_parameters(request, self.parameters | {"content-type"})
        if request.value("content-type", JSON) != JSON:
            raise json_refusal("The sandbox writes application/json only.", status=415)
        if not self.list_name:
            return EndpointRequest(request, genes, assembly, parts)
        body = request.json_object
        if body is None:
            raise json_refusal("The POST message is not a JSON object.")
        if names := sorted(set(body) - self.parameters - {self.list_name} - request.skipped):
            raise ignored_parameters(request.path, names)
        return EndpointRequest(request, genes, assembly, parts, body, _posted(body, self.list_name))


def _posted(body: Mapping[str, Any], name: str) -> tuple[str, ...]:
    given = body.get(name)
    if not isinstance(given, list) or not all(isinstance(one, str) for one in given):
        raise json_refusal(f"POST body must contain '{name}' key with array of values")
    if len(given) > MOST_POSTED:
        raise json_refusal(
            f"POST message too large. You have submitted {len(given)} elements but a limit of {MOST_POSTED}"
            " is in place. Request smaller regions or lists of IDs"
        )
    return tuple(given)
