"""Words to Entrez queries, and summaries to ranked candidates. Pure."""

import re
from collections.abc import Iterable
from dataclasses import dataclass

from biofact.core.errors import AmbiguousQuery, BiofactError, CallTool, ToolRef
from biofact.core.identifiers import QUERY_LENGTH
from biofact.core.provenance import Notice
from biofact.dialects import eutils
from biofact.dialects.eutils import SearchAnswer
from biofact.sources.entrez import organisms
from biofact.sources.entrez.organisms import Organism
from biofact.sources.entrez.parse import Docsum
from biofact.sources.entrez.records import EntrezGene, GeneSearchCandidate, MatchKind
from biofact.transport.service import Refused

SEARCH = ToolRef("entrez", "search_genes")

LEAD_LIMIT = 50
"""Exact hits that lead a list; their IDs travel in the cursor."""

# Field tags and Boolean operators are the user's own Entrez syntax: passed through as they are.
_RAW = re.compile(r"\w\"?\s*\[[A-Za-z][A-Za-z /:-]*\]|\S\s+(?:AND|OR|NOT)\s+\S")
_GENE_ID = re.compile(r"(?:NCBIGene:|GeneID:|Entrez:|LOC)?([1-9]\d{0,11})", re.IGNORECASE | re.ASCII)
_GREEK = {
    ord(letter): name
    for name, letter in {
        "alpha": "\u03b1",
        "beta": "\u03b2",
        "gamma": "\u03b3",
        "delta": "\u03b4",
        "epsilon": "\u03b5",
        "kappa": "\u03ba",
        "lambda": "\u03bb",
    }.items()
}
# Enhancers and the like have numbered LOC symbols and no authority's name; few who search for words want them.
_NO_REGIONS = 'NOT "genetype biological region"[Properties]'


@dataclass(frozen=True, slots=True)
class Plan:
    """What to ask esearch for. ``lead`` finds exact symbols and aliases; ``whole`` finds everything, these too."""

    query: str
    """The words to match, without the organism."""
    lead: str | None
    whole: str
    organism: Organism | None
    is_organism_from_query: bool = False


def plan(query: str, organism: str | None) -> Plan | None:
    """How to search for ``query``; None when it holds nothing to search for."""
    chosen = organisms.organism(organism) if organism else None
    if _RAW.search(query):
        return Plan(query, None, _joined(f"({query})", chosen) if chosen else query, chosen)
    words, named = organisms.split_off(query) if chosen is None else (query, None)
    plain = _plain(words)
    if not plain:
        return None
    exact = " OR ".join(f'"{spelling}"[Gene Name]' for spelling in spellings(plain))
    reach = chosen or named
    return Plan(
        query=words,
        lead=_joined(f"({exact}) AND alive[prop]", reach)
        if reach
        else f"({exact}) AND alive[prop] AND ({organisms.MODEL_ORGANISMS})",
        whole=_joined(f"((({plain}) {_NO_REGIONS}) OR {exact}) AND alive[prop]", reach),
        organism=reach,
        is_organism_from_query=named is not None,
    )


def gene_id(query: str) -> str | None:
    """The GeneID that the query is, if it is one in any spelling. A bare LOC symbol carries its GeneID too."""
    found = _GENE_ID.fullmatch(query.strip())
    return found[1] if found else None


def spellings(name: str) -> list[str]:
    """The ways in which a symbol is written: as given, without hyphens and blanks, with a hyphen before the number."""
    bare = re.sub(r"[-\s]", "", name)
    hyphenated = re.sub(r"^([A-Za-z]+)(\d+)$", r"\1-\2", bare)
    return list(dict.fromkeys((name, bare, hyphenated) if len(name) <= _LONGEST_SYMBOL else (name,)))


_LONGEST_SYMBOL = 25


def _joined(term: str, organism: Organism | None) -> str:
    return f"{term} AND {organism.term}" if organism else term


def _plain(words: str) -> str:
    text = re.sub(r'[\[\]"(){}*:;,?!<>=|&~\\^#]+', " ", words.translate(_GREEK))
    text = " ".join(text.split()).strip("-+'./ ")
    return re.sub(r"\b(AND|OR|NOT)\b", lambda found: found[0].lower(), text) if re.search(r"\w", text) else ""


@dataclass(frozen=True, slots=True)
class Match:
    """How a gene answers the query: the kind, and 0-1 for how well."""

    kind: MatchKind
    score: float


_TEXT = Match("text", 0.3)


def match(docsum: Docsum, query: str) -> Match:
    """How ``docsum`` answers ``query``. Exact symbol beats alias beats name; another spelling is a little less.

    People type human symbols in any case, but those of other organisms as they are written: "Trp53" is the mouse's
    symbol, while "HER2" is an alias of human ERBB2 and not the zebrafish gene her2.
    """
    is_meant = docsum.taxon_id == organisms.HUMAN or (docsum.symbol == query and not query.islower())
    kinds: tuple[tuple[MatchKind, tuple[str, ...], float], ...] = (
        ("symbol", (docsum.symbol,), 1.0 if is_meant else 0.9),
        ("alias", docsum.aliases, 0.92 if docsum.taxon_id == organisms.HUMAN else 0.86),
        ("name", docsum.names, 0.85 if docsum.taxon_id == organisms.HUMAN else 0.8),
    )
    for kind, names, full in kinds:
        if any(_folded(name) == _folded(query) for name in names):
            return Match(kind, full)
        if any(_squeezed(name) == _squeezed(query) for name in names):
            return Match(kind, full - 0.03)
    words = _words(query)
    return Match("name", 0.6) if words and any(words <= _words(name) for name in docsum.names) else _TEXT


def _words(name: str) -> set[str]:
    return set(re.findall(r"\w+", _folded(name)))


def _folded(name: str) -> str:
    return " ".join(name.translate(_GREEK).casefold().split())


def _squeezed(name: str) -> str:
    return re.sub(r"[-\s./]", "", _folded(name))


def _is_minor(docsum: Docsum) -> bool:
    """Whether the gene is a pseudogene, or has no name but its number, as regulatory regions do.

    A summary does not tell the gene's type; its description does, as far as experts rank by it.
    """
    return docsum.symbol == f"LOC{docsum.uid}" or "pseudogene" in (docsum.description or "")


@dataclass(frozen=True, slots=True)
class Ranked:
    """A gene in its place."""

    docsum: Docsum
    match: Match

    @classmethod
    def of(cls, docsum: Docsum, query: str) -> "Ranked":
        """The gene as it answers ``query``."""
        return cls(docsum, match(docsum, query))

    @classmethod
    def by_id(cls, docsum: Docsum, query: str) -> "Ranked":
        """The gene that ``query`` names by its ID; a LOC symbol is an ID and a symbol in one."""
        by_words = cls.of(docsum, query)
        return by_words if by_words.match.kind == "symbol" else cls(docsum, Match("id", 1.0))

    @property
    def order(self) -> tuple[float, int, bool, int, int]:
        """Best first: match, organism, genes before pseudogenes and regions, the service's weight, lowest ID."""
        d = self.docsum
        place = organisms.ORDER.get(d.taxon_id or 0, len(organisms.ORDER))
        return (-self.match.score, place, _is_minor(d), -d.weight, int(d.uid))

    @property
    def is_exact(self) -> bool:
        """The query is the gene's symbol or one of its aliases."""
        return self.match.kind in {"symbol", "alias"}

    @property
    def best(self) -> tuple[MatchKind, float, int]:
        """What genes share that answer a query equally well."""
        return (self.match.kind, self.match.score, self.order[1])


def ranked(docsums: Iterable[Docsum], query: str) -> list[Ranked]:
    """The genes, best first."""
    return sorted((Ranked.of(docsum, query) for docsum in docsums), key=lambda gene: gene.order)


def is_unknown(plan: Plan, answer: SearchAnswer) -> bool:
    """Whether NCBI knows no word of a plain query; what it then finds was searched without the query."""
    unknown = _words(" ".join(phrase for phrase in answer.phrases_not_found if not _is_ours(phrase)))
    return plan.lead is not None and _words(_plain(plan.query)) <= unknown


def candidate(gene: Ranked, most: float) -> GeneSearchCandidate:
    """The row of a gene; its score never exceeds that of the row before."""
    place = min(gene.order[1], len(organisms.ORDER))
    return gene.docsum.candidate(match=gene.match.kind, score=round(min(most, gene.match.score - 0.005 * place), 3))


def is_of(docsum: Docsum, organism: Organism | None) -> bool:
    """Whether the gene belongs to the asked organism, as far as its summary can tell."""
    return organism is None or not organism.is_exact or docsum.taxon_id == organism.taxon_id


def replacing(gene: EntrezGene, asked_id: str) -> EntrezGene:
    """The current record, saying which ID it replaced."""
    message = f"{asked_id} was replaced; this is the current record, {gene.id}."
    notices = [Notice(code="REPLACED", message=message), *gene.notices]
    return gene.model_copy(update={"replaces": asked_id, "notices": notices})


def unmatched(query: str) -> Notice:
    """Says that nothing was found, and what to try."""
    message = f"No live gene matches {query!r:.120}. Try a symbol, fewer words, or another organism."
    return Notice(code="UNMATCHED", message=message)


def not_understood(query: str, words: str) -> AmbiguousQuery:
    """NCBI's refusal of a query, in its own words; the way on is the same words without syntax."""
    plain = _plain(query)
    return AmbiguousQuery(
        f"NCBI Gene could not run the query: {words:.200}",
        hint="Use plain words, or check brackets and field tags such as [sym], [orgn], [title].",
        invalid_input=query,
        recovery=CallTool(SEARCH, {"query": plain}) if plain != query and len(plain) in QUERY_LENGTH else None,
    )


def refused(query: str, refusal: Refused) -> BiofactError:
    """What NCBI's refusal of a search means: the query, or something that the caller cannot help."""
    words = eutils.found_error(refusal.answer.body)
    return not_understood(query, words) if words and words.kind == "query" else eutils.refusal(refusal)


def notices(plan: Plan, answer: SearchAnswer, leaders: list[Ranked]) -> list[Notice]:
    """What page 1 says about the search as a whole; ``leaders`` are its exact hits, best first.

    Raises:
        AmbiguousQuery: NCBI does not know the organism; the unfiltered answer would be another question's.
    """
    unknown = [phrase for phrase in answer.phrases_not_found if not _is_ours(phrase)]
    if plan.organism and any(plan.organism.name.casefold() in phrase.casefold() for phrase in unknown):
        raise _unknown_organism(plan, plan.organism)
    found = [_assumed(plan.organism)] if plan.organism and plan.is_organism_from_query else []
    found += [Notice(code="TERM_IGNORED", message=f"NCBI ignored {what}.") for what in _ignored(answer, unknown)]
    if plan.lead is None and _folded(answer.query_translation) not in {"", _folded(plan.whole)}:
        found.append(Notice(code="QUERY_UNDERSTOOD", message=f"NCBI searched for: {answer.query_translation:.500}"))
    if not answer.count:
        found.append(unmatched(plan.query))
    shared = [gene for gene in leaders if gene.best == leaders[0].best]
    if len(shared) > 1:
        names = ", ".join(f"{gene.docsum.symbol} (NCBIGene:{gene.docsum.uid})" for gene in shared)
        message = f"{len(shared)} genes share the best match ({shared[0].match.kind}): {names}."
        found.append(Notice(code="SHARED_MATCH", message=message))
    return found


def _is_ours(phrase: str) -> bool:
    """A part of the query that we added, not the user."""
    return "[properties]" in phrase.lower() or "alive[prop]" in phrase.lower() or "[gene name]" in phrase.lower()


def _ignored(answer: SearchAnswer, unknown: list[str]) -> list[str]:
    fields = [f"the unknown field [{name}]" for name in answer.fields_not_found]
    phrases = [f"{phrase!r:.80}, which it does not know" for phrase in (*unknown, *answer.phrases_ignored)]
    quoted = [f"the quotes of {phrase!r:.80}" for phrase in answer.quoted_phrases_not_found if not _is_ours(phrase)]
    return [*fields, *phrases, *quoted]


def _assumed(organism: Organism) -> Notice:
    message = f"Searched in {organism.name} alone, as the query's words say; pass organism to choose another."
    return Notice(code="ASSUMED", message=message)


def _unknown_organism(plan: Plan, organism: Organism) -> AmbiguousQuery:
    return AmbiguousQuery(
        f"NCBI Taxonomy has no organism {organism.name!r:.80}.",
        hint=f"Give a scientific name, an NCBI taxon ID, or one of: {organisms.EXAMPLES}.",
        invalid_input=organism.asked,
        recovery=CallTool(SEARCH, {"query": plan.query}),
    )
