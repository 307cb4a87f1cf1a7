"""NCBI E-utilities: requests, failures, and answers that read alike in JSON and in XML."""

from biofact.dialects.eutils.answers import (
    LinkAnswer,
    LinkSet,
    LinkType,
    PostAnswer,
    SearchAnswer,
    SearchField,
    SpellAnswer,
    StoredLinks,
    Summaries,
    docsum_splitter,
    info_answer,
    link_answer,
    post_answer,
    search_answer,
    spell_answer,
    summaries,
)
from biofact.dialects.eutils.articles import ARTICLES, ArticleSummary, article_summary
from biofact.dialects.eutils.errors import ErrorMessage, found_error, judge, refusal
from biofact.dialects.eutils.service import (
    LARGEST_RETMAX,
    NCBI,
    efetch,
    einfo,
    elink,
    epost,
    esearch,
    espell,
    esummary,
    ignored,
    joined_searches,
    messages,
    run_search,
    syntax_problem,
)
