"""Many names at once: stable IDs and symbols in few requests. Ensembl looks up no synonym so."""

import asyncio
import re
from collections import defaultdict
from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import replace

from biofact.core.envelopes import PaginationEnvelope
from biofact.core.errors import BiofactError, EntityNotFound, RateLimited, UpstreamError
from biofact.core.organisms import HUMAN, MODEL_ORGANISMS
from biofact.core.words import forms, squeezed
from biofact.protocol.names import FEW, FoundNames, NamedEntity, each_name
from biofact.protocol.ranking import Match, Ranked, called
from biofact.sources.ensembl import parse, search
from biofact.sources.ensembl.current import current_record
from biofact.sources.ensembl.identifiers import Kind, kind_of, recognised
from biofact.sources.ensembl.parse import Found
from biofact.sources.ensembl.parse.found import NAMES
from biofact.sources.ensembl.questions import EnsemblQuestions
from biofact.sources.ensembl.records import EnsemblGeneCandidate
from biofact.sources.ensembl.requests import MOST_IDS
from biofact.sources.ensembl.search import Reach

SearchGenes = Callable[..., Awaitable[PaginationEnvelope[EnsemblGeneCandidate]]]
_HUMAN = "homo_sapiens"
_HGNC_ID = re.compile(r"HGNC[:_ ]\s*(?:HGNC:)?(\d{1,7})", re.IGNORECASE | re.ASCII)
_LEADING = 5  # hits of a search by name
_NEAREST = 2
_SCIENTIFIC = {NAMES[taxon.id]: taxon.name for taxon in MODEL_ORGANISMS}


def scientific_name(species: str) -> str:
    """The organism that Ensembl calls ``homo_sapiens``."""
    return _SCIENTIFIC.get(species) or species.replace("_", " ").capitalize()


async def replacements(
    questions: EnsemblQuestions, found: FoundNames, ids: Mapping[str, str], kind: Kind
) -> dict[str, bytes]:
    """What has taken the place of IDs that are not current, by name; ``found`` takes why another has none. Each costs
    requests of its own, so that only few are asked for.
    """
    if len(ids) >= FEW:
        reason = "Ensembl has no such ID in its current release; ask for it alone to learn what became of it."
        found.reasons.update(dict.fromkeys(ids, reason))
        return {}
    payloads: dict[str, bytes] = {}

    async def follow(name: str, stable_id: str) -> None:
        try:
            payloads[name] = (await current_record(questions, stable_id, kind, slim=True)).payload
        except EntityNotFound as gone:
            found.reasons[name] = gone.message
        except (RateLimited, UpstreamError) as failure:
            found.fail([name], failure)

    await asyncio.gather(*(follow(name, stable_id) for name, stable_id in ids.items()))
    return payloads


class NamedGenes:
    """Finds the genes of many names."""

    def __init__(self, questions: EnsemblQuestions, names: Sequence[str], reach: Reach) -> None:
        self._questions = questions
        self._reach = reach
        found = {name: recognised(name) for name in names}
        self._ids = {name: one[0] for name, one in found.items() if one and kind_of(one[0]) == "Gene"}
        plans = {name: search.plan(name, reach) for name in names if not found[name]}
        self._plans = {name: plan for name, plan in plans.items() if plan and plan.symbol and not plan.database}
        self._found = FoundNames()

    async def find(self) -> FoundNames:
        """What Ensembl knows under the names."""
        await asyncio.gather(self._add_ids(), self._add_symbols())
        return self._found

    async def _add_ids(self) -> None:
        outcomes = await self._questions.brief_outcomes([*dict.fromkeys(self._ids.values())])
        retired = {name: stable_id for name, stable_id in self._ids.items() if outcomes[stable_id] is None}
        for name, stable_id in self._ids.items():
            outcome = outcomes[stable_id]
            if isinstance(outcome, BiofactError):
                self._found.fail([name], outcome)
            elif outcome is not None:
                self._found.add(name, [named_gene(Ranked(outcome, Match("id", 1.0)))])
        for name, payload in (await replacements(self._questions, self._found, retired, "Gene")).items():
            gene = parse.looked_up(payload)
            self._found.add(name, [named_gene(Ranked(gene, Match("id", 1.0)), is_replaced=True)])

    async def _add_symbols(self) -> None:
        """The genes that display a name as their symbol."""
        asked = self._symbols()
        parts = [asked[start : start + MOST_IDS] for start in range(0, len(asked), MOST_IDS)]
        displayed: dict[str, dict[str, Found]] = defaultdict(dict)
        failed: dict[str, BiofactError] = {}
        for symbols_of_part, genes in zip(parts, await asyncio.gather(*map(self._looked_up, parts)), strict=True):
            if isinstance(genes, BiofactError):
                failed.update(dict.fromkeys(symbols_of_part, genes))
                continue
            for gene in genes:
                displayed[squeezed(gene.symbol)][gene.id] = gene
        for name, plan in self._plans.items():
            alike = {gene.id: gene for form in plan.names for gene in displayed[squeezed(form)].values()}
            answers = called(alike.values(), plan.names)
            self._found.add(name, [named_gene(answer) for answer in answers])
            if not answers and (failure := failed.get(plan.symbols[0])):
                self._found.fail([name], failure)

    async def _looked_up(self, symbols: Sequence[str]) -> list[Found] | BiofactError:
        try:
            return await self._questions.symbols(self._reach.name, symbols)
        except (RateLimited, UpstreamError) as failure:
            return failure

    def _symbols(self) -> list[str]:
        """The names as written; of human genes in capitals, too, as far as that takes no further request."""
        written = dict.fromkeys(plan.symbols[0] for plan in self._plans.values())
        room = -len(written) % MOST_IDS
        in_capitals = (symbol.upper() for symbol in written) if self._reach.taxon_id == HUMAN else ()
        return [*written, *[symbol for symbol in in_capitals if symbol not in written][:room]]


def hgnc_id(name: str) -> str | None:
    """The HGNC ID that a name is, in any spelling."""
    found = _HGNC_ID.fullmatch(name)
    return f"HGNC:{int(found[1])}" if found else None


def is_hgnc_id(name: str) -> bool:
    """Whether a name is one."""
    return hgnc_id(name) is not None


async def genes_of_hgnc(questions: EnsemblQuestions, name: str) -> list[NamedEntity]:
    """The human genes with an HGNC ID; those that name another in their own record are left out."""
    asked = hgnc_id(name) or ""
    genes = await questions.lookup(await questions.carriers(_HUMAN, asked, "HGNC"))
    own = (gene for gene in genes if gene.species == _HUMAN and gene.hgnc_id in {None, asked})
    return [named_gene(Ranked(gene, Match("id", 1.0))) for gene in own]


class SearchedGenes:
    """Finds the genes that searches lead with."""

    def __init__(self, questions: EnsemblQuestions, search_genes: SearchGenes, organism: str) -> None:
        self._questions = questions
        self._search_genes = search_genes
        self._organism = organism
        self._remarks: dict[str, str] = {}

    async def find(self, names: Sequence[str]) -> FoundNames:
        """What a search for each name finds under the whole of it."""
        found = await each_name(names, self._called)
        found.remarks.update(self._remarks)
        return found

    async def _called(self, name: str) -> list[NamedEntity]:
        """The genes that ``name`` calls as a whole, as their own record or their synonyms prove."""
        hits = (await self._search_genes(name, species=self._organism, page_size=_LEADING)).items
        ids = [hit.id for hit in hits if hit.match in {"symbol", "alias", "name"}]
        near = [f"{hit.symbol} ({hit.id})" for hit in hits if hit.match == "near"][:_NEAREST]
        if near and not ids:
            self._remarks[name] = f"A letter away: {', '.join(near)}; ask for it by its ID if it is meant."
        synonyms = await self._questions.synonyms(ids) if ids else {}
        genes = (replace(gene, aliases=synonyms.get(gene.id, ())) for gene in await self._questions.lookup(ids))
        return [*map(named_gene, called(genes, forms(name)))]


def named_gene(answer: Ranked[Found], *, is_replaced: bool = False) -> NamedEntity:
    """A gene under a name that it answers."""
    gene = answer.gene
    location = gene.location or {}
    version = location.get("version")
    return NamedEntity(
        id=f"{gene.id}.{version}" if version else gene.id,
        label=gene.symbol,
        kind="gene",
        match=answer.match.kind,
        score=answer.score(),
        organism=scientific_name(gene.species),
        status="replaced" if is_replaced else "current",
        elsewhere={"ensembl_gene": gene.id, **({"hgnc": gene.hgnc_id} if gene.hgnc_id else {})},
        chromosome=location.get("chromosome"),
    )
