"""A small made Catalog, and the stand-in's answers from it."""

import functools
import json
from typing import Any
from urllib.parse import parse_qsl

from biofact.sandbox.services.igvf.standin import IgvfStandIn
from biofact.sandbox.standin import ServiceRequest
from tests.sources.igvf.catalog_rows import (
    CatalogPart,
    allele,
    catalog,
    edge,
    element,
    gene,
    other,
    protein,
    term,
    transcript,
)

BRCA1, BRCA2, BRAF = "ENSG00000012048", "ENSG00000139618", "ENSG00000157764"
MOUSE_BRCA1 = "ENSMUSG00000017146"
FIRST, SECOND, THIRD = "NC_000017.11:43045709:T:C", "NC_000017.11:43045710:T:C", "NC_000017.11:43050000:G:A"
MOUSE_VARIANT = "NC_000077.7:101400000:A:G"
LIVER, LOBE, BRAIN = "UBERON_0002107", "UBERON_0001114", "UBERON_0000955"
ENHANCER, NEXT, FAR = "enhancer_1", "enhancer_2", "enhancer_3"
BRCA1_PROTEIN, BRCA2_PROTEIN = "ENSP00000350283", "ENSP00000369497"
CHANGE = "BRCA1_ENST00000357654_p.Met1!_c.1A-G"
LUPUS, BINDING = "MONDO_0007915", "GO_0003677"

ENTITIES = (
    gene(
        BRCA1,
        "BRCA1",
        *("17", 43044295, 43170245),
        strand="-",
        hgnc="HGNC:1100",
        entrez="ENTREZ:672",
        synonyms=["RNF53", "BRCC1"],
    ),
    gene(BRCA2, "BRCA2", *("13", 32315086, 32400268), hgnc="HGNC:1101", synonyms=["BRCC2"]),
    gene(BRAF, "BRAF", *("7", 140719327, 140924929), collections=["ACMG73"]),
    gene(MOUSE_BRCA1, "Brca1", *("11", 101379590, 101442781), organism="mouse"),
    transcript("ENST00000357654", "BRCA1-203", *("17", 43044295, 43125364)),
    transcript("ENST00000380152", "BRCA2-201", *("13", 32315508, 32400268)),
    protein(
        BRCA1_PROTEIN,
        "BRCA1",
        chr="chr17",
        uniprot_names=["BRCA1_HUMAN"],
        uniprot_full_names=["Breast cancer type 1 susceptibility protein"],
        uniprot_ids=["P38398", "P38398-1"],
        dbxrefs=[{"name": "CCDS", "id": "CCDS11453.1"}],
    ),
    protein(BRCA2_PROTEIN, "BRCA2", chr="chr13", uniprot_names=["BRCA2_HUMAN"], uniprot_ids=["P51587"]),
    allele(
        FIRST,
        rsid=["rs101", "rs102"],
        hgvs="NC_000017.11:g.43045710T>C",
        ca_id="CA10001",
        annotations={"gnomad_af_total": 0.2, "GENCODE_category": "coding"},
    ),
    allele(SECOND, rsid=["rs103"], annotations={"gnomad_af_total": 0.5, "GENCODE_category": "noncoding"}),
    allele(THIRD, rsid=["rs104"]),
    allele(MOUSE_VARIANT, strain=["CAST_EiJ"]),
    other(
        "coding_variants",
        CHANGE,
        name="BRCA1_ENST00000357654_p.Met1?_c.1A>G",
        gene_name="BRCA1",
        protein_id=BRCA1_PROTEIN,
        protein_name="BRCA1_HUMAN",
        transcript_id="ENST00000357654",
        hgvsp="p.Met1?",
        hgvsc="c.1A>G",
        aapos=1,
        ref="M",
        alt="V",
        REVEL_score=0.7,
    ),
    term(LIVER, "liver", "UBERON"),
    term(LOBE, "right lobe of liver", "UBERON"),
    term(BRAIN, "brain", "UBERON", synonyms=["encephalon"]),
    term(LUPUS, "systemic lupus erythematosus", "MONDO", synonyms=["SLE", "lupus"]),
    term(BINDING, "DNA binding", "GO", subontology="molecular_function"),
    other("drugs", "PA1", name="aspirin"),
    other("drugs", "PA2", name="lysine acetylsalicylate"),
    other("complexes", "CPX-1", name="BRCA1-BARD1 complex", description="An E3 ligase."),
    other("studies", "GCST1", name="GCST1", pmid="PMID:77", trait_reported="Lupus"),
    other("pathways", "R-HSA-1", name="DNA Repair", name_aliases=["Repair of DNA"], is_top_level_pathway=True),
    other("motifs", "M1", name="M1", tf_name="BRCA1_HUMAN", length=3, source="HOCOMOCOv11"),
    element(ENHANCER, *("17", 43045701, 43045711), type="tested elements", method="CRISPR screen"),
    element(NEXT, *("17", 43045712, 43045800), type="accessible dna elements"),
    element(FAR, *("1", 100, 200), type="tested elements", organism="mouse"),
)


def qtl(variant: str, gene_id: str, context: str, term_id: str, **fields: Any) -> CatalogPart:
    place = {"biological_context": context, "biosample_term": f"ontology_terms/{term_id}"}
    return edge("variant_gene", variant, gene_id, **{**place, **fields})


EDGES = (
    qtl(FIRST, BRCA1, "liver", LIVER, neg_log10_pvalue=9.5, effect_size=-0.5),
    qtl(SECOND, BRCA1, "liver", LIVER, neg_log10_pvalue="1.2", effect_size=0.5),
    qtl(FIRST, BRCA2, "right lobe of liver", LOBE, label="spliceQTL", method="spliceQTL", source="EBI"),
    qtl(THIRD, BRCA2, "brain", BRAIN, neg_log10_pvalue=4, significant=True),
    edge("gene_gene", BRCA1, BRCA2, z_score=3.5),
    edge("gene_gene", BRAF, BRCA1, z_score=-1.5, label="genetic interference"),
    edge("variant_variant", FIRST, SECOND, r2=0.9, ancestry="EUR"),
    edge("variant_variant", THIRD, FIRST, r2=0.3, variant_1_base_pair="C:T"),
    edge("predicted_element_gene", ENHANCER, BRCA1, score=0.9, cell_type="K562"),
    edge("predicted_element_gene", NEXT, BRCA2, score=0.1),
    edge("element_gene", ENHANCER, BRCA1, method="Perturb-seq", source="IGVF"),
    edge("element_gene", ENHANCER, BRCA2, method="CRISPR screen"),
    edge("regulator_gene", BRCA1, BRAF, log2FC=-1.0, significant=True, response_gene="BRAF"),
    edge("product_function", BRCA1_PROTEIN, BINDING, qualifier=["enables"], go_term_name="dna binding"),
    edge("variant_drug", FIRST, "PA1", pmid="123", phenotype_categories=["PD"]),
    edge("protein_motif", BRCA1_PROTEIN, "M1"),
    edge(
        "variant_phenotype",
        FIRST,
        LUPUS,
        source="OpenTargets",
        neg_log10_pvalue=8,
        study="studies/GCST1",
        lead_pos=43045710,
    ),
    edge("variant_phenotype", FIRST, LUPUS, score=0.4),
    edge("variant_disease", FIRST, LUPUS, assertion="Benign"),
    *(
        edge(
            "gene_coding_variant",
            variant,
            BRCA1,
            coding_variant=f"coding_variants/{CHANGE}",
            method=method,
            score=score,
        )
        for variant, method, score in ((FIRST, "SGE", -1.0), (FIRST, "MutPred2", 0.5), (SECOND, "SGE", 2.0))
    ),
    edge("variant_coding_variant", FIRST, CHANGE),
)


@functools.cache
def made_stand_in() -> IgvfStandIn:
    return IgvfStandIn(catalog(*ENTITIES, *EDGES))


def status_and_document(question: str, stand_in: IgvfStandIn | None = None) -> tuple[int, Any]:
    """Status and document of the answer to a path with its query; plus signs and blanks in it are literal."""
    path, _, query = question.partition("?")
    params = tuple(parse_qsl(query.replace("+", "%2B"), keep_blank_values=True))
    reply = (stand_in or made_stand_in()).reply(ServiceRequest("GET", path, params))
    assert isinstance(reply.body, bytes)
    assert reply.content_type == "application/json"
    return reply.status, json.loads(reply.body)


def rows(question: str, stand_in: IgvfStandIn | None = None) -> list[Any]:
    """The items of a good answer."""
    status, document = status_and_document(question, stand_in)
    assert (status, type(document)) == (200, list), document
    return list(document)


def ids(question: str, field: str = "_id") -> list[str]:
    return [row[field] for row in rows(question)]
