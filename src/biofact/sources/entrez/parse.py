"""NCBI Gene's payloads to records. Pure: no network, no clock."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, get_args
from xml.etree.ElementTree import Element

import orjson

from biofact.core.errors import UpstreamError
from biofact.sources.entrez import brief, xrefs
from biofact.sources.entrez.locus import Locus, loci
from biofact.sources.entrez.names import Names, others
from biofact.sources.entrez.paths import each, first, text, value
from biofact.sources.entrez.records import EntrezGene, GeneSearchCandidate, MatchKind, Status, curie
from biofact.sources.entrez.trim import Damaged, tree

_TRACK = "Entrezgene_track-info/Gene-track"
_SOURCE = "Entrezgene_source/BioSource"
_ORGANISM = f"{_SOURCE}/BioSource_org/Org-ref"
_DOCSUM_STATUS: dict[str, Status] = {"": "live", "0": "live", "1": "secondary", "2": "discontinued"}
"""Gene Help, "Name attributes of gene" (NBK3841); 3 marks a record that only gathers GeneRIFs."""


@dataclass(frozen=True, slots=True)
class ParsedGene:
    """A gene record, and whether it still stands."""

    gene: EntrezGene
    """Of a record that is not live, what is left of it: its symbol, hardly more."""
    status: Status
    current_ids: tuple[str, ...] = ()
    """GeneIDs, as bare numbers, of the records that took its place: one as a rule."""
    discontinued_on: str | None = None
    """ISO date; only year, or year and month, where NCBI tells no more."""

    @property
    def current_id(self) -> str | None:
        """The one GeneID, as a bare number, that took its place; None when there are none or several."""
        return self.current_ids[0] if len(self.current_ids) == 1 else None


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
    taxon_id: int | None
    common_name: str | None
    chromosome: str | None
    map_location: str | None
    is_official: bool
    """A nomenclature authority gave the symbol, and not for the time being."""
    weight: int
    """NCBI's own measure of how much is known of the gene; 0 where it tells none."""
    mim: tuple[str, ...]

    @property
    def is_live(self) -> bool:
        """The record stands: neither replaced nor withdrawn."""
        return self.status == "live"

    @property
    def names(self) -> tuple[str, ...]:
        """Every full name, the preferred first."""
        return tuple(others([self.name or "", self.description or "", *self.designations]))

    def candidate(self, *, match: MatchKind, score: float) -> GeneSearchCandidate:
        """The gene as a hit of a search."""
        return GeneSearchCandidate(
            id=curie(self.uid),
            symbol=self.symbol,
            organism=self.organism,
            score=score,
            match=match,
            name=self.name,
            description=self.description,
            aliases=list(self.aliases),
            other_designations=list(self.designations),
            taxon_id=self.taxon_id,
            chromosome=self.chromosome,
            map_location=self.map_location,
        )

    def slim_gene(self) -> EntrezGene:
        """The gene's short form, which needs no full record."""
        return EntrezGene(id=curie(self.uid), symbol=self.symbol, organism=self.organism)


def gene(payload: bytes) -> ParsedGene:
    """The record in one ``<Entrezgene>`` element, whole or as ``GeneSplitter`` trims it.

    Raises:
        UpstreamError: it cannot be read, or lacks what no gene lacks.
    """
    try:
        return _parsed(tree(payload))
    except (Damaged, RecursionError) as error:
        raise _nonsense(str(error)) from error


def docsum(payload: bytes | Mapping[str, Any]) -> Docsum:
    """The gene in one docsum of esummary: its JSON, or the object read from it or from its XML twin.

    Raises:
        UpstreamError: it cannot be read, or lacks what no gene lacks.
    """
    fields = _Fields(payload)
    organism = _Fields(fields.values.get("organism") or {})
    own, description = fields.required("name"), fields.text("description")
    symbol, name = fields.text("nomenclaturesymbol") or own, fields.text("nomenclaturename") or description
    taxon_id = organism.text("taxid")
    weight = fields.text("geneweight")
    return Docsum(
        uid=fields.required("uid"),
        symbol=symbol,
        organism=organism.required("scientificname"),
        status=_DOCSUM_STATUS.get(fields.text("status"), "other"),
        current_id=fields.text("currentid").lstrip("0") or None,
        name=name or None,
        description=description or None,
        # An alias that holds ", " itself comes apart: 2 of 63,354 human genes have one (gene_info of 2021-07).
        aliases=tuple(others([own, *fields.text("otheraliases").split(", ")], symbol)),
        designations=tuple(others(fields.text("otherdesignations").split("|"), name, description)),
        taxon_id=int(taxon_id) if taxon_id.isdecimal() else None,
        common_name=organism.text("commonname") or None,
        chromosome=fields.text("chromosome") or None,
        map_location=fields.text("maplocation") or None,
        is_official=fields.text("nomenclaturestatus") == "Official",
        weight=int(weight) if weight.isdecimal() else 0,
        mim=tuple(map(str, fields.values.get("mim") or ())),
    )


class _Fields:
    """The members of a docsum, which may be numbers in JSON and text in XML."""

    def __init__(self, payload: bytes | Mapping[str, Any]) -> None:
        try:
            values = orjson.loads(payload) if isinstance(payload, bytes) else payload
        except orjson.JSONDecodeError as error:
            raise _nonsense(f"The summary is damaged JSON: {error}.") from error
        if not isinstance(values, Mapping):
            raise _nonsense("The summary is no object.")
        self.values: Mapping[str, Any] = values

    def text(self, name: str) -> str:
        """A string or number as text; empty when it is not there."""
        value = self.values.get(name)
        return str(value).strip() if isinstance(value, str | int) else ""

    def required(self, name: str) -> str:
        """A text that must be there."""
        value = self.text(name)
        if not value:
            raise _nonsense(f"The summary has no {name}.")
        return value


def _parsed(root: Element) -> ParsedGene:
    track = first(root, _TRACK)
    if root.tag != "Entrezgene" or track is None:
        raise Damaged("It is no gene record.")
    status = _status(track)
    return ParsedGene(
        gene=_gene(root, status),
        status=status,
        current_ids=_current_ids(track),
        discontinued_on=_date(track, "Gene-track_discontinue-date/Date/Date_std/Date-std"),
    )


def _gene(root: Element, status: Status) -> EntrezGene:
    places = loci(root)
    gene_id = _required(root, f"{_TRACK}/Gene-track_geneid")
    taxon_id = _taxon_id(root)
    gene_type = value(root, "Entrezgene_type")
    names = Names.of(root, gene_id)
    collector = xrefs.collector(root, taxon_id, gene_type)
    collector.further += [f"at {place}" for place in places[1:]]
    lists = {name: collector.values.pop(name, []) for name in brief.XREFS}
    cross_references = collector.collected()
    record = EntrezGene(
        id=curie(gene_id),
        symbol=names.symbol,
        organism=_required(root, f"{_ORGANISM}/Org-ref_taxname"),
        name=names.name or None,
        description=names.description or None,
        taxon_id=taxon_id,
        gene_type=gene_type or None,
        status=status,
        chromosome=_chromosome(root) or None,
        map_location=text(root, "Entrezgene_gene/Gene-ref/Gene-ref_maploc") or None,
        **_placed(places),
        summary=text(root, "Entrezgene_summary") or None,
        cross_references=cross_references,
        category="biolink:Gene",
        release=xrefs.release(root) or None,
        notices=collector.notices,
    )
    return brief.fitted(record, {"aliases": names.aliases, "other_designations": names.designations, **lists})


def _status(track: Element) -> Status:
    told = value(track, "Gene-track_status") or "live"
    return next((status for status in get_args(Status) if status == told), "other")


def _current_ids(track: Element) -> tuple[str, ...]:
    tags = each(track, "Gene-track_current-id/Dbtag")
    # LocusID is the old name of GeneID; both stand there, with one value (recorded: 9606 to 8666).
    ids = [xrefs.tag_value(tag) for tag in tags if text(tag, "Dbtag_db") in {"GeneID", "LocusID"}]
    return tuple(dict.fromkeys(gene_id for gene_id in ids if gene_id.strip("0").isdecimal()))


def _date(element: Element, path: str) -> str | None:
    parts = (text(element, f"{path}/Date-std_{unit}") for unit in ("year", "month", "day"))
    return "-".join(part.zfill(2) for part in parts if part) or None


def _taxon_id(root: Element) -> int | None:
    for tag in each(root, f"{_ORGANISM}/Org-ref_db/Dbtag"):
        if text(tag, "Dbtag_db") == "taxon" and xrefs.tag_value(tag).isdecimal():
            return int(xrefs.tag_value(tag))
    return None


def _chromosome(root: Element) -> str:
    """Several for a pseudoautosomal gene, written as esummary does: ``X, Y``."""
    sources = each(root, f"{_SOURCE}/BioSource_subtype/SubSource")
    names = [text(s, "SubSource_name") for s in sources if value(s, "SubSource_subtype") == "chromosome"]
    return ", ".join(others(names))


def _placed(places: list[Locus]) -> dict[str, Any]:
    if not places:
        return {}
    place = places[0]
    return {
        "assembly_name": place.assembly_name,
        "accession": place.accession,
        "start": place.start,
        "end": place.end,
        "strand": place.strand,
    }


def _required(element: Element, path: str) -> str:
    found = text(element, path)
    if not found:
        raise _nonsense(f"It has no {path.rpartition('/')[2]}.")
    return found


def _nonsense(problem: str) -> UpstreamError:
    return UpstreamError(f"NCBI Gene sent a record that cannot be read. {problem}", hint="Call again later.")
