"""Where a fact came from and when, and the base of everything that carries it."""

import importlib
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import Annotated, Any, ClassVar, Literal, Self, TypeVar, cast

from pydantic import BaseModel, ConfigDict, Field, PlainSerializer, PrivateAttr
from pydantic_core import from_json, to_json

from biofact.core import flat_json
from biofact.core.parts import Part, estimated, selected, tokens

Origin = Literal["live", "cache", "stale", "sandbox"]

NoticeCode = Literal[
    "ASSUMED",  # a species or spelling that the caller did not state
    "CACHE_IN_MEMORY",  # the disk cannot be used or written; new answers are kept by this process only
    "DROPPED",  # rows that did not answer the question
    "FORM_OF",  # a form of another entity, of which more is told there
    "INVALID_CROSS_REFERENCE",  # a value that breaks its key's form
    "LEGS",  # how much each part of the question brought
    "LEG_FAILED",  # a further service did not answer in time
    "LIST_CUT",  # more values than are listed
    "MISMATCH",  # fields of a record that contradict each other
    "NOT_COVERED",  # a part of the question on which the service holds nothing
    "ORDER",  # how a list is ordered, where that is not obvious
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


class Frozen(BaseModel):
    """A part of an answer, which stays as it was made."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    def to_json(self, *, provenance: bool = False, indent: int | None = None) -> str:
        """The same JSON as on the wire; with ``provenance`` also where it came from, for ``from_json``."""
        body = flat_json.flat(self)
        return to_json(body | self._origins() if provenance else body, indent=indent).decode()

    @classmethod
    def from_json(cls, text: str | bytes) -> Self:
        """What ``to_json`` of this type has written. A list names the type of its items:
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
        """What whole JSON has beside the flat one."""
        return {}

    @classmethod
    def _read(cls, values: Any) -> Self:
        found = cls.model_validate(values)
        as_returned = cast("type[Self] | None", cls.__pydantic_generic_metadata__["origin"])
        if as_returned is None:
            return found
        return as_returned.model_construct(found.model_fields_set, **dict(found))  # of a list, which names no type


class Metadata(Frozen):
    """What is said beside a list about the whole of it; its keys stand in the tool's output schema."""


class Provenance(BaseModel):
    """The answer behind a record: which service, which request, how old."""

    model_config = ConfigDict(frozen=True, extra="forbid", populate_by_name=True)

    source: str
    url: str
    """The request without keys and contact details."""
    retrieved_at: str
    """When the service gave this answer, ISO 8601 in UTC."""
    origin: Origin = Field(validation_alias="from", serialization_alias="from")
    release: str | None = absent()
    licence: str | None = absent()
    others: tuple["Provenance", ...] = Field(default=(), exclude_if=lambda value: not value)
    """Further answers that the same result was put together from."""


class Notice(Frozen):
    """Something that an expert would want to know about an answer."""

    code: NoticeCode = Field(description="What it is about, for machines.")
    message: str = Field(description="A sentence.")


def without(what: str, reason: str) -> Notice:
    """The notice that an answer lacks what a further request would have added, and why."""
    return Notice(code="LEG_FAILED", message=f"Without {what}. {reason}")


def rows_dropped(count: int, reason: str) -> list[Notice]:
    """Counts the rows that a list leaves out; nothing where there are none."""
    return [Notice(code="DROPPED", message=f"Rows left out because {reason}: {count}.")] if count else []


@dataclass(frozen=True, slots=True, eq=False)
class ClientMethod:
    """The method that a result answers. It makes no difference to whether two results are equal."""

    client_class: Any = None
    method: str = ""

    def __eq__(self, other: object) -> bool:
        return isinstance(other, ClientMethod)

    def __hash__(self) -> int:
        return hash(ClientMethod)


_NO_METHOD = ClientMethod()


class Result(Frozen):
    """What a tool returns: it can say where it came from, and what to know about it."""

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
        """What this is the answer to."""
        return self._question

    @property
    def provenance(self) -> Provenance | None:
        """Where this came from; None for a result made without a service."""
        return self._provenance

    def to_frame(self, library: Literal["polars", "pandas"] | None = None) -> Any:
        """The rows as a data frame of polars or pandas: the one named, or else the first that is installed.

        The columns follow from the method alone, empty lists have them too: the fields of a record, nested ones
        dotted (``cross_references.hgnc``), lists as lists, objects in lists as JSON, what is absent as null. A failure
        in a batch is a row with its ``input``, ``error`` (code) and ``message``; ``notices`` are those of the row.

        Raises:
            ImportError: it is not installed, or neither is.
        """
        frames = importlib.import_module("biofact.core.frames")  # which knows all kinds of results
        return frames.frame(self, library)

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
        """Its own provenance, and by JSON pointer that of results within it that have one."""
        of_parts = {
            place: flat_json.flat(part.provenance)
            for place, part in flat_json.models_within(self)
            if isinstance(part, Result) and part.provenance is not None
        }
        own = {} if self.provenance is None else {"provenance": flat_json.flat(self.provenance)}
        return own | ({"provenance_within": of_parts} if of_parts else {})

    @classmethod
    def _read(cls, values: Any) -> Self:
        origins = {}
        if isinstance(values, dict):
            origins = values.pop("provenance_within", {}) | {"": values.pop("provenance", None)}
        found = super()._read(values)
        for place, part in [("", found), *flat_json.models_within(found)]:
            if isinstance(part, Result) and (origin := origins.pop(place, None)) is not None:
                part._provenance = Provenance.model_validate(origin)  # noqa: SLF001  # made here
        if origins:
            raise ValueError(f"provenance_within names {', '.join(origins)}, where there is no result.")
        return found


class Record(Result):
    """One entity of one source. ``slim_fields`` is what a line shows of it, ``record_parts`` what can be included."""

    slim_fields: ClassVar[tuple[str, ...]] = ("id",)
    table_fields: ClassVar[tuple[str, ...]] = ()
    """What a table that has no room for all shows first; the short form where there are none."""
    stand_in_fields: ClassVar[Mapping[str, str]] = {}
    """What a table shows where a field is absent, such as the ID of what has no name."""
    wrapped_fields: ClassVar[tuple[str, ...]] = ()
    """Texts that a table shows whole, on several lines."""
    """Those of its slim type, where it has one."""
    standard_fields: ClassVar[tuple[str, ...]] = ()
    """Of which a tool's output schema speaks, where others are told only as they are named; else it speaks of all."""
    record_parts: ClassVar[Mapping[str, Part]] = {}
    tighter_parts: ClassVar[Sequence[Mapping[str, Part]]] = ()
    """What takes the place of ``record_parts``, one after the other, where the record does not keep to its budget."""
    token_budget: ClassVar[int] = 0
    """Tokens of the record by default, as they are estimated; for records that have tighter parts."""

    def selected(self, include: Collection[str] = ()) -> Self:
        """The record with these parts whole, and no more of the others than its budget allows."""
        parts = self.record_parts
        for tighter in self.tighter_parts:
            if tokens(self._cut(parts, ()).model_dump_json()) <= estimated(self.token_budget):
                break
            parts = tighter
        return self._cut(parts, include)

    def _cut(self, parts: Mapping[str, Part], include: Collection[str]) -> Self:
        kept, cuts = selected(self, parts, include)
        return kept.noted([Notice(code="LIST_CUT", message=cuts)]) if cuts else kept

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
        """The short form, with what must be said about it, not about fields that it leaves out."""
        kept = {name: getattr(self, name) for name in slim_type.model_fields if name != "notices"}
        notices = [notice for notice in self.notices if notice.code not in _ABOUT_FIELDS]
        short = slim_type(**kept, notices=notices)
        short._provenance = self._provenance  # noqa: SLF001  # made here
        return short
