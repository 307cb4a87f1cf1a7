"""Facts to the Gene record that efetch gives: the inverse of ``parse``. Pure.

A record has the sections of a real one, each where NCBI puts it, and decoys where a real record holds other genes,
taxa and diseases. The decoys are made up (`OTHER_GENE`, `OTHER_MIM` and so on): found in a parsed gene they show
that it was read from the wrong place.
"""

import functools
from collections.abc import Iterator, Sequence
from xml.etree.ElementTree import Element, indent, tostring

from biofact.sandbox.services.entrez.facts import GenomicPlace, NcbiGeneFacts

PROLOG = (
    b'<?xml version="1.0" ?>\n<!DOCTYPE Entrezgene-Set PUBLIC "-//NLM//DTD NCBI-Entrezgene, 21st January 2005//EN"'
    b' "https://www.ncbi.nlm.nih.gov/data_specs/dtd/NCBI_Entrezgene.dtd">\n<Entrezgene-Set>\n'
)
END = b"</Entrezgene-Set>\n"

OTHER_GENE = "999999901"
OTHER_MIM = "999999"
OTHER_UNIPROT = "Q9ZZZ9"
OTHER_UNREVIEWED = "A0A0Z9ZZZ9"
OTHER_SEQUENCE = "NC_999999.9"
OTHER_PROTEIN = "NP_999999.1"

_TYPES = (  # in the order of NCBI's codes, from 0; `other` is 255
    *("unknown", "tRNA", "rRNA", "snRNA", "scRNA", "snoRNA", "protein-coding", "pseudo"),
    *("transposon", "miscRNA", "ncRNA", "biological-region"),
)
_STATUSES = ("live", "secondary", "discontinued")
_CODES = {
    "genomic": "1",
    "mRNA": "3",
    "peptide": "8",
    "miscRNA": "14",
    "property": "16",
    "generif": "18",
    "phenotype": "19",
    "gene-group": "23",
    "comment": "254",
    "other": "255",
}
_PARTS = (  # of a commentary, in the order of the DTD
    *("heading", "label", "text", "accession", "version", "refs"),
    *("source", "seqs", "products", "properties", "comment"),
)
_UNKNOWN_DATE = (2000, 1, 1)  # the DTD wants dates that the facts do not hold


def gene_xml(gene: NcbiGeneFacts, *, padding_bytes: int = 0) -> bytes:
    """One ``<Entrezgene>`` as efetch writes it; with padding, as large as a real record."""
    before, end, after = _written(gene).partition(b"  </Entrezgene_comments>")
    filler = _filler() * (padding_bytes // len(_filler())) if end else b""  # a retired gene has no comments
    return b"".join((before, filler, end, after))


@functools.lru_cache(maxsize=256)  # the same few genes are asked for again and again
def _written(gene: NcbiGeneFacts) -> bytes:
    record = _record(gene)
    indent(record)
    return tostring(record).replace(b" />", b"/>") + b"\n"


def genome(gene: NcbiGeneFacts) -> str:
    """Which genome the gene lies in, in NCBI's words."""
    return "mitochondrion" if gene.chromosomes == ("MT",) else "genomic"


def _node(tag: str, *content: Element | str, **attributes: str) -> Element:
    node = Element(tag, attributes)
    for item in content:
        if isinstance(item, str):
            node.text = item
        else:
            node.append(item)
    return node


def _record(gene: NcbiGeneFacts) -> Element:
    code = str(_TYPES.index(gene.gene_type)) if gene.gene_type in _TYPES else "255"
    record = _node(
        "Entrezgene",
        _node("Entrezgene_track-info", _track(gene)),
        _node("Entrezgene_type", code, value=gene.gene_type),
        _node("Entrezgene_source", _source(gene)),
        _node("Entrezgene_gene", _gene_ref(gene)),
    )
    for tag, content in _further(gene):
        if content:
            record.append(_node(f"Entrezgene_{tag}", *content))
    return record


def _further(gene: NcbiGeneFacts) -> Iterator[tuple[str, Sequence[Element | str]]]:
    """The optional sections in the order of the DTD."""
    is_live = gene.status == "live"
    yield "prot", _prot_ref(gene)
    yield "summary", [gene.summary] if gene.summary else []
    yield "location", _maps(gene)
    yield "gene-source", [_gene_source(gene)]
    yield "locus", list(_loci(gene))
    yield "properties", list(_properties(gene))
    yield "comments", list(_comments(gene)) if is_live else []
    yield "unique-keys", list(_unique_keys(gene))
    index_term = gene.gene_id if is_live else gene.current_id
    yield "xtra-index-terms", [_node("Entrezgene_xtra-index-terms_E", f"LOC{index_term}")] if index_term else []


def _track(gene: NcbiGeneFacts) -> Element:
    code = str(_STATUSES.index(gene.status))
    track = _node(
        "Gene-track",
        _node("Gene-track_geneid", gene.gene_id),
        _node("Gene-track_status", code, value=gene.status),
    )
    if gene.current_id:
        # NCBI names the replacement twice, once by its old name for a GeneID.
        ids = [_dbtag(db, gene.current_id) for db in ("LocusID", "GeneID")]
        track.append(_node("Gene-track_current-id", *ids))
    track.append(_node("Gene-track_create-date", _date(*_UNKNOWN_DATE)))
    track.append(_node("Gene-track_update-date", _date(*_UNKNOWN_DATE)))
    if gene.discontinued_on:
        year, month, day = map(int, gene.discontinued_on.split("-"))
        track.append(_node("Gene-track_discontinue-date", _date(year, month, day)))
    return track


def _date(year: int, month: int, day: int) -> Element:
    parts = [_node(f"Date-std_{name}", str(part)) for name, part in (("year", year), ("month", month), ("day", day))]
    return _node("Date", _node("Date_std", _node("Date-std", *parts)))


def _dbtag(db: str, value: str) -> Element:
    form = "id" if value.isdecimal() else "str"
    tag = _node("Dbtag_tag", _node("Object-id", _node(f"Object-id_{form}", value)))
    return _node("Dbtag", _node("Dbtag_db", db), tag)


def _source(gene: NcbiGeneFacts) -> Element:
    organism = _node("Org-ref", _node("Org-ref_taxname", gene.taxon.scientific))
    if gene.taxon.common:
        organism.append(_node("Org-ref_common", gene.taxon.common))
    organism.append(_node("Org-ref_db", _dbtag("taxon", str(gene.taxon_id))))
    of = genome(gene)
    source = _node(
        "BioSource",
        _node("BioSource_genome", {"genomic": "1", "mitochondrion": "5"}[of], value=of),
        _node("BioSource_origin", "1", value="natural"),
        _node("BioSource_org", organism),
    )
    if gene.chromosomes:
        source.append(_node("BioSource_subtype", *map(_chromosome, gene.chromosomes)))
    return source


def _chromosome(name: str) -> Element:
    return _node("SubSource", _node("SubSource_subtype", "1", value="chromosome"), _node("SubSource_name", name))


def _gene_ref(gene: NcbiGeneFacts) -> Element:
    ref = _node("Gene-ref", _node("Gene-ref_locus", gene.symbol))
    if gene.name:
        ref.append(_node("Gene-ref_desc", gene.name))
    if gene.map_location:
        ref.append(_node("Gene-ref_maploc", gene.map_location))
    if ids := [_dbtag(db, value) for db, value in _ids(gene)]:
        ref.append(_node("Gene-ref_db", *ids))
    if gene.aliases:
        ref.append(_node("Gene-ref_syn", *(_node("Gene-ref_syn_E", alias) for alias in gene.aliases)))
    return ref


def _ids(gene: NcbiGeneFacts) -> Iterator[tuple[str, str]]:
    if gene.hgnc:
        yield "HGNC", gene.hgnc
    if gene.alliance:
        prefix, _, bare = gene.alliance.partition(":")
        yield gene.taxon.authority, gene.alliance if prefix == "MGI" else bare
    yield from (("Ensembl", accession) for accession in gene.ensembl)
    yield from (("MIM", number) for number in gene.omim)
    if gene.hgnc or gene.alliance:
        yield "AllianceGenome", gene.hgnc or gene.alliance


def _prot_ref(gene: NcbiGeneFacts) -> list[Element]:
    preferred, others = gene.designations[:1], gene.designations[1:]
    if gene.gene_type != "protein-coding" or gene.status != "live":
        preferred, others = (), gene.designations
    ref = _node("Prot-ref")
    if others:
        ref.append(_node("Prot-ref_name", *(_node("Prot-ref_name_E", name) for name in others)))
    ref.extend(_node("Prot-ref_desc", name) for name in preferred)
    return [ref] if len(ref) else []


def _maps(gene: NcbiGeneFacts) -> list[Element]:
    method = _node("Maps_method", _node("Maps_method_map-type", value="cyto"))
    return [_node("Maps", _node("Maps_display-str", gene.map_location), method)] if gene.map_location else []


def _gene_source(gene: NcbiGeneFacts) -> Element:
    return _node(
        "Gene-source",
        _node("Gene-source_src", "LocusLink"),
        _node("Gene-source_src-int", gene.gene_id),
        _node("Gene-source_src-str2", gene.gene_id),
    )


def _unique_keys(gene: NcbiGeneFacts) -> Iterator[Element]:
    if gene.hgnc:
        yield _dbtag("HGNC", gene.hgnc)
    yield _dbtag("LocusID", gene.gene_id)
    yield from (_dbtag("MIM", number) for number in gene.omim)


def _commentary(kind: str, **parts: str | Sequence[Element]) -> Element:
    """A Gene-commentary with its parts in the order of the DTD; empty ones are left out."""
    commentary = _node("Gene-commentary", _node("Gene-commentary_type", _CODES[kind], value=kind))
    for part in sorted(parts, key=_PARTS.index):
        if content := parts[part]:
            commentary.append(_node(f"Gene-commentary_{part}", *([content] if isinstance(content, str) else content)))
    return commentary


def _sequence(kind: str, accession: str, **parts: str | Sequence[Element]) -> Element:
    bare, _, version = accession.partition(".")
    return _commentary(kind, accession=bare, version=version, **parts)


def _cited(db: str, value: str, anchor: str = "") -> Element:
    source = _node("Other-source", _node("Other-source_src", _dbtag(db, value)))
    if anchor:
        source.append(_node("Other-source_anchor", anchor))
    return source


def _papers(pmids: Sequence[str]) -> list[Element]:
    return [_node("Pub", _node("Pub_pmid", _node("PubMedId", pmid))) for pmid in pmids]


def _interval(place: GenomicPlace) -> Element:
    strand = "plus" if place.strand > 0 else "minus"
    interval = _node(
        "Seq-interval",
        _node("Seq-interval_from", str(place.start - 1)),
        _node("Seq-interval_to", str(place.end - 1)),
        _node("Seq-interval_strand", _node("Na-strand", value=strand)),
        _node("Seq-interval_id", _node("Seq-id", _node("Seq-id_gi", OTHER_GENE))),
    )
    return _node("Seq-loc", _node("Seq-loc_int", interval))


def _loci(gene: NcbiGeneFacts) -> Iterator[Element]:
    """The reference places first, as NCBI does, then a RefSeqGene and another assembly: both decoys."""
    if not gene.places:
        yield _commentary("genomic")
        return
    products = [_transcript(accession, "Reference") for accession in gene.refseq]
    for index, place in enumerate(gene.places):
        chromosome = gene.chromosomes[index] if index < len(gene.chromosomes) else "Un"
        heading = f"Reference {place.assembly} Primary Assembly"
        label = f"Chromosome {chromosome} {heading}"
        seqs = [_interval(place)]
        yield _sequence("genomic", place.accession, heading=heading, label=label, seqs=seqs, products=products)
    elsewhere = [_interval(GenomicPlace("", "", 5001, 9001, 1))]
    yield _sequence("genomic", "NG_999999.1", label="RefSeqGene", seqs=elsewhere)
    other = "Alternate T2T-CHM13v2.0"
    yield _sequence("genomic", OTHER_SEQUENCE, heading=other, label=f"Chromosome 1 {other}", seqs=elsewhere)


def _transcript(accession: str, heading: str, proteins: Sequence[Element] = ()) -> Element:
    kind = "mRNA" if accession[1] == "M" else "miscRNA"
    return _sequence(kind, f"{accession}.1", heading=heading, products=proteins)


def _properties(gene: NcbiGeneFacts) -> Iterator[Element]:
    if not gene.nomenclature:
        return
    named = [
        _commentary("property", label=f"{gene.nomenclature} {label}", text=text)
        for label, text in (("Symbol", gene.official_symbol), ("Full Name", gene.official_name))
        if text
    ]
    yield _commentary("comment", label="Nomenclature", properties=named)


def _comments(gene: NcbiGeneFacts) -> Iterator[Element]:
    yield _commentary("gene-group", heading="Orthologs from Annotation Pipeline", comment=[_ortholog(gene)])
    if gene.pmids:
        yield _commentary("comment", refs=_papers(gene.pmids))
    yield _commentary("comment", heading="Phenotypes", comment=[_phenotype()])
    if gene.refseq or gene.release:
        yield _commentary("comment", heading="NCBI Reference Sequences (RefSeq)", comment=list(_refseqs(gene)))
    if gene.uniprot:
        yield _commentary("comment", heading="Related Sequences", products=[_reviewed(gene)])
    links = [_commentary("comment", text="MIM", source=[_cited("MIM", number)]) for number in (*gene.omim, OTHER_MIM)]
    yield _commentary("comment", heading="Additional Links", comment=links)
    yield _commentary("generif", heading="Interactions", comment=[_interaction()])


def _ortholog(gene: NcbiGeneFacts) -> Element:
    taxon_id, common = ("10090", "mouse") if gene.taxon_id == 9606 else ("9606", "human")  # noqa: PLR2004  # human
    source = [_cited("GeneID", OTHER_GENE, common), _cited("taxon", taxon_id)]
    return _commentary("gene-group", label="Additional", source=source)


def _phenotype() -> Element:
    disease = _commentary("phenotype", heading="OMIM", source=[_cited("MIM", OTHER_MIM, f"MIM: {OTHER_MIM}")])
    return _commentary("phenotype", heading="A made-up disease", comment=[disease])


def _interaction() -> Element:
    partner = _commentary("other", source=[_cited("GeneID", OTHER_GENE, "OTHER1"), _cited("BioGRID", OTHER_GENE)])
    papers, source = _papers(["99999999"]), [_cited("BioGRID", OTHER_GENE, "BioGRID")]
    return _commentary("generif", text="Two-hybrid", refs=papers, source=source, comment=[partner])


def _refseqs(gene: NcbiGeneFacts) -> Iterator[Element]:
    """Curated transcripts, and those that the annotation of the genome predicts."""
    curated = [accession for accession in gene.refseq if accession[0] == "N"]
    predicted = [accession for accession in gene.refseq if accession[0] == "X"]
    if curated:
        heading = "RefSeqs maintained independently of Annotated Genomes"
        proteins = [_product(gene)] if gene.uniprot else []
        products = [
            _transcript(accession, "mRNA Sequence" if accession[1] == "M" else "RNA Sequence", proteins)
            for accession in curated
        ]
        yield _commentary("comment", heading=heading, products=products)
    if gene.release or predicted:
        accession = gene.places[0].accession if gene.places else OTHER_SEQUENCE
        products = [_transcript(accession, "mRNA Sequence") for accession in predicted]
        heading = f"RefSeqs of Annotated Genomes: {gene.release}".rstrip(": ")
        yield _commentary("comment", heading=heading, products=[_sequence("genomic", accession, products=products)])


def _product(gene: NcbiGeneFacts) -> Element:
    """A protein as curated RefSeqs name it: with the primary accessions among secondary and unreviewed ones."""
    reviewed = [_cited("UniProtKB/Swiss-Prot", accession) for accession in sorted((*gene.uniprot, OTHER_UNIPROT))]
    accessions = _commentary("other", source=[_cited("UniProtKB/TrEMBL", OTHER_UNREVIEWED), *reviewed])
    named = _commentary("other", heading="UniProtKB", comment=[accessions])
    return _sequence("peptide", OTHER_PROTEIN, heading="Product", comment=[named])


def _reviewed(gene: NcbiGeneFacts) -> Element:
    proteins = [
        _sequence(
            "peptide",
            f"{accession}.1",
            source=[_cited("Protein", OTHER_GENE), _cited("UniProtKB/Swiss-Prot", f"{accession}.1")],
        )
        for accession in gene.uniprot
    ]
    return _commentary("other", text="None", products=proteins)


@functools.cache
def _filler() -> bytes:
    filler = _interaction()
    indent(filler, level=2)
    return b"    " + tostring(filler).replace(b" />", b"/>").rstrip() + b"\n"
