"""The arguments of a call, read as hosts write them: names, texts of JSON, what is not given, and every fault."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from pydantic import ValidationError

from biofact.core import argument_faults, coercion
from biofact.core.argument_faults import ArgumentFault
from biofact.core.errors import BiofactError, ToolRef
from biofact.core.identifiers import IdKind
from biofact.core.json_schema import options
from biofact.core.parameters import BATCH_LIMIT, Parameter, values_schema
from biofact.core.quoting import quoted

_PARTS_OF_TEXT = re.compile(r"[^\s,;\[\]\"']+")


@dataclass(slots=True)
class CallArguments:
    """What the arguments of one call say."""

    values: dict[str, Any] = field(default_factory=dict)
    """By parameter, converted; those that are not given are not there."""
    inputs: dict[str, object] = field(default_factory=dict)
    """By parameter, those that are given, good or not, in JSON's terms."""
    names: dict[str, str] = field(default_factory=dict)
    """By parameter, the name that the caller gave it."""
    unknown: dict[str, object] = field(default_factory=dict)
    """What is given under names that are none."""
    conflicts: set[str] = field(default_factory=set)
    """Parameters that are given under two names with two values."""
    corrections: dict[str, object] = field(default_factory=dict)
    """Values that a recovery gives in place of refused ones."""
    faults: list[ArgumentFault] = field(default_factory=list)


def by_name(parameters: Sequence[Parameter]) -> dict[str, Parameter]:
    """The parameters by all the names that they are taken by."""
    known = {alias: parameter for parameter in parameters for alias in parameter.aliases}
    return known | {parameter.name: parameter for parameter in parameters}


def named(name: str, known: Mapping[str, Parameter]) -> Parameter | None:
    """The parameter that a caller means, in any spelling of the name: ``pageSize`` is ``page_size``."""
    if name in known:
        return known[name]
    wanted = bare(name)
    return next((parameter for spelling, parameter in known.items() if wanted and bare(spelling) == wanted), None)


def read(tool: ToolRef, parameters: Sequence[Parameter], arguments: Mapping[str, object]) -> CallArguments:
    """What the arguments say; ``faults`` has everything that is wrong with them."""
    reading = CallArguments()
    own = {parameter.name: parameter for parameter in parameters}
    for name, value in arguments.items():
        if (parameter := own.get(name) or named(name, by_name(parameters))) is None:
            reading.unknown[name] = value
        else:
            _add(tool, reading, parameter, name, value)
    reading.faults += [_unknown(tool, name, parameters) for name in reading.unknown]
    for parameter in parameters:
        if parameter.name in reading.conflicts:
            continue
        if parameter.name in reading.inputs:
            _read(tool, reading, parameter)
        elif parameter.is_required:
            reading.faults.append(_missing(tool, parameter))
    return reading


def is_readable(tool: ToolRef, parameter: Parameter, value: object) -> bool:
    """Whether a tool takes this value of one argument."""
    reading = CallArguments()
    _add(tool, reading, parameter, parameter.name, value)
    _read(tool, reading, parameter)
    return parameter.name in reading.values


def _add(tool: ToolRef, reading: CallArguments, parameter: Parameter, name: str, value: object) -> None:
    """Take note of a value; two of one idea have to say the same."""
    if parameter.name not in reading.inputs or coercion.is_blank(reading.inputs[parameter.name]):
        reading.inputs[parameter.name], reading.names[parameter.name] = value, name
    elif not coercion.is_blank(value) and str(value) != str(reading.inputs[parameter.name]):
        reading.conflicts.add(parameter.name)
        other, first = reading.names[parameter.name], reading.inputs[parameter.name]
        message = (
            f"Arguments {other!r} and {name!r} of {tool} mean the same but differ: {quoted(first)} and {quoted(value)}."
        )
        reading.faults.append(ArgumentFault(name, message, f"Give {parameter.name} alone."))


def _read(tool: ToolRef, reading: CallArguments, parameter: Parameter) -> None:
    name, value = reading.names[parameter.name], reading.inputs[parameter.name]
    try:
        reading.inputs[parameter.name] = value = _cleaned(parameter, value)
        if value is coercion.NOT_GIVEN:
            del reading.inputs[parameter.name]
        else:
            reading.values[parameter.name] = _converted(tool, parameter, value)
    except ValidationError as error:
        reading.faults += argument_faults.of_value(tool, name, parameter, value, error)
        reading.corrections |= _listed(parameter, value)
    except coercion.TooDeep:
        message = f"Argument {name!r} of {tool} is nested more than {coercion.DEEPEST} levels deep."
        reading.faults.append(ArgumentFault(name, message, f"Give {name} as {argument_faults.in_words(parameter)}."))
    except _NoList as error:
        reading.faults.append(error.fault)
        reading.corrections |= error.corrections
    except BiofactError as error:
        reading.faults.append(ArgumentFault(name, error.message, error.hint, error))


def _cleaned(parameter: Parameter, value: object) -> Any:
    """The value that is meant; ``NOT_GIVEN`` for one of an optional argument that says nothing."""
    if parameter.id_kind is None:  # what is no ID fails in its place, as it was written
        value = coercion.plain(value)
    if parameter.is_nested:
        unfold = coercion.read_json if parameter.is_as_written or parameter.id_kind else coercion.unfolded
        value = unfold(value, values_schema(parameter))
    if parameter.is_required:
        return {} if value is coercion.NOT_GIVEN else value
    return coercion.NOT_GIVEN if coercion.says_nothing(value) else value


def _converted(tool: ToolRef, parameter: Parameter, value: Any) -> Any:
    kind = parameter.id_kind
    if kind is None:
        return parameter.check.validate_python(value)
    return _ids(tool, parameter, kind, value) if parameter.is_list else kind.check(value)


def _listed(parameter: Parameter, value: object) -> dict[str, object]:
    """The list that a text means where only certain words can be listed; of free words it may be one or several."""
    schema = values_schema(parameter)
    lists = (option["items"] for option in options([schema], schema.get("$defs", {})) if "items" in option)
    known = {word for items in lists for word in items.get("enum", ())}
    words = _PARTS_OF_TEXT.findall(value) if isinstance(value, str) else []
    return {parameter.name: words} if words and known.issuperset(words) else {}


class _NoList(Exception):
    """A value that is no list of IDs, with the list that is probably meant."""

    def __init__(self, fault: ArgumentFault, corrections: Mapping[str, object]) -> None:
        super().__init__(fault.message)
        self.fault = fault
        self.corrections = corrections


def _ids(tool: ToolRef, parameter: Parameter, kind: IdKind, value: object) -> list[object]:
    """IDs of a batch, not yet checked one by one: a malformed one fails alone, in its place."""
    if isinstance(value, list | tuple) and 1 <= len(value) <= BATCH_LIMIT:
        return list(value)
    corrections: dict[str, object] = {}
    if isinstance(value, str):
        ids = _PARTS_OF_TEXT.findall(value) or [value]
        checked = [_checked(kind, part, value) for part in ids]
        corrections = {parameter.name: checked} if len(checked) <= BATCH_LIMIT else {}
    given = f"{len(value)}" if isinstance(value, list) else quoted(value)
    message = f"Argument {parameter.name!r} of {tool} takes 1 to {BATCH_LIMIT} IDs in a list, not {given}."
    hint = f"Give {parameter.name} as {argument_faults.in_words(parameter)}; split longer lists into several calls."
    raise _NoList(ArgumentFault(parameter.name, message, hint), corrections)


def _checked(kind: IdKind, part: str, value: str) -> str:
    """One ID of several in a text; a text that holds anything else is refused as it is."""
    try:
        return kind.check(part)
    except BiofactError:
        return kind.check(value)


def _unknown(tool: ToolRef, name: str, parameters: Sequence[Parameter]) -> ArgumentFault:
    known = [parameter.name for parameter in parameters]
    nearest = argument_faults.near(name, known)
    meant = f"Is {nearest!r} meant? " if nearest else ""
    return ArgumentFault(
        name, f"{tool} has no argument {quoted(name)}.", f"{meant}Its arguments are {', '.join(known)}."
    )


def _missing(tool: ToolRef, parameter: Parameter) -> ArgumentFault:
    message = f"{tool} needs the argument {parameter.name!r}."
    return ArgumentFault("", message, f"Give {parameter.name} as {argument_faults.in_words(parameter)}.")


def bare(name: str) -> str:
    """A name without what spellings of it differ in."""
    return re.sub(r"[\W_]+", "", name).lower()
