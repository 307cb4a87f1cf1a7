"""``biofact find WORDS``: the commands that answer a question in words, ranked by BM25F. Offline; imports no source.

A command is a document: its name, its help, its arguments, its examples, and typical questions (find_questions.tsv).
Words are compared without endings, under one name for all synonyms (find_synonyms.tsv).
"""

import csv
import difflib
import functools
import inspect
import json
import math
import re
import string
import sys
import unicodedata
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, field, fields
from pathlib import Path

from biofact.core.usage import WrongUsage
from biofact.interfaces import terminal
from biofact.interfaces.cli.example_lines import EXAMPLES, command_line, example_line
from biofact.interfaces.cli.options import Form
from biofact.interfaces.listing import ListedArgument, ListedCommand
from biofact.interfaces.spelling import Catalog, Spelling, command

BuiltinFunctions = Mapping[str, Callable[..., object]]
"""The commands of no tool, by name, each the function that runs it."""

# Weights and factors were fitted on find_questions.tsv, each question to an index without it.
NAME, MEANING, SUMMARY, ARGUMENTS, FACTS, REST = 6.0, 2.0, 0.5, 0.25, 0.4, 0.1
"""Weights of a command's texts."""
_QUESTION_WEIGHT = 1.5
_EXAMPLE_WEIGHT = 1.5
_SATURATION = 6.0  # BM25's k1: how soon more of the same term stops to count
_LENGTH = 0.5  # BM25's b: how much long documents are held back
_FITTING_INPUT = 1.15  # for a command that takes what the question names: words, or an ID of its form
_BATCH_FOR_SEVERAL = 1.3  # for a batch command, where the question is about several
_BATCH_FOR_ONE = 0.6  # for a batch command, where the question is about one
_BATCH_TERM = "batch"
_TYPO_LIKENESS = 0.85  # from which an unknown term is read as a known one
_SHORTEST_TYPO = 5  # letters; shorter words that are alike are other words

_GOAL = "research_goal"
_UNSAFE = ("-", "@")
"""First characters that would make a word an option or a file."""

STOP_WORDS = frozenset(
    re.findall(
        r"\w+",
        """
    a about after again all also am an and any are as at be been but by can could did do does doing each for from
    get give given gives had has have having here how i if in into is it its itself just know like look looking make
    many me more most much my need needs of on one only or other our out called named please same see should show
    shows so some such tell than that the their them then there these they this those through to too up us use used
    uses using very want was we were what whats when where which who whose why will with within would you your
    """,
    )
)
ID_MEANINGS = {
    r"(?<![\w:.-])\d{2,3}(?= [A-Za-z])": "batch",
    r"\brs\d+\b": "variant",
    r"\bNC_\d+\.\d+:\S+": "variant",
    r"\bHGNC:\d+\b": "hgnc gene",
    r"\bENS[A-Z]*G\d+(?:\.\d+)?\b": "ensembl gene",
    r"\bENS[A-Z]*T\d+(?:\.\d+)?\b": "ensembl transcript",
    r"\bENS[A-Z]*P\d+(?:\.\d+)?\b": "ensembl protein",
    r"\bNCBIGene:\d+\b": "entrez gene",
    r"\bCHEMBL:?\d+\b": "chembl compound",
    r"\bPMID:?\s?\d+\b": "pmid article",
    r"\b(?:chr)?(?:\d{1,2}|[XYM]|MT)[:-]\d[\d,]*(?:-\d[\d,]*)?\b": "region",
    r"\b(?:MONDO|EFO|HP|GO|Orphanet|UBERON|CL|CHEBI|DOID)[:_]\d+\b": "term",
    r"\bUniProtKB:\w+\b": "uniprot protein",
}
"""The meaning of an ID by its form; a number before a word ("200 genes") stands for a batch."""
_ID_PATTERNS = tuple(map(re.compile, ID_MEANINGS))
_ANY_ID = re.compile("|".join(f"({form})" for form in ID_MEANINGS))
_MEANINGS = tuple(ID_MEANINGS.values())
_WORD = re.compile(r"[a-z0-9]+")
_ENDINGS = {
    "ations": "at",
    "ation": "at",
    "ments": "",
    "ology": "olog",
    "ively": "",
    "ities": "",
    "ally": "",
    "ical": "ic",
    "ions": "",
    "ings": "",
    "ment": "",
    "ies": "y",
    "ers": "",
    "ing": "",
    "ion": "",
    "ity": "",
    "ive": "",
    "ory": "",
    "al": "",
    "ed": "",
    "er": "",
    "es": "",
    "ly": "",
    "e": "",
    "s": "",
}
"""Endings, the longer ones first, and what takes their place."""
_WITHOUT_ENDING = ("ss", "us", "is")
_SHORTEST_STEM = 3
_AMERICAN = (("isation", "ization"), ("ise", "ize"), ("our", "or"), ("ogue", "og"), ("aem", "em"), ("oe", "e"))
"""British spellings within a word, and the American ones."""


@dataclass(frozen=True, slots=True)
class Answer:
    """A command that may answer a question."""

    command: str
    meaning: str
    example: str
    """Ready to run: with the words of the question where they belong, if that is safe."""


def run(words: Sequence[str], form: Form | None, top: int, finder: "Finder") -> int:
    """Write the commands that answer a question, best first; the exit code.

    Raises:
        WrongUsage: there are no words.
    """
    question = " ".join(" ".join(words).split())
    if not question:
        raise WrongUsage("There is no question.", hint="Write what you look for, such as: orthologs of p53 in mouse.")
    _write(finder.answers(question)[:top], form or ("table" if sys.stdout.isatty() else "jsonl"))
    return 0


def _write(answers: Sequence[Answer], form: Form) -> None:
    if form == "table":
        _write_blocks(answers)
        return
    from biofact.interfaces.cli.rows import PlainLayout  # noqa: PLC0415  # a table needs no records
    from biofact.interfaces.cli.writers import Target, open_destination, row_writer  # noqa: PLC0415

    target = Target(form)
    with open_destination(target) as destination:
        writer = row_writer(PlainLayout(tuple(column.name for column in fields(Answer))), target, destination)
        writer.write([asdict(answer) for answer in answers])
        writer.end()


def _write_blocks(answers: Sequence[Answer]) -> None:
    """Each command with its meaning and, on a line of its own to be copied, its example."""
    from rich.padding import Padding  # noqa: PLC0415  # only a terminal needs it
    from rich.text import Text  # noqa: PLC0415

    console = terminal.console()
    for answer in answers:
        console.print(Text(terminal.plain(answer.command), style="bold"))
        console.print(Padding(Text(terminal.plain(answer.meaning)), (0, 0, 0, 2)))
        console.print(Text(f"  $ {terminal.plain(answer.example)}", style="cyan"), soft_wrap=True)


@dataclass(frozen=True, slots=True)
class Finder:
    """All commands as an index that can be searched."""

    spelling: Spelling
    tool_commands: Mapping[str, ListedCommand]
    """By name, as are the others."""
    builtin: BuiltinFunctions
    index: "Index"

    @classmethod
    def of(cls, catalog: Catalog, builtin: BuiltinFunctions) -> "Finder":
        """The finder of a catalog's commands and the built-in ones."""
        titles = {name: catalog.listing(name).title for name in catalog.toolsets()}
        tools = {_command_name(entry): entry for name in titles for entry in catalog.commands(name)}
        documents = [tool_document(entry, titles[entry.ref.source]) for entry in tools.values()]
        documents += [builtin_document(name, function) for name, function in builtin.items()]
        return cls(Spelling(catalog, command), tools, builtin, Index(tuple(documents)))

    def answers(self, question: str) -> list[Answer]:
        """The commands that match a question, best first.

        A question of nothing but names gets the commands that take names of any kind.
        """
        ranked = [name for name, _ in self.index.ranked(question)]
        takers = (document.command for document in self.index.documents if document.takes_words)
        return [self._answer(name, question) for name in ranked or takers]

    def _answer(self, name: str, question: str) -> Answer:
        if name in self.builtin:
            meaning = short_meaning(self.builtin[name].__doc__ or "")
            return Answer(f"biofact {name}", meaning, EXAMPLES.get(name, (f"biofact {name} --help",))[0])
        entry = self.tool_commands[name]
        meaning = self.spelling.text(short_meaning(entry.description))
        return Answer(f"biofact {name}", meaning, line_for(entry, question, self.index))


def _command_name(entry: ListedCommand) -> str:
    return command(entry.ref).removeprefix("biofact ")


def line_for(entry: ListedCommand, question: str, index: "Index") -> str:
    """A command line with the question's own words where they belong, if that is safe; else an example."""
    required = [parameter for parameter in entry.parameters if parameter.is_required]
    if len(required) == 1:
        (parameter,) = required
        words = [word for word in _words_for(parameter, entry, question, index) if not word.startswith(_UNSAFE)]
        if words:
            return command_line(entry, {parameter.name: _value(parameter, words)})
    return example_line(entry) or command(entry.ref)


def _words_for(parameter: ListedArgument, entry: ListedCommand, question: str, index: "Index") -> Sequence[str]:
    """The words of the question that an argument takes; none where that is not plain."""
    if parameter.name == _GOAL:
        return [" ".join(question.split())]
    if parameter.pattern is not None:
        return ids_in(question, parameter.pattern)
    if not takes_words(parameter):
        return []
    if any(pattern.search(question) for pattern in _ID_PATTERNS):
        return list(_ids_like_examples(entry, question))
    names = index.names(question)
    return names if " ".join(names) in " ".join(question.split()) else []  # names apart from each other are not one


def _ids_like_examples(entry: ListedCommand, question: str) -> Iterator[str]:
    """The question's IDs of the forms that the command's examples have."""
    examples = " ".join(example_words(entry.examples))
    for pattern in _ID_PATTERNS:
        if pattern.search(examples):
            yield from (match[0] for match in pattern.finditer(question))


def _value(parameter: ListedArgument, words: Sequence[str]) -> str | list[str]:
    if parameter.is_list:
        return list(words)
    return words[0] if parameter.pattern is not None else " ".join(words)


@dataclass(frozen=True, slots=True)
class Document:
    """One command as texts to be searched."""

    command: str
    parts: Sequence[tuple[float, str]]
    """Texts with the weights of their words."""
    questions: Sequence[str] = ()
    """Typical questions that it answers."""
    names: str = ""
    """Names of things in its examples: a question may have any other in their place."""
    takes_words: bool = False
    pattern: str | None = None
    """The form of the IDs that it takes."""
    is_batch: bool = False
    """Whether it takes many at once, where another command takes one."""


def tool_document(entry: ListedCommand, title: str) -> Document:
    """The document of a tool's command. ``title`` is the source's."""
    name = _command_name(entry)
    summary, _, rest = entry.description.partition("\n\n")
    sentence = first_sentence(summary)
    subject = next((parameter for parameter in entry.parameters if parameter.is_required), None)
    return Document(
        name,
        (
            (NAME, f"{title} {name}"),
            (MEANING, sentence),
            (SUMMARY, summary.removeprefix(sentence)),
            (ARGUMENTS, "\n".join(map(_argument_text, entry.parameters))),
            (FACTS, "\n".join(f"{field_name} {text}" for field_name, text in entry.facts.items())),
            (REST, re.split(r"\n(?:Raises|Source):", rest)[0]),
        ),
        questions=tuple(_typical_questions().get(name, ())),
        names="\n".join(" ".join(example_words(list(example.values()))) for example in entry.examples),
        takes_words=subject is not None and takes_words(subject),
        pattern=None if subject is None else subject.pattern,
        is_batch=entry.ref.method.endswith("_batch"),
    )


def builtin_document(name: str, function: Callable[..., object]) -> Document:
    """The document of a built-in command, from its help and that of its options."""
    text = inspect.getdoc(function) or ""
    sentence = first_sentence(text)
    options = "\n".join(_option_texts(function))
    parts = ((NAME, name), (MEANING, sentence), (SUMMARY, text.removeprefix(sentence)), (ARGUMENTS, options))
    return Document(name, parts, questions=tuple(_typical_questions().get(name, ())))


def _argument_text(argument: ListedArgument) -> str:
    schema = argument.schema
    values = schema.get("enum") or schema.get("items", {}).get("enum") or ()
    return " ".join((argument.name.replace("_", " "), schema.get("description", ""), *map(str, values)))


def _option_texts(function: Callable[..., object]) -> Iterator[str]:
    for name, parameter in inspect.signature(function).parameters.items():
        helps = (getattr(option, "help", None) for option in getattr(parameter.annotation, "__metadata__", ()))
        yield " ".join((name.replace("_", " "), *filter(None, helps)))


def short_meaning(text: str) -> str:
    """The meaning of a command in one line: its first sentence up to a colon or semicolon."""
    return f"{re.split(r'[:;] ', first_sentence(text))[0].rstrip('.')}."


def first_sentence(text: str) -> str:
    """The first sentence, on one line."""
    return " ".join(re.split(r"(?<=[.])\s+(?=[A-Z`])|\n\n", text.strip())[0].split())


def takes_words(argument: ListedArgument) -> bool:
    """Whether an argument takes names as people write them."""
    schema = argument.schema.get("items", argument.schema)
    return argument.pattern is None and schema.get("type") == "string" and "enum" not in schema


def example_words(value: object) -> Iterator[str]:
    """The words in a call's arguments."""
    return iter(re.findall(r"[\w:.-]+", json.dumps(value, ensure_ascii=False)))


def ids_in(question: str, pattern: str | None) -> list[str]:
    """The words of the question that are IDs of a form."""
    words = (word.strip(string.punctuation) for word in question.split())
    return [] if pattern is None else [word for word in words if re.fullmatch(pattern, word)]


@dataclass(slots=True)
class Index:
    """BM25 over texts of different weight (BM25F)."""

    documents: tuple[Document, ...]
    counts: dict[str, dict[str, float]] = field(default_factory=dict)
    """The weighted count of each term, by command."""
    document_frequencies: Counter[str] = field(default_factory=Counter)
    vocabulary: set[str] = field(default_factory=set)
    """The terms that are no names of things."""

    def __post_init__(self) -> None:
        example_terms, question_terms = set[str](), set[str]()
        for document in self.documents:
            counts = self.counts[document.command] = defaultdict[str, float](float)
            for weight, text in document.parts:
                self.vocabulary |= _add(counts, weight, text)
            question_terms |= _add(counts, _QUESTION_WEIGHT, "\n".join(document.questions))
            example_terms |= _add(counts, _EXAMPLE_WEIGHT, document.names)
            self.document_frequencies.update(counts.keys())
        # a term of typical questions that stands in an example, too, is the name of a thing
        self.vocabulary |= question_terms - example_terms

    def ranked(self, question: str) -> list[tuple[str, float]]:
        """The commands that hold a term of the question, with their scores, best first."""
        query = set(self._without_typos(terms(question)))
        average = sum(sum(counts.values()) for counts in self.counts.values()) / max(len(self.counts), 1)
        scores = {
            document.command: self._fit(document, question, query)
            * self._score(query, self.counts[document.command], average)
            for document in self.documents
        }
        hits = ((name, score) for name, score in scores.items() if score > 0)
        return sorted(hits, key=lambda hit: -hit[1])

    def names(self, question: str) -> list[str]:
        """The words of the question that stand in no command's text, as they are written: names of things."""
        words = (word.strip(string.punctuation) for word in question.split())
        return [
            word
            for word in words
            if (word_terms := terms(word)) and self.vocabulary.isdisjoint(self._without_typos(word_terms))
        ]

    def _fit(self, document: Document, question: str, query: Iterable[str]) -> float:
        """A factor for commands that take the question's input: words, an ID of their form, or many IDs."""
        ids = ids_in(question, document.pattern)
        fit = _FITTING_INPUT if ids or (document.takes_words and self.names(question)) else 1.0
        if document.is_batch:
            fit *= _BATCH_FOR_SEVERAL if len(ids) > 1 or _BATCH_TERM in query else _BATCH_FOR_ONE
        return fit

    def _score(self, query: Iterable[str], counts: Mapping[str, float], average: float) -> float:
        length_factor = _SATURATION * (1 - _LENGTH + _LENGTH * sum(counts.values()) / average)
        matches = ((self._rarity(term), counts[term]) for term in query if term in counts)
        return sum(rarity * count * (_SATURATION + 1) / (count + length_factor) for rarity, count in matches)

    def _rarity(self, term: str) -> float:
        """Inverse document frequency."""
        frequency = self.document_frequencies[term]
        return math.log(1 + (len(self.counts) - frequency + 0.5) / (frequency + 0.5))

    def _without_typos(self, query: Iterable[str]) -> Iterator[str]:
        """The terms; one that no document holds becomes the one that it is a slip of, if there is one."""
        for term in query:
            if term in self.document_frequencies or len(term) < _SHORTEST_TYPO:
                yield term
            else:
                yield from difflib.get_close_matches(term, self.document_frequencies, n=1, cutoff=_TYPO_LIKENESS) or [
                    term
                ]


def _add(counts: dict[str, float], weight: float, text: str) -> set[str]:
    """Count the terms of a text; returns them."""
    text_terms = terms(text)
    for term in text_terms:
        counts[term] += weight
    return set(text_terms)


def terms(text: str) -> list[str]:
    """The stems of a text's words, in order, with synonyms and IDs under one name; stop words are left out."""
    text = _ANY_ID.sub(_id_meaning, unicodedata.normalize("NFKC", text))
    words = _WORD.findall(text.lower())
    return [stem(word) for word in _without_synonyms(words) if word not in STOP_WORDS]


def _id_meaning(match: re.Match[str]) -> str:
    return f" {_MEANINGS[(match.lastindex or 1) - 1]} "  # a group for each form


def _without_synonyms(words: Sequence[str]) -> Iterator[str]:
    """The words, with the one name of a thing in place of its synonyms."""
    position = 0
    while position < len(words):
        name, length = next(_synonyms_at(words, position), (words[position : position + 1], 1))
        yield from name
        position += length


def _synonyms_at(words: Sequence[str], position: int) -> Iterator[tuple[Sequence[str], int]]:
    """The name of a phrase that begins at a position, and how many words the phrase has; the longest first."""
    for first in (words[position], words[position].removesuffix("s")):
        for phrase, name in _synonyms().get(first, ()):
            end = position + len(phrase)
            if phrase[1:-1] == tuple(words[position + 1 : end - 1]) and words[end - 1 : end] in (
                [phrase[-1]],
                [f"{phrase[-1]}s"],
            ):
                yield name, len(phrase)


@functools.lru_cache(8192)
def stem(word: str) -> str:
    """A word without its ending, as Americans write it."""
    for british, american in _AMERICAN:
        word = word.replace(british, american) if len(word) > len(british) + 1 else word
    return _without_ending(_without_ending(word))  # twice: measurements leaves measure, which has an ending too


def _without_ending(word: str) -> str:
    if word.endswith(_WITHOUT_ENDING):
        return word
    endings = (ending for ending in _ENDINGS if word.endswith(ending) and len(word) - len(ending) >= _SHORTEST_STEM)
    ending = next(endings, "")
    return word.removesuffix(ending) + _ENDINGS.get(ending, "")


@functools.cache
def _synonyms() -> Mapping[str, Sequence[tuple[tuple[str, ...], Sequence[str]]]]:
    """Phrases with the name that stands for them, by their first word, the longest first."""
    names = {phrase: row["name"] for row in _table("find_synonyms.tsv") for phrase in row["phrases"].split(", ")}
    synonyms = defaultdict[str, list[tuple[tuple[str, ...], Sequence[str]]]](list)
    for phrase, name in sorted(names.items(), key=lambda pair: -len(pair[0])):
        words = tuple(_WORD.findall(phrase))
        synonyms[words[0]].append((words, _WORD.findall(name.lower())))
    return synonyms


@functools.cache
def _typical_questions() -> Mapping[str, Sequence[str]]:
    """Typical questions by the commands that answer them."""
    questions = defaultdict[str, list[str]](list)
    for row in _table("find_questions.tsv"):
        for name in row["commands"].split(","):
            questions[name].append(row["question"])
    return questions


def _table(name: str) -> list[dict[str, str]]:
    with Path(__file__).with_name(name).open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file, delimiter="\t", quoting=csv.QUOTE_NONE))
