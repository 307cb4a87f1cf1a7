"""Summaries of genes, from what esummary answers. Pure."""

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from biofact.core.errors import UpstreamError
from biofact.core.kinds import MatchKind
from biofact.core.words import is_readthrough
from biofact.dialects import eutils, json_values
from biofact.dialects.json_values import number
from biofact.dialects.readable_rows import MissingField
from biofact.sources.entrez.parse.paths import distinct_names
from biofact.sources.entrez.records import GENE_FORM, GeneSearchCandidate, SlimEntrezGene, Status, curie
from biofact.transport.service import Transient

_DOCSUM_STATUS: dict[str, Status] = {"": "live", "0": "live", "1": "secondary", "2": "discontinued", "3": "live"}
"""Gene Help, "Name attributes of gene" (NBK3841); 3 marks a live record whose GeneRIFs are processed otherwise."""


MOST_ALIASES, MOST_DESIGNATIONS = 10, 3
"""Values that a hit lists: a page has fifty, and an agent reads them all."""


@dataclass(frozen=True, slots=True)
class Docsum:
    """The summary of one gene: what a search needs, without type, coordinates and cross-references."""

    uid: str
    """The GeneID as a bare number."""
    symbol: str
    """The authority's where there is one, else NCBI's."""
    organism: str
    """Scientific name."""
    status: Status
    current_id: str | None
    """The GeneID, as a bare number, of the record that took its place."""
    name: str | None
    """The authority's full name, else the description."""
    description: str | None
    aliases: tuple[str, ...]
    designations: tuple[str, ...]
    taxon_id: int
    common_name: str | None
    chromosome: str | None
    map_location: str | None
    weight: int
    """NCBI's own measure of how much is known of the gene; 0 where it tells none."""
    mim: tuple[str, ...]
    summary: str | None = None
    """The function of the gene, in prose."""
    accessions: tuple[str, ...] = ()
    """The sequences of the reference assembly that it is on, with their versions."""
    names: tuple[str, ...] = field(init=False)
    """The full names of the authority and of NCBI."""

    def __post_init__(self) -> None:
        names = tuple(distinct_names([self.name or "", self.description or ""]))
        object.__setattr__(self, "names", names)

    @property
    def is_live(self) -> bool:
        """The record stands: neither replaced nor withdrawn."""
        return self.status == "live"

    @property
    def id(self) -> str:
        """The written form of the GeneID."""
        return curie(self.uid)

    @property
    def tie(self) -> int:
        """The lower GeneID was given earlier."""
        return int(self.uid)

    @property
    def is_readthrough(self) -> bool:
        """Whether it is transcribed across other genes."""
        return is_readthrough(self.names)

    @property
    def is_minor(self) -> bool:
        """A pseudogene or readthrough, or without a name but its number: a summary does not tell the type."""
        is_pseudogene = "pseudogene" in (self.description or "")
        return is_pseudogene or self.is_readthrough or self.symbol == f"LOC{self.uid}"

    def candidate(self, *, match: MatchKind, score: float) -> GeneSearchCandidate:
        """The gene as a hit of a search."""
        return GeneSearchCandidate(
            id=curie(self.uid),
            symbol=self.symbol,
            organism=self.organism,
            score=score,
            match=match,
            name=self.name,
            description=self.description if self.description != self.name else None,
            aliases=list(self.aliases[:MOST_ALIASES]),
            other_designations=list(self.designations[:MOST_DESIGNATIONS]),
            taxon_id=self.taxon_id,
            chromosome=self.chromosome,
            map_location=self.map_location,
        )

    @property
    def is_cut(self) -> bool:
        """A hit does not list all that the summary tells."""
        return len(self.aliases) > MOST_ALIASES or len(self.designations) > MOST_DESIGNATIONS

    def slim_gene(self) -> SlimEntrezGene:
        """The gene's short form, which needs no full record."""
        return SlimEntrezGene(id=curie(self.uid), symbol=self.symbol, organism=self.organism)


_MEMBERS = frozenset(
    {"uid", "name", "description", "status", "currentid", "organism", "chromosome", "maplocation", "geneweight", "mim"}
    | {"nomenclaturesymbol", "nomenclaturename", "otheraliases", "otherdesignations", "summary", "genomicinfo"}
)


def trimmed_docsum(values: Mapping[str, Any]) -> dict[str, Any]:
    """A docsum with no more than ``docsum`` reads: its places on older assemblies are most of its bytes."""
    return {name: value for name, value in values.items() if name in _MEMBERS}


def docsum(payload: bytes | Mapping[str, Any]) -> Docsum:
    """The gene in one docsum of esummary: its JSON, or the object read from it or from its XML twin.

    Raises:
        MissingField: it lacks what no gene lacks.
        UpstreamError: it cannot be read.
    """
    fields = _Fields(payload)
    organism = _Fields(fields.values.get("organism") or {})
    own_symbol, description = fields.required("name"), fields.text("description")
    # Genes without an authority have these fields empty (UPSTREAMS 2.5).
    symbol, name = fields.text("nomenclaturesymbol") or own_symbol, fields.text("nomenclaturename") or description
    return Docsum(
        uid=_uid(fields),
        symbol=symbol,
        organism=organism.required("scientificname"),
        status=_DOCSUM_STATUS.get(fields.text("status"), "other"),
        current_id=fields.text("currentid").lstrip("0") or None,
        name=name or None,
        description=description or None,
        # An alias that holds ", " itself comes apart: 2 of 63,354 human genes have one (gene_info of 2021-07).
        aliases=tuple(distinct_names([own_symbol, *fields.text("otheraliases").split(", ")], symbol)),
        designations=tuple(distinct_names(fields.text("otherdesignations").split("|"), name, description)),
        taxon_id=organism.required_number("taxid"),
        common_name=organism.text("commonname") or None,
        chromosome=fields.text("chromosome") or None,
        map_location=fields.text("maplocation") or None,
        weight=number(fields.values, "geneweight") or 0,
        mim=tuple(fields.texts("mim")),
        summary=fields.text("summary") or None,
        accessions=tuple(
            accession
            for place in json_values.objects(fields.values, "genomicinfo")
            if (accession := json_values.text(place, "chraccver"))
        ),
    )


def _uid(fields: "_Fields") -> str:
    uid = fields.required("uid")
    if re.fullmatch(GENE_FORM, curie(uid), re.ASCII) is None:
        raise nonsense(f"The uid of the summary is {uid!r:.40}.")
    return uid


class _Fields:
    """The members of a docsum, which may be numbers in JSON and text in XML."""

    def __init__(self, payload: bytes | Mapping[str, Any]) -> None:
        try:
            values = json_values.loaded(payload) if isinstance(payload, bytes) else payload
        except Transient as error:
            raise nonsense(f"The summary is damaged: {error.reason}.") from error
        if not isinstance(values, Mapping):
            raise nonsense("The summary is no object.")
        self.values: dict[str, Any] = dict(values)

    def text(self, name: str) -> str:
        """A string or whole number as text; empty when it is not there."""
        value = self.values.get(name)
        if isinstance(value, float) and value.is_integer():
            value = int(value)
        return str(value).strip() if isinstance(value, str | int) else ""

    def texts(self, name: str) -> list[str]:
        """The strings and whole numbers of a list as text; empty when it is not there."""
        items = self.values.get(name)
        return [str(item) for item in items if type(item) in {str, int}] if isinstance(items, list) else []

    def required(self, name: str) -> str:
        """A text that must be there."""
        value = self.text(name)
        if not value:
            raise MissingField(f"NCBI Gene sent a summary without {name!r}.", name)
        return value

    def required_number(self, name: str) -> int:
        """A whole number that must be there."""
        value = number(self.values, name)
        if value is None:
            raise MissingField(f"NCBI Gene sent a summary without {name!r}.", name)
        return value


def nonsense(problem: str) -> UpstreamError:
    """The error of a record or summary that cannot be read."""
    return UpstreamError(f"NCBI Gene sent a record that cannot be read. {problem}", hint="Call again later.")


GENE_PUBMED = "gene_pubmed"


def pmids(uid: str, body: bytes) -> list[str]:
    """PMIDs of the gene, highest first, each once; empty when NCBI links none.

    Raises:
        Transient: the body is damaged, or an error that may pass.
        UpstreamError: an error that stays, or an answer about another gene.
    """
    answer = eutils.link_answer(body)
    error = answer.error or next((linkset.error for linkset in answer.linksets if linkset.error), None)
    if error:
        raise UpstreamError(f"NCBI could not tell the articles of NCBIGene:{uid}: {error}", hint="Call again later.")
    if [linkset.source_ids for linkset in answer.linksets] != [(uid,)]:
        raise UpstreamError(f"NCBI told the articles of another gene than NCBIGene:{uid}.", hint="Call again later.")
    links = answer.linksets[0].links.get(GENE_PUBMED, ())
    return sorted({pmid for pmid in links if re.fullmatch(r"[1-9]\d{0,8}", pmid, re.ASCII)}, key=int, reverse=True)
