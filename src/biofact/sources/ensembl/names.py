"""Many names at once: stable IDs and symbols in few requests. Ensembl looks up no synonym so."""

import asyncio
import re
from collections.abc import Mapping, Sequence
from dataclasses import replace

from biofact.core import curies
from biofact.core.errors import BiofactError, EntityNotFound, RateLimited, UpstreamError
from biofact.core.kinds import EntityKind, EntityStatus
from biofact.core.organisms import HUMAN, MODEL_ORGANISMS
from biofact.core.words import forms
from biofact.core.xrefs import uniprot_curie
from biofact.protocol.names import NamedEntity, NameResults, each_name
from biofact.protocol.ranking import Match, NameIndex, Ranked, exact_matches
from biofact.sources.ensembl import parse, search
from biofact.sources.ensembl.identifiers import Kind, parse_stable_id, stable_id_of_kind
from biofact.sources.ensembl.parse import GeneHit, Product, Row
from biofact.sources.ensembl.parse.genes import NAMES
from biofact.sources.ensembl.questions import EnsemblQuestions
from biofact.sources.ensembl.resolver import current_record
from biofact.sources.ensembl.search import EnsemblSearch, Reach
from biofact.sources.ensembl.service import MOST_IDS

_NOMENCLATURES: Mapping[str, tuple[str, str | None]] = {
    "HGNC": ("homo_sapiens", "HGNC"),
    "MGI": ("mus_musculus", "MGI"),
    "RGD": ("rattus_norvegicus", "RGD"),
    "ZFIN": ("danio_rerio", "ZFIN_ID"),
    "SGD": ("saccharomyces_cerevisiae", None),
}
"""The species of a nomenclature by the prefix of its IDs, and Ensembl's name of the database; None where it has several
for one, of which no recording shows the right one."""
_WITH_NUMBER = ("HGNC", "MGI")  # Ensembl writes their IDs with the prefix
_LEADING = 5  # hits of a search by name
_NEAREST = 2
_SCIENTIFIC = {NAMES[taxon.id]: taxon.name for taxon in MODEL_ORGANISMS}


def scientific_name(species: str) -> str:
    """The organism that Ensembl calls ``homo_sapiens``."""
    return _SCIENTIFIC.get(species) or species.replace("_", " ").capitalize()


async def replacements(
    questions: EnsemblQuestions, results: NameResults, ids: Mapping[str, str], kind: Kind
) -> dict[str, bytes]:
    """The records that replace retired IDs, by name; ``results`` records the reason for an ID without one. Each ID
    costs requests of its own.
    """
    payloads: dict[str, bytes] = {}

    async def follow(name: str) -> tuple[()]:
        payloads[name] = (await current_record(questions, ids[name], kind, slim=True)).payload
        return ()  # no entity yet: the caller reads the payload

    outcomes = await each_name([*ids], follow, questions.transport.afresh)
    results.failures |= outcomes.failures
    results.reasons |= outcomes.reasons
    return payloads


class NamedGenes:
    """Finds the genes of many names."""

    def __init__(self, questions: EnsemblQuestions, names: Sequence[str], reach: Reach) -> None:
        self._questions = questions
        self._reach = reach
        self._ids = {name: stable_id for name in names if (stable_id := stable_id_of_kind(name, "Gene"))}
        plans = {name: search.plan(name, reach) for name in names if not parse_stable_id(name)}
        self._plans = {name: plan for name, plan in plans.items() if plan and plan.symbol and not plan.database}
        self._results = NameResults()

    async def find(self) -> NameResults:
        """The genes with the names."""
        await asyncio.gather(self._add_ids(), self._add_symbols())
        return self._results

    async def _add_ids(self) -> None:
        outcomes = await self._questions.genes.get_many([*self._ids.values()])
        retired = self._results.add_outcomes(
            self._ids, outcomes, lambda gene: named_gene(Ranked(gene, Match("id", 1.0)))
        )
        for name, payload in (await replacements(self._questions, self._results, retired, "Gene")).items():
            gene = parse.gene_hit(payload)
            self._results.add(name, [named_gene(Ranked(gene, Match("id", 1.0)), is_replaced=True)])

    async def _add_symbols(self) -> None:
        """The genes that display a name as their symbol."""
        symbols = self._symbols()
        parts = [symbols[start : start + MOST_IDS] for start in range(0, len(symbols), MOST_IDS)]
        found_genes: list[GeneHit] = []
        failed: dict[str, BiofactError] = {}
        for symbols_of_part, genes in zip(parts, await asyncio.gather(*map(self._lookup_symbols, parts)), strict=True):
            if isinstance(genes, BiofactError):
                failed.update(dict.fromkeys(symbols_of_part, genes))
                continue
            found_genes += genes
        index = NameIndex(found_genes)
        for name, plan in self._plans.items():
            answers = [answer for answer in index.matches(plan.names) if answer.match.is_symbol]
            self._results.add(name, [named_gene(answer) for answer in answers])
            if not answers and (failure := failed.get(plan.symbols[0])):
                self._results.fail([name], failure)

    async def _lookup_symbols(self, symbols: Sequence[str]) -> list[GeneHit] | BiofactError:
        try:
            return await self._questions.symbols(self._reach.name, symbols)
        except (RateLimited, UpstreamError) as failure:
            return failure

    def _symbols(self) -> list[str]:
        """The names as written; of human genes in capitals, too."""
        symbols = [plan.symbols[0] for plan in self._plans.values()]
        # A lookup is exact, and people type human symbols in any letter case.
        in_capitals = map(str.upper, symbols) if self._reach.taxon_id == HUMAN else ()
        return [*dict.fromkeys((*symbols, *in_capitals))]


def nomenclature_id(name: str) -> str | None:
    """The ID of a species' nomenclature that a name is, in any spelling."""
    written_id = curies.read_id(name)
    return written_id if written_id and written_id.partition(":")[0] in _NOMENCLATURES else None


async def genes_of_nomenclature(questions: EnsemblQuestions, name: str) -> list[NamedEntity]:
    """The genes with an ID of their species' nomenclature; those that name another in their own record are left out.

    Raises:
        EntityNotFound: there is none.
        RateLimited, UpstreamError: it is not known.
    """
    query_id = nomenclature_id(name) or ""
    prefix, _, number = query_id.partition(":")
    species, database = _NOMENCLATURES[prefix]
    carriers = await questions.carriers(species, query_id if prefix in _WITH_NUMBER else number, database)
    genes = (await questions.lookup(carriers)).items
    own_genes = [gene for gene in genes if gene.species == species and _has_id(gene, query_id, database)]
    if not own_genes:
        message = f"Ensembl has no gene of {scientific_name(species)} with the ID {query_id}."
        raise EntityNotFound(message, hint="Check the ID, or give the symbol of the gene.", invalid_input=name)
    return [named_gene(Ranked(gene, Match("id", 1.0))) for gene in own_genes]


class SearchedGenes:
    """Finds the genes that searches lead with."""

    def __init__(self, questions: EnsemblQuestions, reach: Reach) -> None:
        self._questions = questions
        self._reach = reach
        self._remarks: dict[str, str] = {}

    async def find(self, names: Sequence[str]) -> NameResults:
        """The genes that a search finds under each whole name."""
        findings = await each_name(names, self._search, self._questions.transport.afresh)
        findings.remarks.update(self._remarks)
        return findings

    async def _search(self, name: str) -> list[NamedEntity]:
        """The genes that ``name`` calls as a whole, as their own record or their synonyms prove."""
        plan = search.plan(name, self._reach)
        if plan is None or not plan.has_words:
            return []
        answers = (await EnsemblSearch(plan, self._questions).answers_by_words())[:_LEADING]
        ids = [answer.gene.id for answer in answers if answer.leads]
        near_hits = [f"{answer.gene.symbol} ({answer.gene.id})" for answer in answers if answer.match.is_near_name]
        if near_hits and not ids:
            nearest = ", ".join(near_hits[:_NEAREST])
            self._remarks[name] = f"A letter away: {nearest}; ask for it by its ID if it is meant."
        synonyms = await self._questions.synonyms(ids) if ids else {}
        genes = (replace(gene, aliases=synonyms.get(gene.id, ())) for gene in (await self._questions.lookup(ids)).items)
        return [*map(named_gene, exact_matches(genes, forms(name)))]


def named_gene(answer: Ranked[GeneHit], *, is_replaced: bool = False) -> NamedEntity:
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
        xrefs={"ensembl_gene": gene.id, **_of_nomenclature(gene.nomenclature_id)},
        chromosome=location.get("chromosome"),
        latin_reading=answer.match.latin_reading,
        is_of_family=answer.match.is_of_family,
        is_other_case=answer.match.is_symbol and not answer.match.is_exact_case,
    )


def _has_id(gene: GeneHit, query_id: str, database: str | None) -> bool:
    """Whether a gene has the ID by its own record, or is silent and the service has searched that database alone."""
    return gene.nomenclature_id == query_id or (database is not None and gene.nomenclature_id is None)


def _of_nomenclature(gene_id: str | None) -> dict[str, str]:
    if gene_id is None:
        return {}
    return {"hgnc" if gene_id.startswith("HGNC:") else "alliance": gene_id}


_SWISSPROT = "Uniprot/SWISSPROT"
REFSEQ_TRANSCRIPT = re.compile(r"(?:RefSeq\s*:\s*)?([NX][MR]_\d{6,9})(\.\d+)?", re.IGNORECASE | re.ASCII)


class NamedProducts:
    """Finds the transcripts or proteins with many stable IDs."""

    def __init__(self, questions: EnsemblQuestions, names: Sequence[str], kind: Kind) -> None:
        self._questions = questions
        self._kind: Kind = kind
        self._products = questions.transcripts if kind == "Transcript" else questions.proteins
        self._ids = {name: stable_id for name in names if (stable_id := stable_id_of_kind(name, kind))}
        self._results = NameResults()

    async def find(self) -> NameResults:
        """The products with the IDs: one request for all, and one more for the genes of proteins."""
        outcomes = await self._products.get_many([*self._ids.values()])
        retired = {name: missing_id for name, missing_id in self._ids.items() if outcomes[missing_id] is None}
        payloads = await replacements(self._questions, self._results, retired, self._kind)
        successors = {name: parse.product(payload) for name, payload in payloads.items()}
        current = [outcome for outcome in outcomes.values() if isinstance(outcome, Product)]
        genes = await self._genes([*current, *successors.values()])
        self._results.add_outcomes(self._ids, outcomes, lambda product: _entity(product, genes.get(product.id)))
        for name, product in successors.items():
            self._results.add(name, [_entity(product, genes.get(product.id), "replaced")])
        return self._results

    async def _genes(self, products: Sequence[Product]) -> dict[str, str]:
        """The gene of each product; of proteins by way of their transcripts."""
        if self._kind == "Transcript":
            return {product.id: product.parent for product in products}
        transcripts = await self._questions.transcripts.get_many([product.parent for product in products])
        products_with_transcript = ((product.id, transcripts[product.parent]) for product in products)
        return {
            stable_id: product.parent for stable_id, product in products_with_transcript if isinstance(product, Product)
        }


def _entity(
    product: Product, gene: str | None, status: EntityStatus = "current", *, is_shared: bool = False
) -> NamedEntity:
    kind: EntityKind = "protein" if product.kind == "Translation" else "transcript"
    refseq = {"refseq": product.mane_partners[0]} if product.mane_partners else {}
    return NamedEntity(
        id=product.versioned_id,
        label=product.name or product.id,
        kind=kind,
        match="id",
        score=1.0,
        organism=scientific_name(product.species),
        status=status,
        xrefs={f"ensembl_{kind}": product.id, **refseq},
        chromosome=product.chromosome,
        product_of=(gene,) if gene else (),
        shares_match=is_shared,
    )


async def transcripts_of_refseq(questions: EnsemblQuestions, name: str, reach: Reach) -> list[NamedEntity]:
    """The transcripts that have the sequence of one of RefSeq's, as they or their cross-references tell.

    Raises:
        EntityNotFound: there is none in this species.
        RateLimited, UpstreamError: it is not known.
    """
    match = REFSEQ_TRANSCRIPT.fullmatch(name)
    accession, version = (match[1].upper(), match[2] or "") if match else (name, "")
    # The current version is found as it is, an older one only without its number (README, Quirks).
    for spelling in dict.fromkeys((f"{accession}{version}", accession)):
        if ids := await questions.carriers(reach.name, spelling, kind="transcript"):
            break
    payloads = await asyncio.gather(*(questions.expanded(transcript_id, "Transcript") for transcript_id in ids))
    products = [parse.product(payload) for payload in payloads if payload is not None]
    own_products = [product for product in products if accession in product.mane_partners]
    # MANE partners come with the lookup; cross-references cost a request for each transcript.
    own_products = own_products or await _with_refseq(questions, products, accession)
    if not own_products:
        message = f"Ensembl has no transcript of {scientific_name(reach.name)} with the sequence of {accession}."
        raise EntityNotFound(message, hint="Name its organism, if it is another.", invalid_input=name)
    return [_entity(product, product.parent, is_shared=len(own_products) > 1) for product in own_products]


async def _with_refseq(questions: EnsemblQuestions, products: Sequence[Product], accession: str) -> list[Product]:
    """The transcripts whose cross-references name an accession of RefSeq."""
    rows = await asyncio.gather(*(_xrefs(questions, product.id, "Transcript") for product in products))
    accession_sets = [
        {value.partition(".")[0] for dbname, value in transcript_rows if dbname.startswith("RefSeq_")}
        for transcript_rows in rows
    ]
    return [product for product, accessions in zip(products, accession_sets, strict=True) if accession in accessions]


async def _xrefs(questions: EnsemblQuestions, stable_id: str, kind: Kind) -> Sequence[Row]:
    try:
        return await questions.xrefs(stable_id, kind)
    except EntityNotFound:
        return ()


async def protein_of_uniprot(questions: EnsemblQuestions, name: str, reach: Reach) -> list[NamedEntity]:
    """The reviewed protein with an accession, where a gene of the species makes it, as its cross-references tell.

    Raises:
        RateLimited, UpstreamError: it is not known.
    """
    curie = uniprot_curie(name) or ""
    accession = curie.partition(":")[2]
    carriers = await questions.carriers(reach.name, accession, _SWISSPROT)
    rows = await asyncio.gather(*(_xrefs(questions, gene, "Gene") for gene in carriers))
    genes = tuple(gene for gene, gene_rows in zip(carriers, rows, strict=True) if (_SWISSPROT, accession) in gene_rows)
    protein = NamedEntity(
        id=curie,
        label=accession,
        kind="protein",
        match="id",
        score=1.0,
        organism=scientific_name(reach.name),
        xrefs={"uniprot": curie},
        product_of=genes,
    )
    return [protein] if genes else []
