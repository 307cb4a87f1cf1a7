"""NCBI E-utilities: requests, failures, and answers whose JSON and XML twins read alike."""

from biofact.dialects.eutils.answers import (
    Database,
    InfoAnswer,
    LinkType,
    PostAnswer,
    SearchAnswer,
    SearchField,
    SpellAnswer,
    Summaries,
    info_answer,
    post_answer,
    search_answer,
    spell_answer,
    summaries,
)
from biofact.dialects.eutils.errors import ErrorKind, ErrorWords, found_error, judge
from biofact.dialects.eutils.joined import joined_searches
from biofact.dialects.eutils.links import History, LinkAnswer, LinkSet, link_answer
from biofact.dialects.eutils.refusals import refusal
from biofact.dialects.eutils.requests import (
    LARGEST_RETMAX,
    LAST_PUBMED_RETSTART,
    efetch,
    einfo,
    elink,
    epost,
    esearch,
    espell,
    esummary,
)
from biofact.dialects.eutils.service import NCBI
from biofact.dialects.eutils.splitter import DocsumSplitter

__all__ = [
    "LARGEST_RETMAX",
    "LAST_PUBMED_RETSTART",
    "NCBI",
    "Database",
    "DocsumSplitter",
    "ErrorKind",
    "ErrorWords",
    "History",
    "InfoAnswer",
    "LinkAnswer",
    "LinkSet",
    "LinkType",
    "PostAnswer",
    "SearchAnswer",
    "SearchField",
    "SpellAnswer",
    "Summaries",
    "efetch",
    "einfo",
    "elink",
    "epost",
    "esearch",
    "espell",
    "esummary",
    "found_error",
    "info_answer",
    "joined_searches",
    "judge",
    "link_answer",
    "post_answer",
    "refusal",
    "search_answer",
    "spell_answer",
    "summaries",
]
