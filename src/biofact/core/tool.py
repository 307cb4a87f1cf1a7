"""``@tool``: marks a client method as something an agent may call, and reads what that method declares.

The same declaration gives the MCP schema, the CLI command, the docs page and the checks on arguments,
so that they cannot drift apart.
"""

import functools
import inspect
import re
from collections.abc import Callable, Coroutine, Mapping
from dataclasses import dataclass
from typing import Annotated, Any, Concatenate, ParamSpec, Self, TypeVar, cast, get_args, get_origin, get_type_hints

from pydantic import AfterValidator, Field, TypeAdapter, ValidationError

from biofact.core import call
from biofact.core.errors import AmbiguousQuery, BiofactError, CallTool, ToolRef
from biofact.core.identifiers import QUERY_LENGTH, IdKind, query_text
from biofact.core.provenance import Result

P = ParamSpec("P")
R = TypeVar("R", bound=Result)
C = TypeVar("C")

NARROWS = "narrows the answer"
"""Marks an argument that filters: no recovery leaves it out, for the answer would be another question's."""
BATCH_LIMIT = 200  # IDs a call, ruling 4
_MARK = "is_biofact_tool"


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
    narrows: bool
    """It filters; see ``NARROWS``."""
    check: TypeAdapter[Any]


@dataclass(frozen=True, slots=True)
class Declaration:
    """What a method declares that others may call: name, words for the agent, arguments."""

    ref: ToolRef
    summary: str
    """First paragraph of the docstring: all that an agent reads."""
    description: str
    """The whole docstring, for the docs page."""
    parameters: tuple[Parameter, ...]
    method: Callable[..., Coroutine[Any, Any, Any]]
    """The method as written, without the checks."""

    @classmethod
    def of(cls, client_class: Any, name: str, **further: Any) -> Self:
        """What a method of a client class declares; ``further`` is what this kind of declaration adds."""
        method = getattr(client_class, name)
        hints = get_type_hints(method, include_extras=True)
        text = inspect.cleandoc(method.__doc__ or "")
        return cls(
            ref=ToolRef(client_class.source_name, name),
            summary=" ".join(text.split("\n\n", 1)[0].split()),
            description=text,
            parameters=tuple(
                _parameter(parameter, hints[parameter.name])
                for parameter in list(inspect.signature(method).parameters.values())[1:]
            ),
            method=inspect.unwrap(method),
            **further,
        )

    async def call(self, client: object, arguments: Mapping[str, object]) -> Result:
        """Check the arguments, call the method, and have its result name where it came from.

        Raises:
            BiofactError: unknown, missing or malformed arguments, and whatever the method raises.
        """
        checked = self.checked(arguments)
        with call.opened() as current:
            try:
                result = self.result(await self.method(client, **checked))
            except BiofactError as error:
                error.invalid_input = _as_written(error.invalid_input, checked, arguments)
                raise
            return result.signed(current.provenance(), current.notices)

    def result(self, answer: Any) -> Result:
        """What the method answered, as a result."""
        return cast(Result, answer)

    def checked(self, arguments: Mapping[str, object]) -> dict[str, Any]:
        """The arguments, converted; refuses with what a machine can do about it.

        Raises:
            UnresolvedEntity: an ID is not of the form asked for (told first: no other repair helps without it).
            AmbiguousQuery: an argument is unknown, missing or out of range.
        """
        good: dict[str, Any] = {}
        known = {parameter.name for parameter in self.parameters}
        refused: list[BiofactError] = [self._unknown(name, arguments[name]) for name in arguments if name not in known]
        for parameter in self.parameters:
            if parameter.name in arguments:
                try:
                    good[parameter.name] = self._value(parameter, arguments[parameter.name])
                except BiofactError as error:
                    refused.append(error)
            elif parameter.is_required:
                refused.append(self._missing(parameter))
        if not refused:
            return good
        raise self._most_helpful(refused, {name: arguments[name] for name in good}, arguments)

    def _most_helpful(
        self, refused: list[BiofactError], kept: Mapping[str, object], given: Mapping[str, object]
    ) -> BiofactError:
        for error in refused:
            if not isinstance(error, AmbiguousQuery):
                return error
        error = refused[0]
        mended = [each.recovery.arguments for each in refused if isinstance(each.recovery, CallTool)]
        arguments = {name: value for each in (kept, *mended) for name, value in each.items()}
        is_callable = all(p.name in arguments for p in self.parameters if p.is_required)
        is_filter_lost = any(p.narrows and p.name in given and p.name not in arguments for p in self.parameters)
        error.recovery = CallTool(self.ref, arguments) if is_callable and not is_filter_lost else None
        return error

    def _value(self, parameter: Parameter, value: object) -> Any:
        if parameter.id_kind is not None and (parameter.is_required or value is not None):
            return (
                self._id_list(parameter, parameter.id_kind, value)
                if parameter.is_list
                else parameter.id_kind.check(value)
            )
        try:
            return parameter.check.validate_python(value)
        except ValidationError as error:
            raise AmbiguousQuery(
                f"Argument {parameter.name!r} of {self.ref} cannot be {_shown(value)}{_problem(error)}.",
                hint=f"Give {parameter.name} as {_in_words(parameter)}.",
                invalid_input=value,
            ) from error

    def _id_list(self, parameter: Parameter, kind: IdKind, value: object) -> list[object]:
        """IDs of a batch, not yet checked one by one: a malformed one fails alone, in its place."""
        if isinstance(value, list | tuple) and 1 <= len(value) <= BATCH_LIMIT:
            return list(value)
        recovery = None
        if isinstance(value, str):
            ids = re.findall(r"[^\s,;\[\]\"']+", value) or [value]
            checked = [_checked(kind, part, value) for part in ids]
            recovery = CallTool(self.ref, {parameter.name: checked}) if len(checked) <= BATCH_LIMIT else None
        raise AmbiguousQuery(
            f"Argument {parameter.name!r} of {self.ref} takes 1 to {BATCH_LIMIT} IDs in a list.",
            hint=f"Give {parameter.name} as {_in_words(parameter)}; split longer lists into several calls.",
            invalid_input=value,
            recovery=recovery,
        )

    def _unknown(self, name: str, value: object) -> AmbiguousQuery:
        return AmbiguousQuery(
            f"{self.ref} has no argument {name!r:.80}.",
            hint="Its arguments are " + ", ".join(parameter.name for parameter in self.parameters) + ".",
            invalid_input={name: value},
        )

    def _missing(self, parameter: Parameter) -> AmbiguousQuery:
        return AmbiguousQuery(
            f"{self.ref} needs the argument {parameter.name!r}.",
            hint=f"Give {parameter.name} as {_in_words(parameter)}.",
        )


@dataclass(frozen=True, slots=True)
class ToolSpec(Declaration):
    """What a tool method declares."""

    returns: type[Result]


def tool(
    method: Callable[Concatenate[C, P], Coroutine[Any, Any, R]],
) -> Callable[Concatenate[C, P], Coroutine[Any, Any, R]]:
    """Mark an async client method as a tool. Its result names where it came from.

    Arguments are checked for library users too; the first docstring paragraph is what an agent reads.
    """
    signature = inspect.signature(method)  # read once: binding is quick, reading takes longer than a kept answer

    @functools.wraps(method)
    async def called(client: C, *args: P.args, **kwargs: P.kwargs) -> R:
        arguments = given(signature.bind(client, *args, **kwargs))
        return cast(R, await spec_of(type(client), method.__name__).call(client, arguments))

    called.__dict__[_MARK] = True
    return cast("Callable[Concatenate[C, P], Coroutine[Any, Any, R]]", called)


def given(bound: inspect.BoundArguments) -> dict[str, object]:
    """The arguments of a call of a method, without the client that it is a method of."""
    _, *arguments = bound.arguments.items()
    return dict(arguments)


def specs_of(client_class: type) -> tuple[ToolSpec, ...]:
    """The tools of a client class, in the order it defines them."""
    return tuple(spec_of(client_class, name) for name in marked(client_class, _MARK))


def spec_of(client_class: type, name: str) -> ToolSpec:
    """What one tool method of a client class declares."""
    return _read(cast("Any", client_class), name)


def marked(client_class: type, mark: str) -> tuple[str, ...]:
    """The methods of a client class that carry a mark, in the order it defines them."""
    members = [pair for klass in reversed(client_class.__mro__) for pair in vars(klass).items()]
    return tuple(dict.fromkeys(name for name, member in members if hasattr(member, mark)))


@functools.cache
def _read(client_class: Any, name: str) -> ToolSpec:
    returns = get_type_hints(getattr(client_class, name))["return"]
    return ToolSpec.of(client_class, name, returns=returns)


def _as_written(value: object, checked: Mapping[str, object], arguments: Mapping[str, object]) -> object:
    """What the caller wrote where ``value`` is an argument as we converted it."""
    return next((arguments[name] for name, converted in checked.items() if converted is value), value)


def _checked(kind: IdKind, part: str, value: str) -> str:
    """One ID of several in a text; a text that holds anything else is refused as it is."""
    try:
        return kind.check(part)
    except BiofactError:
        return kind.check(value)


def _metadata(hint: Any) -> tuple[Any, ...]:
    """What ``Annotated`` says of an argument, or of an argument that may be left out."""
    own = getattr(hint, "__metadata__", ())
    return (*own, *(item for option in get_args(hint) for item in getattr(option, "__metadata__", ())))


def _parameter(parameter: inspect.Parameter, hint: Any) -> Parameter:
    base, metadata = (get_args(hint)[0], get_args(hint)[1:]) if get_origin(hint) is Annotated else (hint, ())
    return Parameter(
        name=parameter.name,
        annotation=hint,
        is_required=parameter.default is inspect.Parameter.empty,
        default=None if parameter.default is inspect.Parameter.empty else parameter.default,
        id_kind=next((item for item in metadata if isinstance(item, IdKind)), None),
        is_list=get_origin(base) is list,
        narrows=NARROWS in _metadata(hint),
        check=TypeAdapter(hint),
    )


def _problem(error: ValidationError) -> str:
    """What our own validators say; pydantic's words are for programmers, and the hint lists the valid values."""
    own = [detail["msg"] for detail in error.errors(include_url=False) if detail["type"] == "value_error"]
    return f": {own[0].removeprefix('Value error, ').rstrip('.')}" if own else ""


def _shown(value: object) -> str:
    return f"{value!r:.80}" if isinstance(value, str | int | float) or value is None else f"a {type(value).__name__}"


def _in_words(parameter: Parameter) -> str:
    if parameter.id_kind is not None:
        form = f"an ID like {parameter.id_kind.example!r}"
        return f"a list of 1 to {BATCH_LIMIT} strings, each {form}" if parameter.is_list else form
    if parameter.annotation == Query:
        return f"text of {QUERY_LENGTH[0]} to {QUERY_LENGTH[-1]} characters"
    schema = parameter.check.json_schema()
    options = schema.get("anyOf", [schema])
    return " or ".join(_option_in_words(option) for option in options if option.get("type") != "null")


def _option_in_words(option: Mapping[str, Any]) -> str:
    if "enum" in option:
        return "one of " + ", ".join(map(repr, option["enum"]))
    if option.get("type") == "integer" and "minimum" in option:
        return f"a whole number from {option['minimum']} to {option.get('maximum', 'any')}"
    if option.get("type") == "array" and "enum" in option.get("items", {}):
        return f"a list with any of {', '.join(map(repr, option['items']['enum']))}"
    words = {
        "string": "text",
        "integer": "a whole number",
        "boolean": "true or false",
        "array": "a list",
        "object": "an object of names and values",
    }
    return words.get(str(option.get("type")), "a value of the declared type")
