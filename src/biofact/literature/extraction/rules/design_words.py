"""The words by which titles and abstracts name a design, the most specific first."""

import re

from biofact.literature.extraction.rules.study_words import MENDELIAN, META_ANALYSIS, SYSTEMATIC

Rule = tuple[str, re.Pattern[str]]


def rule(kind: str, words: str) -> Rule:
    """A kind of study, and the words that name it in any letter case."""
    return kind, re.compile(words, re.IGNORECASE)


TITLED: tuple[Rule, ...] = (
    # As in: protocol for a randomised trial.
    rule(
        "protocol",
        r"\bprotocol (?:for|of) (?:a|an|the)\b.*\b(?:trial|study|review)|\b(?:study|trial|review) protocol\b"
        r"|\brationale and design\b|\bdesign and rationale\b",
    ),
    # As in: a Mendelian randomization study.
    ("mendelian randomization", MENDELIAN),
    # As in: a meta-analysis.
    ("meta-analysis", META_ANALYSIS),
    # As in: a systematic review.
    ("systematic review", SYSTEMATIC),
    # As in: practice guidelines.
    rule(
        "guideline",
        r"\b(?:clinical practice |practice |management )?guidelines?\b"
        r"(?! ?-?(?:adherence|implement|concordan))|\bconsensus "
        r"(?:statement|recommendations?|guidelines?|document|report)\b|\bposition (?:statement|paper)\b"
        r"|\brecommendations (?:of|from|for)\b",
    ),
    # As in: a narrative review.
    rule(
        "review",
        r"\b(?:narrative|literature|critical|mini|state-of-the-art|brief|comprehensive|clinical"
        r"|current) ?-?reviews?\b|\breviews? of (?:[\w-]+ ){0,3}trials\b"
        r"|\ba review\b(?! of (?:the )?(?:\d|\w+ (?:[\w-]+ )?(?:cases|patients)\b))"
        r"|\boverview\b|\bminireview\b|: ?review\b",
    ),
    # As in: a case report.
    rule(
        "case report",
        r"\bcase reports?\b|\ba (?:rare |unusual |unique )?case (?:of|with)\b|: a case"
        r"(?!s|[ -](?:series|control|crossover|cohort|study))\b|\breport of (?:a|one) case\b",
    ),
    # As in: a series of 12 patients.
    rule(
        "case series",
        r"\bcase[- ]series\b|\b(?:report|series) of (?:\w+|\d+) (?:cases|patients)\b|\b"
        r"(?:two|three|four|five|six) cases\b",
    ),
    # As in: a qualitative study.
    rule(
        "qualitative study",
        r"\bqualitative (?:\w+ )?(?:study|research|exploration|interview|evaluation|inquiry|synthesis"
        r"|investigation)|\ba qualitative\b|\bfocus groups?\b|\binterview study\b|\bphenomenological "
        r"(?:study|inquiry)|\bgrounded theory\b",
    ),
    # As in: a genome-wide association study.
    rule("genetic association study", r"\bgenome-?wide association stud|\bgwas\b"),
    # As in: a phase II trial.
    rule(
        "clinical trial",
        r"\bphase (?:i{1,3}|1|2|3)[ab]?(?:/(?:i{1,3}|2|3)[ab]?)? (?:[\w-]+ )?(?:trial|study)\b|\b"
        r"(?:open-label|pilot|feasibility|single-arm|clinical|controlled|multicent(?:er|re)"
        r") (?:clinical )?trial\b|\b(?:non|quasi)-?\s?randomi[sz]ed (?:(?:controlled|clinical) )*(?:trial|study)\b",
    ),
    # As in: a case-control study.
    rule("case-control study", r"\bcase[- \u2013]control(?:led)?\b"),
    # As in: a cross-sectional survey.
    rule(
        "cross-sectional study",
        r"\bcross-?\s?sectional (?:study|survey|analysis|investigation|evaluation|comparison|data|assessment"
        r"|design)\b|\b(?:questionnaire|postal|online|web-based|national|telephone|internet) surveys?\b|\b"
        r"(?:questionnaire|prevalence) study\b",
    ),
    # As in: a prospective cohort.
    rule(
        "cohort study",
        r"\bcohort\b(?! profile)|\blongitudinal (?:study|analysis|follow)|\bprospective study\b"
        r"|\bfollow-up study\b",
    ),
    # As in: an in silico analysis.
    rule(
        "computational study",
        r"\bin silico\b|\bmolecular dynamics\b|\bsimulations?\b|\bmathematical model|\bmodell?ing study\b"
        r"|\bmarkov model|\bsoftware\b|\bweb ?server\b|\balgorithms?\b",
    ),
)
WORDED: tuple[Rule, ...] = (
    # As in: a Mendelian randomization study.
    ("mendelian randomization", MENDELIAN),
    # As in: semi-structured interviews.
    rule(
        "qualitative study",
        r"(?<!quantitative and )\bqualitative "
        r"(?:study|research|interview|descriptive|exploration|content analysis)"
        r"|\bsemi-?\s?s ?tructured (?:\w+ )?interview|\bthematic(?:ally)? analy|\bfocus groups?\b"
        r"|\bin-depth interviews\b",
    ),
    # As in: cases and matched controls.
    rule("case-control study", r"\bcase[- \u2013]control(?:led)?\b|\bcases and (?:[\w-]+ ){0,4}controls\b"),
    # As in: questionnaires were sent.
    rule(
        "cross-sectional study",
        r"\bcross-?\s?sectional(?:ly)?\b|\b(?:online|national|postal|web-based|questionnaire|mail|telephone"
        r"|household|population) surveys?\b|\b(?:was|were) surveyed\b|\bself-administered questionnaire"
        r"|\bwe surveyed\b|\bquestionnaires? (?:was|were) (?:sent|distributed|mailed|administered)",
    ),
    # As in: followed for up to 5 years.
    rule(
        "cohort study",
        r"\bcohort (?:study|analysis|of|was|were|design)\b|\b"
        r"(?:prospective|retrospective|population-based|birth|historical|nationwide|inception|multicent"
        r"(?:er|re)|longitudinal|observational) (?:\w+ )?cohort\b|\bprospectively "
        r"(?:followed|enrolled|studied)\b|\bfollowed (?:up )?for (?:a|an|up|\d|\w+ years)|\blongitudinal"
        r"(?:ly)? (?:study|followed|analysis)",
    ),
    # As in: we performed a GWAS.
    rule(
        "genetic association study",
        r"\bgenome-?wide association (?:study|analysis|scan)|\bwe (?:performed|conducted) a gwas\b"
        r"|\bgenotyped\b[^.]{0,150}\b(?:cases|patients)\b",
    ),
    # As in: a series of 12 patients.
    rule(
        "case series",
        r"\bcase series\b|\bseries of (?:\d+|\w+) (?:\w+ )?(?:patients|cases)\b",
    ),
)
