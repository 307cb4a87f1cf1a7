"""What ``[Filter]`` and ``[sb]`` find."""

from collections.abc import Callable, Iterator

from biofact.sandbox.services.pubmed.corpus import ArticleCorpus
from biofact.sandbox.services.pubmed.facts import ArticleFacts
from biofact.sandbox.word_index import folded

Claim = Callable[[ArticleFacts], bool]


def find_filter(corpus: ArticleCorpus, phrase: str) -> Iterator[str]:
    """The articles that a filter lets through; none for a filter that there is not."""
    claim = _CLAIMS.get(folded(phrase))
    if claim:
        yield from (pmid for pmid, article in corpus.articles.items() if claim(article))


def _has_type(*names: str) -> Claim:
    return lambda article: bool({*names} & {*article.type_names})


def _has_heading(*names: str) -> Claim:
    return lambda article: any(heading.descriptor.name in names for heading in article.mesh)


def _in_language(code: str) -> Claim:
    return lambda article: code in article.languages


_CLAIMS: dict[str, Claim] = {
    "all": lambda _article: True,
    "hasabstract": lambda article: bool(article.abstract),
    "has abstract": lambda article: bool(article.abstract),
    "free full text": lambda article: bool(article.one_id("pmc")),
    "full text": lambda article: bool(article.one_id("doi")),
    "pubmed pmc": lambda article: bool(article.one_id("pmc")),
    "medline": lambda article: article.status == "MEDLINE",
    "inprocess": lambda article: article.status == "In-Process",
    "publisher": lambda article: article.status == "Publisher",
    "pubmednotmedline": lambda article: article.status == "PubMed-not-MEDLINE",
    "pubmed books": lambda article: article.book is not None,
    "pmcbook": lambda article: article.book is not None,
    "humans": _has_heading("Humans"),
    "animals": _has_heading("Animals"),
    "female": _has_heading("Female"),
    "male": _has_heading("Male"),
    "english": _in_language("eng"),
    "clinicaltrial": _has_type("Clinical Trial", "Clinical Trial, Phase II", "Clinical Trial, Phase III"),
    "randomizedcontrolledtrial": _has_type("Randomized Controlled Trial"),
    "meta analysis": _has_type("Meta-Analysis"),
    "metaanalysis": _has_type("Meta-Analysis"),
    "review": _has_type("Review", "Systematic Review"),
    "systematicreview": _has_type("Systematic Review"),
    "systematic": _has_type("Systematic Review"),
    "casereports": _has_type("Case Reports"),
    "preprint": _has_type("Preprint"),
    "books and documents": lambda article: article.book is not None,
}
"""By their folded names. Each is a selection's claim about one article; NCBI has thousands more."""
