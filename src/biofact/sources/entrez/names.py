"""Many names at once: GeneIDs by summaries, symbols in a few searches; the summaries prove which name is whose."""

import asyncio
import re
from collections import defaultdict
from collections.abc import Awaitable, Callable, Iterable, Mapping, Sequence

from biofact.core.envelopes import PaginationEnvelope
from biofact.core.errors import BiofactError
from biofact.core.words import forms, words
from biofact.protocol.names import NamedEntity, NameResults, each_name, listed_in_parts
from biofact.protocol.ranking import NameIndex, Ranked, exact_matches, shared
from biofact.sources.entrez import search
from biofact.sources.entrez.parse import Docsum
from biofact.sources.entrez.questions import EntrezQuestions
from biofact.sources.entrez.records import GeneSearchCandidate, curie, uid_of
from biofact.sources.entrez.search import LEAD_LIMIT

SearchGenes = Callable[..., Awaitable[PaginationEnvelope[GeneSearchCandidate]]]
MOST_NAMES = 250
"""Names in one search."""
_LEADING = 5  # hits of a search by name
_WORD = re.compile(r"[A-Za-z0-9]+")
_GENES_A_NAME = 4  # on average, as aliases are shared
_GENES_A_FULL_NAME = 8  # on average, as a full name may stand within others


class NamedGenes:
    """Finds the genes of many names."""

    def __init__(self, questions: EntrezQuestions, names: Sequence[str], organism: str) -> None:
        self._questions = questions
        self._organism = organism
        self._ids = {name: uid for name in names if (uid := search.gene_id(name))}
        self._plans = self._planned([name for name in names if name not in self._ids])
        self._results = NameResults()
        self._docsums: dict[str, Docsum] = {}
        self._absent_uids: set[str] = set()
        self._own_uids: dict[str, frozenset[str]] = {}
        """The UIDs listed for a name that was asked alone."""

    async def find(self) -> NameResults:
        """The genes with the names."""
        uids = await listed_in_parts(self._results, [*self._plans], MOST_NAMES, self._search_names)
        failure = await self._summarise([*self._ids.values(), *uids])
        if numbers := self._aliases_in_numbers():
            uids = await listed_in_parts(self._results, numbers, MOST_NAMES, self._search_names)
            failure = await self._summarise(uids) or failure
        await asyncio.gather(*(self._add_id(name, uid) for name, uid in self._ids.items()))
        if common_names := self._common_names():
            uids = await listed_in_parts(self._results, common_names, 1, self._search_names)
            failure = await self._summarise(uids) or failure
        self._add_names()
        if failure:
            self._results.fail(self._results.pending_names([*self._ids, *self._plans]), failure)
        clones = ((name, search.notices.of_clone(name)) for name in self._results.pending_names(self._plans))
        self._results.remarks.update((name, remark) for name, remark in clones if remark)
        return self._results

    def _planned(self, names: Iterable[str]) -> dict[str, search.Plan]:
        plans = ((name, search.plan(name, self._organism)) for name in names)
        return {name: plan for name, plan in plans if plan and plan.lead}

    def _aliases_in_numbers(self) -> list[str]:
        """The numbers that are no GeneIDs, now planned as names: Gm3053 of the mouse has the alias 100040940."""
        numbers = [name for name, uid in self._ids.items() if name == uid and uid in self._absent_uids]
        for number in numbers:
            del self._ids[number]
        self._plans |= self._planned(numbers)
        return numbers

    async def _summarise(self, uids: Iterable[str]) -> BiofactError | None:
        """Read the summaries of these; returns why one of them is not known."""
        new_uids = [uid for uid in dict.fromkeys(uids) if uid not in self._docsums]
        outcomes = await self._questions.docsum_outcomes(new_uids)
        self._absent_uids |= {uid for uid, outcome in outcomes.items() if outcome is None}
        for uid, outcome in outcomes.items():
            if outcome and not isinstance(outcome, BiofactError):
                self._docsums[uid] = outcome
        return next((outcome for outcome in outcomes.values() if isinstance(outcome, BiofactError)), None)

    def _common_names(self) -> list[str]:
        """The names asked with others of which alone not all genes would be listed, as some would be better known."""
        holders: defaultdict[str, set[str]] = defaultdict(set)
        for uid, docsum in self._docsums.items():
            for word in words(" ".join((docsum.symbol, *docsum.aliases, *docsum.names, *docsum.designations))):
                holders[word].add(uid)
        names = (name for name in self._results.pending_names(self._plans) if name not in self._own_uids)
        return [name for name in names if _most_holders(holders, self._plans[name].names) > LEAD_LIMIT]

    async def _search_names(self, names: Sequence[str]) -> tuple[Sequence[str], bool]:
        """The UIDs that one search finds, and whether the list is short enough to be whole."""
        plans = [self._plans[name] for name in names]
        full_names = [form for plan in plans if plan.may_be_full_name for form in plan.names]
        term = plans[0].exact_term([form for plan in plans for form in plan.names], full_names)
        answer = await self._questions.search_exact_term(term)
        search.notices.check_organism(plans[0].organism, answer)
        limit = LEAD_LIMIT + _GENES_A_NAME * len(names) + _GENES_A_FULL_NAME * len(full_names)
        uids, is_whole = ((), True) if search.notices.is_nothing_known(answer) else (answer.uids, answer.count <= limit)
        if len(names) > 1:
            return uids, is_whole
        if not is_whole:
            # Few genes have "insulin" as an alias, and many that are better known have it within a full name.
            by_symbol = await self._questions.search_exact_term(plans[0].exact_term(plans[0].names))
            is_known = not search.notices.is_nothing_known(by_symbol)
            uids = (*uids[:LEAD_LIMIT], *(by_symbol.uids[:LEAD_LIMIT] if is_known else ()))
        self._own_uids[names[0]] = frozenset(uids)
        return uids, True

    async def _add_id(self, name: str, uid: str) -> None:
        """The gene with this ID, or the one that has taken its place."""
        docsum = self._docsums.get(uid)
        if docsum is None or docsum.is_live:
            self._results.add(name, [_entity(search.by_id(docsum, name))] if docsum else [])
        else:
            await self._results.add_awaited(name, self._replacement(name, uid))

    async def _replacement(self, name: str, uid: str) -> list[NamedEntity]:
        gene = await self._questions.current(curie(uid))
        docsum = await self._questions.docsum(uid_of(gene.id))
        return [_entity(search.by_id(docsum, name), is_replaced=True)] if docsum else []

    def _add_names(self) -> None:
        """The genes of each name, as a symbol, alias or full name in their summaries proves, and that the name itself
        lists: others are there for its neighbours. Of a name that was not asked as a full name those alone that have it
        as a symbol or alias.
        """
        index = NameIndex(docsum for docsum in self._docsums.values() if docsum.is_live)
        for name in self._results.pending_names(self._plans):
            plan, own_uids = self._plans[name], self._own_uids.get(name)
            genes = (answer for answer in index.matches(plan.names) if search.is_of(answer.gene, plan.organism))
            answers = [answer for answer in genes if _is_listed(answer, plan, own_uids)]
            if answers and (plan.may_be_full_name or answers[0].match.is_symbol):
                self._results.add(name, map(_entity, answers, shared(answers)))


def _is_listed(answer: Ranked[Docsum], plan: search.Plan, own_uids: frozenset[str] | None) -> bool:
    """Whether the gene is listed for the name by itself, whatever else was asked with it."""
    if own_uids is not None and answer.gene.uid not in own_uids:
        return False
    return answer.match.kind != "name" or plan.lists((*answer.gene.names, *answer.gene.designations))


def _most_holders(holders: Mapping[str, set[str]], forms_of_name: Iterable[str]) -> int:
    """How many genes at most hold all words of a form of a name."""
    each_words = filter(None, map(words, forms_of_name))
    return max((len(set.intersection(*(holders.get(word, set()) for word in form))) for form in each_words), default=0)


def _entity(answer: Ranked[Docsum], is_shared: bool = False, *, is_replaced: bool = False) -> NamedEntity:
    docsum = answer.gene
    return NamedEntity(
        id=docsum.id,
        label=docsum.symbol,
        kind="gene",
        match=answer.match.kind,
        score=answer.score(),
        organism=docsum.organism,
        status="replaced" if is_replaced else "current",
        xrefs={"entrez": docsum.uid},
        chromosome=docsum.chromosome,
        shares_match=is_shared,
        is_other_case=answer.match.is_symbol and not answer.match.is_exact_case,
        is_readthrough=docsum.is_readthrough,
        weight=docsum.weight or None,
        latin_reading=answer.match.latin_reading,
        is_of_family=answer.match.is_of_family,
    )


class SearchedGenes:
    """Finds the genes that searches lead with."""

    def __init__(self, questions: EntrezQuestions, search_genes: SearchGenes, organism: str) -> None:
        self._questions = questions
        self._search_genes = search_genes
        self._organism = organism
        self._remarks: dict[str, str] = {}

    async def find(self, names: Sequence[str]) -> NameResults:
        """The genes that lead the search for each name; it is not searched for words that stand in no gene."""
        unknown = await self._unknown_words([name for name in names if _WORD.fullmatch(name)])
        known = [name for name in names if name not in unknown]
        results = await each_name(known, self._search, self._questions.transport.afresh)
        results.remarks |= self._remarks
        return results

    async def _unknown_words(self, words: Sequence[str]) -> set[str]:
        parts = (words[start : start + MOST_NAMES] for start in range(0, len(words), MOST_NAMES))
        return set().union(*await asyncio.gather(*map(self._questions.unknown_words, parts)))

    async def _search(self, name: str) -> list[NamedEntity]:
        """The genes that ``name`` calls as a whole; of those that lead for its words, a remark."""
        hits = (await self._search_genes(name, organism=self._organism, page_size=_LEADING)).items
        docsums = (await self._questions.docsums([uid_of(hit.id) for hit in hits])).items  # kept by the search
        answers = exact_matches(docsums, forms(name))
        if hits and not answers:
            leaders = ", ".join(f"{hit.symbol} ({hit.id})" for hit in hits if hit.score == hits[0].score)
            self._remarks[name] = f"By words NCBI Gene finds {leaders} first; ask by ID for what is meant."
        return [*map(_entity, answers, shared(answers))]
