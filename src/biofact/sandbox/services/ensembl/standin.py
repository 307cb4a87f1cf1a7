"""The stand-in for Ensembl REST: takes a request to the endpoint that its path names."""

import re
from collections.abc import Callable, Iterable, Sequence

from biofact.sandbox.recordings import Recorded, Replay
from biofact.sandbox.services.ensembl import archive, homology, info, lookup, mapping, sequence, xrefs
from biofact.sandbox.services.ensembl.genes import Genes
from biofact.sandbox.services.ensembl.limit import EnsemblLimit
from biofact.sandbox.services.ensembl.replay import EnsemblReplay
from biofact.sandbox.services.ensembl.requests import EndpointRequest, RestEndpoint
from biofact.sandbox.standin import Ask, Limit, RefusingStandIn, Reply, plain_path, refused
from biofact.sources.ensembl.service import ENSEMBL


def _endpoint(
    method: str, path: str, parameters: Iterable[str], answer: Callable[[EndpointRequest], Reply], list_name: str = ""
) -> RestEndpoint:
    """``{}`` in a path stands for a part without a slash; a symbol, which is the last part, may have some."""
    pattern = re.escape(path).replace(r"\{\}", "([^/]+)").replace(r"\{symbol\}", "(.+)")
    return RestEndpoint(method, re.compile(pattern), frozenset(parameters), answer, list_name)


_ENDPOINTS = (
    _endpoint("GET", "/info/ping", (), info.ping),
    _endpoint("GET", "/info/data", (), info.releases),
    _endpoint("GET", "/info/species", ("division", "hide_strain_info"), info.species),
    _endpoint("GET", "/lookup/id/{}", lookup.PARAMETERS, lookup.by_id),
    _endpoint("POST", "/lookup/id", lookup.PARAMETERS, lookup.by_ids, "ids"),
    _endpoint("GET", "/lookup/symbol/{}/{symbol}", lookup.PARAMETERS, lookup.by_symbol),
    _endpoint("POST", "/lookup/symbol/{}", lookup.PARAMETERS, lookup.by_symbols, "symbols"),
    _endpoint("GET", "/xrefs/symbol/{}/{symbol}", xrefs.OF_SYMBOL, xrefs.by_symbol),
    _endpoint("GET", "/xrefs/id/{}", xrefs.OF_ID, xrefs.by_id),
    _endpoint("GET", "/archive/id/{}", (), archive.by_id),
    _endpoint("POST", "/archive/id", (), archive.by_ids, "id"),
    _endpoint("GET", "/sequence/id/{}", sequence.OF_ID, sequence.by_id),
    _endpoint("GET", "/sequence/region/{}/{}", (), sequence.by_region),
    _endpoint("GET", "/map/{}/{}/{}/{}", (), mapping.between_assemblies),
    _endpoint("GET", "/homology/id/{}/{}", homology.PARAMETERS, homology.by_id),
)
_NO_PAGE = "page not found. Please check your uri and refer to our documentation https://rest.ensembl.org/"


class EnsemblStandIn(RefusingStandIn):
    """Answers as Ensembl REST does over ``genes``; ``assembly`` makes it a server of that assembly, as of GRCh37."""

    service = ENSEMBL

    def __init__(self, genes: Genes, assembly: str | None = None) -> None:
        self._genes = genes
        self._assembly = assembly or ""

    def replay(self, recordings: Sequence[Recorded]) -> Replay:
        """The rule by which recorded answers are replayed."""
        return EnsemblReplay(recordings, is_grch37=self._assembly == "GRCh37")

    def limit(self, factor: float) -> Limit:
        """Ensembl's limit."""
        return EnsemblLimit(factor)

    def answer(self, ask: Ask) -> Reply:
        """The answer in Ensembl's form."""
        path = plain_path(ask.path)
        matching = [(one, found.groups()) for one in _ENDPOINTS if (found := one.path.fullmatch(path))]
        if not matching:
            raise refused(_NO_PAGE, status=404)
        for endpoint, parts in matching:
            if endpoint.method == ask.method:
                return endpoint.answer(endpoint.request(ask, parts, self._genes, self._assembly))
        raise refused(f"Method {ask.method} not implemented for this endpoint.", status=405)
