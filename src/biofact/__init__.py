"""biofact: a fuzzy biomedical name in, a checked fact out.

    >>> async def symbol(gene_id: str) -> str:
    ...     async with biofact.EntrezClient() as entrez:
    ...         return (await entrez.get_gene(gene_id)).symbol
    >>> asyncio.run(symbol("NCBIGene:7157"))
    'TP53'

``biofact.sync`` has the same clients for scripts.
The names of ``__all__`` are imported at their first use; ``import biofact`` itself costs nothing.
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
        NoNetwork,
        RateLimited,
        UnresolvedEntity,
        UpstreamError,
    )
    from biofact.core.records import Notice, Provenance
    from biofact.core.xrefs import CrossReferences
    from biofact.identity.client import IdentityClient
    from biofact.identity.records import ResolvedEntity, ResolvedName
    from biofact.literature.pipeline import Pipeline
    from biofact.literature.query.records import CanonicalPubMedQuery
    from biofact.literature.ranking.request import ArticleFilters, RankingCriteria
    from biofact.literature.records import (
        CanonicalPubMedExtraction,
        CanonicalScoredArticle,
        SlimCanonicalPubMedExtraction,
        SlimCanonicalScoredArticle,
    )
    from biofact.literature.scoring.criteria import ScoringCriteria
    from biofact.protocol.client import LifeSciencesClient
    from biofact.sandbox import Sandbox
    from biofact.sources.chembl.client import ChEMBLClient
    from biofact.sources.chembl.records import (
        Compound,
        CompoundSearchCandidate,
        SlimCompound,
        SlimCompoundSearchCandidate,
        SlimTargetSearchCandidate,
        TargetSearchCandidate,
    )
    from biofact.sources.ensembl.client import EnsemblClient
    from biofact.sources.ensembl.records import (
        BiologicalSequence,
        EnsemblGeneCandidate,
        Gene,
        Homologue,
        RegionMapping,
        SlimEnsemblGeneCandidate,
        SlimGene,
        SlimTranscript,
        Transcript,
    )
    from biofact.sources.entrez.client import EntrezClient
    from biofact.sources.entrez.records import (
        EntrezGene,
        GeneRif,
        GeneSearchCandidate,
        SlimEntrezGene,
        SlimGeneSearchCandidate,
    )
    from biofact.sources.igvf.client import IGVFClient
    from biofact.sources.igvf.records import (
        Association,
        CodingVariantEntity,
        ComplexEntity,
        DatasetEntity,
        DrugEntity,
        ElementEntity,
        Entity,
        FullAssociation,
        GeneEntity,
        MotifEntity,
        PathwayEntity,
        ProteinEntity,
        RegionContents,
        ResolvedId,
        SlimTermCandidate,
        SourceDescription,
        StudyEntity,
        TermCandidate,
        TermEntity,
        TranscriptEntity,
        VariantEntity,
    )
    from biofact.sources.pubmed.client import PubMedClient
    from biofact.sources.pubmed.records import ArticleSearch, CanonicalPubMedArticle, SlimArticle, SlimArticleSearch
    from biofact.transport.stack import Transport

_HOMES = {
    "AmbiguousQuery": "biofact.core.errors",
    "ArticleFilters": "biofact.literature.ranking.request",
    "ArticleSearch": "biofact.sources.pubmed.records",
    "Association": "biofact.sources.igvf.records",
    "BiofactError": "biofact.core.errors",
    "BiologicalSequence": "biofact.sources.ensembl.records",
    "CanonicalPubMedArticle": "biofact.sources.pubmed.records",
    "CanonicalPubMedExtraction": "biofact.literature.records",
    "CanonicalPubMedQuery": "biofact.literature.query.records",
    "CanonicalScoredArticle": "biofact.literature.records",
    "ChEMBLClient": "biofact.sources.chembl.client",
    "Clients": "biofact.clients",
    "CodingVariantEntity": "biofact.sources.igvf.records",
    "ComplexEntity": "biofact.sources.igvf.records",
    "Compound": "biofact.sources.chembl.records",
    "CompoundSearchCandidate": "biofact.sources.chembl.records",
    "CrossReferences": "biofact.core.xrefs",
    "DatasetEntity": "biofact.sources.igvf.records",
    "DrugEntity": "biofact.sources.igvf.records",
    "ElementEntity": "biofact.sources.igvf.records",
    "EnsemblClient": "biofact.sources.ensembl.client",
    "EnsemblGeneCandidate": "biofact.sources.ensembl.records",
    "Entity": "biofact.sources.igvf.records",
    "EntityNotFound": "biofact.core.errors",
    "EntrezClient": "biofact.sources.entrez.client",
    "EntrezGene": "biofact.sources.entrez.records",
    "ErrorEnvelope": "biofact.core.envelopes",
    "FullAssociation": "biofact.sources.igvf.records",
    "Gene": "biofact.sources.ensembl.records",
    "GeneEntity": "biofact.sources.igvf.records",
    "GeneRif": "biofact.sources.entrez.records",
    "GeneSearchCandidate": "biofact.sources.entrez.records",
    "Homologue": "biofact.sources.ensembl.records",
    "IGVFClient": "biofact.sources.igvf.client",
    "IdentityClient": "biofact.identity.client",
    "InvalidCrossReference": "biofact.core.errors",
    "LifeSciencesClient": "biofact.protocol.client",
    "MotifEntity": "biofact.sources.igvf.records",
    "NoNetwork": "biofact.core.errors",
    "Notice": "biofact.core.records",
    "PaginationEnvelope": "biofact.core.envelopes",
    "PathwayEntity": "biofact.sources.igvf.records",
    "Pipeline": "biofact.literature.pipeline",
    "ProteinEntity": "biofact.sources.igvf.records",
    "Provenance": "biofact.core.records",
    "PubMedClient": "biofact.sources.pubmed.client",
    "RankingCriteria": "biofact.literature.ranking.request",
    "RateLimited": "biofact.core.errors",
    "RegionContents": "biofact.sources.igvf.records",
    "RegionMapping": "biofact.sources.ensembl.records",
    "ResolvedEntity": "biofact.identity.records",
    "ResolvedId": "biofact.sources.igvf.records",
    "ResolvedName": "biofact.identity.records",
    "Sandbox": "biofact.sandbox",
    "ScoringCriteria": "biofact.literature.scoring.criteria",
    "SlimArticle": "biofact.sources.pubmed.records",
    "SlimArticleSearch": "biofact.sources.pubmed.records",
    "SlimCanonicalPubMedExtraction": "biofact.literature.records",
    "SlimCanonicalScoredArticle": "biofact.literature.records",
    "SlimCompound": "biofact.sources.chembl.records",
    "SlimCompoundSearchCandidate": "biofact.sources.chembl.records",
    "SlimEnsemblGeneCandidate": "biofact.sources.ensembl.records",
    "SlimEntrezGene": "biofact.sources.entrez.records",
    "SlimGene": "biofact.sources.ensembl.records",
    "SlimGeneSearchCandidate": "biofact.sources.entrez.records",
    "SlimTargetSearchCandidate": "biofact.sources.chembl.records",
    "SlimTermCandidate": "biofact.sources.igvf.records",
    "SlimTranscript": "biofact.sources.ensembl.records",
    "SourceDescription": "biofact.sources.igvf.records",
    "StudyEntity": "biofact.sources.igvf.records",
    "TargetSearchCandidate": "biofact.sources.chembl.records",
    "TermCandidate": "biofact.sources.igvf.records",
    "TermEntity": "biofact.sources.igvf.records",
    "Transcript": "biofact.sources.ensembl.records",
    "TranscriptEntity": "biofact.sources.igvf.records",
    "Transport": "biofact.transport.stack",
    "UnresolvedEntity": "biofact.core.errors",
    "UpstreamError": "biofact.core.errors",
    "VariantEntity": "biofact.sources.igvf.records",
    "open": "biofact.clients",
}

__all__ = [
    "AmbiguousQuery",
    "ArticleFilters",
    "ArticleSearch",
    "Association",
    "BiofactError",
    "BiologicalSequence",
    "CanonicalPubMedArticle",
    "CanonicalPubMedExtraction",
    "CanonicalPubMedQuery",
    "CanonicalScoredArticle",
    "ChEMBLClient",
    "Clients",
    "CodingVariantEntity",
    "ComplexEntity",
    "Compound",
    "CompoundSearchCandidate",
    "CrossReferences",
    "DatasetEntity",
    "DrugEntity",
    "ElementEntity",
    "EnsemblClient",
    "EnsemblGeneCandidate",
    "Entity",
    "EntityNotFound",
    "EntrezClient",
    "EntrezGene",
    "ErrorEnvelope",
    "FullAssociation",
    "Gene",
    "GeneEntity",
    "GeneRif",
    "GeneSearchCandidate",
    "Homologue",
    "IGVFClient",
    "IdentityClient",
    "InvalidCrossReference",
    "LifeSciencesClient",
    "MotifEntity",
    "NoNetwork",
    "Notice",
    "PaginationEnvelope",
    "PathwayEntity",
    "Pipeline",
    "ProteinEntity",
    "Provenance",
    "PubMedClient",
    "RankingCriteria",
    "RateLimited",
    "RegionContents",
    "RegionMapping",
    "ResolvedEntity",
    "ResolvedId",
    "ResolvedName",
    "Sandbox",
    "ScoringCriteria",
    "SlimArticle",
    "SlimArticleSearch",
    "SlimCanonicalPubMedExtraction",
    "SlimCanonicalScoredArticle",
    "SlimCompound",
    "SlimCompoundSearchCandidate",
    "SlimEnsemblGeneCandidate",
    "SlimEntrezGene",
    "SlimGene",
    "SlimGeneSearchCandidate",
    "SlimTargetSearchCandidate",
    "SlimTermCandidate",
    "SlimTranscript",
    "SourceDescription",
    "StudyEntity",
    "TargetSearchCandidate",
    "TermCandidate",
    "TermEntity",
    "Transcript",
    "TranscriptEntity",
    "Transport",
    "UnresolvedEntity",
    "UpstreamError",
    "VariantEntity",
    "open",
]
# end

__version__ = "0.1.0"


def __getattr__(name: str) -> Any:
    if name not in _HOMES:
        raise AttributeError(f"module 'biofact' has no attribute {name!r}")
    importlib.import_module("biofact.tables")  # gives results their data frames
    return getattr(importlib.import_module(_HOMES[name]), name)


def __dir__() -> list[str]:
    return [*__all__, "__version__"]
