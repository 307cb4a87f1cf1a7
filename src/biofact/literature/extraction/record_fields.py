"""Fields that a record holds outright, such as its year: what a schema's names mean there. Pure."""

from collections.abc import Callable, Mapping
from typing import Any

from biofact.literature.extraction.fields import Kind
from biofact.literature.extraction.findings import Finding, span
from biofact.literature.records import Evidence
from biofact.sources.pubmed.records import CanonicalPubMedArticle

Texts = Callable[[CanonicalPubMedArticle], list[str]]

KINDS: frozenset[Kind] = frozenset(("string", "array", "any"))
NUMBERS: frozenset[Kind] = frozenset(("number", "integer"))

_NAMES: Mapping[str, str] = {
    "title": "title article_title paper_title",
    "year": "year publication_year pub_year year_of_publication published_year",
    "publication_date": "publication_date date_of_publication pub_date published date",
    "journal": "journal journal_name journal_title",
    "doi": "doi",
    "authors": "authors author_list author_names",
    "keywords": "keywords key_words author_keywords",
    "mesh": "mesh mesh_terms mesh_headings",
    "grants": "funding funders funding_sources funder grants sponsors",
    "conflict_of_interest": "conflict_of_interest conflicts_of_interest competing_interests coi",
    "language": "language languages",
}
_FIELDS = {name: field for field, names in _NAMES.items() for name in names.split()}
_TEXTS: Mapping[str, Texts] = {
    "mesh": lambda article: [heading.name for heading in article.mesh],
    "grants": lambda article: list(dict.fromkeys(grant.agency for grant in article.grants if grant.agency)),
}


def field_of_record(plain_name: str, kind: Kind) -> str | None:
    """The field of a record that a name means, where it can be expressed as that kind."""
    name = _FIELDS.get(plain_name)
    kinds = KINDS | NUMBERS if name == "year" else KINDS | {"date"} if name == "publication_date" else KINDS
    return name if kind in kinds else None


def record_finding(article: CanonicalPubMedArticle, name: str) -> Finding | None:
    """What the record holds in that field."""
    value: Any = _TEXTS[name](article) if name in _TEXTS else getattr(article, name)
    if not value:
        return None
    if name == "title":
        return Finding(value, (span("title", value, 0, len(value)),))
    quotes = value if isinstance(value, list) else [str(value)]
    return Finding(value, tuple(Evidence(where=name, quote=quote) for quote in quotes))
