"""Tables of weights for signs, the probabilities of candidates by them, and the signs of an article itself."""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass
from functools import cache, cached_property
from importlib.resources import files
from itertools import repeat
from types import MappingProxyType
from typing import Self

import numpy as np
from numpy.typing import NDArray

from biofact.literature.extraction.fields.study_type import likely_kind
from biofact.literature.extraction.text.document import Document
from biofact.literature.extraction.text.vocabulary import stem

KINDS: Mapping[str, str] = MappingProxyType(
    {
        "randomized controlled trial": "trial",
        "clinical trial": "trial",
        "protocol": "trial",
        "meta-analysis": "synthesis",
        "systematic review": "synthesis",
        "cohort study": "observed",
        "case-control study": "observed",
        "cross-sectional study": "observed",
        "observational study": "observed",
        "case series": "observed",
        "diagnostic study": "observed",
        "genetic association study": "observed",
        "mendelian randomization": "observed",
        "animal study": "bench",
        "in vitro study": "bench",
        "case report": "case",
        "review": "review",
        "guideline": "review",
        "qualitative study": "qualitative",
    }
)
"""Study types that are written alike; others are "other", and "none" where the type is unknown."""
WORD = re.compile(r"\w+")
"""As in: zinc and iron."""
FEWEST_LETTERS = 4


@dataclass(frozen=True, slots=True)
class ArticleContext:
    """The kind of study of an article, and the stems of its parts."""

    study: str
    kind: str
    title: frozenset[str]
    headings: frozenset[str]
    words: frozenset[str]
    """The stems of title and abstract, including short ones."""

    def signs(self) -> Iterator[str]:
        """The signs of the article itself: whether it states such a value at all."""
        yield "nothing"
        yield f"nothing kind={self.kind}"
        yield f"nothing study={self.study}"
        yield f"nothing headings={bool(self.headings)}"
        yield from (f"nothing title={stem}" for stem in sorted(self.title))
        yield from (f"nothing word={stem}" for stem in self.words if len(stem) >= FEWEST_LETTERS)
        yield from (f"nothing heading={stem}" for stem in sorted(self.headings))


def context_of(document: Document) -> ArticleContext:
    """The context that all candidates of the article share."""
    finding = document.cached(likely_kind)
    study = str(finding.value) if finding else "none"
    article = document.article
    return ArticleContext(
        study=study,
        kind=KINDS.get(study, "other" if finding else "none"),
        title=stems_of(token.word for token in document.title.tokens),
        headings=frozenset().union(*(stems(heading.name) for heading in article.mesh)),
        words=frozenset(map(stem, document.word_counts)),
    )


def stems(text: str) -> frozenset[str]:
    """The stems of a text's words of at least four letters."""
    return stems_of(WORD.findall(text.lower()))


def stems_of(words: Iterable[str]) -> frozenset[str]:
    """The stems of the words of at least four letters."""
    return frozenset(stem(word) for word in words if len(word) >= FEWEST_LETTERS)


Array = NDArray[np.float64]
Steps = NDArray[np.int64]
STEPS = 50
"""Weights are stored as whole numbers: this many make 1."""


@dataclass(frozen=True)
class Weights:
    """How much each sign speaks for each field."""

    fields: tuple[str, ...]
    places: dict[str, int]
    """Row of each sign."""
    table: Steps
    """One row for each sign, one column for each field. Whole, so that sums do not depend on their order."""

    @classmethod
    def from_text(cls, text: str) -> Self:
        """The weights of a table with tabs: a head of field names, then a sign and its whole numbers in each line."""
        head, *lines = text.splitlines()
        rows = [line.split("\t") for line in lines]
        table = np.array([[int(number or 0) for number in row[1:]] for row in rows], dtype=np.int64)
        return cls(tuple(head.split("\t")[1:]), {row[0]: place for place, row in enumerate(rows)}, table)

    def to_text(self) -> str:
        """The table, without signs that weigh nothing."""
        lines = ["\t".join(("sign", *self.fields))]
        for sign in sorted(self.places):
            row = self.table[self.places[sign]]
            if row.any():
                lines.append("\t".join((sign, *(str(number) if number else "" for number in row))))
        return "\n".join(lines) + "\n"

    def sums(self, candidates: Sequence[AbstractSet[str]]) -> Array:
        """The summed weights of each candidate's signs: one row for each, one column for each field; 1 is e-fold."""
        total = [[sum(map(weight_of.get, signs, repeat(0))) for weight_of in self._by_sign] for signs in candidates]
        return np.array(total) / STEPS

    @cached_property
    def _by_sign(self) -> list[dict[str, int]]:
        """The weight of each sign, for each field: a candidate has too few signs for a table to be faster."""
        columns = self.table.T.tolist()
        return [{sign: column[place] for sign, place in self.places.items()} for column in columns]


@cache
def read_weights(name: str) -> Weights:
    """The table of that name beside this file."""
    return Weights.from_text(files(__package__).joinpath(f"{name}.tsv").read_text("utf-8"))


def shares(sums: Array) -> Array:
    """Probabilities of the candidates of one field, which add up to 1; the last is that of none of them."""
    odds = np.exp(sums - sums.max())
    share: Array = odds / odds.sum()
    return share


def share_by_value(values: Sequence[str], shares: Sequence[float]) -> dict[str, float]:
    """The probability of each value, summed over all its occurrences."""
    share_of: dict[str, float] = {}
    for value, share in zip(values, shares, strict=True):
        share_of[value] = share_of.get(value, 0.0) + share
    return share_of


def likeliest(share_of: Mapping[str, float]) -> str:
    """The first of the values that are the likeliest."""
    return max(share_of, key=lambda value: share_of[value])
