"""What kind of study it is: NLM's publication types first, then the words of title, abstract and headings."""

import re
from collections.abc import Callable

from biofact.literature.extraction.findings import Finding, span
from biofact.literature.extraction.rules.basic_science import basic_science
from biofact.literature.extraction.rules.counts import counted_nouns
from biofact.literature.extraction.rules.design_words import TITLED, WORDED
from biofact.literature.extraction.rules.publication_types import CLINICAL_TRIALS, DESIGN_HEADINGS, PUBLICATION_TYPES
from biofact.literature.extraction.rules.study_words import (
    ABOUT_GUIDELINES,
    CAPITAL_N,
    CASE,
    CASES_AND_CONTROLS,
    DIAGNOSTIC,
    DONE_SYSTEMATICALLY,
    ESSAY,
    HUMAN_STUDY,
    MENDELIAN,
    META_ANALYSIS,
    OTHERS_TRIALS,
    PEOPLE_STUDIED,
    PROTOCOL,
    RANDOMISED,
    SYSTEMATIC_LABEL,
    THIS_REVIEW,
    TRIAL,
)
from biofact.literature.extraction.rules.text import Document, Sentence
from biofact.literature.extraction.rules.vocabulary import PEOPLE, PROFESSIONALS, words
from biofact.literature.records import Evidence

COUNTED = (PEOPLE | PROFESSIONALS) - words("controls users carriers pregnancies faculty")
WILD = words(
    "individual individuals adult adults subject subjects male males female females fetuses relatives siblings donors"
)
"""What ecologists and cell biologists count as well."""


def study_type(document: Document) -> Finding | None:
    """The most specific kind that the record or its words support."""
    return next((finding for rule in RULES if (finding := rule(document))), None)


def by_publication_type(document: Document) -> Finding | None:
    """What NLM's indexers say, made more specific by the title."""
    types = document.article.publication_types
    kinds = {PUBLICATION_TYPES[name]: name for name in types if name in PUBLICATION_TYPES}
    if "meta-analysis" in kinds and (match := MENDELIAN.search(document.title.text)):
        return kind_finding("mendelian randomization", document.title, match)
    if "systematic review" in kinds and (match := META_ANALYSIS.search(document.title.text)):
        return kind_finding("meta-analysis", document.title, match)
    for kind in dict.fromkeys(PUBLICATION_TYPES.values()):
        if kind in kinds:
            return Finding(kind, (Evidence(where="publication_types", quote=kinds[kind]),))
    return clinical_trial(document)


def clinical_trial(document: Document) -> Finding | None:
    """A trial by its publication type: randomised where the words say so."""
    name = next((name for name in document.article.publication_types if name in CLINICAL_TRIALS), None)
    if name is None:
        return None
    randomised = first(document, RANDOMISED, refused=OTHERS_TRIALS)
    kind = "randomized controlled trial" if randomised else "clinical trial"
    entry = Evidence(where="publication_types", quote=name)
    return Finding(kind, (entry, *(randomised.evidence if randomised else ())))


def by_no_study(document: Document) -> Finding | None:
    """A comment is one, whatever words it uses."""
    if "Comment" in document.article.publication_types and "Letter" not in document.article.publication_types:
        return Finding("editorial", (Evidence(where="publication_types", quote="Comment"),))
    return None


def by_title(document: Document) -> Finding | None:
    """What the title calls it."""
    if document.title.text.strip().rstrip(".").lower() == "editorial":
        return Finding("editorial", (document.title.evidence(0, len("editorial")),))
    is_trial = RANDOMISED.search(document.title.text)
    for kind, pattern in TITLED[:6] if is_trial else TITLED:
        match = pattern.search(document.title.text)
        if match and not is_about_it(document, kind):
            return kind_finding(kind, document.title, match)
    return None


def is_about_it(document: Document, kind: str) -> bool:
    """Whether the title only speaks of such a thing: the uptake of guidelines, training by simulation."""
    if kind == "guideline":
        return bool(ABOUT_GUIDELINES.search(document.title.text))
    return kind == "computational study" and document.once(is_about_people)


def by_review(document: Document) -> Finding | None:
    """A review by its publication type; systematic where it describes how the studies were found."""
    if "Review" not in document.article.publication_types:
        return None
    if finding := systematic(document):
        return finding
    return Finding("review", (Evidence(where="publication_types", quote="Review"),))


def systematic(document: Document) -> Finding | None:
    """A systematic review by how its studies were found and chosen."""
    if "narrative review" in document.lower or not ("includ" in document.lower or "eligib" in document.lower):
        return None
    if match := SYSTEMATIC_LABEL.search(document.abstract):
        return Finding("systematic review", (span("abstract", document.abstract, match.start(1), match.end(1)),))
    finding = first(document, DONE_SYSTEMATICALLY)
    return Finding("systematic review", finding.evidence) if finding else None


def by_trial_words(document: Document) -> Finding | None:
    """A randomised trial by its words, if people are randomised."""
    if not document.once(is_about_people):
        return randomised_people(document)
    if finding := first(document, PROTOCOL):
        return Finding("protocol", finding.evidence)
    if finding := first(document, RANDOMISED, refused=OTHERS_TRIALS):
        return Finding("randomized controlled trial", finding.evidence)
    return None


def randomised_people(document: Document) -> Finding | None:
    """A randomised trial that mentions its patients without counting them."""
    if document.once(is_bench) or (document.mesh and "Humans" not in document.mesh):
        return None
    for sentence in document.sentences:
        match = RANDOMISED.search(sentence.text) if sentence.role != "background" else None
        if match and PEOPLE_STUDIED.search(sentence.plain) and not OTHERS_TRIALS.search(sentence.text):
            return Finding("randomized controlled trial", (sentence.evidence_of(match),))
    return None


def by_words(document: Document) -> Finding | None:
    """What the abstract calls the design."""
    if finding := systematic(document):
        return finding
    if finding := first(document, CASE):
        return Finding("case report", finding.evidence)
    is_human = "Letter" not in document.article.publication_types and document.once(is_about_people)
    for kind, pattern in WORDED:
        if not is_human and kind not in {"qualitative study", "mendelian randomization"}:
            continue  # those two are done on people only
        if finding := first(document, pattern):
            return Finding(kind, finding.evidence)
    return None


def by_heading(document: Document) -> Finding | None:
    """What NLM's headings say of the design, where people are its subjects."""
    if "Observational Study" not in document.article.publication_types and not document.once(is_about_people):
        return None
    for name, kind in DESIGN_HEADINGS.items():
        if name in document.mesh:
            return Finding(kind, (Evidence(where="mesh", quote=name),))
    return None


def by_human_subjects(document: Document) -> Finding | None:
    """A study of people whose design is not stated."""
    if "Observational Study" in document.article.publication_types:
        return Finding("observational study", (Evidence(where="publication_types", quote="Observational Study"),))
    if not document.once(is_about_people):
        return None
    if finding := first(document, TRIAL, refused=OTHERS_TRIALS):
        return Finding("clinical trial", finding.evidence)
    if finding := first(document, HUMAN_STUDY):
        return Finding("observational study", finding.evidence)
    if finding := first(document, DIAGNOSTIC):
        return Finding("diagnostic study", finding.evidence)
    counted = None if ESSAY.search(document.lower) else document.once(counted_people)
    return Finding("observational study", counted.evidence) if counted else None


def by_review_words(document: Document) -> Finding | None:
    """A narrative review that is not indexed as one."""
    finding = first(document, THIS_REVIEW)
    return Finding("review", finding.evidence) if finding else None


def first(document: Document, pattern: re.Pattern[str], *, refused: re.Pattern[str] | None = None) -> Finding | None:
    """The first match outside the background, unless other words of its sentence contradict it."""
    for sentence in document.all_sentences:
        if sentence.role == "background":
            continue
        match = pattern.search(sentence.text)
        if match and not (refused and refused.search(sentence.text)):
            return Finding(match.group(), (sentence.evidence_of(match),))
    return None


def kind_finding(kind: str, sentence: Sentence, match: re.Match[str]) -> Finding:
    """The kind on the words that name it."""
    return Finding(kind, (sentence.evidence_of(match),))


def counted_people(document: Document) -> Finding | None:
    """Where people are counted, or studied in methods or results."""
    heads = COUNTED if "Humans" in document.mesh else COUNTED - WILD
    for sentence in document.all_sentences:
        if sentence.role in {"background", "conclusions"}:
            continue
        for value, first, head in counted_nouns(sentence, heads):
            if value > 1:
                return Finding(value, (sentence.evidence(sentence.tokens[first].start, sentence.tokens[head].end),))
        match = CAPITAL_N.search(sentence.text) if PEOPLE_STUDIED.search(sentence.plain) else None
        match = match or CASES_AND_CONTROLS.search(sentence.plain)
        if match:
            return Finding(match.group(), (sentence.evidence_of(match),))
    for sentence in document.all_sentences:
        if sentence.role in {"methods", "participants", "results"} and (match := PEOPLE_STUDIED.search(sentence.text)):
            return Finding(match.group(), (sentence.evidence_of(match),))
    return None


def is_about_people(document: Document) -> bool:
    """Whether people are its subjects, rather than animals, cells or things."""
    if document.mesh and "Humans" not in document.mesh:
        return False
    if "Humans" in document.mesh and not document.mesh.isdisjoint(DESIGN_HEADINGS) and not document.once(is_bench):
        return True
    bench = document.once(basic_science)
    return (
        (bench is None or "Humans" in document.mesh)
        and document.once(counted_people) is not None
        and not document.once(is_bench)
    )


def is_bench(document: Document) -> bool:
    """Whether animals or cells take up more of it than people do."""
    lower = document.lower
    people = sum(
        lower.count(word)
        for word in (
            "patient",
            "participant",
            "women",
            " men ",
            "children",
            "subjects",
            "individuals",
            "controls",
            " cases",
            "volunteer",
            "adults",
        )
    )
    bench = sum(
        lower.count(word)
        for word in (" mice", "mouse", " rats", " rat ", "cells", "in vitro", "protein", "zebrafish", "macaque")
    )
    return bench > people


Finder = Callable[[Document], Finding | None]
RULES: tuple[Finder, ...] = (
    by_publication_type,
    by_no_study,
    by_title,
    by_review,
    by_trial_words,
    by_words,
    by_heading,
    by_human_subjects,
    by_review_words,
    basic_science,
)
