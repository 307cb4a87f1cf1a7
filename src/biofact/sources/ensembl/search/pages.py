"""A search, page by page: symbols first, then lists of EBI Search, each hit looked up before it is shown."""

import asyncio
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Protocol

from pydantic import Field

from biofact.core.errors import RateLimited, UpstreamError
from biofact.core.match_kinds import MatchKind
from biofact.core.provenance import Notice, rows_dropped
from biofact.core.words import folded
from biofact.dialects.ebi_search import MOST_HITS
from biofact.protocol import leading
from biofact.protocol.listing import ListPage
from biofact.protocol.ranking import (
    TEXT,
    Match,
    Ranked,
    in_order,
    is_another_number,
    match_nearby,
    read_in_part,
    scored,
    shared_match,
)
from biofact.sources.ensembl.parse import Found, Hits
from biofact.sources.ensembl.records import EnsemblGeneCandidate
from biofact.sources.ensembl.search import notices
from biofact.sources.ensembl.search.queries import List, Plan, is_symbol
from biofact.sources.ensembl.search.species import HUMAN

_AS_ELSEWHERE = re.compile(r"[A-Z][a-z][a-z0-9]*|.*[():\[\]].*")  # as mice and flies have them: Trp53, e(y)2
_MOST_LEADING = 100  # IDs that travel in the cursor; "Y_RNA" is the name of 800 genes
_LOOKED_AT = 15  # of the best, however few are asked for: those that share the best match are named
_MOST_FRAGMENTS = 3  # each is a request
_LETTERS: dict[MatchKind, str] = {"id": "i", "symbol": "s", "alias": "a", "name": "n", "text": "t", "near": "x"}
_KINDS: dict[str, MatchKind] = {letter: kind for kind, letter in _LETTERS.items()}


class Questions(Protocol):
    """The questions that a search puts, each one upstream request (of 1,000 IDs) at most."""

    async def symbols(self, species: str, symbols: Sequence[str]) -> list[Found]:
        """The genes of one species that display one of these symbols."""

    async def carriers(self, species: str, symbol: str, database: str | None) -> list[str]:
        """IDs of the genes of one species that carry a symbol, as a synonym too; or an ID of another database."""

    async def synonyms(self, gene_ids: Sequence[str]) -> Mapping[str, tuple[str, ...]]:
        """The synonyms of genes by ID, as they are written; none where they are not known."""

    async def hits(self, term: str, start: int, size: int) -> Hits:
        """What EBI Search finds."""

    async def lookup(self, ids: Sequence[str]) -> list[Found]:
        """The genes with these IDs, in their order; those that do not exist are left out."""


class EnsemblPosition(leading.PagePosition):
    """Where the next page of a search for genes begins."""

    number: List
    """The list that goes on."""
    kinds: str = Field(default="", pattern=r"^[isantx]{0,100}$")
    """What each of ``lead`` met, which a lookup alone does not tell of a synonym."""
    is_sifted: bool = False
    """Rows of the list were left out, so that its count is not that of the rows."""


EnsemblPage = ListPage[EnsemblGeneCandidate, EnsemblPosition]


@dataclass(frozen=True, slots=True)
class Pages:
    """A planned search."""

    plan: Plan
    ask: Questions

    async def first(self, page_size: int) -> EnsemblPage:
        """Page 1: genes that carry the symbol; else the best of what the words find."""
        shown, carriers = await self._carriers() if self.plan.symbol else ([], [])
        if (shown or carriers) and not self._may_be_elsewhere(shown):
            called, remarks = await self._called(shown, carriers)
            if called or remarks:
                return self._page_of(called, page_size, remarks)
        if not self.plan.has_words:
            return await self._page_in_part(page_size) or ListPage.empty(notices.unmatched(self.plan))
        try:
            number, hits = await self._hits()
        except (RateLimited, UpstreamError) as failure:
            return await self._without_words(failure, shown, carriers, page_size)
        if carriers and not any(one.leads for one in self._ranked(hits.genes, number)):
            called, remarks = await self._called(shown, carriers)
            if called:
                return self._page_of(called, page_size, remarks)
        return await self._first_of(number, hits, page_size)

    async def after(self, position: EnsemblPosition, page_size: int) -> EnsemblPage:
        """The page that begins at ``position``."""
        lead = position.leading(page_size)
        pool: dict[str, Found] = {}
        ids: list[str] = []
        wanted = page_size - len(lead)
        number = position.number
        while wanted and not ids and position.has_more:
            number = position.number
            size = min(MOST_HITS, wanted + len(position.lead))
            hits = await self.ask.hits(self._term(position.number), position.offset, size)
            pool = {gene.id: gene for gene in hits.genes}
            sifted = self._other_numbers(hits, position.number)
            ids, offset = leading.rest(hits.ids, hits.count, [*position.lead, *sifted], position.offset, wanted)
            position = self._onward(position, offset, hits.count)
        genes, remarks = await self._looked_up([*lead, *ids], pool)
        return self._page(genes, position, page_size, remarks, number=number)

    async def _without_words(
        self, failure: RateLimited | UpstreamError, shown: Sequence[Found], carriers: Sequence[str], page_size: int
    ) -> EnsemblPage:
        """Page 1 of the genes that are found by symbol alone, as the search by words failed.

        Raises:
            RateLimited, UpstreamError: there are none, so that nothing can be said.
        """
        warning = notices.without_text(failure.message)
        called, _ = await self._called(shown, carriers)
        if not called and (page := await self._page_in_part(page_size)):
            return replace(page, notices=[*page.notices, warning])
        called = called or await self._called_in_words()
        if not called:
            raise failure
        return self._page_of(called, page_size, [warning], is_all=True)

    async def _page_in_part(self, page_size: int) -> EnsemblPage | None:
        """Page 1 of the genes that a part of the query calls, and of no others; None where it calls none."""
        answers = await self._in_part()
        if not answers:
            return None
        position = _led_by(answers, EnsemblPosition(number=List.WORDS, total=0))
        remarks = [read_in_part(self.plan.query, self.plan.fragments), *shared_match(answers)]
        return self._page([one.gene for one in answers[:page_size]], position, page_size, remarks)

    async def _in_part(self) -> list[Ranked[Found]]:
        """The genes of the species, human if none is asked for, that a fragment of the query calls; best first."""
        symbols = self.plan.symbols_in_part
        if not symbols:
            return []
        species = (self.plan.reach or HUMAN).name
        first = symbols[:_MOST_FRAGMENTS]
        carriers = asyncio.gather(*(self.ask.carriers(species, symbol, None) for symbol in first))
        shown, carried = await asyncio.gather(self.ask.symbols(species, symbols), carriers)
        known = {gene.id for gene in shown}
        aliases = {gene_id: symbol for symbol, ids in zip(first, carried, strict=True) for gene_id in ids}
        further = await self.ask.lookup([gene_id for gene_id in aliases if gene_id not in known])
        genes = [*shown, *(replace(gene, aliases=(aliases[gene.id],)) for gene in further)]
        answers = (Ranked.in_part(gene, self.plan.fragments) for gene in genes if gene.species == species)
        return in_order(answer for answer in answers if answer.leads)[:_MOST_LEADING]

    async def _carriers(self) -> tuple[list[Found], list[str]]:
        """Genes of the species, human if none is asked for, that display the symbol; and IDs of all that carry it."""
        species = (self.plan.reach or HUMAN).name
        carriers = self.ask.carriers(species, self.plan.symbol or "", self.plan.database)
        if self.plan.database:
            return [], await carriers
        return await asyncio.gather(self.ask.symbols(species, self.plan.symbols), carriers)

    async def _called(self, shown: Sequence[Found], carriers: Sequence[str]) -> tuple[list[Found], list[Notice]]:
        """All of them as genes, the best first; synonyms have to be looked up, several in their own letter case."""
        known = {gene.id for gene in shown}
        asked = [gene_id for gene_id in carriers if gene_id not in known]
        further, synonyms = await asyncio.gather(self.ask.lookup(asked), self._spellings(asked))
        symbol = self.plan.symbol or ""
        genes = [*shown, *(replace(gene, aliases=(synonyms.get(gene.id, symbol),)) for gene in further)]
        species = (self.plan.reach or HUMAN).name
        own = [one.gene for one in self._ranked([gene for gene in genes if gene.species == species], List.WORDS)]
        return own, [*_unknown(len(asked) - len(further)), *_foreign(len(genes) - len(own))]

    async def _spellings(self, gene_ids: Sequence[str]) -> Mapping[str, str]:
        """How several genes write the one synonym that they share; it is in lower case where that is not known."""
        symbol = self.plan.symbol or ""
        synonyms = await self.ask.synonyms(gene_ids) if len(gene_ids) > 1 and not self.plan.database else {}
        spellings = {
            gene_id: symbol if symbol in names else next((own for own in names if folded(own) == folded(symbol)), "")
            for gene_id, names in synonyms.items()
        }
        return {gene_id: spellings.get(gene_id) or symbol.lower() for gene_id in gene_ids} if synonyms else {}

    def _page_of(
        self, called: list[Found], page_size: int, remarks: list[Notice], *, is_all: bool = False
    ) -> EnsemblPage:
        """Page 1 of the genes that carry the symbol; the words come behind them, unless these are all there is."""
        answers = self._ranked(called, List.WORDS)
        position = _led_by(answers, EnsemblPosition(number=List.WORDS))
        first = [one.gene for one in answers[:page_size]]
        if is_all or not self.plan.has_words:
            position = position.model_copy(update={"total": 0, "number": List.AT_ONCE})
            return self._page(first, position, page_size, [*remarks, *shared_match(answers)])
        return self._page(first, position, page_size, [*self._about(called, List.WORDS), *remarks])

    async def _called_in_words(self) -> list[Found]:
        """Genes whose symbol stands among the words, for when these cannot be searched."""
        symbols = [word for word in self.plan.query.split() if is_symbol(word)]
        return await self.ask.symbols((self.plan.reach or HUMAN).name, symbols) if symbols else []

    def _may_be_elsewhere(self, shown: Sequence[Found]) -> bool:
        """A symbol written as other organisms have it, which in human is an alias at best."""
        is_symbol_anywhere = self.plan.reach is None and self.plan.database is None and not shown
        return is_symbol_anywhere and _AS_ELSEWHERE.fullmatch(self.plan.symbol or "") is not None

    async def _hits(self) -> tuple[List, Hits]:
        """The first list that has anything, and its number."""
        number = self.plan.first_list
        hits = await self.ask.hits(self._term(number), 0, MOST_HITS)
        if self._may_hide_human(number, hits):
            human = await self.ask.hits(self._term(List.WORDS), 0, MOST_HITS)
            return (List.WORDS, human) if human.count else (number, hits)
        following = self.plan.list_after(number, is_empty=True)
        if hits.count or following is None:
            return number, hits
        return following, await self.ask.hits(self._term(following), 0, MOST_HITS)

    def _may_hide_human(self, number: List, hits: Hits) -> bool:
        """Whether a list that goes on begins with other species' genes alone, though the human ones come first."""
        leaders = (one for one in self._ranked(hits.genes, number) if one.leads)
        is_human_found = any(one.gene.species == HUMAN.name for one in leaders)
        return self.plan.may_be_word and hits.count > MOST_HITS and not is_human_found

    async def _first_of(self, number: List, hits: Hits, page_size: int) -> EnsemblPage:
        """Page 1 of a list: the best of its first hundred lead it, however few are asked for."""
        sifted = self._other_numbers(hits, number)
        pool = {gene.id: gene for gene in hits.genes if gene.id not in sifted}
        answers = in_order(self._answer(gene, number) for gene in pool.values())
        leaders = [one for one in answers if one.leads]
        assumed: list[Notice] = []
        if not leaders and (leaders := await self._in_part()):
            pool |= {one.gene.id: one.gene for one in leaders}
            assumed = [read_in_part(self.plan.query, self.plan.fragments)]
        if not leaders and len(sifted) == hits.count:
            return ListPage.empty(notices.unmatched(self.plan))
        leaders = (leaders or _to_last_near_name(answers))[:_MOST_LEADING]
        lead = [one.gene.id for one in leaders]
        ids, offset = leading.rest(hits.ids, hits.count, [*lead, *sifted], 0, page_size - len(lead))
        (genes, remarks), (others, _) = await asyncio.gather(
            self._looked_up([*lead[:page_size], *ids], pool), self._looked_up(lead[page_size:_LOOKED_AT], pool)
        )
        position = _led_by(leaders, EnsemblPosition(number=number, is_sifted=bool(sifted)))
        position = self._onward(position, offset, hits.count)
        about = self._about([*genes, *others], number)
        return self._page(genes, position, page_size, [*assumed, *about, *remarks], number=number)

    def _other_numbers(self, hits: Hits, number: List) -> list[str]:
        """Hits that are a digit away from the query: the wildcards for a letter meet them, too."""
        answers = (self._answer(gene, number) for gene in hits.genes)
        near = [one.gene for one in answers if one.match.kind == "near" and not one.match.is_near_name]
        return [gene.id for gene in near if is_another_number(gene, self.plan.names)]

    async def _looked_up(self, ids: Sequence[str], pool: dict[str, Found]) -> tuple[list[Found], list[Notice]]:
        """The genes as Ensembl knows them now, with what the search told of them; never one of another species."""
        known = await self.ask.lookup(ids)
        kept = [gene for gene in known if self.plan.reach is None or gene.species == self.plan.reach.name]
        remarks = [*_unknown(len(ids) - len(known)), *_foreign(len(known) - len(kept))]
        return [gene.merged(pool[gene.id]) if gene.id in pool else gene for gene in kept], remarks

    def _page(
        self,
        genes: Sequence[Found],
        position: EnsemblPosition,
        page_size: int,
        remarks: list[Notice],
        *,
        number: List | None = None,
    ) -> EnsemblPage:
        """The rows, and where the next page begins; ``number`` is their list, if another goes on after it."""
        rows = self._rows(genes, position, position.number if number is None else number)
        score = rows[-1].score if rows else position.score
        is_whole = position.number != List.OTHERS and self.plan.list_after(position.number, is_empty=False) is None
        is_counted = is_whole and not position.is_sifted
        return ListPage(rows, position.after(page_size, score), position.total if is_counted else None, remarks)

    def _onward(self, position: EnsemblPosition, offset: int, count: int) -> EnsemblPosition:
        """The position after ``offset``: at the end of a list, the beginning of the one that goes on."""
        following = self.plan.list_after(position.number, is_empty=False)
        if offset >= count and following is not None:
            return position.model_copy(update={"number": following, "offset": 0, "total": None})
        return position.model_copy(update={"offset": offset, "total": count})

    def _rows(self, genes: Sequence[Found], position: EnsemblPosition, number: List) -> list[EnsemblGeneCandidate]:
        """Those that lead in their order, then the others, best first; scores never rise."""
        leaders = [self._leader(gene, position, number) for gene in genes if gene.id in position.lead]
        others = in_order(self._follower(gene, position, number) for gene in genes if gene.id not in position.lead)
        answers = scored([*leaders, *others], position.score)
        return [answer.gene.candidate(match=answer.match.kind, score=score) for answer, score in answers]

    def _leader(self, gene: Found, position: EnsemblPosition, number: List) -> Ranked[Found]:
        """A gene that leads, by what it met on page 1."""
        at = position.lead.index(gene.id)
        answers = [self._answer(gene, number), Ranked.in_part(gene, self.plan.fragments)]
        kind = _KINDS.get(position.kinds[at : at + 1], answers[0].match.kind)
        fitting = (answer for answer in answers if answer.match.kind == kind)
        return next(fitting, Ranked(gene, Match(kind, position.score)))

    def _follower(self, gene: Found, position: EnsemblPosition, number: List) -> Ranked[Found]:
        """A gene behind those that lead: where none of these is near, the words found it in what is not told of it."""
        answer = self._answer(gene, number)
        is_near = answer.match.kind == "near" and (answer.match.is_near_name or _LETTERS["near"] in position.kinds)
        return answer if is_near or answer.match.kind != "near" else Ranked(gene, Match("text", TEXT))

    def _ranked(self, genes: Sequence[Found], number: List) -> list[Ranked[Found]]:
        return in_order(self._answer(gene, number) for gene in genes)

    def _answer(self, gene: Found, number: List) -> Ranked[Found]:
        """How a gene of a list answers the query; a name one letter away counts where such were searched for."""
        if self.plan.database and self.plan.symbol in gene.aliases:
            return Ranked(gene, Match("id", 1.0))
        if number in {List.WORDS, List.OTHERS} or self.plan.near is None:
            return Ranked.of(gene, self.plan.names)
        return Ranked(gene, match_nearby(gene, self.plan.names))

    def _about(self, genes: Sequence[Found], number: List) -> list[Notice]:
        return [*notices.about(self.plan, number), *shared_match(self._ranked(genes, number))]

    def _term(self, number: List) -> str:
        return self.plan.term(number) or ""


def _unknown(count: int) -> list[Notice]:
    """EBI's index may be older or newer than Ensembl."""
    return rows_dropped(count, "Ensembl has no such gene now")


def _foreign(count: int) -> list[Notice]:
    return rows_dropped(count, "they are of another species")


def _led_by(leaders: Sequence[Ranked[Found]], position: EnsemblPosition) -> EnsemblPosition:
    """The position with the genes that lead, and what each of them met."""
    first = leaders[:_MOST_LEADING]
    kinds = "".join(_LETTERS[one.match.kind] for one in first)
    return position.model_copy(update={"lead": [one.gene.id for one in first], "kinds": kinds})


def _to_last_near_name(answers: list[Ranked[Found]]) -> list[Ranked[Found]]:
    """Names one letter away, and all that the words found before them; nothing where there are none."""
    count = max((position for position, one in enumerate(answers, 1) if one.match.is_near_name), default=0)
    return answers[:count]
