"""Facts to the Gene record that efetch gives: the inverse of ``parse``. Pure.

A record has the sections of a real one, each where NCBI puts it, and decoys where a real record holds other genes,
taxa and diseases. The decoys are made up (`OTHER_GENE`, `OTHER_MIM` and so on): found in a parsed gene they show
that it was read from the wrong place.
"""

import functools
import re
from collections.abc import Iterator, Sequence
from xml.etree.ElementTree import Element, indent, tostring

from biofact.sandbox.services.entrez.corpus import GeneRifFact, GenomicPlace, GoFact, NcbiGeneFacts, PhenotypeFact
from biofact.sandbox.sizes import RecordSize, XmlPadding, scattered

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
_COMMENTARY_PARTS = (  # of a commentary, in the order of the DTD
    *("heading", "label", "text", "accession", "version", "refs"),
    *("source", "seqs", "products", "properties", "comment", "create_date", "update_date"),
)


def node(tag: str, *content: Element | str, **attributes: str) -> Element:
    """An element of these parts; a text comes alone."""
    element = Element(tag, attributes)
    for item in content:
        if isinstance(item, str):
            element.text = item
        else:
            element.append(item)
    return element


def optional(tag: str, *content: Element | str) -> list[Element]:
    """An element of these parts; none without any."""
    return [node(tag, *content)] if any(part != "" for part in content) else []


def dbtag(db: str, value: str) -> Element:
    """An ID of a database: a number or a text."""
    form = "id" if value.isdecimal() else "str"
    tag = node("Dbtag_tag", node("Object-id", node(f"Object-id_{form}", value)))
    return node("Dbtag", node("Dbtag_db", db), tag)


def date(year: int, month: int, day: int) -> Element:
    """A day."""
    parts = [node(f"Date-std_{name}", str(part)) for name, part in (("year", year), ("month", month), ("day", day))]
    return node("Date", node("Date_std", node("Date-std", *parts)))


def commentary(kind: str, **parts: str | Sequence[Element]) -> Element:
    """A Gene-commentary with its parts in the order of the DTD; empty ones are left out."""
    element = node("Gene-commentary", node("Gene-commentary_type", _CODES[kind], value=kind))
    for part in sorted(parts, key=_COMMENTARY_PARTS.index):
        if content := parts[part]:
            tag = f"Gene-commentary_{part.replace('_', '-')}"
            element.append(node(tag, *([content] if isinstance(content, str) else content)))
    return element


def sequence(kind: str, accession: str, **parts: str | Sequence[Element]) -> Element:
    """The commentary of a sequence; ``accession`` is with its version."""
    bare, _, version = accession.partition(".")
    return commentary(kind, accession=bare, version=version, **parts)


def cited(db: str, value: str, anchor: str = "") -> Element:
    """A source: an ID of another database, under a name."""
    return node("Other-source", node("Other-source_src", dbtag(db, value)), *optional("Other-source_anchor", anchor))


def papers(pmids: Sequence[str]) -> list[Element]:
    """References to articles."""
    return [node("Pub", node("Pub_pmid", node("PubMedId", pmid))) for pmid in pmids]


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
_UNKNOWN_DATE = (2000, 1, 1)  # the DTD wants dates that the facts do not hold


@functools.lru_cache(maxsize=256)  # the same few genes are asked for again and again
def gene_xml(gene: NcbiGeneFacts) -> bytes:
    """One ``<Entrezgene>`` as efetch writes it."""
    record = _record(gene)
    indent(record)
    return tostring(record).replace(b" />", b"/>") + b"\n"


def genome(gene: NcbiGeneFacts) -> str:
    """Which genome the gene lies in, in NCBI's words."""
    return "mitochondrion" if gene.chromosomes == ("MT",) else "genomic"


def _record(gene: NcbiGeneFacts) -> Element:
    code = str(_TYPES.index(gene.gene_type)) if gene.gene_type in _TYPES else "255"
    record = node(
        "Entrezgene",
        node("Entrezgene_track-info", _track(gene)),
        node("Entrezgene_type", code, value=gene.gene_type),
        node("Entrezgene_source", _source(gene)),
        node("Entrezgene_gene", _gene_ref(gene)),
    )
    for tag, content in _optional_sections(gene):
        record.extend(optional(f"Entrezgene_{tag}", *content))
    return record


def _optional_sections(gene: NcbiGeneFacts) -> Iterator[tuple[str, Sequence[Element | str]]]:
    """The optional sections in the order of the DTD."""
    is_live = gene.status == "live"
    yield "prot", _prot_ref(gene)
    yield "summary", [gene.summary]
    method = node("Maps_method", node("Maps_method_map-type", value="cyto"))
    places = optional("Maps_display-str", gene.map_location)
    yield "location", [node("Maps", place, method) for place in places]
    yield "gene-source", [_gene_source(gene)]
    yield "locus", list(_loci(gene))
    yield "properties", list(_properties(gene))
    yield "comments", list(_comments(gene)) if is_live else []
    yield "unique-keys", list(_unique_keys(gene))
    index_term = gene.gene_id if is_live else gene.current_id
    yield "xtra-index-terms", [node("Entrezgene_xtra-index-terms_E", f"LOC{index_term}")] if index_term else []


def _track(gene: NcbiGeneFacts) -> Element:
    code = str(_STATUSES.index(gene.status))
    # NCBI names the replacement twice, once by its old name for a GeneID.
    current_ids = [dbtag(db, gene.current_id) for db in ("LocusID", "GeneID") if gene.current_id]
    end = [date(*map(int, gene.discontinued_on.split("-")))] if gene.discontinued_on else []
    return node(
        "Gene-track",
        node("Gene-track_geneid", gene.gene_id),
        node("Gene-track_status", code, value=gene.status),
        *optional("Gene-track_current-id", *current_ids),
        node("Gene-track_create-date", date(*_UNKNOWN_DATE)),
        node("Gene-track_update-date", date(*_UNKNOWN_DATE)),
        *optional("Gene-track_discontinue-date", *end),
    )


def _source(gene: NcbiGeneFacts) -> Element:
    organism = node(
        "Org-ref",
        node("Org-ref_taxname", gene.taxon.scientific),
        *optional("Org-ref_common", gene.taxon.common),
        node("Org-ref_db", dbtag("taxon", str(gene.taxon_id))),
    )
    genome_name = genome(gene)
    return node(
        "BioSource",
        node("BioSource_genome", {"genomic": "1", "mitochondrion": "5"}[genome_name], value=genome_name),
        node("BioSource_origin", "1", value="natural"),
        node("BioSource_org", organism),
        *optional("BioSource_subtype", *map(_chromosome, gene.chromosomes)),
    )


def _chromosome(name: str) -> Element:
    return node("SubSource", node("SubSource_subtype", "1", value="chromosome"), node("SubSource_name", name))


def _gene_ref(gene: NcbiGeneFacts) -> Element:
    return node(
        "Gene-ref",
        node("Gene-ref_locus", gene.symbol),
        *optional("Gene-ref_desc", gene.name),
        *optional("Gene-ref_maploc", gene.map_location),
        *optional("Gene-ref_db", *(dbtag(db, value) for db, value in _ids(gene))),
        *optional("Gene-ref_syn", *(node("Gene-ref_syn_E", alias) for alias in gene.aliases)),
    )


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
    descriptions, names = gene.designations[:1], gene.designations[1:]
    if gene.gene_type != "protein-coding" or gene.status != "live":
        descriptions, names = (), gene.designations
    parts = optional("Prot-ref_name", *(node("Prot-ref_name_E", name) for name in names))
    return optional("Prot-ref", *parts, *(node("Prot-ref_desc", name) for name in descriptions))


def _gene_source(gene: NcbiGeneFacts) -> Element:
    ids = (node(f"Gene-source_{form}", gene.gene_id) for form in ("src-int", "src-str2"))
    return node("Gene-source", node("Gene-source_src", "LocusLink"), *ids)


def _unique_keys(gene: NcbiGeneFacts) -> Iterator[Element]:
    if gene.hgnc:
        yield dbtag("HGNC", gene.hgnc)
    yield dbtag("LocusID", gene.gene_id)
    yield from (dbtag("MIM", number) for number in gene.omim)


def _interval(place: GenomicPlace) -> Element:
    strand = "plus" if place.strand > 0 else "minus"
    interval = node(
        "Seq-interval",
        node("Seq-interval_from", str(place.start - 1)),  # counted from 0
        node("Seq-interval_to", str(place.end - 1)),
        node("Seq-interval_strand", node("Na-strand", value=strand)),
        node("Seq-interval_id", node("Seq-id", node("Seq-id_gi", OTHER_GENE))),
    )
    return node("Seq-loc", node("Seq-loc_int", interval))


def _loci(gene: NcbiGeneFacts) -> Iterator[Element]:
    """The reference places first, as NCBI does, then a RefSeqGene and another assembly: both decoys."""
    if not gene.places:
        yield commentary("genomic")
        return
    products = [_transcript(accession, "Reference") for accession in gene.refseq]
    for index, place in enumerate(gene.places):
        chromosome = gene.chromosomes[index] if index < len(gene.chromosomes) else "Un"
        heading = f"Reference {place.assembly} Primary Assembly"
        label = f"Chromosome {chromosome} {heading}"
        seqs = [_interval(place)]
        yield sequence("genomic", place.accession, heading=heading, label=label, seqs=seqs, products=products)
    decoy_seqs = [_interval(GenomicPlace("", "", 5001, 9001, 1))]
    yield sequence("genomic", "NG_999999.1", label="RefSeqGene", seqs=decoy_seqs)
    other = "Alternate T2T-CHM13v2.0"
    yield sequence("genomic", OTHER_SEQUENCE, heading=other, label=f"Chromosome 1 {other}", seqs=decoy_seqs)


def _transcript(accession: str, heading: str, proteins: Sequence[Element] = ()) -> Element:
    kind = "mRNA" if accession[1] == "M" else "miscRNA"
    return sequence(kind, f"{accession}.1", heading=heading, products=proteins)


def _properties(gene: NcbiGeneFacts) -> Iterator[Element]:
    if gene.nomenclature:
        properties = [
            commentary("property", label=f"{gene.nomenclature} {label}", text=text)
            for label, text in (("Symbol", gene.official_symbol), ("Full Name", gene.official_name))
            if text
        ]
        yield commentary("comment", label="Nomenclature", properties=properties)
    yield from go_terms(gene)


def _comments(gene: NcbiGeneFacts) -> Iterator[Element]:
    yield commentary("gene-group", heading="Orthologs from Annotation Pipeline", comment=[_ortholog(gene)])
    if gene.pmids:
        yield commentary("comment", refs=papers(gene.pmids))
    yield from phenotypes(gene)
    if gene.refseq or gene.release:
        yield commentary("comment", heading="NCBI Reference Sequences (RefSeq)", comment=list(_refseqs(gene)))
    if gene.uniprot:
        yield commentary("comment", heading="Related Sequences", products=[_reviewed_proteins(gene)])
    links = [commentary("comment", text="MIM", source=[cited("MIM", number)]) for number in (*gene.omim, OTHER_MIM)]
    yield commentary("comment", heading="Additional Links", comment=links)
    yield from generifs(gene)
    yield commentary("generif", heading="Interactions", comment=[_interaction()])


def _ortholog(gene: NcbiGeneFacts) -> Element:
    taxon_id, common = ("10090", "mouse") if gene.taxon_id == 9606 else ("9606", "human")  # noqa: PLR2004  # human
    source = [cited("GeneID", OTHER_GENE, common), cited("taxon", taxon_id)]
    return commentary("gene-group", label="Additional", source=source)


def _interaction(number: int = 0) -> Element:
    """An interaction found by an article; numbers and words are made up, and differ with the number."""
    partner_id, pmid, record_id = (str(99_000_000 + scattered(3 * number + place, 10**6)) for place in range(3))
    partner = commentary("other", source=[cited("GeneID", OTHER_GENE, f"OTHER{number}"), cited("BioGRID", partner_id)])
    source = [cited("BioGRID", record_id, "BioGRID")]
    words = " ".join(f"{scattered(20 * number + place, 1 << 24):x}" for place in range(1, 9))
    text = f"Two-hybrid ({words})" if number else "Two-hybrid"
    return commentary("generif", text=text, refs=papers([pmid]), source=source, comment=[partner])


@functools.cache
def _further_interactions() -> tuple[bytes, ...]:
    """Some 140 kB of interactions, no two the same."""
    return tuple(_lines(_interaction(number)) for number in range(1, 65))


def _lines(element: Element) -> bytes:
    indent(element, level=4)
    return b"        " + tostring(element).replace(b" />", b"/>").rstrip() + b"\n"


GENE_PADDING = XmlPadding(
    path="/efetch.fcgi",
    # Five recorded records of 2022-26 have 0.4 to 2.4 MB, two thirds of it interactions and GeneRIFs.
    size=RecordSize(1_300_000, 10_000_000, "UPSTREAMS 2: 1.3 MB measured, 1-10 MB said; read November 2026"),
    uid=re.compile(rb"<Gene-track_geneid>(\d+)<"),
    place=b"  </Entrezgene_comments>",  # a retired gene has none
    elements=_further_interactions,
    wrapper=(
        (
            b'    <Gene-commentary>\n      <Gene-commentary_type value="generif">18</Gene-commentary_type>\n'
            b"      <Gene-commentary_heading>Interactions</Gene-commentary_heading>\n      <Gene-commentary_comment>\n"
        ),
        b"      </Gene-commentary_comment>\n    </Gene-commentary>\n",
    ),
)


def _refseqs(gene: NcbiGeneFacts) -> Iterator[Element]:
    """Curated transcripts, and those that the annotation of the genome predicts."""
    curated = [accession for accession in gene.refseq if accession[0] == "N"]
    predicted = [accession for accession in gene.refseq if accession[0] == "X"]
    if curated:
        heading = "RefSeqs maintained independently of Annotated Genomes"
        proteins = [_product(gene)] if gene.uniprot else []
        kinds = ("mRNA Sequence" if accession[1] == "M" else "RNA Sequence" for accession in curated)  # NM_ or NR_
        products = [_transcript(accession, kind, proteins) for accession, kind in zip(curated, kinds, strict=True)]
        yield commentary("comment", heading=heading, products=products)
    if gene.release or predicted:
        accession = gene.places[0].accession if gene.places else OTHER_SEQUENCE
        products = [_transcript(accession, "mRNA Sequence") for accession in predicted]
        heading = f"RefSeqs of Annotated Genomes: {gene.release}".rstrip(": ")
        yield commentary("comment", heading=heading, products=[sequence("genomic", accession, products=products)])


def _product(gene: NcbiGeneFacts) -> Element:
    """A protein as curated RefSeqs name it: with the primary accessions among secondary and unreviewed ones."""
    reviewed_ids = [cited("UniProtKB/Swiss-Prot", accession) for accession in sorted((*gene.uniprot, OTHER_UNIPROT))]
    accessions = commentary("other", source=[cited("UniProtKB/TrEMBL", OTHER_UNREVIEWED), *reviewed_ids])
    uniprot = commentary("other", heading="UniProtKB", comment=[accessions])
    return sequence("peptide", OTHER_PROTEIN, heading="Product", comment=[uniprot])


def _reviewed_proteins(gene: NcbiGeneFacts) -> Element:
    proteins = [
        sequence(
            "peptide",
            f"{accession}.1",
            source=[cited("Protein", OTHER_GENE), cited("UniProtKB/Swiss-Prot", f"{accession}.1")],
        )
        for accession in gene.uniprot
    ]
    return commentary("other", text="None", products=proteins)


_ASPECTS = {"function": "Function", "process": "Process", "component": "Component"}


def go_terms(gene: NcbiGeneFacts) -> Iterator[Element]:
    """The property that holds them, aspect by aspect."""
    aspects = [
        commentary("comment", label=label, comment=[_go_term(term) for term in gene.go_terms if term.aspect == aspect])
        for aspect, label in _ASPECTS.items()
        if any(term.aspect == aspect for term in gene.go_terms)
    ]
    if aspects:
        provider = node(
            "Other-source", node("Other-source_pre-text", "Provided by"), node("Other-source_anchor", "GOA")
        )
        yield commentary("comment", heading="GeneOntology", source=[provider], comment=aspects)


def _go_term(term: GoFact) -> Element:
    source = cited("GO", str(int(term.id.removeprefix("GO:"))))  # GO's IDs are numbers here, without leading zeros
    source.append(node("Other-source_pre-text", term.qualifier))
    source.append(node("Other-source_anchor", term.name))
    source.append(node("Other-source_post-text", f"evidence: {term.evidence}"))
    return commentary("comment", refs=papers(term.pmids), source=[source])


def phenotypes(gene: NcbiGeneFacts) -> Iterator[Element]:
    """The comment that holds them."""
    if gene.phenotypes:
        yield commentary("comment", heading="Phenotypes", comment=list(map(_phenotype, gene.phenotypes)))


def _phenotype(phenotype: PhenotypeFact) -> Element:
    parts = [
        ("GTR", cited("GTRDisease", phenotype.medgen, "Genetic Testing Registry")),
        ("MedGen", cited("MedGen", phenotype.medgen, "MedGen")),
        ("OMIM", cited("MIM", phenotype.omim, f"MIM: {phenotype.omim}")),
    ]
    comments = [commentary("phenotype", heading=heading, source=[source]) for heading, source in parts]
    return commentary("phenotype", heading=phenotype.name, comment=comments)


def generifs(gene: NcbiGeneFacts) -> Iterator[Element]:
    """One comment each."""
    return map(_generif, gene.generifs)


def _generif(rif: GeneRifFact) -> Element:
    day = date(*map(int, rif.date.split("-")))
    return commentary("generif", text=rif.text, refs=papers(rif.pmids), create_date=[day], update_date=[day])
