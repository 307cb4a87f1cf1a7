"""The arguments of a tool or resource as a person types them: how they are written, and the values of the words."""

import inspect
import json
import re
from collections.abc import Mapping, Sequence
from contextlib import ExitStack
from dataclasses import dataclass
from typing import Annotated, Any

from cyclopts import Parameter as Option

from biofact.core.json_schema import Schema
from biofact.core.usage import WrongUsage
from biofact.identity import RESOLVE
from biofact.interfaces.cli.options import FILE_FORM
from biofact.interfaces.listing import ListedArgument, ListedCommand
from biofact.interfaces.spelling import QUOTED, Spelling, command

_MEANINGS = {
    "query": "what to look for, in one or more words",
    "research_goal": "the research question, in a sentence or a paragraph",
    "extraction_schema": 'as JSON, {"sample_size": "number"}, or @FILE that holds it',
    "scoring_criteria": 'as JSON, {"weights": {"sample_size": 1}}, or @FILE that holds it',
    "collection": "the handle that the previous step printed",
    "articles": "a PMID, once for each, or @FILE with articles as JSON",
    "articles_with_features": "@FILE with extractions as JSON",
    "scored_articles": "@FILE with scored articles as JSON",
    "ranking_criteria": "boost_recent=true and the like, once for each",
    "search_query": "words, or a query in PubMed's syntax",
    "max_results": "articles",
    "article_types": "NLM's types of publication, such as Review, once for each",
    "fields": "a fact beyond the standard set, such as mesh, once for each",
    "page_size": "rows per page",
    "limit": "rows per page",
    "cursor": "the cursor that the previous page printed",
    "filters": "NAME=VALUE, once for each filter",
    "hint": "what kind of thing the ID or name is, if that is ambiguous",
    "id": "an ID or exact name",
    "entity_id": "an ID, name or region to start from",
    "include": "what to list, once for each kind",
    "order_by": "what to order by; a leading - puts the greatest first",
    "region": "chromosome and positions, from 1: chr17:43,044,295-43,125,364",
    "slim": "the short form: identity only",
}
_PAIR = 2  # IDs that are compared
_SWITCHES = {"true": True, "false": False}
_TYPES = {"integer": int, "number": float, "boolean": bool}
# An argument in a sentence: 'page_size' after the word argument, `slim=false`, "Give limit as", include=["a"],
# "more by include", or page_size anywhere.
_MENTION = re.compile(
    rf"(?<=rgument )'(\w+)([.\[][^']*)?'|{QUOTED}|(?<=`)(\w+)(?:=(\w+))?(?=`)"
    r"|(?<=Give )(\w+)(?=(?:[.\[]\S*)? as )|(?<![\w.])(\w+)=\[([\w\", ]+)\]|(?<=more by )(\w+)\b"
    r"|(?<![\w.])([a-z]+_[a-z_]+)\b"
)


def typed(parameter: ListedArgument) -> str:
    """``ENTREZ_ID`` for what has to be given, ``--page-size`` for what can be."""
    return parameter.name.upper() if parameter.is_required else option_name(parameter.name)


def option_name(name: str) -> str:
    """``--page-size`` for ``page_size``."""
    return f"--{name.replace('_', '-')}"


@dataclass(frozen=True, slots=True)
class TypedSpelling(Spelling):
    """The names of tools, and of the arguments of the tool at hand."""

    parameters: tuple[ListedArgument, ...] = ()

    def text(self, text: str) -> str:
        """``text`` with the command line's name of every tool and argument in it."""
        return _MENTION.sub(self._typed, Spelling.text(self, text))

    def _typed(self, match: re.Match[str]) -> str:
        quoted, part, coded, value, hint_name, assigned, items, more_by, bare = match.groups()
        name = quoted or coded or hint_name or assigned or more_by or bare
        parameter = next((parameter for parameter in self.parameters if parameter.name == name), None)
        if parameter is None:
            return match[0]
        if items:
            return " ".join(f"{typed(parameter)} {item}" for item in re.findall(r"\w+", items))
        return _with_value(typed(parameter), "NAME" if more_by else value) + (part or "")


def _with_value(option: str, value: str | None) -> str:
    if value == "false":
        return option.replace("--", "--no-", 1)
    return option if value in {None, "true"} else f"{option} {value}"


def usage(spec: ListedCommand, command: str) -> str:
    """The line that shows how a command is written."""
    places = (typed(p) + ("..." if _takes_many(spec, p) else "") for p in spec.parameters if p.is_required)
    return f"Usage: {' '.join((command, *places))} [OPTIONS]"


def command_parameters(spec: ListedCommand) -> list[inspect.Parameter]:
    """The parameters for the command line's library: required arguments are positional, the others are options.

    After a column of entities no further argument can be positional; see ``parse_words``.
    """
    column = spec.entities
    return [
        _positional(spec, parameter)
        if parameter.is_required and (column is None or parameter is column)
        else _optional(parameter, is_second=parameter is _second_entity(spec))
        for parameter in spec.parameters
    ]


def parse_words(spec: ListedCommand, typed_values: Mapping[str, Any]) -> dict[str, Any]:
    """The values of the words: several words are one query, and ``@file`` is the content of the file. Of a
    column of entities they are the words, as ``open_inputs`` reads them; the last ones are the other required arguments
    that are not given yet.

    Raises:
        WrongUsage: a file cannot be read, holds no ID, or stands where words are due; or an argument is missing.
    """
    arguments = _with_last_words(spec, typed_values)
    column = spec.entities
    for parameter in spec.parameters:
        if parameter.name not in arguments:
            continue
        words = arguments[parameter.name]
        if parameter is column:
            arguments[parameter.name] = list(words)
        elif parameter.is_list and parameter.is_required:
            arguments[parameter.name] = _texts(words)
        elif _takes_many(spec, parameter):
            arguments[parameter.name] = _text(spec, words)
        elif parameter.schema.get("type") == "object":
            arguments[parameter.name] = _object(parameter, words)
        elif parameter.schema.get("type") == "array":
            arguments[parameter.name] = _items(parameter, words)
    return arguments


def _with_last_words(spec: ListedCommand, typed_values: Mapping[str, Any]) -> dict[str, Any]:
    """The arguments, with the last words of a column of entities as the required arguments after it."""
    arguments = {name: value for name, value in typed_values.items() if value is not None}
    column = spec.entities
    if column is None:
        return arguments
    missing = [p for p in spec.parameters if p.is_required and p is not column and p.name not in arguments]
    words = list(arguments[column.name])
    if len(words) <= len(missing):
        parameter = missing[max(len(words) - 1, 0)]
        raise WrongUsage(f"{command(spec.ref)} needs {typed(parameter)}.", hint=f"See {command(spec.ref)} --help.")
    second = _second_entity(spec)
    if second is not None and second.name not in arguments and _are_two_ids(words):
        return {**arguments, column.name: words[:1], second.name: words[1]}
    entity_count = len(words) - len(missing)  # the last words are not entities, but the arguments that are missing
    last = zip((parameter.name for parameter in missing), words[entity_count:], strict=True)
    return {**arguments, column.name: words[:entity_count], **dict(last)}


def _second_entity(spec: ListedCommand) -> ListedArgument | None:
    """The optional argument that takes an ID of the same form as the column: of two IDs, the second."""
    column = spec.entities
    options = (p for p in spec.parameters if p.is_entity and not p.is_required and not p.is_list)
    return next((p for p in options if column is not None and p.pattern == column.pattern), None)


def _are_two_ids(words: Sequence[str]) -> bool:
    from biofact.interfaces.cli.inputs import file_path  # noqa: PLC0415  # help reads no files

    return len(words) == _PAIR and not any(map(file_path, words))


def _positional(spec: ListedCommand, parameter: ListedArgument) -> inspect.Parameter:
    takes_file = parameter.is_list or parameter is spec.entities
    option = Option(help=_meaning(parameter, takes_file=takes_file), required=True)
    takes_many = _takes_many(spec, parameter)
    kind = inspect.Parameter.VAR_POSITIONAL if takes_many else inspect.Parameter.POSITIONAL_ONLY
    return inspect.Parameter(parameter.name, kind, annotation=Annotated[_type(parameter.schema), option])


def _optional(parameter: ListedArgument, *, is_second: bool) -> inspect.Parameter:
    schema = parameter.schema
    is_switch = schema.get("type") == "boolean"
    default = (
        _with_value(typed(parameter), str(parameter.default).lower()) if is_switch else parameter.default is not None
    )
    is_repeatable = schema.get("type") in {"array", "object"}
    meaning = _meaning(parameter)
    place = "Also as the last word." if parameter.is_required else "Also as the second of two IDs." if is_second else ""
    option = Option(
        name=[option_name(parameter.name)],
        alias=[option_name(alias) for alias in parameter.aliases],
        help=f"{meaning} {place}".strip(),
        show_default=default,
        negative="" if is_repeatable else None,
        allow_leading_hyphen=not is_switch,
    )
    kind = list[str] if is_repeatable else _type(schema)
    return inspect.Parameter(
        parameter.name,
        inspect.Parameter.KEYWORD_ONLY,
        default=parameter.default,
        annotation=Annotated[kind | None, option],
    )


def _takes_many(spec: ListedCommand, parameter: ListedArgument) -> bool:
    """Whether an argument takes all words: a column of entities, a list, or the text that is all a tool needs."""
    if parameter is spec.entities:
        return True
    if parameter.is_list:
        return parameter.is_required
    schema = parameter.schema
    is_text = parameter.pattern is None and schema.get("type") == "string" and "enum" not in schema
    return is_text and [p.name for p in spec.parameters if p.is_required] == [parameter.name]


def _meaning(parameter: ListedArgument, *, takes_file: bool = False) -> str:
    schema = parameter.schema
    meaning = schema.get("description") or _MEANINGS.get(parameter.name, "")
    if "minimum" in schema and "maximum" in schema:
        meaning = f"{meaning}, {schema['minimum']} to {schema['maximum']}".removeprefix(", ")
    if values := schema.get("enum") or schema.get("items", {}).get("enum"):
        meaning = f"{meaning}, one of {', '.join(values)}".removeprefix(", ")
    if takes_file:
        forms = "any number, a table (see --column), @FILE with one a line, or - (standard input)"
        meaning = f"{meaning}; {forms}" if meaning else forms
    return f"{meaning[:1].upper()}{meaning[1:].rstrip('.')}." if meaning else ""


def _object(parameter: ListedArgument, words: str | Sequence[str]) -> Any:
    """An object as it is typed: JSON, a file of it, or pairs of name and value."""
    if isinstance(words, str):
        return _json(parameter, words)
    is_json = len(words) == 1 and words[0].lstrip().startswith(("{", "@"))
    return _json(parameter, words[0]) if is_json else _pairs(parameter, words)


def _items(parameter: ListedArgument, words: Sequence[str] | None) -> Any:
    """A list as it is typed: word by word, or as JSON."""
    if words is not None and len(words) == 1 and words[0].lstrip().startswith(("[", "@")):
        return _json(parameter, words[0])
    return words


def _json(parameter: ListedArgument, word: str) -> Any:
    """JSON as a word or in a file."""
    text = _file_text(word[1:]) if word.startswith("@") else word
    try:
        return json.loads(text)
    except (ValueError, RecursionError) as error:
        raise WrongUsage(
            f"{word!r:.80} is not JSON ({error}).", hint=f"Write {typed(parameter)} as JSON, or @FILE that holds it."
        ) from error


def _pairs(parameter: ListedArgument, words: Sequence[str]) -> dict[str, str | bool]:
    """Filters by name; two of the same name could not both hold."""
    pairs = [_pair(parameter, word) for word in words]
    names = [name for name, _ in pairs]
    if duplicate := next((name for name in names if names.count(name) > 1), None):
        raise WrongUsage(
            f"{duplicate!r:.80} is given more than once.", hint=f"Write {typed(parameter)} {duplicate}=VALUE once."
        )
    return dict(pairs)


def _pair(parameter: ListedArgument, word: str) -> tuple[str, str | bool]:
    """``name=value``, as one of several filters is typed."""
    name, mark, value = word.partition("=")
    if not mark or not name.strip():
        form = f"{typed(parameter)} NAME=VALUE"
        raise WrongUsage(f"{word!r:.80} is not a filter.", hint=f"Write {form}, once for each.")
    return name.strip(), _SWITCHES.get(value.strip(), value.strip())


def _type(schema: Schema) -> Any:
    """The type of one word. Everything else about a value is the tool's to check."""
    if schema.get("type") == "array":
        return _type(schema["items"])
    return _TYPES.get(schema.get("type", "string"), str)


def _text(spec: ListedCommand, words: Sequence[str]) -> str:
    """Several words as one text. A file is refused: its name would be the text."""
    file = next((word for word in words if word.startswith("@") and len(word) > 1), None)
    if file is not None:
        raise WrongUsage(
            f"{command(spec.ref)} takes words, not a file of them such as {file!r}.",
            hint=f"{command(RESOLVE)} {file} takes a column of names.",
        )
    return " ".join(words)


def _texts(words: Sequence[str]) -> list[str]:
    """The words, with what is in the file for each ``@FILE``."""
    from biofact.interfaces.cli.inputs import open_inputs  # noqa: PLC0415  # help reads no files

    with open_inputs(words, {}) as inputs:
        return list(inputs.texts)


def _file_text(path: str) -> str:
    from biofact.interfaces.cli.inputs import open_file  # noqa: PLC0415  # help reads no files

    with ExitStack() as stack:
        content = open_file(path, stack).read()
    try:
        return content.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise WrongUsage(f"{path!r} is not UTF-8.", hint=FILE_FORM) from error
