"""All identifiers that the Catalog has for one entity."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from biofact.core.errors import AmbiguousQuery
from biofact.core.records import Notice
from biofact.dialects.readable_rows import ReadableRows
from biofact.protocol.lookup import side_request
from biofact.sources.igvf import parse, records
from biofact.sources.igvf.catalog import SPECIES
from biofact.sources.igvf.entities import EntityResults, single_entity
from biofact.sources.igvf.questions import IGVFQuestions

Identifiers = dict[str, Any]

_GENE_ID_TYPES = ("symbol", "ensembl", "hgnc", "entrez")
_ALIASES = {
    "ca": "ca_id",
    "caid": "ca_id",
    "clingen": "ca_id",
    "dbsnp": "rsid",
    "ensembl_gene": "ensembl",
    "ensg": "ensembl",
    "entrez_gene": "entrez",
    "gene_symbol": "symbol",
    "name": "symbol",
    "ncbi": "entrez",
    "ncbi_gene": "entrez",
    "ncbigene": "entrez",
    "rs": "rsid",
    "uniprot_accession": "uniprot",
    "uniprotkb": "uniprot",
}
"""Other words for a kind of identifier."""


@dataclass(frozen=True, slots=True)
class IdentifierResolver:
    """Resolves an entity to its identifiers."""

    questions: IGVFQuestions

    async def resolve(self, text: str, results: EntityResults, target_type: str | None) -> records.ResolvedId:
        """All identifiers of an entity, and the preferred one.

        Raises:
            AmbiguousQuery: the entity has no identifier of the preferred kind; the error names those it has.
        """
        alleles = [entity for entity in results.entities if isinstance(entity, records.VariantEntity)]
        if len(alleles) > 1:
            return _resolved_alleles(text, alleles, results, target_type)
        entity, notices = single_entity(text, results)
        identifiers = _known_identifiers(entity)
        coroutine = self._further_identifiers(entity)
        if target_type is not None and _name_of(target_type, identifiers) not in identifiers:
            identifiers |= await coroutine  # the preferred one may be among these: without them there is no answer
        else:
            extra_identifiers, failed = await side_request(coroutine, "what the entity is called beyond its own record")
            identifiers, notices = identifiers | (extra_identifiers or {}), [*notices, *failed]
        return records.ResolvedId(
            input=text,
            entity_type=entity.type,
            identifiers=identifiers,
            preferred=_preferred_identifier(text, identifiers, target_type),
            notices=notices,
        )

    async def gene_of(self, product: records.ProteinEntity | records.TranscriptEntity) -> str | None:
        """The Ensembl gene of a product; None if the Catalog has none.

        Raises:
            AmbiguousQuery, UpstreamError, RateLimited: it cannot be had.
        """
        return next((gene.id for gene in await self._genes(product)), None)

    async def _genes(self, product: records.ProteinEntity | records.TranscriptEntity) -> list[records.Entity]:
        kind = "protein" if isinstance(product, records.ProteinEntity) else "transcript"
        rows = await self._joined_rows(f"/{kind}s/genes", f"{kind}_id", product)
        return _ends([row for row in rows if _is_of(row, kind, product)], "gene", product)

    async def _further_identifiers(self, entity: records.Entity) -> Identifiers:
        """The identifiers of a gene's proteins, or of a protein's or transcript's gene."""
        match entity:
            case records.GeneEntity():
                rows = await self._joined_rows("/genes/proteins", "gene_id", entity)
                proteins = [end for end in _ends(rows, "protein", entity) if isinstance(end, records.ProteinEntity)]
                accessions = dict.fromkeys(
                    accession.partition("-")[0] for protein in proteins for accession in protein.uniprot_ids
                )
                return {"uniprot": [f"UniProtKB:{accession}" for accession in accessions]} if accessions else {}
            case records.ProteinEntity() | records.TranscriptEntity():
                genes = await self._genes(entity)
                identifiers = _known_identifiers(genes[0]) if genes else {}
                return {name: identifiers[name] for name in _GENE_ID_TYPES if name in identifiers}
            case _:
                return {}

    async def _joined_rows(self, path: str, parameter: str, entity: records.Entity) -> list[dict[str, Any]]:
        parameters = {parameter: entity.id, "verbose": "true", "organism": SPECIES[entity.organism or "human"]}
        return await self.questions.rows(path, parameters)


def _is_of(row: Mapping[str, Any], kind: str, product: records.Entity) -> bool:
    """Whether a row is about the product; True if it names no product."""
    mention = parse.entity_mention(kind, row.get(kind))
    return mention is None or mention.id == product.id


def _ends(rows: Sequence[Mapping[str, Any]], kind: str, start: records.Entity) -> list[records.Entity]:
    ends = [row[kind] for row in rows if isinstance(row.get(kind), dict)]
    return ReadableRows.of(ends, lambda end: parse.entity(kind, end, start.organism or "human")).noted(
        "The IGVF Catalog"
    )


def _resolved_alleles(
    text: str, alleles: Sequence[records.VariantEntity], entities: EntityResults, target_type: str | None
) -> records.ResolvedId:
    shared_rsids = [rsid for rsid in alleles[0].rsids if all(rsid in allele.rsids for allele in alleles)]
    identifiers: Identifiers = {"rsid": shared_rsids[0]} if shared_rsids else {}
    allele_ids = ", ".join(allele.id for allele in alleles)
    message = f"{text} has {len(alleles)} alleles: {allele_ids}. Which is meant, only the alleles tell."
    return records.ResolvedId(
        input=text,
        entity_type="variant",
        identifiers=identifiers,
        alleles=[records.Allele(spdi=allele.id, hgvs=allele.hgvs, ca_id=allele.ca_id) for allele in alleles],
        preferred=_preferred_identifier(text, identifiers | dict.fromkeys(("spdi", "hgvs", "ca_id")), target_type),
        notices=[*entities.notices, Notice(code="SHARED_MATCH", message=message)],
    )


def _known_identifiers(entity: records.Entity) -> Identifiers:
    """The identifiers of an entity's own record; unknown ones are left out."""
    identifiers: Identifiers
    match entity:
        case records.GeneEntity():
            refs = entity.cross_references
            entrez = f"NCBIGene:{refs.entrez}" if refs.entrez else None
            identifiers = {"symbol": entity.name, "ensembl": entity.id, "synonyms": entity.synonyms}
            identifiers |= {"hgnc": refs.hgnc, "entrez": entrez}
        case records.VariantEntity():
            identifiers = {"rsid": entity.name, "other_rsids": entity.rsids[1:]}
            identifiers |= {"spdi": entity.id, "hgvs": entity.hgvs, "ca_id": entity.ca_id}
        case records.ProteinEntity():
            accessions = [f"UniProtKB:{accession}" for accession in entity.uniprot_ids]
            identifiers = {"symbol": entity.name, "ensembl_protein": entity.id}
            identifiers |= {"uniprot": accessions, "uniprot_name": entity.uniprot_names}
        case records.TranscriptEntity():
            identifiers = {"ensembl_transcript": entity.id, "name": entity.name}
        case records.DrugEntity():
            chebi = [term for term in entity.ontology_terms if term.startswith("CHEBI:")]
            identifiers = {"pharmgkb": entity.id, "name": entity.name, "chebi": chebi}
        case _:
            identifiers = {"id": entity.id, "name": entity.name, "synonyms": entity.synonyms}
    return {name: value for name, value in identifiers.items() if value}


def _preferred_identifier(text: str, identifiers: Mapping[str, Any], target_type: str | None) -> str | None:
    if target_type is None:
        return None
    name = _name_of(target_type, identifiers)
    if name not in identifiers:
        raise AmbiguousQuery(
            f"{text!r:.120} has no identifier of the kind {target_type!r:.80}.",
            hint=f"It has: {', '.join(identifiers)}.",
            invalid_input=target_type,
        )
    value = identifiers[name]
    return ", ".join(value) if isinstance(value, list) else value


def _name_of(target_type: str, identifiers: Mapping[str, Any]) -> str:
    """The kind of identifier that a caller means."""
    name = re.sub(r"[\s-]+", "_", target_type.strip().casefold())
    spellings = (name, name.removesuffix("_id"), _ALIASES.get(name), _ALIASES.get(name.removesuffix("_id")))
    return next((spelling for spelling in spellings if spelling in identifiers), None) or _ALIASES.get(name, name)
