"""Flags of an article: retracted, doubted, corrected, not reviewed. Pure."""

from biofact.literature.ranking.candidates import Flag
from biofact.sources.pubmed.records import CanonicalPubMedArticle, StatusKind

_GRAVEST_FIRST: tuple[StatusKind, ...] = (
    "retracted",
    "partially_retracted",
    "expression_of_concern",
    "corrected",
    "republished",
    "updated",
    "preprint",
    "retraction_notice",
    "expression_of_concern_notice",
    "correction_notice",
    "update",
    "published_preprint",
)
_BY_TYPE: dict[str, StatusKind] = {"Retracted Publication": "retracted", "Preprint": "preprint"}


def flags(article: CanonicalPubMedArticle | None) -> tuple[Flag, ...]:
    """What became of the article, gravest first, each kind once with all that it points to."""
    if article is None:
        return ()
    results: dict[str, dict[str, None]] = {}
    for status in article.status:
        points_to = results.setdefault(status.kind, {})
        if status.points_to:
            points_to[status.points_to] = None
    silent = [kind for name, kind in _BY_TYPE.items() if name in article.publication_types]
    for kind in (*silent, *(["retracted"] if article.retracted else [])):
        if not (kind == "retracted" and "partially_retracted" in results):
            results.setdefault(kind, {})
    return tuple(Flag(kind, tuple(results[kind])) for kind in _GRAVEST_FIRST if kind in results)


def is_retracted(marked: tuple[Flag, ...]) -> bool:
    """Whether it was retracted, wholly or in part."""
    return any(flag.kind in {"retracted", "partially_retracted"} for flag in marked)


def is_preprint(marked: tuple[Flag, ...]) -> bool:
    """Whether it is a preprint, which no peer has reviewed."""
    return any(flag.kind == "preprint" for flag in marked)
