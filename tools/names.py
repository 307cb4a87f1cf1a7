"""Holds names, docstrings and comments to the words of the field.

``python tools/names.py [--list] [PATH ...]``. Three checks: refused words as parts of names, names that are a pronoun,
adverb, preposition or bare participle, and refused phrases in docstrings and comments. ``words.toml`` has the words
and phrases, ``pyproject.toml`` under ``[tool.biofact.names]`` how many of each kind a tree may have; without a number
there, none. ``--list`` prints each finding (below the paths, if there are any), then their number by folder and kind.
"""

import ast
import io
import re
import sys
import tokenize
import tomllib
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import NamedTuple, Self

ROOT = Path(__file__).parents[1]
TREES = {"src": ("src",), "tests": ("tests",), "tools": ("tools", "benchmarks")}
_GENERATED = "src/biofact/sync/"
"""Docstrings in it are copies."""
_SCOPES = ast.Module | ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef | ast.Lambda
_FUNCTIONS = ast.FunctionDef | ast.AsyncFunctionDef
_NAME_HOLDERS = _FUNCTIONS | ast.ClassDef | ast.ExceptHandler | ast.MatchAs | ast.MatchStar
_DOCSTRING_HOLDERS = ast.Module | _FUNCTIONS | ast.ClassDef
_PART = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+")
_PARTICIPLE = re.compile("[a-z]{2,}(?:ed|ing)")


class Finding(NamedTuple):
    """A name, or an excerpt of a text, that a check refuses."""

    place: str
    line: int
    kind: str
    text: str

    @property
    def folder(self) -> str:
        """At most three levels: ``src/biofact/core``."""
        return "/".join(self.place.split("/")[:-1][:3])


class Text(NamedTuple):
    """A docstring or comment, in one line."""

    line: int
    text: str


@dataclass(frozen=True)
class Words:
    """The words and phrases that the checks refuse."""

    refused_words: frozenset[str]
    vague: frozenset[str]
    participles: frozenset[str]
    terms: frozenset[str]
    after_participles: frozenset[str]
    beginnings: frozenset[str]
    endings: frozenset[str]
    claims: frozenset[str]
    phrases: dict[str, re.Pattern[str]]

    @classmethod
    def load(cls, path: Path, refused_words: list[str]) -> Self:
        """The words of the file, and those that are no part of any name."""
        table = tomllib.loads(path.read_text("utf-8"))
        phrases = {phrase["kind"]: re.compile(phrase["pattern"]) for phrase in table.pop("phrases")}
        sets = {name: frozenset(words.split()) for name, words in table.items()}
        vague = sets.pop("pronouns") | sets.pop("adverbs")
        return cls(refused_words=frozenset(refused_words), vague=vague, phrases=phrases, **sets)

    def is_participle(self, word: str) -> bool:
        """Whether a word is a participle, and neither a noun nor a term."""
        return word in self.participles or (word not in self.terms and bool(_PARTICIPLE.fullmatch(word)))

    def is_vague(self, name: str, *, is_function: bool = False) -> bool:
        """Whether a name says nothing of the thing: ``one``, ``made_by``, ``rows_of_others``, ``test_what_is_old``."""
        parts = [] if name.startswith("__") else _parts(name.removeprefix("test_"))
        match parts:
            case ["read"]:
                return not is_function
            case [word]:
                return word in self.vague or self.is_participle(word)
            case [first, last] if last in self.after_participles and self.is_participle(first):
                return True
            case [first, *_, last] if first not in self.claims:
                return first in self.beginnings or last in self.endings
        return False


@dataclass
class Check:
    """Checks files, and counts the names of each."""

    words: Words
    names: Counter[str] = field(default_factory=Counter)

    def findings(self, path: Path) -> Iterator[Finding]:
        """All findings in one file."""
        place, source = path.relative_to(ROOT).as_posix(), path.read_text("utf-8")
        tree = ast.parse(source)
        for name, (line, is_function) in _all_names(path, tree):
            self.names[place] += 1
            if self.words.refused_words.intersection(_parts(name)):
                yield Finding(place, line, "refused", name)
            if self.words.is_vague(name, is_function=is_function):
                yield Finding(place, line, "vague", name)
        texts = () if place.startswith(_GENERATED) else (*_docstrings(tree), *_comments(source))
        for line, text in texts:
            for kind, pattern in self.words.phrases.items():
                if match := pattern.search(text):
                    yield Finding(place, line, kind, text[max(0, match.start() - 20) : match.end() + 50])


def main(arguments: list[str]) -> int:
    """Print what is wrong; 1 if anything is."""
    settings = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["tool"]["biofact"]["names"]
    words = Words.load(ROOT / "tools" / "words.toml", settings["refused"])
    is_list, paths = "--list" in arguments, tuple(path for path in arguments if path != "--list")
    breaches: list[str] = []
    for tree, folders in TREES.items():
        check = Check(words)
        files = [path for folder in folders for path in sorted((ROOT / folder).rglob("*.py"))]
        findings = [finding for path in files for finding in check.findings(path)]
        if is_list:
            _print_list(tree, check, findings, paths)
        caps = settings.get("most", {}).get(tree, {})
        breaches += (f"{tree}: {breach}" for breach in _breaches(check, findings, caps))
    for breach in breaches:
        print(breach)
    if breaches:
        print("See CONTRIBUTING.md, Glossary; python tools/names.py --list PATH shows the places.")
    return 1 if breaches else 0


def _breaches(check: Check, findings: list[Finding], caps: dict[str, float]) -> Iterator[str]:
    counts = Counter(finding.kind for finding in findings)
    share = 100 * counts.pop("vague", 0) / max(check.names.total(), 1)
    if share > caps.get("vague-per-cent", 0):
        yield f"{share:.2f} % of the names are vague, at most {caps.get('vague-per-cent', 0)} % may be"
    for kind, count in sorted(counts.items()):
        if count > caps.get(kind, 0):
            yield f"{count} x {kind}, at most {caps.get(kind, 0)}"


def _print_list(tree: str, check: Check, findings: list[Finding], paths: tuple[str, ...]) -> None:
    """Print the findings below the paths, their number by folder and kind, and the share of vague names there."""
    listed_findings = [finding for finding in findings if finding.place.startswith(paths or "")]
    for place, line, kind, text in listed_findings:
        print(f"{place}:{line}: {kind}: {text}")
    for (folder, kind), count in sorted(Counter((finding.folder, finding.kind) for finding in listed_findings).items()):
        print(f"{folder}: {count} x {kind}")
    if names := sum(count for place, count in check.names.items() if place.startswith(paths or "")):
        share = 100 * sum(finding.kind == "vague" for finding in listed_findings) / names
        print(f"{tree}: {names} names, {share:.2f} % vague")


def _all_names(path: Path, tree: ast.Module) -> Iterator[tuple[str, tuple[int, bool]]]:
    """The file's own name, and each name once for each scope that binds it."""
    yield path.stem, (1, False)
    for scope in ast.walk(tree):
        if isinstance(scope, _SCOPES):
            yield from sorted(_bound(scope).items())


def _bound(scope: ast.AST) -> dict[str, tuple[int, bool]]:
    """The names that a scope binds: the line of the first, and whether it names a function."""
    names: dict[str, tuple[int, bool]] = {}
    queue = list(ast.iter_child_nodes(scope))
    while queue:
        node = queue.pop()
        name = _name(node)
        if name is not None:
            names.setdefault(name, (getattr(node, "lineno", 1), isinstance(node, _FUNCTIONS)))
        if not isinstance(node, _SCOPES):
            queue += ast.iter_child_nodes(node)
    return names


def _name(node: ast.AST) -> str | None:
    """The name that a node binds; None for one that binds none."""
    if isinstance(node, _NAME_HOLDERS):
        return node.name
    match node:
        case ast.Name(ctx=ast.Store()):
            return node.id
        case ast.Attribute(ctx=ast.Store()):
            return node.attr
        case ast.arg():
            return node.arg
        case ast.alias():
            return node.asname
    return None


def _parts(name: str) -> list[str]:
    return [part.lower() for part in _PART.findall(name)]


def _docstrings(tree: ast.Module) -> Iterator[Text]:
    """Texts that stand as statements, those below attributes too; without tools', which are for agents."""
    for node in ast.walk(tree):
        if not isinstance(node, _DOCSTRING_HOLDERS) or _is_tool(node):
            continue
        for statement in node.body:
            match statement:
                case ast.Expr(value=ast.Constant(value=str(text))):
                    yield Text(statement.lineno, " ".join(text.split()))


def _is_tool(node: ast.AST) -> bool:
    marks = node.decorator_list if isinstance(node, _FUNCTIONS) else ()
    return any(re.match(r"tool\b", ast.unparse(mark)) for mark in marks)


def _comments(source: str) -> Iterator[Text]:
    """Comments, those of several lines as one text."""
    lines: list[Text] = []
    for token in tokenize.generate_tokens(io.StringIO(source).readline):
        if token.type == tokenize.COMMENT:
            text = token.string.lstrip("# ")
            if lines and token.start[0] == lines[-1].line + 1 and token.line.lstrip().startswith("#"):
                lines[-1] = Text(token.start[0], f"{lines[-1].text} {text}")
            else:
                lines.append(Text(token.start[0], text))
    yield from lines


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
