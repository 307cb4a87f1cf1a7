"""``@tool``: marks a client method as something an agent may call, and reads what that method declares.

The same declaration gives the MCP schema, the CLI command, the docs page and the checks on arguments,
so that they cannot drift apart.
"""

import functools
import inspect
from collections.abc import Callable, Coroutine, Mapping
from dataclasses import dataclass
from types import UnionType
from typing import Any, ClassVar, Self, TypeVar, cast, get_args, get_type_hints, overload

from pydantic import ValidationError

from biofact.core import arguments, call, call_errors, titles
from biofact.core.arguments import CallArguments
from biofact.core.errors import BiofactError, ToolRef
from biofact.core.identifiers import unusable
from biofact.core.parameters import (
    AS_WRITTEN,
    BATCH_LIMIT,
    ENTITY,
    NARROWS,
    CursorText,
    PageSize,
    Parameter,
    Query,
    aliases,
    parameter_of,
)
from biofact.core.provenance import ClientMethod, Result

__all__ = [
    "AS_WRITTEN",
    "BATCH_LIMIT",
    "ENTITY",
    "NARROWS",
    "CursorText",
    "Declaration",
    "PageSize",
    "Parameter",
    "Query",
    "ToolSpec",
    "given",
    "marked",
    "spec_of",
    "specs_of",
    "tool",
]

Method = TypeVar("Method", bound=Callable[..., Coroutine[Any, Any, Result]])

_MARK = "is_biofact_tool"


@dataclass(frozen=True, slots=True)
class Declaration:
    """What a method declares that others may call: name, words for the agent, arguments."""

    is_tool: ClassVar[bool] = False
    ref: ToolRef
    title: str
    """What people read in place of its name."""
    summary: str
    """First paragraph of the docstring: all that an agent reads."""
    description: str
    """The whole docstring, for the docs page."""
    parameters: tuple[Parameter, ...]
    method: Callable[..., Coroutine[Any, Any, Any]]
    """The method as written, without the checks."""
    client_class: Any

    @classmethod
    def of(cls, client_class: Any, name: str, *, title: str = "", **further: Any) -> Self:
        """What a method of a client class declares; ``further`` is what this kind of declaration adds."""
        method = getattr(client_class, name)
        hints = get_type_hints(method, include_extras=True)
        text = inspect.cleandoc(method.__doc__ or "")
        summary = " ".join(text.split("\n\n", 1)[0].split())
        return cls(
            ref=ToolRef(client_class.source_name, name),
            title=title or titles.title(name, client_class.source_name, summary),
            summary=summary,
            description=text,
            parameters=tuple(
                parameter_of(parameter, hints[parameter.name])
                for parameter in list(inspect.signature(method).parameters.values())[1:]
            ),
            method=inspect.unwrap(method),
            client_class=client_class,
            **further,
        )

    async def call(self, client: object, arguments: Mapping[str, object]) -> Result:
        """Check the arguments, call the method, and have its result name where it came from.

        Raises:
            BiofactError: unknown, missing or malformed arguments, and whatever the method raises.
        """
        reading = self._read(arguments)
        with call.opened() as current:
            try:
                result = self.result(await self._answer(client, reading.values))
            except BiofactError as error:
                raise call_errors.call_failure(self._tool(), error, reading, arguments)  # noqa: B904  # the same, with its cause
            return result.signed(
                current.provenance(), current.notices, ClientMethod(self.client_class, self.ref.method)
            )

    async def _answer(self, client: object, values: Mapping[str, Any]) -> Any:
        """What the method answers; a record that its own ID does not fit is the service's nonsense."""
        try:
            return await self.method(client, **values)
        except ValidationError as error:
            if failure := unusable(self.client_class.title, error):
                raise failure from error
            raise

    def result(self, answer: Any) -> Result:
        """What the method answered, as a result."""
        return cast(Result, answer)

    def checked(self, arguments: Mapping[str, object]) -> dict[str, Any]:
        """The arguments, converted; refuses with what a machine can do about it.

        Raises:
            UnresolvedEntity: an ID is not of the form asked for (reported first: no other repair helps without it).
            AmbiguousQuery: an argument is unknown, missing or out of range.
        """
        return self._read(arguments).values

    def _read(self, written: Mapping[str, object]) -> CallArguments:
        reading = arguments.read(self.ref, self.parameters, written)
        if reading.faults:
            raise call_errors.invalid_arguments(self._tool(), reading, written)
        return reading

    def _tool(self) -> call_errors.DeclaredTool:
        return call_errors.DeclaredTool(self.ref, self.parameters, self._beside)

    def _beside(self, ref: ToolRef) -> call_errors.DeclaredTool | None:
        """Another tool of the same client."""
        if ref.source != self.ref.source or ref.method not in marked(self.client_class, _MARK):
            return None
        return spec_of(self.client_class, ref.method)._tool()  # noqa: SLF001  # another of ours


@dataclass(frozen=True, slots=True)
class ToolSpec(Declaration):
    """What a tool method declares."""

    is_tool: ClassVar[bool] = True
    returns: type[Result]
    """With whole records, where it has a slim form too."""
    asks_services: bool
    """False where the answer is worked out here."""


@overload
def tool(method: Method) -> Method: ...


@overload
def tool(*, asks_services: bool = True, title: str = "") -> Callable[[Method], Method]: ...


def tool(
    method: Method | None = None, *, asks_services: bool = True, title: str = ""
) -> Method | Callable[[Method], Method]:
    """Mark an async client method as a tool. Its result names where it came from.

    Arguments are checked for library users too; the first docstring paragraph is what an agent reads. One that is
    answered without asking a service says so: ``@tool(asks_services=False)``. ``title`` is for people, where the words
    of the name are none.
    """
    mark = functools.partial(_marked, asks_services=asks_services, title=title)
    return mark if method is None else mark(method)


def _marked(method: Method, **declared: object) -> Method:
    signature = inspect.signature(method)  # read once: binding is quick, reading takes longer than a kept answer

    @functools.wraps(method)
    async def called(client: object, *args: object, **kwargs: object) -> Result:
        named, duplicates = _named(signature, kwargs)
        arguments = given(signature.bind(client, *args, **named))
        return await spec_of(type(client), method.__name__).call(client, {**arguments, **duplicates})

    called.__dict__[_MARK] = declared
    return cast("Method", called)


def given(bound: inspect.BoundArguments) -> dict[str, object]:
    """The arguments of a call of a method, without the client that it is a method of."""
    _, *arguments = bound.arguments.items()
    return dict(arguments)


def _named(signature: inspect.Signature, keywords: Mapping[str, Any]) -> tuple[dict[str, Any], dict[str, Any]]:
    """Keywords by the names of the signature, other names of one idea among them; and what is there under both."""
    named, duplicates = {}, {}
    for name, value in keywords.items():
        own = next((other for other in aliases(name) if other in signature.parameters), name)
        if name in signature.parameters or own == name:
            named[name] = value
        elif own in keywords or own in named:
            duplicates[name] = value
        else:
            named[own] = value
    return named, duplicates


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
    method = getattr(client_class, name)
    returns = get_type_hints(method)["return"]
    whole, *_ = get_args(returns) if isinstance(returns, UnionType) else (returns,)  # its slim form stands behind it
    return ToolSpec.of(client_class, name, returns=whole, **getattr(method, _MARK))
