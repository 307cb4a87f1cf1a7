"""What the authors say they present, what they say is new in it, and what they say they found: whole sentences."""

import re
from collections.abc import Callable, Iterable

from biofact.literature.extraction.findings import Finding, with_others
from biofact.literature.extraction.rules.phrases import whole_sentence
from biofact.literature.extraction.rules.text import Document, Sentence

_AUTHORS = (
    r"(?:\bwe\b|\b(?:this|the present|the current|our|present) (?:\w+ )?"
    r"(?:paper|study|article|work|review|report|chapter|analysis|survey|manuscript|unit|research|trial|protocol)\b)"
)
_ADVERBS = r"(?:,? (?!previously|recently)(?:[a-z]+ly|also|here|herein|now|then|therefore|have|has|shall|will),?){0,3}"
_OTHERS = r"(?:previous(?:ly)?|earlier|prior)"

MAKES = re.compile(
    rf"(?i){_AUTHORS}{_ADVERBS} (?:present|introduc|propos|develop|describ|report|devis|design|implement|releas|build"
    r"|built|construct|creat|synthesi[sz]|engineer|establish|offer|outlin|summari[sz]|provid|discuss|review)"
    r"(?:e|e?s|e?d)?\b(?! (?:on )?(?:a |all |the )?(?:\d+ )?"
    r"(?:patients?|participants?|cases|questionnaires?|(?:medical )?records|charts|informed|consent|data)\b)"
)
"""What an article makes or brings. As in: we introduce a new method."""
MADE = re.compile(
    r"(?i)(?:\ba (?:new|novel)\b.{3,200}\b(?:is|was|are|were|has been)|\b(?:new|novel)\b.{3,200}\b(?:are|were))"
    r" (?:\w+ly )?(?:presented|proposed|introduced|described|developed)\b"
    r"|\b(?:is|are) (?:presented|proposed|introduced|described|reported|revealed|reviewed|discussed)"
    r"(?: here(?:in)?\b|,? in (?:this|the present) (?:paper|article|study|work|report|review|chapter))"
)
"""The same in the passive. As in: a new algorithm is presented."""
FIRST = re.compile(
    r"(?i)\bfor the first time\b|\b(?:this|it|ours|here) (?:\w+ )?(?:is|was|represents)(?:, to our knowledge,)? "
    r"the first\b|\b(?:we|our \w+) [^.;]{0,60}\bthe first (?:\w+ ){0,3}"
    r"(?:to|of|that|report|study|case|cases|evidence|example|description|demonstration|map|genome)\b"
)
"""What is called the first of its kind. As in: this is the first report."""
NEW = re.compile(
    r"(?i)\b(?:novel|unprecedented|innovative|previously (?:unknown|unreported|undescribed|unrecogni[sz]ed)"
    r"|new (?:\S+ ){0,4}?(?:method|approach|model|technique|tool|algorithm|framework|system|strategy|class|species"
    r"|mechanism|pathway|environment|software|resource|protocol|instrument|assay|paradigm|architecture|network)s?)\b"
)
"""What is called new. As in: a novel algorithm."""
_SHOW = r"(?:show|demonstrat|reveal|identif|discover|establish|uncover|highlight)(?:ie[sd]|e?s|e?d|y|n|e)?\b"
_FIND = r"(?:find|found|observ|detect|confirm|conclud|suggest|indicat|support|provid\w* evidence)(?:e?s|e?d|e)?\b"
_RESULTS = (
    r"\b(?:these|our|the|present) (?:\w+ )?(?:results?|findings?|data|observations?|evidence)"
    r"(?: (?:of|from|in) (?:this|our|the present) \w+)?(?: \w+ly)?"
)
SHOWS = re.compile(rf"(?i)(?:{_AUTHORS}{_ADVERBS}|{_RESULTS}) {_SHOW}")
"""What an article shows. As in: we show that."""
FINDS = re.compile(rf"(?i)(?:{_AUTHORS}{_ADVERBS}|{_RESULTS}) {_FIND}")
"""What it finds or takes from that. As in: these results suggest."""
FURTHER = re.compile(
    r"(?i)^\W*(?:finally|furthermore|moreover|additionally|in addition|based on|we (?:also|further|then|next)|lastly)\b"
)
"""What comes beside the main thing. As in: Finally, we describe."""
PRIOR = re.compile(rf"(?i)\b{_OTHERS} (?:\w+ )?(?:stud|work|report|show|demonstrat|develop|describ|publish|investigat)")
"""What the authors did in another article. As in: previously described."""

NEAR = 90
"""Characters behind a verb in which its object is named."""
FINDINGS_READ = 5
"""Of one article; more are its results again."""

_NOT_OWN = frozenset(("background", "limitations"))


def key_contribution(document: Document) -> Finding | None:
    """The sentence that says what is presented; else what is the first of its kind; else what is shown."""
    return _stated(document, (_brings, _is_first, _shows, _brings_beside))


def novelty(document: Document) -> Finding | None:
    """The sentence that says what is the first of its kind, else what new thing is presented."""
    return _stated(document, (_is_first, _brings_something_new))


def key_findings(document: Document) -> Finding | None:
    """The sentences that say what was found; where none does, the first under a heading for conclusions."""
    found = [whole_sentence(one) for one in _own_sentences(document) if _shows(one) or _finds(one)]
    if not found:
        found = [whole_sentence(one) for one in document.sentences if one.role == "conclusions"][:1]
    return with_others(found[:FINDINGS_READ]) if found else None


def _stated(document: Document, claims: Iterable[Callable[[Sentence], bool]]) -> Finding | None:
    """The sentences of all claims, those of the first claim first."""
    sentences = list(_own_sentences(document))
    stated = dict.fromkeys(sentence for claim in claims for sentence in sentences if claim(sentence))
    return with_others([whole_sentence(sentence) for sentence in stated]) if stated else None


def _own_sentences(document: Document) -> Iterable[Sentence]:
    """Those of the abstract that may speak of the article's own work."""
    return (one for one in document.sentences if one.role not in _NOT_OWN and not PRIOR.search(one.text))


def _brings(sentence: Sentence) -> bool:
    return _brings_beside(sentence) and not FURTHER.search(sentence.text)


def _brings_beside(sentence: Sentence) -> bool:
    return sentence.role != "results" and bool(MAKES.search(sentence.text) or MADE.search(sentence.text))


def _brings_something_new(sentence: Sentence) -> bool:
    """Whether what is made, shown or found is itself called new; other new things may stand in the sentence, too."""
    matches = (pattern.search(sentence.text) for pattern in (MAKES, MADE, SHOWS, FINDS))
    return any(match and NEW.search(sentence.text, match.start(), match.end() + NEAR) for match in matches)


def _is_first(sentence: Sentence) -> bool:
    return bool(FIRST.search(sentence.text))


def _shows(sentence: Sentence) -> bool:
    return sentence.role not in {"methods", "objective"} and bool(SHOWS.search(sentence.text))


def _finds(sentence: Sentence) -> bool:
    return sentence.role not in {"methods", "objective"} and bool(FINDS.search(sentence.text))
