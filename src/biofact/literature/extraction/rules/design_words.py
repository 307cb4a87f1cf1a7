"""The words by which titles and abstracts name a design, the most specific first."""

import re

from biofact.literature.extraction.rules.study_words import MENDELIAN, META_ANALYSIS, SYSTEMATIC

Rule = tuple[str, re.Pattern[str]]
TITLED: tuple[Rule, ...] = (
    (
        "protocol",
        re.compile(
            r"\bprotocol (?:for|of) (?:a|an|the)\b.*\b(?:trial|study|review)|\b(?:study|trial|review) protocol\b"
            r"|\brationale and design\b|\bdesign and rationale\b",
            re.IGNORECASE,
        ),
    ),
    ("mendelian randomization", MENDELIAN),
    ("meta-analysis", META_ANALYSIS),
    ("systematic review", SYSTEMATIC),
    (
        "guideline",
        re.compile(
            r"\b(?:clinical practice |practice |management )?guidelines?\b"
            r"(?! ?-?(?:adherence|implement|concordan))|\bconsensus "
            r"(?:statement|recommendations?|guidelines?|document|report)\b|\bposition (?:statement|paper)\b"
            r"|\brecommendations (?:of|from|for)\b",
            re.IGNORECASE,
        ),
    ),
    (
        "review",
        re.compile(
            r"\b(?:narrative|literature|critical|mini|state-of-the-art|brief|comprehensive|clinical"
            r"|current) ?-?reviews?\b|\ba review\b(?! of (?:the )?(?:\d|\w+ (?:[\w-]+ )?(?:cases|patients)\b))"
            r"|\boverview\b|\bminireview\b|: ?review\b",
            re.IGNORECASE,
        ),
    ),
    (
        "case report",
        re.compile(
            r"\bcase reports?\b|\ba (?:rare |unusual |unique )?case (?:of|with)\b|: a case"
            r"(?!s|[ -](?:series|control|crossover|cohort|study))\b|\breport of (?:a|one) case\b",
            re.IGNORECASE,
        ),
    ),
    (
        "case series",
        re.compile(
            r"\bcase[- ]series\b|\b(?:report|series) of (?:\w+|\d+) (?:cases|patients)\b|\b"
            r"(?:two|three|four|five|six) cases\b",
            re.IGNORECASE,
        ),
    ),
    (
        "qualitative study",
        re.compile(
            r"\bqualitative (?:\w+ )?(?:study|research|exploration|interview|evaluation|inquiry|synthesis"
            r"|investigation)|\ba qualitative\b|\bfocus groups?\b|\binterview study\b|\bphenomenological "
            r"(?:study|inquiry)|\bgrounded theory\b",
            re.IGNORECASE,
        ),
    ),
    ("genetic association study", re.compile(r"\bgenome-?wide association stud|\bgwas\b", re.IGNORECASE)),
    (
        "clinical trial",
        re.compile(
            r"\bphase (?:i{1,3}|1|2|3)[ab]?(?:/(?:i{1,3}|2|3)[ab]?)? (?:[\w-]+ )?(?:trial|study)\b|\b"
            r"(?:open-label|pilot|feasibility|single-arm|clinical|controlled|multicent(?:er|re)"
            r"|non-?randomi[sz]ed) (?:clinical )?trial\b",
            re.IGNORECASE,
        ),
    ),
    ("case-control study", re.compile(r"\bcase[- \u2013]control(?:led)?\b", re.IGNORECASE)),
    (
        "cross-sectional study",
        re.compile(
            r"\bcross-?\s?sectional (?:study|survey|analysis|investigation|evaluation|comparison|data|assessment"
            r"|design)\b|\b(?:questionnaire|postal|online|web-based|national|telephone|internet) surveys?\b|\b"
            r"(?:questionnaire|prevalence) study\b",
            re.IGNORECASE,
        ),
    ),
    (
        "cohort study",
        re.compile(
            r"\bcohort\b(?! profile)|\blongitudinal (?:study|analysis|follow)|\bprospective study\b"
            r"|\bfollow-up study\b",
            re.IGNORECASE,
        ),
    ),
    (
        "computational study",
        re.compile(
            r"\bin silico\b|\bmolecular dynamics\b|\bsimulations?\b|\bmathematical model|\bmodell?ing study\b"
            r"|\bmarkov model|\bsoftware\b|\bweb ?server\b|\balgorithms?\b",
            re.IGNORECASE,
        ),
    ),
)
WORDED: tuple[Rule, ...] = (
    ("mendelian randomization", MENDELIAN),
    (
        "qualitative study",
        re.compile(
            r"(?<!quantitative and )\bqualitative (?:study|research|interview|descriptive|exploration|content analysis)"
            r"|\bsemi-?\s?s ?tructured (?:\w+ )?interview|\bthematic(?:ally)? analy|\bfocus groups?\b"
            r"|\bin-depth interviews\b",
            re.IGNORECASE,
        ),
    ),
    (
        "case-control study",
        re.compile(r"\bcase[- \u2013]control(?:led)?\b|\bcases and (?:[\w-]+ ){0,4}controls\b", re.IGNORECASE),
    ),
    (
        "cross-sectional study",
        re.compile(
            r"\bcross-?\s?sectional(?:ly)?\b|\b(?:online|national|postal|web-based|questionnaire|mail|telephone"
            r"|household|population) surveys?\b|\b(?:was|were) surveyed\b|\bself-administered questionnaire"
            r"|\bwe surveyed\b|\bquestionnaires? (?:was|were) (?:sent|distributed|mailed|administered)",
            re.IGNORECASE,
        ),
    ),
    (
        "cohort study",
        re.compile(
            r"\bcohort (?:study|analysis|of|was|were|design)\b|\b"
            r"(?:prospective|retrospective|population-based|birth|historical|nationwide|inception|multicent"
            r"(?:er|re)|longitudinal|observational) (?:\w+ )?cohort\b|\bprospectively "
            r"(?:followed|enrolled|studied)\b|\bfollowed (?:up )?for (?:a|an|up|\d|\w+ years)|\blongitudinal"
            r"(?:ly)? (?:study|followed|analysis)",
            re.IGNORECASE,
        ),
    ),
    (
        "genetic association study",
        re.compile(
            r"\bgenome-?wide association (?:study|analysis|scan)|\bwe (?:performed|conducted) a gwas\b"
            r"|\bgenotyped\b[^.]{0,150}\b(?:cases|patients)\b",
            re.IGNORECASE,
        ),
    ),
    (
        "case series",
        re.compile(
            r"\bcase series\b|\bseries of (?:\d+|\w+) (?:\w+ )?(?:patients|cases)\b"
            r"|\b(?:in|of|with) (?:two|three|four|five|six|seven|eight|nine|ten|[2-9]) (?:[\w-]+ ){0,3}"
            r"(?:patients|cases|children|women|men|infants)\b[^.]{0,120}\b(?:is|are|was|were) "
            r"(?:reported|described|presented)\b",
            re.IGNORECASE,
        ),
    ),
)
