"""NCBI E-utilities: requests, failures, and answers that read alike in JSON and in XML."""

from biofact.dialects.eutils.answers import (
    DatabaseInfo,
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
from biofact.dialects.eutils.errors import ErrorKind, ErrorMessage, found_error, judge
from biofact.dialects.eutils.joined_searches import joined_searches
from biofact.dialects.eutils.links import LinkAnswer, LinkSet, StoredLinks, link_answer
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
from biofact.dialects.eutils.searches import ignored, messages, unbalanced, understood
from biofact.dialects.eutils.service import NCBI
from biofact.dialects.eutils.splitter import docsum_splitter

__all__ = [
    "LARGEST_RETMAX",
    "LAST_PUBMED_RETSTART",
    "NCBI",
    "DatabaseInfo",
    "ErrorKind",
    "ErrorMessage",
    "InfoAnswer",
    "LinkAnswer",
    "LinkSet",
    "LinkType",
    "PostAnswer",
    "SearchAnswer",
    "SearchField",
    "SpellAnswer",
    "StoredLinks",
    "Summaries",
    "docsum_splitter",
    "efetch",
    "einfo",
    "elink",
    "epost",
    "esearch",
    "espell",
    "esummary",
    "found_error",
    "ignored",
    "info_answer",
    "joined_searches",
    "judge",
    "link_answer",
    "messages",
    "post_answer",
    "refusal",
    "search_answer",
    "spell_answer",
    "summaries",
    "unbalanced",
    "understood",
]
