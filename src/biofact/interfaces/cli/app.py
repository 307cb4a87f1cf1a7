"""The command line: one command per tool, the few around them, their errors, and the completion of all."""

import difflib
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

from biofact import __version__
from biofact.core.errors import ToolRef
from biofact.core.usage import WrongUsage
from biofact.interfaces import every_source, sandbox_option
from biofact.interfaces.cli import arguments, builtin_commands, example_lines
from biofact.interfaces.cli.arguments import TypedSpelling
from biofact.interfaces.cli.builtin_commands import QUESTION, SHELL, TOP
from biofact.interfaces.cli.example_lines import EXAMPLES
from biofact.interfaces.cli.options import ALL, CHOICES, COLUMNS, FILE, FORMAT, PROVENANCE, SANDBOX, Form
from biofact.interfaces.listing import ListedCommand, SourceListing
from biofact.interfaces.spelling import Catalog, Spelling, above_sources, command, subcommand

SHOWN = {"format": FORMAT, "output": FILE, "columns": COLUMNS, "provenance": PROVENANCE, "sandbox": SANDBOX}
PAGED = {"all": ALL}
SAVED = {"output": FILE, "provenance": PROVENANCE, "sandbox": SANDBOX}


def source_app(name: str, catalog: Catalog) -> App:
    """The commands of one source: its tools, and what it has for each ID as a text or file. Imports no source."""
    app = App(name=name, help=about(catalog.listing(name)), group_parameters=CHOICES)
    for place, listed in enumerate(catalog.commands(name)):
        add_command(app, listed, catalog, sort_key=place)
    return app


def add_command(app: App, listed: ListedCommand, catalog: Catalog, **layout: Any) -> None:
    """Add a listed command; ``layout`` says where help lists it."""
    shown = example_lines.shown(listed)
    app.command(
        _command(listed, catalog, TypedSpelling(catalog, command, parameters=listed.parameters)),
        name=subcommand(listed.ref),
        usage=arguments.usage(listed, command(listed.ref)),
        help_epilogue=example_lines.epilogue([] if shown is None else [shown]),
        **layout,
    )


def about(listing: SourceListing) -> str:
    """What help says of a source."""
    return f"{listing.title}: {listing.about}"


def _command(listed: ListedCommand, catalog: Catalog, spelling: Spelling) -> Callable[..., int]:
    """The command as a function that the command line's library can read and call; a call imports the source."""
    own = _declared_options(listed)
    signature = inspect.Signature([*arguments.command_parameters(listed), *map(_option, own.items())])

    def run(*args: Any, **kwargs: Any) -> int:
        from biofact.interfaces.cli import tool_command  # noqa: PLC0415  # help needs no source and no event loop

        given = signature.bind(*args, **kwargs).arguments
        options = {name: given.pop(name, None) for name in own}
        return tool_command.run(listed, catalog, arguments.parse_words(listed, given), options, spelling)

    run.__signature__ = signature  # type: ignore[attr-defined]
    run.__annotations__ = {name: parameter.annotation for name, parameter in signature.parameters.items()}
    run.__doc__ = _tool_help(listed, spelling)
    return run


def _declared_options(listed: ListedCommand) -> dict[str, Any]:
    if not listed.is_tool:
        return SAVED
    has_pages = any(parameter.name == "cursor" for parameter in listed.parameters)
    return {**SHOWN, **(PAGED if has_pages else {})}


def _option(option: tuple[str, Any]) -> inspect.Parameter:
    name, annotation = option
    default = False if annotation in {PROVENANCE, SANDBOX, ALL} else None
    return inspect.Parameter(name, inspect.Parameter.KEYWORD_ONLY, default=default, annotation=annotation)


def _tool_help(listed: ListedCommand, spelling: Spelling) -> str:
    """What the declaration says to people, its first sentence apart: the list of commands shows that alone."""
    text = re.split(r"\n(?:Raises|Source):", listed.description)[0].strip().replace("``", "`")
    return spelling.text(re.sub(r"\.\s+(?=[A-Z])", ".\n\n", text, count=1))


_EXPECTED = {int: "a whole number", float: "a number", bool: "true or false"}


def wrong_usage(error: CycloptsError) -> WrongUsage:
    """The mistake in our words. ``error`` is the command line's library's."""
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
    return WrongUsage(f"{command} has no command {word!r}.", hint=_suggested(word, names, "commands"))


def _unknown_option(error: UnknownOptionError, command: str) -> WrongUsage:
    word = error.token.keyword or error.token.value
    names = [name for argument in error.argument_collection for name in argument.names if name.startswith("--")]
    form = word.removeprefix("--")
    if form in get_args(Form) and "--format" in names:
        return WrongUsage(f"{command} has no option {word!r}.", hint=f"Write --format {form}.")
    return WrongUsage(f"{command} has no option {word!r}.", hint=_suggested(word, names, "options"))


def _missing_argument(error: MissingArgumentError, command: str) -> WrongUsage:
    if error.keyword:
        return WrongUsage(f"{error.keyword} needs a value.", hint=f"See {command} --help.")
    name = _argument_name(error)
    meaning = error.argument.parameter.help if error.argument is not None else None
    hint = f"Give {name}: {meaning[:1].lower()}{meaning[1:]}" if meaning else f"See {command} --help."
    return WrongUsage(f"{command} needs {name}.", hint=hint)


def _unfit_value(error: CoercionError, token: Token) -> WrongUsage:
    name = token.keyword or _argument_name(error)
    return WrongUsage(f"{name} cannot be {token.value!r}.", hint=f"Give {name} as {_expected(error.target_type)}.")


def _message(error: CycloptsError, command: str) -> str:
    match error:
        case RepeatArgumentError():
            return f"{error.token.keyword} is given more than once."
        case UnusedCliTokensError():
            return f"{command} does not take {', '.join(map(repr, error.unused_tokens or ()))}."
    return " ".join(str(error).split())


def _suggested(word: str, names: Iterable[str], what: str) -> str:
    close = difflib.get_close_matches(word, names := list(names), n=1)
    return f"{f'Did you mean {close[0]}? ' if close else ''}The {what} are {', '.join(names)}."


def _argument_name(error: CycloptsError) -> str:
    return "The argument" if error.argument is None else error.argument.name


def _expected(kind: Any) -> str:
    if get_origin(kind) is not None:
        return f"one of {', '.join(map(str, get_args(kind)))}"
    return _EXPECTED.get(kind, "a value of the declared type")


Shell = Literal["bash", "zsh", "fish", "powershell"]


def script(app: App, shell: Shell, listed: Iterable[ListedCommand] = ()) -> str:
    """The script for all commands and options of an app, which is good for nothing else afterwards: the arguments of
    the ``listed`` ones are of the values that they may have.
    """
    for one in listed:
        _, *words = command(one.ref).split()
        function: Any = _find_command(app, words).default_command
        if (signature := getattr(function, "__signature__", None)) is not None:
            _set_signature(function, signature.replace(parameters=list(_with_values(signature, dict(_values(one))))))
    return app.generate_completion(shell=shell, prog_name="biofact")


def _find_command(app: App, words: Iterable[str]) -> App:
    for word in words:
        app = app[word]
    return app


def _values(listed: ListedCommand) -> Iterator[tuple[str, tuple[Any, ...]]]:
    """The values that each argument may have, where they are listed."""
    for argument in listed.parameters:
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


ABOUT = """A fuzzy biomedical name in, a checked fact out.

Try `biofact entrez search-genes BRCA1`, then `biofact entrez get-gene NCBIGene:672`; add `--sandbox` to try it offline.
"""
ALL_SOURCES = Group("All sources", sort_key=0)
SOURCES = Group("Sources", sort_key=1)
REVIEWING = Group("Reviewing", sort_key=2)
SERVING = Group("Serving", sort_key=3)
KEEPING = Group("Maintenance", sort_key=4)
LEARNING = Group("Finding the way", sort_key=5)
HELP = Group("Help", sort_key=6)
LITERATURE = "literature"
CORPUS = "corpus"
ABOUT_CORPUS = "The literature pipeline over millions of articles in files: by processes, on Dask, as an array of jobs."
ABOUT_LITERATURE = "Literature reviews from a goal to a report, and models trained on the labels of reviewers."

FLAGS = frozenset({"--provenance", "--all", "--slim", "--no-slim", "--"})
"""Words behind which a ``-`` is no value."""


def run(tokens: Sequence[str], catalog: Catalog = every_source) -> int:
    """Run one command; returns its exit code.

    Raises:
        WrongUsage: the words make no command.
    """
    made = app(tokens, catalog)
    words = _with_standard_input(sandbox_option.with_value(tokens))
    try:
        code: int = made(
            words, print_error=False, exit_on_error=False, result_action="return_int_as_exit_code_else_zero"
        )
    except CycloptsError as error:
        raise wrong_usage(error) from error
    return code


def _with_standard_input(tokens: Sequence[str]) -> list[str]:
    """The words with ``@-`` for a ``-`` of its own, which the command line's library would take for an option."""
    before = ["", *tokens]
    return [
        "@-" if word == "-" and (last in FLAGS or "=" in last or not last.startswith("-")) else word
        for last, word in zip(before, tokens, strict=False)
    ]


def app(tokens: Sequence[str], catalog: Catalog = every_source) -> App:
    """The command line as far as ``tokens`` need it: a source is imported when it is named, for the overview none."""
    made = App(
        name="biofact",
        help=ABOUT,
        version=__version__,
        help_format="markdown",
        group_parameters=CHOICES,
        suppress_keyboard_interrupt=False,  # our own main ends on it, as on everything else
    )
    for flag in ("--help", "--version"):
        made[flag].group = HELP
    for group, commands in BUILT_IN.items():
        for place, (name, function) in enumerate(commands.items()):
            made.command(function, name=name, group=group, sort_key=place, **_builtin_help(name))
    named = tokens[0] if tokens else ""
    above = _add_above_sources(made, named, catalog)
    if named in above or any(named in commands for commands in BUILT_IN.values()):
        return made
    if named in catalog.names():
        made.command(source_app(named, catalog))
    elif named in REVIEWERS:
        made.command(REVIEWERS[named]())
    else:
        for entry in _overview(catalog):
            made.command(entry)
    return made


def _add_above_sources(made: App, named: str, catalog: Catalog) -> set[str]:
    """Add the commands that ask all sources; their words. One that nobody has named is listed, and not imported."""
    spelling = Spelling(catalog, command)
    tools = {subcommand(tool.ref): tool for name in above_sources(catalog) for tool in catalog.listing(name).tools}
    for place, (word, tool) in enumerate(tools.items()):
        layout: dict[str, Any] = {"group": ALL_SOURCES, "sort_key": place}
        if word in BY_HAND:
            made.command(BY_HAND[word], name=word, **_builtin_help(word), **layout)
        elif word == named:
            add_command(made, _listed(tool.ref, catalog), catalog, **layout)
        else:
            made.command(App(name=word, help=spelling.text(tool.description), **layout))
    return set(tools)


def _listed(ref: ToolRef, catalog: Catalog) -> ListedCommand:
    return next(one for one in catalog.commands(ref.source) if one.ref == ref)


def _builtin_help(name: str) -> dict[str, Any]:
    """What the help of a command of no tool says besides its docstring."""
    return {"usage": USAGE.get(name), "help_epilogue": example_lines.epilogue(EXAMPLES.get(name, ()))}


def _overview(catalog: Catalog) -> Iterator[App]:
    """What stands for the sources and the literature while nobody has named one."""
    yield App(name=LITERATURE, help=ABOUT_LITERATURE, group=REVIEWING)
    yield App(name=CORPUS, help=ABOUT_CORPUS, group=REVIEWING)
    for name in catalog.names():
        yield App(name=name, help=about(catalog.listing(name)), group=SOURCES)


def _literature() -> App:
    from biofact.interfaces.cli.literature import literature_app  # noqa: PLC0415  # brings the pipeline along

    return literature_app(ABOUT_LITERATURE)


def _corpus() -> App:
    from biofact.interfaces.cli.literature import corpus_app  # noqa: PLC0415  # brings the pipeline along

    return corpus_app(ABOUT_CORPUS)


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

    listed = (one for name in every_source.toolsets() for one in every_source.commands(name))
    writers.write_line(script(whole_app(), shell, listed))


def builtin_functions() -> dict[str, Callable[..., object]]:
    """The functions of the commands that are no tool's, by name; those of ``literature`` and ``corpus``, too."""
    functions: dict[str, Callable[..., object]] = {}
    for commands in BUILT_IN.values():
        functions |= commands
    for name, made in REVIEWERS.items():
        reviewing = made()
        for word in reviewing:
            function = reviewing[word].default_command
            if function is not None and not word.startswith("-"):
                functions[f"{name} {word}"] = function
    return functions


def whole_app(catalog: Catalog = every_source) -> App:
    """The command line with all commands and options; imports no source."""
    made = app(("completion",), catalog)
    for reviewing in REVIEWERS.values():
        made.command(reviewing())
    for name in above_sources(catalog):
        for listed in catalog.commands(name):
            if (word := subcommand(listed.ref)) not in BY_HAND:
                del made[word]
                add_command(made, listed, catalog)
    for name in catalog.names():
        made.command(source_app(name, catalog))
    return made


BUILT_IN: dict[Group, dict[str, Callable[..., int | None]]] = {
    SERVING: {
        "serve": builtin_commands.serve,
        "install": builtin_commands.install,
        "token": builtin_commands.token,
        "sandbox": builtin_commands.sandbox,
        "demo": builtin_commands.demo,
    },
    KEEPING: {"doctor": builtin_commands.doctor, "cache": builtin_commands.cache},
    LEARNING: {"find": _find, "completion": _completion},
}
REVIEWERS: dict[str, Callable[[], App]] = {LITERATURE: _literature, CORPUS: _corpus}
"""Groups of commands around the literature pipeline."""
BY_HAND: dict[str, Callable[..., int]] = {"resolve": builtin_commands.resolve}
"""Commands that do more than their tool: it takes 200 names at most."""
USAGE = {
    "resolve": "Usage: biofact resolve NAME...|@FILE|- [OPTIONS]",
    "serve": "Usage: biofact serve [SOURCE] [OPTIONS]",
    "install": "Usage: biofact install --client CLIENT [OPTIONS]",
    "token": "Usage: biofact token add|list|revoke [NAME] [OPTIONS]",
    "cache": "Usage: biofact cache ACTION [OPTIONS]",
    "find": "Usage: biofact find WORD... [OPTIONS]",
    "completion": "Usage: biofact completion SHELL",
}
