"""From a goal to a ranking: query, articles, features, scores. Every value has its quote as evidence."""

PUBLIC_NAMES = {
    "query.records": ("CanonicalPubMedQuery",),
    "ranking.request": ("ArticleFilters", "RankingCriteria"),
    "records": (
        "CanonicalPubMedExtraction",
        "CanonicalScoredArticle",
        "SlimCanonicalPubMedExtraction",
        "SlimCanonicalScoredArticle",
    ),
    "scoring.criteria": ("ScoringCriteria",),
}
"""The public names besides the client, by module."""
