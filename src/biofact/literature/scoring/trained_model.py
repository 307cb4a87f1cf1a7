"""A model that learns from include and exclude labels, and its file. Needs the extra ``ml``; never reads a pickle."""

import importlib.util
import zipfile
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, fields
from pathlib import Path
from typing import Any

import numpy as np

from biofact.core.extras import install_command
from biofact.literature.scoring import design
from biofact.literature.scoring.values import Array

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
    """How well a model separated labelled articles that it was not trained on (stratified cross-validation)."""

    articles: int
    included: int
    excluded: int
    folds: int
    auc: float
    """The chance that an included article scores higher than an excluded one."""
    precision_at_95_recall: float
    """Of what has to be read to find 95 % of the included articles, the share that is included."""
    read_at_95_recall: float
    """The share of all articles that has to be read for it, the highest probability first."""
    threshold_at_95_recall: float
    """The probability at which to stop reading."""
    features: tuple[str, ...]


@dataclass(frozen=True, slots=True, eq=False)
class TrainedModel:
    """A trained model."""

    plans: dict[str, design.ColumnPlan]
    model: Any
    """scikit-learn's LogisticRegression."""
    report: TrainingReport

    def probabilities(self, features: Sequence[Mapping[str, Any]]) -> Array:
        """For each article how likely the user would include it, 0-1."""
        probabilities = np.empty(len(features))
        for start in range(0, len(features), _ROWS_AT_ONCE):
            rows = design.matrix(features[start : start + _ROWS_AT_ONCE], self.plans)
            probabilities[start : start + len(rows)] = self.model.predict_proba(rows)[:, 1]
        return probabilities

    def save(self, path: Path) -> None:
        """Write the model as a skops file."""
        _require_extra()
        from skops import io  # noqa: PLC0415  # only where it is installed

        report = asdict(self.report) | {"features": list(self.report.features)}
        io.dump({"format": _FORMAT, "plans": self.plans, "model": self.model, "report": report}, path)

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
    wanted = _read_labels(features, labels)
    plans = design.plans(features)
    if not plans:
        raise ValueError("The articles state no features; there is nothing to learn from.")
    model = _fit(features, wanted, plans)
    return TrainedModel(plans, model, _evaluate(features, wanted, tuple(plans)))


def _require_extra() -> None:
    if importlib.util.find_spec("sklearn") is None or importlib.util.find_spec("skops") is None:
        raise ModuleNotFoundError(
            f"ml_model needs scikit-learn and skops, which are not installed: {install_command('ml')}."
        )


def _read_labels(features: Sequence[Mapping[str, Any]], labels: Sequence[str | bool]) -> Any:
    if len(features) != len(labels):
        raise ValueError(f"There are {len(features)} articles and {len(labels)} labels; each article needs one.")
    read = [LABELS.get(str(label).strip().casefold()) for label in labels]
    if None in read:
        raise ValueError(f"{labels[read.index(None)]!r} is not a label; expected 'include' or 'exclude'.")
    often = Counter(read)
    if min(often[0], often[1]) < FEWEST_PER_LABEL:
        raise ValueError(
            f"{often[1]} articles are included and {often[0]} excluded; "
            f"training needs at least {FEWEST_PER_LABEL} of each."
        )
    return np.array(read)


def _fit(features: Sequence[Mapping[str, Any]], wanted: Any, plans: Mapping[str, design.ColumnPlan]) -> Any:
    from sklearn.linear_model import LogisticRegression  # noqa: PLC0415

    model = LogisticRegression(class_weight="balanced", max_iter=2000, random_state=0)
    return model.fit(design.matrix(features, plans), wanted)


def _evaluate(features: Sequence[Mapping[str, Any]], wanted: Any, names: tuple[str, ...]) -> TrainingReport:
    """Each fold is predicted by a model, and a column plan, made without it."""
    from sklearn.metrics import roc_auc_score  # noqa: PLC0415
    from sklearn.model_selection import StratifiedKFold  # noqa: PLC0415

    probabilities = np.empty(len(wanted))
    for learned_from, unseen in StratifiedKFold(FOLDS, shuffle=True, random_state=0).split(wanted, wanted):
        known = [features[place] for place in learned_from]
        plans = design.plans(known)
        model = _fit(known, wanted[learned_from], plans)
        probabilities[unseen] = model.predict_proba(design.matrix([features[place] for place in unseen], plans))[:, 1]
    positive = np.sort(probabilities[wanted == 1])[::-1]
    threshold = positive[int(np.ceil(RECALL * len(positive))) - 1]
    read = probabilities >= threshold
    return TrainingReport(
        articles=len(wanted),
        included=len(positive),
        excluded=len(wanted) - len(positive),
        folds=FOLDS,
        auc=round(float(roc_auc_score(wanted, probabilities)), _DIGITS),
        precision_at_95_recall=round(float(wanted[read].mean()), _DIGITS),
        read_at_95_recall=round(float(read.mean()), _DIGITS),
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


def _parts(stored: Any, path: Path) -> tuple[dict[str, design.ColumnPlan], Any, TrainingReport]:
    from sklearn.linear_model import LogisticRegression  # noqa: PLC0415

    if not isinstance(stored, dict) or stored.get("format") != _FORMAT:
        raise ValueError(f"{path.name!r} is not a model that biofact trained.")
    plans: Any = stored.get("plans")
    model: Any = stored.get("model")
    report: Any = stored.get("report")
    known = {one.name for one in fields(TrainingReport)}
    is_ours = isinstance(model, LogisticRegression) and isinstance(plans, dict) and isinstance(report, dict)
    if not is_ours:
        raise ValueError(f"{path.name!r} is not a model that biofact trained.")
    if report.keys() != known or model.coef_.shape != (1, design.matrix([{}], plans).shape[1]):
        raise ValueError(f"{path.name!r} was trained by another version of biofact. Train the model again.")
    return plans, model, TrainingReport(**(report | {"features": tuple(report["features"])}))
