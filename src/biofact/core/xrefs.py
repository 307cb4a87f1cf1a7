"""The cross-reference registry: keys, forms, cardinality, and the one normaliser of spellings."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal

from pydantic import ConfigDict, PrivateAttr

from biofact.core.record_views import BriefModel
from biofact.core.records import Notice, Part, absent

Meaning = Literal["same", "product", "target", "contained in", "about", "related"]


@dataclass(frozen=True, slots=True)
class XrefKey:
    """One key of the registry."""

    name: str
    form: str
    """The regular expression that a normalised value matches as a whole."""
    prefixes: tuple[str, ...] = ()
    """Spellings in front of an accession that services use; the first is the one we write, if any."""
    is_written_with_prefix: bool = False
    is_many: bool = False
    limit: int = 20
    """Values that a record lists by default."""
    drops_version: bool = False
    means: Meaning = "same"

    def normalise(self, raw: str) -> str | None:
        """The one spelling of ``raw``, or None if it is not a value of this key."""
        text = re.sub(r"^(\w+):(?=\1:)", "", raw.strip())  # "MGI:MGI:98834" and the like
        while True:
            bare = next((text[len(p) + 1 :] for p in self.prefixes if text.lower().startswith(p.lower() + ":")), None)
            if bare is None:
                break
            text = bare.strip()
        if self.drops_version and not re.fullmatch(self.form, text, re.ASCII):  # names of worms' transcripts end so
            text = re.sub(r"\.\d+$", "", text)
        if self.is_written_with_prefix:
            text = f"{self.prefixes[0]}:{text}"
        return text if re.fullmatch(self.form, text, re.ASCII) else None


YEAST = r"Y[A-P][LR]\d{3}[CW](?:-[A-Z])?|Q0\d{3}"
OF_WORM = r"(?!ENS[A-Z]*\d{11})(?:\d?[A-Z][A-Z0-9]+|cTel[A-Z0-9]+)\.\d+[a-z]?\.\d+"
"""Clone, gene and isoform, number: 2L52.1a.1; an ID with its version and a copy number looks so, too."""
ENSEMBL_GENE = rf"ENS[A-Z]*G\d{{11}}|MGP_[A-Za-z0-9]+_G\d{{7}}|FBgn\d{{7}}|WBGene\d{{8}}|{YEAST}"
"""Ensembl's genes without version, those of strains, flies, worms and yeast among them."""
ENSEMBL_TRANSCRIPT = rf"ENS[A-Z]*T\d{{11}}|MGP_[A-Za-z0-9]+_T\d{{7}}|FBtr\d{{7}}|{OF_WORM}|(?:{YEAST})_mRNA"
"""Transcripts of these genes."""
_UNIPROT = r"[OPQ][0-9][A-Z0-9]{3}[0-9]|[A-NR-Z][0-9](?:[A-Z][A-Z0-9]{2}[0-9]){1,2}"

REGISTRY: dict[str, XrefKey] = {
    key.name: key
    for key in (
        XrefKey("hgnc", r"HGNC:\d+", ("HGNC",), is_written_with_prefix=True),
        XrefKey("ensembl_gene", ENSEMBL_GENE, ("ENSEMBL", "Ensembl"), drops_version=True),
        XrefKey(
            "ensembl_transcript",
            ENSEMBL_TRANSCRIPT,
            ("ENSEMBL", "Ensembl"),
            is_many=True,
            drops_version=True,
            means="product",
        ),
        XrefKey(
            "uniprot",
            rf"UniProtKB:(?:{_UNIPROT})",
            ("UniProtKB", "UniProt"),
            is_written_with_prefix=True,
            is_many=True,
            drops_version=True,
            means="product",
        ),
        XrefKey("entrez", r"[1-9]\d*", ("NCBIGene", "GeneID", "EntrezGene")),
        XrefKey(
            "refseq", r"[NX][MR]_\d{6,9}", ("RefSeq",), is_many=True, limit=10, drops_version=True, means="product"
        ),
        XrefKey("omim", r"[1-9]\d{5}", ("OMIM", "MIM")),
        XrefKey("chembl", r"CHEMBL[1-9]\d*", ("CHEMBL.COMPOUND", "ChEMBL")),
        XrefKey("pubchem_compound", r"[1-9]\d*", ("PUBCHEM.COMPOUND", "CID")),
        XrefKey("pubchem_substance", r"[1-9]\d*", ("PUBCHEM.SUBSTANCE", "SID"), is_many=True),
        XrefKey("drugbank", r"DB\d{5}", ("DrugBank",)),
        XrefKey("kegg", r"[a-z]{3,4}:\w+|[CD]\d{5}", ("KEGG",)),
        XrefKey("pdb", r"[1-9][A-Z0-9]{3}|pdb_[0-9a-z]{8}", ("PDB",), is_many=True, means="contained in"),
        XrefKey("pubmed", r"PMID:[1-9]\d*", ("PMID",), is_written_with_prefix=True, is_many=True, means="about"),
        XrefKey("opentargets", r"ENSG\d{11}", ("OpenTargets",)),
        XrefKey("string", r"\d+\.ENSP\d{11}", ("STRING",)),
        XrefKey("biogrid", r"\d+", ("BIOGRID",)),
        XrefKey("stitch", r"CID[sm]\d{8}", ("STITCH",)),
        XrefKey("iuphar", r"\d+", ("IUPHAR",)),
        XrefKey("kegg_pathway", r"[a-z]{3,4}\d{5}", ("KEGG.PATHWAY", "path"), is_many=True, means="related"),
        XrefKey("orphanet", r"ORPHA:\d+", ("ORPHA", "Orphanet"), is_written_with_prefix=True),
        XrefKey("mondo", r"MONDO:\d{7}", ("MONDO",), is_written_with_prefix=True),
        XrefKey("efo", r"EFO:\d{7}", ("EFO",), is_written_with_prefix=True),
        XrefKey("ucsc", r"UCSC:ENST\d{11}\.\d+|UCSC:uc\d{3}[a-z]{3}\.\d+", ("UCSC",), is_written_with_prefix=True),
        XrefKey("alliance", r"MGI:\d+|RGD:\d+|ZFIN:ZDB-[A-Z]+-\d{6}-\d+|FB:FBgn\d{7}|WB:WBGene\d{8}|SGD:S\d{9}"),
    )
}


def uniprot_curie(text: str) -> str | None:
    """``UniProtKB:P04637`` for an accession in any spelling, not of an isoform; None for anything else."""
    return REGISTRY["uniprot"].normalise(text.upper())


CROSS_REFERENCES = Part(limits={f"cross_references.{key.name}": key.limit for key in REGISTRY.values() if key.is_many})
"""The part of a record with its IDs in other databases."""


class CrossReferences(BriefModel):
    """IDs of the same entity, its products or its container in other databases. Keys without a value are absent."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    hgnc: str | None = absent()
    ensembl_gene: str | None = absent()
    ensembl_transcript: list[str] | None = absent()
    uniprot: list[str] | None = absent()
    entrez: str | None = absent()
    refseq: list[str] | None = absent()
    omim: str | None = absent()
    chembl: str | None = absent()
    pubchem_compound: str | None = absent()
    pubchem_substance: list[str] | None = absent()
    drugbank: str | None = absent()
    kegg: str | None = absent()
    pdb: list[str] | None = absent()
    pubmed: list[str] | None = absent()
    opentargets: str | None = absent()
    string: str | None = absent()
    biogrid: str | None = absent()
    stitch: str | None = absent()
    iuphar: str | None = absent()
    kegg_pathway: list[str] | None = absent()
    orphanet: str | None = absent()
    mondo: str | None = absent()
    efo: str | None = absent()
    ucsc: str | None = absent()
    alliance: str | None = absent()

    _others: Mapping[str, Sequence[str]] = PrivateAttr(default_factory=dict)
    """Further values of the source by key, for keys that hold one value; a notice of the record names them."""

    def every(self, key: str) -> tuple[str, ...]:
        """All values of a key that the source gave, the record's own first."""
        value = getattr(self, key)
        values = value if isinstance(value, list) else [value] if value is not None else []
        return (*values, *self._others.get(key, ()))

    def with_others(self, others: Mapping[str, Sequence[str]]) -> "CrossReferences":
        """A copy that knows further values of keys that hold one."""
        copy = self.model_copy()
        copy._others = others  # noqa: SLF001  # our own copy
        return copy


@dataclass(slots=True)
class XrefCollector:
    """Gathers raw values as a parser meets them, and judges them once at the end."""

    values: dict[str, list[str]] = field(default_factory=dict)
    further: list[str] = field(default_factory=list)
    """Values that single-valued fields of the record cannot hold, in words: listed in one notice."""
    broken: dict[str, list[str]] = field(default_factory=dict)
    """Values that break the form of their key, by key."""
    notices: list[Notice] = field(default_factory=list)

    def add(self, key: str, raw: str | None) -> None:
        """Add one value, in any spelling; an invalid one ends up in the notices of ``collected``."""
        if raw is None or not raw.strip():
            return
        value = REGISTRY[key].normalise(raw)
        if value is None:
            self.broken.setdefault(key, []).append(raw)
        elif value not in self.values.setdefault(key, []):
            self.values[key].append(value)

    def collected(self) -> CrossReferences:
        """The cross-references; ``notices`` then names the values that were left out, and why."""
        fields: dict[str, Any] = {}
        further: dict[str, Sequence[str]] = {}
        for name, values in self.values.items():
            key = REGISTRY[name]
            if key.is_many:
                fields[name] = values
            else:
                fields[name], *others = sorted(values, key=lambda value: (len(value), value))
                if others:
                    further[name] = others
                    self.further.append(f"{name} {', '.join(others)}")
        for name, raws in self.broken.items():
            count_text = f" and {len(raws) - 1} more are" if len(raws) > 1 else " is"
            message = f"{raws[0]!r:.60}{count_text} no {name} identifier, and left out."
            self.notices.append(Notice(code="INVALID_CROSS_REFERENCE", message=message))
        if self.further:
            self.notices.append(Notice(code="SEVERAL_VALUES", message=f"Also {'; '.join(self.further)}."))
        cross_references = CrossReferences(**fields)
        return cross_references.with_others(further) if further else cross_references
