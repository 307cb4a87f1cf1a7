"""From words to genes: what to ask, how to rank what comes, page by page."""

import asyncio
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace

from pydantic import Field

from biofact.core.errors import RateLimited, UpstreamError
from biofact.core.kinds import MatchKind
from biofact.core.records import Notice, rows_dropped
from biofact.core.words import folded
from biofact.dialects.ebi_search import MOST_HITS
from biofact.protocol.listing import ListPage
from biofact.protocol.ranking import (
    TEXT,
    Match,
    Ranked,
    in_order,
    is_another_number,
    match_nearby,
    match_notices,
    read_in_part,
    shared_match,
)
from biofact.protocol.search import Candidates, HitList, RankedSearch, SearchPosition
from biofact.sources.ensembl.parse import GeneHit, Hits
from biofact.sources.ensembl.questions import TITLE, EnsemblQuestions
from biofact.sources.ensembl.records import EnsemblGeneCandidate
from biofact.sources.ensembl.search import notices
from biofact.sources.ensembl.search.queries import GeneListKind, Plan, is_symbol, plan
from biofact.sources.ensembl.search.species import (
    HUMAN,
    Reach,
    SpeciesTable,
    may_name_species,
    well_known,
    well_known_in,
)

__all__ = [
    "EnsemblPage",
    "EnsemblPosition",
    "EnsemblSearch",
    "Plan",
    "Reach",
    "SpeciesTable",
    "may_name_species",
    "notices",
    "plan",
    "well_known",
    "well_known_in",
]


_AS_ELSEWHERE = re.compile(r"[A-Z][a-z][a-z0-9]*|.*[():\[\]].*")  # as mice and flies have them: Trp53, e(y)2
_MOST_LEADING = 100  # IDs that travel in the cursor; "Y_RNA" is the name of 800 genes
_LOOKED_AT = 15  # of the best, however few are asked for: those that share the best match are named
_MOST_FRAGMENTS = 3  # each is a request
_LETTERS: dict[MatchKind, str] = {"id": "i", "symbol": "s", "alias": "a", "name": "n", "text": "t", "near": "x"}
_KINDS: dict[str, MatchKind] = {letter: kind for kind, letter in _LETTERS.items()}


class EnsemblPosition(SearchPosition):
    """The beginning of the next page of a search for genes."""

    number: GeneListKind
    """The list that goes on."""
    kinds: str = Field(default="", pattern=r"^[isantx]{0,100}$")
    """The match of each gene in ``lead``: a lookup alone does not show a match by synonym."""
    is_sifted: bool = False
    """Rows of the list were left out, so that its count is not that of the rows."""


EnsemblPage = ListPage[EnsemblGeneCandidate, EnsemblPosition]


@dataclass(frozen=True, slots=True)
class EnsemblSearch(RankedSearch[GeneHit, EnsemblGeneCandidate, EnsemblPosition]):
    """A planned search for genes."""

    plan: Plan
    ask: EnsemblQuestions

    async def candidates(self, page_size: int) -> Candidates[GeneHit, EnsemblPosition] | EnsemblPage:
        """Genes that carry the symbol, with the words behind them; else the best of what the words find."""
        shown_genes, carriers = await self._carriers() if self.plan.symbol else ([], [])
        guesses = [] if carriers else self._guesses(shown_genes)
        if (carriers or len(shown_genes) > len(guesses)) and not self._may_be_elsewhere(shown_genes):
            genes, remarks = await self._with_symbol(shown_genes, carriers)
            if genes or remarks:
                return self._page_of(genes, page_size, remarks)
        if not self.plan.has_words:
            page = self._page_of(guesses, page_size, []) if guesses else await self._page_in_part(page_size)
            return page or ListPage.empty(notices.unmatched(self.plan))
        try:
            number, hits = await self._hits()
        except (RateLimited, UpstreamError) as failure:
            return await self._without_words(failure, shown_genes, carriers, page_size)
        if carriers and not any(answer.leads for answer in self._ranked(hits.genes, number)):
            genes, remarks = await self._with_symbol(shown_genes, carriers)
            if genes:
                return self._page_of(genes, page_size, remarks)
        return await self._candidates_of(number, hits, guesses)

    async def answers_by_words(self) -> list[Ranked[GeneHit]]:
        """The first hits of the words, best first, without a look at the symbols.

        Raises:
            RateLimited, UpstreamError: EBI Search did not answer.
        """
        number, hits = await self._hits()
        other_numbers = self._other_numbers(hits.genes, number)
        return self._ranked([gene for gene in hits.genes if gene.id not in other_numbers], number)

    async def _candidates_of(
        self, number: GeneListKind, hits: Hits, guesses: Sequence[GeneHit]
    ) -> Candidates[GeneHit, EnsemblPosition] | EnsemblPage:
        """The best of ``guesses`` and the first hundred hits of a list lead it, however few are asked for."""
        other_numbers = self._other_numbers(hits.genes, number)
        known_genes = {gene.id: gene for gene in (*guesses, *hits.genes) if gene.id not in other_numbers}
        answers = in_order(self._answer(gene, number) for gene in known_genes.values())
        leaders = [answer for answer in answers if answer.leads]
        assumptions: list[Notice] = []
        if not leaders and (leaders := await self._in_part()):
            known_genes |= {answer.gene.id: answer.gene for answer in leaders}
            assumptions = [read_in_part(self.plan.query, self.plan.fragments)]
        if not leaders and len(other_numbers) == hits.count:
            return ListPage.empty(notices.unmatched(self.plan))
        leaders = (leaders or _to_last_near_name(answers))[:_MOST_LEADING]
        return Candidates(
            known_genes,
            _with_leaders(leaders, EnsemblPosition(number=number, is_sifted=bool(other_numbers))),
            HitList(hits.ids, hits.count, {gene.id: gene for gene in hits.genes}),
            assumptions,
            compared_count=_LOOKED_AT,
        )

    def first_notices(
        self, candidates: Candidates[GeneHit, EnsemblPosition], hits: Sequence[GeneHit]
    ) -> Sequence[Notice]:
        """Notices on the reading of the query, the lists searched, and genes that share the best match."""
        return [*candidates.notices, *self._query_notices(hits, candidates.position.number)]

    async def next_hits(self, position: EnsemblPosition, size: int) -> HitList[GeneHit]:
        """The next hits of the list that goes on."""
        hits = await self.ask.hits(self._term(position.number), position.offset, min(MOST_HITS, size))
        return HitList(hits.ids, hits.count, {gene.id: gene for gene in hits.genes})

    def excluded(self, hit_list: HitList[GeneHit], position: EnsemblPosition) -> list[str]:
        """Hits without an ID, and those that are a digit away from the query."""
        return ["", *self._other_numbers(hit_list.hits.values(), position.number)]

    async def records(
        self, ids: Sequence[str], known_hits: Mapping[str, GeneHit], position: EnsemblPosition
    ) -> tuple[list[GeneHit], list[Notice]]:
        """The current genes, with the aliases and ranks of the search; never one of another species."""
        found = await self.ask.lookup(ids)
        genes = found.noted(TITLE)
        own_genes = [gene for gene in genes if self.plan.reach is None or gene.species == self.plan.reach.name]
        remarks = [*_unknown(len(ids) - len(found.outcomes)), *_foreign(len(genes) - len(own_genes))]
        return [gene.merged(known_hits[gene.id]) if gene.id in known_hits else gene for gene in own_genes], remarks

    def answers(self, hits: Sequence[GeneHit], position: EnsemblPosition) -> list[Ranked[GeneHit]]:
        """The leading genes in their order, then the others, best first."""
        leaders = [self._leader(gene, position) for gene in hits if gene.id in position.lead]
        other_answers = in_order(self._follower(gene, position) for gene in hits if gene.id not in position.lead)
        return [*leaders, *other_answers]

    def row(self, answer: Ranked[GeneHit], score: float) -> EnsemblGeneCandidate:
        """The gene as a hit of the search."""
        return answer.gene.candidate(match=answer.match.kind, score=score)

    def advance(self, position: EnsemblPosition, offset: int, total: int) -> EnsemblPosition:
        """The position after ``offset``: at the end of a list, the beginning of the one that goes on."""
        following = self.plan.list_after(position.number, is_empty=False)
        # The next page begins another list, whose length is not known yet.
        if offset >= total and following is not None:
            return position.model_copy(update={"number": following, "offset": 0, "total": None})
        return position.model_copy(update={"offset": offset, "total": total})

    def total_count(self, position: EnsemblPosition) -> int | None:
        """Hits of the one list there is; None where several follow each other, or rows were left out."""
        is_whole = (
            position.number != GeneListKind.OTHER_SPECIES
            and self.plan.list_after(position.number, is_empty=False) is None
        )
        if position.total is None or not is_whole or position.is_sifted:
            return None
        return max(position.total, len(position.lead))  # genes of a symbol, where no words are searched

    async def _without_words(
        self,
        failure: RateLimited | UpstreamError,
        shown_genes: Sequence[GeneHit],
        carriers: Sequence[str],
        page_size: int,
    ) -> EnsemblPage:
        """Page 1 of the genes that are found by symbol alone, as the search by words failed.

        Raises:
            RateLimited, UpstreamError: there are none, so that the failure is the answer.
        """
        warning = notices.WITHOUT_TEXT(reason=failure.message)
        genes, _ = await self._with_symbol(shown_genes, carriers)
        if not genes and (page := await self._page_in_part(page_size)):
            return replace(page, notices=[*page.notices, warning])
        genes = genes or await self._symbols_in_words()
        if not genes:
            raise failure
        return self._page_of(genes, page_size, [warning], is_all=True)

    async def _page_in_part(self, page_size: int) -> EnsemblPage | None:
        """Page 1 of the genes that a part of the query calls, and of no others; None where it calls none."""
        answers = await self._in_part()
        if not answers:
            return None
        position = _with_leaders(answers, EnsemblPosition(number=GeneListKind.WORDS, total=0))
        remarks = [read_in_part(self.plan.query, self.plan.fragments), *shared_match(answers)]
        return self.page([answer.gene for answer in answers[:page_size]], position, page_size, remarks)

    async def _in_part(self) -> list[Ranked[GeneHit]]:
        """The genes of the species, human if none is asked for, that a fragment of the query calls; best first."""
        symbols = self.plan.symbols_in_part
        if not symbols:
            return []
        species = (self.plan.reach or HUMAN).name
        first = symbols[:_MOST_FRAGMENTS]
        carriers = asyncio.gather(*(self.ask.carriers(species, symbol) for symbol in first))
        shown_genes, carrier_ids = await asyncio.gather(self.ask.symbols(species, symbols), carriers)
        displayed_ids = {gene.id for gene in shown_genes}
        aliases = {gene_id: symbol for symbol, ids in zip(first, carrier_ids, strict=True) for gene_id in ids}
        further_ids = [gene_id for gene_id in aliases if gene_id not in displayed_ids]
        found = await self.ask.lookup(further_ids, is_whole=not shown_genes)
        further_genes = (replace(gene, aliases=(aliases[gene.id],)) for gene in found.noted(TITLE))
        genes = [*shown_genes, *further_genes]
        answers = (Ranked.in_part(gene, self.plan.fragments) for gene in genes if gene.species == species)
        return in_order(answer for answer in answers if answer.leads)[:_MOST_LEADING]

    async def _carriers(self) -> tuple[list[GeneHit], list[str]]:
        """Genes of the species, human if none is asked for, that display the symbol; and IDs of all that carry it."""
        species = (self.plan.reach or HUMAN).name
        carriers = self.ask.carriers(species, self.plan.symbol or "", self.plan.database)
        if self.plan.database:
            return [], await carriers
        return await asyncio.gather(self.ask.symbols(species, self.plan.symbols), carriers)

    async def _with_symbol(
        self, shown_genes: Sequence[GeneHit], carriers: Sequence[str]
    ) -> tuple[list[GeneHit], list[Notice]]:
        """All of them as genes, the best first; synonyms have to be looked up, several in their own letter case."""
        displayed_ids = {gene.id for gene in shown_genes}
        further_ids = [gene_id for gene_id in carriers if gene_id not in displayed_ids]
        lookups = self.ask.lookup(further_ids, is_whole=not shown_genes)
        found, synonyms = await asyncio.gather(lookups, self._spellings(further_ids))
        symbol = self.plan.symbol or ""
        further_genes = found.noted(TITLE)
        genes = [*shown_genes, *(replace(gene, aliases=(synonyms.get(gene.id, symbol),)) for gene in further_genes)]
        species = (self.plan.reach or HUMAN).name
        own_genes = [
            answer.gene
            for answer in self._ranked([gene for gene in genes if gene.species == species], GeneListKind.WORDS)
        ]
        return own_genes, [*_unknown(len(further_ids) - len(found.outcomes)), *_foreign(len(genes) - len(own_genes))]

    async def _spellings(self, gene_ids: Sequence[str]) -> Mapping[str, str]:
        """The spelling of a shared synonym for each of several genes; in lower case where it is not known."""
        symbol = self.plan.symbol or ""
        synonyms = await self.ask.synonyms(gene_ids) if len(gene_ids) > 1 and not self.plan.database else {}
        spellings = {
            gene_id: symbol if symbol in names else next((name for name in names if folded(name) == folded(symbol)), "")
            for gene_id, names in synonyms.items()
        }
        return {gene_id: spellings.get(gene_id) or symbol.lower() for gene_id in gene_ids} if synonyms else {}

    def _page_of(
        self, called_genes: list[GeneHit], page_size: int, remarks: list[Notice], *, is_all: bool = False
    ) -> EnsemblPage:
        """Page 1 of the genes that carry the symbol; the words come behind them, unless these are all there is."""
        answers = self._ranked(called_genes, GeneListKind.WORDS)
        position = _with_leaders(answers, EnsemblPosition(number=GeneListKind.WORDS))
        first = [answer.gene for answer in answers[:page_size]]
        if is_all or not self.plan.has_words:
            position = position.model_copy(update={"total": 0, "number": GeneListKind.AT_ONCE})
            return self.page(first, position, page_size, [*remarks, *match_notices(self.plan.query, answers)])
        return self.page(first, position, page_size, [*self._query_notices(called_genes, GeneListKind.WORDS), *remarks])

    async def _symbols_in_words(self) -> list[GeneHit]:
        """Genes whose symbol stands among the words, for when these cannot be searched."""
        symbols = [word for word in self.plan.query.split() if is_symbol(word) and len(word) > 1]
        return await self.ask.symbols((self.plan.reach or HUMAN).name, symbols) if symbols else []

    def _guesses(self, genes: Sequence[GeneHit]) -> list[GeneHit]:
        """The genes whose symbol has a Latin letter for the Greek one of the query: others may have the name itself."""
        return [answer.gene for answer in self._ranked(genes, GeneListKind.WORDS) if answer.match.latin_reading]

    def _may_be_elsewhere(self, shown_genes: Sequence[GeneHit]) -> bool:
        """A symbol written as other organisms have it, which in human is an alias at best."""
        is_symbol_anywhere = self.plan.reach is None and self.plan.database is None and not shown_genes
        return is_symbol_anywhere and _AS_ELSEWHERE.fullmatch(self.plan.symbol or "") is not None

    async def _hits(self) -> tuple[GeneListKind, Hits]:
        """The first list that has anything, and its number."""
        number = self.plan.first_list
        hits = await self.ask.hits(self._term(number), 0, MOST_HITS)
        # EBI Search orders by relevance with no regard to species (README, Quirks).
        if self._may_hide_human(number, hits):
            human = await self.ask.hits(self._term(GeneListKind.WORDS), 0, MOST_HITS)
            return (GeneListKind.WORDS, human) if human.count else (number, hits)
        following = self.plan.list_after(number, is_empty=True)
        if hits.count or following is None:
            return number, hits
        return following, await self.ask.hits(self._term(following), 0, MOST_HITS)

    def _may_hide_human(self, number: GeneListKind, hits: Hits) -> bool:
        """Whether a list that goes on begins with other species' genes alone, though the human ones come first."""
        leaders = (answer for answer in self._ranked(hits.genes, number) if answer.leads)
        is_human_found = any(leader.gene.species == HUMAN.name for leader in leaders)
        return self.plan.may_be_word and hits.count > MOST_HITS and not is_human_found

    def _other_numbers(self, genes: Iterable[GeneHit], number: GeneListKind) -> list[str]:
        """Genes that are a digit away from the query: the wildcards for a letter meet them, too."""
        answers = (self._answer(gene, number) for gene in genes)
        near_genes = [
            answer.gene for answer in answers if answer.match.kind == "near" and not answer.match.is_near_name
        ]
        return [gene.id for gene in near_genes if is_another_number(gene, self.plan.names)]

    def _leader(self, gene: GeneHit, position: EnsemblPosition) -> Ranked[GeneHit]:
        """A gene that leads, by what it met on page 1."""
        index = position.lead.index(gene.id)
        answers = [self._answer(gene, position.number), Ranked.in_part(gene, self.plan.fragments)]
        kind = _KINDS.get(position.kinds[index : index + 1], answers[0].match.kind)
        same_kind = (answer for answer in answers if answer.match.kind == kind)
        return next(same_kind, Ranked(gene, Match(kind, position.score)))

    def _follower(self, gene: GeneHit, position: EnsemblPosition) -> Ranked[GeneHit]:
        """A gene behind the leading ones: if none of these is near, the words matched a field that the hit lacks."""
        answer = self._answer(gene, position.number)
        is_near = answer.match.kind == "near" and (answer.match.is_near_name or _LETTERS["near"] in position.kinds)
        return answer if is_near or answer.match.kind != "near" else Ranked(gene, Match("text", TEXT))

    def _ranked(self, genes: Sequence[GeneHit], number: GeneListKind) -> list[Ranked[GeneHit]]:
        return in_order(self._answer(gene, number) for gene in genes)

    def _answer(self, gene: GeneHit, number: GeneListKind) -> Ranked[GeneHit]:
        """The match of a gene of a list with the query; a name one letter away counts where such were searched for."""
        if self.plan.database and self.plan.symbol in gene.aliases:
            return Ranked(gene, Match("id", 1.0))
        if number in {GeneListKind.WORDS, GeneListKind.OTHER_SPECIES} or self.plan.near_term is None:
            return Ranked.for_names(gene, self.plan.names)
        return Ranked(gene, match_nearby(gene, self.plan.names))

    def _query_notices(self, genes: Sequence[GeneHit], number: GeneListKind) -> list[Notice]:
        answers = self._ranked(genes, number)
        return [*notices.query_notices(self.plan, number), *match_notices(self.plan.query, answers)]

    def _term(self, number: GeneListKind) -> str:
        return self.plan.term(number) or ""


def _unknown(count: int) -> list[Notice]:
    """EBI's index may be older or newer than Ensembl."""
    return rows_dropped(count, "Ensembl has no such gene now")


def _foreign(count: int) -> list[Notice]:
    return rows_dropped(count, "they are of another species")


def _with_leaders(leaders: Sequence[Ranked[GeneHit]], position: EnsemblPosition) -> EnsemblPosition:
    """The position with the leading genes, and the match of each."""
    first = leaders[:_MOST_LEADING]
    kinds = "".join(_LETTERS[answer.match.kind] for answer in first)
    return position.model_copy(update={"lead": [answer.gene.id for answer in first], "kinds": kinds})


def _to_last_near_name(answers: list[Ranked[GeneHit]]) -> list[Ranked[GeneHit]]:
    """Names one letter away, and all that the words found before them; nothing where there are none."""
    count = max((position for position, answer in enumerate(answers, 1) if answer.match.is_near_name), default=0)
    return answers[:count]
