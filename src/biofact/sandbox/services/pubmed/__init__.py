"""PubMed's side of the wire, with MeSH's and iCite's: what the sandbox answers, from facts written for the purpose."""

import functools
from pathlib import Path

from biofact.sandbox.dialects.eutils.standin import EutilsStandIn
from biofact.sandbox.services.pubmed.corpus import ArticleCorpus
from biofact.sandbox.services.pubmed.database import PubMedDatabase
from biofact.sandbox.services.pubmed.icite import IciteStandIn
from biofact.sandbox.services.pubmed.mesh import MeshTree
from biofact.sandbox.services.pubmed.mesh_database import MeshDatabase
from biofact.sandbox.services.pubmed.recorded_articles import recorded_articles
from biofact.sandbox.services.pubmed.starters import starter_articles, starter_citations, starter_descriptors
from biofact.sandbox.standin import StandIn

__all__ = ["IciteStandIn", "MeshDatabase", "PubMedDatabase", "stand_ins", "starter_corpus"]


def stand_ins(recordings: Path | None = None) -> list[StandIn]:
    """PubMed, MeSH and iCite over the starter facts; with recordings, PubMed has some 270 articles more."""
    return list(_stand_ins(recordings))


@functools.cache
def _stand_ins(recordings: Path | None) -> tuple[StandIn, ...]:
    """Read once in a process; they keep nothing of what they are asked."""
    corpus = _corpus(recordings) if recordings else starter_corpus()
    mesh = MeshDatabase(MeshTree(starter_descriptors()))
    return EutilsStandIn(PubMedDatabase(corpus)), EutilsStandIn(mesh), IciteStandIn(corpus, starter_citations())


@functools.cache
def starter_corpus() -> ArticleCorpus:
    """The starter articles with their words; read once in a process."""
    return ArticleCorpus(starter_articles(), MeshTree(starter_descriptors()), starter_citations())


def _corpus(recordings: Path) -> ArticleCorpus:
    """The recorded articles, too. A recording of a starter article is replayed, not searched."""
    ours = starter_articles()
    known = {article.pmid for article in ours}
    others = [article for article in recorded_articles(recordings) if article.pmid not in known]
    return ArticleCorpus([*others, *ours], MeshTree(starter_descriptors()), starter_citations())
