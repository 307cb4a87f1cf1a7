"""Sentences in which the authors state what they present, what is new, what they found and what limits it."""

import re
from collections.abc import Callable, Iterable

from biofact.literature.extraction.fields.field import Column, Field
from biofact.literature.extraction.findings import Finding, main_finding
from biofact.literature.extraction.text.document import Document, Sentence
from biofact.literature.extraction.text.phrases import phrase, phrase_from, token_at, whole_sentence
from biofact.literature.extraction.text.vocabulary import CLAUSE_END, HARD_END

_AUTHORS = (
    r"(?:\bwe\b|\b(?:this|the present|the current|our|present) (?:\w+ )?"
    r"(?:paper|study|article|work|review|report|chapter|analysis|survey|manuscript|unit|research|trial|protocol)\b)"
)
_ADVERBS = r"(?:,? (?!previously|recently)(?:[a-z]+ly|also|here|herein|now|then|therefore|have|has|shall|will),?){0,3}"
_PRIOR_WORDS = r"(?:previous(?:ly)?|earlier|prior)"

CONTRIBUTION = re.compile(
    rf"(?i){_AUTHORS}{_ADVERBS} (?:present|introduc|propos|develop|describ|report|devis|design|implement|releas|build"
    r"|built|construct|creat|synthesi[sz]|engineer|establish|offer|outlin|summari[sz]|provid|discuss|review)"
    r"(?:e|e?s|e?d)?\b(?! (?:on )?(?:a |all |the )?(?:\d+ )?"
    r"(?:patients?|participants?|cases|questionnaires?|(?:medical )?records|charts|informed|consent|data)\b)"
)
"""The contribution of an article. As in: we introduce a new method."""
PASSIVE_CONTRIBUTION = re.compile(
    r"(?i)(?:\ba (?:new|novel)\b.{3,200}\b(?:is|was|are|were|has been)|\b(?:new|novel)\b.{3,200}\b(?:are|were))"
    r" (?:\w+ly )?(?:presented|proposed|introduced|described|developed)\b"
    r"|\b(?:is|are) (?:presented|proposed|introduced|described|reported|revealed|reviewed|discussed)"
    r"(?: here(?:in)?\b|,? in (?:this|the present) (?:paper|article|study|work|report|review|chapter))"
)
"""A contribution in the passive. As in: a new algorithm is presented."""
FIRST = re.compile(
    r"(?i)\bfor the first time\b|\b(?:this|it|ours|here) (?:\w+ )?(?:is|was|represents)(?:, to our knowledge,)? "
    r"the first\b|\b(?:we|our \w+) [^.;]{0,60}\bthe first (?:\w+ ){0,3}"
    r"(?:to|of|that|report|study|case|cases|evidence|example|description|demonstration|map|genome)\b"
)
"""A thing called the first of its kind. As in: this is the first report."""
NEW = re.compile(
    r"(?i)\b(?:novel|unprecedented|innovative|previously (?:unknown|unreported|undescribed|unrecogni[sz]ed)"
    r"|new (?:\S+ ){0,4}?(?:method|approach|model|technique|tool|algorithm|framework|system|strategy|class|species"
    r"|mechanism|pathway|environment|software|resource|protocol|instrument|assay|paradigm|architecture|network)s?)\b"
)
"""A thing called new. As in: a novel algorithm."""
_SHOW = r"(?:show|demonstrat|reveal|identif|discover|establish|uncover|highlight)(?:ie[sd]|e?s|e?d|y|n|e)?\b"
_FIND = r"(?:find|found|observ|detect|confirm|conclud|suggest|indicat|support|provid\w* evidence)(?:e?s|e?d|e)?\b"
_RESULTS = (
    r"\b(?:these|our|the|present) (?:\w+ )?(?:results?|findings?|data|observations?|evidence)"
    r"(?: (?:of|from|in) (?:this|our|the present) \w+)?(?: \w+ly)?"
)
SHOWS = re.compile(rf"(?i)(?:{_AUTHORS}{_ADVERBS}|{_RESULTS}) {_SHOW}")
"""A result that an article shows. As in: we show that."""
FINDS = re.compile(rf"(?i)(?:{_AUTHORS}{_ADVERBS}|{_RESULTS}) {_FIND}")
"""A result or conclusion that an article draws. As in: these results suggest."""
SECONDARY_CLAIM = re.compile(
    r"(?i)^\W*(?:finally|furthermore|moreover|additionally|in addition|based on|we (?:also|further|then|next)|lastly)\b"
)
"""A claim after the main one. As in: Finally, we describe."""
PRIOR = re.compile(
    rf"(?i)\b{_PRIOR_WORDS} (?:\w+ )?(?:stud|work|report|show|demonstrat|develop|describ|publish|investigat)"
)
"""Work of another article. As in: previously described."""

OBJECT_REACH = 90
"""Characters behind a verb within which its object is named."""
FINDINGS_READ = 5
"""Findings of one article; further sentences repeat its results."""


def key_contribution(document: Document) -> Finding | None:
    """The sentence that states the contribution; else a first of its kind; else a result that is shown."""
    return _main_claim(document, (_contributes, _is_first, _shows, _mentions_contribution))


def novelty(document: Document) -> Finding | None:
    """The sentence that claims a first of its kind, else one that presents something new."""
    return _main_claim(document, (_is_first, _contributes_novelty))


def key_findings(document: Document) -> Finding | None:
    """The sentences that state findings; if there is none, the first under a heading for conclusions."""
    own_sentences = [sentence for sentence in _own_sentences(document) if sentence.role not in {"methods", "objective"}]
    sentences = [sentence for sentence in own_sentences if SHOWS.search(sentence.text) or FINDS.search(sentence.text)]
    conclusions = [sentence for sentence in document.sentences if sentence.role == "conclusions"]
    return main_finding([whole_sentence(sentence) for sentence in sentences[:FINDINGS_READ] or conclusions[:1]])


def _main_claim(document: Document, claims: Iterable[Callable[[Sentence], bool]]) -> Finding | None:
    """The sentences of all claims, beginning with the first claim."""
    sentences = list(_own_sentences(document))
    claim_sentences = dict.fromkeys(sentence for claim in claims for sentence in sentences if claim(sentence))
    return main_finding([whole_sentence(sentence) for sentence in claim_sentences])


def _own_sentences(document: Document) -> Iterable[Sentence]:
    """The sentences that speak of the article's own work and of no prior one."""
    return (sentence for sentence in document.own_sentences if not PRIOR.search(sentence.text))


def _contributes(sentence: Sentence) -> bool:
    return _mentions_contribution(sentence) and not SECONDARY_CLAIM.search(sentence.text)


def _mentions_contribution(sentence: Sentence) -> bool:
    return sentence.role != "results" and bool(
        CONTRIBUTION.search(sentence.text) or PASSIVE_CONTRIBUTION.search(sentence.text)
    )


def _contributes_novelty(sentence: Sentence) -> bool:
    """Whether the contribution or finding itself is called new; the sentence may name other new things as well."""
    matches = (pattern.search(sentence.text) for pattern in (CONTRIBUTION, PASSIVE_CONTRIBUTION, SHOWS, FINDS))
    return any(match and NEW.search(sentence.text, match.start(), match.end() + OBJECT_REACH) for match in matches)


def _is_first(sentence: Sentence) -> bool:
    return bool(FIRST.search(sentence.text))


def _shows(sentence: Sentence) -> bool:
    return sentence.role not in {"methods", "objective"} and bool(SHOWS.search(sentence.text))


LIMITATION = re.compile(
    r"(?i)\b(?:(?:the |an? |main |major |important |key )*limitations? "
    r"(?:of (?:this|the|our|the present|the current) (?:\w+ )?"
    r"(?:study|review|trial|analysis|work|research|meta-analysis|data|approach))|\b"
    r"(?:study|our|main|key|important|methodological|potential) limitations? (?:is|was|are|were|include[sd]?)|"
    r"(?:this|our|the) (?:study|trial|review|analysis|findings?|results?|conclusions?|evidence|interpretation) "
    r"(?:\w+ ){0,3}(?:is|was|are|were) (?:\w+ )?limited (?:by|to|due to)|limited by (?:the |its |our |a |their )?"
    r"(?:small|low|lack|retrospective|short|heterogene|risk|sample|number|quality|absence|cross-sectional"
    r"|self-report)|(?:should|must|need to|needs to) be (?:\w+ )?"
    r"(?:interpreted|viewed|treated|considered|regarded|generali[sz]ed) (?:\w+ )?"
    r"(?:with (?:\w+ )?caution|cautiously)|caution (?:should|must|is) (?:be )?(?:\w+ )?|"
    r"(?:not|limited|limit\w*|less) (?:be )?generali[sz]ab(?:le|ility)|cannot be generali[sz]ed"
    r"|quality of (?:the )?(?:available )?(?:evidence|studies|data) (?:was|is|were) (?:\w+ )?(?:low|poor|limited"
    r"|moderate)|(?:evidence|data) (?:\w+ ){0,4}(?:is|was|are|were) (?:very |still )?(?:uncertain|limited|weak|poor"
    r"|scarce|sparse)\b|(?:high|frequent|unclear|considerable) risk of bias|(?:limitations?|weaknesses) (?:include[sd]?"
    r"|were|was|are|is)|caus(?:ality|ation|al (?:inferences?|relationships?)) (?:cannot|could not|can not)"
    r"|cannot (?:establish|infer|determine) caus\w+|might limit|may limit (?:the )?(?:\w+ )?(?:generali|applicab"
    r"|interpret|conclu)|not enough evidence|insufficient (?:evidence|data) (?:to|for|on)|(?:low|poor|very low|limited)"
    r"(?:[- ]certainty| methodological)? quality of (?:the )?(?:\w+ )?(?:evidence|studies|trials))"
)
"""As in: the main limitation of this study."""
SMALL = re.compile(
    r"(?i)\b(?:(?:despite|given|because of|due to|owing to|considering|although|in view of|with) "
    r"(?:the |our |a |its |their )?(?P<x>(?:relatively |very |rather |limited )?(?:small|limited|low) (?:study "
    r"|patient )?(?:samples?(?: sizes?)?|numbers?(?: of [\w-]+(?: [\w-]+)?)?|cohorts?|populations?)))\b"
)
"""As in: because of the small sample size."""
CAUTIOUS = re.compile(r"(?i)\b(?P<x>(?:some |great )?caution (?:should|must|is) .{3})")
"""As in: caution should be exercised."""

MOST_WORDS = 20
"""Words of a clause that is a limitation: this study is limited by its small sample."""
HINTS = (
    "limit", "caution", "generali", "weakness", "uncertain", "scarce", "poor", "sparse", "bias", "caus", "not enough",
    "insufficient", "quality", "small", "low ", "caveat",
)  # fmt: skip
"""Words of which every limitation has one; a quick check before the patterns."""


def limitations(document: Document) -> Finding | None:
    """The first limitation that is named, with the others as its siblings."""
    if not any(hint in document.lower for hint in HINTS):
        return None
    return main_finding([finding for sentence in document.sentences if (finding := limitation_in(sentence))])


def limitation_in(sentence: Sentence) -> Finding | None:
    """The limitation that a sentence names."""
    if sentence.role == "limitations":
        return clause_from(sentence, sentence.start)
    if sentence.role in {"background", "objective"} or not any(hint in sentence.plain_lower for hint in HINTS):
        return None
    if (match := sentence.search_plain(CAUTIOUS)) or (match := sentence.search_plain(SMALL)):
        # verbs end other phrases; a caution goes on: should be exercised
        stops = CLAUSE_END - {"be", "should", "must", "is", "are"} if match.re is CAUTIOUS else CLAUSE_END
        return phrase_from(sentence, match.start("x"), stops=stops)
    match = sentence.search_plain(LIMITATION)
    return clause_from(sentence, sentence.start + match.start()) if match else None


def clause_from(sentence: Sentence, start: int) -> Finding | None:
    """The words from an offset to the next comma or stop, twenty at most."""
    tokens = sentence.tokens
    first = token_at(sentence, start - sentence.start)
    last = first
    while last < len(tokens) and last - first < MOST_WORDS and tokens[last].word not in HARD_END:
        last += 1
    return phrase(sentence, first, last)


LIMITATIONS = Field(
    name="limitations",
    find=limitations,
    names="limitation study_limitations limitations_mentioned caveats weaknesses limits",
    column=Column(11, "array[string]"),
)


KEY_CONTRIBUTION = Field(
    name="key_contribution",
    find=key_contribution,
    names=(
        "key_contributions main_contribution main_contributions contribution contributions "
        "primary_contribution what_is_presented"
    ),
)


KEY_FINDINGS = Field(
    name="key_findings",
    find=key_findings,
    names=(
        "key_finding main_findings main_finding findings primary_findings principal_findings main_results "
        "key_results main_result conclusions conclusion"
    ),
)


NOVELTY = Field(
    name="novelty",
    find=novelty,
    names="novelty_claim claimed_novelty main_novelty innovation",
)
