"""What the abstract itself names as a limitation of the study."""

import re

from biofact.literature.extraction.findings import Finding, with_others
from biofact.literature.extraction.rules.phrases import phrase, phrase_from, token_at
from biofact.literature.extraction.rules.text import Document, Sentence
from biofact.literature.extraction.rules.vocabulary import CLAUSE_END, HARD_END

OWN = re.compile(
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
    r"|moderate)"
    r"|(?:evidence|data) (?:\w+ ){0,4}(?:is|was|are|were) (?:very |still )?(?:uncertain|limited|weak|poor|scarce"
    r"|sparse)\b"
    r"|(?:high|frequent|unclear|considerable) risk of bias|(?:limitations?|weaknesses) (?:include[sd]?|were"
    r"|was|are|is)|caus(?:ality|ation|al (?:inferences?|relationships?)) (?:cannot|could not|can not)"
    r"|cannot (?:establish"
    r"|infer|determine) caus\w+|might limit|may limit (?:the )?(?:\w+ )?(?:generali|applicab|interpret|conclu)"
    r"|not enough evidence|insufficient (?:evidence|data) (?:to|for|on)|(?:low|poor|very low|limited)"
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
"""Of a clause that is a limitation: this study is limited by its small sample."""
HINTS = (
    "limit",
    "caution",
    "generali",
    "weakness",
    "uncertain",
    "scarce",
    "poor",
    "sparse",
    "bias",
    "caus",
    "not enough",
    "insufficient",
    "quality",
    "small",
    "low ",
    "caveat",
)


def limitations(document: Document) -> Finding | None:
    """The first that is named, the others beside it."""
    if not any(hint in document.lower for hint in HINTS):
        return None
    findings = [finding for sentence in document.sentences if (finding := in_sentence(sentence))]
    return with_others(findings) if findings else None


def in_sentence(sentence: Sentence) -> Finding | None:
    """The limitation that a sentence names."""
    if sentence.role == "limitations":
        return clause(sentence, sentence.start)
    if sentence.role in {"background", "objective"} or not any(hint in sentence.plain_lower for hint in HINTS):
        return None
    if (match := sentence.search_plain(CAUTIOUS)) or (match := sentence.search_plain(SMALL)):
        stops = CLAUSE_END - {"be", "should", "must", "is", "are"} if match.re is CAUTIOUS else CLAUSE_END
        return phrase_from(sentence, match.start("x"), stops=stops)
    match = sentence.search_plain(OWN)
    return clause(sentence, sentence.start + match.start()) if match else None


def clause(sentence: Sentence, at: int) -> Finding | None:
    """The words from there to the next comma or stop, twenty at most."""
    tokens = sentence.tokens
    first = token_at(sentence, at - sentence.start)
    last = first
    while last < len(tokens) and last - first < MOST_WORDS and tokens[last].word not in HARD_END:
        last += 1
    return phrase(sentence, first, last)
