"""Arguments of a call: read as hosts write them, checked one by one; and the error for those that do not pass.

Hosts write texts of JSON, nulls and other spellings of names. These are converted here, and the types refuse the rest.
An error has the code, every fault, the caller's input, and the one call that helps.
"""

import math
import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import islice
from typing import Any

from pydantic import BaseModel, ValidationError
from pydantic_core import from_json, to_json

from biofact.core.errors import AmbiguousQuery, BiofactError, CallTool, Recovery, ToolRef
from biofact.core.identifiers import LONGEST_TEXT, IdKind
from biofact.core.json_schema import Schema, options
from biofact.core.parameters import (
    BATCH_LIMIT,
    ArgumentFault,
    Parameter,
    expected_form,
    faults_of_value,
    message_and_hint,
    nearest_name,
    values_schema,
)
from biofact.core.quoting import brief, quoted

_PARTS_OF_TEXT = re.compile(r"[^\s,;\[\]\"']+")
DEEPEST = 64
"""Levels of lists and objects in an argument; readers of JSON stop at about 200."""
MOST_NAMES, MOST_NAME_CHARACTERS = 100, 10_000
"""Names of arguments in a call, and their characters together; no tool declares more than some twenty."""
MOST_KEYS, MOST_KEY_CHARACTERS = 1000, 100_000
"""Names and list items in an argument, and characters of the names together. Rows of an earlier step may be more."""
NOT_GIVEN: Any = object()
"""Stands for an empty value: null, an empty text, a list or object of these alone."""
_EMPTY_TEXTS = frozenset({"", "null", "none"})
"""Texts of hosts for an absent optional argument."""
_INTEGER_BITS, _FLOAT_BITS = 64, 1024
_LONGEST_EMPTY_TEXT = max(map(len, _EMPTY_TEXTS))
_NESTED = {"array": list, "object": dict}
_LONGEST_RECOVERY = 1000
"""Characters of a recovery's arguments: longer ones are a list that the caller has already."""
_WRAPPERS = frozenset({"arguments", "args", "kwargs", "input", "params", "parameters", "toolinput"})
"""Names under which agents' frameworks put all arguments of a call."""


@dataclass(slots=True)
class CallArguments:
    """The arguments of one call, sorted by parameter, with their faults."""

    values: dict[str, Any] = field(default_factory=dict)
    """Converted values by parameter; an omitted argument has no entry."""
    inputs: dict[str, object] = field(default_factory=dict)
    """Values in JSON's terms by parameter, valid or not."""
    names: dict[str, str] = field(default_factory=dict)
    """The name that the caller gave, by parameter."""
    unknown: dict[str, object] = field(default_factory=dict)
    """Values by names that belong to no parameter."""
    conflicts: set[str] = field(default_factory=set)
    """Parameters with two values under two names."""
    corrections: dict[str, object] = field(default_factory=dict)
    """Values that a recovery gives in place of refused ones."""
    faults: list[ArgumentFault] = field(default_factory=list)
    is_complete: bool = True
    """Whether every argument was read; none is where there are too many."""


def parameters_by_name(parameters: Sequence[Parameter]) -> dict[str, Parameter]:
    """The parameters by all the names that they are taken by."""
    by_alias = {alias: parameter for parameter in parameters for alias in parameter.aliases}
    return by_alias | {parameter.name: parameter for parameter in parameters}


def parameter_named(name: str, parameters: Mapping[str, Parameter]) -> Parameter | None:
    """The parameter that a caller means, in any spelling of the name: ``pageSize`` is ``page_size``."""
    if name in parameters:
        return parameters[name]
    bare = normalised_name(name)
    return next((parameter for other, parameter in parameters.items() if bare and normalised_name(other) == bare), None)


def read_arguments(tool: ToolRef, parameters: Sequence[Parameter], arguments: Mapping[str, object]) -> CallArguments:
    """The arguments by parameter; ``faults`` has everything that is wrong with them."""
    if _are_too_many(arguments, MOST_NAMES, MOST_NAME_CHARACTERS):
        limits = f"{MOST_NAMES} names of {MOST_NAME_CHARACTERS:,} characters together"
        names = ", ".join(parameter.name for parameter in parameters)
        message = f"The arguments of {tool} are too many, or their names too long: a call has at most {limits}."
        return CallArguments(faults=[ArgumentFault("", message, f"Its arguments are {names}.")], is_complete=False)
    parsed = CallArguments()
    by_name = {parameter.name: parameter for parameter in parameters}
    for name, value in arguments.items():
        # on the exact name nothing else is worked out: most calls have no other
        if (parameter := by_name.get(name) or parameter_named(name, parameters_by_name(parameters))) is None:
            parsed.unknown[name] = value
        else:
            _add_argument(tool, parsed, parameter, name, value)
    parsed.faults += [_unknown(tool, name, parameters) for name in parsed.unknown]
    for parameter in parameters:
        if parameter.name in parsed.conflicts:
            continue
        if parameter.name in parsed.inputs:
            _read_argument(tool, parsed, parameter)
        elif parameter.is_required:
            parsed.faults.append(_missing(tool, parameter))
    return parsed


def is_readable(tool: ToolRef, parameter: Parameter, value: object) -> bool:
    """Whether a tool takes this value of one argument."""
    parsed = CallArguments()
    _add_argument(tool, parsed, parameter, parameter.name, value)
    _read_argument(tool, parsed, parameter)
    return parameter.name in parsed.values


def _add_argument(tool: ToolRef, parsed: CallArguments, parameter: Parameter, name: str, value: object) -> None:
    """Add a value; two values of one parameter have to be equal."""
    if parameter.name not in parsed.inputs or is_blank(parsed.inputs[parameter.name]):
        parsed.inputs[parameter.name], parsed.names[parameter.name] = value, name
    elif not is_blank(value) and not _are_same(value, parsed.inputs[parameter.name]):
        parsed.conflicts.add(parameter.name)
        other, first = parsed.names[parameter.name], parsed.inputs[parameter.name]
        message = (
            f"Arguments {other!r} and {name!r} of {tool} mean the same but differ: {quoted(first)} and {quoted(value)}."
        )
        parsed.faults.append(ArgumentFault(name, message, f"Give {parameter.name} alone."))


def _are_same(value: object, other: object) -> bool:
    """Whether two values are equal, or written alike: 5 and "5"."""
    are_scalars = isinstance(value, str | int | float) and isinstance(other, str | int | float)
    return value == other or (are_scalars and str(value) == str(other))


def _read_argument(tool: ToolRef, parsed: CallArguments, parameter: Parameter) -> None:
    name, value = parsed.names[parameter.name], parsed.inputs[parameter.name]
    try:
        parsed.inputs[parameter.name] = value = _cleaned(parameter, value)
        if value is NOT_GIVEN:
            del parsed.inputs[parameter.name]
        else:
            parsed.values[parameter.name] = _converted(tool, parameter, value)
    except ValidationError as error:
        parsed.faults += faults_of_value(tool, name, parameter, value, error)
        parsed.corrections |= _split_list(parameter, value)
    except TooDeep:
        message = f"Argument {name!r} of {tool} is nested more than {DEEPEST} levels deep."
        parsed.faults.append(ArgumentFault(name, message, f"Give {name} as {expected_form(parameter)}."))
    except TooManyKeys:
        limits = f"{MOST_KEYS:,} names and items, and names of {MOST_KEY_CHARACTERS:,} characters together"
        message = f"Argument {name!r} of {tool} has too many names or items, or too long names."
        parsed.faults.append(ArgumentFault(name, message, f"Give {name} with at most {limits}."))
    except _NoList as error:
        parsed.faults.append(error.fault)
        parsed.corrections |= error.corrections
    except BiofactError as error:
        parsed.faults.append(ArgumentFault(name, error.message, error.hint, error))


def _cleaned(parameter: Parameter, value: object) -> Any:
    """The value in JSON's terms; ``NOT_GIVEN`` for an empty one of an optional argument."""
    _check_keys(parameter, value)
    if parameter.id_kind is None:  # an ID fails in its place, as it was written
        value = json_terms(value)
    if parameter.is_nested:
        schema = values_schema(parameter)
        definitions = schema.get("$defs", {})
        if parameter.is_as_written or parameter.id_kind:  # its parts stay as they are
            value = parsed_json(value, {option.get("type") for option in options([schema], definitions)})
        else:
            value = _coerced(value, [schema], definitions)
        _check_keys(parameter, value)
    if parameter.is_required:
        return {} if value is NOT_GIVEN else value
    return NOT_GIVEN if is_unset(value) else value


def _converted(tool: ToolRef, parameter: Parameter, value: Any) -> Any:
    kind = parameter.id_kind
    if kind is None:
        return parameter.check.validate_python(value)
    return _ids(tool, parameter, kind, value) if parameter.is_list else kind.check(value)


def _split_list(parameter: Parameter, value: object) -> dict[str, object]:
    """The list in a text, where the parameter takes certain words only; free words may be one item or several."""
    schema = values_schema(parameter)
    lists = (option["items"] for option in options([schema], schema.get("$defs", {})) if "items" in option)
    allowed = {word for items in lists for word in items.get("enum", ())}
    words = _PARTS_OF_TEXT.findall(value) if allowed and isinstance(value, str) and len(value) <= LONGEST_TEXT else []
    return {parameter.name: words} if words and allowed.issuperset(words) else {}


class _NoList(Exception):
    """A value that is no list of IDs, with the list that is probably meant."""

    def __init__(self, fault: ArgumentFault, corrections: Mapping[str, object]) -> None:
        super().__init__(fault.message)
        self.fault = fault
        self.corrections = corrections


def _ids(tool: ToolRef, parameter: Parameter, kind: IdKind, value: object) -> list[object]:
    """IDs of a batch, not yet checked: a malformed one fails alone, in its place."""
    if isinstance(value, list | tuple) and 1 <= len(value) <= BATCH_LIMIT:
        return list(value)
    corrections: dict[str, object] = {}
    if isinstance(value, str):
        parts = [match[0] for match in islice(_PARTS_OF_TEXT.finditer(value), BATCH_LIMIT + 1)] or [value]
        if len(parts) <= BATCH_LIMIT:  # of more, none is looked at
            corrections = {parameter.name: [_checked_id(kind, part, value) for part in parts]}
    count = f"{len(value)}" if isinstance(value, list) else quoted(value)
    message = f"Argument {parameter.name!r} of {tool} takes 1 to {BATCH_LIMIT} IDs in a list, not {count}."
    hint = f"Give {parameter.name} as {expected_form(parameter)}; split longer lists into several calls."
    raise _NoList(ArgumentFault(parameter.name, message, hint), corrections)


def _checked_id(kind: IdKind, part: str, value: str) -> str:
    """One ID of several in a text; a text that holds anything else is refused as it is."""
    try:
        return kind.check(part)
    except BiofactError:
        return kind.check(value)


def _unknown(tool: ToolRef, name: str, parameters: Sequence[Parameter]) -> ArgumentFault:
    names = [parameter.name for parameter in parameters]
    nearest = nearest_name(name, names)
    suggestion = f"Is {nearest!r} meant? " if nearest else ""
    hint = f"{suggestion}Its arguments are {', '.join(names)}."
    return ArgumentFault(name, f"{tool} has no argument {quoted(name)}.", hint)


def _missing(tool: ToolRef, parameter: Parameter) -> ArgumentFault:
    message = f"{tool} needs the argument {parameter.name!r}."
    return ArgumentFault("", message, f"Give {parameter.name} as {expected_form(parameter)}.")


def normalised_name(name: str) -> str:
    """A name in lower case without signs, in which its spellings differ."""
    return re.sub(r"[\W_]+", "", name).lower()


class TooDeep(ValueError):
    """Lists and objects within each other beyond ``DEEPEST``."""


class TooManyKeys(ValueError):
    """More names and items than ``MOST_KEYS``, or longer names than ``MOST_KEY_CHARACTERS`` together."""


def _are_too_many(names: Iterable[object], most: int, most_characters: int) -> bool:
    """Whether there are more names, or longer ones together; reads none beyond the limits."""
    count = characters = 0
    for name in names:
        count, characters = count + 1, characters + (len(name) if isinstance(name, str) else 1)
        if count > most or characters > most_characters:
            return True
    return False


def _check_keys(parameter: Parameter, value: object) -> None:
    """Refuse too many names and items, however deep. Rows in a list are an earlier step's, and IDs have a limit.

    Raises:
        TooManyKeys: there are too many.
    """
    is_limited = isinstance(value, list | tuple) and not parameter.is_as_written and parameter.id_kind is None
    if (is_limited or isinstance(value, Mapping)) and _are_too_many(_keys(value), MOST_KEYS, MOST_KEY_CHARACTERS):
        raise TooManyKeys


def _keys(value: object) -> Iterator[object]:
    """The names and list places in a value and in all that is in it, the outer ones first."""
    parts = [value]
    while parts:
        match parts.pop():
            case Mapping() as holder:
                yield from holder
                parts += holder.values()
            case list() | tuple() as items:
                yield from range(len(items))
                parts += items


def json_terms(value: object, depth: int = 0) -> Any:
    """``value`` in JSON's terms: our own records are objects, half a character (a lone surrogate) is none, and whole
    numbers beyond 64 bits are as near as those with a fraction come.

    Raises:
        TooDeep: it is nested more than 64 levels deep.
        TooManyKeys: an object in it has more names than ``MOST_KEYS``.
    """
    match value:
        case str():
            return _without_surrogates(value)
        case int() if value.bit_length() >= _INTEGER_BITS:
            return float(value) if value.bit_length() < _FLOAT_BITS else math.inf * (1 if value > 0 else -1)
        case BaseModel():
            return json_terms(value.model_dump(by_alias=True), depth)
        case Mapping() | list() | tuple() if depth >= DEEPEST:
            raise TooDeep
        case Mapping() if _are_too_many(value, MOST_KEYS, MOST_KEY_CHARACTERS):
            raise TooManyKeys
        case Mapping():
            items = ((json_terms(name) if isinstance(name, str) else name, item) for name, item in value.items())
            return {name: json_terms(item, depth + 1) for name, item in items}
        case list() | tuple():
            return [json_terms(item, depth + 1) for item in value]
    return value


def parsed_json(value: Any, kinds: set[Any]) -> Any:
    """The JSON value of a text, if it is of one of these kinds; else the text."""
    due = tuple(_NESTED[kind] for kind in kinds if kind in _NESTED)
    if not (isinstance(value, str) and due) or not value.lstrip().startswith(("[", "{")):
        return value
    try:
        content = json_terms(from_json(_without_surrogates(value), allow_inf_nan=False))
    except ValueError:
        return value
    return content if isinstance(content, due) else value


def is_unset(value: object) -> bool:
    """Whether the value of an optional argument counts as absent: null, "", "null" or "None"."""
    if isinstance(value, str):
        return len(value) <= _LONGEST_EMPTY_TEXT and value.lower() in _EMPTY_TEXTS
    return value is None or value is NOT_GIVEN


def _coerced(value: Any, schemas: list[Schema], definitions: Mapping[str, Schema]) -> Any:
    """``value`` with the JSON in its texts read where lists or objects are due, and without empty parts.

    An object loses optional parts that are null or empty, a list such entries; ``NOT_GIVEN`` where nothing is left.
    """
    choices = options(schemas, definitions)
    value = parsed_json(value, {option.get("type") for option in choices})
    if isinstance(value, dict):
        return _coerced_object(value, choices, definitions)
    if isinstance(value, list):
        items = [option["items"] for option in choices if "items" in option]
        parts = [part for part in (_coerced(item, items, definitions) for item in value) if not is_blank(part)]
        return parts if parts or not value else NOT_GIVEN
    return value


def _coerced_object(value: dict[Any, Any], choices: list[Schema], definitions: Mapping[str, Schema]) -> Any:
    """An object without its optional parts that are empty. The names in a mapping are the caller's: all stay."""
    parts = {}
    for name, raw in value.items():
        property_schemas = [option["properties"][name] for option in choices if name in option.get("properties", {})]
        values = [
            option["additionalProperties"] for option in choices if isinstance(option.get("additionalProperties"), dict)
        ]
        part = _coerced(raw, property_schemas or values, definitions)
        is_optional = not values and not any(name in option.get("required", ()) for option in choices)
        if not (is_optional and is_blank(part)):
            parts[name] = raw if part is NOT_GIVEN else part
    return parts if parts or not value else NOT_GIVEN


def is_blank(value: object) -> bool:
    """Whether it is null, an empty text, or ``NOT_GIVEN``."""
    return value is None or value is NOT_GIVEN or value == ""


def _without_surrogates(text: str) -> str:
    """``text`` with a mark in place of half a character, which nothing that writes UTF-8 could send on."""
    if text.isascii():
        return text
    return text.encode("utf-16", "surrogatepass").decode("utf-16", "replace")


@dataclass(frozen=True, slots=True)
class DeclaredTool:
    """A tool with its parameters, and the other tools of its source."""

    ref: ToolRef
    parameters: Sequence[Parameter]
    sibling: Callable[[ToolRef], "DeclaredTool | None"]
    """Another tool of the same source; None where there is none."""


def invalid_arguments_error(tool: DeclaredTool, parsed: CallArguments, arguments: Mapping[str, object]) -> BiofactError:
    """The error for a call that is not made, with everything that is wrong with its arguments.

    The error of an ID comes first: no other repair helps without it.
    """
    first = next((fault for fault in parsed.faults if fault.error is not None), None)
    further_faults = [fault for fault in parsed.faults if fault is not first]
    if first is None or first.error is None:
        message, hint = message_and_hint(parsed.faults)
        recovery = _corrected_call(tool, parsed, arguments)
        return AmbiguousQuery(message, hint=hint, invalid_input=_invalid_input(parsed, arguments), recovery=recovery)
    message, hint = message_and_hint(further_faults)
    return first.error.with_changes(
        message=f"{first.message} {message}".strip(),
        hint=f"{first.hint} {hint}".strip(),
        invalid_input=arguments[first.name],
        recovery=_within_length(_search_recovery(tool, first.error.recovery, parsed)),
    )


def call_failure(
    tool: DeclaredTool, error: BiofactError, parsed: CallArguments, arguments: Mapping[str, object]
) -> BiofactError:
    """A failure of the call itself, with what the caller wrote, and a recovery that asks no wider question.

    The same failure may be on its way to other callers: it stays as it is.
    """
    invalid_input = _failed_input(tool, error, parsed, arguments)
    recovery = _within_length(_narrowed_recovery(tool, error, parsed))
    if invalid_input is error.invalid_input and recovery is error.recovery:
        return error
    return error.with_changes(invalid_input=invalid_input, recovery=recovery)


def _invalid_input(parsed: CallArguments, arguments: Mapping[str, object]) -> object:
    """The faulty value as the caller wrote it, or several by name; of a long one its beginning."""
    names = list(dict.fromkeys(fault.name for fault in parsed.faults if fault.name))
    if len(names) == 1 and names[0] not in parsed.unknown:
        return brief(arguments[names[0]])
    return brief({name: arguments[name] for name in names} if names else dict(arguments))


def _corrected_call(tool: DeclaredTool, parsed: CallArguments, arguments: Mapping[str, object]) -> Recovery | None:
    """The same call without what is wrong with it; None where it would be another question, or carry a list back."""
    if not parsed.is_complete:
        return None
    unknown_by_parameter = _renamed_arguments(tool, parsed, arguments)
    if unknown_by_parameter is None:
        return None
    good = {name: parsed.inputs[name] for name in parsed.values}
    corrected = {**good, **parsed.corrections, **unknown_by_parameter}
    is_whole = all(parameter.name in corrected for parameter in tool.parameters if parameter.is_required)
    is_wider = any(p.narrows and p.name in parsed.inputs and p.name not in corrected for p in tool.parameters)
    carries_list = any(p.name in good and _is_list_of_records(p, parsed) for p in tool.parameters)
    return _within_length(CallTool(tool.ref, corrected)) if is_whole and not (is_wider or carries_list) else None


def _renamed_arguments(
    tool: DeclaredTool, parsed: CallArguments, arguments: Mapping[str, object]
) -> dict[str, object] | None:
    """The values of unknown names by the names that are probably meant; None where that is not clear."""
    if len(arguments) == 1 and (inner := _unwrapped(arguments)) is not None:
        content = read_arguments(tool.ref, tool.parameters, inner)
        return None if content.faults else dict(content.inputs)
    by_parameter: dict[str, object] = {}
    parameters = {parameter.name: parameter for parameter in tool.parameters}
    for name, value in parsed.unknown.items():
        nearest = nearest_name(name, parameters)
        if nearest is None or nearest in parsed.inputs or not is_readable(tool.ref, parameters[nearest], value):
            return None
        by_parameter[nearest] = json_terms(value)
    return by_parameter


def _unwrapped(arguments: Mapping[str, object]) -> Mapping[str, object] | None:
    """The arguments within one that frameworks wrap them in."""
    ((name, value),) = arguments.items()
    content = parsed_json(value, {"object"})
    return content if normalised_name(name) in _WRAPPERS and isinstance(content, Mapping) else None


def _is_list_of_records(parameter: Parameter, parsed: CallArguments) -> bool:
    value = parsed.values.get(parameter.name)
    return isinstance(value, list) and (parameter.is_as_written or parameter.id_kind is not None)


def _search_recovery(tool: DeclaredTool, recovery: Recovery | None, parsed: CallArguments) -> Recovery | None:
    """The search that leads to an ID, with those unknown arguments that it takes; None where it refuses one of them."""
    if not isinstance(recovery, CallTool) or not parsed.unknown:
        return recovery
    other = tool.sibling(recovery.tool)
    parameters = parameters_by_name(other.parameters) if other else {}
    arguments = dict(recovery.arguments)
    for name, value in parsed.unknown.items():
        parameter = parameter_named(name, parameters)
        if parameter is None or parameter.name in arguments or not is_readable(recovery.tool, parameter, value):
            return None
        arguments[parameter.name] = json_terms(value)
    return CallTool(recovery.tool, arguments)


def _narrowed_recovery(tool: DeclaredTool, error: BiofactError, parsed: CallArguments) -> Recovery | None:
    """The recovery of a failure, with the arguments that narrow the question; None where one of them is to blame."""
    recovery = error.recovery
    if not isinstance(recovery, CallTool):
        return recovery
    other = tool if recovery.tool == tool.ref else tool.sibling(recovery.tool)
    parameters = parameters_by_name(other.parameters) if other else {}
    added = {}
    for parameter in tool.parameters:
        target = parameters.get(parameter.name)
        if not parameter.narrows or parameter.name not in parsed.values or target is None:
            continue
        if target.name not in recovery.arguments:
            added[target.name] = parsed.inputs[parameter.name]
            if error.invalid_input in (parsed.inputs[parameter.name], parsed.values[parameter.name]):
                return None
    return CallTool(recovery.tool, {**recovery.arguments, **added}) if added else recovery


def _within_length(recovery: Recovery | None) -> Recovery | None:
    if not isinstance(recovery, CallTool):
        return recovery
    length = sum(len(to_json(value, fallback=str, inf_nan_mode="constants")) for value in recovery.arguments.values())
    return recovery if length <= _LONGEST_RECOVERY else None


def _failed_input(
    tool: DeclaredTool, error: BiofactError, parsed: CallArguments, arguments: Mapping[str, object]
) -> object:
    """The input that failed as the caller wrote it, also where the failure has our converted value or names none."""
    value = error.invalid_input
    if value is None and not isinstance(error, AmbiguousQuery):
        required = [parameter.name for parameter in tool.parameters if parameter.is_required]
        return arguments[parsed.names[required[0]]] if len(required) == 1 else dict(arguments)
    originals = (arguments[parsed.names[name]] for name, converted in parsed.values.items() if converted is value)
    return next(originals, value)
