"""The fields that NCBI Gene knows, by every spelling of their tags: what else stands in brackets is part of a name."""

_FIELDS = (  # einfo's tag and name of each (UPSTREAMS 2.3), then what Gene Help and common usage write
    *("ALL", "All Fields", "UID", "FILT", "Filter", "sb", "TITL", "Gene/Protein Name", "title", "titl", "ti"),
    *("WORD", "Text Word", "tw", "ORGN", "Organism", "org", "porgn", "Primary Organism", "MDAT", "Modification Date"),
    *("CHR", "Chromosome", "MV", "Default Map Location", "Map Location", "GENE", "Gene Name", "ECNO", "EC/RN Number"),
    *("MIM", "MIM ID", "DIS", "Disease/Phenotype", "ACCN", "Nucleotide/Protein Accession", "Accession", "PROP"),
    *("Properties", "CDAT", "Creation Date", "PMID", "PubMed ID", "TID", "Taxonomy ID", "taxid", "GO", "Gene Ontology"),
    *("DOM", "Domain Name", "DDAT", "Date Discontinued", "CPOS", "Base Position", "CHRPOS", "bp", "GFN"),
    *("Gene Full Name", "PFN", "Protein Full Name", "XC", "Exon Count", "GRP", "Group", "PREF", "Preferred Symbol"),
    *("sym", "symbol", "AACC", "Assembly Accession", "ASM", "Assembly Name"),
)
_KNOWN = frozenset(map(str.lower, _FIELDS))
NAMING = ("sym", "symbol", "pref", "preferred symbol", "gene", "gene name", "title", "titl")
"""Those that hold names, in which brackets and colons are no syntax."""


def is_field(tag: str) -> bool:
    """Whether NCBI Gene has a field of this tag, which may be qualified: ``Organism:noexp``, ``Title:~3``."""
    return " ".join(tag.partition(":")[0].lower().split()) in _KNOWN
