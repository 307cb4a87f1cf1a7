"""Dates, study designs and exclusions in a goal, and its text without them. Pure."""

import datetime as dt
import re
from collections.abc import Callable
from dataclasses import dataclass, field

_WORDS = {
    "a": 1, "one": 1, "two": 2, "three": 3, "four": 4, "five": 5, "six": 6, "seven": 7, "eight": 8, "nine": 9,
    "ten": 10, "twelve": 12, "fifteen": 15, "twenty": 20, "couple of": 2, "few": 3,
}  # fmt: skip
_MONTHS = {"year": 12, "month": 1, "decade": 120}
_EARLIEST = 1900
RECENT_YEARS = 5
"""Years that "recent" stands for."""

_YEAR = r"((?:19|20)\d\d)"
_NUMBER = rf"(\d{{1,2}}|{'|'.join(_WORDS)})"
_BEFORE_TIME = (
    r"(?:\b(?:published|conducted|performed|reported)\s+)?(?:\b(?:in|over|during|within|from|for)\s+)?(?:the\s+)?"
)
_WORKS = r"(?:studies|study|articles?|papers?|publications?|literature|research|evidence|works?|trials?|reviews?)"
_LAST = re.compile(rf"(?i){_BEFORE_TIME}\b(?:last|past|previous)\s+(?:{_NUMBER}\s+)?(year|month|decade)s?\b")
"""As in: in the last five years."""
_YEAR_RANGE = re.compile(
    rf"(?i)(?:\bpublished\s+)?(?:\b(?:between|from)\s+)?\b{_YEAR}\s*(?:-|\band\b|\bto\b|\buntil\b|\bthrough\b)\s*{_YEAR}\b"
)
"""As in: between 2010 and 2015."""
_SINCE = re.compile(
    rf"(?i)(?:\bpublished\s+)?\b(?:(since|from|starting in)\s+{_YEAR}(?:\s+(?:onwards?|on)\b)?|after\s+{_YEAR})"
    r"(?![\w-])"
)
"""As in: since 2015."""
_BEFORE = re.compile(rf"(?i)(?:\bpublished\s+)?\b(?:(before|prior to)|until|till|up to)\s+{_YEAR}(?![\w-])")
"""As in: before 2010."""
_SINGLE_YEAR = re.compile(rf"(?i)\b(?:published\s+in\s+{_YEAR}|in\s+{_YEAR}(?=\s*[.?!]*\s*$))")
"""As in: published in 2019."""
_THIS_YEAR = re.compile(rf"(?i){_BEFORE_TIME}\bthis year\b")
"""As in: this year."""
_RECENT = re.compile(
    r"(?i)\b(?:the\s+)?(?:most\s+)?(?:recently(?:\s+published)?|recent(?!(?:ly)?[-\s]+(?:onset|memory|infections?|strokes?"
    r"|fractures?|myocardial|surgery|exposures?|use|users?|(?:im)?migrants?|diagnos\w+))|latest|newest|up-to-date"
    rf"|current(?=\s+{_WORKS}))(?![\w-])"
)
"""As in: recent studies."""

_STUDIES = r"(?:trials?|studies|study|evidence|research)"
_RANDOMISED = (
    r"(?:double[-\s]blind(?:ed)?,?\s+)?(?:placebo[-\s]controlled,?\s+)?randomi[sz]ed(?:[-,\s]+placebo)?"
    rf"(?:[-,\s]+controlled)?(?:\s+clinical)?\s+{_STUDIES}|RCTs?"
)
_DESIGNS = (  # the goal's words, and the name of the design in ``filters``
    # As in: randomised controlled trials.
    (_RANDOMISED, "Randomized Controlled Trial"),
    # As in: phase 1 trials.
    (r"phase\s+(?:1|I)\s+(?:clinical\s+)?(?:trials?|studies)", "Clinical Trial, Phase I"),
    # As in: phase 2 trials.
    (r"phase\s+(?:2|II)\s+(?:clinical\s+)?(?:trials?|studies)", "Clinical Trial, Phase II"),
    # As in: phase 3 trials.
    (r"phase\s+(?:3|III)\s+(?:clinical\s+)?(?:trials?|studies)", "Clinical Trial, Phase III"),
    # As in: clinical trials.
    (r"clinical\s+trials?", "Clinical Trial"),
    # As in: systematic reviews.
    (r"systematic(?:\s+literature)?\s+reviews?", "Systematic Review"),
    # As in: two meta-analyses.
    (r"meta-?\s?analy(?:sis|ses|tic\s+(?:studies|evidence))", "Meta-Analysis"),
    # As in: review articles.
    (r"(?:literature|narrative|review)\s+(?:reviews?|articles?)|reviews", "Review"),
    # As in: case reports.
    (r"case\s+(?:reports?|stud(?:y|ies)|series)", "Case Study"),
    # As in: observational studies.
    (r"observational\s+(?:stud(?:y|ies)|evidence|research)", "Observational Study"),
    # As in: cohort studies.
    (
        r"(?:(?:prospective|retrospective|longitudinal|population[-\s]based)\s+)?cohort\s+stud(?:y|ies)",
        "Cohort Studies",
    ),
    # As in: longitudinal studies.
    (r"longitudinal\s+stud(?:y|ies)", "Longitudinal Studies"),
    # As in: case-control studies.
    (r"case[-\s]control\s+stud(?:y|ies)", "Case-Control Studies"),
    # As in: cross-sectional surveys.
    (r"cross[-\s]sectional\s+(?:stud(?:y|ies)|surveys?)", "Cross-Sectional Studies"),
    # As in: qualitative research.
    (r"qualitative\s+(?:stud(?:y|ies)|research|evidence)", "Qualitative Research"),
    # As in: validation studies.
    (r"validation\s+stud(?:y|ies)", "Validation Study"),
    # As in: practice guidelines.
    (r"(?:clinical|practice|clinical\s+practice)\s+guidelines?", "Practice Guideline"),
)
_DESIGN_PATTERNS = tuple((re.compile(rf"(?i)(?<![\w-])(?:{wording})(?![\w-])"), name) for wording, name in _DESIGNS)
_OWN_WORK = re.compile(
    r"(?i)\s*(?:[:;.?!]|\s-)\s*(?:(?:an?|the|our)\s+)?(?:protocol\s+(?:for|of)\s+an?\s+)?(?:(?:updated|rapid|living|critical|mixed"
    r"|methods?|qualitative|quantitative|systematic|scoping|umbrella|integrative|narrative|literature|evidence|network"
    r"|bayesian|individual|patient|participant|data|dose-response|comprehensive)[\s-]+)*(?:review|meta-?analys[ie]s|overview"
    r"|meta-?regression(?:\s+analysis)?|synthesis)(?:\s*(?:and|&|with|,)\s*(?:an?\s+)?(?:(?:network|bayesian|exploratory)\s+)*"
    r"meta-?(?:analys[ie]s|regression)(?:\s+analysis)?)*(?=\s*(?:\.?\s*$|[;.:]|\b(?:of|on|with)\b))"
)
"""The review that is being written, which is no type to search for.

As in: Copper surfaces in hospitals: a systematic review.
"""
_UNTIL = r"(?=\s*(?:[.;?!]|$|,?\s(?:in|among|with|for|using|published|since|from)\s))"
_EXCLUSION = re.compile(
    r"(?i)[,(]?\s*\b(?:but\s+)?(?:excluding|excludes?|except(?:ing)?(?:\s+for)?|leaving\s+out|not\s+including|other\s+than"
    rf"|but\s+not|and\s+not)\s+(?P<trait>.{{2,150}}?)\)?{_UNTIL}"
)
"""As in: excluding children."""
_ABSENT_TRAIT = re.compile(
    r"(?i)\b(?:without|in\s+the\s+absence\s+of|free\s+of)\s+(?P<trait>(?:(?!\b(?:in|and|with|for|using|to)\b)[^,.;?!()]){2,60})"
)
"""As in: without diabetes."""
_LIST_SEPARATOR = re.compile(r"(?i),\s*(?:and|or)\s+|,\s*|\s+(?:and|or|nor)\s+|/")
"""As in: mice, rats."""


@dataclass(frozen=True, slots=True)
class PublicationDates:
    """Days of publication, both included; None is open."""

    first: dt.date | None = None
    last: dt.date | None = None


@dataclass(slots=True)
class Cues:
    """The parts of a goal other than its subject."""

    text: str
    """The goal without these parts."""
    dates: PublicationDates | None = None
    time_words: str = ""
    """As the goal puts it."""
    designs: list[str] = field(default_factory=list)
    excluded: list[str] = field(default_factory=list)
    own_work: str = ""
    """The kind of review that the goal is the title of."""
    unsearchable: list[str] = field(default_factory=list)
    """Traits that patients lack, which no query can express."""


def read(goal: str, today: dt.date) -> Cues:
    """The dates, designs and exclusions in a goal, and its text without them."""
    cues = Cues(_OWN_WORK.sub(" ; ", goal))
    if own_work := _OWN_WORK.search(goal):
        cues.own_work = own_work[0].strip(" :;.?!-")
        goal = cues.text
    for match in list(_EXCLUSION.finditer(goal)):
        cues.excluded += [part.strip() for part in _LIST_SEPARATOR.split(match["trait"]) if part and part.strip()]
    cues.text = _EXCLUSION.sub(" ; ", cues.text)
    cues.unsearchable = [match["trait"].strip() for match in _ABSENT_TRAIT.finditer(cues.text)]
    cues.text = _ABSENT_TRAIT.sub(" ; ", cues.text)
    _read_time(cues, today)
    for pattern, name in _DESIGN_PATTERNS:
        if pattern.search(cues.text):
            cues.designs.append(name)
            cues.text = pattern.sub(" ; ", cues.text)
    return cues


def before(day: dt.date, months: int) -> dt.date:
    """The same day ``months`` months earlier, or the last day of that month."""
    year, month = divmod(day.year * 12 + day.month - 1 - months, 12)
    # the day before the first of the next month
    last = (dt.date(year + month // 11, (month + 1) % 12 + 1, 1) - dt.timedelta(days=1)).day
    return dt.date(year, month + 1, min(day.day, last))


def _read_time(cues: Cues, today: dt.date) -> None:
    """Move the first expression of time from the text of the goal to its dates."""
    for pattern, dates_of in _TIMES:
        match = pattern.search(cues.text)
        dates = dates_of(match, today) if match else None
        if match and dates:
            cues.dates, cues.time_words = dates, match[0].strip()
            cues.text = pattern.sub(" ", cues.text, count=1)
            break
    cues.text = _RECENT.sub(" ", cues.text)  # beside "since 2020" it adds nothing


def _last_units(match: re.Match[str], today: dt.date) -> PublicationDates:
    number = (match[1] or "1").lower()
    return PublicationDates(before(today, _MONTHS[match[2].lower()] * (_WORDS.get(number) or int(number))))


def _years(first: int | None, last: int | None, today: dt.date) -> PublicationDates | None:
    """Whole years; None for years in the future, before 1900, or in falling order."""
    years = [year for year in (first, last) if year is not None]
    if years != sorted(years) or not all(_EARLIEST <= year <= today.year for year in years):
        return None
    return PublicationDates(dt.date(first, 1, 1) if first else None, dt.date(last, 12, 31) if last else None)


def _within_year(match: re.Match[str], today: dt.date) -> PublicationDates | None:
    year = int(match[1] or match[2])
    return _years(year, year, today)


_TIMES: tuple[tuple[re.Pattern[str], Callable[[re.Match[str], dt.date], PublicationDates | None]], ...] = (
    (_LAST, _last_units),
    (_YEAR_RANGE, lambda match, today: _years(int(match[1]), int(match[2]), today)),
    (_SINCE, lambda match, today: _years(int(match[2]) if match[2] else int(match[3]) + 1, None, today)),
    (_BEFORE, lambda match, today: _years(None, int(match[2]) - bool(match[1]), today)),
    (_SINGLE_YEAR, _within_year),
    (_THIS_YEAR, lambda _, today: PublicationDates(dt.date(today.year, 1, 1))),
    (_RECENT, lambda _, today: PublicationDates(before(today, 12 * RECENT_YEARS))),
)
