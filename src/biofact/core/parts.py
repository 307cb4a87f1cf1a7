"""Parts of a record: by default it keeps to its budget, and what ``include`` names is told whole."""

import re
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, TypeVar

from pydantic import BaseModel

Model = TypeVar("Model", bound=BaseModel)

ALL = "all"
"""In ``include``: every part."""


@dataclass(frozen=True, slots=True)
class Part:
    """What one word of ``include`` asks for."""

    fields: tuple[str, ...] = ()
    """Told only where the part is asked for."""
    most: Mapping[str, int] = field(default_factory=dict)
    """Lists that are cut where it is not, with how many values stay: of a text none. ``cross_references.pdb`` is a list
    in a field.
    """


def is_included(part: str, include: Collection[str]) -> bool:
    """Whether a part is asked for."""
    return part in include or ALL in include


def selected(record: Model, parts: Mapping[str, Part], include: Collection[str]) -> tuple[Model, str]:
    """The record without the parts that are not asked for; and what was cut, and how to get it, empty if nothing."""
    omitted = {name: part for name, part in parts.items() if not is_included(name, include)}
    kept = record.model_copy(update=_absent(record, [name for part in omitted.values() for name in part.fields]))
    counts, names = [], []
    for name, part in omitted.items():
        for path, most in part.most.items():
            values = _values(kept, path.split("."))
            if len(values) > most:
                kept = _with_values(kept, path.split("."), values[:most] if isinstance(values, list | tuple) else None)
                field_name = path.rpartition(".")[2]
                counts.append(f"{field_name} {most} of {len(values)}" if most else f"no {field_name}")
                names.append(f'"{name}"')
    words = ", ".join(dict.fromkeys(names))
    return kept, f"Listed: {', '.join(counts)}; include=[{words}] lists all." if counts else ""


def _absent(record: BaseModel, names: Sequence[str]) -> dict[str, Any]:
    """What these fields hold where nothing is told, of those that hold something else."""
    fields = type(record).model_fields
    defaults = {name: fields[name].get_default(call_default_factory=True) for name in names}
    return {name: default for name, default in defaults.items() if getattr(record, name) != default}


_TOKEN = re.compile(r"[A-Z]?[a-z]{1,6}|[A-Z]{1,3}|\d{1,3}|[^A-Za-z\d\s]{1,3}")
"""More or less what a language model counts: a short word, some capitals, digits or signs."""
_NOTICE = '{{"code":"LIST_CUT","message":"{}"}}'
"""What the words about a cut stand in, which cost as much again."""


def fitting(record: BaseModel, choices: Sequence[Mapping[str, Part]], budget: int) -> Mapping[str, Part]:
    """The first of these parts by which a record keeps to its budget of tokens, for which an estimate has to do."""
    for parts in choices:
        kept, cuts = selected(record, parts, ())
        notice = _NOTICE.format(cuts) if cuts else ""
        if len(_TOKEN.findall(kept.model_dump_json() + notice)) <= budget:
            return parts
    return choices[-1]


def _values(holder: Any, path: Sequence[str]) -> Sequence[Any]:
    for name in path:
        holder = getattr(holder, name, None)
    return holder or ()


def _with_values(holder: Any, path: Sequence[str], values: Sequence[Any] | None) -> Any:
    """A copy of a model with other values in a list, which may be in a model within it."""
    name, *rest = path
    value = _with_values(getattr(holder, name), rest, values) if rest else values
    return holder.model_copy(update={name: value})
