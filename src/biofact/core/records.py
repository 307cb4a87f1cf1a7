"""Records and other results of tools: their origin, their notices, their JSON, and the parts that can be left out."""

import math
import re
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Annotated, Any, ClassVar, Literal, Self, TypeVar, cast, overload

from pydantic import BaseModel, ConfigDict, Field, PlainSerializer, PrivateAttr
from pydantic.fields import FieldInfo
from pydantic_core import from_json, to_json

from biofact.core.record_views import BriefModel, html_view

if TYPE_CHECKING:
    import pandas as pd
    import polars as pl

Origin = Literal["live", "cache", "stale", "sandbox"]

NoticeCode = Literal[
    "ASSUMED",  # a species or spelling that the caller did not state
    "CACHE_IN_MEMORY",  # the disk cannot be used or written; new answers are kept by this process only
    "DROPPED",  # rows that did not answer the question
    "FORM_OF",  # a form of another entity, whose record has more
    "INVALID_CROSS_REFERENCE",  # a value that breaks its key's form
    "LEGS",  # how much each part of the question brought
    "LEG_FAILED",  # a further service did not answer in time
    "LIMIT_MENDED",  # a service's stored rate limit was damaged
    "LIST_CUT",  # more values than are listed
    "MISMATCH",  # fields of a record that contradict each other
    "NOT_COVERED",  # a part of the question on which the service holds nothing
    "OLD_RELEASE",  # the newest known release of a database is over a year old
    "ORDER",  # the order of a list, where it is not obvious
    "QUERY_UNDERSTOOD",  # the query as the service understood it
    "QUOTA_REACHED",  # a collection that was not kept, as the caller's quota is used up
    "REPLACED",  # the asked ID now leads to another record
    "SEVERAL_VALUES",  # more values than a single-valued field holds
    "SHARED_MATCH",  # several entities share the best match
    "SLIM_ROWS",  # rows in their short form, because whole ones would be too long together
    "STALE",  # the service is down; an expired answer is served
    "TERM_IGNORED",  # a part of the query that the service did not use
    "UNMATCHED",  # nothing matches, and what to try
]

_ABOUT_FIELDS: frozenset[NoticeCode] = frozenset({"INVALID_CROSS_REFERENCE", "LIST_CUT", "SEVERAL_VALUES"})
_BESIDE_IDENTITY = ("notices", "replaces")
Short = TypeVar("Short", bound="SlimRecord")
Model = TypeVar("Model", bound=BaseModel)
_DEEPEST = 64  # readers stop at about 200 levels, and an echo stands some levels deep already
_LONGEST_INTEGER_BITS = 14_000  # Python and pydantic read 4300 digits, which is little more


Number = Annotated[
    float, PlainSerializer(lambda value: int(value) if value.is_integer() else value, when_used="unless-none")
]
"""A number that is written without a needless ``.0``, which would be two tokens."""


def absent(description: str | None = None) -> Any:
    """A field that is left out of every answer when there is nothing to say, never null."""
    return Field(default=None, exclude_if=lambda value: value is None, description=description)


def absent_list(description: str | None = None) -> Any:
    """A list field that is left out of every answer when it is empty."""
    return Field(default_factory=list, exclude_if=lambda value: not value, description=description)


Body = dict[str, Any]
"""A result or failure as a JSON object."""


def flat_json(result: BaseModel) -> Body:
    """The object that stands on the wire; facts without a value are left out."""
    body: Body = json_value(result.model_dump(by_alias=True))
    return body


def compact_json(value: object) -> str:
    """``value`` as JSON without blanks."""
    return to_json(value).decode()


def json_value(value: object, depth: int = 0) -> Any:
    """``value`` in JSON's own terms; what JSON cannot hold becomes text, so that an echo never breaks the wire."""
    if type(value) is str:  # most values are, and every answer comes through here
        return value if value.isascii() else _scalar(value)
    match value:
        case dict() | list() | tuple() if depth >= _DEEPEST:
            return f"(nested more than {_DEEPEST} levels deep)"
        case dict():
            body = {json_value(str(name)): json_value(item, depth + 1) for name, item in value.items()}
            if "notices" in body:  # facts first
                body["notices"] = body.pop("notices")
            return body
        case list() | tuple():
            return [json_value(item, depth + 1) for item in value]
    return _scalar(value)


def models_within(value: object, place: str = "") -> Iterator[tuple[str, BaseModel]]:
    """The models within a model, list or mapping, each with its JSON pointer (RFC 6901) from there."""
    for name, part in _parts(value):
        pointer = f"{place}/{name.replace('~', '~0').replace('/', '~1')}"
        if isinstance(part, BaseModel):
            yield pointer, part
        yield from models_within(part, pointer)


def _parts(value: object) -> Iterator[tuple[str, object]]:
    match value:
        case BaseModel():
            for name, field in type(value).model_fields.items():
                yield field.serialization_alias or field.alias or name, getattr(value, name)
        case dict():
            yield from ((str(name), part) for name, part in value.items())
        case list() | tuple():
            yield from ((str(number), part) for number, part in enumerate(value))


def _scalar(value: object) -> Any:
    match value:
        case None | bool():
            return value
        case int():
            return hex(value) if value.bit_length() > _LONGEST_INTEGER_BITS else value
        case float():
            return value if math.isfinite(value) else str(value)
    text = value if isinstance(value, str) else repr(value)
    return text.encode(errors="backslashreplace").decode()  # half a character (a lone surrogate) cannot be written


class Frozen(BriefModel):
    """A part of an answer, which stays as it was made."""

    model_config = ConfigDict(frozen=True, extra="forbid")
    _offered: ClassVar[tuple[str, ...]] = ("from_json", "to_json")
    """The names that completion shows beside the fields; the rest is pydantic's or our own."""

    def __dir__(self) -> list[str]:
        own = (name for name in super().__dir__() if name.startswith("_"))
        return sorted({*own, *type(self).model_fields, *self._offered})

    def _repr_html_(self) -> str:
        """The table that notebooks show."""
        return html_view(flat_json(self), getattr(self, "listed", None))

    def to_json(self, *, provenance: bool = False, indent: int | None = None) -> str:
        """The same JSON as on the wire; with ``provenance`` also where it came from, for ``from_json``."""
        body = flat_json(self)
        return to_json(body | self._origins() if provenance else body, indent=indent).decode()

    @classmethod
    def from_json(cls, text: str | bytes) -> Self:
        """The result that ``to_json`` of this type wrote. A list names the type of its items:
        ``PaginationEnvelope[EntrezGene | ErrorEnvelope].from_json(text)``.

        Raises:
            ValueError: it is no JSON, or not of this type; the message names the field.
            TypeError: the type is that of a list, and does not name the type of its items.
        """
        if cls.__pydantic_generic_metadata__["parameters"]:
            message = f"{cls.__name__}.from_json does not know of what it is a list; name it: {cls.__name__}[...]."
            raise TypeError(message)
        return cls._read(from_json(text))

    def _origins(self) -> dict[str, Any]:
        """Keys of whole JSON that the flat one lacks."""
        return {}

    @classmethod
    def _read(cls, values: Any) -> Self:
        result = cls.model_validate(values)
        generic = cast("type[Self] | None", cls.__pydantic_generic_metadata__["origin"])
        if generic is None:
            return result
        return generic.model_construct(result.model_fields_set, **dict(result))  # of a list, which names no type


class Metadata(Frozen):
    """Facts about a whole list, beside its rows; their keys stand in the tool's output schema."""


class Provenance(BriefModel):
    """The answer behind a record: which service, which request, how old."""

    model_config = ConfigDict(frozen=True, extra="forbid", populate_by_name=True)

    source: str
    url: str
    """The request without keys and contact details."""
    retrieved_at: str
    """When the service gave this answer, ISO 8601 in UTC."""
    origin: Origin = Field(validation_alias="from", serialization_alias="from")
    release: str | None = absent()
    release_date: str | None = absent("The month in which the release came out, such as 2026-06.")
    licence: str | None = absent()
    others: tuple["Provenance", ...] = Field(default=(), exclude_if=lambda value: not value)
    """Further answers that the same result was put together from."""


class Notice(Frozen):
    """Something that an expert would want to know about an answer."""

    code: NoticeCode = Field(description="What it is about, for machines.")
    message: str = Field(description="A sentence.")


FrameMaker = Callable[["Result", Literal["polars", "pandas"] | None], Any]
_frame_maker: FrameMaker | None = None


def set_frame_maker(maker: FrameMaker) -> None:
    """Let ``Result.to_frame`` call ``maker``; tables, a layer above, have one and set it when they are imported."""
    global _frame_maker  # noqa: PLW0603  # results are below tables, and have the method
    _frame_maker = maker


def missing_part(part: str, reason: str) -> Notice:
    """The notice that an answer lacks what a further request would have added, and why."""
    return Notice(code="LEG_FAILED", message=f"Without {part}. {reason}")


def noticed(code: NoticeCode, message: str | None) -> list[Notice]:
    """The notice of a message; nothing where there is none."""
    return [Notice(code=code, message=message)] if message else []


def rows_dropped(count: int, reason: str) -> list[Notice]:
    """Counts the rows that a list leaves out; nothing where there are none."""
    return [Notice(code="DROPPED", message=f"Rows left out because {reason}: {count}.")] if count else []


@dataclass(frozen=True, slots=True, eq=False)
class ClientMethod:
    """The call of a method that a result answers. It makes no difference to whether two results are equal."""

    client_class: Any = None
    method: str = ""
    arguments: Mapping[str, Any] = field(default_factory=dict)
    """By parameter, as they were read; without lists of records."""

    def __eq__(self, other: object) -> bool:
        return isinstance(other, ClientMethod)

    def __hash__(self) -> int:
        return hash(ClientMethod)


_NO_METHOD = ClientMethod()


ALL = "all"
"""In ``include``: every part."""


@dataclass(frozen=True, slots=True)
class Part:
    """The fields and lists that one word of ``include`` asks for."""

    fields: tuple[str, ...] = ()
    """Left out unless the part is asked for."""
    limits: Mapping[str, int] = field(default_factory=dict)
    """Lists that are cut unless it is, with the number of values that stay: of a text none. ``cross_references.pdb`` is
    a list in a field.
    """


_PIECE = re.compile(r"[A-Z]?[a-z]{1,6}|[A-Z]{1,3}|\d{1,3}|[^A-Za-z\d\s]{1,3}")
"""A short word or a piece of a long one, some capitals, digits or signs."""
_CERTAIN = 0.95
"""The share of a budget that an estimate may fill: it may fall short of the count by the rest."""


def is_included(part: str, include: Collection[str]) -> bool:
    """Whether a part is asked for."""
    return part in include or ALL in include


def with_parts(record: Model, parts: Mapping[str, Part], include: Collection[str]) -> tuple[Model, str]:
    """The record without the parts that are not asked for; and a sentence on what was cut, empty if nothing."""
    omitted_parts = {name: part for name, part in parts.items() if not is_included(name, include)}
    record_copy = record.model_copy(
        update=_absent(record, [name for part in omitted_parts.values() for name in part.fields])
    )
    counts, names = [], []
    for name, part in omitted_parts.items():
        for path, limit in part.limits.items():
            values = _values(record_copy, path.split("."))
            if len(values) > limit:
                record_copy = _with_values(
                    record_copy, path.split("."), values[:limit] if isinstance(values, list | tuple) else None
                )
                field_name = path.rpartition(".")[2]
                counts.append(f"{field_name} {limit} of {len(values)}" if limit else f"no {field_name}")
                names.append(f'"{name}"')
    words = ", ".join(dict.fromkeys(names))
    return record_copy, f"Listed: {', '.join(counts)}; include=[{words}] lists all." if counts else ""


def _absent(record: BaseModel, names: Sequence[str]) -> dict[str, Any]:
    """The defaults of those fields that hold another value."""
    fields = type(record).model_fields
    defaults = {name: _default(fields[name]) for name in names}
    return {name: default for name, default in defaults.items() if getattr(record, name) != default}


def _default(field_info: FieldInfo) -> Any:
    """The default of a field; pydantic's ``get_default`` would read a signature each time."""
    make = cast("Callable[[], Any] | None", field_info.default_factory)
    return make() if make else field_info.default


def estimated_tokens(text: str) -> int:
    """About how many tokens of o200k ``text`` costs: a tokenizer is no dependency, but tests hold this against one.

    By how much it differs from the count, in percent: of 60,000 genes of NCBI's tables -6 to +9, half of them above +2;
    of 309 compounds of ChEMBL -6 to +10; of the sandbox's genes of Ensembl -1 to +8, entities of the IGVF Catalog -6 to
    +8; of 166 recorded articles of PubMed -7 to +23. Letters of a sequence cost half as much again as it says.
    """
    return len(_PIECE.findall(text))


def token_limit(budget: int) -> int:
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


class Result(Frozen):
    """The answer of a tool, with its provenance and notices."""

    _offered: ClassVar[tuple[str, ...]] = ("from_json", "provenance", "to_frame", "to_json")
    listed: ClassVar[str | None] = None
    """The field with the rows, where the result is a list."""

    @classmethod
    def open_columns(cls, arguments: Mapping[str, Any]) -> Mapping[str, Sequence[str]]:  # noqa: ARG003  # few need them
        """The parts of fields whose keys are the caller's own, by field: of the call with these arguments."""
        return {}

    notices: list[Notice] = absent_list("What an expert would want to know of the answer.")
    _provenance: Provenance | None = PrivateAttr(default=None)
    _question: ClientMethod = PrivateAttr(default_factory=lambda: _NO_METHOD)  # a default is copied for each result

    @property
    def question(self) -> ClientMethod:
        """The call that it answers."""
        return self._question

    @property
    def provenance(self) -> Provenance | None:
        """The service's answer behind it; None for a result made without a service."""
        return self._provenance

    @overload
    def to_frame(self, library: Literal["polars"]) -> "pl.DataFrame": ...

    @overload
    def to_frame(self, library: Literal["pandas"]) -> "pd.DataFrame": ...

    @overload
    def to_frame(self, library: None = None) -> Any: ...

    def to_frame(self, library: Literal["polars", "pandas"] | None = None) -> Any:
        """The rows as a data frame of polars or pandas: the one named, or else the first that is installed.

        The columns are those of the command's table; they follow from the call alone, empty lists have them too:
        ``input`` as it was asked, the fields of a record, nested ones dotted (``cross_references.hgnc``), lists as
        lists, objects in lists as JSON, what is absent as null; ``error`` (code) and ``message`` of a failure in a
        batch. A name that was resolved has ``name``, its best entity and the ID in each database. ``notices`` are those
        of the row.

        Raises:
            ImportError: it is not installed, or neither is.
        """
        if _frame_maker is None:
            raise RuntimeError("biofact.tables, which makes data frames, is not imported.")
        return _frame_maker(self, library)

    def signed(
        self, provenance: Provenance | None, notices: list[Notice], question: ClientMethod | None = None
    ) -> Self:
        """A copy that names its source and the question, and adds notices that it does not have yet."""
        added = [notice for notice in dict.fromkeys(notices) if notice not in self.notices]
        copy = self.model_copy(update={"notices": [*self.notices, *added]})
        copy._provenance = provenance  # noqa: SLF001  # our own copy
        copy._question = question or self._question  # noqa: SLF001
        return copy

    def _origins(self) -> dict[str, Any]:
        """The result's own provenance, and by JSON pointer that of results within it that have one."""
        of_parts = {
            place: flat_json(part.provenance)
            for place, part in models_within(self)
            if isinstance(part, Result) and part.provenance is not None
        }
        origin = {} if self.provenance is None else {"provenance": flat_json(self.provenance)}
        return origin | ({"provenance_within": of_parts} if of_parts else {})

    @classmethod
    def _read(cls, values: Any) -> Self:
        origins = {}
        if isinstance(values, dict):
            origins = values.pop("provenance_within", {}) | {"": values.pop("provenance", None)}
        result = super()._read(values)
        for place, part in [("", result), *models_within(result)]:
            if isinstance(part, Result) and (origin := origins.pop(place, None)) is not None:
                part._provenance = Provenance.model_validate(origin)  # noqa: SLF001  # made here
        if origins:
            raise ValueError(f"provenance_within names {', '.join(origins)}, where there is no result.")
        return result


class Record(Result):
    """One entity of one source. ``slim_fields`` is what a line shows of it, ``record_parts`` what can be included."""

    slim_fields: ClassVar[tuple[str, ...]] = ("id",)
    standard_fields: ClassVar[tuple[str, ...]] = ()
    """The fields of a tool's output schema, where others are included only by name; else it has all."""
    record_parts: ClassVar[Mapping[str, Part]] = {}
    tighter_parts: ClassVar[Sequence[Mapping[str, Part]]] = ()
    """Replace ``record_parts``, one after the other, while the record exceeds its budget."""
    token_budget: ClassVar[int] = 0
    """Tokens of the record by default, as they are estimated; for records that have tighter parts."""

    def selected(self, include: Collection[str] = ()) -> Self:
        """The record with these parts whole, and no more of the others than its budget allows."""
        parts = self.record_parts
        for tighter in self.tighter_parts:
            if estimated_tokens(self._cut(parts, ()).model_dump_json()) <= token_limit(self.token_budget):
                break
            parts = tighter
        return self._cut(parts, include)

    def _cut(self, parts: Mapping[str, Part], include: Collection[str]) -> Self:
        record, cuts = with_parts(self, parts, include)
        return record.noted([Notice(code="LIST_CUT", message=cuts)]) if cuts else record

    def noted(self, notices: Collection[Notice]) -> Self:
        """A copy with further notices."""
        return self.model_copy(update={"notices": [*self.notices, *notices]}) if notices else self


class SlimRecord(Record):
    """Marks a short form, identity only: a class that names this one among its bases is a slim type, and the full
    record extends that.
    """

    @classmethod
    def __pydantic_init_subclass__(cls, **kwargs: Any) -> None:
        super().__pydantic_init_subclass__(**kwargs)
        if SlimRecord in cls.__bases__:
            cls.slim_fields = tuple(name for name in cls.model_fields if name not in _BESIDE_IDENTITY)

    def shortened(self, slim_type: type[Short]) -> Short:
        """The short form, with the notices that are not about fields that it leaves out."""
        fields = {name: getattr(self, name) for name in slim_type.model_fields if name != "notices"}
        notices = [notice for notice in self.notices if notice.code not in _ABOUT_FIELDS]
        short = slim_type(**fields, notices=notices)
        short._provenance = self._provenance  # noqa: SLF001  # made here
        return short
