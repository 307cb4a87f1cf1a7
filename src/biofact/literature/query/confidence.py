"""How far a query can be trusted, 0-1, out of what can be measured. Pure; docs/queries.md has the formula."""

import math
from collections.abc import Sequence
from dataclasses import dataclass

from biofact.literature.choices import QueryStrategy
from biofact.literature.query.checks import CheckedQuery

HEADINGS, KNOWN, SIZE, AS_WRITTEN = 0.3, 0.2, 0.35, 0.15
"""What each measure is worth."""
USEFUL: dict[QueryStrategy, tuple[int, int]] = {
    "comprehensive": (100, 10_000),
    "focused": (10, 1_000),
    "exploratory": (20, 5_000),
}
"""From how many to how many articles a query of a strategy serves its purpose."""
_FORGIVEN = 2.0  # orders of magnitude outside, at which nothing is left


@dataclass(frozen=True, slots=True)
class Confidence:
    """A score, and what it is made of."""

    score: float
    in_words: str


def confidence_in(
    checked: CheckedQuery,
    *,
    has_heading: Sequence[bool],
    phrases: int,
    strategy: QueryStrategy,
    is_whole: bool = True,
) -> Confidence:
    """The confidence in a query: by headings of its concepts, known phrases, its size, and its subjects."""
    if checked.count is None:
        return Confidence(0.0, "Confidence 0: PubMed could not be asked.")
    if not checked.count:
        return Confidence(0.0, "Confidence 0: nothing matches.")
    if not is_whole:
        return Confidence(0.0, "Confidence 0: it does not look for every subject of the goal.")
    headed = sum(has_heading) / len(has_heading) if has_heading else 0.0
    known = max(0.0, 1 - len(checked.unknown) / phrases) if phrases else 0.0
    size = size_fit(checked.count, strategy)
    score = round(HEADINGS * headed + KNOWN * known + SIZE * size + AS_WRITTEN * checked.is_as_written, 2)
    low, high = USEFUL[strategy]
    articles = "1 article is" if checked.count == 1 else f"{checked.count:,} articles are"
    return Confidence(
        score,
        f"Confidence {score:g}: {sum(has_heading)} of {len(has_heading)} concepts have a MeSH heading;"
        f" PubMed knows {phrases - len(checked.unknown)} of {phrases} phrases; {articles}"
        f" {'within' if size == 1 else 'outside'} the {low:,}-{high:,} that suit the {strategy} strategy;"
        f" PubMed reads it {'as written' if checked.is_as_written else 'otherwise than written'}.",
    )


def size_fit(count: int, strategy: QueryStrategy) -> float:
    """1 within the useful range; outside it falls with the order of magnitude."""
    low, high = USEFUL[strategy]
    if count < low:
        off = math.log10(low / max(count, 1))
    elif count > high:
        off = math.log10(count / high)
    else:
        return 1.0
    return max(0.0, 1 - off / _FORGIVEN)
