"""Transcripts and proteins of many names: stable IDs in joined lookups, accessions of RefSeq and UniProt one by one."""

import asyncio
import re
from collections.abc import Sequence

from biofact.core.errors import BiofactError, EntityNotFound
from biofact.core.kinds import EntityKind, EntityStatus
from biofact.core.xrefs import uniprot_curie
from biofact.protocol.names import FoundNames, NamedEntity
from biofact.sources.ensembl import parse
from biofact.sources.ensembl.identifiers import Kind, kind_of, recognised
from biofact.sources.ensembl.names import replacements, scientific_name
from biofact.sources.ensembl.parse import Product, Row
from biofact.sources.ensembl.questions import EnsemblQuestions
from biofact.sources.ensembl.search import Reach

_REVIEWED = "Uniprot/SWISSPROT"
_REFSEQ = re.compile(r"(?:RefSeq\s*:\s*)?([NX][MR]_\d{6,9})(\.\d+)?", re.IGNORECASE | re.ASCII)


def is_transcript_id(name: str) -> bool:
    """Whether it is an ID of Ensembl's transcripts."""
    return _stable_id(name, "Transcript") is not None


def is_protein_id(name: str) -> bool:
    """Whether it is an ID of Ensembl's proteins."""
    return _stable_id(name, "Translation") is not None


def is_refseq_transcript(name: str) -> bool:
    """Whether it is an accession of RefSeq's transcripts."""
    return _REFSEQ.fullmatch(name) is not None


def is_uniprot(name: str) -> bool:
    """Whether it is an accession of UniProt; those of isoforms stand in no gene's cross-references."""
    return uniprot_curie(name) is not None


def _stable_id(name: str, kind: Kind) -> str | None:
    found = recognised(name)
    return found[0] if found and kind_of(found[0]) == kind else None


class NamedProducts:
    """Finds the transcripts or proteins with many stable IDs."""

    def __init__(self, questions: EnsemblQuestions, names: Sequence[str], kind: Kind) -> None:
        self._questions = questions
        self._kind: Kind = kind
        self._ids = {name: stable_id for name in names if (stable_id := _stable_id(name, kind))}
        self._products: dict[str, tuple[Product, EntityStatus]] = {}
        self._found = FoundNames()

    async def find(self) -> FoundNames:
        """What Ensembl has under the IDs: one request for all, and one more for the genes of proteins."""
        outcomes = await self._questions.products([*dict.fromkeys(self._ids.values())])
        for name, stable_id in self._ids.items():
            outcome = outcomes[stable_id]
            if isinstance(outcome, BiofactError):
                self._found.fail([name], outcome)
            elif outcome is not None:
                self._products[name] = (outcome, "current")
        retired = {name: one for name, one in self._ids.items() if outcomes[one] is None}
        for name, payload in (await replacements(self._questions, self._found, retired, self._kind)).items():
            self._products[name] = (parse.product(payload), "replaced")
        genes = await self._genes()
        for name, (product, status) in self._products.items():
            self._found.add(name, [_entity(product, genes.get(product.id), status)])
        return self._found

    async def _genes(self) -> dict[str, str]:
        """The gene of each product; of proteins by way of their transcripts."""
        products = [product for product, _ in self._products.values()]
        if self._kind == "Transcript":
            return {product.id: product.parent for product in products}
        transcripts = await self._questions.products([*dict.fromkeys(product.parent for product in products)])
        known = ((product.id, transcripts[product.parent]) for product in products)
        return {stable_id: found.parent for stable_id, found in known if isinstance(found, Product)}


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
        elsewhere={f"ensembl_{kind}": product.id, **refseq},
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
    found = _REFSEQ.fullmatch(name)
    accession, version = (found[1].upper(), found[2] or "") if found else (name, "")
    for spelling in dict.fromkeys((f"{accession}{version}", accession)):
        if ids := await questions.carriers(reach.name, spelling, kind="transcript"):
            break
    payloads = await asyncio.gather(*map(questions.expanded, ids))
    products = [parse.product(payload) for payload in payloads if payload is not None]
    own = [product for product in products if accession in product.mane_partners]
    own = own or await _proven(questions, products, accession)
    if not own:
        message = f"Ensembl has no transcript of {scientific_name(reach.name)} with the sequence of {accession}."
        raise EntityNotFound(message, hint="Name its organism, if it is another.", invalid_input=name)
    return [_entity(product, product.parent, is_shared=len(own) > 1) for product in own]


async def _proven(questions: EnsemblQuestions, products: Sequence[Product], accession: str) -> list[Product]:
    """The transcripts whose cross-references name an accession of RefSeq."""
    rows = await asyncio.gather(*(_xrefs(questions, product.id) for product in products))
    named = [{value.partition(".")[0] for dbname, value in own if dbname.startswith("RefSeq_")} for own in rows]
    return [product for product, accessions in zip(products, named, strict=True) if accession in accessions]


async def _xrefs(questions: EnsemblQuestions, stable_id: str) -> Sequence[Row]:
    try:
        return await questions.xrefs(stable_id)
    except EntityNotFound:
        return ()


async def protein_of_uniprot(questions: EnsemblQuestions, name: str, reach: Reach) -> list[NamedEntity]:
    """The reviewed protein with an accession, where a gene of the species makes it, as its cross-references tell.

    Raises:
        RateLimited, UpstreamError: it is not known.
    """
    curie = uniprot_curie(name) or ""
    accession = curie.partition(":")[2]
    carriers = await questions.carriers(reach.name, accession, _REVIEWED)
    rows = await asyncio.gather(*(_xrefs(questions, gene) for gene in carriers))
    genes = tuple(gene for gene, own in zip(carriers, rows, strict=True) if (_REVIEWED, accession) in own)
    protein = NamedEntity(
        id=curie,
        label=accession,
        kind="protein",
        match="id",
        score=1.0,
        organism=scientific_name(reach.name),
        elsewhere={"uniprot": curie},
        product_of=genes,
    )
    return [protein] if genes else []
