"""Documents that report no study of their own: they are about one, or correct or withdraw one."""

import re
from types import MappingProxyType

from biofact.literature.extraction.text.normal_form import NormalText
from biofact.sources.pubmed.records import CanonicalPubMedArticle

_ALWAYS = MappingProxyType(
    {
        "Published Erratum": "erratum",
        "Retraction Notice": "retraction notice",
        "Retraction of Publication": "retraction notice",
        "Expression of Concern": "expression of concern",
        "News": "news",
        "Newspaper Article": "news",
    }
)
"""Publication types, NLM's, of documents that are never a study."""
_WITHOUT_DESIGN = MappingProxyType({"Editorial": "editorial", "Comment": "comment", "Letter": "letter"})
"""Types of documents that are none unless another type names a design: research letters are letters."""
_DESIGN_TYPES = re.compile(r"Trial|Study|Meta-Analysis|Systematic Review|Case Reports")
"""As in: Randomized Controlled Trial."""
_ERRATUM = re.compile(
    r"(?i)\s*(?:author |publisher )?(?:(?:erratum|corrigend(?:um|a)|errata)\b|correction(?: to| for)?\s*(?:[:.-]|$))"
)
"""As in: Correction: Zinc for colds."""
_RETRACTION = re.compile(r"(?i)\s*(?:notice of )?retraction\b\s*(?:note\b|notice\b|[:.-]|$)")
"""As in: Retraction: Zinc for colds."""
_CONCERN = re.compile(r"(?i)\s*(?:editorial )?expression of concern\b")
"""As in: Expression of concern: Zinc for colds."""
_REPLY = re.compile(
    r"(?i)\s*(?:letter to the editor|(?:authors?['\u2019]?s? )?(?:reply|response) to "
    r"(?:the )?(?:letter|comment|editor|[\w.' -]+ et al))"
)
"""As in: Reply to Smith et al."""
_TITLES = (
    ("erratum", _ERRATUM),
    ("retraction notice", _RETRACTION),
    ("expression of concern", _CONCERN),
    ("letter", _REPLY),
)


def kind_without_study(article: CanonicalPubMedArticle) -> str | None:
    """The kind of a document that reports no study of its own, such as ``erratum``; None for any other."""
    types = article.publication_types
    if always := next((_ALWAYS[name] for name in types if name in _ALWAYS), None):
        return always
    if any(map(_DESIGN_TYPES.search, types)):
        return None
    title = NormalText.of(article.title.lstrip("[")).text
    by_title = next((kind for kind, pattern in _TITLES if pattern.match(title)), None)
    return by_title or next((_WITHOUT_DESIGN[name] for name in types if name in _WITHOUT_DESIGN), None)
