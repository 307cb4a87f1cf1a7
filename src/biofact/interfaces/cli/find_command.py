"""``biofact find WORDS``: which command answers a question in words. Offline; imports no source."""

import sys
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass, fields

from biofact.core.usage import WrongUsage
from biofact.interfaces import terminal
from biofact.interfaces.cli.example_lines import EXAMPLES
from biofact.interfaces.cli.find import documents, lines
from biofact.interfaces.cli.find.index import Index
from biofact.interfaces.cli.options import Form
from biofact.interfaces.listing import ListedCommand
from biofact.interfaces.spelling import Catalog, Spelling, command

OwnCommands = Mapping[str, Callable[..., object]]
"""The commands of no tool, by name, each the function that runs it."""


@dataclass(frozen=True, slots=True)
class Answer:
    """A command that may answer a question."""

    command: str
    meaning: str
    example: str
    """Ready to run: with the words of the question where they belong, if that is safe."""


@dataclass(frozen=True, slots=True)
class Finder:
    """All commands, ready to be asked for."""

    spelling: Spelling
    listed: Mapping[str, ListedCommand]
    """The commands of tools, by name."""
    own: OwnCommands
    index: Index

    @classmethod
    def of(cls, catalog: Catalog, own: OwnCommands) -> "Finder":
        """The commands of a catalog and those of no tool."""
        titles = {name: catalog.listing(name).title for name in catalog.toolsets()}
        listed = {_name(one): one for name in titles for one in catalog.commands(name)}
        of_tools = (documents.of_tool(one, titles[one.ref.source]) for one in listed.values())
        of_none = (documents.of_own(name, function) for name, function in own.items())
        return cls(Spelling(catalog, command), listed, own, Index((*of_tools, *of_none)))

    def answers(self, question: str) -> list[Answer]:
        """The commands that have to do with a question, best first.

        A question of names alone is one for the commands that take names of any kind.
        """
        ranked = [name for name, _ in self.index.ranked(question)]
        takers = (document.command for document in self.index.documents if document.takes_words)
        return [self._answer(name, question) for name in ranked or takers]

    def _answer(self, name: str, question: str) -> Answer:
        if name in self.own:
            meaning = documents.meaning(self.own[name].__doc__ or "")
            return Answer(f"biofact {name}", meaning, EXAMPLES.get(name, (f"biofact {name} --help",))[0])
        listed = self.listed[name]
        meaning = self.spelling.text(documents.meaning(listed.description))
        return Answer(f"biofact {name}", meaning, lines.line(listed, question, self.index))


def run(words: Sequence[str], form: Form | None, top: int, finder: Finder) -> int:
    """Write the commands that answer a question, best first; the exit code.

    Raises:
        WrongUsage: there are no words.
    """
    question = " ".join(" ".join(words).split())
    if not question:
        raise WrongUsage("There is no question.", hint="Write what you look for, such as: orthologs of p53 in mouse.")
    _write(finder.answers(question)[:top], form or ("table" if sys.stdout.isatty() else "jsonl"))
    return 0


def _name(listed: ListedCommand) -> str:
    return command(listed.ref).removeprefix("biofact ")


def _write(found: Sequence[Answer], form: Form) -> None:
    if form == "table":
        _write_blocks(found)
        return
    from biofact.interfaces.cli.rows import PlainLayout  # noqa: PLC0415  # a table needs no records
    from biofact.interfaces.cli.writers import (  # noqa: PLC0415
        Target,
        row_writer,
        text_writer,
    )

    target = Target(form)
    with text_writer(target) as write_text:
        writer = row_writer(PlainLayout(tuple(field.name for field in fields(Answer))), target, write_text)
        writer.write([asdict(answer) for answer in found])
        writer.end()


def _write_blocks(found: Sequence[Answer]) -> None:
    """Each command with its meaning and, on a line of its own to be copied, its example."""
    from rich.padding import Padding  # noqa: PLC0415  # only a terminal needs it
    from rich.text import Text  # noqa: PLC0415

    console = terminal.console()
    for answer in found:
        console.print(Text(terminal.plain(answer.command), style="bold"))
        console.print(Padding(Text(terminal.plain(answer.meaning)), (0, 0, 0, 2)))
        console.print(Text(f"  $ {terminal.plain(answer.example)}", style="cyan"), soft_wrap=True)
