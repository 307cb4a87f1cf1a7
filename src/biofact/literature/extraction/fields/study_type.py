"""The kind of study: NLM's publication types first, then the words of title, abstract and headings."""

import re
from collections.abc import Callable
from dataclasses import replace

from biofact.literature.extraction.fields.field import Column, Field
from biofact.literature.extraction.fields.study_subjects import (
    SECONDARY,
    TRIAL,
    basic_science,
    is_secondary,
    randomised,
)
from biofact.literature.extraction.findings import Finding, span
from biofact.literature.extraction.text.counts import counted_nouns
from biofact.literature.extraction.text.document import Document, Sentence
from biofact.literature.extraction.text.vocabulary import PEOPLE, PROFESSIONALS, words
from biofact.literature.records import Evidence

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
"""NLM's publication types that decide the kind, the most specific first."""
CLINICAL_TRIALS = frozenset(
    (
        "Clinical Trial", "Controlled Clinical Trial", "Pragmatic Clinical Trial", "Adaptive Clinical Trial",
        "Clinical Trial, Phase I", "Clinical Trial, Phase II", "Clinical Trial, Phase III", "Clinical Trial, Phase IV",
    )
)  # fmt: skip
"""NLM's publication types of trials, which may be randomised."""
DESIGN_HEADINGS: dict[str, str] = {
    "Case-Control Studies": "case-control study",
    "Cross-Sectional Studies": "cross-sectional study",
    "Genome-Wide Association Study": "genetic association study",
    "Cohort Studies": "cohort study",
    "Longitudinal Studies": "cohort study",
    "Qualitative Research": "qualitative study",
}
"""MeSH headings of designs."""


MENDELIAN = re.compile(r"(?i)\bmendelian randomi[sz]ation\b")
"""As in: a Mendelian randomisation study."""
META_ANALYSIS = re.compile(r"(?i)(?<!without )(?<!no )\bmeta-?\s?analy(?:sis|ses|tic review)\b")
"""As in: a meta-analysis."""
SYSTEMATIC = re.compile(
    r"(?i)\b(?:systematic(?:ally)? (?:literature )?review|systematic(?: \w+){1,3} review|scoping review"
    r"|umbrella review|systematic(?:ally)? (?:literature )?search|cochrane review|rapid review|"
    r"(?:integrative|evidence) review)"
)
"""As in: a systematic literature review."""
DONE_SYSTEMATICALLY = re.compile(
    r"(?i)\bwe (?:conducted|performed|did|carried out) a (?:\w+ )?(?:systematic|scoping) (?:\w+ )?(?:review|search)"
    r"|\b(?:medline|embase|pubmed|cochrane library|web of science)\b[^.]{0,200}\bwere "
    r"(?:systematically )?searched|\bwe (?:systematically )?searched (?:the )?(?:\w+ ){0,3}"
    r"(?:medline|embase|pubmed|cochrane|electronic|databases)|\bstudies were included in (?:the|this|our) review"
)
"""As in: we systematically searched the databases."""
SYSTEMATIC_LABEL = re.compile(
    r"^(search (?:strategy|methods?)|selection criteria|study selection|data extraction"
    r"|study appraisal[^:\n]{0,40}|(?:literature )?search strategy[^:\n]{0,40}):",
    re.IGNORECASE | re.MULTILINE,
)
"""As in: Search strategy: MEDLINE."""
EDITORIAL = re.compile(r"(?i)\s*editorial(?=\s*[.:]|\s*$)")
"""As in: Editorial: zinc again."""
OPEN_DESIGN = re.compile(
    r"(?i)phase .*|(?:open-label|pilot|feasibility|clinical|controlled|multicent(?:er|re)) .*|prospective study"
    r"|follow-up study|longitudinal (?:study|analysis|follow)"
)
"""A name that leaves open whether people were randomised. As in: phase III trial."""
OTHERS_TRIALS = re.compile(
    r"(?i)\brandomly (?:assigned|allocated|divided|split|selected|grouped) (?:in)?to (?:[\w-]+ ){0,3}"
    r"(?:training|validation|test|testing|derivation|development)\b|\brandomly assigned to (?:[\w-]+ ){0,3}(?:readers"
    r"|observers|reviewers|raters)\b|\b"
    r"(?:randomi[sz]ed (?:controlled |clinical )?trials? (?:is|are|were) "
    r"(?:needed|required|warranted|lacking|necessary)|"
    r"(?:further|future|large|larger|more|additional|previous|prior|other|recent|published) "
    r"(?:[\w-]+ ){0,3}randomi[sz]ed|mendelian randomi[sz]ation)"
)
"""As in: further randomised trials."""
ABOUT_GUIDELINES = re.compile(
    r"(?i)\b(?:adherence|compliance|impact|implementation|effects?|concordance|knowledge|according|based|following"
    r"|use|awareness|evaluation|validation|quality|comparison|review|appraisal|before and after|conform\w+|uptake"
    r"|survey)\b.*\bguidelines?\b|\bguidelines?\b.*\b(?:adherence|compliance|implementation|use)\b"
)
"""As in: adherence to guidelines."""
TRIAL_WORDS = re.compile(
    r"(?i)\bphase (?:[iI]{1,3}[abAB]?(?:/[iI]{1,3}[ab]?)?|[1-3][ab]?(?:/[1-3][ab]?)?)\b(?: \w+)? "
    r"(?:trial|study|clinical)|\b(?:open-?label|single-?arm|non-?randomi[sz]ed|controlled|clinical|pilot"
    r"|feasibility|crossover|multicent(?:er|re)|double-?blind|prospective) (?:[\w-]+ )?"
    r"(?:trial|intervention study)\b|\bquasi-?(?:experimental|randomi[sz]ed)\b|\b(?:open-?label"
    r"|(?:double|single)-?blind|placebo-controlled|cross-?over)\b"
)
"""As in: an open-label trial."""
DIAGNOSTIC = re.compile(
    r"(?i)\b(?:diagnostic (?:accuracy|performance|value|study|test)|sensitivity (?:and|,) (?:the )?specificity"
    r"|receiver[- ]operating|test-retest reliability)\b"
)
"""As in: sensitivity and specificity."""
HUMAN_STUDY = re.compile(
    r"(?i)\b(?:(?:retro|pro)spective(?:ly(?! registered))?|observational|registry|chart review|medical records)\b"
)
"""As in: a retrospective chart review."""
THIS_REVIEW = re.compile(
    r"(?i)\b(?:(?:this|the present|the current|our|present) (?:\w+ ){0,2}(?:review|overview)\b|in this review\b|this "
    r"(?:article|paper|chapter|work) (?:\w+ )?(?:reviews|summari[sz]es|discusses|provides an overview|outlines)"
    r"|\b(?:here,? )?(?:we|i) (?:\w+ )?(?:review|summari[sz]e) "
    r"(?:the|how|recent|current|what|our|some|evidence|advances)|focus of this review|(?:is|are) reviewed\b)"
)
"""As in: this review."""
ESSAY = re.compile(
    r"\b(?:this|the present|the) (?:paper|article|essay|commentary|perspective|viewpoint|chapter) (?:\w+ )?"
    r"(?:discusses|examines|argues|considers|focuses|addresses|explores|outlines)\b|\b(?:it is|we|i) argued?\b"
    r"|\bwe discuss\b"
)
"""As in: this paper discusses."""
CASE = re.compile(
    r"(?i)\b(?:we (?:\w+ )?(?:report|present|describe)(?:ed)? (?:\w+ )?(?:a|an|the|one) (?:[\w-]+ ){0,4}"
    r"(?:case|patient|woman|man|boy|girl|infant|child|neonate)\b|\b(?:this|our) case report\b"
    r"|\bthe case of an? (?:\d|[\w-]+[- ]year)|\bin an? (?:fatal|rare|single|death|unusual) case\b"
    r"|\bcase presentation\b|\ba \d{1,3}-(?:year|month|week|day)-old\b[^.]{0,80}\b"
    r"(?:presented|was admitted|was referred|developed|who))"
)
"""As in: we report a case."""
PROTOCOL = re.compile(
    r"(?i)\b(?:patients|participants|subjects|women|children|adults) will be\b|\bwe will (?:recruit|enrol|randomi)"
)
"""As in: participants will be."""
CASES_AND_CONTROLS = re.compile(
    r"(?i)\b(?:cases|patients) and (?:[\w-]+ ){0,5}controls\b|\d (?:healthy|matched|normal) (?:[\w-]+ )?controls\b"
    r"|\d (?:[\w-]+ ){0,2}(?:individuals|subjects|adults|cases) (?:with|aged|suffering|diagnosed)\b"
)
"""As in: cases and healthy controls."""
CAPITAL_N = re.compile(r"\b[Nn]\s?=\s?\d+")
"""As in: n = 30."""
PEOPLE_STUDIED = re.compile(
    r"(?i)\b(?:patients|participants|subjects|volunteers|women|men|children|adults|respondents|people|students"
    r"|infants|mothers|nurses|physicians|runners|stakeholders)\b"
)
"""As in: patients or volunteers."""


SECONDARY_TITLE = re.compile(
    r"(?i)\b(?:secondary|post[- ]?hoc|ancillary|exploratory|mediation|pre-?specified) (?:[\w-]+ )?analys[ei]s\b"
    r"|\bsub-?group analys[ei]s\b|\bsub-?study\b"
)
"""As in: a post hoc analysis of the trial."""
Rule = tuple[str, re.Pattern[str]]


def rule(kind: str, words: str) -> Rule:
    """A kind of study, and the words that name it in any letter case."""
    return kind, re.compile(words, re.IGNORECASE)


TITLE_RULES: tuple[Rule, ...] = (
    # As in: protocol for a randomised trial.
    rule(
        "protocol",
        r"\bprotocol (?:for|of) (?:an?|the|two|our)\b.*\b(?:trial|study|review)|\b(?:study|trial|review) protocol\b"
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
        r"\b(?:narrative|literature|critical|mini|state-of-the-art|brief|comprehensive|clinical|current) ?-?reviews?\b"
        r"|\breviews? of (?:[\w-]+ ){0,3}trials\b|\ba review\b(?! of (?:the )?(?:\d|\w+ (?:[\w-]+ )?(?:cases"
        r"|patients)\b))|\boverview\b|\bminireview\b|: ?review\b",
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
        r"\bcohort\b(?! profile)|\blongitudinal (?:study|analysis|follow)|\bprospective study\b|\bfollow-up study\b",
    ),
    # As in: an in silico analysis.
    rule(
        "computational study",
        r"\bin silico\b|\bmolecular dynamics\b|\bsimulations?\b|\bmathematical model|\bmodell?ing study\b"
        r"|\bmarkov model|\bsoftware\b|\bweb ?server\b|\balgorithms?\b",
    ),
)
"""Words by which titles name a design, the most specific first."""
ABSTRACT_RULES: tuple[Rule, ...] = (
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
    rule("case series", r"\bcase series\b|\bseries of (?:\d+|\w+) (?:\w+ )?(?:patients|cases)\b"),
)
"""Words by which abstracts name a design, the most specific first."""


TRIALS = frozenset(("randomized controlled trial", "clinical trial", "protocol"))
SYNTHESES = frozenset(("meta-analysis", "systematic review"))
OBSERVED = frozenset(
    ("cohort study", "case-control study", "cross-sectional study", "observational study", "genetic association study",
     "mendelian randomization", "case series", "diagnostic study")
)  # fmt: skip
BENCH = frozenset(("animal study", "in vitro study"))
"""Groups of kinds that are written alike."""
COUNTED_NOUNS = (PEOPLE | PROFESSIONALS) - words("controls users carriers pregnancies faculty")
"""Nouns for people whose count makes a study one of people: 120 women."""
AMBIGUOUS_NOUNS = words(
    "individual individuals adult adults subject subjects male males female females fetuses relatives siblings donors"
)
"""Nouns that ecologists and cell biologists count as well."""
COUNTED_KIND = "observational study"
"""The kind of a study of people whose design is not stated."""
TITLED_KINDS = frozenset(("protocol", "case series"))
"""Kinds that a title names more exactly than publication types: a series of cases is indexed as case reports."""
OVER_TRIALS = frozenset(("protocol", "mendelian randomization", "meta-analysis", "systematic review", "review"))
"""Kinds that a title can name although it mentions randomised trials."""
PEOPLE_MARKS = (
    "patient", "participant", "women", " men ", "children", "subjects", "individuals", "controls", " cases",
    "volunteer", "adults",
)  # fmt: skip
"""Words of studies of people: 120 patients."""
BENCH_MARKS = (" mice", "mouse", " rats", " rat ", "cells", "in vitro", "protein", "zebrafish", "macaque")
"""Words of studies on animals and cells: in vitro."""


def study_type(document: Document) -> Finding | None:
    """The most specific kind that the record or its words state; None if people are counted without a stated design."""
    finding = document.cached(likely_kind)
    # a head count is no evidence of a design
    if finding is None or (finding.value == COUNTED_KIND and finding == document.cached(by_counted_people)):
        return None
    is_titled = document.title.search(SECONDARY_TITLE) is not None
    is_again = finding.value == TRIAL and (is_titled or is_secondary(finding, document))
    return replace(finding, value=SECONDARY) if is_again else finding


def likely_kind(document: Document) -> Finding | None:
    """The most specific kind that the record or its words support."""
    return next((finding for rule in RULES if (finding := rule(document))), None)


def kind_of(document: Document) -> str:
    """The name of the likely kind, stated or not, by which other rules choose; empty if unknown."""
    finding = document.cached(likely_kind)
    return str(finding.value) if finding else ""


def by_publication_type(document: Document) -> Finding | None:
    """The kind by NLM's publication types, made more specific by the title."""
    types = document.article.publication_types
    kinds = {PUBLICATION_TYPES[name]: name for name in types if name in PUBLICATION_TYPES}
    for kind, pattern in TITLE_RULES:  # which a plan, or a series, does not have as its own publication type
        if kind in TITLED_KINDS and kinds and (match := document.title.search(pattern)):
            return kind_finding(kind, document.title, match)
    if "meta-analysis" in kinds and (match := MENDELIAN.search(document.title.text)):
        return kind_finding("mendelian randomization", document.title, match)
    if "systematic review" in kinds and (match := META_ANALYSIS.search(document.title.text)):
        return kind_finding("meta-analysis", document.title, match)
    # the most specific first, as in the table
    for kind in dict.fromkeys(PUBLICATION_TYPES.values()):
        if kind in kinds:
            return Finding(kind, (Evidence(where="publication_types", quote=kinds[kind]),))
    return clinical_trial(document)


def clinical_trial(document: Document) -> Finding | None:
    """A trial by its publication type; randomised by its words."""
    name = next((name for name in document.article.publication_types if name in CLINICAL_TRIALS), None)
    if name is None:
        return None
    entry = Evidence(where="publication_types", quote=name)
    trial = document.cached(randomised)
    return Finding(TRIAL, (entry, *trial.evidence)) if trial else Finding("clinical trial", (entry,))


def by_no_study(document: Document) -> Finding | None:
    """An editorial, if the record is a comment."""
    if "Comment" in document.article.publication_types and "Letter" not in document.article.publication_types:
        return Finding("editorial", (Evidence(where="publication_types", quote="Comment"),))
    return None


def by_title(document: Document) -> Finding | None:
    """The kind that the title names."""
    if match := EDITORIAL.match(document.title.text):
        return kind_finding("editorial", document.title, match)
    trial = document.cached(randomised)
    is_titled = trial is not None and trial.evidence[0].where == "title"
    for kind, pattern in TITLE_RULES:
        if is_titled and kind not in OVER_TRIALS:
            continue
        match = document.title.search(pattern)
        if match and not is_about_it(document, kind):
            is_open = trial is not None and OPEN_DESIGN.fullmatch(match.group())
            return trial if is_open else kind_finding(kind, document.title, match)
    return trial if is_titled else None


def is_about_it(document: Document, kind: str) -> bool:
    """Whether the title is only about such a thing: the uptake of guidelines, training by simulation."""
    if kind == "guideline":
        return bool(ABOUT_GUIDELINES.search(document.title.text))
    return kind == "computational study" and document.cached(is_about_people)


def by_review(document: Document) -> Finding | None:
    """A review by its publication type; systematic if it describes the search for studies."""
    if "Review" not in document.article.publication_types:
        return None
    return systematic(document) or Finding("review", (Evidence(where="publication_types", quote="Review"),))


def systematic(document: Document) -> Finding | None:
    """A systematic review by how its studies were found and chosen."""
    if "narrative review" in document.lower or not ("includ" in document.lower or "eligib" in document.lower):
        return None
    can_be_labelled = document.can_hold(SYSTEMATIC_LABEL)
    if can_be_labelled and (match := SYSTEMATIC_LABEL.search(document.abstract)):
        return Finding("systematic review", (span("abstract", document.abstract, match.start(1), match.end(1)),))
    return kind_by_words("systematic review", document, DONE_SYSTEMATICALLY)


def by_trial_words(document: Document) -> Finding | None:
    """A randomised trial by its words, or the plan for one."""
    plan = kind_by_words("protocol", document, PROTOCOL)
    if plan is not None and document.cached(is_about_people):
        return plan
    return systematic(document) or document.cached(randomised)


def by_words(document: Document) -> Finding | None:
    """The design that the abstract names."""
    if finding := systematic(document) or kind_by_words("case report", document, CASE):
        return finding
    is_human = "Letter" not in document.article.publication_types and document.cached(is_about_people)
    for kind, pattern in ABSTRACT_RULES:
        if not is_human and kind not in {"qualitative study", "mendelian randomization"}:
            continue  # those two are done on people only
        if finding := kind_by_words(kind, document, pattern):
            return finding
    return None


def by_heading(document: Document) -> Finding | None:
    """The design by NLM's headings, if people are its subjects."""
    if "Observational Study" not in document.article.publication_types and not document.cached(is_about_people):
        return None
    for name, kind in DESIGN_HEADINGS.items():
        if name in document.mesh:
            return Finding(kind, (Evidence(where="mesh", quote=name),))
    return None


def by_human_subjects(document: Document) -> Finding | None:
    """A study of people by less certain words."""
    if "Observational Study" in document.article.publication_types:
        return Finding("observational study", (Evidence(where="publication_types", quote="Observational Study"),))
    if not document.cached(is_about_people):
        return None
    return (
        kind_by_words("clinical trial", document, TRIAL_WORDS, excluded=OTHERS_TRIALS)
        or kind_by_words("observational study", document, HUMAN_STUDY)
        or kind_by_words("diagnostic study", document, DIAGNOSTIC)
    )


def by_counted_people(document: Document) -> Finding | None:
    """A study of people whose design is not stated: good for choosing what to read, no answer by itself."""
    if not document.cached(is_about_people):
        return None
    is_essay = document.can_hold(ESSAY) and ESSAY.search(document.lower)
    count = None if is_essay else document.cached(counted_people)
    return Finding(COUNTED_KIND, count.evidence) if count else None


def by_review_words(document: Document) -> Finding | None:
    """A narrative review that is not indexed as one."""
    return kind_by_words("review", document, THIS_REVIEW)


def kind_by_words(
    kind: str, document: Document, pattern: re.Pattern[str], *, excluded: re.Pattern[str] | None = None
) -> Finding | None:
    """The kind on the first words for it outside the background, unless others of their sentence contradict it."""
    if not document.can_hold(pattern):
        return None
    for sentence in document.all_sentences:
        if sentence.role == "background":
            continue
        match = sentence.search(pattern)
        if match and not (excluded and sentence.search(excluded)):
            return kind_finding(kind, sentence, match)
    return None


def kind_finding(kind: str, sentence: Sentence, match: re.Match[str]) -> Finding:
    """The kind on the words that name it."""
    return Finding(kind, (sentence.evidence_of(match),))


def counted_people(document: Document) -> Finding | None:
    """The words that count people, or mention them in methods or results."""
    heads = COUNTED_NOUNS if "Humans" in document.mesh else COUNTED_NOUNS - AMBIGUOUS_NOUNS
    for sentence in document.all_sentences:
        if sentence.role in {"background", "conclusions"}:
            continue
        for value, first, head in counted_nouns(sentence, heads):
            if value > 1:
                return Finding(value, (sentence.evidence(sentence.tokens[first].start, sentence.tokens[head].end),))
        match = sentence.search(CAPITAL_N)
        if match and not sentence.search_plain(PEOPLE_STUDIED):
            match = None
        match = match or sentence.search_plain(CASES_AND_CONTROLS)
        if match:
            return Finding(match.group(), (sentence.evidence_of(match),))
    for sentence in document.all_sentences:
        if sentence.role in {"methods", "participants", "results"} and (match := sentence.search(PEOPLE_STUDIED)):
            return Finding(match.group(), (sentence.evidence_of(match),))
    return None


def is_about_people(document: Document) -> bool:
    """Whether people are its subjects, rather than animals, cells or things."""
    if document.mesh and "Humans" not in document.mesh:
        return False
    if "Humans" in document.mesh and not document.mesh.isdisjoint(DESIGN_HEADINGS) and not document.cached(is_bench):
        return True
    if document.cached(basic_science) is not None and "Humans" not in document.mesh:
        return False
    return document.cached(counted_people) is not None and not document.cached(is_bench)


def is_bench(document: Document) -> bool:
    """Whether animals or cells take up more of it than people do."""
    lower = document.lower
    return sum(map(lower.count, BENCH_MARKS)) > sum(map(lower.count, PEOPLE_MARKS))


Finder = Callable[[Document], Finding | None]
# The first rule that applies decides, so that the surest come first.
RULES: tuple[Finder, ...] = (
    by_publication_type,
    by_no_study,
    by_title,
    by_review,
    by_trial_words,
    by_words,
    by_heading,
    by_human_subjects,
    by_counted_people,
    by_review_words,
    basic_science,
)


STUDY_TYPE = Field(
    name="study_type",
    find=study_type,
    names=(
        "study_design design methodology method methods type_of_study research_design trial_type "
        "article_type study_methodology research_method research_methodology study_kind publication_type "
        "evidence_type"
    ),
    is_of_study=True,
    label="Study type",
    column=Column(1, weight=0.2, scale="categorical_score", group="Design"),
)
