"""What an article says in one sentence of its own: never a word that does not stand in it. Pure."""

import re
from collections.abc import Iterator, Mapping
from typing import Any

from biofact.literature.extraction.fields.claims import key_findings
from biofact.literature.extraction.meanings import canonical_field
from biofact.literature.extraction.text.document import Document, Sentence
from biofact.literature.report.signals import canonical_fields
from biofact.sources.pubmed.records import CanonicalPubMedArticle

LONGEST = 400
"""Characters; a longer sentence is cut at a word."""
SHORTEST = 25

_NO_CLAIM = re.compile(
    r"(?i)\b(?:further|future|additional|more|larger) (?:\w+ ){0,3}"
    r"(?:research|stud(?:y|ies)|trials?|work|investigation)"
    r"|\bregist(?:ration|ered|ry)\b|clinicaltrials|\bfunded\b|\bfunding\b|\bcopyright\b|\bplain[- ]language\b|https?:"
    r"|\bwill\b|^\W*(?:the |main |study )*limitations?\b"
)
"""Sentences at the end that conclude nothing. As in: further research is needed."""
_RESULT = re.compile(r"(?i)\d\s?%.*\d\s?%|\bp\s?(?:=|<|>|\u2264|\u2265)\s?[0.]|\bCIs?\b|\(n\s?=|\bversus \d|\d vs\b")
"""Sentences of figures, before which a conclusion does not begin. As in: 28.8% versus 31.3% (P = 0.18)."""
_BEGINNING = frozenset({"background", "objective", "methods", "participants"})
_LAST = 2
"""Sentences at the end of an abstract without headings among which a conclusion is looked for."""


def claim_of(article: CanonicalPubMedArticle | None, extraction: Mapping[str, Any]) -> str | None:
    """The sentence with which the article concludes, else the first that says what was found; None without either,
    and of a protocol, which has found nothing yet.
    """
    kind = str(canonical_fields(extraction).get("study_type") or "")
    if article is None or not article.abstract or "protocol" in kind.casefold():
        return None
    found = next((text for text in _candidates(article, extraction) if len(text) >= SHORTEST), None)
    return None if found is None else _cut(found)


def _candidates(article: CanonicalPubMedArticle, extraction: Mapping[str, Any]) -> Iterator[str]:
    document = Document(article)
    concluding = [one for one in document.sentences if one.role == "conclusions"]
    yield from (_line(one) for one in concluding if not _NO_CLAIM.search(one.text))
    yield from _extracted(article, extraction)
    finding = key_findings(document)
    if finding is not None and isinstance(finding.value, str):
        yield finding.value
    yield from map(_line, concluding or _last_words(document))


def _last_words(document: Document) -> list[Sentence]:
    """The last sentences, up to the last figures: how an abstract without headings ends."""
    ending: list[Sentence] = []
    for sentence in reversed(document.sentences):
        if _NO_CLAIM.search(sentence.text):
            continue
        if len(ending) == _LAST or _RESULT.search(sentence.text) or sentence.role in _BEGINNING:
            break
        ending.insert(0, sentence)
    return ending


def _extracted(article: CanonicalPubMedArticle, extraction: Mapping[str, Any]) -> Iterator[str]:
    """Findings that were extracted, as far as they stand in the abstract word by word."""
    whole = " ".join((article.abstract or "").split())
    values = [value for name, value in extraction.items() if canonical_field(name) == "key_findings"]
    texts = [one for value in values for one in (value if isinstance(value, list | tuple) else [value])]
    lines = (" ".join(text.split()) for text in texts if isinstance(text, str))
    yield from (line for line in lines if line in whole)


def _line(sentence: Sentence) -> str:
    return " ".join(sentence.whole[sentence.start : sentence.end].split())


def _cut(text: str) -> str:
    if len(text) <= LONGEST:
        return text
    return f"{text[: LONGEST - 1].rpartition(' ')[0]}\u2026"
