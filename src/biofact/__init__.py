"""biofact: a fuzzy biomedical name in, a checked fact out.

    >>> async def symbol(gene_id: str) -> str:
    ...     async with biofact.EntrezClient() as entrez:
    ...         return (await entrez.get_gene(gene_id)).symbol
    >>> asyncio.run(symbol("NCBIGene:7157"))
    'TP53'

``biofact.sync`` has the same clients for scripts.
What ``__all__`` names is imported when it is first asked for; ``import biofact`` itself costs nothing.
"""

import importlib
from typing import TYPE_CHECKING, Any

# public names: by make docs
if TYPE_CHECKING:
    from biofact.clients import Clients, open
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
    from biofact.identity.client import IdentityClient
    from biofact.identity.records import ResolvedEntity, ResolvedName
    from biofact.literature.pipeline import Pipeline
    from biofact.literature.query.records import CanonicalPubMedQuery
    from biofact.literature.records import CanonicalPubMedExtraction, CanonicalScoredArticle
    from biofact.protocol.client import LifeSciencesClient
    from biofact.sandbox import Sandbox
    from biofact.sources.chembl.client import ChEMBLClient
    from biofact.sources.chembl.records import Compound, CompoundSearchCandidate, TargetSearchCandidate
    from biofact.sources.ensembl.client import EnsemblClient
    from biofact.sources.ensembl.records import (
        BiologicalSequence,
        EnsemblGeneCandidate,
        Gene,
        Homologue,
        RegionMapping,
        Transcript,
    )
    from biofact.sources.entrez.client import EntrezClient
    from biofact.sources.entrez.records import EntrezGene, GeneRif, GeneSearchCandidate
    from biofact.sources.igvf.client import IGVFClient
    from biofact.sources.pubmed.client import PubMedClient
    from biofact.sources.pubmed.records import CanonicalPubMedArticle

_HOMES = {
    "AmbiguousQuery": "biofact.core.errors",
    "BiofactError": "biofact.core.errors",
    "BiologicalSequence": "biofact.sources.ensembl.records",
    "CanonicalPubMedArticle": "biofact.sources.pubmed.records",
    "CanonicalPubMedExtraction": "biofact.literature.records",
    "CanonicalPubMedQuery": "biofact.literature.query.records",
    "CanonicalScoredArticle": "biofact.literature.records",
    "ChEMBLClient": "biofact.sources.chembl.client",
    "Clients": "biofact.clients",
    "Compound": "biofact.sources.chembl.records",
    "CompoundSearchCandidate": "biofact.sources.chembl.records",
    "CrossReferences": "biofact.core.xrefs",
    "EnsemblClient": "biofact.sources.ensembl.client",
    "EnsemblGeneCandidate": "biofact.sources.ensembl.records",
    "EntityNotFound": "biofact.core.errors",
    "EntrezClient": "biofact.sources.entrez.client",
    "EntrezGene": "biofact.sources.entrez.records",
    "ErrorEnvelope": "biofact.core.envelopes",
    "Gene": "biofact.sources.ensembl.records",
    "GeneRif": "biofact.sources.entrez.records",
    "GeneSearchCandidate": "biofact.sources.entrez.records",
    "Homologue": "biofact.sources.ensembl.records",
    "IGVFClient": "biofact.sources.igvf.client",
    "IdentityClient": "biofact.identity.client",
    "InvalidCrossReference": "biofact.core.errors",
    "LifeSciencesClient": "biofact.protocol.client",
    "Notice": "biofact.core.provenance",
    "PaginationEnvelope": "biofact.core.envelopes",
    "Pipeline": "biofact.literature.pipeline",
    "Provenance": "biofact.core.provenance",
    "PubMedClient": "biofact.sources.pubmed.client",
    "RateLimited": "biofact.core.errors",
    "RegionMapping": "biofact.sources.ensembl.records",
    "ResolvedEntity": "biofact.identity.records",
    "ResolvedName": "biofact.identity.records",
    "Sandbox": "biofact.sandbox",
    "TargetSearchCandidate": "biofact.sources.chembl.records",
    "Transcript": "biofact.sources.ensembl.records",
    "UnresolvedEntity": "biofact.core.errors",
    "UpstreamError": "biofact.core.errors",
    "open": "biofact.clients",
}

__all__ = [
    "AmbiguousQuery",
    "BiofactError",
    "BiologicalSequence",
    "CanonicalPubMedArticle",
    "CanonicalPubMedExtraction",
    "CanonicalPubMedQuery",
    "CanonicalScoredArticle",
    "ChEMBLClient",
    "Clients",
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
    "GeneRif",
    "GeneSearchCandidate",
    "Homologue",
    "IGVFClient",
    "IdentityClient",
    "InvalidCrossReference",
    "LifeSciencesClient",
    "Notice",
    "PaginationEnvelope",
    "Pipeline",
    "Provenance",
    "PubMedClient",
    "RateLimited",
    "RegionMapping",
    "ResolvedEntity",
    "ResolvedName",
    "Sandbox",
    "TargetSearchCandidate",
    "Transcript",
    "UnresolvedEntity",
    "UpstreamError",
    "open",
]
# end

__version__ = "0.1.0"


def __getattr__(name: str) -> Any:
    if name not in _HOMES:
        raise AttributeError(f"module 'biofact' has no attribute {name!r}")
    return getattr(importlib.import_module(_HOMES[name]), name)


def __dir__() -> list[str]:
    return [*__all__, "__version__"]
