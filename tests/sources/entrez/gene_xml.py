"""Gene records in NCBI's XML, composed piece by piece for tests."""

from html import escape


def element(tag, *content, **attributes):
    """An element; ``content`` is XML already."""
    names = "".join(f' {name}="{value}"' for name, value in attributes.items())
    return f"<{tag}{names}>{''.join(content)}</{tag}>"


def tag(database, value):
    kind = "id" if str(value).isdigit() else "str"
    inner = element("Dbtag_tag", element("Object-id", element(f"Object-id_{kind}", str(value))))
    return element("Dbtag", element("Dbtag_db", database), inner)


def commentary(kind="comment", **parts):
    """A Gene-commentary; its parts come in the given order, which should be the DTD's."""
    inner = "".join(element(f"Gene-commentary_{name.replace('_', '-')}", content) for name, content in parts.items())
    return element("Gene-commentary", element("Gene-commentary_type", value=kind), inner)


def source(database, value):
    return element("Other-source", element("Other-source_src", tag(database, value)))


def interval(start, end, strand="plus"):
    """A Seq-interval; positions are 0-based, as in the XML."""
    return element(
        "Seq-interval",
        element("Seq-interval_from", str(start)),
        element("Seq-interval_to", str(end)),
        element("Seq-interval_strand", element("Na-strand", value=strand)),
    )


def placed_commentary(start, end, strand="plus"):
    return element("Seq-loc", element("Seq-loc_int", interval(start, end, strand)))


def locus(heading, accession="NC_000001", version="11", seqs=None):
    return commentary(
        "genomic", heading=heading, accession=accession, version=version, seqs=seqs or placed_commentary(99, 199)
    )


def refseqs(*sections):
    return commentary(heading="NCBI Reference Sequences (RefSeq)", comment="".join(sections))


def curated(*products):
    return commentary(heading="RefSeqs maintained independently of Annotated Genomes", products="".join(products))


def annotated(*products, release="GCF_000001405.40-RS_2023_10"):
    genomic = commentary("genomic", accession="NC_000001", version="11", products="".join(products))
    return commentary(heading=f"RefSeqs of Annotated Genomes: {release}", products=genomic)


def transcript(accession, *proteins):
    return commentary("mRNA", accession=accession, version="1", products="".join(proteins))


def protein(accession, *uniprot):
    entries = "".join(commentary("other", source=source("UniProtKB/Swiss-Prot", value)) for value in uniprot)
    names = commentary("other", heading="UniProtKB", comment=entries)
    return commentary("peptide", accession=accession, version="1", comment=names)


def related(*peptides):
    """ "Related Sequences" as NCBI nests them: a product without a sequence, and the peptide below it."""
    nested = "".join(commentary("other", text="None", products=peptide) for peptide in peptides)
    return commentary(heading="Related Sequences", products=nested)


def swiss_prot(accession):
    return commentary("peptide", accession=accession, version="2", source=source("UniProtKB/Swiss-Prot", accession))


def nomenclature(symbol, name, status="Official"):
    facts = commentary("property", label=f"{status} Symbol", text=symbol)
    facts += commentary("property", label=f"{status} Full Name", text=name)
    return commentary(label="Nomenclature", properties=facts)


def gene(gene_id="7157", *, gene_ref="", track="", status="live", gene_type="protein-coding", taxon=9606, **sections):
    """One ``<Entrezgene>``; further sections are named as in the XML, with ``chromosome`` among them."""
    chromosomes = "".join(
        element("SubSource", element("SubSource_subtype", value="chromosome"), element("SubSource_name", name))
        for name in sections.pop("chromosomes", ())
    )
    organism = element(
        "Org-ref", element("Org-ref_taxname", "Homo sapiens"), element("Org-ref_db", tag("taxon", taxon))
    )
    biosource = element("BioSource_org", organism) + element("BioSource_subtype", chromosomes)
    track_element = element("Gene-track_geneid", gene_id) + element("Gene-track_status", value=status) + track
    xml = element(
        "Entrezgene",
        element("Entrezgene_track-info", element("Gene-track", track_element)),
        element("Entrezgene_type", value=gene_type),
        element("Entrezgene_source", element("BioSource", biosource)),
        element("Entrezgene_gene", element("Gene-ref", gene_ref)),
        *(element(f"Entrezgene_{name}", content) for name, content in sections.items()),
    )
    return xml.encode()


def gene_with_names(symbol, description="", *aliases):
    """The inside of a Gene-ref."""
    synonyms = "".join(element("Gene-ref_syn_E", alias) for alias in aliases)
    return (
        element("Gene-ref_locus", symbol)
        + element("Gene-ref_desc", escape(description))
        + element("Gene-ref_syn", synonyms)
    )


def body(*records):
    """An answer of efetch."""
    prolog = (
        b'<?xml version="1.0" ?>\n<!DOCTYPE Entrezgene-Set PUBLIC "-//NLM//DTD NCBI-Entrezgene, 21st January 2005//EN"'
        b' "https://www.ncbi.nlm.nih.gov/data_specs/dtd/NCBI_Entrezgene.dtd">\n'
    )
    return prolog + b"<Entrezgene-Set>\n" + b"\n".join(records) + b"\n</Entrezgene-Set>\n"
