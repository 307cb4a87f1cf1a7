"""The stand-in for the IGVF Catalog: takes a request to what answers its endpoint."""

from collections.abc import Sequence

from biofact.sandbox.services.igvf import associations, entities
from biofact.sandbox.services.igvf.asking import absent, question
from biofact.sandbox.services.igvf.facts import Facts
from biofact.sandbox.services.igvf.graph import Graph
from biofact.sandbox.services.igvf.replay import IgvfReplay
from biofact.sandbox.standin import Ask, Recorded, Refusal, Replay, Reply, written
from biofact.sources.igvf.service import IGVF


class IgvfStandIn:
    """Answers as the Catalog does over ``facts``."""

    service = IGVF

    def __init__(self, facts: Facts) -> None:
        self._graph = Graph(facts)

    def reply(self, ask: Ask) -> Reply:
        """The answer in the Catalog's form."""
        try:
            return self._answered(ask)
        except Refusal as refusal:
            return refusal.reply

    def replay(self, recordings: Sequence[Recorded]) -> Replay:
        """The rule by which recorded answers are replayed."""
        return IgvfReplay(recordings)

    def _answered(self, ask: Ask) -> Reply:
        asked = question(ask)
        endpoint = asked.endpoint
        if endpoint.why:
            raise absent(f"The sandbox has no {endpoint.path}: {endpoint.why}.")
        if endpoint.record:
            return written(entities.answer(self._graph, asked))
        return written(associations.answer(self._graph, asked))
