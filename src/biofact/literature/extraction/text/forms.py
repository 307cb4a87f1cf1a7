"""Forms of wording, such as "effect of X on Y", and the phrases that they name in titles and sentences."""

import re
from collections.abc import Callable, Iterable, Iterator
from typing import Literal, NamedTuple

from biofact.literature.extraction.findings import Finding
from biofact.literature.extraction.text.document import Document, Sentence
from biofact.literature.extraction.text.phrases import phrase_between, phrase_from
from biofact.literature.extraction.text.vocabulary import CLAUSE_END, PREPOSITIONS, words

Scope = Literal["title", "aims", "methods", "measured", "anywhere"]

X_END = CLAUSE_END | words("in for among on as with to versus during after before at within from into between")
"""Words at which an intervention ends: zinc *in* children."""
CONTROL_END = CLAUSE_END | words("in for among during after before within on or and as from to with at")
"""Words at which a comparator ends: placebo *for* colds."""
LIST_END = CONTROL_END - frozenset(("with", "and"))
"""Words at which a comparator ends that may be a list: zinc with iron."""

STUDY_WORDS = re.compile(
    r"(?i).{0,160}\b(?:trials?|stud(?:y|ies)|comparison|comparing|compare[ds]?|evaluat(?:e|ed|ing|ion)|analysis"
    r"|assessment|assess(?:ed)?|use|utili[sz]ation|efficacy|effectiveness|safety|effects?|impact|influence|role"
    r"|administration|addition|benefits?|outcomes?|superiority|tolerability|results?|feasibility|performance"
    r"|accuracy|investigat(?:e|ed|ing)|determined?|examined?|whether|explored?|value|activity|reviewed|risks?)"
    r"(?: (?:of|with|using|between|for|from|comparing))*\s"
)
"""Words that lead up to the thing itself, such as "to compare the efficacy of". As in: a trial of aspirin."""
LONGEST_LEAD = 200
"""Characters before a match that can hold the phrase."""
ALTERNATIVES = re.compile(r"\b(?:versus|vs|or|and|compared)\b")
"""As in: aspirin or clopidogrel."""
PART = re.compile(r"[^:,;.]+")
"""As in: stroke, acute."""
QUALITY = re.compile(
    r"(?i)^(?:[\w-]+(?:ive|ic|al|ary|ous|ed|ing)|open|early|late|high|low|short|long|immediate|delayed|single|dual|double"
    r"|standard|routine|oral|topical|daily|weekly|local|general|regional|total|partial|active|restricted|tight"
    r"|manual|primary|secondary)$"
)
"""An adjective of a treatment whose name follows: early versus late surgery. As in: early."""
CLAUSE = re.compile(
    r"(?i)\b(?:is|are|was|were|be|been|has|have|had|did|does|can|will|may|affects?|improves?|reduces?|increases?"
    r"|decreases?|predicts?|influences?|prevents?|promotes?|causes?|leads?|plays?|show(?:s|ed)?|we|it|they|which"
    r"|who|that)\b"
)
"""Words that a phrase for a thing does not have. As in: aspirin reduces mortality."""
UNSOUND = re.compile(
    r"(?i)^(?:\d+(?:[.,]\d+)?%?(?: (?:and|of|to|patients|mg))?|"
    r"(?:two|three|four|these|those|other|such|it|they|we|one|different|various)"
    r"(?: (?:groups?|arms?|studies|methods|types|approaches))?|interventions?|treatments?|therap(?:y|ies)"
    r"|management|drugs?|surgery|screening|(?:the |these )?(?:disorders?|diseases?|exposures?|factors?|groups?"
    r"|symptoms?|changes?|variables|procedures?|techniques?|methods?|approach|analysis|study|administration|follow-up"
    r"|use|effects?|role)|(?:other|previous|prior|conventional|same|present|current) "
    r"(?:studies|reports|literature|findings)|baseline|each other|not|no|none|one another|that)$|^"
    r"(?:we|it|there|this|they|he|she|however|although)\b"
)
"""As in: two groups."""


class Form(NamedTuple):
    """A way of writing, where to search for it, and which group holds the phrase."""

    scope: Scope
    pattern: re.Pattern[str]
    group: str = "x"
    stops: frozenset[str] = X_END
    is_whole: bool = False
    """The phrase is the whole group, or all text before the match; else it only begins with the group."""
    most_words: int = 10
    accepts: Callable[[str], bool] = lambda _: True


def read_forms(document: Document, forms: Iterable[Form], *, excluded: Finding | None = None) -> Finding | None:
    """The phrase of the first form that fits and is not the ``excluded`` one; forms come best first."""
    for form in forms:
        for sentence in sentences(document, form.scope):
            finding = phrase_of_form(sentence, form)
            if finding is not None and not (excluded and is_same_phrase(finding, excluded)):
                return finding
    return None


def is_same_phrase(first: Finding, second: Finding) -> bool:
    """Whether one phrase holds the other."""
    first_text, second_text = str(first.value).lower(), str(second.value).lower()
    return first_text == second_text or (
        (first_text in second_text or second_text in first_text) and not ALTERNATIVES.search(second_text)
    )


def phrase_of_form(sentence: Sentence, form: Form) -> Finding | None:
    """The phrase that the form names in the sentence."""
    for match in sentence.matches_plain(form.pattern):
        if form.is_whole:
            finding = whole_phrase(sentence, match, form)
        else:
            finding = phrase_from(sentence, match.start(form.group), stops=form.stops, most_words=form.most_words)
        text = str(finding.value) if finding else ""
        if finding and is_sound(text) and form.accepts(text.lower()):
            return finding
    return None


def whole_phrase(sentence: Sentence, match: re.Match[str], form: Form) -> Finding | None:
    """All of the group, without the study's own words in front of it."""
    if form.group in match.re.groupindex:
        start, end = clause_of(sentence.plain, *match.span(form.group), is_first=True)
    else:  # the phrase stands before the match: aspirin versus placebo
        lead_start = max(0, match.start() - LONGEST_LEAD)
        start, end = clause_of(sentence.plain, lead_start, match.start(), is_first=False)
    if lead := STUDY_WORDS.match(sentence.plain, start, end):
        start = lead.end()
    finding = phrase_between(sentence, start, end, most_words=form.most_words)
    if finding is not None and CLAUSE.search(str(finding.value)):
        return None
    is_adjective = finding is not None and bool(QUALITY.search(str(finding.value)))
    if is_adjective and "y" in match.groupdict():  # early versus late surgery: the noun follows the other
        noun_phrase = phrase_from(sentence, match.start("y"), stops=form.stops, most_words=4)
        last = noun_phrase.evidence[0].end if noun_phrase else None
        return phrase_between(sentence, start, (last or 0) - sentence.start) if last else finding
    return finding


def clause_of(text: str, start: int, end: int, *, is_first: bool) -> tuple[int, int]:
    """The first part of a list, or the last before the form."""
    parts = [(match.start(), match.end()) for match in PART.finditer(text, start, end)]
    if not parts:
        return start, end
    return next((part for part in parts if text[part[0] : part[1]].strip()), parts[0]) if is_first else parts[-1]


def is_sound(value: str) -> bool:
    """Whether the phrase names a thing rather than a number or a pronoun."""
    return not UNSOUND.search(value) and any(word.lower() not in PREPOSITIONS for word in value.split())


def sentences(document: Document, scope: Scope) -> Iterator[Sentence]:
    """The sentences in which a form is searched for."""
    if scope in {"title", "aims"}:
        yield document.title
    if scope == "title":
        return
    roles = {
        "aims": ("objective",),
        "methods": ("methods", "participants", "intervention", "outcome", ""),
        "measured": ("objective", "methods", "participants", "intervention", "outcome", "results", ""),
        "anywhere": ("objective", "methods", "participants", "intervention", "outcome", "results", "conclusions", ""),
    }[scope]
    yield from (sentence for sentence in document.sentences if sentence.role in roles)
