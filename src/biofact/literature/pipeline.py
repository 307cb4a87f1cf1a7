"""What can be asked of the literature pipeline: the tools beside PubMed's own."""

from biofact.sources.pubmed.client import PubMedClient


class Pipeline(PubMedClient):
    """A goal to queries, articles to features, features to scores, scores to a ranking."""
