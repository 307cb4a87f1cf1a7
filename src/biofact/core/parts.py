"""Parts of a record: by default it keeps to its budget, and what ``include`` names is told whole."""

import re
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, TypeVar, cast

from pydantic import BaseModel
from pydantic.fields import FieldInfo

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


_PIECE = re.compile(r"[A-Z]?[a-z]{1,6}|[A-Z]{1,3}|\d{1,3}|[^A-Za-z\d\s]{1,3}")
"""A short word or a piece of a long one, some capitals, digits or signs."""
_CERTAIN = 0.95
"""Of a budget, what an estimate may fill: so far it may fall short of the count."""


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
    defaults = {name: _default(fields[name]) for name in names}
    return {name: default for name, default in defaults.items() if getattr(record, name) != default}


def _default(field_info: FieldInfo) -> Any:
    """What the field holds where nothing is given; pydantic's ``get_default`` would read a signature each time."""
    make = cast("Callable[[], Any] | None", field_info.default_factory)
    return make() if make else field_info.default


def tokens(text: str) -> int:
    """About how many tokens of o200k ``text`` costs: a tokenizer is no dependency, but tests hold this against one.

    By how much it differs from the count, in percent: of 60,000 genes of NCBI's tables -6 to +9, half of them above +2;
    of 309 compounds of ChEMBL -6 to +10; of the sandbox's genes of Ensembl -1 to +8, entities of the IGVF Catalog -6 to
    +8; of 166 recorded articles of PubMed -7 to +23. Letters of a sequence cost half as much again as it says.
    """
    return len(_PIECE.findall(text))


def estimated(budget: int) -> int:
    """How many tokens may be counted where ``budget`` of them may be spent."""
    return int(budget * _CERTAIN)


def _values(holder: Any, path: Sequence[str]) -> Sequence[Any]:
    for name in path:
        holder = getattr(holder, name, None)
    return holder or ()


def _with_values(holder: Any, path: Sequence[str], values: Sequence[Any] | None) -> Any:
    """A copy of a model with other values in a list, which may be in a model within it."""
    name, *rest = path
    value = _with_values(getattr(holder, name), rest, values) if rest else values
    return holder.model_copy(update={name: value})
