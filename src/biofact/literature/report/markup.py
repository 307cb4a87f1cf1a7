"""HTML that its content cannot break, since every text is escaped on insertion, and labels of fields. Pure."""

import html
import re
from collections.abc import Iterable, Mapping
from urllib.parse import quote

from biofact.literature.extraction.fields import FIELDS

_LABELS = {
    **{field.name: field.label for field in FIELDS.values() if field.label},
    "goal_relevance": "Relevance to the goal",
    "n": "n",
    "weighted_sum": "weighted sum",
    "boost_recent": "recent",
    "boost_high_impact": "impact",
    "prefer_review_articles": "review",
    "total_score": "total score",
}
_MEASURES = {
    "HR": "Hazard ratio",
    "OR": "Odds ratio",
    "IRR": "Incidence rate ratio",
    "rate ratio": "Rate ratio",
    "RR": "Risk ratio",
    "PR": "Prevalence ratio",
    "SMD": "Standardised mean difference",
    "WMD": "Weighted mean difference",
    "MD": "Mean difference",
    "RD": "Risk difference",
    "AUC": "Area under the curve",
    "ICC": "Intraclass correlation",
    "kappa": "Kappa",
    "r": "Correlation",
    "beta": "Regression coefficient",
    "ES": "Effect size",
    "NNT": "Number needed to treat",
    "sensitivity": "Sensitivity",
    "ratio": "Ratio",
    "percentage": "Percentage",
    "estimate": "Estimate",
}
_CAPITALS = {"id", "n", "ci", "hr", "or", "rr", "mri", "ct", "auc", "bmi", "rct", "dna", "rna", "ai"}
_BREAKS = re.compile(r"[_\s]+")
_BEGINNING = re.compile(r"([a-z][a-z0-9_]{2,40}): ")
_IN_TEXT = re.compile(r"\b(?:[a-z]+(?:_[a-z0-9]+)+)\b")


def field_label(name: str) -> str:
    """``study_type`` as "Study type", ``effect.value`` as "Effect: value"; names in words stay as they are."""
    if name in _LABELS:
        return _LABELS[name]
    if "." in name:
        first, _, rest = name.partition(".")
        return f"{field_label(first)}: {field_label(rest).lower()}"
    words = [word.upper() if word in _CAPITALS - {"or"} else word for word in _BREAKS.split(name) if word]
    text = " ".join(words) or name
    return text[:1].upper() + text[1:]


def weights_in_words(method: str, shares: Mapping[str, float]) -> str:
    """The parts of a total, such as "weighted_sum of Study type 40%, Sample size 25%"."""
    parts = (f"{field_label(name)} {100 * share:.3g}%" for name, share in shares.items() if share)
    return f"{method} of {', '.join(parts)}"


def measure_label(measure: str) -> str:
    """``HR`` as "Hazard ratio"; a measure that is not known stays as it is written."""
    return _MEASURES.get(measure, measure[:1].upper() + measure[1:])


def sentence_with_labels(text: str) -> str:
    """A sentence with names of fields as words: the one that it begins with, as ``registration: missing``, and known
    ones within, such as ``weighted_sum of sample_size``.
    """
    name = _BEGINNING.match(text)
    if name:
        text = f"{field_label(name[1])}{text[name.end(1) :]}"
    return _IN_TEXT.sub(lambda match: _LABELS.get(match[0], match[0]), text)


_INLINE = frozenset({"a", "b", "i", "bdi", "code", "mark", "q", "span", "strong", "label", "input"})
_VOID = frozenset({"meta", "link", "input"})
# Controls, surrogates, and marks that turn the direction of all that follows.
_INVISIBLE = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069\ud800-\udfff\ufffe\uffff]")
_PMID = re.compile(r"PMID:(\d{1,9})", re.ASCII)
_DOI = re.compile(r"10\.\d{4,9}/\S+", re.ASCII)


class Markup(str):
    """HTML that is already escaped."""

    __slots__ = ()


Attribute = str | int | float | bool | None


def escape(text: str) -> Markup:
    """Untrusted text as HTML, for content and attributes; invisible characters become a replacement mark."""
    if isinstance(text, Markup):
        return text
    return Markup(html.escape(_INVISIBLE.sub("\ufffd", text), quote=True))


def tag(name: str, /, *content: str | None, **attributes: Attribute) -> Markup:
    """An element. Texts inside are escaped, other elements stay; ``aria_label`` is written ``aria-label``.

    An attribute that is None or false is left out, one that is true has no value.
    """
    attribute_text = "".join(_attribute(key, value) for key, value in attributes.items())
    end = "" if name in _INLINE else "\n"
    if name in _VOID:
        return Markup(f"<{name}{attribute_text}>{end}")
    return Markup(f"<{name}{attribute_text}>{join_markup(content)}</{name}>{end}")


def _attribute(key: str, value: Attribute) -> str:
    if value is None or value is False:
        return ""
    name = key.rstrip("_").replace("_", "-")
    return f" {name}" if value is True else f' {name}="{escape(str(value))}"'


def join_markup(parts: Iterable[str | None]) -> Markup:
    """Parts one after another, texts among them escaped."""
    return Markup("".join(escape(part) for part in parts if part))


def isolate(text: str, **attributes: Attribute) -> Markup:
    """A foreign text, whose direction of writing ends with it."""
    return tag("bdi", text, **attributes)


def pubmed_link(pmid: str, *content: str) -> Markup:
    """A link to an article; the words alone if the ID is no PMID."""
    match = _PMID.fullmatch(pmid)
    words = content or (pmid,)
    return _link(f"https://pubmed.ncbi.nlm.nih.gov/{match[1]}/", *words) if match else join_markup(words)


def doi_link(doi: str) -> Markup:
    """A link to the target of a DOI; the words alone if it is none."""
    return _link(f"https://doi.org/{quote(doi, safe='/:;().,_-')}", doi) if _DOI.fullmatch(doi) else escape(doi)


def web_link(url: str | None, words: str) -> Markup:
    """A link to a page; the words alone without an address that begins with https."""
    return _link(url, words) if url and url.startswith("https://") else escape(words)


def _link(url: str, *content: str) -> Markup:
    return tag("a", *content, href=url, rel="noopener noreferrer")


def number(value: float, digits: int = 2) -> str:
    """A number with a fixed count of digits, and a true minus sign."""
    text = f"{value:.{digits}f}"
    return text[1:] if text.startswith("-") and float(text) == 0 else text.replace("-", "\u2212")


def count_in_words(count: int, singular: str) -> str:
    """``1 article``, ``1,204 articles``."""
    return f"{count:,} {singular}{'' if count == 1 else 's'}"


def plain_number(value: float) -> str:
    """A stated number without superfluous digits, and with a true minus sign: ``0.71``, ``12``."""
    text = f"{value:.10g}"
    return text.replace("-", "\u2212")
