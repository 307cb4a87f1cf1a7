"""What became of an article since: retracted, corrected, updated; and what it says of another."""

import re
from collections.abc import Iterator

from biofact.sources.pubmed.parse.elements import content, leaf
from biofact.sources.pubmed.records import Status, StatusKind

# RefType of CommentsCorrections (DTD of January 2025). Those that are left out, such as CommentIn, change nothing.
_KINDS: dict[str, StatusKind] = {
    "RetractionIn": "retracted",
    "RetractedandRepublishedIn": "retracted",
    "PartialRetractionIn": "partially_retracted",
    "RetractionOf": "retraction_notice",
    "PartialRetractionOf": "retraction_notice",
    "ErratumIn": "corrected",
    "CorrectedandRepublishedIn": "corrected",
    "ErratumFor": "correction_notice",
    "ExpressionOfConcernIn": "expression_of_concern",
    "ExpressionOfConcernFor": "expression_of_concern_notice",
    "RepublishedIn": "republished",
    "RepublishedFrom": "republished",
    "CorrectedandRepublishedFrom": "republished",
    "RetractedandRepublishedFrom": "republished",
    "UpdateIn": "updated",
    "UpdateOf": "update",
}
# Publication types that say the same where nothing is pointed to.
_TYPES: dict[str, StatusKind] = {
    "Retracted Publication": "retracted",
    "Retraction of Publication": "retraction_notice",
    "Retraction Notice": "retraction_notice",
    "Published Erratum": "correction_notice",
    "Expression of Concern": "expression_of_concern_notice",
    "Corrected and Republished Article": "republished",
    "Preprint": "preprint",
}
_LINK = re.compile(
    rf"""<CommentsCorrections\s[^>]*?RefType\s*=\s*["']({"|".join(_KINDS)})["'][^>]*>(.*?)</CommentsCorrections>""",
    re.DOTALL,
)
_PREPRINT_SERVER = re.compile(r"\b\w{0,6}rxiv\b|\bres(?:earch)? sq(?:uare)?\b|\bssrn\b|\bpreprints?\b", re.IGNORECASE)


def status(xml: str, publication_types: list[str]) -> list[Status]:
    """All that became of the article, those that point somewhere first."""
    links = list(_pointing(content(xml, "CommentsCorrectionsList"), is_preprint="Preprint" in publication_types))
    kinds = {one.kind for one in links}
    if "partially_retracted" in kinds:
        kinds.add("retracted")
    silent = dict.fromkeys(kind for name, kind in _TYPES.items() if name in publication_types)
    return [*links, *(Status(kind) for kind in silent if kind not in kinds)]


def _pointing(xml: str, *, is_preprint: bool) -> Iterator[Status]:
    for name, link in _LINK.findall(xml):
        kind, pmid, source = _KINDS[name], leaf(link, "PMID"), leaf(link, "RefSource")
        if kind == "updated" and is_preprint:
            kind = "preprint"
        if kind == "update" and source and _PREPRINT_SERVER.search(source):
            kind = "published_preprint"
        yield Status(kind, f"PMID:{pmid}" if pmid else None, source, leaf(link, "Note"))
