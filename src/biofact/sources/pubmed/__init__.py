"""PubMed: queries to articles, PMIDs to checked records, and what became of them since."""

PUBLIC_RECORDS = ("ArticleSearch", "CanonicalPubMedArticle", "SlimArticle", "SlimArticleSearch")
"""What ``biofact`` offers of ``records``, besides the client."""
