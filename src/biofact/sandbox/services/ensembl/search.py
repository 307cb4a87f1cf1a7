"""The stand-in for EBI Search: its domain ``ensembl_gene``, in the shape of a recorded answer.

Queries have words, phrases, wildcards, AND, OR, NOT, parentheses, and ``TAXONOMY:9606``. Rules:
https://www.ebi.ac.uk/ebisearch/documentation (query syntax), which follows Lucene's: NOT binds tightest, then AND,
which also stands between words without an operator, then OR. The ranking knows nothing of organisms or of meaning.
"""

import functools
import math
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache

from biofact.dialects.ebi_search import EBI_SEARCH
from biofact.sandbox.services.ensembl.corpus import Genes, scientific_name, texts
from biofact.sandbox.standin import (
    RefusingStandIn,
    Reply,
    ServiceRequest,
    check_parameters,
    json_refusal,
    json_reply,
    whole_number,
)
from biofact.sandbox.tables import Row
from biofact.sandbox.word_index import words

_DOMAIN = "ensembl_gene"
_SEARCH_PATH = f"/{_DOMAIN}"
_ENTRY_PATH = f"/{_DOMAIN}/entry/"
_FIELDS = ("id", "name", "description", "gene_name", "gene_synonym", "transcript_count", "species")
_FILTERS = ("TAXONOMY",)
_OF_SEARCH = frozenset({"query", "size", "start", "fields", "format"})
_OF_ENTRY = frozenset({"fields", "format"})
_DEFAULT_SIZE = 15
_LARGEST_SIZE = 100
_LARGEST_START = 1_000_000  # documented by EBI Search
_RANKINGS_CACHED = 32
"""Queries whose order is remembered: the pages of one search come one after the other."""


class EbiSearchStandIn(RefusingStandIn):
    """Answers as EBI Search does for the domain of Ensembl's genes."""

    service = EBI_SEARCH

    def __init__(self, genes: Genes) -> None:
        self._genes = genes
        self._cached_ranking = functools.lru_cache(maxsize=_RANKINGS_CACHED)(self._ranked)

    def answer(self, request: ServiceRequest) -> Reply | None:
        """The answer in the service's form; None for another domain."""
        path = request.path.removesuffix("/")
        if path == _SEARCH_PATH:
            return self._search_reply(request)
        if path.startswith(_ENTRY_PATH):
            return self._entry_reply(request, path.removeprefix(_ENTRY_PATH).split(","))
        return None

    def _search_reply(self, request: ServiceRequest) -> Reply:
        _check_request(request, _OF_SEARCH)
        fields = _fields(request)
        size = whole_number(request, "size", _DEFAULT_SIZE, range(_LARGEST_SIZE + 1))
        start = whole_number(request, "start", 0, range(_LARGEST_START + 1))
        if not any(name == "query" for name, _ in request.params):
            return json_reply(self._domain_info())
        hits = self._cached_ranking(request.value("query"))
        entries = [self._entry(self._genes[uid], fields) for uid in hits[start : start + size]]
        return json_reply({"hitCount": len(hits), "entries": entries, "facets": []})

    def _entry_reply(self, request: ServiceRequest, uids: Sequence[str]) -> Reply:
        """Entries by ID; unknown IDs are left out (no recording shows how the service answers them)."""
        _check_request(request, _OF_ENTRY)
        fields = _fields(request)
        genes = (self._genes.get(uid) for uid in uids)
        return json_reply({"entries": [self._entry(gene, fields) for gene in genes if gene]})

    def _ranked(self, query: str) -> list[str]:
        try:
            node = parsed(query)
        except QueryError as error:
            raise json_refusal(f"The query cannot be read: {error}.") from error
        return ranked(self._genes, node)

    def _domain_info(self) -> Row:
        fields = [{"id": name} for name in (*_FIELDS, *_FILTERS)]
        size = [{"name": "Number of entries", "value": str(len(self._genes))}]
        return {"domains": [{"id": _DOMAIN, "name": "Ensembl Gene", "indexInfos": size, "fieldInfos": fields}]}

    def _entry(self, gene: Row, fields: Sequence[str]) -> Row:
        entry: Row = {"id": gene["id"], "source": _DOMAIN}
        if fields:
            values = self._values(gene)
            entry["fields"] = {name: values[name] for name in fields}
        return entry

    def _values(self, gene: Row) -> dict[str, list[str]]:
        """Each field's values; a fact that is not known is an empty list."""
        uid, symbol, transcripts = gene["id"], gene.get("display_name", ""), gene.get("Transcript", ())
        authority = next((xref["dbname"] for xref in gene["xrefs"] if xref.get("display_id", "") == symbol), "")
        return {
            "id": [uid],
            "name": [f"{uid} ({authority}: {symbol})" if authority and symbol else uid],
            "description": [gene["description"]] if "description" in gene else [],
            "gene_name": [symbol] if symbol else [],
            "gene_synonym": gene["synonyms"],
            "transcript_count": [str(len(transcripts))] if transcripts else [],
            "species": [scientific_name(gene)],
        }


def _check_request(request: ServiceRequest, allowed: frozenset[str]) -> None:
    if request.method != "GET":
        raise json_refusal(f"Method {request.method} is not allowed.", status=405)
    check_parameters(request, allowed)
    if request.value("format", "json") != "json":
        raise json_refusal("The sandbox writes json only.")


def _fields(request: ServiceRequest) -> list[str]:
    names = [name for name in request.value("fields").split(",") if name]
    if unknown := sorted(set(names) - set(_FIELDS)):
        raise json_refusal(f"{_DOMAIN} has no field {', '.join(unknown)}.")
    return names


_TOKEN = re.compile(
    r'\s+|(?P<bracket>[()])|(?P<field>[A-Za-z_][\w.]*):(?=[^\s])|"(?P<phrase>[^"]*)"|(?P<minus>[-!](?=\S))'
    r'|(?P<word>[^\s()":]+)|(?P<other>.)',
    re.DOTALL,
)
_OPERATORS = {"AND", "OR", "NOT"}
_UNSUPPORTED = re.compile(r"[\[\]{}^~\\]")  # ranges, boosts, fuzziness and escapes of Lucene
_PIECE = re.compile(r"[^\W_*?]+(?:[*?]+[^\W_*?]*)*|[*?][\w*?]*")
_DEEPEST = 50  # the parser recurses


class QueryError(Exception):
    """A query that cannot be read."""


@dataclass(frozen=True, slots=True)
class PhraseClause:
    """Words side by side, in lower case; a lone word is a phrase of one. Wildcards stand in them as written."""

    words: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class TaxonClause:
    """All genes of one taxon."""

    taxon_id: int


@dataclass(frozen=True, slots=True)
class Exclude:
    """Genes that do not match the node."""

    node: "Node"


@dataclass(frozen=True, slots=True)
class AllOf:
    """Genes that match all of the nodes."""

    nodes: tuple["Node", ...]


@dataclass(frozen=True, slots=True)
class AnyOf:
    """Genes that match any of the nodes."""

    nodes: tuple["Node", ...]


Node = PhraseClause | TaxonClause | Exclude | AllOf | AnyOf


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
    node = parser.alternatives(0)
    if parser.kind:
        raise QueryError(f"unexpected {parser.kind!r}")
    return node


def is_pattern(word: str) -> bool:
    """Whether a word of a phrase has wildcards."""
    return "*" in word or "?" in word


def pattern(word: str) -> re.Pattern[str]:
    """The regular expression of a word with wildcards."""
    return re.compile(re.escape(word).replace(r"\*", ".*").replace(r"\?", "."))


def _tokens(query: str) -> Iterator[_QueryToken]:
    for match in _TOKEN.finditer(query):
        kind, text = match.lastgroup, match[0]
        if kind == "bracket":
            yield _QueryToken(text)
        elif kind == "minus":
            yield _QueryToken("NOT")
        elif kind == "field":
            yield _QueryToken("field", match["field"])
        elif kind == "phrase" and words(match["phrase"]):
            yield _QueryToken("phrase", match["phrase"])
        elif kind == "word":
            yield from _word(text)
        elif kind == "other":
            raise QueryError(f"unexpected {text!r}")


def _word(text: str) -> Iterator[_QueryToken]:
    """A word or an operator; nothing for punctuation by itself, which the analyser drops."""
    if text in _OPERATORS:
        yield _QueryToken(text)
    elif unsupported := _UNSUPPORTED.search(text):
        raise QueryError(f"the sandbox does not read {unsupported[0]!r}")
    elif _PIECE.search(text):
        yield _QueryToken("word", text)


class _Parser:
    """Reads tokens by recursive descent: each method takes what it names, and leaves the rest."""

    def __init__(self, tokens: list[_QueryToken]) -> None:
        self._tokens = tokens
        self._place = 0

    @property
    def kind(self) -> str:
        """Kind of the next token; empty at the end."""
        return self._tokens[self._place].kind if self._place < len(self._tokens) else ""

    def alternatives(self, depth: int) -> Node:
        """An expression with OR between its parts, the loosest operator."""
        nodes = [self._all(depth)]
        while self.kind == "OR":
            self._take()
            nodes.append(self._all(depth))
        return nodes[0] if len(nodes) == 1 else AnyOf(tuple(nodes))

    def _all(self, depth: int) -> Node:
        nodes = [self._operand(depth)]
        while self.kind not in {"", ")", "OR"}:
            if self.kind == "AND":
                self._take()
            nodes.append(self._operand(depth))
        return nodes[0] if len(nodes) == 1 else AllOf(tuple(nodes))

    def _operand(self, depth: int) -> Node:
        if depth > _DEEPEST:
            raise QueryError("too many brackets")
        token = self._take()
        match token.kind:
            case "NOT":
                return Exclude(self._operand(depth + 1))
            case "(":
                node = self.alternatives(depth + 1)
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
        raise QueryError("a word does not begin with a wildcard")  # Lucene's usual rule: it would scan every word
    return PhraseClause(tuple(pieces))


def ranked(genes: Genes, node: Node) -> list[str]:
    """IDs of the genes that match, the most relevant first, ties by ID.

    In the manner of Lucene: each phrase found adds its rarity, divided by the root of the length of its field.
    """
    hits = matches(genes, node)
    counts = {phrase: len(matches(genes, phrase)) for phrase in _required_phrases(node)}
    rarity = {phrase: math.log(1 + len(genes) / (1 + count)) for phrase, count in counts.items()}

    def score(gene: Row) -> float:
        return sum(weight * sum(_places(gene, phrase)) for phrase, weight in rarity.items())

    scores = {uid: score(genes[uid]) if rarity else 0 for uid in hits}  # a gene of gene_info is parsed when read
    return sorted(hits, key=lambda uid: (-scores[uid], uid))


def matches(genes: Genes, node: Node) -> set[str]:
    """IDs of the genes that match."""
    match node:
        case PhraseClause():
            return _genes_with_phrase(genes, node)
        case TaxonClause(taxon_id):
            return set(genes.index.by_taxon.get(taxon_id, ()))
        case Exclude(inner):
            return set(genes) - matches(genes, inner)
        case AnyOf(nodes):
            return set().union(*(matches(genes, operand) for operand in nodes))
        case AllOf(nodes):
            operand_hits = [matches(genes, operand) for operand in nodes if not isinstance(operand, Exclude)]
            excluded_hits = [matches(genes, operand.node) for operand in nodes if isinstance(operand, Exclude)]
            hits = set.intersection(*operand_hits) if operand_hits else set(genes)
            return hits.difference(*excluded_hits)


def _genes_with_phrase(genes: Genes, phrase: PhraseClause) -> set[str]:
    gene_sets = [_with_word(genes, word) for word in phrase.words]
    hits = min(gene_sets, key=len).intersection(*gene_sets)
    return set(hits) if len(gene_sets) == 1 else {uid for uid in hits if _places(genes[uid], phrase)}


@lru_cache(maxsize=64)  # each word of a query counts by how rare it is, too
def _with_word(genes: Genes, word: str) -> frozenset[str]:
    if is_pattern(word):
        literal = re.split(r"[*?]", word, maxsplit=1)[0]
        return frozenset(genes.index.words.holders_of_pattern(literal, pattern(word)))
    return frozenset(genes.index.words.holders(word))


def _required_phrases(node: Node) -> Iterator[PhraseClause]:
    """The phrases that a matching record has to hold."""
    match node:
        case PhraseClause():
            yield node
        case AllOf(nodes) | AnyOf(nodes):
            for operand in nodes:
                yield from _required_phrases(operand)


def _places(gene: Row, phrase: PhraseClause) -> list[float]:
    """For each field with the phrase, how much it counts there: the shorter the field, the more."""
    fields = ([words(value) for value in values] for values in texts(gene))
    return [1 / math.sqrt(sum(map(len, field))) for field in fields if any(_has(value, phrase) for value in field)]


def _has(value: list[str], phrase: PhraseClause) -> bool:
    count = len(phrase.words)
    if count == 1 and not is_pattern(phrase.words[0]):
        return phrase.words[0] in value
    return any(all(map(_is_like, phrase.words, value[start:])) for start in range(len(value) - count + 1))


def _is_like(phrase_word: str, word: str) -> bool:
    return pattern(phrase_word).fullmatch(word) is not None if is_pattern(phrase_word) else phrase_word == word
