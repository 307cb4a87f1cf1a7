"""The command line: one command per tool, and the few around them."""

from collections.abc import Callable, Iterator, Sequence
from typing import Any

from cyclopts import App, CycloptsError, Group

from biofact import __version__
from biofact.core.errors import ToolRef
from biofact.core.usage import PORTS, WrongUsage, cannot_listen
from biofact.interfaces import every_source, sandbox_option, terminal
from biofact.interfaces.cli import example_lines, forms, serve_command, usage_errors
from biofact.interfaces.cli.commands import (
    CHOICES,
    COLUMNS,
    PROVENANCE,
    SANDBOX,
    about,
    add_command,
    source_app,
)
from biofact.interfaces.cli.forms import FILE, FORMAT, SUMMARY_FORMAT
from biofact.interfaces.cli.own_examples import EXAMPLES
from biofact.interfaces.cli.own_options import (
    ACTION,
    CLIENT,
    CONFIGURATION,
    DAYS,
    ENTRY,
    ERA,
    KIND,
    LENIENT,
    NAMES,
    ORGANISM,
    PORT,
    PRINT,
    PROBE,
    QUESTION,
    RECORDINGS,
    REMOVE,
    SCOPES,
    SERVED,
    SHELL,
    TOKEN_ACTION,
    TOKEN_NAME,
    TOP,
    VARIABLES,
)
from biofact.interfaces.listed_commands import ListedCommand
from biofact.interfaces.spelling import Catalog, Spelling, above_sources, command, subcommand

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
        raise usage_errors.wrong_usage(error) from error
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
    for group, commands in OWN.items():
        for place, (name, function) in enumerate(commands.items()):
            made.command(function, name=name, group=group, sort_key=place, **_help(name))
    named = tokens[0] if tokens else ""
    above = _add_above_sources(made, named, catalog)
    if named in above or any(named in commands for commands in OWN.values()):
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
            made.command(BY_HAND[word], name=word, **_help(word), **layout)
        elif word == named:
            add_command(made, _listed(tool.ref, catalog), catalog, **layout)
        else:
            made.command(App(name=word, help=spelling.text(tool.description), **layout))
    return set(tools)


def _listed(ref: ToolRef, catalog: Catalog) -> ListedCommand:
    return next(one for one in catalog.commands(ref.source) if one.ref == ref)


def _help(name: str) -> dict[str, Any]:
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
    from biofact.interfaces.cli.corpus import corpus_app  # noqa: PLC0415  # brings the pipeline along

    return corpus_app(ABOUT_CORPUS)


def _resolve(  # noqa: PLR0913  # its options
    *names: NAMES,
    kind: KIND = None,
    organism: ORGANISM = "human",
    format: FORMAT = None,  # noqa: A002  # as it is typed
    output: FILE = None,
    columns: COLUMNS = None,
    provenance: PROVENANCE = False,
    sandbox: SANDBOX = False,
) -> int:
    """Resolve any number of names or IDs, of any kind, in all databases: a row for each, in order.

    In TSV and CSV a name is one line: its best entity with the ID in each database, `ambiguous_with` what answers the
    name equally well, and `others` the further entities; columns are always the same. JSON lines hold all entities.

    A name that no database knows is an answer. Rows are written as they are known, and what was answered is kept: a
    run that was stopped goes on with the same command. Exits with 1 if any row is an error.
    """
    from biofact.interfaces.cli import resolve_command  # noqa: PLC0415  # help needs none of it

    options = {"format": format, "output": output, "columns": columns, "provenance": provenance}
    return resolve_command.run(names, kind, organism, options, sandbox)


def _install(  # noqa: PLR0913  # its options
    *,
    client: CLIENT,
    name: ENTRY = "biofact",
    source: SERVED = None,
    sandbox: SANDBOX = False,
    env: VARIABLES = None,
    output: CONFIGURATION = None,
    print: PRINT = False,  # noqa: A002  # as it is typed
    remove: REMOVE = False,
) -> int:
    """Set up an MCP client: write an entry that starts biofact into its configuration, or take it out.

    The entry names this installation by its path, so that it works whatever the client's PATH is. All else in the file
    stays as it is, and the file before is kept beside it. `--print` shows the entry; `json` prints one for any client.
    """
    from biofact.interfaces.cli import install_command  # noqa: PLC0415  # help needs none of it

    target = install_command.target(client, name, output)
    wanted = install_command.Wanted(source, sandbox, tuple(env or ()))
    if not remove:
        return install_command.install(target, wanted, prints=print)
    if wanted != install_command.Wanted():
        hint = "Leave out --source, --sandbox and --env."
        raise WrongUsage("--remove takes the entry out, whatever it holds.", hint=hint)
    return install_command.remove(target, prints=print)


def _token(
    action: TOKEN_ACTION,
    name: TOKEN_NAME = None,
    /,
    *,
    scope: SCOPES = None,
    days: DAYS = None,
    format: SUMMARY_FORMAT = None,  # noqa: A002  # as it is typed
) -> None:
    """Add, list or revoke the tokens that let people in at a server over HTTP.

    `add` prints a new token on stdout, once. Only its hash is kept, in the file that BIOFACT_TOKENS names; servers of
    that file know of each change at once.
    """
    from biofact.interfaces.cli import token_command  # noqa: PLC0415  # help needs none of it

    token_command.run(action, name, scope or (), days, format)


def _sandbox(*, port: PORT = 8765, recordings: RECORDINGS = None, era: ERA = None, lenient: LENIENT = False) -> None:
    """Serve stand-ins of the services on this machine, and print the settings that lead to them."""
    import asyncio  # noqa: PLC0415

    from biofact.sandbox import serve as stand_in  # noqa: PLC0415  # not every command needs it

    if port not in PORTS:
        raise WrongUsage(f"{port} is not a port.", hint=f"Ports go from 1 to {PORTS[-1]}; 0 picks a free one.")
    try:
        asyncio.run(stand_in(port, recordings, era, is_lenient=lenient))
    except FileNotFoundError as error:
        hint = "Give --recordings a folder of recordings with its REQUESTS.tsv."
        raise WrongUsage(f"There is no file {str(error.filename)!r}.", hint=hint) from error
    except OSError as error:
        raise cannot_listen(f"port {port}", error) from error


def _demo() -> int:
    """Demonstrate the main job: a real MCP client asks a real server, on the sandbox."""
    import asyncio  # noqa: PLC0415

    from biofact.interfaces.cli import demo  # noqa: PLC0415

    return asyncio.run(demo.run())


def _doctor(
    *,
    probe: PROBE = False,
    sandbox: SANDBOX = False,
    format: SUMMARY_FORMAT = None,  # noqa: A002  # as it is typed
) -> int:
    """Show the installation, each setting with its origin, proxies, budgets, cache, and which services answer.

    Exits with 1 when a service cannot be reached.
    """
    import asyncio  # noqa: PLC0415

    from biofact.interfaces.cli import doctor  # noqa: PLC0415

    if probe:
        terminal.write_json(asyncio.run(doctor.probe(sandbox=sandbox)))
        return 0
    found = asyncio.run(doctor.examine(sandbox=sandbox))
    if forms.summary(format) == "json":
        terminal.write_json(found)
    else:
        doctor.write_tables(found)
    return 1 if any(row["reachable"].startswith("no:") for row in found["services"]) else 0


def _cache(
    action: ACTION,
    /,
    *,
    sandbox: SANDBOX = False,
    format: SUMMARY_FORMAT = None,  # noqa: A002  # as it is typed
) -> None:
    """Show or clear what is kept of earlier answers."""
    import asyncio  # noqa: PLC0415

    from biofact.interfaces.cli import doctor, output  # noqa: PLC0415

    if action == "stats":
        counted = asyncio.run(doctor.cache_stats(sandbox=sandbox))
    else:
        counted = {"forgotten": asyncio.run(doctor.clear_cache(sandbox=sandbox))}
    if forms.summary(format) == "json":
        terminal.write_json(counted)
    else:
        output.write_rows([counted])


def _find(*words: QUESTION, top: TOP = 3, format: FORMAT = None) -> int:  # noqa: A002  # as it is typed
    """Find the commands that answer a question in words, each with a line that is ready to run; needs no network."""
    from biofact.interfaces.cli import find_command  # noqa: PLC0415  # help needs none of it

    return find_command.run(words, format, top, find_command.Finder.of(every_source, own_commands()))


def _completion(shell: SHELL, /) -> None:
    """Print the script with which a shell completes commands, options and their values, for this version of biofact.

    Bash and zsh: add `source <(biofact completion bash)`, or zsh, to the end of ~/.bashrc or ~/.zshrc. It starts Python
    once for each shell; a file that `biofact completion bash` was written to does without.

    Fish: write it to ~/.config/fish/completions/biofact.fish. PowerShell: add
    `biofact completion powershell | Out-String | Invoke-Expression` to the file that $PROFILE names.
    """
    from biofact.interfaces.cli import completion, output  # noqa: PLC0415

    listed = (one for name in every_source.toolsets() for one in every_source.commands(name))
    output.write_line(completion.script(whole_app(), shell, listed))


def own_commands() -> dict[str, Callable[..., object]]:
    """The functions of the commands that are no tool's, by name; those of ``literature`` and ``corpus``, too."""
    own: dict[str, Callable[..., object]] = {name: one for commands in OWN.values() for name, one in commands.items()}
    for name, made in REVIEWERS.items():
        reviewing = made()
        for word in reviewing:
            function = reviewing[word].default_command
            if function is not None and not word.startswith("-"):
                own[f"{name} {word}"] = function
    return own


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


OWN: dict[Group, dict[str, Callable[..., int | None]]] = {
    SERVING: {"serve": serve_command.serve, "install": _install, "token": _token, "sandbox": _sandbox, "demo": _demo},
    KEEPING: {"doctor": _doctor, "cache": _cache},
    LEARNING: {"find": _find, "completion": _completion},
}
REVIEWERS: dict[str, Callable[[], App]] = {LITERATURE: _literature, CORPUS: _corpus}
"""Groups of commands around the literature pipeline."""
BY_HAND: dict[str, Callable[..., int]] = {"resolve": _resolve}
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
