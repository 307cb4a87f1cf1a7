"""``@resource``: marks a client method whose answer is a text or file under a URI, and reads what it declares.

The same declaration gives the MCP resource or resource template, the CLI command and the docs page.
"""

import functools
import inspect
import re
from collections.abc import Callable, Coroutine
from dataclasses import dataclass
from typing import Any, Concatenate, ParamSpec, TypeVar, cast

from pydantic import Field

from biofact.core.provenance import Result
from biofact.core.tool import Declaration, given, marked

P = ParamSpec("P")
R = TypeVar("R", str, bytes)
C = TypeVar("C")

_MARK = "biofact_resource"
_URI = re.compile(r"[a-z][a-z0-9+.-]*://(?:[\w.~:@+,;=-]|/(?!/)|\{\w+\})+", re.ASCII)  # no escapes, so one spelling
_PLACE = re.compile(r"\{(\w+)\}")


class ResourceContent(Result):
    """What a resource holds. On the wire the content stands for itself, and the rest beside it."""

    content: str | bytes = Field(exclude=True)


@dataclass(frozen=True, slots=True)
class ResourceSpec(Declaration):
    """What a resource method declares. With parameters it is a template: one resource for each ID."""

    uri: str
    """Where it is read; each parameter stands in it as ``{chembl_id}``."""
    mime_type: str

    def result(self, answer: Any) -> ResourceContent:
        """What the method answered, as what the resource holds."""
        return ResourceContent(content=answer)


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

    def declared(
        method: Callable[Concatenate[C, P], Coroutine[Any, Any, R]],
    ) -> Callable[Concatenate[C, P], Coroutine[Any, Any, R]]:
        signature = inspect.signature(method)
        _check(uri, method.__qualname__, signature)

        @functools.wraps(method)
        async def called(client: C, *args: P.args, **kwargs: P.kwargs) -> R:
            arguments = given(signature.bind(client, *args, **kwargs))
            reading = await resource_of(type(client), method.__name__).call(client, arguments)
            return cast(R, cast(ResourceContent, reading).content)

        called.__dict__[_MARK] = {"uri": uri, "mime_type": mime_type, "title": title}
        return cast("Callable[Concatenate[C, P], Coroutine[Any, Any, R]]", called)

    return declared


def resources_of(client_class: type) -> tuple[ResourceSpec, ...]:
    """The resources of a client class, in the order it defines them."""
    return tuple(resource_of(client_class, name) for name in marked(client_class, _MARK))


def resource_of(client_class: type, name: str) -> ResourceSpec:
    """What one resource method of a client class declares."""
    return _read(cast("Any", client_class), name)


@functools.cache
def _read(client_class: Any, name: str) -> ResourceSpec:
    return ResourceSpec.of(client_class, name, **getattr(getattr(client_class, name), _MARK))


def _check(uri: str, method: str, signature: inspect.Signature) -> None:
    """Refuse, when the source is imported, a URI under which the method could not be read."""
    if not _URI.fullmatch(uri):
        raise ValueError(f"{uri!r} of {method} is no URI; expected a form like 'source://kind/{{id}}/name.svg'.")
    _, *parameters = signature.parameters.values()
    if any(parameter.default is not inspect.Parameter.empty for parameter in parameters):
        raise ValueError(f"{method} has an optional parameter; a URI has room for required ones only.")
    if sorted(_PLACE.findall(uri)) != sorted(parameter.name for parameter in parameters):
        raise ValueError(f"{uri!r} has to hold each parameter of {method} once, and nothing else in braces.")
