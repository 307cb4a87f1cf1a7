"""biofact: a fuzzy biomedical name in, a checked fact out.

    async with EntrezClient() as entrez:
        gene = await entrez.get_gene("NCBIGene:7157")

What ``__all__`` names is imported when it is first asked for; ``import biofact`` itself costs nothing.
"""

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from biofact.core.envelopes import ErrorEnvelope, PaginationEnvelope
    from biofact.core.errors import (
        AmbiguousQuery,
        BiofactError,
        EntityNotFound,
        InvalidCrossReference,
        RateLimited,
        UnresolvedEntity,
        UpstreamError,
    )
    from biofact.core.provenance import Notice, Provenance
    from biofact.core.xrefs import CrossReferences
    from biofact.literature.pipeline import Pipeline
    from biofact.literature.query.records import CanonicalPubMedQuery
    from biofact.literature.records import CanonicalPubMedExtraction, CanonicalScoredArticle
    from biofact.protocol.client import LifeSciencesClient
    from biofact.sources.chembl.client import ChEMBLClient
    from biofact.sources.chembl.records import Compound, CompoundSearchCandidate
    from biofact.sources.ensembl.client import EnsemblClient
    from biofact.sources.ensembl.records import EnsemblGeneCandidate, Gene, Transcript
    from biofact.sources.entrez.client import EntrezClient
    from biofact.sources.entrez.records import EntrezGene, GeneSearchCandidate
    from biofact.sources.igvf.client import IGVFClient
    from biofact.sources.pubmed.client import PubMedClient
    from biofact.sources.pubmed.records import CanonicalPubMedArticle

__all__ = [
    "AmbiguousQuery",
    "BiofactError",
    "CanonicalPubMedArticle",
    "CanonicalPubMedExtraction",
    "CanonicalPubMedQuery",
    "CanonicalScoredArticle",
    "ChEMBLClient",
    "Compound",
    "CompoundSearchCandidate",
    "CrossReferences",
    "EnsemblClient",
    "EnsemblGeneCandidate",
    "EntityNotFound",
    "EntrezClient",
    "EntrezGene",
    "ErrorEnvelope",
    "Gene",
    "GeneSearchCandidate",
    "IGVFClient",
    "InvalidCrossReference",
    "LifeSciencesClient",
    "Notice",
    "PaginationEnvelope",
    "Pipeline",
    "Provenance",
    "PubMedClient",
    "RateLimited",
    "Transcript",
    "UnresolvedEntity",
    "UpstreamError",
]

__version__ = "0.1.0"


def __getattr__(name: str) -> Any:
    from biofact.interfaces import library  # noqa: PLC0415

    return library.found(name, __all__)


def __dir__() -> list[str]:
    return [*__all__, "__version__"]
