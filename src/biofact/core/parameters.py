"""The arguments of a tool as its method declares them: types, names, what each is for."""

import functools
import inspect
from collections.abc import Iterator
from dataclasses import dataclass
from types import UnionType
from typing import Annotated, Any, Union, get_args, get_origin

from pydantic import AfterValidator, BaseModel, Field, TypeAdapter, WithJsonSchema

from biofact.core.identifiers import QUERY_LENGTH, IdKind, query_text
from biofact.core.json_schema import Schema

NARROWS = "narrows the answer"
"""Marks an argument that filters: no recovery leaves it out, for the answer would be another question's."""
ENTITY = "an entity by its ID or name"
"""Marks a text that stands for one entity: the command line takes any number of them, as of IDs."""
AS_WRITTEN = "as written"
"""Marks a list or object whose parts are the caller's own, or an earlier step's: empty ones stay."""
BATCH_LIMIT = 200  # IDs a call, ruling 4

IDEAS = (("organism", "species", "target_species"), ("page_size", "limit", "max_results"), ("query", "search_query"))
"""Names of one idea. A tool declares one of them and takes the others."""


def _as_query(text: str) -> str:
    query = query_text(text)
    if len(query) not in QUERY_LENGTH:
        raise ValueError(f"a query has {QUERY_LENGTH[0]} to {QUERY_LENGTH[-1]} characters, this one {len(query)}")
    return query


Query = Annotated[str, AfterValidator(_as_query)]
"""Words to search for: trimmed, single-spaced, 2-300 characters."""
PageSize = Annotated[int, Field(ge=1, le=100)]
CursorText = Annotated[str, Field(min_length=1, max_length=4000)]


@dataclass(frozen=True, slots=True)
class Parameter:
    """One argument of a tool or resource."""

    name: str
    annotation: Any
    """The type with its metadata, for schema builders."""
    is_required: bool
    default: Any
    id_kind: IdKind | None
    """Set for an argument that takes one ID, or a list of them, of this kind."""
    is_list: bool
    is_entity: bool
    """It takes the ID of an entity, or its name; see ``ENTITY``."""
    narrows: bool
    """It filters; see ``NARROWS``."""
    is_nested: bool
    """It takes a list or an object."""
    is_as_written: bool
    """See ``AS_WRITTEN``."""
    check: TypeAdapter[Any]

    @property
    def aliases(self) -> tuple[str, ...]:
        """Other names that it is taken by."""
        return aliases(self.name)


def parameter_of(parameter: inspect.Parameter, hint: Any) -> Parameter:
    """What a method's signature declares of one argument."""
    base, metadata = (get_args(hint)[0], get_args(hint)[1:]) if get_origin(hint) is Annotated else (hint, ())
    is_required = parameter.default is inspect.Parameter.empty
    id_kind = next((item for item in metadata if isinstance(item, IdKind)), None)
    return Parameter(
        name=parameter.name,
        annotation=hint,
        is_required=is_required,
        default=None if is_required else parameter.default,
        id_kind=id_kind,
        is_list=get_origin(base) is list,
        is_entity=id_kind is not None or ENTITY in _metadata(hint),
        narrows=NARROWS in _metadata(hint),
        is_nested=any(_is_nested(option) for option in _options(hint)),
        is_as_written=AS_WRITTEN in _metadata(hint),
        check=TypeAdapter(hint),
    )


@functools.cache
def aliases(name: str) -> tuple[str, ...]:
    """The other names of the idea that an argument's name stands for."""
    return tuple(other for idea in IDEAS if name in idea for other in idea if other != name)


@functools.cache
def values_schema(parameter: Parameter) -> Schema:
    """JSON Schema of all that an argument may hold, also where a tool's own schema leaves the parts to its words."""
    return TypeAdapter(_with_parts(parameter.annotation)).json_schema()


def _with_parts(hint: Any) -> Any:
    """A type without the schemas that are declared in place of its own."""
    if get_origin(hint) is Annotated:
        base, *metadata = get_args(hint)
        kept = [item for item in metadata if not isinstance(item, WithJsonSchema)]
        return Annotated[(_with_parts(base), *kept)] if kept else _with_parts(base)
    return hint


def _metadata(hint: Any) -> tuple[Any, ...]:
    """What ``Annotated`` says of an argument, or of an argument that may be left out."""
    own = getattr(hint, "__metadata__", ())
    return (*own, *(item for option in get_args(hint) for item in getattr(option, "__metadata__", ())))


def _options(hint: Any) -> Iterator[Any]:
    """The types that an argument may have, bare."""
    if get_origin(hint) is Annotated:
        yield from _options(get_args(hint)[0])
    elif get_origin(hint) in {Union, UnionType}:
        for option in get_args(hint):
            yield from _options(option)
    else:
        yield hint


def _is_nested(option: Any) -> bool:
    kind = get_origin(option) or option
    return kind in {list, dict} or (inspect.isclass(kind) and issubclass(kind, BaseModel))
