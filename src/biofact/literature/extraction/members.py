"""Which member of a caller's enum a value is, by spelling and by what kinds of study are called. Pure."""

import re
from collections.abc import Sequence

from biofact.literature.extraction.fields import Scalar

_KINDS: tuple[tuple[str, ...], ...] = (
    ("randomized controlled trial", "rct", "randomized trial", "randomized clinical trial"),
    ("secondary analysis of a randomized trial", "secondary analysis", "post hoc analysis", "post hoc"),
    ("clinical trial", "trial", "controlled clinical trial", "interventional study", "interventional"),
    ("meta analysis", "metaanalysis", "systematic review and meta analysis"),
    ("systematic review", "systematic literature review"),
    ("review", "narrative review", "literature review", "review article"),
    ("cohort study", "cohort", "longitudinal study", "longitudinal"),
    ("case control study", "case control"),
    ("cross sectional study", "cross sectional"),
    ("observational study", "observational"),
    ("case report", "case reports", "case study"),
    ("case series",),
    ("animal study", "animal", "animal experiment", "in vivo", "in vivo study", "preclinical", "preclinical study"),
    ("in vitro study", "in vitro", "cell study", "laboratory study"),
    ("computational study", "computational", "in silico", "in silico study", "modeling study", "simulation study"),
    ("qualitative study", "qualitative", "qualitative research"),
    ("genetic association study", "gwas", "genome wide association study"),
    ("diagnostic study", "diagnostic accuracy study", "diagnostic test accuracy study", "diagnostic"),
    ("protocol", "study protocol", "trial protocol"),
    ("guideline", "practice guideline", "clinical practice guideline", "clinical guideline"),
    ("editorial",),
    ("significant", "yes", "statistically significant"),
    ("not significant", "no", "non significant", "nonsignificant", "not statistically significant"),
)  # fmt: skip
"""Names of one thing, the rules' own first."""
_BROADER: dict[str, str] = {
    "randomized controlled trial": "clinical trial",
    "cohort study": "observational study",
    "case control study": "observational study",
    "cross sectional study": "observational study",
    "meta analysis": "systematic review",
    "systematic review": "review",
}
"""What a kind of study always is, too."""
_NAMES = {name: names for names in _KINDS for name in names}


def member_for(value: Scalar, members: Sequence[Scalar]) -> Scalar | None:
    """The member equal to a value: the same, else with another spelling, else a synonym, else of a broader kind."""
    if isinstance(value, bool) or not isinstance(value, str):
        return next((member for member in members if member == value and not isinstance(member, bool)), None)
    by_spelling = {_canonical(member): member for member in reversed(members) if isinstance(member, str)}
    kind: str | None = _canonical(value)
    while kind is not None:
        names = _NAMES.get(kind, (kind,))
        result = next((by_spelling[name] for name in (kind, *names) if name in by_spelling), None)
        if result is not None:
            return result
        kind = _BROADER.get(names[0])
    return None


def _canonical(text: str) -> str:
    """Small letters, single blanks, American spelling."""
    plain = re.sub(r"[^a-z0-9]+", " ", text.lower()).strip()
    return plain.replace("randomis", "randomiz").replace("modelling", "modeling")
