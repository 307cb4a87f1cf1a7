"""The stand-in for the IGVF Catalog: takes a request to what answers its endpoint."""

from collections.abc import Sequence

from biofact.sandbox.recordings import Recorded, Replay
from biofact.sandbox.services.igvf import associations, entities
from biofact.sandbox.services.igvf.graph import Graph
from biofact.sandbox.services.igvf.replay import IgvfReplay
from biofact.sandbox.services.igvf.requests import absent, catalog_request
from biofact.sandbox.standin import Ask, RefusingStandIn, Reply, written
from biofact.sandbox.tables import Rows
from biofact.sources.igvf.service import IGVF


class IgvfStandIn(RefusingStandIn):
    """Answers as the Catalog does over rows in its own form."""

    service = IGVF

    def __init__(self, rows: Rows) -> None:
        self._graph = Graph(rows)

    def replay(self, recordings: Sequence[Recorded]) -> Replay:
        """The rule by which recorded answers are replayed."""
        return IgvfReplay(recordings)

    def answer(self, ask: Ask) -> Reply:
        """The answer in the Catalog's form."""
        request = catalog_request(ask)
        endpoint = request.endpoint
        if endpoint.why:
            raise absent(f"The sandbox has no {endpoint.path}: {endpoint.why}.")
        answer = entities.answer if endpoint.record else associations.answer
        return written(answer(self._graph, request))
