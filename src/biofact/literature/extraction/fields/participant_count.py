"""The people of a study, and how many studies a review includes; ``sample_size`` is the one or the other."""

import re

from biofact.literature.extraction.fields.field import COUNT, Column, Field
from biofact.literature.extraction.fields.sample_size import counts_subjects, sample_size
from biofact.literature.extraction.fields.study_type import SYNTHESES, kind_of
from biofact.literature.extraction.findings import Finding
from biofact.literature.extraction.text.document import Document
from biofact.literature.extraction.text.numbers import decimal

POOLED_PEOPLE = re.compile(
    r"(?i)\b(?:stud(?:y|ies)|trials?|RCTs?|cohorts?|articles?|reports?|meta-analys[ei]s|review"
    r"|comparisons?|total|pooled)\b"
    r"[^.;]{0,90}?(?<![\d.,])(?:n ?= ?)?(?P<count>\d{1,3}(?:[, ]\d{3})+|\d{2,9})(?![.,]?\d|%)"
    r"(?: (?!studies|trials|articles|records|of)[\w-]+){0,4}? (?:participants|patients|people|individuals|subjects"
    r"|women|men|children|adults|infants|persons|cases|pregnancies)\b"
)
"""The people of the studies of a review. As in: 34 trials with 23,456 participants"""
_IS_REVIEW = SYNTHESES | {"review"}


def participant_count(document: Document) -> Finding | None:
    """The people studied; in a review, those of all studies that it includes."""
    return pooled_people(document) if kind_of(document) in _IS_REVIEW else document.cached(sample_size)


def pooled_people(document: Document) -> Finding | None:
    """The most people that the results of a review count in its studies."""
    counts = [
        (int(decimal(match["count"].replace(" ", ""))), sentence.evidence_of(match))
        for sentence in document.sentences
        if sentence.role not in {"background", "objective", "limitations"}
        for match in sentence.matches(POOLED_PEOPLE)
    ]
    best = max(counts, key=lambda count: count[0], default=None)
    return None if best is None else Finding(best[0], (best[1],))


def study_count(document: Document) -> Finding | None:
    """How many studies a review includes."""
    return document.cached(sample_size) if kind_of(document) in _IS_REVIEW else None


_REVIEW_EXAMPLE = "METHODS: We conducted a systematic review. RESULTS: We included 34 trials with 2,345 patients."
PARTICIPANT_COUNT = Field(
    name="participant_count",
    find=participant_count,
    has_candidates=counts_subjects,
    names=(
        "n_participants number_of_participants participants_count num_participants total_participants n_patients "
        "number_of_patients patient_count num_patients total_patients n_subjects number_of_subjects subject_count "
        "enrollment enrolment enrolled number_enrolled n_randomized n_randomised number_randomized participants_number"
    ),
    kinds=COUNT,
    unit="people or animals",
    is_of_study=True,
    column=Column(group="Design", prefix="n = "),
    examples=(
        ("METHODS: We randomised 120 adults with asthma to zinc or placebo.", 120),
        (_REVIEW_EXAMPLE, 2345),
    ),
)
STUDY_COUNT = Field(
    name="study_count",
    find=study_count,
    names="number_of_studies n_studies included_studies studies_included num_studies",
    kinds=COUNT,
    unit="studies",
    is_of_study=True,
    examples=((_REVIEW_EXAMPLE, 34),),
)
