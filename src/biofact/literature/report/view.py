"""The articles of a page as a reader sees them: name, conclusion, reasons for caution, words of the goal. Pure.

A conclusion is a sentence of the article: never a word that does not stand in it.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, NamedTuple

from biofact.literature.exports import author_names
from biofact.literature.extraction.fields.claims import key_findings
from biofact.literature.extraction.meanings import canonical_field
from biofact.literature.extraction.text.document import Document, Sentence
from biofact.literature.ranking.candidates import RankedRow
from biofact.literature.relevance import GoalConcept, PhraseFinder
from biofact.literature.report.markup import Markup, escape, isolate, join_markup, pubmed_link, tag
from biofact.sources.pubmed.records import CanonicalPubMedArticle

SMALL = 100
"""Participants below which a study counts as small; our choice, some 50 in each of two arms."""

_SHADES = {
    **dict.fromkeys(("retracted", "partially_retracted"), "grave"),
    **dict.fromkeys(("expression_of_concern", "preprint", "retraction_notice"), "doubtful"),
}
_NO_PARTICIPANTS = ("review", "meta", "protocol", "guideline", "editorial", "comment", "letter", "case report")
"""Kinds of article whose number is not one of participants, or says nothing of how sure its result is."""
_REGISTRIES = ("clinicaltrials", "isrctn", "eudract", "anzctr", "chictr", "ctri", "drks", "umin", "jprn", "ntr", "irct")


class Signal(NamedTuple):
    """A reason for caution."""

    words: str
    shade: str
    points_to: tuple[str, ...] = ()
    """The PMIDs behind it."""


def signals(row: RankedRow, *, is_registration_read: bool) -> list[Signal]:
    """The signals of one article, gravest first; a missing registration counts only if registration was extracted."""
    results = [
        Signal(flag.kind.replace("_", " ").capitalize(), _SHADES.get(flag.kind, "mild"), flag.points_to)
        for flag in row.flags
    ]
    fields = canonical_fields(row.candidate.extraction)
    kind = str(fields.get("study_type") or "").casefold()
    counts_people = not any(word in kind for word in _NO_PARTICIPANTS)
    is_trial = counts_people and ("trial" in kind or "randomi" in kind)
    if is_registration_read and is_trial and not _is_registered(row, fields):
        results.append(Signal("No registration stated", "doubtful"))
    size = fields.get("sample_size", fields.get("participant_count"))
    if isinstance(size, int | float) and not isinstance(size, bool) and 0 < size < SMALL and counts_people:
        results.append(Signal(f"Small (n = {size:g})", "doubtful"))
    return results


def reads_registration(rows: Sequence[RankedRow]) -> bool:
    """Whether registration was extracted at all."""
    return any(
        canonical_field(name) == "registration"
        for row in rows
        for name in (*row.candidate.breakdown, *row.candidate.extraction)
    )


def canonical_fields(extraction: Mapping[str, Any]) -> dict[str, Any]:
    """The values of an extraction under the names that the rules have for their fields, the first of each."""
    fields: dict[str, Any] = {}
    for name, value in extraction.items():
        fields.setdefault(canonical_field(name) or name, value)
    return fields


def _is_registered(row: RankedRow, fields: Mapping[str, Any]) -> bool:
    banks = row.candidate.article.data_banks if row.candidate.article else ()
    return bool(fields.get("registration")) or any(
        bank.name.casefold().startswith(_REGISTRIES) or bank.name.casefold() in _REGISTRIES for bank in banks
    )


LONGEST = 400
"""Characters; a longer sentence is cut at a word."""
SHORTEST = 25

_NO_CLAIM = re.compile(
    r"(?i)\b(?:further|future|additional|more|larger) (?:\w+ ){0,3}"
    r"(?:research|stud(?:y|ies)|trials?|work|investigation)|\bregist(?:ration|ered|ry)\b|clinicaltrials|\bfunded\b"
    r"|\bfunding\b|\bcopyright\b|\bplain[- ]language\b|https?:|\bwill\b|^\W*(?:the |main |study )*limitations?\b"
)
"""Sentences at the end that conclude nothing. As in: further research is needed."""
_RESULT = re.compile(r"(?i)\d\s?%.*\d\s?%|\bp\s?(?:=|<|>|\u2264|\u2265)\s?[0.]|\bCIs?\b|\(n\s?=|\bversus \d|\d vs\b")
"""Sentences of figures, before which a conclusion does not begin. As in: 28.8% versus 31.3% (P = 0.18)."""
_BEGINNING = frozenset({"background", "objective", "methods", "participants"})
_LAST = 2
"""Sentences at the end of an abstract without headings among which a conclusion is looked for."""


def claim_of(article: CanonicalPubMedArticle | None, extraction: Mapping[str, Any]) -> str | None:
    """The sentence with the article's conclusion, else the first with a finding; None without either,
    and of a protocol, which has found nothing yet.
    """
    kind = str(canonical_fields(extraction).get("study_type") or "")
    if article is None or not article.abstract or "protocol" in kind.casefold():
        return None
    claim = next((text for text in _candidates(article, extraction) if len(text) >= SHORTEST), None)
    return None if claim is None else _cut(claim)


def _candidates(article: CanonicalPubMedArticle, extraction: Mapping[str, Any]) -> Iterator[str]:
    document = Document(article)
    conclusions = [sentence for sentence in document.sentences if sentence.role == "conclusions"]
    yield from (_line(sentence) for sentence in conclusions if not _NO_CLAIM.search(sentence.text))
    yield from _extracted(article, extraction)
    finding = key_findings(document)
    if finding is not None and isinstance(finding.value, str):
        yield finding.value
    # rather a conclusion that claims little than none
    yield from map(_line, conclusions or _last_words(document))


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
    """Extracted findings that are in the abstract word by word."""
    whole = " ".join((article.abstract or "").split())
    values = [value for name, value in extraction.items() if canonical_field(name) == "key_findings"]
    texts = [text for value in values for text in (value if isinstance(value, list | tuple) else [value])]
    lines = (" ".join(text.split()) for text in texts if isinstance(text, str))
    yield from (line for line in lines if line in whole)


def _line(sentence: Sentence) -> str:
    return " ".join(sentence.whole[sentence.start : sentence.end].split())


def _cut(text: str) -> str:
    if len(text) <= LONGEST:
        return text
    return f"{text[: LONGEST - 1].rpartition(' ')[0]}\u2026"


def anchor(row: RankedRow) -> str:
    """The place of an article on the page."""
    return f"article-{row.rank}"


def study_name(row: RankedRow) -> str:
    """``Aalto 2023``, as reviews name a study; the ID of one without authors."""
    article = row.candidate.article
    if article is None:
        return row.candidate.item_id
    author = next(iter(author_names(article)), None)
    first = (author.last or author.group) if author else article.id
    return f"{first} {article.year}" if article.year else first


def in_short(article: CanonicalPubMedArticle) -> Iterator[str]:
    """First author, journal and year, as far as they are known."""
    if article.authors:
        has_others = len(article.authors) > 1 or (article.author_count or 0) > 1
        yield article.authors[0] + (" et al." if has_others else "")
    yield from filter(None, (article.journal, str(article.year) if article.year else None))


def signal_list(signals: Sequence[Signal], *, is_linked: bool) -> Markup | None:
    """Reasons for caution, as a list of labels."""
    if not signals:
        return None
    items = []
    for signal in signals:
        links = Markup(", ".join(map(pubmed_link, signal.points_to if is_linked else ())))
        items.append(tag("li", signal.words, ": " if links else None, links, class_=signal.shade))
    return tag("ul", *items, class_="flags")


GOAL_CLASS = "goal"
"""The class of a word of the goal; it is underlined, since colours belong to the evidence."""


class ArticleView:
    """The articles of one report, as a reader with the goal sees them."""

    def __init__(self, rows: Sequence[RankedRow], concepts: Sequence[GoalConcept], *, detailed: int) -> None:
        self._detailed = detailed
        self._finder = PhraseFinder([concept.phrases for concept in concepts])
        is_registration_read = reads_registration(rows)
        articles = [row.candidate for row in rows]
        self._claims = {article.item_id: claim_of(article.article, article.extraction) for article in articles}
        self._signals = {row.candidate.item_id: signals(row, is_registration_read=is_registration_read) for row in rows}

    def claim(self, row: RankedRow) -> str | None:
        """The sentence with which the article concludes."""
        return self._claims.get(row.candidate.item_id)

    def signals(self, row: RankedRow) -> list[Signal]:
        """Reasons for caution about the article."""
        return self._signals.get(row.candidate.item_id, [])

    def link(self, row: RankedRow, *content: str, class_: str | None = None) -> Markup:
        """A link to the article's place on the page, or to PubMed if its details are not on the page."""
        if row.rank <= self._detailed:
            return tag("a", *content, href=f"#{anchor(row)}", class_=class_)
        return tag("span", pubmed_link(row.candidate.item_id, *content), class_=class_)

    def goal_spans(self, text: str) -> list[tuple[int, int]]:
        """The spans of words of the goal in a text; spans that touch or overlap are one."""
        spans: list[tuple[int, int]] = []
        for match in self._finder.matches(text):
            if spans and match.start <= spans[-1][1]:
                spans[-1] = (spans[-1][0], max(match.end, spans[-1][1]))
            else:
                spans.append((match.start, match.end))
        return spans

    def with_goal_marked(self, text: str) -> Markup:
        """A foreign text with the words of the goal marked."""
        parts: list[str] = []
        done = 0
        for start, end in self.goal_spans(text):
            parts += [escape(text[done:start]), tag("span", text[start:end], class_=GOAL_CLASS)]
            done = end
        return isolate(join_markup([*parts, escape(text[done:])]))
