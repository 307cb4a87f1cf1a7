"""The command line: one command per tool, the few around them, their errors, and the completion of all."""

import difflib
import functools
import inspect
import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Annotated, Any, Literal, get_args, get_origin

from cyclopts import (
    App,
    CoercionError,
    CycloptsError,
    Group,
    MissingArgumentError,
    RepeatArgumentError,
    Token,
    UnknownCommandError,
    UnknownOptionError,
    UnusedCliTokensError,
)

from biofact import __version__, toolsets
from biofact.core.usage import WrongUsage
from biofact.interfaces import every_source, sandbox_option
from biofact.interfaces.cli import arguments, builtin_commands, example_lines
from biofact.interfaces.cli.arguments import TypedSpelling
from biofact.interfaces.cli.builtin_commands import QUESTION, SHELL, TOP, Shell
from biofact.interfaces.cli.options import (
    ALL,
    ALLOW_FAILED_ROWS,
    CHOICES,
    COLUMN,
    COLUMNS,
    FILE,
    FORMAT,
    JOIN,
    NO_HEADER,
    PROVENANCE,
    SANDBOX,
    SHEET,
    Form,
)
from biofact.interfaces.listing import ListedCommand, SourceListing
from biofact.interfaces.spelling import Catalog, Spelling, above_sources, command, subcommand

HELP_TEXT = """A fuzzy biomedical name in, a checked fact out.

Try `biofact entrez search-genes BRCA1`, then `biofact entrez get-gene NCBIGene:672`; add `--sandbox` to try it offline.
"""
ALL_SOURCES = Group("All sources", sort_key=0)
SOURCES = Group("Sources", sort_key=1)
_TOOLSET_SECTIONS = 2
"""The place in the overview of the sections that toolsets name, between sources and servers."""
SERVERS = Group("Serving", sort_key=3)
MAINTENANCE = Group("Maintenance", sort_key=4)
GUIDANCE = Group("Finding the way", sort_key=5)
HELP = Group("Help", sort_key=6)

_FLAGS = frozenset({"--provenance", "--all", "--slim", "--no-slim", "--"})
"""Words without a value: a ``-`` after them is standard input."""
_TOOL_OPTIONS = {
    "format": FORMAT,
    "output": FILE,
    "columns": COLUMNS,
    "no_header": NO_HEADER,
    "allow_failed_rows": ALLOW_FAILED_ROWS,
    "provenance": PROVENANCE,
    "sandbox": SANDBOX,
}
_INPUT_OPTIONS = {"column": COLUMN, "sheet": SHEET, "join": JOIN}
_SWITCHES = {PROVENANCE, SANDBOX, ALL, NO_HEADER, ALLOW_FAILED_ROWS}
_RESOURCE_OPTIONS = {"output": FILE, "provenance": PROVENANCE, "sandbox": SANDBOX}
_TYPE_NAMES = {int: "a whole number", float: "a number", bool: "true or false"}


def run(tokens: Sequence[str], catalog: Catalog = every_source) -> int:
    """Run one command; returns its exit code.

    Raises:
        WrongUsage: the words make no command.
    """
    command_line = app(tokens, catalog)
    words = _with_standard_input(sandbox_option.with_value(tokens))
    try:
        code: int = command_line(
            words, print_error=False, exit_on_error=False, result_action="return_int_as_exit_code_else_zero"
        )
    except CycloptsError as error:
        raise wrong_usage(error) from error
    return code


def _with_standard_input(tokens: Sequence[str]) -> list[str]:
    """The words with ``@-`` for each lone ``-``, which the command line's library would take for an option."""
    return [
        "@-" if word == "-" and (previous in _FLAGS or "=" in previous or not previous.startswith("-")) else word
        for previous, word in zip(["", *tokens], tokens, strict=False)
    ]


def app(tokens: Sequence[str], catalog: Catalog = every_source) -> App:
    """The command line with the commands that ``tokens`` need; the overview and help import no source."""
    command_line = App(
        name="biofact",
        help=HELP_TEXT,
        version=__version__,
        help_format="markdown",
        group_parameters=CHOICES,
        suppress_keyboard_interrupt=False,  # our own main ends on it, as on everything else
    )
    for flag in ("--help", "--version"):
        command_line[flag].group = HELP
    for group, commands in BUILTIN_COMMANDS.items():
        for position, (name, function) in enumerate(commands.items()):
            command_line.command(function, name=name, group=group, sort_key=position, **_help(name))
    first = tokens[0] if tokens else ""
    words = _add_above_sources(command_line, first, catalog)
    if first in words or any(first in commands for commands in BUILTIN_COMMANDS.values()):
        return command_line
    if first in catalog.names():
        command_line.command(source_app(first, catalog))
    elif first in (groups := toolsets.command_groups()):
        command_line.command(groups[first].make_app())
    else:
        for section in _overview(catalog):
            command_line.command(section)
    return command_line


def _add_above_sources(command_line: App, first: str, catalog: Catalog) -> set[str]:
    """Add the commands that ask all sources, of which only the ``first`` word needs its arguments; their words."""
    spelling = Spelling(catalog, command)
    tools = {subcommand(tool.ref): tool for name in above_sources(catalog) for tool in catalog.listing(name).tools}
    for position, (word, tool) in enumerate(tools.items()):
        layout: dict[str, Any] = {"group": ALL_SOURCES, "sort_key": position}
        if function := toolsets.command_function(word):
            command_line.command(function, name=word, **_help(word), **layout)
        elif word == first:
            entry = next(entry for entry in catalog.commands(tool.ref.source) if entry.ref == tool.ref)
            add_command(command_line, entry, catalog, **layout)
        else:
            command_line.command(App(name=word, help=spelling.text(tool.description), **layout))
    return set(tools)


def _help(name: str) -> dict[str, Any]:
    return example_lines.command_help(name, ARGUMENTS.get(name))


def _overview(catalog: Catalog) -> Iterator[App]:
    """Sections without their commands, for the overview of all."""
    groups = toolsets.command_groups().values()
    sections = {group.section: Group(group.section, sort_key=_TOOLSET_SECTIONS) for group in groups}
    for group in groups:
        yield App(name=group.name, help=group.help, group=sections[group.section])
    for name in catalog.names():
        yield App(name=name, help=source_help(catalog.listing(name)), group=SOURCES)


def source_app(name: str, catalog: Catalog) -> App:
    """The commands of one source: its tools, and its resources, which are a text or file for each ID."""
    app = App(name=name, help=source_help(catalog.listing(name)), group_parameters=CHOICES)
    for position, entry in enumerate(catalog.commands(name)):
        add_command(app, entry, catalog, sort_key=position)
    return app


def add_command(app: App, entry: ListedCommand, catalog: Catalog, **layout: Any) -> None:
    """Add a command of the catalog; ``layout`` is its group and position in help."""
    example = example_lines.example_line(entry)
    app.command(
        _function(entry, catalog, TypedSpelling(catalog, command, parameters=entry.parameters)),
        name=subcommand(entry.ref),
        usage=arguments.usage(entry, command(entry.ref)),
        help_epilogue=example_lines.epilogue([] if example is None else [example]),
        **layout,
    )


def source_help(listing: SourceListing) -> str:
    """The help text of a source."""
    return f"{listing.title}: {listing.about}"


def _function(entry: ListedCommand, catalog: Catalog, spelling: Spelling) -> Callable[..., int]:
    """The command as a function that the command line's library can read and call; a call imports the source."""
    annotations = _options(entry)
    signature = inspect.Signature([*arguments.command_parameters(entry), *map(_option, annotations.items())])

    def run(*args: Any, **kwargs: Any) -> int:
        from biofact.interfaces.cli import tool_command  # noqa: PLC0415  # help needs no source and no event loop

        words = signature.bind(*args, **kwargs).arguments
        options = {name: words.pop(name, None) for name in annotations}
        return tool_command.run(entry, catalog, arguments.parse_words(entry, words), options, spelling)

    _set_signature(run, signature)
    run.__doc__ = _tool_help(entry, spelling)
    return run


def _options(entry: ListedCommand) -> dict[str, Any]:
    if not entry.is_tool:
        return _RESOURCE_OPTIONS
    has_pages = any(parameter.name == "cursor" for parameter in entry.parameters)
    has_inputs = entry.entities is not None
    return {**_TOOL_OPTIONS, **({"all": ALL} if has_pages else {}), **(_INPUT_OPTIONS if has_inputs else {})}


def _option(option: tuple[str, Any]) -> inspect.Parameter:
    name, annotation = option
    default = False if annotation in _SWITCHES else None
    return inspect.Parameter(name, inspect.Parameter.KEYWORD_ONLY, default=default, annotation=annotation)


def _tool_help(entry: ListedCommand, spelling: Spelling) -> str:
    """The declaration's text for people; its first sentence is a paragraph, which lists of commands show alone."""
    text = re.split(r"\n(?:Raises|Source):", entry.description)[0].strip().replace("``", "`")
    return spelling.text(re.sub(r"\.\s+(?=[A-Z])", ".\n\n", text, count=1))


def _find(*words: QUESTION, top: TOP = 3, format: FORMAT = None) -> int:  # noqa: A002  # as it is typed
    """Find the commands that answer a question in words, each with a line that is ready to run; needs no network."""
    from biofact.interfaces.cli import find_command  # noqa: PLC0415  # help needs none of it

    return find_command.run(words, format, top, find_command.Finder.of(every_source, builtin_functions()))


def _completion(shell: SHELL, /) -> None:
    """Print the script with which a shell completes commands, options and their values, for this version of biofact.

    Bash and zsh: add `source <(biofact completion bash)`, or zsh, to the end of ~/.bashrc or ~/.zshrc. It starts Python
    once for each shell; a file that `biofact completion bash` was written to does without.

    Fish: write it to ~/.config/fish/completions/biofact.fish. PowerShell: add
    `biofact completion powershell | Out-String | Invoke-Expression` to the file that $PROFILE names.
    """
    from biofact.interfaces.cli import writers  # noqa: PLC0415

    entries = (entry for name in every_source.toolsets() for entry in every_source.commands(name))
    writers.write_line(completion_script(whole_app(), shell, entries))


def builtin_functions() -> dict[str, Callable[..., object]]:
    """The functions of the commands that are no tool's, by name, those of the toolsets' groups included."""
    functions: dict[str, Callable[..., object]] = {}
    for commands in BUILTIN_COMMANDS.values():
        functions |= commands
    for name, group in toolsets.command_groups().items():
        group_app = group.make_app()
        for word in group_app:
            function = group_app[word].default_command
            if function is not None and not word.startswith("-"):
                functions[f"{name} {word}"] = function
    return functions


def whole_app(catalog: Catalog = every_source) -> App:
    """The command line with all commands and options; imports no source."""
    command_line = app(("completion",), catalog)
    for group in toolsets.command_groups().values():
        command_line.command(group.make_app())
    for name in above_sources(catalog):
        for entry in catalog.commands(name):
            if not toolsets.command_function(word := subcommand(entry.ref)):
                del command_line[word]
                add_command(command_line, entry, catalog)
    for name in catalog.names():
        command_line.command(source_app(name, catalog))
    return command_line


def completion_script(app: App, shell: Shell, entries: Iterable[ListedCommand]) -> str:
    """The completion script of an app, which also completes the values of the entries' arguments.

    The app is changed by it, and fit for nothing else afterwards.
    """
    for entry in entries:
        _, *words = command(entry.ref).split()
        function: Any = functools.reduce(App.__getitem__, words, app).default_command
        if (signature := getattr(function, "__signature__", None)) is not None:
            _set_signature(function, signature.replace(parameters=list(_with_values(signature, dict(_values(entry))))))
    return app.generate_completion(shell=shell, prog_name="biofact")


def _values(entry: ListedCommand) -> Iterator[tuple[str, tuple[Any, ...]]]:
    """The enumerated values of each argument that has such."""
    for argument in entry.parameters:
        items = argument.schema.get("items", argument.schema)
        if values := argument.schema.get("enum") or items.get("enum"):
            yield argument.name, tuple(values)


def _with_values(signature: inspect.Signature, values: Mapping[str, tuple[Any, ...]]) -> Iterator[inspect.Parameter]:
    for name, parameter in signature.parameters.items():
        if name in values:
            options = get_args(parameter.annotation)[1:]
            yield parameter.replace(annotation=Annotated[(Literal[values[name]] | None, *options)])
        else:
            yield parameter


def _set_signature(function: Any, signature: inspect.Signature) -> None:
    function.__signature__ = signature
    function.__annotations__ = {name: parameter.annotation for name, parameter in signature.parameters.items()}


def wrong_usage(error: CycloptsError) -> WrongUsage:
    """An error of the command line's library in our words: the mistake in a command, and the right way to write it."""
    command = " ".join(("biofact", *(error.command_chain or ())))
    match error:
        case UnknownCommandError():
            return _unknown_command(error, command)
        case UnknownOptionError():
            return _unknown_option(error, command)
        case MissingArgumentError():
            return _missing_argument(error, command)
        case CoercionError() if error.token is not None:
            return _unfit_value(error, error.token)
    return WrongUsage(_message(error, command), hint=f"See {command} --help.")


def _unknown_command(error: UnknownCommandError, command: str) -> WrongUsage:
    (word, *_) = error.unused_tokens or ("",)
    names = [name for name in error.app or () if not name.startswith("-")]
    if word.startswith("-"):
        return WrongUsage(f"{command} needs a command before {word!r}.", hint=f"The commands are {', '.join(names)}.")
    return WrongUsage(f"{command} has no command {word!r}.", hint=_suggestion(word, names, "commands"))


def _unknown_option(error: UnknownOptionError, command: str) -> WrongUsage:
    word = error.token.keyword or error.token.value
    names = [name for argument in error.argument_collection for name in argument.names if name.startswith("--")]
    form = word.removeprefix("--")
    if form in get_args(Form) and "--format" in names:
        return WrongUsage(f"{command} has no option {word!r}.", hint=f"Write --format {form}.")
    return WrongUsage(f"{command} has no option {word!r}.", hint=_suggestion(word, names, "options"))


def _missing_argument(error: MissingArgumentError, command: str) -> WrongUsage:
    if error.keyword:
        return WrongUsage(f"{error.keyword} needs a value.", hint=f"See {command} --help.")
    name = _argument_name(error)
    meaning = error.argument.parameter.help if error.argument is not None else None
    hint = f"Give {name}: {meaning[:1].lower()}{meaning[1:]}" if meaning else f"See {command} --help."
    return WrongUsage(f"{command} needs {name}.", hint=hint)


def _unfit_value(error: CoercionError, token: Token) -> WrongUsage:
    name = token.keyword or _argument_name(error)
    return WrongUsage(f"{name} cannot be {token.value!r}.", hint=f"Give {name} as {_type_name(error.target_type)}.")


def _message(error: CycloptsError, command: str) -> str:
    match error:
        case RepeatArgumentError():
            return f"{error.token.keyword} is given more than once."
        case UnusedCliTokensError():
            return f"{command} does not take {', '.join(map(repr, error.unused_tokens or ()))}."
    return " ".join(str(error).split())


def _suggestion(word: str, names: Sequence[str], plural: str) -> str:
    close = difflib.get_close_matches(word, names, n=1)
    return f"{f'Did you mean {close[0]}? ' if close else ''}The {plural} are {', '.join(names)}."


def _argument_name(error: CycloptsError) -> str:
    return "The argument" if error.argument is None else error.argument.name


def _type_name(kind: Any) -> str:
    if get_origin(kind) is not None:
        return f"one of {', '.join(map(str, get_args(kind)))}"
    return _TYPE_NAMES.get(kind, "a value of the declared type")


BUILTIN_COMMANDS: dict[Group, dict[str, Callable[..., int | None]]] = {
    SERVERS: {
        "serve": builtin_commands.serve,
        "install": builtin_commands.install,
        "token": builtin_commands.token,
        "sandbox": builtin_commands.sandbox,
        "demo": builtin_commands.demo,
    },
    MAINTENANCE: {"doctor": builtin_commands.doctor, "cache": builtin_commands.cache},
    GUIDANCE: {"find": _find, "completion": _completion},
}
ARGUMENTS = {
    "resolve": "NAME...|TABLE|@FILE|-",
    "serve": "[SOURCE]",
    "install": "--client CLIENT",
    "token": "add|list|revoke [NAME]",
    "cache": "ACTION",
    "find": "WORD...",
    "completion": "SHELL",
}
