"""What a gene record says of a gene's function: GO terms, and phenotypes. Pure."""

import re
from collections.abc import Iterable, Iterator
from typing import Any, TypeVar
from xml.etree.ElementTree import Element

from biofact.dialects.xml import DamagedRecord
from biofact.sources.entrez.parse.paths import each, text, texts
from biofact.sources.entrez.parse.xrefs import headed, tag_value
from biofact.sources.entrez.records import GoTerm, Phenotype

T = TypeVar("T")

_COMMENTS = "Gene-commentary_comment/Gene-commentary"
_SOURCES = "Gene-commentary_source/Other-source"
_ASPECTS: dict[str, Any] = {"Function": "function", "Process": "process", "Component": "component"}
_EVIDENCE = re.compile(r"evidence:\s*(\w+)")
_DOSAGE = "Copy number response"  # ClinGen's curation of the gene, which is no phenotype (recorded 2024)


def go_terms(gene: Element) -> list[GoTerm]:
    """The annotations in the order of the record: functions, processes, components.

    Raises:
        DamagedRecord: there are some that cannot be read.
    """
    sections = headed(each(gene, "Entrezgene_properties/Gene-commentary"), "GeneOntology")
    return distinct(term for section in sections for part in each(section, _COMMENTS) for term in _terms(part))


def _terms(part: Element) -> Iterator[GoTerm]:
    aspect = _ASPECTS.get(text(part, "Gene-commentary_label"))
    annotations = each(part, _COMMENTS)
    if aspect is None or not annotations:
        raise DamagedRecord("Its GO terms are not of the three ontologies.")
    for annotation in annotations:
        sources = each(annotation, _SOURCES)
        evidence = [_EVIDENCE.match(words) for words in texts(annotation, f"{_SOURCES}/Other-source_post-text")]
        numbers = [tag_value(tag) for tag in _tags(annotation, "GO")]
        if len(sources) != 1 or len(numbers) != 1 or not re.fullmatch(r"[1-9]\d{0,6}", numbers[0], re.ASCII):
            raise DamagedRecord(f"A GO term has the number {', '.join(numbers)!r:.40}.")
        yield GoTerm(
            id=f"GO:{int(numbers[0]):07}",
            name=text(sources[0], "Other-source_anchor") or None,
            aspect=aspect,
            qualifier=text(sources[0], "Other-source_pre-text") or None,
            evidence=next((found[1] for found in evidence if found), None),
            pmids=pmids(annotation),
        )


def phenotypes(gene: Element) -> list[Phenotype]:
    """Diseases and traits in the order of the record, each once.

    Raises:
        DamagedRecord: there are some that cannot be read.
    """
    sections = headed(each(gene, "Entrezgene_comments/Gene-commentary"), "Phenotypes")
    return distinct(_phenotype(one) for section in sections for one in _named(section))


def _named(section: Element) -> Iterator[Element]:
    found = each(section, _COMMENTS)
    if not found or not all(text(one, "Gene-commentary_heading") for one in found):
        raise DamagedRecord("A phenotype has no name.")
    return (one for one in found if text(one, "Gene-commentary_heading") != _DOSAGE)


def _phenotype(commentary: Element) -> Phenotype:
    parts = each(commentary, _COMMENTS)
    return Phenotype(
        name=text(commentary, "Gene-commentary_heading"),
        omim_ids=_ids(parts, "MIM", r"[1-9]\d{5}"),
        medgen_ids=_ids(parts, "MedGen", r"CN?\d+"),
        gene_reviews=_ids(
            [*parts, *(inner for part in parts for inner in each(part, _COMMENTS))], "GeneReviews", r"NBK\d+"
        ),
        sources=distinct(filter(None, (text(part, "Gene-commentary_heading") for part in parts))),
        pmids=distinct(pmid for part in parts for pmid in pmids(part)),
    )


def pmids(commentary: Element) -> list[str]:
    """The articles that a commentary rests on, newest first."""
    numbers = texts(commentary, "Gene-commentary_refs/Pub/Pub_pmid/PubMedId")
    found = {int(number) for number in numbers if re.fullmatch(r"[1-9]\d{0,8}", number, re.ASCII)}
    return [f"PMID:{number}" for number in sorted(found, reverse=True)]


def _ids(commentaries: Iterable[Element], database: str, form: str) -> list[str]:
    values = (tag_value(tag) for commentary in commentaries for tag in _tags(commentary, database))
    return distinct(found for found in values if re.fullmatch(form, found, re.ASCII))


def _tags(commentary: Element, database: str) -> list[Element]:
    tags = each(commentary, f"{_SOURCES}/Other-source_src/Dbtag")
    return [tag for tag in tags if text(tag, "Dbtag_db") == database]


def distinct(found: Iterable[T]) -> list[T]:
    """Each once, in order; records hold lists, which have no hash."""
    kept: list[T] = []
    for one in found:
        if one not in kept:
            kept.append(one)
    return kept
