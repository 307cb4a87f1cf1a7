"""What kind of study it is: NLM's publication types first, then the words of title, abstract and headings."""

import re
from collections.abc import Callable
from dataclasses import replace

from biofact.literature.extraction.findings import Finding, span
from biofact.literature.extraction.rules import study_words
from biofact.literature.extraction.rules.basic_science import basic_science
from biofact.literature.extraction.rules.counts import counted_nouns
from biofact.literature.extraction.rules.design_words import TITLED, WORDED
from biofact.literature.extraction.rules.publication_types import CLINICAL_TRIALS, DESIGN_HEADINGS, PUBLICATION_TYPES
from biofact.literature.extraction.rules.randomised import SECONDARY, TRIAL, is_secondary, randomised
from biofact.literature.extraction.rules.text import Document, Sentence
from biofact.literature.extraction.rules.vocabulary import PEOPLE, PROFESSIONALS, words
from biofact.literature.records import Evidence

COUNTED = (PEOPLE | PROFESSIONALS) - words("controls users carriers pregnancies faculty")
WILD = words(
    "individual individuals adult adults subject subjects male males female females fetuses relatives siblings donors"
)
"""What ecologists and cell biologists count as well."""
COUNTED_KIND = "observational study"
"""What a study of people is taken for, where its design is not stated."""
OVER_TRIALS = frozenset(("protocol", "mendelian randomization", "meta-analysis", "systematic review", "review"))
"""What a title can be in spite of the randomised trials that it names."""
PEOPLE_MARKS = (
    "patient", "participant", "women", " men ", "children", "subjects", "individuals", "controls", " cases",
    "volunteer", "adults",
)  # fmt: skip
BENCH_MARKS = (" mice", "mouse", " rats", " rat ", "cells", "in vitro", "protein", "zebrafish", "macaque")


def study_type(document: Document) -> Finding | None:
    """The most specific kind that the record or its words state; none where people are counted and no more is said."""
    finding = document.once(likely_kind)
    if finding is None or (finding.value == COUNTED_KIND and finding == document.once(by_counted_people)):
        return None
    is_again = finding.value == TRIAL and is_secondary(finding, document)
    return replace(finding, value=SECONDARY) if is_again else finding


def likely_kind(document: Document) -> Finding | None:
    """The most specific kind that the record or its words support."""
    return next((finding for rule in RULES if (finding := rule(document))), None)


def kind_of(document: Document) -> str:
    """The name of its likely kind, stated or not, by which other rules choose; empty where none is known."""
    finding = document.once(likely_kind)
    return str(finding.value) if finding else ""


def by_publication_type(document: Document) -> Finding | None:
    """What NLM's indexers say, made more specific by the title."""
    types = document.article.publication_types
    kinds = {PUBLICATION_TYPES[name]: name for name in types if name in PUBLICATION_TYPES}
    if "meta-analysis" in kinds and (match := study_words.MENDELIAN.search(document.title.text)):
        return kind_finding("mendelian randomization", document.title, match)
    if "systematic review" in kinds and (match := study_words.META_ANALYSIS.search(document.title.text)):
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
    entry = Evidence(where="publication_types", quote=name)
    trial = document.once(randomised)
    return Finding(TRIAL, (entry, *trial.evidence)) if trial else Finding("clinical trial", (entry,))


def by_no_study(document: Document) -> Finding | None:
    """A comment is one, whatever words it uses."""
    if "Comment" in document.article.publication_types and "Letter" not in document.article.publication_types:
        return Finding("editorial", (Evidence(where="publication_types", quote="Comment"),))
    return None


def by_title(document: Document) -> Finding | None:
    """What the title calls it."""
    if match := study_words.EDITORIAL.match(document.title.text):
        return kind_finding("editorial", document.title, match)
    trial = document.once(randomised)
    is_titled = trial is not None and trial.evidence[0].where == "title"
    for kind, pattern in TITLED:
        if is_titled and kind not in OVER_TRIALS:
            continue
        match = document.title.search(pattern)
        if match and not is_about_it(document, kind):
            is_open = trial is not None and study_words.OPEN_DESIGN.fullmatch(match.group())
            return trial if is_open else kind_finding(kind, document.title, match)
    return trial if is_titled else None


def is_about_it(document: Document, kind: str) -> bool:
    """Whether the title only speaks of such a thing: the uptake of guidelines, training by simulation."""
    if kind == "guideline":
        return bool(study_words.ABOUT_GUIDELINES.search(document.title.text))
    return kind == "computational study" and document.once(is_about_people)


def by_review(document: Document) -> Finding | None:
    """A review by its publication type; systematic where it describes how the studies were found."""
    if "Review" not in document.article.publication_types:
        return None
    return systematic(document) or Finding("review", (Evidence(where="publication_types", quote="Review"),))


def systematic(document: Document) -> Finding | None:
    """A systematic review by how its studies were found and chosen."""
    if "narrative review" in document.lower or not ("includ" in document.lower or "eligib" in document.lower):
        return None
    can_be_labelled = document.can_hold(study_words.SYSTEMATIC_LABEL)
    if can_be_labelled and (match := study_words.SYSTEMATIC_LABEL.search(document.abstract)):
        return Finding("systematic review", (span("abstract", document.abstract, match.start(1), match.end(1)),))
    return called("systematic review", document, study_words.DONE_SYSTEMATICALLY)


def by_trial_words(document: Document) -> Finding | None:
    """A randomised trial by its words, or the plan for one."""
    plan = called("protocol", document, study_words.PROTOCOL)
    if plan is not None and document.once(is_about_people):
        return plan
    return systematic(document) or document.once(randomised)


def by_words(document: Document) -> Finding | None:
    """What the abstract calls the design."""
    if finding := systematic(document) or called("case report", document, study_words.CASE):
        return finding
    is_human = "Letter" not in document.article.publication_types and document.once(is_about_people)
    for kind, pattern in WORDED:
        if not is_human and kind not in {"qualitative study", "mendelian randomization"}:
            continue  # those two are done on people only
        if finding := called(kind, document, pattern):
            return finding
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
    """A study of people by less certain words."""
    if "Observational Study" in document.article.publication_types:
        return Finding("observational study", (Evidence(where="publication_types", quote="Observational Study"),))
    if not document.once(is_about_people):
        return None
    return (
        called("clinical trial", document, study_words.TRIAL, refused=study_words.OTHERS_TRIALS)
        or called("observational study", document, study_words.HUMAN_STUDY)
        or called("diagnostic study", document, study_words.DIAGNOSTIC)
    )


def by_counted_people(document: Document) -> Finding | None:
    """A study of people whose design is not stated: good for choosing what to read, no answer by itself."""
    if not document.once(is_about_people):
        return None
    is_essay = document.can_hold(study_words.ESSAY) and study_words.ESSAY.search(document.lower)
    counted = None if is_essay else document.once(counted_people)
    return Finding(COUNTED_KIND, counted.evidence) if counted else None


def by_review_words(document: Document) -> Finding | None:
    """A narrative review that is not indexed as one."""
    return called("review", document, study_words.THIS_REVIEW)


def called(
    kind: str, document: Document, pattern: re.Pattern[str], *, refused: re.Pattern[str] | None = None
) -> Finding | None:
    """The kind on the first words for it outside the background, unless others of their sentence contradict it."""
    if not document.can_hold(pattern):
        return None
    for sentence in document.all_sentences:
        if sentence.role == "background":
            continue
        match = sentence.search(pattern)
        if match and not (refused and sentence.search(refused)):
            return kind_finding(kind, sentence, match)
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
        match = sentence.search(study_words.CAPITAL_N)
        if match and not sentence.search_plain(study_words.PEOPLE_STUDIED):
            match = None
        match = match or sentence.search_plain(study_words.CASES_AND_CONTROLS)
        if match:
            return Finding(match.group(), (sentence.evidence_of(match),))
    for sentence in document.all_sentences:
        if sentence.role in {"methods", "participants", "results"} and (
            match := sentence.search(study_words.PEOPLE_STUDIED)
        ):
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
    return sum(map(lower.count, BENCH_MARKS)) > sum(map(lower.count, PEOPLE_MARKS))


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
    by_counted_people,
    by_review_words,
    basic_science,
)
