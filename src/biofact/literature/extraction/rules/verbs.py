"""Verbs in their finite forms."""

from biofact.literature.extraction.rules.vocabulary import VERBS, words

BASES = words(
    "include enroll recruit analyse analyze evaluate examine assess compare identify randomize randomise assign obtain"
    " comprise consist show receive demonstrate reveal find develop remain become improve reduce complete contain"
    " describe select collect allocate perform conduct investigate observe experience achieve occur provide consider"
    " appear seem reflect require suffer inhibit prevent promote attenuate induce protect suppress enhance alleviate"
    " ameliorate restore modulate stimulate impair reverse affect mitigate predict lower abolish disrupt augment"
    " exacerbate trigger facilitate accelerate regulate mediate confer drive alter contribute produce elevate diminish"
    " aggravate worsen shorten prolong rescue counteract eliminate maintain determine potentiate sensitize activate"
    " upregulate downregulate suggest indicate explore discuss seek propose hypothesize correlate associate confirm"
    " establish apply exhibit undergo administer inject generate calculate estimate yield differ vary allow enable"
    " serve depend involve relate explain detect characterize characterise quantify validate verify reach fail exceed"
    " grow persist"
)
IRREGULAR = words(
    "shown found led grew fell rose sought underwent undergone gave given became seen saw took taken made make makes"
    " making having began begun wrote got held kept met blocked blocking caused causing linked noted documented"
    " recorded supported supporting expressed influenced influencing presenting resulting reporting plays acted"
)
OFTEN_NO_VERBS = words(
    "contains delayed increased decreased improved reduced related associated developing suffering restoring involved"
    " activated lowered administered elevated impaired induced prolonged shortened enhanced altered selected required"
    " remaining becoming estimated established used present presents treated need needs support supports report reports"
)
"""Forms that are as often adjectives before a noun."""


def forms(verb: str) -> frozenset[str]:
    """The regular forms of a verb."""
    third = f"{verb}es" if verb.endswith(("s", "sh", "ch")) else f"{verb}s"
    if verb.endswith("y") and verb[-2] not in "aeiou":
        return frozenset((verb, f"{verb[:-1]}ies", f"{verb[:-1]}ied", f"{verb}ing"))
    stem = verb.removesuffix("e")
    return frozenset((verb, third, f"{stem}ed", f"{stem}ing"))


FINITE = frozenset().union(*map(forms, BASES), IRREGULAR, VERBS) - OFTEN_NO_VERBS
