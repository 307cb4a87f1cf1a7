"""``@tool`` and ``@resource`` mark methods of a client that others may call; ``ToolSpec`` and ``ResourceSpec`` are the
declarations of such methods.

A tool is something that an agent may call, a resource a text or file under a URI. The same declaration gives the MCP
schema, the CLI command, the docs page and the checks on arguments, so that they cannot drift apart.
"""

import functools
import inspect
import re
from collections.abc import Callable, Coroutine, Mapping
from dataclasses import dataclass
from types import UnionType
from typing import (
    Any,
    ClassVar,
    Concatenate,
    Literal,
    ParamSpec,
    Self,
    TypeVar,
    cast,
    get_args,
    get_type_hints,
    overload,
)

from pydantic import Field, ValidationError

from biofact.core import call
from biofact.core.arguments import (
    CallArguments,
    DeclaredTool,
    call_failure,
    invalid_arguments_error,
    read_arguments,
)
from biofact.core.errors import BiofactError, ErrorCode, ToolRef
from biofact.core.identifiers import unusable
from biofact.core.parameters import (
    AS_WRITTEN,
    BATCH_LIMIT,
    ENTITY,
    NARROWS,
    CursorText,
    GeneQuery,
    PageSize,
    Parameter,
    Query,
    aliases,
    parameter_of,
    plain_signature,
)
from biofact.core.records import ClientMethod, NoticeCode, Result

__all__ = [
    "AS_WRITTEN",
    "BATCH_LIMIT",
    "ENTITY",
    "NARROWS",
    "CursorText",
    "Declaration",
    "Example",
    "GeneQuery",
    "PageSize",
    "Parameter",
    "Query",
    "ResourceContent",
    "ResourceSpec",
    "ToolSpec",
    "resource",
    "resource_of",
    "resources_of",
    "spec_of",
    "specs_of",
    "title_of",
    "tool",
]

Method = TypeVar("Method", bound=Callable[..., Coroutine[Any, Any, Result]])
P = ParamSpec("P")
R = TypeVar("R", str, bytes)
C = TypeVar("C")

_TOOL_MARK = "is_biofact_tool"
_RESOURCE_MARK = "biofact_resource"
_URI = re.compile(r"[a-z][a-z0-9+.-]*://(?:[\w.~:@+,;=-]|/(?!/)|\{\w+\})+", re.ASCII)  # no escapes, so one spelling
_PLACE = re.compile(r"\{(\w+)\}")


@dataclass(frozen=True, slots=True)
class Declaration:
    """The declaration of a method that others may call: name, words for the agent, parameters."""

    is_tool: ClassVar[bool] = False
    ref: ToolRef
    title: str
    """Replaces the name for people."""
    summary: str
    """First paragraph of the docstring: all that an agent reads."""
    description: str
    """The whole docstring, for the docs page."""
    parameters: tuple[Parameter, ...]
    method: Callable[..., Coroutine[Any, Any, Any]]
    """The method as written, without the checks."""
    client_class: Any

    @classmethod
    def of(cls, client_class: Any, name: str, *, title: str = "", **extra: Any) -> Self:
        """The declaration of a client class's method; ``extra`` is what this kind of declaration adds."""
        method = getattr(client_class, name)
        hints = get_type_hints(method, include_extras=True)
        text = inspect.cleandoc(method.__doc__ or "")
        summary = " ".join(text.split("\n\n", 1)[0].split())
        return cls(
            ref=ToolRef(client_class.source_name, name),
            title=title or title_of(name, client_class.source_name, summary),
            summary=summary,
            description=text,
            parameters=tuple(
                parameter_of(parameter, hints[parameter.name])
                for parameter in list(inspect.signature(method).parameters.values())[1:]
            ),
            method=inspect.unwrap(method),
            client_class=client_class,
            **extra,
        )

    async def call(self, client: object, arguments: Mapping[str, object]) -> Result:
        """Check the arguments, call the method, and have its result name where it came from.

        Raises:
            BiofactError: unknown, missing or malformed arguments, and whatever the method raises.
        """
        parsed = self._read(arguments)
        with call.session(_deadline(client)) as current:
            try:
                result = self.result(await self._answer(client, parsed.values))
            except BiofactError as error:
                raise call_failure(self._tool(), error, parsed, arguments)  # noqa: B904  # the same, with its cause
            question = ClientMethod(self.client_class, self.ref.method, _kept(parsed.inputs))
            return result.signed(current.provenance(), current.notices, question)

    async def _answer(self, client: object, values: Mapping[str, Any]) -> Any:
        """The method's answer; a record whose own ID has another form is the service's nonsense."""
        try:
            return await self.method(client, **values)
        except ValidationError as error:
            if failure := unusable(self.client_class.title, error):
                raise failure from error
            raise

    def result(self, answer: Any) -> Result:
        """The method's answer as a result."""
        return cast(Result, answer)

    def _read(self, arguments: Mapping[str, object]) -> CallArguments:
        parsed = read_arguments(self.ref, self.parameters, arguments)
        if parsed.faults:
            raise invalid_arguments_error(self._tool(), parsed, arguments)
        return parsed

    def _tool(self) -> DeclaredTool:
        return DeclaredTool(self.ref, self.parameters, self._sibling)

    def _sibling(self, ref: ToolRef) -> DeclaredTool | None:
        """Another tool of the same client."""
        if ref.source != self.ref.source or ref.method not in _marked_methods(self.client_class, _TOOL_MARK):
            return None
        return spec_of(self.client_class, ref.method)._tool()  # noqa: SLF001  # another of ours


def _kept(inputs: Mapping[str, object]) -> dict[str, object]:
    """The arguments that a result keeps: copies, as a program may refill its list, and no lists of records."""
    copies = {name: tuple(value) if isinstance(value, list) else value for name, value in inputs.items()}
    return {
        name: value
        for name, value in copies.items()
        if not (isinstance(value, tuple) and any(isinstance(item, Mapping) for item in value))
    }


def _deadline(client: object) -> float | None:
    """The deadline of a call that begins now; None for a client without a transport, which asks no service."""
    transport = getattr(client, "transport", None)
    return None if transport is None else float(transport.timing.deadline())


@dataclass(frozen=True, slots=True)
class ToolSpec(Declaration):
    """The declaration of a tool."""

    is_tool: ClassVar[bool] = True
    returns: type[Result]
    """With whole records, where it has a slim form too."""
    asks_services: bool
    """False where the answer is worked out here."""
    is_heavy: bool
    """Whether it may take more than 10 ms of the processor at a time."""

    @property
    def entities(self) -> Parameter | None:
        """The argument with the IDs or names that its rows are about; None where it asks one question."""
        return next((parameter for parameter in self.parameters if parameter.is_required and parameter.is_entity), None)


@dataclass(frozen=True, slots=True)
class ResourceSpec(Declaration):
    """The declaration of a resource. With parameters it is a template: one resource for each ID."""

    uri: str
    """The address of the resource; each parameter stands in it as ``{chembl_id}``."""
    mime_type: str

    def result(self, answer: Any) -> "ResourceContent":
        """The method's answer as the content of the resource."""
        return ResourceContent(content=answer)


class ResourceContent(Result):
    """The content of a resource. On the wire it stands for itself, and the rest beside it."""

    content: str | bytes = Field(exclude=True)


@dataclass(frozen=True, slots=True)
class Example:
    """One call of a tool and its outcome on the starter facts: docs print it, the conformance suite runs it."""

    tool: str
    """Method of the source's client."""
    arguments: Mapping[str, Any]
    outcome: Literal["found"] | ErrorCode = "found"
    shows: Mapping[str, Any] | None = None
    """Some fields of the answer, or of a list's first item, that the starter facts determine."""
    notices: tuple[NoticeCode, ...] = ()
    """Codes of notices that the answer carries."""
    is_empty: bool = False
    """Whether the list that the call finds has no row."""
    is_from_service: bool = True
    """Whether a service is asked; what is declared here has no provenance."""


@overload
def tool(method: Method) -> Method: ...


@overload
def tool(*, asks_services: bool = True, is_heavy: bool = False, title: str = "") -> Callable[[Method], Method]: ...


def tool(
    method: Method | None = None, *, asks_services: bool = True, is_heavy: bool = False, title: str = ""
) -> Method | Callable[[Method], Method]:
    """Mark an async client method as a tool. Its result names where it came from.

    Arguments are checked for library users too; the first docstring paragraph is all that an agent reads. A tool that
    asks no service is declared by ``@tool(asks_services=False)``, one that may take more than 10 ms of the processor at
    a time by ``is_heavy``: a server answers it in a process of its own. ``title`` replaces the words of the name for
    people.
    """
    mark = functools.partial(_mark_tool, asks_services=asks_services, is_heavy=is_heavy, title=title)
    return mark if method is None else mark(method)


def _mark_tool(method: Method, **options: object) -> Method:
    signature = inspect.signature(method)  # read once: reading takes longer than a cached answer
    bind = _binding(signature)

    @functools.wraps(method)
    async def checked(client: object, *args: object, **kwargs: object) -> Result:
        keywords, duplicates = _canonical_keywords(signature, kwargs)
        arguments = bind(client, args, keywords)
        return await spec_of(type(client), method.__name__).call(client, {**arguments, **duplicates})

    checked.__dict__.update({_TOOL_MARK: options, "__signature__": plain_signature(signature)})
    return cast("Method", checked)


def resource(
    uri: str, mime_type: str, *, title: str = ""
) -> Callable[
    [Callable[Concatenate[C, P], Coroutine[Any, Any, R]]], Callable[Concatenate[C, P], Coroutine[Any, Any, R]]
]:
    """Mark an async client method as a resource: it returns the text or bytes that are read at ``uri``.

    Each parameter of the method stands in the URI, which is the same on every server. Arguments are checked as those
    of tools are, for library users too; the first docstring paragraph is what an agent reads. ``title`` is for people,
    where the method's name is no name of a thing.
    """

    def mark(
        method: Callable[Concatenate[C, P], Coroutine[Any, Any, R]],
    ) -> Callable[Concatenate[C, P], Coroutine[Any, Any, R]]:
        signature = inspect.signature(method)
        _check_uri(uri, method.__qualname__, signature)

        @functools.wraps(method)
        async def checked(client: C, *args: P.args, **kwargs: P.kwargs) -> R:
            arguments = _arguments(signature.bind(client, *args, **kwargs))
            content = await resource_of(type(client), method.__name__).call(client, arguments)
            return cast(R, cast(ResourceContent, content).content)

        resource_mark = {"uri": uri, "mime_type": mime_type, "title": title}
        checked.__dict__.update({_RESOURCE_MARK: resource_mark, "__signature__": plain_signature(signature)})
        return cast("Callable[Concatenate[C, P], Coroutine[Any, Any, R]]", checked)

    return mark


def _check_uri(uri: str, method: str, signature: inspect.Signature) -> None:
    """Refuse, when the source is imported, a URI under which the method could not be read."""
    if not _URI.fullmatch(uri):
        raise ValueError(f"{uri!r} of {method} is no URI; expected a form like 'source://kind/{{id}}/name.svg'.")
    _, *parameters = signature.parameters.values()
    if any(parameter.default is not inspect.Parameter.empty for parameter in parameters):
        raise ValueError(f"{method} has an optional parameter; a URI has room for required ones only.")
    if sorted(_PLACE.findall(uri)) != sorted(parameter.name for parameter in parameters):
        raise ValueError(f"{uri!r} has to hold each parameter of {method} once, and nothing else in braces.")


def _binding(
    signature: inspect.Signature,
) -> Callable[[object, tuple[object, ...], Mapping[str, object]], dict[str, object]]:
    """A function that gives the arguments of a call by name: quicker than ``signature.bind``, which takes a tenth of
    the time of a kept answer, and is left the calls that Python refuses.
    """
    _, *names = signature.parameters
    known = frozenset(names)
    required = {name for name in names if signature.parameters[name].default is inspect.Parameter.empty}

    def bind(client: object, args: tuple[object, ...], keywords: Mapping[str, object]) -> dict[str, object]:
        positional = dict(zip(names, args, strict=False))
        arguments = {**positional, **keywords}
        is_plain = len(arguments) == len(args) + len(keywords) and required <= arguments.keys() <= known
        return arguments if is_plain else _arguments(signature.bind(client, *args, **keywords))

    return bind


def _arguments(bound: inspect.BoundArguments) -> dict[str, object]:
    """The arguments of a call of a method, without the client that it is a method of."""
    _, *arguments = bound.arguments.items()
    return dict(arguments)


def _canonical_keywords(
    signature: inspect.Signature, keywords: Mapping[str, Any]
) -> tuple[dict[str, Any], dict[str, Any]]:
    """Keywords by the names of the signature, other names of one idea among them; and what is there under both."""
    canonical, duplicates = {}, {}
    for name, value in keywords.items():
        declared = next((other for other in aliases(name) if other in signature.parameters), name)
        if name in signature.parameters or declared == name:
            canonical[name] = value
        elif declared in keywords or declared in canonical:
            duplicates[name] = value
        else:
            canonical[declared] = value
    return canonical, duplicates


def specs_of(client_class: type) -> tuple[ToolSpec, ...]:
    """The tools of a client class, in the order it defines them."""
    return tuple(spec_of(client_class, name) for name in _marked_methods(client_class, _TOOL_MARK))


def spec_of(client_class: type, name: str) -> ToolSpec:
    """The declaration of one tool of a client class."""
    return _tool_spec(cast("Any", client_class), name)  # for mypy a class is not hashable


def resources_of(client_class: type) -> tuple[ResourceSpec, ...]:
    """The resources of a client class, in the order it defines them."""
    return tuple(resource_of(client_class, name) for name in _marked_methods(client_class, _RESOURCE_MARK))


def resource_of(client_class: type, name: str) -> ResourceSpec:
    """The declaration of one resource of a client class."""
    return _resource_spec(cast("Any", client_class), name)


def _marked_methods(client_class: type, mark: str) -> tuple[str, ...]:
    """The methods of a client class that carry a mark, in the order it defines them."""
    # bases first: extensions come after their source
    members = [pair for klass in reversed(client_class.__mro__) for pair in vars(klass).items()]
    return tuple(dict.fromkeys(name for name, member in members if hasattr(member, mark)))


@functools.cache
def _tool_spec(client_class: Any, name: str) -> ToolSpec:
    method = getattr(client_class, name)
    returns = get_type_hints(method)["return"]
    whole, *_ = get_args(returns) if isinstance(returns, UnionType) else (returns,)  # its slim form stands behind it
    return ToolSpec.of(client_class, name, returns=whole, **getattr(method, _TOOL_MARK))


@functools.cache
def _resource_spec(client_class: Any, name: str) -> ResourceSpec:
    return ResourceSpec.of(client_class, name, **getattr(getattr(client_class, name), _RESOURCE_MARK))


def title_of(method: str, source: str, text: str) -> str:
    """The title of a method for people, such as ``list PubMed links`` for ``list_pubmed_links``.

    Each word of the name without its source is in the letter case in which ``text`` writes it.
    """
    return " ".join(_in_case(word, text) for word in method.removeprefix(f"{source}_").split("_"))


def _in_case(word: str, text: str) -> str:
    """``PubMed`` for ``pubmed``; a word that only begins with a capital may stand at the beginning of a sentence."""
    spellings = re.findall(rf"\b{word}\b", text, re.IGNORECASE)
    return next((spelling for spelling in spellings if re.search("[A-Z]", spelling[1:])), word)
