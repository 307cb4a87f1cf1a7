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
    from biofact.clients import Clients as Clients
    from biofact.clients import open as open
    from biofact.core.envelopes import ErrorEnvelope as ErrorEnvelope
    from biofact.core.envelopes import PaginationEnvelope as PaginationEnvelope
    from biofact.core.errors import AmbiguousQuery as AmbiguousQuery
    from biofact.core.errors import BiofactError as BiofactError
    from biofact.core.errors import EntityNotFound as EntityNotFound
    from biofact.core.errors import InvalidCrossReference as InvalidCrossReference
    from biofact.core.errors import NoNetwork as NoNetwork
    from biofact.core.errors import RateLimited as RateLimited
    from biofact.core.errors import UnresolvedEntity as UnresolvedEntity
    from biofact.core.errors import UpstreamError as UpstreamError
    from biofact.core.records import Notice as Notice
    from biofact.core.records import Provenance as Provenance
    from biofact.core.xrefs import CrossReferences as CrossReferences
    from biofact.identity.client import IdentityClient as IdentityClient
    from biofact.identity.records import ResolvedEntity as ResolvedEntity
    from biofact.identity.records import ResolvedName as ResolvedName
    from biofact.literature.pipeline import Pipeline as Pipeline
    from biofact.literature.query.records import CanonicalPubMedQuery as CanonicalPubMedQuery
    from biofact.literature.ranking.request import ArticleFilters as ArticleFilters
    from biofact.literature.ranking.request import RankingCriteria as RankingCriteria
    from biofact.literature.records import CanonicalPubMedExtraction as CanonicalPubMedExtraction
    from biofact.literature.records import CanonicalScoredArticle as CanonicalScoredArticle
    from biofact.literature.records import SlimCanonicalPubMedExtraction as SlimCanonicalPubMedExtraction
    from biofact.literature.records import SlimCanonicalScoredArticle as SlimCanonicalScoredArticle
    from biofact.literature.scoring.criteria import ScoringCriteria as ScoringCriteria
    from biofact.protocol.client import LifeSciencesClient as LifeSciencesClient
    from biofact.sandbox import Sandbox as Sandbox
    from biofact.sources.chembl.client import ChEMBLClient as ChEMBLClient
    from biofact.sources.chembl.records import Compound as Compound
    from biofact.sources.chembl.records import CompoundSearchCandidate as CompoundSearchCandidate
    from biofact.sources.chembl.records import SlimCompound as SlimCompound
    from biofact.sources.chembl.records import SlimCompoundSearchCandidate as SlimCompoundSearchCandidate
    from biofact.sources.chembl.records import SlimTargetSearchCandidate as SlimTargetSearchCandidate
    from biofact.sources.chembl.records import TargetSearchCandidate as TargetSearchCandidate
    from biofact.sources.ensembl.client import EnsemblClient as EnsemblClient
    from biofact.sources.ensembl.records import BiologicalSequence as BiologicalSequence
    from biofact.sources.ensembl.records import EnsemblGeneCandidate as EnsemblGeneCandidate
    from biofact.sources.ensembl.records import Gene as Gene
    from biofact.sources.ensembl.records import Homologue as Homologue
    from biofact.sources.ensembl.records import RegionMapping as RegionMapping
    from biofact.sources.ensembl.records import SlimEnsemblGeneCandidate as SlimEnsemblGeneCandidate
    from biofact.sources.ensembl.records import SlimGene as SlimGene
    from biofact.sources.ensembl.records import SlimTranscript as SlimTranscript
    from biofact.sources.ensembl.records import Transcript as Transcript
    from biofact.sources.entrez.client import EntrezClient as EntrezClient
    from biofact.sources.entrez.records import EntrezGene as EntrezGene
    from biofact.sources.entrez.records import GeneRif as GeneRif
    from biofact.sources.entrez.records import GeneSearchCandidate as GeneSearchCandidate
    from biofact.sources.entrez.records import SlimEntrezGene as SlimEntrezGene
    from biofact.sources.entrez.records import SlimGeneSearchCandidate as SlimGeneSearchCandidate
    from biofact.sources.igvf.client import IGVFClient as IGVFClient
    from biofact.sources.igvf.records import Association as Association
    from biofact.sources.igvf.records import CodingVariantEntity as CodingVariantEntity
    from biofact.sources.igvf.records import ComplexEntity as ComplexEntity
    from biofact.sources.igvf.records import DatasetEntity as DatasetEntity
    from biofact.sources.igvf.records import DrugEntity as DrugEntity
    from biofact.sources.igvf.records import ElementEntity as ElementEntity
    from biofact.sources.igvf.records import Entity as Entity
    from biofact.sources.igvf.records import FullAssociation as FullAssociation
    from biofact.sources.igvf.records import GeneEntity as GeneEntity
    from biofact.sources.igvf.records import MotifEntity as MotifEntity
    from biofact.sources.igvf.records import PathwayEntity as PathwayEntity
    from biofact.sources.igvf.records import ProteinEntity as ProteinEntity
    from biofact.sources.igvf.records import RegionContents as RegionContents
    from biofact.sources.igvf.records import ResolvedId as ResolvedId
    from biofact.sources.igvf.records import SlimTermCandidate as SlimTermCandidate
    from biofact.sources.igvf.records import SourceDescription as SourceDescription
    from biofact.sources.igvf.records import StudyEntity as StudyEntity
    from biofact.sources.igvf.records import TermCandidate as TermCandidate
    from biofact.sources.igvf.records import TermEntity as TermEntity
    from biofact.sources.igvf.records import TranscriptEntity as TranscriptEntity
    from biofact.sources.igvf.records import VariantEntity as VariantEntity
    from biofact.sources.pubmed.client import PubMedClient as PubMedClient
    from biofact.sources.pubmed.records import ArticleSearch as ArticleSearch
    from biofact.sources.pubmed.records import CanonicalPubMedArticle as CanonicalPubMedArticle
    from biofact.sources.pubmed.records import SlimArticle as SlimArticle
    from biofact.sources.pubmed.records import SlimArticleSearch as SlimArticleSearch
    from biofact.transport.stack import Transport as Transport

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
# end

__all__ = list(_HOMES)

__version__ = "0.1.0"


def __getattr__(name: str) -> Any:
    if name not in _HOMES:
        raise AttributeError(f"module 'biofact' has no attribute {name!r}")
    importlib.import_module("biofact.tables")  # gives results their data frames
    return getattr(importlib.import_module(_HOMES[name]), name)


def __dir__() -> list[str]:
    return [*__all__, "__version__"]
