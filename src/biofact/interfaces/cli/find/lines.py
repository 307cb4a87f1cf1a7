"""A command line for a question: with its own words where they belong, if that is safe; else an example."""

import re
from collections.abc import Iterator, Sequence

from biofact.interfaces.cli.example_lines import command_line, shown
from biofact.interfaces.cli.find.documents import takes_words, words
from biofact.interfaces.cli.find.index import Index, ids_in
from biofact.interfaces.cli.find.synonyms import FORMS
from biofact.interfaces.listing import ListedArgument, ListedCommand
from biofact.interfaces.spelling import command

_GOAL = "research_goal"
_FORMS = tuple(map(re.compile, FORMS))
_UNSAFE = ("-", "@")
"""What would make a word an option or a file."""


def line(listed: ListedCommand, question: str, index: Index) -> str:
    """The command line for a question."""
    required = [parameter for parameter in listed.parameters if parameter.is_required]
    if len(required) == 1:
        found = [word for word in _found(required[0], listed, question, index) if not word.startswith(_UNSAFE)]
        if found:
            return command_line(listed, {required[0].name: _joined(required[0], found)})
    return shown(listed) or command(listed.ref)


def _found(parameter: ListedArgument, listed: ListedCommand, question: str, index: Index) -> Sequence[str]:
    """The words of the question that an argument takes; none where that is not plain."""
    if parameter.name == _GOAL:
        return [" ".join(question.split())]
    if parameter.pattern is not None:
        return ids_in(question, parameter.pattern)
    if not takes_words(parameter):
        return []
    if any(form.search(question) for form in _FORMS):
        return list(_like_examples(listed, question))
    names = index.names(question)
    return names if " ".join(names) in " ".join(question.split()) else []  # names apart from each other are not one


def _like_examples(listed: ListedCommand, question: str) -> Iterator[str]:
    """The IDs of forms that the command's examples have."""
    shown = " ".join(words(listed.examples))
    for form in _FORMS:
        if form.search(shown):
            yield from (found[0] for found in form.finditer(question))


def _joined(parameter: ListedArgument, found: Sequence[str]) -> str | list[str]:
    if parameter.is_list:
        return list(found)
    return found[0] if parameter.pattern is not None else " ".join(found)
