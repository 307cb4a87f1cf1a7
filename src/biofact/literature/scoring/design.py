"""Features of articles as the numbers that a model learns from. Pure, and the same on every machine."""

import math
import re
import zlib
from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from biofact.core.words import folded
from biofact.literature.scoring.texts import content_words, plain
from biofact.literature.scoring.values import Array, Unfit, counts, numbers, stated_value, texts, truths

BUCKETS = 128
"""Columns into which the words of a text are hashed."""

_MOST_CATEGORIES = 20
_FEWEST_PER_CATEGORY = 3
_KINDS: dict[type, str] = {bool: "boolean", int: "number", float: "number", list: "array", tuple: "array"}

ColumnPlan = dict[str, Any]
"""How one feature becomes columns: its ``kind`` and what was learned for it. Plain values only, so that it is stored
without running code when it is read."""


def plans(features: Sequence[Mapping[str, Any]]) -> dict[str, ColumnPlan]:
    """A plan for each feature, in the order of the alphabet."""
    names = sorted({name for one in features for name in one})
    by_feature = {name: _plan([stated_value(one.get(name)) for one in features]) for name in names}
    return {name: plan for name, plan in by_feature.items() if plan}


def _plan(values: list[Any]) -> ColumnPlan:
    known = [value for value in values if value is not None]
    if not known:
        return {}
    kind = Counter(_KINDS.get(type(value), "text") for value in known).most_common(1)[0][0]
    if kind == "boolean":
        return {"kind": "boolean"}
    if kind == "number" or (kind == "array" and not any(texts(known, Unfit()))):
        return _number_plan("number", _logs(numbers(known, Unfit())))
    if kind == "array":
        return _number_plan("array", _logs(counts(known, Unfit()))) | _rarities(known)
    return _text_plan(known)


def _text_plan(known: list[Any]) -> ColumnPlan:
    """Few categories where values repeat, hashed words where they do not."""
    often = Counter(_category(value) for value in known)
    is_categorical = len(often) <= _MOST_CATEGORIES and len(known) >= _FEWEST_PER_CATEGORY * len(often)
    return {"kind": "category", "categories": sorted(often)} if is_categorical else {"kind": "text"} | _rarities(known)


def _number_plan(kind: str, logs: Array) -> ColumnPlan:
    read = logs[~np.isnan(logs)]
    mean, spread = (float(read.mean()), float(read.std())) if read.size else (0.0, 1.0)
    return {"kind": kind, "mean": mean, "std": spread or 1.0}


def _logs(read: Array) -> Array:
    logs: Array = np.copysign(np.log1p(np.abs(read)), read)
    return logs


def _category(value: Any) -> str:
    return re.sub(r"[\W_]+", " ", folded(str(value))).strip()


def _rarities(known: list[Any]) -> ColumnPlan:
    held = np.zeros(BUCKETS)
    for text in texts(known, Unfit()):
        held[list(_buckets(text))] += 1
    return {"rarity": [math.log((1 + len(known)) / (1 + count)) + 1 for count in held.tolist()]}


def _buckets(text: str | None) -> Counter[int]:
    """The columns of a text's words; CRC-32 is the same everywhere, Python's own hash is not."""
    return Counter(zlib.crc32(word.encode()) % BUCKETS for word in content_words(plain(text or "")))


def matrix(features: Sequence[Mapping[str, Any]], by_feature: Mapping[str, ColumnPlan]) -> Array:
    """A row per article; a feature's columns stand together, the last of them for "not stated"."""
    blocks = [_columns([one.get(name) for one in features], plan) for name, plan in by_feature.items()]
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


def _standard(read: Array, plan: ColumnPlan) -> Array:
    standard: Array = (_logs(read) - plan["mean"]) / plan["std"]
    return standard[:, None]


def _with_missing(column: Array, neutral: float) -> Array:
    return np.hstack([np.where(np.isnan(column), neutral, column), np.isnan(column)])


def _missing_column(values: list[Any]) -> Array:
    return np.array([[float(stated_value(value) is None)] for value in values]).reshape(-1, 1)


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
