"""The values of a field: mentions of one thing taken together."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache

from biofact.literature.extraction.findings import Finding
from biofact.literature.extraction.rules.comparison import intervention
from biofact.literature.extraction.rules.labelling.abbreviations import LongForm, long_forms
from biofact.literature.extraction.rules.labelling.spans import MOST_WORDS, Span
from biofact.literature.extraction.rules.text import Document, Sentence
from biofact.literature.extraction.rules.vocabulary import words
from biofact.literature.extraction.stems import STOP_WORDS, stem

FULLER = 2
"""A mention with more than so many times the words (and two) says something else beside."""
KNOWN = 10_000
"""Words whose stems are remembered."""
COMMON_WORDS = words(
    "group groups arm arms treatment therapy patients participants subjects control controls intervention condition"
)
"""Words that tell no two values apart, unless there are no others."""
WORD = re.compile(r"[^\s()\[\],;]+")
"""As in: aspirin."""
PART = re.compile(r"[^\W_]+")
"""As in: low."""
SHORT_FORM_BEHIND = re.compile(r"\s?[(\[]([^\s()\[\]]{2,12})[)\]]")
"""As in: (HFS)."""


@dataclass(slots=True)
class Value:
    """Mentions of one thing."""

    stems: frozenset[str]
    mentions: list[Span]
    wordings: list[frozenset[str]]
    """The stems of each mention."""

    @property
    def sureness(self) -> float:
        """How likely the surest mention is of the field."""
        return max(each.share for each in self.mentions)


@dataclass(frozen=True)
class Values:
    """All values of an article."""

    by_field: Mapping[str, Sequence[Value]]
    sentences: int
    long_forms: Mapping[str, LongForm]
    worded: frozenset[str]
    """The stems of the intervention as its wording tells it; none where it does not."""

    @cached_property
    def first(self) -> Mapping[str, tuple[int, int]]:
        """Where each field is first mentioned: sentence and token."""
        return {
            field: min((each.order, each.first) for value in values for each in value.mentions)
            for field, values in self.by_field.items()
        }


def values_of(document: Document, spans: Sequence[Span]) -> Values:
    """The values of each field; a mention joins the first whose words it has, or which has its words."""
    long = document.once(long_forms)
    found: dict[str, list[Value]] = {}
    for span in spans:
        stems = _stems(span.text, long)
        if not stems:
            continue
        values = found.setdefault(span.field, [])
        same = next((value for value in values if _is_of(stems, value)), None)
        if same is None:
            values.append(Value(stems, [span], [stems]))
        else:
            same.mentions.append(span)
            same.wordings.append(stems)
            if len(stems) <= FULLER * len(same.stems) + FULLER:
                same.stems |= stems
    worded = document.once(intervention)
    return Values(found, len(document.all_sentences), long, _stems(str(worded.value), long) if worded else frozenset())


def _is_of(stems: frozenset[str], value: Value) -> bool:
    """Whether a mention has all words of one that the value has, or the other way round."""
    for wording in value.wordings:  # noqa: SIM110  # any() of a generator takes longer than the comparisons
        if stems <= wording or wording <= stems:
            return True
    return False


def _stems(text: str, long: Mapping[str, LongForm]) -> frozenset[str]:
    """The stems that tell it apart, short forms written out."""
    written_out = [long[word].text if word in long else word for word in WORD.findall(text)]
    each = list(map(_stems_of_word, written_out))
    return frozenset().union(*(kept for kept, _ in each)) or frozenset().union(*(every for _, every in each))


@lru_cache(maxsize=KNOWN)
def _stems_of_word(word: str) -> tuple[frozenset[str], frozenset[str]]:
    """The stems of its parts that tell something apart, and all of them."""
    each = PART.findall(word.lower())
    kept = {stem(part) for part in each if not (part in STOP_WORDS or part in COMMON_WORDS or part.isdigit())}
    return frozenset(kept), frozenset(map(stem, each))


def is_worded(own: frozenset[str], values: Values) -> bool:
    """Whether stems of a mention hold those by which wording tells the intervention, or they them, or half are common.

    Two ways of reading that know nothing of each other are seldom wrong together.
    """
    worded = values.worded
    shared = len(own & worded)
    return bool(shared) and (own <= worded or worded <= own or 4 * shared >= len(own) + len(worded))


def finding_of(span: Span, long: Mapping[str, LongForm]) -> Finding:
    """A mention as a value on its quote: a short form by its long one, a long form with the short one behind it."""
    text = span.text
    if (form := long.get(text) or long.get(text.removesuffix("s"))) and len(form.text.split()) <= MOST_WORDS:
        start = form.start
        return _quoted(form.sentence.whole[start : start + len(form.text)], form.sentence, start)
    whole, first = span.sentence.whole, span.tokens[0].start
    start = whole.find(text, first)
    if start < 0:  # blanks were made one
        return Finding(text, (span.sentence.evidence(first, span.tokens[-1].end),))
    behind = SHORT_FORM_BEHIND.match(whole, start + len(text))
    if behind and behind[1] in long and len(text.split()) < MOST_WORDS:
        text = whole[start : behind.end()]
    return _quoted(text, span.sentence, start)


def _quoted(text: str, sentence: Sentence, start: int) -> Finding:
    return Finding(text, (sentence.evidence(start, start + len(text)),))
