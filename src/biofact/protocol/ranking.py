"""Scores of genes for the words of a query, and their order. Pure."""

import itertools
import re
from collections import defaultdict
from collections.abc import Hashable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Generic, Protocol, TypeVar

from biofact.core import organisms
from biofact.core.kinds import MatchKind
from biofact.core.quoting import name_list
from biofact.core.records import Notice
from biofact.core.words import (
    compact,
    folded,
    forms,
    is_one_digit_off,
    is_one_letter_off,
    latin_readings,
    plain,
    without_size,
    words,
)

TEXT = 0.3
"""The score of a gene that was found by words, but not by those of its names."""
_WITHIN_NAME, _WORDS_OF_NAME = 0.862, 0.6
"""The scores of a gene whose full name holds the words, side by side in a human one or here and there."""
_LEADS = 0.65
IN_PART = 0.07
"""The points that a match loses where the name is a part of the query."""
_NEAR_SYMBOL, _NEAR_ALIAS, _NEAR_NAME, _NEAR_TEXT = 0.25, 0.2, 0.15, 0.1
SHORTEST_NEAR = 4
"""Letters of a word: those with fewer are all near to one another, as TP35 to p35."""
_OTHER_SPELLING = 0.03
_FULL_NAME, _FULL_NAME_ELSEWHERE = 0.895, 0.8
"""The scores of an official full name, of human genes and of others; what is less alike has points deducted."""
_AS_WRITTEN, _IN_OTHER_SPELLING, _REORDERED, _OF_FAMILY = (0.0, 0.015), (0.005, 0.018), (0.01, 0.021), (0.025, 0.027)
"""Deductions of official names and of designations. A designation as it is written comes behind an official name in
another order (beta-actin is ACTB, actin beta, and not POTEF), but before one of a family (ACE before ACE2)."""
_LATIN_READING = 0.03
_WORD = re.compile(r"\w+")
_REMARK = re.compile(
    r"\([^()]*\)|\[[^\[\]]*\]"
    r"|(?<!\w)(?:(?i:type|member) )?(?:\d+(?:\.\d+)?(?:\s?kD[Aa]?)?|\d+[A-Za-z]|[IVX]+)(?!\w)"
)
"""The parts that the name of a family lacks: "tumor necrosis factor receptor" is type 1, 2, type III and 13B."""
_FILLER = re.compile(r"\b(?:protein|subunit|chain|polypeptide)\b", re.IGNORECASE)
"""The words that come and go: "sal-like 3" is sal-like protein 3."""
_FOREIGN = re.compile(r"[():/\[\]<>]|^.$")
"""Signs and single letters, which human symbols do not have."""
_MOUSE_SYMBOL = re.compile(r"[A-Z](?=\d*[a-z])[a-z0-9]+(?:(?<=\d)-[a-z0-9]+)*")
_ORGANISM = 0.005
_MOST_NAMED = 15
_CACHE_SIZE = 4096  # lists of names; a page of hits has some 300


class NamedGene(Protocol):
    """A gene as far as its names and its place among equals go."""

    @property
    def id(self) -> str:
        """The written form of its ID."""

    @property
    def symbol(self) -> str:
        """The nomenclature symbol, where there is one."""

    @property
    def aliases(self) -> Sequence[str]:
        """Other symbols."""

    @property
    def names(self) -> Sequence[str]:
        """Full names, as its authority or the source prefers them."""

    @property
    def designations(self) -> Sequence[str]:
        """Other full names, of which several genes may have the same."""

    @property
    def taxon_id(self) -> int | None:
        """NCBI Taxonomy ID; None where the source does not tell."""

    @property
    def is_minor(self) -> bool:
        """Among equals it comes after all others: a pseudogene, a readthrough, or a gene without a name."""

    @property
    def weight(self) -> float:
        """The source's own measure of how well known it is, or how well it answers."""

    @property
    def tie(self) -> int | str:
        """The number that decides between genes that are equal in everything else, the lowest first."""


Gene = TypeVar("Gene", bound=NamedGene)


@dataclass(frozen=True, slots=True)
class Names:
    """The names of a record that a search is matched by."""

    id: str
    symbol: str
    aliases: Sequence[str] = ()
    names: Sequence[str] = ()
    designations: Sequence[str] = ()
    taxon_id: int | None = None
    is_minor: bool = False
    weight: float = 0.0
    tie: int | str = ""


@dataclass(frozen=True, slots=True)
class Match:
    """The match of a gene and a query: the kind, and 0-1 for how well."""

    kind: MatchKind
    score: float
    is_exact_case: bool = field(default=False, compare=False)
    """The match is the symbol or alias as written, in its own letter case: Su(H) and su(H) of the fly are two genes,
    and Sph1 is not the alias SPH1 of another gene."""
    latin_reading: str = field(default="", compare=False)
    """The symbol that was read for a name with a Greek letter: a guess."""
    is_of_family: bool = field(default=False, compare=False)
    """The match is a full name but for its number, a remark, or a word like "protein"."""

    @property
    def leads(self) -> bool:
        """The match is by name, or by words side by side in one, not by scattered words."""
        return self.score >= _LEADS

    @property
    def is_symbol(self) -> bool:
        """The match is by a symbol or alias, and no guess."""
        return self.kind in {"symbol", "alias"} and not self.latin_reading

    @property
    def is_within_name(self) -> bool:
        """The match is by words that a longer full name holds."""
        return self.kind == "text" and self.score > TEXT

    @property
    def is_near_name(self) -> bool:
        """The match is a name but for one letter."""
        return self.kind == "near" and self.score > _NEAR_TEXT


def match(gene: NamedGene, names: Sequence[str]) -> Match:
    """The match of ``gene`` and a query that may stand for ``names``, the first of them as it was written.

    Exact symbol beats alias beats name; another spelling is a little less. People type human symbols in any case, but
    those of other organisms as they are written: "Trp53" is the mouse's symbol, while "HER2" is an alias of human
    ERBB2 and not the zebrafish gene her2. No human symbol looks like zgc:171673, in whatever case.
    """
    is_human = gene.taxon_id == organisms.HUMAN
    full_names = (*gene.names, *gene.designations)
    return match_by_name(gene, names) or _partial_match(full_names, tuple(names), is_human=is_human)


def match_query(record: NamedGene, query: str) -> Match:
    """The match of a record and a query as it was written: by its ID, or by what the query may stand for as a name."""
    return Match("id", 1.0) if query == record.id else match(record, forms(query) or [query])


def match_by_name(gene: NamedGene, names: Sequence[str]) -> Match | None:
    """The match of ``gene`` by a symbol, alias or full name that is one of ``names`` as a whole; None where none is.

    A symbol with a Latin letter for the Greek one of ``names`` comes behind whatever has the name itself.
    """
    first_name, *_ = names
    is_human = gene.taxon_id == organisms.HUMAN
    # A symbol in lower case throughout is as likely a human one typed so (decision 0008), but none has one letter.
    is_own = gene.symbol in names and (not gene.symbol.islower() or _FOREIGN.search(gene.symbol) is not None)
    is_meant = is_human or is_own
    tiers: tuple[tuple[MatchKind, tuple[str, ...], float], ...] = (
        ("symbol", (gene.symbol,), 1.0 if is_meant else 0.9),
        ("alias", tuple(gene.aliases), 0.93 if is_human else 0.86),
    )
    compact_names = {compact(name) for name in names}
    for kind, own_names, full in tiers:
        if folded(first_name) in _each_folded(own_names):
            return Match(kind, full, is_exact_case=first_name in own_names)
        if not compact_names.isdisjoint(_each_squeezed(own_names)):
            return Match(kind, full - _OTHER_SPELLING)
    full_name_score = _FULL_NAME if is_human else _FULL_NAME_ELSEWHERE
    # No authority named a locus without a symbol: what its protein resembles is also the name of another gene.
    official, others = ((), (*gene.names, *gene.designations)) if gene.is_minor else (gene.names, gene.designations)
    deduction = _full_name_deduction(tuple(official), tuple(others), tuple(names))
    if deduction is not None:
        return Match("name", round(full_name_score - deduction, 3), is_of_family=deduction in _OF_FAMILY)
    for reading in latin_readings(tuple(names)):
        for kind, own_names, _ in tiers:
            if compact(reading) in _each_squeezed(own_names):
                return Match(kind, round(full_name_score - _LATIN_READING, 3), latin_reading=reading)
    return None


@lru_cache(_CACHE_SIZE)
def _each_folded(names: tuple[str, ...]) -> frozenset[str]:
    return frozenset(map(folded, names))


@lru_cache(_CACHE_SIZE)
def _each_squeezed(names: tuple[str, ...]) -> frozenset[str]:
    return frozenset(map(compact, names))


@dataclass(frozen=True, slots=True)
class _FullNames:
    """Full names, as they are compared."""

    phrases: frozenset[str]
    """The words in their order, whatever signs stand between them."""
    compact: frozenset[str]
    sorted_words: frozenset[tuple[str, ...]]
    """The words in any order, of names of several: "beta actin" is actin beta. A word that stands twice counts twice:
    "Ig-like lectin-like 1" is another gene than "Ig-like lectin 1"."""
    bare_sorted_words: frozenset[tuple[str, ...]]
    """The same without words like "protein", or without numbers, sizes and what stands in brackets, as names of old
    have them: "gamma-catenin" is catenin (cadherin-associated protein), gamma 80kDa. A family may share one: catenin
    beta 1."""

    @property
    def keys(self) -> Iterator[Hashable]:
        """The keys of which names that match have one in common."""
        return itertools.chain[Hashable](self.phrases, self.compact, self.sorted_words, self.bare_sorted_words)

    @classmethod
    @lru_cache(_CACHE_SIZE)
    def of(cls, names: tuple[str, ...]) -> "_FullNames":
        return cls(
            frozenset(" ".join(_WORD.findall(folded(name))) for name in names) - {""},
            _each_squeezed(names),
            _sorted_words(names),
            _sorted_words((*map(without_size, names), *_without_parts(names))),
        )


def _without_parts(names: Iterable[str]) -> Iterator[str]:
    return (part.sub(" ", name) for name in names for part in (_REMARK, _FILLER))


def _sorted_words(names: tuple[str, ...]) -> frozenset[tuple[str, ...]]:
    each_words = (tuple(sorted(_WORD.findall(folded(name)))) for name in names)
    return frozenset(name_words for name_words in each_words if len(name_words) > 1)


@lru_cache(_CACHE_SIZE)
def _full_name_deduction(official: tuple[str, ...], others: tuple[str, ...], names: tuple[str, ...]) -> float | None:
    """The points that a full name loses for being a designation, or written otherwise than the query; None where none
    of the names is the query's.
    """
    query, first = _FullNames.of(names), _FullNames.of(names[:1])
    own_names = ((_FullNames.of(official), 0), (_FullNames.of(others), 1))
    for own, is_designation in own_names:
        if not first.phrases.isdisjoint(own.phrases):
            return _AS_WRITTEN[is_designation]
        if not query.compact.isdisjoint(own.compact):
            return _IN_OTHER_SPELLING[is_designation]
        if not query.sorted_words.isdisjoint(own.sorted_words):
            return _REORDERED[is_designation]
    bare = (
        is_designation for own, is_designation in own_names if not query.sorted_words.isdisjoint(own.bare_sorted_words)
    )
    return next((_OF_FAMILY[is_designation] for is_designation in bare), None)


@lru_cache(_CACHE_SIZE)
def _partial_match(own_names: tuple[str, ...], names: tuple[str, ...], *, is_human: bool) -> Match:
    """A name that holds the words, and is another: side by side in a human one, they are meant before another
    organism's alias.
    """
    if is_human and any(_holds(own_name, phrase) for own_name in own_names for phrase in (names[0], plain(names[0]))):
        return Match("text", _WITHIN_NAME)
    parts = [words(name) for name in names if words(name)]
    is_held = any(part <= words(own_name) for own_name in own_names for part in parts)
    return Match("text", _WORDS_OF_NAME if is_held else TEXT)


def match_in_part(gene: NamedGene, fragments: Sequence[str]) -> Match:
    """The match of ``gene`` and fragments of a query that is no gene's name as a whole: an alias, never a symbol."""
    matches = [answer for fragment in fragments if (answer := match_by_name(gene, forms(fragment)))]
    if not matches:
        return Match("text", TEXT)
    best = max(matches, key=lambda candidate_match: candidate_match.score)
    return Match("alias" if best.kind == "symbol" else best.kind, round(best.score - IN_PART, 3))


def match_nearby(gene: NamedGene, names: Sequence[str]) -> Match:
    """The match of ``gene`` and a query that was searched with one letter or one word of many left open.

    A gene with all the words is found by its text; one without is near, below everything else: first a symbol, then
    an alias, then a full name that is one letter away, at last what was found for some of the words.
    """
    found_match = match(gene, names)
    if found_match.score > TEXT:
        return found_match
    gene_words = _words_of(gene)
    if any(query_words and query_words <= gene_words for query_words in map(words, names)):
        return found_match
    if any(_is_near(gene.symbol, name) for name in names):
        return Match("near", _NEAR_SYMBOL)
    if any(_is_near(alias, name) for alias in gene.aliases for name in names):
        return Match("near", _NEAR_ALIAS)
    is_name = any(_has_words_nearby(full_name, words(names[0])) for full_name in (*gene.names, *gene.designations))
    return Match("near", _NEAR_NAME if is_name else _NEAR_TEXT)


def is_another_number(gene: NamedGene, names: Sequence[str]) -> bool:
    """Whether what of ``gene`` is nearest to the query is a digit away: another gene, which no slip leads to."""
    searched_names = {name for name in (*names, *words(names[0])) if len(name) > 1}
    own_names = {name for name in (gene.symbol, *gene.aliases, *_words_of(gene)) if len(name) > 1}
    return any(is_one_digit_off(name, other) for name in searched_names for other in own_names)


def _words_of(gene: NamedGene) -> frozenset[str]:
    return words(" ".join((gene.symbol, *gene.aliases, *gene.names, *gene.designations)))


def _has_words_nearby(name: str, query_words: frozenset[str]) -> bool:
    """Whether ``name`` has each of the words, or one that is a letter away."""
    own_words = words(name)
    return all(word in own_words or any(_is_near(other, word) for other in own_words) for word in query_words)


def _is_near(name: str, query_name: str) -> bool:
    return sum(map(str.isalpha, query_name)) >= SHORTEST_NEAR and is_one_letter_off(name, query_name)


def _holds(name: str, phrase: str) -> bool:
    return re.search(rf"(?<!\w){re.escape(folded(phrase))}(?!\w)", folded(name)) is not None


@dataclass(frozen=True, slots=True)
class Ranked(Generic[Gene]):
    """A gene with its match, in the order of a list."""

    gene: Gene
    match: Match

    @classmethod
    def for_names(cls, gene: Gene, names: Sequence[str]) -> "Ranked[Gene]":
        """The gene as it answers a query that may stand for ``names``."""
        return cls(gene, match(gene, names))

    @classmethod
    def in_part(cls, gene: Gene, fragments: Sequence[str]) -> "Ranked[Gene]":
        """The gene as it answers fragments of a query that as a whole is no gene's name."""
        return cls(gene, match_in_part(gene, fragments))

    @property
    def order(self) -> tuple[float, int, bool, bool, float, bool, int | str]:
        """Best first: match, organism, a symbol's letter case, genes before pseudogenes (p16 is CDKN2A's P16, and no
        histone pseudogene), the service's weight, an alias's letter case, lowest ID.
        """
        gene, is_other_case = self.gene, not self.match.is_exact_case
        is_other_symbol = is_other_case and self.match.kind == "symbol"
        return (-self.match.score, self.place, is_other_symbol, gene.is_minor, -gene.weight, is_other_case, gene.tie)

    @property
    def place(self) -> int:
        """The rank of the organism among equal matches."""
        return organisms.ORDER.get(self.gene.taxon_id or 0, len(organisms.ORDER))

    @property
    def leads(self) -> bool:
        """The match is by name, or by words side by side in one, not by words here and there."""
        return self.match.leads

    @property
    def is_by_name(self) -> bool:
        """The match is a whole name, and not words within a longer one."""
        return self.match.leads and not self.match.is_within_name

    @property
    def best(self) -> tuple[MatchKind, float, int, bool]:
        """The key that genes share that answer a query equally well: of aliases, in any letter case."""
        is_exact_symbol = self.match.is_exact_case and self.match.kind == "symbol"
        return (self.match.kind, self.match.score, self.place, is_exact_symbol)

    def score(self, maximum: float = 1.0) -> float:
        """The score in a row: 0-1, a little less for each organism down the list, and never more than ``maximum``."""
        return round(min(maximum, self.match.score - _ORGANISM * self.place), 3)


class NameIndex(Generic[Gene]):
    """Genes by their names, for the queries of a long list."""

    def __init__(self, genes: Iterable[Gene]) -> None:
        self._genes: defaultdict[Hashable, dict[str, Gene]] = defaultdict(dict)
        for gene in genes:
            symbols = _each_squeezed((gene.symbol, *gene.aliases))
            for key in (*symbols, *_FullNames.of((*gene.names, *gene.designations)).keys):
                self._genes[key][gene.id] = gene

    def matches(self, names: Sequence[str]) -> list[Ranked[Gene]]:
        """The genes that one of ``names`` calls as a whole, best first."""
        keys = _FullNames.of((*names, *latin_readings(tuple(names)))).keys
        genes = {gene.id: gene for key in keys if key in self._genes for gene in self._genes[key].values()}
        return exact_matches(genes.values(), names)


def exact_matches(genes: Iterable[Gene], names: Sequence[str]) -> list[Ranked[Gene]]:
    """The genes with one of ``names`` as a whole symbol, alias or full name, best first."""
    answers = ((gene, match_by_name(gene, names)) for gene in genes)
    return in_order(Ranked(gene, found_match) for gene, found_match in answers if found_match)


def shared(answers: Sequence[Ranked[Gene]]) -> list[bool]:
    """Whether each answer, best first, shares the best match with another."""
    equal_ids = {answer.gene.id for answer in _equals(answers)}
    return [len(equal_ids) > 1 and answer.gene.id in equal_ids for answer in answers]


def _equals(answers: Sequence[Ranked[Gene]]) -> list[Ranked[Gene]]:
    """The first of the answers and those that match as well. A pseudogene's alias counts, too; not the symbol of a
    gene on an alternate version of its chromosome, which is that of the gene itself. A locus without a symbol that has
    the full name comes behind the first, and shares it all the same.
    """
    equals = [answer for answer in answers if answer.best == answers[0].best or _is_locus_with_name(answer, answers[0])]
    symbols = {answer.gene.symbol for answer in equals if not answer.gene.is_minor}
    return [answer for answer in equals if not answer.gene.is_minor or answer.gene.symbol not in symbols]


def _is_locus_with_name(answer: Ranked[Gene], first: Ranked[Gene]) -> bool:
    """Whether the answer is a locus whose description is the query as well as the official name of the first is."""
    are_names = answer.match.kind == first.match.kind == "name" and answer.place == first.place
    return are_names and answer.gene.is_minor and first.match.score - answer.match.score < _IN_OTHER_SPELLING[1]


def ranked(genes: Iterable[Gene], names: Sequence[str]) -> list[Ranked[Gene]]:
    """The genes, best first."""
    return in_order(Ranked.for_names(gene, names) for gene in genes)


def in_order(answers: Iterable[Ranked[Gene]]) -> list[Ranked[Gene]]:
    """The answers, best first."""
    return sorted(answers, key=lambda answer: answer.order)


def read_in_part(query: str, fragments: Sequence[str]) -> Notice:
    """A notice that a query was split, and its parts."""
    parts = " and ".join(f"{fragment!r:.80}" for fragment in fragments)
    message = f"No gene is called {query!r:.120}; searched its {'parts' if len(fragments) > 1 else 'part'} {parts}."
    return Notice(code="ASSUMED", message=message)


def match_notices(query: str, answers: Sequence[Ranked[Gene]]) -> list[Notice]:
    """Notices of how the best of the answers matches the query: by a guess, but for a number, within longer names, or
    as well as others.
    """
    notices = (_read_in_latin, _read_as_human, _of_family, _within_names)
    return [*(notice for read in notices for notice in read(query, answers)), *shared_match(answers)]


def is_written_as_in_mouse(name: str) -> bool:
    """Whether it is a capital with small letters and digits, as symbols of mouse and rat are: Trp53, but not Bcl-2."""
    return _MOUSE_SYMBOL.fullmatch(name) is not None


def _read_as_human(query: str, answers: Sequence[Ranked[Gene]]) -> list[Notice]:
    """A notice that a human gene leads which has the name in other letters only."""
    if not answers or not is_written_as_in_mouse(query):
        return []
    gene, match = answers[0].gene, answers[0].match
    if gene.taxon_id != organisms.HUMAN or not match.is_symbol or match.is_exact_case:
        return []
    return [read_as_human([query])]


def read_as_human(names: Sequence[str]) -> Notice:
    """The notice about names whose letter case is that of mouse and rat."""
    listing = name_list(list(names), _MOST_NAMED, "others")
    return Notice(code="ASSUMED", message=f"Written as in mouse and rat, and read as human: {listing}.")


def _read_in_latin(query: str, answers: Sequence[Ranked[Gene]]) -> list[Notice]:
    """A notice that no gene has the name with its Greek letter, and what was read instead; nothing otherwise."""
    if not answers or not (reading := answers[0].match.latin_reading):
        return []
    gene = answers[0].gene
    message = (
        f"No gene is called {query!r:.120}; {gene.symbol} ({gene.id}) has {reading}, with a Latin letter: a guess."
    )
    return [Notice(code="ASSUMED", message=message)]


BUT_FOR = "but for a number, a remark in brackets, or a word like protein"


def _of_family(query: str, answers: Sequence[Ranked[Gene]]) -> list[Notice]:
    """A notice that the first gene has a longer name, and is the only one that may be meant; nothing otherwise."""
    if not answers or not answers[0].match.is_of_family or len(_equals(answers)) > 1:
        return []
    gene = answers[0].gene
    return [Notice(code="ASSUMED", message=f"{gene.symbol} ({gene.id}) is called {query!r:.120} {BUT_FOR}.")]


def _within_names(query: str, answers: Sequence[Ranked[Gene]]) -> list[Notice]:
    """A notice that the first genes have longer names, which hold the query; nothing where one has it as a name."""
    if not answers or not answers[0].match.is_within_name:
        return []
    message = f"No gene is called {query!r:.120}; the first rows have it within longer names: confirm what is meant."
    return [Notice(code="ASSUMED", message=message)]


def shared_match(answers: Sequence[Ranked[Gene]]) -> list[Notice]:
    """Names the genes whose symbol, alias or full name matches the query as well as the first's; nothing when it stands
    alone.
    """
    equals = _equals(answers)
    if len(equals) < 2 or equals[0].match.kind not in {"symbol", "alias", "name"}:  # noqa: PLR2004  # itself and another
        return []
    names = [f"{answer.gene.symbol} ({answer.gene.id})" for answer in equals]
    listing = name_list(names, _MOST_NAMED, "or more others")  # later pages may hold further ones
    message = f"{len(equals)} genes share the best match ({equals[0].match.kind}): {listing}."
    return [Notice(code="SHARED_MATCH", message=message)]
