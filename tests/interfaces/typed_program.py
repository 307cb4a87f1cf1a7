"""Types of records as checkers see them: read by mypy --strict in ``test_types``, and never run."""
# ruff: noqa: F841, B018  # nothing here is run

from typing import assert_type

from biofact import (
    ArticleSearch,
    CanonicalPubMedArticle,
    ChEMBLClient,
    Compound,
    CompoundSearchCandidate,
    CrossReferences,
    EnsemblClient,
    EnsemblGeneCandidate,
    EntrezClient,
    EntrezGene,
    ErrorEnvelope,
    FullAssociation,
    Gene,
    GeneSearchCandidate,
    IGVFClient,
    PaginationEnvelope,
    Pipeline,
    SlimArticle,
    SlimArticleSearch,
    SlimCompound,
    SlimCompoundSearchCandidate,
    SlimEnsemblGeneCandidate,
    SlimEntrezGene,
    SlimGene,
    SlimGeneSearchCandidate,
    SlimTargetSearchCandidate,
    SlimTermCandidate,
    SlimTranscript,
    TargetSearchCandidate,
    TermCandidate,
    Transcript,
)
from biofact.literature.scoring import ScoringCriteria


async def entrez(client: EntrezClient, flag: bool) -> None:
    gene = await client.get_gene("NCBIGene:672", include=["go_terms"])
    assert_type(gene, EntrezGene)
    taxon: int = gene.taxon_id
    words: tuple[str, str, str, str] = (gene.organism, gene.gene_type, gene.status, gene.category)
    xrefs: CrossReferences = gene.cross_references
    assert_type(await client.get_gene("NCBIGene:672", slim=True), SlimEntrezGene)
    assert_type(await client.get_gene("NCBIGene:672", True), SlimEntrezGene)
    assert_type(await client.get_gene("NCBIGene:672", slim=flag), SlimEntrezGene)
    short: SlimEntrezGene = gene
    assert_type(gene.slim(), SlimEntrezGene)
    page = await client.search_genes("BRCA1", "human")
    assert_type(page, PaginationEnvelope[GeneSearchCandidate])
    taxa: list[int] = [hit.taxon_id for hit in page.items]
    assert_type(await client.search_genes("BRCA1", slim=True), PaginationEnvelope[SlimGeneSearchCandidate])
    batch = await client.get_genes_batch(["NCBIGene:672"], slim=False)
    for item in batch.items:
        if isinstance(item, ErrorEnvelope):
            message: str = item.error.message
        elif isinstance(item, EntrezGene):
            taxon = item.taxon_id
        else:
            assert_type(item, SlimEntrezGene)
    assert_type(EntrezGene.from_json(gene.to_json(provenance=True)), EntrezGene)
    listed = PaginationEnvelope[EntrezGene | ErrorEnvelope].from_json("{}")
    assert_type(listed, PaginationEnvelope[EntrezGene | ErrorEnvelope])


async def ensembl(client: EnsemblClient) -> None:
    gene = await client.get_gene("ENSG00000141510")
    assert_type(gene, Gene)
    transcript = await client.get_transcript("ENST00000269305")
    assert_type(transcript, Transcript)
    page = await client.search_genes("TP53")
    assert_type(page, PaginationEnvelope[EnsemblGeneCandidate])
    for record in (gene, transcript, page.items[0]):
        place: tuple[str, str, int, int, int, str] = (
            *(record.species, record.chromosome, record.start, record.end, record.strand, record.assembly_name),
        )
    xrefs: tuple[CrossReferences, CrossReferences] = (gene.cross_references, transcript.cross_references)
    words: tuple[str, str] = (gene.category, transcript.category)
    assert_type(await client.get_gene("ENSG00000141510", slim=True), SlimGene)
    assert_type(await client.get_transcript("ENST00000269305", slim=True), SlimTranscript)
    assert_type(await client.search_genes("TP53", slim=True), PaginationEnvelope[SlimEnsemblGeneCandidate])
    assert_type(await client.get_genes_batch(["ENSG00000141510"]), PaginationEnvelope[Gene | SlimGene | ErrorEnvelope])


async def chembl(client: ChEMBLClient) -> None:
    compound = await client.get_compound("CHEMBL:25")
    assert_type(compound, Compound)
    constants: tuple[str, CrossReferences] = (compound.category, compound.cross_references)
    assert_type(await client.get_compound("CHEMBL:25", slim=True), SlimCompound)
    assert_type(await client.search_compounds("aspirin"), PaginationEnvelope[CompoundSearchCandidate])
    assert_type(await client.search_compounds("aspirin", slim=True), PaginationEnvelope[SlimCompoundSearchCandidate])
    assert_type(await client.search_targets("EGFR"), PaginationEnvelope[TargetSearchCandidate])
    assert_type(await client.search_targets("EGFR", slim=True), PaginationEnvelope[SlimTargetSearchCandidate])
    assert_type(await client.search_structures("CCO"), PaginationEnvelope[CompoundSearchCandidate])
    assert_type(await client.search_structures("CCO", slim=True), PaginationEnvelope[SlimCompoundSearchCandidate])


async def igvf(client: IGVFClient) -> None:
    assert_type(await client.search_terms("lupus"), PaginationEnvelope[TermCandidate])
    assert_type(await client.search_terms("lupus", slim=True), PaginationEnvelope[SlimTermCandidate])
    assert_type(await client.find_associations("BRCA1", "regulatory"), PaginationEnvelope[FullAssociation])
    region = await client.search_region("chr17:43044295-43125364")
    for gene in region.genes or ():
        words: tuple[str, str, CrossReferences] = (gene.name, gene.organism, gene.cross_references)


async def pubmed(client: Pipeline, criteria: ScoringCriteria) -> None:
    search = await client.pubmed_search("metformin")
    assert_type(search, ArticleSearch)
    article: CanonicalPubMedArticle = search.articles[0]
    short = await client.pubmed_search("metformin", slim=True)
    assert_type(short, ArticleSearch | SlimArticleSearch)
    slim: SlimArticle = short.articles[0]
    quotes = (await client.pubmed_extract_features({"sample_size": "number"})).extractions[0].extraction_metadata
    scores = (await client.pubmed_score_articles(criteria)).scored_articles[0].score_breakdown


async def short_records(entrez: EntrezClient, ensembl: EnsemblClient, chembl: ChEMBLClient, pubmed: Pipeline) -> None:
    """Each line reads a field of the whole record from a short form."""
    (await entrez.get_gene("NCBIGene:672", slim=True)).taxon_id  # wrong
    (await entrez.search_genes("BRCA1", slim=True)).items[0].taxon_id  # wrong
    (await ensembl.get_gene("ENSG00000141510", slim=True)).start  # wrong
    (await ensembl.get_transcript("ENST00000269305", slim=True)).exons  # wrong
    (await ensembl.search_genes("TP53", slim=True)).items[0].chromosome  # wrong
    (await chembl.get_compound("CHEMBL:25", slim=True)).cross_references  # wrong
    (await chembl.search_compounds("aspirin", slim=True)).items[0].max_phase  # wrong
    (await pubmed.pubmed_search("metformin", slim=True)).articles[0].abstract  # wrong
    for item in (await entrez.get_genes_batch(["NCBIGene:672"], slim=False)).items:
        if not isinstance(item, ErrorEnvelope):
            item.summary  # wrong
