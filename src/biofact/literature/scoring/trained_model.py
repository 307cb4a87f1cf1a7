"""A model that learns from include and exclude labels, and its file. Needs the extra ``ml``; never reads a pickle."""

import importlib.util
import math
import re
import zipfile
import zlib
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, fields
from pathlib import Path
from typing import Any

import numpy as np

from biofact.core.extras import install_command
from biofact.core.words import folded
from biofact.literature.scoring.texts import content_words, plain
from biofact.literature.scoring.values import Array, Unfit, counts, numbers, stated_value, texts, truths

BUCKETS = 128
"""Columns into which the words of a text are hashed."""

_MOST_CATEGORIES = 20
_FEWEST_PER_CATEGORY = 3
_KINDS: dict[type, str] = {bool: "boolean", int: "number", float: "number", list: "array", tuple: "array"}

ColumnPlan = dict[str, Any]
"""The columns of one feature: its ``kind`` and learned values. Plain values only, so that it is stored
without running code when it is read."""


def column_plans(features: Sequence[Mapping[str, Any]]) -> dict[str, ColumnPlan]:
    """A plan for each feature, in the order of the alphabet."""
    names = sorted({name for article in features for name in article})
    by_feature = {name: _column_plan([stated_value(article.get(name)) for article in features]) for name in names}
    return {name: plan for name, plan in by_feature.items() if plan}


def _column_plan(values: list[Any]) -> ColumnPlan:
    stated_values = [value for value in values if value is not None]
    if not stated_values:
        return {}
    kind = Counter(_KINDS.get(type(value), "text") for value in stated_values).most_common(1)[0][0]
    if kind == "boolean":
        return {"kind": "boolean"}
    if kind == "number" or (kind == "array" and not any(texts(stated_values, Unfit()))):
        return _number_plan("number", _logs(numbers(stated_values, Unfit())))
    if kind == "array":
        return _number_plan("array", _logs(counts(stated_values, Unfit()))) | _rarities(stated_values)
    return _text_plan(stated_values)


def _text_plan(stated_values: list[Any]) -> ColumnPlan:
    """Few categories where values repeat, hashed words where they do not."""
    counts_by_category = Counter(_category(value) for value in stated_values)
    most_categories = min(_MOST_CATEGORIES, len(stated_values) // _FEWEST_PER_CATEGORY)
    if len(counts_by_category) <= most_categories:
        return {"kind": "category", "categories": sorted(counts_by_category)}
    return {"kind": "text"} | _rarities(stated_values)


def _number_plan(kind: str, logs: Array) -> ColumnPlan:
    stated_logs = logs[~np.isnan(logs)]
    mean, spread = (float(stated_logs.mean()), float(stated_logs.std())) if stated_logs.size else (0.0, 1.0)
    return {"kind": kind, "mean": mean, "std": spread or 1.0}


def _logs(parsed: Array) -> Array:
    logs: Array = np.copysign(np.log1p(np.abs(parsed)), parsed)
    return logs


def _category(value: Any) -> str:
    return re.sub(r"[\W_]+", " ", folded(str(value))).strip()


def _rarities(stated_values: list[Any]) -> ColumnPlan:
    text_counts = np.zeros(BUCKETS)
    for text in texts(stated_values, Unfit()):
        text_counts[list(_buckets(text))] += 1
    return {"rarity": [math.log((1 + len(stated_values)) / (1 + count)) + 1 for count in text_counts.tolist()]}


def _buckets(text: str | None) -> Counter[int]:
    """The columns of a text's words; CRC-32 is the same everywhere, Python's own hash is not."""
    return Counter(zlib.crc32(word.encode()) % BUCKETS for word in content_words(plain(text or "")))


def design_matrix(features: Sequence[Mapping[str, Any]], by_feature: Mapping[str, ColumnPlan]) -> Array:
    """A row per article; a feature's columns stand together, the last of them for "not stated"."""
    blocks = [_columns([article.get(name) for article in features], plan) for name, plan in by_feature.items()]
    # hstack refuses an empty list
    return np.hstack([np.zeros((len(features), 0)), *blocks])


def _columns(values: list[Any], plan: ColumnPlan) -> Array:
    kind = plan["kind"]
    if kind == "boolean":
        return _with_missing(truths(values, Unfit())[:, None], 0.5)
    if kind == "number":
        return _with_missing(_standard(numbers(values, Unfit()), plan), 0.0)
    if kind == "array":
        return np.hstack([_with_missing(_standard(counts(values, Unfit()), plan), 0.0), _hashed_columns(values, plan)])
    if kind == "category":
        return _one_hot(values, plan["categories"])
    return np.hstack([_hashed_columns(values, plan), _missing_column(values)])


def _standard(parsed: Array, plan: ColumnPlan) -> Array:
    standard: Array = (_logs(parsed) - plan["mean"]) / plan["std"]
    return standard[:, None]


def _with_missing(column: Array, neutral: float) -> Array:
    return np.hstack([np.where(np.isnan(column), neutral, column), np.isnan(column)])


def _missing_column(values: list[Any]) -> Array:
    return np.array([float(stated_value(value) is None) for value in values]).reshape(-1, 1)


def _one_hot(values: list[Any], categories: list[str]) -> Array:
    """A column per category; one that was not seen in training has none."""
    place = {category: number for number, category in enumerate(categories)}
    columns = np.zeros((len(values), len(categories)))
    for row, value in enumerate(map(stated_value, values)):
        if value is not None and (number := place.get(_category(value))) is not None:
            columns[row, number] = 1.0
    return np.hstack([columns, _missing_column(values)])


def _hashed_columns(values: list[Any], plan: ColumnPlan) -> Array:
    """TF-IDF over the buckets, each row of length 1."""
    columns = np.zeros((len(values), BUCKETS))
    for row, text in enumerate(texts(values, Unfit())):
        for bucket, count in _buckets(text).items():
            columns[row, bucket] = (1 + math.log(count)) * plan["rarity"][bucket]
    lengths = np.sqrt((columns**2).sum(axis=1, keepdims=True))
    return columns / np.where(lengths > 0, lengths, 1.0)


LABELS = {"include": 1, "exclude": 0, "included": 1, "excluded": 0, "true": 1, "false": 0, "1": 1, "0": 0}
FEWEST_PER_LABEL = 5
FOLDS = 5
RECALL = 0.95

_FORMAT = "biofact scoring model 1"
_LARGEST_FILE = 64 << 20
_ROWS_AT_ONCE = 10_000
_DIGITS = 4


@dataclass(frozen=True, slots=True)
class TrainingReport:
    """The separation of labelled articles outside the training set (stratified cross-validation)."""

    articles: int
    included: int
    excluded: int
    folds: int
    auc: float
    """The chance that an included article scores higher than an excluded one."""
    precision_at_95_recall: float
    """The share of included articles among those to read for 95 % of the included articles."""
    read_at_95_recall: float
    """The share of all articles that has to be read for it, the highest probability first."""
    threshold_at_95_recall: float
    """The probability at which to stop reading."""
    features: tuple[str, ...]


@dataclass(frozen=True, slots=True, eq=False)
class TrainedModel:
    """A trained model."""

    plans: dict[str, ColumnPlan]
    model: Any
    """scikit-learn's LogisticRegression."""
    report: TrainingReport

    def probabilities(self, features: Sequence[Mapping[str, Any]]) -> Array:
        """For each article how likely the user would include it, 0-1."""
        probabilities = np.empty(len(features))
        # in parts, as each article takes hundreds of columns
        for start in range(0, len(features), _ROWS_AT_ONCE):
            rows = design_matrix(features[start : start + _ROWS_AT_ONCE], self.plans)
            probabilities[start : start + len(rows)] = self.model.predict_proba(rows)[:, 1]
        return probabilities

    def content(self) -> bytes:
        """The model as a skops file."""
        _require_extra()
        from skops import io  # noqa: PLC0415  # only where it is installed

        report = asdict(self.report) | {"features": list(self.report.features)}
        content: bytes = io.dumps({"format": _FORMAT, "plans": self.plans, "model": self.model, "report": report})
        return content

    @classmethod
    def load(cls, path: Path) -> "TrainedModel":
        """The model that was saved at ``path``.

        Raises:
            FileNotFoundError: There is no such file.
            ValueError: It is no model of ours, or holds types other than scikit-learn's and numpy's.
        """
        _require_extra()
        _check_file(path)
        from skops import io  # noqa: PLC0415  # takes seconds, which a name that is none need not

        try:
            unknown = io.get_untrusted_types(file=path)
            stored = None if unknown else io.load(path, trusted=[])
        except (KeyError, TypeError, AttributeError, ValueError, zipfile.BadZipFile) as error:
            raise ValueError(f"{path.name!r} cannot be read as a skops file. Train the model again.") from error
        if unknown:
            raise ValueError(f"{path.name!r} holds types that a model of ours has not: {', '.join(unknown)}.")
        return cls(*_parts(stored, path))


def train(features: Sequence[Mapping[str, Any]], labels: Sequence[str | bool]) -> TrainedModel:
    """A logistic regression on the features, its classes weighted to count alike, and how well it did on unseen folds.

    ``labels`` are ``include`` or ``exclude``, one for each article. The same input gives the same model.

    Raises:
        ValueError: A label is neither, there are too few of one, or the articles state nothing.
    """
    _require_extra()
    targets = _read_labels(features, labels)
    plans = column_plans(features)
    if not plans:
        raise ValueError("The articles state no features; there is nothing to learn from.")
    model = _fit(features, targets, plans)
    return TrainedModel(plans, model, _evaluate(features, targets, tuple(plans)))


def _require_extra() -> None:
    if importlib.util.find_spec("sklearn") is None or importlib.util.find_spec("skops") is None:
        raise ModuleNotFoundError(
            f"ml_model needs scikit-learn and skops, which are not installed: {install_command('ml')}."
        )


def _read_labels(features: Sequence[Mapping[str, Any]], labels: Sequence[str | bool]) -> Any:
    if len(features) != len(labels):
        raise ValueError(f"There are {len(features)} articles and {len(labels)} labels; each article needs one.")
    label_values = [LABELS.get(str(label).strip().casefold()) for label in labels]
    if None in label_values:
        raise ValueError(f"{labels[label_values.index(None)]!r} is not a label; expected 'include' or 'exclude'.")
    label_counts = Counter(label_values)
    if min(label_counts[0], label_counts[1]) < FEWEST_PER_LABEL:
        raise ValueError(
            f"{label_counts[1]} articles are included and {label_counts[0]} excluded; "
            f"training needs at least {FEWEST_PER_LABEL} of each."
        )
    return np.array(label_values)


def _fit(features: Sequence[Mapping[str, Any]], targets: Any, plans: Mapping[str, ColumnPlan]) -> Any:
    from sklearn.linear_model import LogisticRegression  # noqa: PLC0415

    model = LogisticRegression(class_weight="balanced", max_iter=2000, random_state=0)
    return model.fit(design_matrix(features, plans), targets)


def _evaluate(features: Sequence[Mapping[str, Any]], targets: Any, names: tuple[str, ...]) -> TrainingReport:
    """Each fold is predicted by a model, and a column plan, made without it."""
    from sklearn.metrics import roc_auc_score  # noqa: PLC0415
    from sklearn.model_selection import StratifiedKFold  # noqa: PLC0415

    probabilities = np.empty(len(targets))
    for training_rows, test_rows in StratifiedKFold(FOLDS, shuffle=True, random_state=0).split(targets, targets):
        training = [features[place] for place in training_rows]
        plans = column_plans(training)
        model = _fit(training, targets[training_rows], plans)
        rows = design_matrix([features[place] for place in test_rows], plans)
        probabilities[test_rows] = model.predict_proba(rows)[:, 1]
    positive = np.sort(probabilities[targets == 1])[::-1]
    # the lowest probability of the best 95 % of the included
    threshold = positive[int(np.ceil(RECALL * len(positive))) - 1]
    is_read = probabilities >= threshold
    return TrainingReport(
        articles=len(targets),
        included=len(positive),
        excluded=len(targets) - len(positive),
        folds=FOLDS,
        auc=round(float(roc_auc_score(targets, probabilities)), _DIGITS),
        precision_at_95_recall=round(float(targets[is_read].mean()), _DIGITS),
        read_at_95_recall=round(float(is_read.mean()), _DIGITS),
        threshold_at_95_recall=round(float(threshold), _DIGITS),
        features=names,
    )


def _check_file(path: Path) -> None:
    """Refuse what is no zip, and what would grow beyond memory when it is opened."""
    if not path.is_file():
        raise FileNotFoundError(f"There is no model at {path.name!r}; train one with 'biofact literature train'.")
    if not zipfile.is_zipfile(path):
        raise ValueError(f"{path.name!r} is not a skops file; models are never read from pickles.")
    with zipfile.ZipFile(path) as archive:
        if sum(member.file_size for member in archive.infolist()) > _LARGEST_FILE:
            raise ValueError(f"{path.name!r} is larger than {_LARGEST_FILE >> 20} MiB when opened.")


def _parts(stored: Any, path: Path) -> tuple[dict[str, ColumnPlan], Any, TrainingReport]:
    from sklearn.linear_model import LogisticRegression  # noqa: PLC0415

    if not isinstance(stored, dict) or stored.get("format") != _FORMAT:
        raise ValueError(f"{path.name!r} is not a model that biofact trained.")
    plans: Any = stored.get("plans")
    model: Any = stored.get("model")
    report: Any = stored.get("report")
    is_ours = isinstance(model, LogisticRegression) and isinstance(plans, dict) and isinstance(report, dict)
    if not is_ours:
        raise ValueError(f"{path.name!r} is not a model that biofact trained.")
    field_names = {field.name for field in fields(TrainingReport)}
    if report.keys() != field_names or model.coef_.shape != (1, design_matrix([{}], plans).shape[1]):
        raise ValueError(f"{path.name!r} was trained by another version of biofact. Train the model again.")
    return plans, model, TrainingReport(**(report | {"features": tuple(report["features"])}))
