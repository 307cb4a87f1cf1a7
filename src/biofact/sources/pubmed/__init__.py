"""PubMed: queries to articles, PMIDs to checked records, and what became of them since."""

PUBLIC_RECORDS = ("ArticleSearch", "CanonicalPubMedArticle", "SlimArticle", "SlimArticleSearch")
"""The records that ``biofact`` exports, besides the client."""
