"""Reads the requests to Ensembl REST, and refuses what Ensembl refuses or ignores."""

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

from biofact.sandbox.services.ensembl.corpus import CurrentRecord, Genes
from biofact.sandbox.standin import Reply, ServiceRequest, check_parameters, ignored_parameters, json_refusal
from biofact.sandbox.tables import Row

JSON = "application/json"
MOST_POSTED = 1000
_TRUE = {"1", "true"}
_FALSE = {"", "0", "false"}


@dataclass(frozen=True, slots=True)
class EndpointRequest:
    """One request to one endpoint."""

    raw: ServiceRequest
    genes: Genes
    assembly: str
    """Assembly of every gene on a server of one assembly, such as GRCh37's; else empty."""
    parts: tuple[str, ...]
    """The values in the path, such as species and symbol."""
    body: Mapping[str, Any] = field(default_factory=dict)
    posted: tuple[str, ...] = ()

    def text(self, name: str, default: str = "") -> str:
        """A parameter, from the query or the body."""
        return self.raw.value(name) or str(self.body.get(name, default))  # a POST's options stand in either

    def is_on(self, name: str) -> bool:
        """Whether a switch is on."""
        value = self.text(name).lower()
        if value not in _TRUE | _FALSE:
            raise json_refusal(f"{name} is 0 or 1, not {value!r:.40}.")
        return value in _TRUE

    def species(self, name: str) -> Row:
        """The species with this name or alias."""
        species = self.genes.species.find(name)
        if species is None:
            raise json_refusal(f"Can not find internal name for species '{name}'")
        return species

    def assembly_of(self, gene: Row) -> str:
        """The server's assembly if it has one, else the species'; empty if neither is known."""
        species = self.genes.species.find(gene["species"]) or {}
        return self.assembly or species.get("assembly") or ""

    def current(self, stable_id: str) -> CurrentRecord:
        """The current record of an ID, of the version, species, kind and database that the request names, if it does.

        Any version will do where the current one is not known.

        Raises:
            Refusal: there is none.
        """
        ensembl_id, version = self.genes.versioned(stable_id)
        current = self.genes.find(ensembl_id, self.text("object_type").lower())
        if current is None or not self._fits(current, version):
            raise json_refusal(f"ID '{stable_id}' not found")
        return current

    def _fits(self, current: CurrentRecord, version: str) -> bool:
        is_version = not version or version == str(current.record.get("version", version))
        species = self.text("species")
        is_species = not species or self.species(species)["name"] == current.gene["species"]
        return is_version and is_species and self.text("db_type", "core") == "core"


@dataclass(frozen=True, slots=True)
class RestEndpoint:
    """One endpoint: its parameters, and the function that answers."""

    method: str
    path: re.Pattern[str]
    parameters: frozenset[str]
    answer: Callable[[EndpointRequest], Reply]
    list_name: str = ""
    """The name of the list in a POST's body."""

    def request(self, request: ServiceRequest, parts: tuple[str, ...], genes: Genes, assembly: str) -> EndpointRequest:
        """The request, checked."""
        check_parameters(request, self.parameters | {"content-type"})  # a GET names its format by a parameter, too
        if request.value("content-type", JSON) != JSON:
            raise json_refusal("The sandbox writes application/json only.", status=415)
        if not self.list_name:
            return EndpointRequest(request, genes, assembly, parts)
        body = request.json_object
        if body is None:
            raise json_refusal("The POST message is not a JSON object.")
        if names := sorted(set(body) - self.parameters - {self.list_name} - request.skipped):
            raise ignored_parameters(request.path, names)
        return EndpointRequest(request, genes, assembly, parts, body, _posted_values(body, self.list_name))


def _posted_values(body: Mapping[str, Any], name: str) -> tuple[str, ...]:
    values = body.get(name)
    if not isinstance(values, list) or not all(isinstance(value, str) for value in values):
        raise json_refusal(f"POST body must contain '{name}' key with array of values")
    if len(values) > MOST_POSTED:
        raise json_refusal(
            f"POST message too large. You have submitted {len(values)} elements but a limit of {MOST_POSTED}"
            " is in place. Request smaller regions or lists of IDs"
        )
    return tuple(values)
