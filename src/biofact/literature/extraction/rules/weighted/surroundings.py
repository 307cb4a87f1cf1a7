"""The context of an article's candidates: kind of study, headings, repeated words."""

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from types import MappingProxyType

from biofact.literature.extraction.rules.study_type import likely_kind
from biofact.literature.extraction.rules.text import Document
from biofact.literature.extraction.stems import stem

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
"""As in: zinc."""
FEWEST_LETTERS = 4


@dataclass(frozen=True, slots=True)
class Surroundings:
    """The stems that an article's other parts name."""

    study: str
    kind: str
    title: frozenset[str]
    headings: frozenset[str]
    words: frozenset[str]
    """Of title and abstract, the shorter ones too."""

    def signs(self) -> Iterator[str]:
        """Of the article itself: whether it is one that states such a thing at all."""
        yield "nothing"
        yield f"nothing kind={self.kind}"
        yield f"nothing study={self.study}"
        yield f"nothing headings={bool(self.headings)}"
        yield from (f"nothing title={stem}" for stem in sorted(self.title))
        yield from (f"nothing word={stem}" for stem in self.words if len(stem) >= FEWEST_LETTERS)
        yield from (f"nothing heading={stem}" for stem in sorted(self.headings))


def crossed(sign: str, *contexts: str) -> Iterator[str]:
    """A sign by itself, and in each of these contexts."""
    yield sign
    yield from (f"{context} {sign}" for context in contexts)


def surroundings(document: Document) -> Surroundings:
    """The context that all candidates of the article share."""
    finding = document.once(likely_kind)
    study = str(finding.value) if finding else "none"
    article = document.article
    return Surroundings(
        study=study,
        kind=KINDS.get(study, "other" if finding else "none"),
        title=stems_of(token.word for token in document.title.tokens),
        headings=frozenset().union(*(stems(heading.name) for heading in article.mesh)),
        words=frozenset(map(stem, document.word_counts)),
    )


def stems(text: str) -> frozenset[str]:
    """The stems of a text's longer words."""
    return stems_of(WORD.findall(text.lower()))


def stems_of(each: Iterable[str]) -> frozenset[str]:
    """The stems of the longer of these words."""
    return frozenset(stem(word) for word in each if len(word) >= FEWEST_LETTERS)
