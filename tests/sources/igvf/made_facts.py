"""A small made graph, and what the stand-in answers over it."""

import functools
import json
from typing import Any
from urllib.parse import parse_qsl

from biofact.sandbox.services.igvf.facts import (
    CodingVariantFacts,
    ComplexFacts,
    DrugFacts,
    EdgeFacts,
    ElementFacts,
    Facts,
    GeneFacts,
    MotifFacts,
    PathwayFacts,
    ProteinFacts,
    StudyFacts,
    TermFacts,
    TranscriptFacts,
    VariantFacts,
)
from biofact.sandbox.services.igvf.standin import IgvfStandIn
from biofact.sandbox.standin import Ask

BRCA1, BRCA2, BRAF = "ENSG00000012048", "ENSG00000139618", "ENSG00000157764"
MOUSE_BRCA1 = "ENSMUSG00000017146"
FIRST, SECOND, THIRD = "NC_000017.11:43045709:T:C", "NC_000017.11:43045710:T:C", "NC_000017.11:43050000:G:A"
MOUSE_VARIANT = "NC_000077.7:101400000:A:G"
LIVER, LOBE, BRAIN = "UBERON_0002107", "UBERON_0001114", "UBERON_0000955"
ENHANCER, NEXT, FAR = "enhancer_1", "enhancer_2", "enhancer_3"

GENES = (
    GeneFacts(
        id=BRCA1,
        symbol="BRCA1",
        chromosome="17",
        start=43044295,
        end=43170245,
        strand="-",
        hgnc="HGNC:1100",
        entrez="672",
        synonyms=("RNF53", "BRCC1"),
    ),
    GeneFacts(
        id=BRCA2, symbol="BRCA2", chromosome="13", start=32315086, end=32400268, hgnc="HGNC:1101", synonyms=("BRCC2",)
    ),
    GeneFacts(id=BRAF, symbol="BRAF", chromosome="7", start=140719327, end=140924929, collections=("ACMG73",)),
    GeneFacts(id=MOUSE_BRCA1, symbol="Brca1", chromosome="11", start=101379590, end=101442781, organism="mouse"),
)
TERMS = (
    TermFacts(id=LIVER, name="liver", source="UBERON"),
    TermFacts(id=LOBE, name="right lobe of liver", source="UBERON"),
    TermFacts(id=BRAIN, name="brain", source="UBERON", synonyms=("encephalon",)),
    TermFacts(id="MONDO_0007915", name="systemic lupus erythematosus", source="MONDO", synonyms=("SLE", "lupus")),
    TermFacts(id="GO_0003677", name="DNA binding", source="GO", subontology="molecular_function"),
)
VARIANTS = (
    VariantFacts(
        spdi=FIRST,
        rsids=("rs101", "rs102"),
        hgvs="NC_000017.11:g.43045710T>C",
        ca_id="CA10001",
        category="coding",
        frequencies={"gnomad_af_total": 0.2},
    ),
    VariantFacts(spdi=SECOND, rsids=("rs103",), category="noncoding", frequencies={"gnomad_af_total": 0.5}),
    VariantFacts(spdi=THIRD, rsids=("rs104",)),
    VariantFacts(spdi=MOUSE_VARIANT, strains=("CAST_EiJ",), organism="mouse"),
)
ELEMENTS = (
    ElementFacts(
        id=ENHANCER, chromosome="17", start=43045701, end=43045711, type="tested elements", method="CRISPR screen"
    ),
    ElementFacts(id=NEXT, chromosome="17", start=43045712, end=43045800, type="accessible dna elements"),
    ElementFacts(id=FAR, chromosome="1", start=100, end=200, type="tested elements", organism="mouse"),
)
CHANGE = CodingVariantFacts(
    id="BRCA1_ENST00000357654_p.Met1!_c.1A-G",
    name="BRCA1_ENST00000357654_p.Met1?_c.1A>G",
    gene_name="BRCA1",
    protein="ENSP00000350283",
    protein_name="BRCA1_HUMAN",
    transcript="ENST00000357654",
    hgvs_p="p.Met1?",
    hgvs_c="c.1A>G",
    position=1,
    ref="M",
    alt="V",
    scores={"REVEL_score": 0.7},
)


def qtl(variant: str, gene: str, context: str, term: str, **fields: Any) -> EdgeFacts:
    told = {"label": "eQTL", "method": "eQTL", "source": "AFGR", "biological_context": context}
    return EdgeFacts(
        edge="variant_gene",
        subject=variant,
        object=gene,
        fields={**told, "biosample_term": f"ontology_terms/{term}", **fields},
    )


EDGES = (
    qtl(FIRST, BRCA1, "liver", LIVER, neg_log10_pvalue=9.5, effect_size=-0.5),
    qtl(SECOND, BRCA1, "liver", LIVER, neg_log10_pvalue="1.2", effect_size=0.5),
    qtl(FIRST, BRCA2, "right lobe of liver", LOBE, label="spliceQTL", method="spliceQTL", source="EBI"),
    qtl(THIRD, BRCA2, "brain", BRAIN, neg_log10_pvalue=4, significant=True),
    EdgeFacts(edge="gene_gene", subject=BRCA1, object=BRCA2, fields={"z_score": 3.5}),
    EdgeFacts(edge="gene_gene", subject=BRAF, object=BRCA1, fields={"z_score": -1.5, "label": "genetic interference"}),
    EdgeFacts(edge="variant_variant", subject=FIRST, object=SECOND, fields={"r2": 0.9, "ancestry": "EUR"}),
    EdgeFacts(edge="variant_variant", subject=THIRD, object=FIRST, fields={"r2": 0.3, "variant_1_base_pair": "C:T"}),
    EdgeFacts(
        edge="predicted_element_gene", subject=ENHANCER, object=BRCA1, fields={"score": 0.9, "cell_type": "K562"}
    ),
    EdgeFacts(edge="predicted_element_gene", subject=NEXT, object=BRCA2, fields={"score": 0.1}),
    EdgeFacts(edge="element_gene", subject=ENHANCER, object=BRCA1, fields={"method": "Perturb-seq", "source": "IGVF"}),
    EdgeFacts(edge="element_gene", subject=ENHANCER, object=BRCA2, fields={"method": "CRISPR screen"}),
    EdgeFacts(edge="regulator_gene", subject=BRCA1, object=BRAF, fields={"log2FC": -1.0, "significant": True}),
    EdgeFacts(edge="product_function", subject="ENSP00000350283", object="GO_0003677", fields={"qualifier": "enables"}),
    EdgeFacts(edge="variant_drug", subject=FIRST, object="PA1", fields={"pmid": "123", "phenotype_categories": ["PD"]}),
    EdgeFacts(edge="protein_motif", subject="ENSP00000350283", object="M1", fields={}),
    EdgeFacts(
        edge="variant_phenotype",
        subject=FIRST,
        object="MONDO_0007915",
        fields={"source": "OpenTargets", "neg_log10_pvalue": 8, "study": "GCST1", "lead_pos": 43045710},
    ),
    EdgeFacts(edge="variant_phenotype", subject=FIRST, object="MONDO_0007915", fields={"score": 0.4, "method": "SGE"}),
    EdgeFacts(edge="variant_disease", subject=FIRST, object="MONDO_0007915", fields={"assertion": "Benign"}),
    *(
        EdgeFacts(
            edge="gene_coding_variant",
            subject=variant,
            object=BRCA1,
            fields={"coding_variant": CHANGE.id, "method": method, "score": score},
        )
        for variant, method, score in ((FIRST, "SGE", -1.0), (FIRST, "MutPred2", 0.5), (SECOND, "SGE", 2.0))
    ),
    EdgeFacts(edge="variant_coding_variant", subject=FIRST, object=CHANGE.id),
)
FACTS = Facts(
    genes=GENES,
    transcripts=(
        TranscriptFacts(
            id="ENST00000357654", name="BRCA1-203", gene=BRCA1, chromosome="17", start=43044295, end=43125364
        ),
        TranscriptFacts(
            id="ENST00000380152", name="BRCA2-201", gene=BRCA2, chromosome="13", start=32315508, end=32400268
        ),
    ),
    proteins=(
        ProteinFacts(
            id="ENSP00000350283",
            name="BRCA1",
            uniprot_names=("BRCA1_HUMAN",),
            uniprot_full_names=("Breast cancer type 1 susceptibility protein",),
            uniprot_ids=("P38398", "P38398-1"),
            xrefs=(("CCDS", "CCDS11453.1"),),
        ),
        ProteinFacts(id="ENSP00000369497", name="BRCA2", uniprot_names=("BRCA2_HUMAN",), uniprot_ids=("P51587",)),
    ),
    variants=VARIANTS,
    coding_variants=(CHANGE,),
    terms=TERMS,
    drugs=(DrugFacts(id="PA1", name="aspirin"), DrugFacts(id="PA2", name="lysine acetylsalicylate")),
    complexes=(ComplexFacts(id="CPX-1", name="BRCA1-BARD1 complex", description="An E3 ligase."),),
    studies=(StudyFacts(id="GCST1", pmid="PMID:77", trait="Lupus"),),
    pathways=(PathwayFacts(id="R-HSA-1", version=2, name="DNA Repair", aliases=("Repair of DNA",), is_top_level=True),),
    motifs=(MotifFacts(id="M1", tf_name="BRCA1_HUMAN", length=3, source="HOCOMOCOv11"),),
    elements=ELEMENTS,
    edges=EDGES,
)


@functools.cache
def made() -> IgvfStandIn:
    return IgvfStandIn(FACTS)


def answered(question: str, stand_in: IgvfStandIn | None = None) -> tuple[int, Any]:
    """Status and document that answer a path with its query; plus signs and blanks in it stay what they are."""
    path, _, query = question.partition("?")
    params = tuple(parse_qsl(query.replace("+", "%2B"), keep_blank_values=True))
    reply = (stand_in or made()).reply(Ask("GET", path, params))
    assert isinstance(reply.body, bytes)
    assert reply.content_type == "application/json"
    return reply.status, json.loads(reply.body)


def rows(question: str, stand_in: IgvfStandIn | None = None) -> list[Any]:
    """The items of a good answer."""
    status, document = answered(question, stand_in)
    assert (status, type(document)) == (200, list), document
    return list(document)


def ids(question: str, field: str = "_id") -> list[str]:
    return [row[field] for row in rows(question)]
