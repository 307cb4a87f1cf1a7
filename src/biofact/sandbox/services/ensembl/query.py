"""EBI Search's query language: words, phrases, wildcards, AND, OR, NOT, parentheses, and ``TAXONOMY:9606``.

Rules: https://www.ebi.ac.uk/ebisearch/documentation (query syntax), which follows Lucene's; NOT binds tightest, then
AND, which also stands between words without an operator, then OR.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass

from biofact.sandbox.word_index import words

_TOKEN = re.compile(
    r'\s+|(?P<bracket>[()])|(?P<field>[A-Za-z_][\w.]*):(?=[^\s])|"(?P<phrase>[^"]*)"|(?P<minus>[-!](?=\S))'
    r'|(?P<word>[^\s()":]+)|(?P<other>.)',
    re.DOTALL,
)
_OPERATORS = {"AND", "OR", "NOT"}
_UNREAD = re.compile(r"[\[\]{}^~\\]")
_PIECE = re.compile(r"[^\W_*?]+(?:[*?]+[^\W_*?]*)*|[*?][\w*?]*")
_DEEPEST = 50


class QueryError(Exception):
    """A query that cannot be read."""


@dataclass(frozen=True, slots=True)
class PhraseClause:
    """Words side by side, in lower case; a lone word is a phrase of one. Wildcards stand in them as written."""

    words: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class TaxonClause:
    """Everything of one taxon."""

    taxon_id: int


@dataclass(frozen=True, slots=True)
class Not:
    """Everything but these."""

    node: "Node"


@dataclass(frozen=True, slots=True)
class All:
    """What all of the nodes have."""

    nodes: tuple["Node", ...]


@dataclass(frozen=True, slots=True)
class Either:
    """What any of the nodes has."""

    nodes: tuple["Node", ...]


Node = PhraseClause | TaxonClause | Not | All | Either


@dataclass(frozen=True, slots=True)
class _QueryToken:
    kind: str
    """``word``, ``phrase``, ``field``, or the bracket or operator itself."""
    text: str = ""


def parsed(query: str) -> Node:
    """The query as a tree.

    Raises:
        QueryError: brackets or quotes without a partner, a field other than TAXONOMY, an operator without its words.
    """
    parser = _Parser(list(_tokens(query)))
    node = parser.either(0)
    if parser.kind:
        raise QueryError(f"unexpected {parser.kind!r}")
    return node


def is_pattern(word: str) -> bool:
    """Whether a word of a phrase has wildcards."""
    return "*" in word or "?" in word


def pattern(word: str) -> re.Pattern[str]:
    """What a word with wildcards stands for."""
    return re.compile(re.escape(word).replace(r"\*", ".*").replace(r"\?", "."))


def _tokens(query: str) -> Iterator[_QueryToken]:
    for found in _TOKEN.finditer(query):
        kind, text = found.lastgroup, found[0]
        if kind == "bracket":
            yield _QueryToken(text)
        elif kind == "minus":
            yield _QueryToken("NOT")
        elif kind == "field":
            yield _QueryToken("field", found["field"])
        elif kind == "phrase" and words(found["phrase"]):
            yield _QueryToken("phrase", found["phrase"])
        elif kind == "word":
            yield from _word(text)
        elif kind == "other":
            raise QueryError(f"unexpected {text!r}")


def _word(text: str) -> Iterator[_QueryToken]:
    """A word or an operator; nothing for punctuation by itself, which the analyser drops."""
    if text in _OPERATORS:
        yield _QueryToken(text)
    elif unread := _UNREAD.search(text):
        raise QueryError(f"the sandbox does not read {unread[0]!r}")
    elif _PIECE.search(text):
        yield _QueryToken("word", text)


class _Parser:
    """Reads tokens by recursive descent: each method takes what it names, and leaves the rest."""

    def __init__(self, tokens: list[_QueryToken]) -> None:
        self._tokens = tokens
        self._place = 0

    @property
    def kind(self) -> str:
        """That of the next token; empty at the end."""
        return self._tokens[self._place].kind if self._place < len(self._tokens) else ""

    def either(self, depth: int) -> Node:
        """Parts between ORs."""
        nodes = [self._all(depth)]
        while self.kind == "OR":
            self._take()
            nodes.append(self._all(depth))
        return nodes[0] if len(nodes) == 1 else Either(tuple(nodes))

    def _all(self, depth: int) -> Node:
        nodes = [self._one(depth)]
        while self.kind not in {"", ")", "OR"}:
            if self.kind == "AND":
                self._take()
            nodes.append(self._one(depth))
        return nodes[0] if len(nodes) == 1 else All(tuple(nodes))

    def _one(self, depth: int) -> Node:
        if depth > _DEEPEST:
            raise QueryError("too many brackets")
        token = self._take()
        match token.kind:
            case "NOT":
                return Not(self._one(depth + 1))
            case "(":
                node = self.either(depth + 1)
                if self._take().kind != ")":
                    raise QueryError("a bracket is not closed")
                return node
            case "field":
                return self._taxon(token.text)
            case "phrase":
                return PhraseClause(tuple(words(token.text)))
            case "word":
                return _phrase(token.text)
        raise QueryError(f"unexpected {token.kind!r}")

    def _taxon(self, field: str) -> Node:
        if field.lower() != "taxonomy":
            raise QueryError(f"the sandbox searches no field {field!r}, only TAXONOMY")
        value = self._take()
        if value.kind not in {"word", "phrase"} or not value.text.strip().isdecimal():
            raise QueryError("TAXONOMY is followed by a taxon ID")
        return TaxonClause(int(value.text))

    def _take(self) -> _QueryToken:
        if not self.kind:
            raise QueryError("the query ends too early")
        self._place += 1
        return self._tokens[self._place - 1]


def _phrase(text: str) -> PhraseClause:
    pieces = _PIECE.findall(text.lower())
    if any(piece[0] in "*?" for piece in pieces):
        raise QueryError("a word does not begin with a wildcard")
    return PhraseClause(tuple(pieces))
