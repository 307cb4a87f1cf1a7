"""The follow-up: the time for which subjects were followed or treated."""

import re
from types import MappingProxyType

from biofact.literature.extraction.fields.field import AMOUNT, COUNT, Column, Field
from biofact.literature.extraction.fields.study_type import kind_of
from biofact.literature.extraction.findings import Finding
from biofact.literature.extraction.text.document import Document, Sentence
from biofact.literature.extraction.text.numbers import TENS, UNITS

NUMBER_WORDS = "|".join(sorted((*(word for word in UNITS if word != "zero"), *TENS), key=len, reverse=True))
DURATION = (
    rf"(?P<value>\d{{1,4}}(?:[.·]\d{{1,3}})?|\b(?:{NUMBER_WORDS}))(?:\s?(?:-|\u2013"
    rf"|to)\s?\d{{1,3}}(?:[.·]\d)?)?(?:\s\([^()]{{1,30}}\)\s)?[-\s]?"
    rf"(?P<unit>(?:year|month|week|day|yr|mo|wk)s?)\b"
)
QUALIFIERS = (
    r"(?:(?:a|an|the|of|was|were|at|least|up|to|about|approximately|approx\.|over|more|than|period|maximum|total"
    r"|=|:|for|,|±)\s+){0,6}"
)
MIDDLE = r"(?:(?:an?|the)\s+)?(?:(?:median|mean|average|overall|total|minimum|planned|maximum)\s+)?"
UNITS_OF_TIME = {"yr": "year", "mo": "month", "wk": "week"}


def form(*parts: str) -> re.Pattern[str]:
    """A way of stating a duration."""
    return re.compile("".join(parts), re.IGNORECASE)


SURE_FORMS = (
    # As in: median follow-up was 12 months.
    form(
        r"\b(?:median|mean|average) (?:duration of )?(?:clinical )?follow[- ]?up",
        rf"(?: (?:time|period|duration|interval|length))?\W+{QUALIFIERS}{DURATION}",
    ),
    # As in: mean duration of follow-up was 12 months.
    form(rf"\b(?:median|mean|average) (?:time|duration|period) of (?:follow[- ]?up )?(?:was )?{DURATION}"),
    # As in: followed up for 12 months.
    form(
        r"\bfollow(?:ed)?[- ]?up(?: (?:time|period|duration|interval))?",
        rf"(?::|[,:]?\s+(?:for|of|over|was|to|period of|at|after|=))\s+{QUALIFIERS}{MIDDLE}{QUALIFIERS}{DURATION}",
    ),
    # As in: observed over 12 months.
    form(
        r"\b(?:followed|observed|monitored|tracked)(?: up)?(?: prospectively)?,? (?:for|over|during|until|through)\s+",
        rf"{QUALIFIERS}{MIDDLE}(?:(?:duration|time|period|follow-up)\s+)?{QUALIFIERS}{DURATION}",
    ),
    # As in: a 12-month follow-up.
    form(rf"{DURATION}(?: of| longitudinal| clinical)?[- ]follow[- ]?up\b"),
    # As in: follow-up was performed after a median of 12 months.
    form(
        r"\bfollow(?:ed)?[- ]?up\b[^.;]{0,80}?\b(?:median|mean|average)(?: \w+)?(?: \(\w+\))?",
        rf"(?: time| duration)?[\s,:=]+{QUALIFIERS}{DURATION}",
    ),
    # As in: examined at a median of 12 months after.
    form(
        r"\b(?:evaluated|examined|reviewed|seen|assessed|measured)\b[^.;]{0,60}? (?:median|mean|average) of ",
        rf"{DURATION} (?:after|following|later|post)",
    ),
    # As in: 3, 6, and 12 months after.
    form(rf"\b\d{{1,2}}(?:, \d{{1,2}}){{0,4}},? and {DURATION} (?:after|later|follow|post)"),
    # As in: monitored closely for 12 months.
    form(rf"\b(?:monitored|monitoring|observed|tracked|followed)\b[^.;]{{0,60}}? for {QUALIFIERS}{DURATION}"),
)
TIMED_FORMS = (
    # As in: during the 12-week study.
    form(rf"\bduring (?:the )?{DURATION} (?:study|period|trial)\b"),
    # As in: a 12-week randomized trial.
    form(
        rf"(?<![\d.-]){DURATION},? (?:[\w-]+,? ){{0,5}}?",
        r"(?:trial|randomi[sz]ed|intervention|programme?|study period|double-blind|open-label|treatment period)\b",
    ),
)
TREATED_FORMS = (
    # As in: treated with aspirin for 12 weeks.
    form(
        r"\b(?:treatment|therapy|supplementation|intervention|training|placebo|mg|mg/day|daily|day|treated"
        r"|administered)\b",
        rf"(?: \w+){{0,4}} (?:for|over) {QUALIFIERS}{DURATION}",
    ),
    # As in: 12 weeks after surgery.
    form(
        rf"{DURATION} (?:after|following|post) (?:the )?(?:[\w-]+ ){{0,2}}?",
        r"(?:therapy|treatment|surgery|radiation|irradiation|intervention|operation|transplantation|discharge"
        r"|injection)\b",
    ),
    # As in: 12 weeks of treatment.
    form(rf"{DURATION} of (?:treatment|therapy|intervention|supplementation|training|observation)\b"),
    # As in: after 12 weeks, pain.
    form(
        rf"\b(?:at|after) (?:the )?{DURATION}",
        r"(?: (?:of )?(?:post-?\w+|after|follow|visit|assessment|examination)|[,;.)]|\s(?:and|was|were|in|the)\b)",
    ),
    # As in: over a 12-week period.
    form(rf"\b(?:over|within|for) (?:a |the )?{DURATION}(?: (?:period|on study|of study))?\b"),
    # As in: between 6 weeks after.
    form(rf"\bbetween {DURATION} after\b"),
)
FORMS = (*SURE_FORMS, *TIMED_FORMS, *TREATED_FORMS)
TIMED_KINDS = frozenset(("randomized controlled trial", "clinical trial", "animal study"))
"""Kinds of study whose own duration counts as the follow-up."""
FOLLOWED_KINDS = frozenset(
    ("cohort study", "case series", "observational study", "case-control study", "diagnostic study")
)
"""Kinds of study that follow subjects."""
FOLLOWED_FORMS = (*SURE_FORMS, *TREATED_FORMS[:3])
RECRUITMENT = re.compile(
    r"(?i)\b(?:past|last|previous|recruit\w*|history|age[ds]?|old|older|born|ago|between (?:19|20)\d\d)\b"
)
"""As in: during the past 12 months."""


TIME = re.compile(r"(?i)[\s\d-](?:year|month|week|day|yr|mo|wk)s?\b")
"""A quick check before the slower patterns. As in: 12 months."""
FREQUENCY = re.compile(r"(?i)\b(?:every|per|each)\s*$")
"""As in: once every """


def follow_up(document: Document) -> Finding | None:
    """The stated follow-up, else the duration of a trial."""
    name = kind_of(document)
    forms = FORMS if name in TIMED_KINDS else FOLLOWED_FORMS if name in FOLLOWED_KINDS else ()
    if not forms:
        return None
    timed = [sentence for sentence in document.all_sentences if sentence.search(TIME)]
    # form by form, so that the surest wins wherever it stands
    for form in filter(document.can_hold, forms):
        for sentence in timed:
            if sentence.role in {"background", "objective"} and form in SURE_FORMS:
                continue
            match = sentence.search(form)
            if match and (form in SURE_FORMS or not is_other_time(sentence.text, match)):
                return duration_finding(sentence, match)
    return None


def is_other_time(text: str, match: re.Match[str]) -> bool:
    """Whether the words around it make it an age or a time before the study."""
    if FREQUENCY.search(text[max(0, match.start("value") - 8) : match.start("value")]):
        return True
    return bool(RECRUITMENT.search(text[max(0, match.start() - 25) : match.end() + 12]))


def duration_finding(sentence: Sentence, match: re.Match[str]) -> Finding:
    """A duration as number and unit."""
    text = match.group("value").lower().replace("·", ".")
    value = float(text) if text[0].isdigit() else float(UNITS.get(text, TENS.get(text, 0)))
    unit = match.group("unit").lower().rstrip("s")
    evidence = sentence.evidence(sentence.start + match.start("value"), sentence.start + match.end("unit"))
    number = int(value) if value == int(value) else value
    return Finding({"value": number, "unit": UNITS_OF_TIME.get(unit, unit), "text": evidence.quote}, (evidence,))


FOLLOW_UP = Field(
    name="follow_up",
    find=follow_up,
    has_candidates=lambda document: any(map(TIME.search, (sentence.text for sentence in document.own_sentences))),
    names=(
        "followup follow_up_duration followup_duration follow_up_time follow_up_period "
        "duration_of_follow_up study_duration trial_duration treatment_duration followup_period "
        "follow_up_length duration followup_time"
    ),
    kinds=AMOUNT | COUNT,
    parts=MappingProxyType({"value": "number", "unit": "units", "text": "description"}),
    unit="days, weeks, months or years, as stated",
    is_of_study=True,
    is_duration=True,
    label="Follow-up",
    column=Column(9, weight=0.05, group="Design", prefix="Follow-up "),
    examples=(("METHODS: Patients were followed for 12 months.", {"value": 12, "unit": "month", "text": "12 months"}),),
)
