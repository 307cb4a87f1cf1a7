"""The words by which publication types, titles and abstracts tell what kind of study it is."""

import re

Rule = tuple[str, re.Pattern[str]]

MENDELIAN = re.compile(r"\bmendelian randomi[sz]ation\b", re.IGNORECASE)
META_ANALYSIS = re.compile(r"\bmeta-?\s?analy(?:sis|ses|tic review)\b", re.IGNORECASE)
SYSTEMATIC = re.compile(
    r"\b(?:systematic(?:ally)? (?:literature )?review|systematic(?: \w+){1,3} review|scoping review"
    r"|umbrella review|systematic(?:ally)? (?:literature )?search|cochrane review|rapid review|"
    r"(?:integrative|evidence) review)",
    re.IGNORECASE,
)
DONE_SYSTEMATICALLY = re.compile(
    r"\bwe (?:conducted|performed|did|carried out) a (?:\w+ )?(?:systematic|scoping) (?:\w+ )?(?:review|search)"
    r"|\b(?:medline|embase|pubmed|cochrane library|web of science)\b[^.]{0,200}\bwere "
    r"(?:systematically )?searched|\bwe (?:systematically )?searched (?:the )?(?:\w+ ){0,3}"
    r"(?:medline|embase|pubmed|cochrane|electronic|databases)|\bstudies were included in (?:the|this|our) review",
    re.IGNORECASE,
)
SYSTEMATIC_LABEL = re.compile(
    r"^(search (?:strategy|methods?)|selection criteria|study selection|data extraction"
    r"|study appraisal[^:\n]{0,40}|(?:literature )?search strategy[^:\n]{0,40}):",
    re.IGNORECASE | re.MULTILINE,
)
RANDOMISED = re.compile(
    r"\brandomi[sz]ed,?(?:[- ](?:,? ?[\w-]+)){0,6}[- ](?:trials?|study|crossover|design)\b"
    r"|\brandomi[sz]ed[- ]controlled[- ]trials?\b|\brandomi[sz]ed,? controlled\b|\brandomly (?:assigned|allocated"
    r"|divided|classified|grouped"
    r"|separated|selected to receive)\b"
    r"|\brandom number table\b"
    r"|\bwe randomi[sz]ed\b|\bwere (?:\w+ )?randomi[sz]ed\b|\bunderwent randomi[sz]ation\b|\brandom"
    r"(?:ized)? allocation\b|\brandomi[sz]ed (?:to|into|in a|between)\b|\brandomi[sz]ed (?:\w+ )?trial\b",
    re.IGNORECASE,
)
OTHERS_TRIALS = re.compile(
    r"\brandomly (?:assigned|allocated|divided|split|selected|grouped) (?:in)?to (?:[\w-]+ ){0,3}"
    r"(?:training|validation|test|testing|derivation|development)\b|\brandomly assigned to (?:[\w-]+ ){0,3}(?:readers"
    r"|observers|reviewers|raters)\b|\b"
    r"(?:randomi[sz]ed (?:controlled |clinical )?trials? (?:is|are|were) "
    r"(?:needed|required|warranted|lacking|necessary)|"
    r"(?:further|future|large|larger|more|additional|previous|prior|other|recent|published) "
    r"(?:[\w-]+ ){0,3}randomi[sz]ed|randomi[sz]ed order|mendelian randomi[sz]ation|non-?randomi[sz]ed)",
    re.IGNORECASE,
)
ABOUT_GUIDELINES = re.compile(
    r"\b(?:adherence|compliance|impact|implementation|effects?|concordance|knowledge|according|based|following"
    r"|use|awareness|evaluation|validation|quality|comparison|review|appraisal|before and after|conform\w+|uptake"
    r"|survey)\b.*\bguidelines?\b|\bguidelines?\b.*\b(?:adherence|compliance|implementation|use)\b",
    re.IGNORECASE,
)
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
TRIAL = re.compile(
    r"\bphase (?:[iI]{1,3}[abAB]?(?:/[iI]{1,3}[ab]?)?|[1-3][ab]?(?:/[1-3][ab]?)?)\b(?: \w+)? "
    r"(?:trial|study|clinical)|\b(?:open-?label|single-?arm|non-?randomi[sz]ed|controlled|clinical|pilot"
    r"|feasibility|crossover|multicent(?:er|re)|double-?blind|prospective) (?:[\w-]+ )?"
    r"(?:trial|intervention study)\b|\bquasi-?experimental\b|\b(?:open-?label|(?:double|single)-?blind"
    r"|placebo-controlled"
    r"|cross-?over)\b",
    re.IGNORECASE,
)
DIAGNOSTIC = re.compile(
    r"\b(?:diagnostic (?:accuracy|performance|value|study|test)|sensitivity (?:and|,) (?:the )?specificity"
    r"|receiver[- ]operating|test-retest reliability)\b",
    re.IGNORECASE,
)
HUMAN_STUDY = re.compile(
    r"\b(?:retrospective|prospective|observational|registry|chart review|medical records)\b", re.IGNORECASE
)
THIS_REVIEW = re.compile(
    r"\b(?:(?:this|the present|the current|our|present) (?:\w+ ){0,2}(?:review|overview)\b|in this review\b|this "
    r"(?:article|paper|chapter|work) (?:\w+ )?(?:reviews|summari[sz]es|discusses|provides an overview|outlines)"
    r"|\b(?:here,? )?(?:we|i) (?:\w+ )?(?:review|summari[sz]e) "
    r"(?:the|how|recent|current|what|our|some|evidence|advances)|focus of this review|(?:is|are) reviewed\b)",
    re.IGNORECASE,
)
ESSAY = re.compile(
    r"\b(?:this|the present|the) (?:paper|article|essay|commentary|perspective|viewpoint|chapter) (?:\w+ )?"
    r"(?:discusses|examines|argues|considers|focuses|addresses|explores|outlines)\b|\b(?:it is|we|i) argued?\b"
    r"|\bwe discuss\b"
)
CASE = re.compile(
    r"\b(?:we (?:\w+ )?(?:report|present|describe)(?:ed)? (?:\w+ )?(?:a|an|the|one) (?:[\w-]+ ){0,4}"
    r"(?:case|patient|woman|man|boy|girl|infant|child|neonate)\b|\b(?:this|our) case report\b"
    r"|\bthe case of an? (?:\d|[\w-]+[- ]year)|\bin an? (?:fatal|rare|single|death|unusual) case\b"
    r"|\bcase presentation\b|\ba \d{1,3}-(?:year|month|week|day)-old\b[^.]{0,80}\b"
    r"(?:presented|was admitted|was referred|developed|who))",
    re.IGNORECASE,
)
PROTOCOL = re.compile(
    r"\b(?:patients|participants|subjects|women|children|adults) will be\b|\bwe will (?:recruit|enrol|randomi)",
    re.IGNORECASE,
)

PUBLICATION_TYPES: dict[str, str] = {
    "Clinical Trial Protocol": "protocol",
    "Randomized Controlled Trial": "randomized controlled trial",
    "Equivalence Trial": "randomized controlled trial",
    "Case Reports": "case report",
    "Meta-Analysis": "meta-analysis",
    "Network Meta-Analysis": "meta-analysis",
    "Systematic Review": "systematic review",
    "Scoping Review": "systematic review",
    "Practice Guideline": "guideline",
    "Guideline": "guideline",
    "Consensus Development Conference": "guideline",
    "Consensus Development Conference, NIH": "guideline",
    "Consensus Statement": "guideline",
    "Editorial": "editorial",
}
CLINICAL_TRIALS = frozenset(
    (
        "Clinical Trial", "Controlled Clinical Trial", "Pragmatic Clinical Trial", "Adaptive Clinical Trial",
        "Clinical Trial, Phase I", "Clinical Trial, Phase II", "Clinical Trial, Phase III", "Clinical Trial, Phase IV",
    )
)  # fmt: skip
DESIGN_HEADINGS: dict[str, str] = {
    "Case-Control Studies": "case-control study",
    "Cross-Sectional Studies": "cross-sectional study",
    "Genome-Wide Association Study": "genetic association study",
    "Cohort Studies": "cohort study",
    "Longitudinal Studies": "cohort study",
    "Qualitative Research": "qualitative study",
}

CASES_AND_CONTROLS = re.compile(
    r"\b(?:cases|patients) and (?:[\w-]+ ){0,5}controls\b|\d (?:healthy|matched|normal) (?:[\w-]+ )?controls\b"
    r"|\d (?:[\w-]+ ){0,2}(?:individuals|subjects|adults|cases) (?:with|aged|suffering|diagnosed)\b",
    re.IGNORECASE,
)
CAPITAL_N = re.compile(r"\b[Nn]\s?=\s?\d+")
PEOPLE_STUDIED = re.compile(
    r"\b(?:patients|participants|subjects|volunteers|women|men|children|adults|respondents|people|students"
    r"|infants|mothers|nurses|physicians|runners|stakeholders)\b",
    re.IGNORECASE,
)
