"""Whether people were randomised in this study: by what it calls itself, or by what was done."""

import re

from biofact.literature.extraction.findings import Finding
from biofact.literature.extraction.rules.basic_science import basic_science
from biofact.literature.extraction.rules.phrases import head_of
from biofact.literature.extraction.rules.text import Document, Sentence
from biofact.literature.extraction.rules.vocabulary import ANIMALS, CASES, PEOPLE, PROFESSIONALS, words

TRIAL = "randomized controlled trial"
SECONDARY = "secondary analysis of a randomized trial"

NAMED = re.compile(
    r"(?i)\brandomi[sz]ed\b(?:(?:,|/|-|;)?(?: and)?[\s/-]+(?!(?:to|into|in|of|for|was|were|by|at|from|between|who"
    r"|blocks?|that|and|or|patients|participants|subjects|women|men|adults|children)\b)[\w+:.]+"
    r"(?: ?\([^()]{1,40}\))?){0,9}?(?:,|-)?[\s-]+(?:trials?|stud(?:y|ies)|cross-?\s?over|design"
    r"|comparison|investigation|evaluation|fashion|manner|experiment|intervention|RCTs?)\b"
    r"|\brandomi[sz]ed,?[- ]controlled\b|\bcross-?over\b[^.]{0,60}\brandom|\brandom\w*\b[^.;]{0,60}\bcross-?\s?over\b"
    r"|\brandomi[sz]ed:"
)
"""As in: a randomized, double-blind, placebo-controlled trial."""
DONE = re.compile(
    r"(?i)\brandomly,? (?:(?:and|then) )?(?:\w+ly )?(?:assigned|assigning|allocated|allocating|divided|classified"
    r"|grouped|separated|randomi[sz]ed|placed|distributed|split|given|received|selected to receive|chosen to receive)\b"
    r"|\b(?:assigned|allocated|divided|distributed|separated),? (?:\w+ly )?(?:randomly|at random)\b"
    r"|\bat random (?:to|into)\b|\brandom number table\b"
    r"|\b(?:was|were|are|been) (?:[^\W\d][\w-]* ){0,3}randomi[sz]ed\b"
    r"|\b(?:we|trial|study|investigators)(?: \w+)?,? randomi[sz]ed\b(?! (?:controlled|clinical|trial|stud))"
    r"|\bunderwent randomi[sz]ation\b|\brandomi[sz]ation (?:of (?:patients|participants|subjects)|was (?:stratified"
    r"|performed|done|carried out|by)|took place|to (?:receive|either))"
    r"|\brandom(?:i[sz]ed)? (?:allocation|assignment)\b|\brandomi[sz]ed(?: \(?\d+:\d+(?::\d+)*\)?,?)? "
    r"(?:to|into|in a|between|before|within)\b|\brandomi[sz]ed (?:patients|participants|subjects|women|men|adults"
    r"|children|\d+)\b|\b(?:patients|participants|subjects|women|men|adults|children) randomi[sz]ed\b"
)
"""As in: 120 patients were randomly assigned to zinc."""
# What begins with a word stands in one group: its beginning is then looked for once, not by each.
OTHERS = re.compile(
    r"(?i)\b(?:randomly (?:assigned|allocated|divided|split|selected|grouped|separated) (?:in)?to (?:[\w-]+ ){0,3}"
    r"(?:training|validation|test|testing|derivation|development)\b|randomly assigned to (?:[\w-]+ ){0,3}(?:readers"
    r"|observers|reviewers|raters)\b"
    r"|randomi[sz]ed,?(?:[- ,]+\w+){0,5}[- ](?:trials?|stud(?:y|ies)) (?:\w+ )?(?:is|are|were|would be|should be) "
    r"(?:\w+ )?(?:needed|required|warranted|lacking|necessary|recommended|scarce)"
    r"|(?:further|future|larger?|more|additional|previous(?:ly)?|prior|other|recent|published|earlier|existing|few|no"
    r"|several|some|most|available) (?:[\w-]+,? ){0,4}randomi[sz]ed"
    r"|(?:need|needed|needs|necessary|required|warranted|lack|absence|paucity|evidence|await\w*|examined|confirmed"
    r"|tested|support\w*|data|results|shown|demonstrated) (?:\w+ ){0,2}(?:for|of|in|by|from) (?:[\w-]+,? ){0,5}"
    r"randomi[sz]ed,?(?:[- ,]+\w+){0,5}[- ](?:trials|studies)\b"
    r"|randomi[sz]ed,?(?:[- ,]+\w+){0,5}[- ](?:trials|studies) (?:have|has|had|show|suggest|of)\b"
    r"|randomi[sz]ed order|non-?\s?randomi[sz]ed|(?:un|pseudo-?|quasi-?)randomi[sz]"
    r"|(?:not|never|without|nor|neither|rather than|instead of) (?:[\w-]+ ){0,3}random"
    r"|(?:reviews?|meta-?analys[ei]s|search(?:es|ed)?|compared with|unlike|versus) (?:\w+ ){0,3}(?:all |published )?"
    r"randomi[sz]ed,?(?:[- ,]+\w+){0,5}[- ](?:trials|studies)"
    r"|(?:order|sequences?|intervals?|positions?|stimul\w+|blocks?)\b[^.,;]{0,30} (?:was|were|are|is) (?:\w+ )?"
    r"randomi[sz]ed)|mendelian randomi[sz]ation"
)
"""As in: further randomised trials."""
SEVERAL = re.compile(r"(?i)(?:trials|studies|RCTs)$")
"""As in: randomised trials."""
COUNTED = re.compile(r"(?i)\b(?:two|three|four|both|these|our|[2-4])\b(?:,? [\w-]+){0,4},? ?$")
"""What says that several trials are the article's own. As in: these double-blind ones."""
CALLED_TRIAL = re.compile(r"(?i)\b(?:trials?|RCTs?|controlled)\b")
"""As in: a cluster-randomised trial."""
OWN = re.compile(r"(?i)\b(?:we|this|our|was|were|the present)\b")
"""As in: we did a trial."""
ORDER = re.compile(r"(?i)\brandomi[sz]ed order|\brandom order")
"""As in: both drugs were given in a randomised order."""
CROSSOVER = re.compile(r"(?i)\bcross-?\s?over\b")
"""As in: a crossover design."""
ANALYSED_AGAIN = re.compile(
    r"(?i)\b(?:secondary|post[- ]?hoc|ancillary|exploratory|sub-?group|sub-?study|pooled|retrospective|additional"
    r"|unplanned|nested|cost-effectiveness|economic) (?:[\w-]+ )?(?:analys[ei]s|evaluations?|stud(?:y|ies)|in|of"
    r"|within)\b[^.;]{0,120}\brandomi[sz]ed|\b(?:data|samples|specimens|tumou?rs|tissue|images|records)\b[^.;]{0,60}\b(?:from|of"
    r"|in|within) (?:[\w-]+,? ){0,8}randomi[sz]ed,?(?:[- ,]+\w+){0,6}[- ](?:trials?|stud(?:y|ies))\b"
    r"|\brandomi[sz]ed[^.;:]{0,80}: an? (?:secondary|post[- ]?hoc|ancillary|exploratory|sub-?group) analysis\b"
)
"""As in: a secondary analysis of a randomised trial."""
UNITS = (
    PEOPLE
    | PROFESSIONALS
    | CASES
    | words("schools practices clinics hospitals villages clusters wards communities eyes")
) - words("controls users carriers learners homes")
"""What is randomised in trials of people."""
BENCH_TITLE = re.compile(
    r"(?i)\b(?:mice|mouse|rats?|murine|rabbits?|piglets?|pigs?|swine|porcine|dogs?|canine|sheep|macaques?|monkeys?"
    r"|hamsters?|zebrafish|cats?|chickens?|broilers?|guinea pigs?|lambs?|ewes|cows?|dairy|calves|heifers?|horses?"
    r"|rodents?|ferrets?|animals?|in vitro|ex vivo|cell lines?|extracted teeth)\b"
)
"""As in: healing in a porcine model."""


def randomised(document: Document) -> Finding | None:
    """A randomised trial on the first words for it, the title's first; none where animals or things were randomised."""
    if (document.mesh and "Humans" not in document.mesh) or BENCH_TITLE.search(document.title.text):
        return None
    for sentence in document.all_sentences:
        match = words_for_it(document, sentence) if sentence.role != "background" else None
        if match and (is_of_people(document, sentence) or is_called_trial(document, sentence, match)):
            return Finding(TRIAL, (sentence.evidence_of(match),))
    return None


def words_for_it(document: Document, sentence: Sentence) -> re.Match[str] | None:
    """Where the sentence says that this study is randomised; its name rather than what was done."""
    if "andom" not in sentence.text:
        return None
    if OTHERS.search(sentence.text):
        is_crossover = ORDER.search(sentence.text) and CROSSOVER.search(document.lower)
        return ORDER.search(sentence.text) if is_crossover else None
    named = NAMED.search(sentence.text) if sentence.role != "conclusions" else None
    is_own = named and (not SEVERAL.search(named.group()) or COUNTED.search(sentence.text[: named.start()]))
    return named if is_own else DONE.search(sentence.text)


def is_of_people(document: Document, sentence: Sentence) -> bool:
    """Whether those who are randomised in the sentence can be people."""
    if not sentence.words.isdisjoint(ANIMALS):
        return False
    return not UNITS.isdisjoint(map(head_of, sentence.words)) or document.once(names_people)


def is_called_trial(document: Document, sentence: Sentence, match: re.Match[str]) -> bool:
    """Whether the article calls itself a trial, of letters or of schools perhaps, and is none of animals or cells."""
    is_trial = CALLED_TRIAL.search(match.group()) is not None and OWN.search(sentence.text) is not None
    return (sentence.role == "title" or is_trial) and document.once(basic_science) is None


def names_people(document: Document) -> bool:
    """Whether title or abstract name people, and animals no more often."""
    return times_named(document, UNITS) > times_named(document, ANIMALS)


def times_named(document: Document, heads: frozenset[str]) -> int:
    """How often title and abstract have one of these nouns."""
    return sum(times for word, times in document.word_counts.items() if head_of(word) in heads)


def is_secondary(finding: Finding, document: Document) -> bool:
    """Whether the sentence that names the trial says that it is analysed again, for something else."""
    evidence = finding.evidence[-1]
    holding = (
        sentence
        for sentence in document.all_sentences
        if sentence.where == evidence.where and sentence.start <= (evidence.start or 0) < sentence.end
    )
    return any(ANALYSED_AGAIN.search(sentence.text) for sentence in holding)
