"""Errors of a call as its caller gets them: the code, every fault, what they wrote, the one call that helps."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from pydantic_core import to_json

from biofact.core import argument_faults
from biofact.core.arguments import CallArguments, bare, by_name, is_readable, named, read
from biofact.core.coercion import parsed, plain
from biofact.core.errors import AmbiguousQuery, BiofactError, CallTool, Recovery, ToolRef
from biofact.core.parameters import Parameter
from biofact.core.quoting import brief

_LONGEST_RECOVERY = 1000
"""Characters of its arguments: what is longer is a list that the caller has already."""
_WRAPPERS = frozenset({"arguments", "args", "kwargs", "input", "params", "parameters", "toolinput"})
"""Names under which agents' frameworks put all arguments of a call."""


@dataclass(frozen=True, slots=True)
class DeclaredTool:
    """A tool with its parameters, and those beside it."""

    ref: ToolRef
    parameters: Sequence[Parameter]
    beside: Callable[[ToolRef], "DeclaredTool | None"]
    """Another tool of the same source; None where there is none."""


def invalid_arguments(tool: DeclaredTool, reading: CallArguments, arguments: Mapping[str, object]) -> BiofactError:
    """The error for a call that is not made, with everything that is wrong with its arguments.

    The error of an ID comes first: no other repair helps without it.
    """
    first = next((fault for fault in reading.faults if fault.error is not None), None)
    others = [fault for fault in reading.faults if fault is not first]
    if first is None or first.error is None:
        message, hint = argument_faults.sentences(reading.faults)
        recovery = _again(tool, reading, arguments)
        return AmbiguousQuery(message, hint=hint, invalid_input=_wrong(reading, arguments), recovery=recovery)
    message, hint = argument_faults.sentences(others)
    return first.error.with_changes(
        message=f"{first.message} {message}".strip(),
        hint=f"{first.hint} {hint}".strip(),
        invalid_input=arguments[first.name],
        recovery=_short(_elsewhere(tool, first.error.recovery, reading)),
    )


def call_failure(
    tool: DeclaredTool, error: BiofactError, reading: CallArguments, arguments: Mapping[str, object]
) -> BiofactError:
    """A failure of the call itself, with what the caller wrote, and a recovery that asks no wider question.

    The same failure may be on its way to other callers: it stays as it is.
    """
    invalid_input = _as_written(tool, error, reading, arguments)
    recovery = _short(_narrowed(tool, error, reading))
    if invalid_input is error.invalid_input and recovery is error.recovery:
        return error
    return error.with_changes(invalid_input=invalid_input, recovery=recovery)


def _wrong(reading: CallArguments, arguments: Mapping[str, object]) -> object:
    """What the caller wrote of that which is wrong, the beginning of it where it is long: a value, or several."""
    names = list(dict.fromkeys(fault.name for fault in reading.faults if fault.name))
    if len(names) == 1 and names[0] not in reading.unknown:
        return brief(arguments[names[0]])
    return brief({name: arguments[name] for name in names} if names else dict(arguments))


def _again(tool: DeclaredTool, reading: CallArguments, arguments: Mapping[str, object]) -> Recovery | None:
    """The same call without what is wrong with it; None where it would be another question, or carry a list back."""
    renamed = _renamed(tool, reading, arguments)
    if renamed is None:
        return None
    good = {name: reading.inputs[name] for name in reading.values}
    found = {**good, **reading.corrections, **renamed}
    is_whole = all(parameter.name in found for parameter in tool.parameters if parameter.is_required)
    is_wider = any(p.narrows and p.name in reading.inputs and p.name not in found for p in tool.parameters)
    carries_list = any(p.name in good and _is_list_of_records(p, reading) for p in tool.parameters)
    return _short(CallTool(tool.ref, found)) if is_whole and not (is_wider or carries_list) else None


def _renamed(tool: DeclaredTool, reading: CallArguments, arguments: Mapping[str, object]) -> dict[str, object] | None:
    """What is given under names that are none, under those that are meant; None where that is not clear."""
    if len(arguments) == 1 and (inner := _unwrapped(arguments)) is not None:
        content = read(tool.ref, tool.parameters, inner)
        return None if content.faults else dict(content.inputs)
    found: dict[str, object] = {}
    known = {parameter.name: parameter for parameter in tool.parameters}
    for name, value in reading.unknown.items():
        meant = argument_faults.near(name, known)
        if meant is None or meant in reading.inputs or not is_readable(tool.ref, known[meant], value):
            return None
        found[meant] = plain(value)
    return found


def _unwrapped(arguments: Mapping[str, object]) -> Mapping[str, object] | None:
    """The arguments within one that frameworks wrap them in."""
    ((name, value),) = arguments.items()
    content = parsed(value, {"object"})
    return content if bare(name) in _WRAPPERS and isinstance(content, Mapping) else None


def _is_list_of_records(parameter: Parameter, reading: CallArguments) -> bool:
    value = reading.values.get(parameter.name)
    return isinstance(value, list) and (parameter.is_as_written or parameter.id_kind is not None)


def _elsewhere(tool: DeclaredTool, recovery: Recovery | None, reading: CallArguments) -> Recovery | None:
    """The call that leads to an ID, with what was given here and belongs there; None where it has no place there."""
    if not isinstance(recovery, CallTool) or not reading.unknown:
        return recovery
    other = tool.beside(recovery.tool)
    known = by_name(other.parameters) if other else {}
    found = dict(recovery.arguments)
    for name, value in reading.unknown.items():
        parameter = named(name, known)
        if parameter is None or parameter.name in found or not is_readable(recovery.tool, parameter, value):
            return None
        found[parameter.name] = plain(value)
    return CallTool(recovery.tool, found)


def _narrowed(tool: DeclaredTool, error: BiofactError, reading: CallArguments) -> Recovery | None:
    """The recovery of a failure, with the arguments that narrow the question; None where one of them is to blame."""
    recovery = error.recovery
    if not isinstance(recovery, CallTool):
        return recovery
    other = tool if recovery.tool == tool.ref else tool.beside(recovery.tool)
    known = by_name(other.parameters) if other else {}
    added = {}
    for parameter in tool.parameters:
        there = known.get(parameter.name)
        if not parameter.narrows or parameter.name not in reading.values or there is None:
            continue
        if there.name not in recovery.arguments:
            added[there.name] = reading.inputs[parameter.name]
            if error.invalid_input in (reading.inputs[parameter.name], reading.values[parameter.name]):
                return None
    return CallTool(recovery.tool, {**recovery.arguments, **added}) if added else recovery


def _short(recovery: Recovery | None) -> Recovery | None:
    if not isinstance(recovery, CallTool):
        return recovery
    length = sum(len(to_json(value, fallback=str, inf_nan_mode="constants")) for value in recovery.arguments.values())
    return recovery if length <= _LONGEST_RECOVERY else None


def _as_written(
    tool: DeclaredTool, error: BiofactError, reading: CallArguments, arguments: Mapping[str, object]
) -> object:
    """What the caller wrote that failed: of an argument as we converted it, and where the failure names none."""
    value = error.invalid_input
    if value is None and not isinstance(error, AmbiguousQuery):
        required = [parameter.name for parameter in tool.parameters if parameter.is_required]
        return arguments[reading.names[required[0]]] if len(required) == 1 else dict(arguments)
    given = (arguments[reading.names[name]] for name, converted in reading.values.items() if converted is value)
    return next(given, value)
