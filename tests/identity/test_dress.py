"""IDs as people write and link them: prefixes, marks, web addresses and letters of no width; each right or refused."""

import pytest

from biofact.core.envelopes import ErrorEnvelope
from tests.each_of import each_of
from tests.identity.test_every_kind import resolved

pytestmark = pytest.mark.quick

BRCA1, ASPIRIN, IMATINIB = "NCBIGene:672", "CHEMBL:25", "CHEMBL:941"
METFORMIN_TRIAL = "PMID:11832527"
RIGHT = {
    BRCA1: (
        "https://www.ncbi.nlm.nih.gov/gene/672",
        "http://ncbi.nlm.nih.gov/gene/672/",
        "https://www.ncbi.nlm.nih.gov/gene/?term=672",
        "https://www.ncbi.nlm.nih.gov/gene?cmd=retrieve&list_uids=672",
        "https://www.ncbi.nlm.nih.gov/gene/672#gene-expression",
        "https://www.ncbi.nlm.nih.gov/datasets/gene/672/",
        "https://www.ensembl.org/Homo_sapiens/Gene/Summary?g=ENSG00000012048",
        "https://useast.ensembl.org/Homo_sapiens/Gene/Summary?db=core;g=ENSG00000012048;r=17:43044295-43170245",
        "https://www.ensembl.org/id/ENSG00000012048.26",
        "http://id.ensembl.org/ENSG00000012048",
        "https://rest.ensembl.org/lookup/id/ENSG00000012048?content-type=application/json",
        "https://identifiers.org/ncbigene:672",
        "https://identifiers.org/ncbigene/672",
        "https://identifiers.org/hgnc/HGNC:1100",
        "https://bioregistry.io/ncbigene:672",
        "https://n2t.net/ensembl:ENSG00000012048",
        "https://www.genenames.org/data/gene-symbol-report/#!/hgnc_id/HGNC:1100",
        "https://platform.opentargets.org/target/ENSG00000012048/associations",
        "https://www.alliancegenome.org/gene/HGNC:1100",
        "NCBI Gene: 672",
        "NCBI\u00a0Gene\u00a0672",
        "Entrez Gene ID 672",
        "GeneID:672",
        "Gene ID: 672",
        "ncbigene_672",
        "HGNC:HGNC:1100",
        "hgnc 1100",
        "ENSEMBL:ENSG00000012048",
        "ensembl.gene:ENSG00000012048.26",
        "ENSG00000012048.26.1",
        "ENSG00000012048.26_4",
        "hsa:672",
        "ENSG00000012048.26.",
        '"ENSG00000012048",',
        "\u2018ENSG00000012048\u2019;",
        "\ufeffENSG00000012048\u200b",
        "NCBIGene:\u200b672",
        "\u201cNCBIGene:672\u201d",
        "<NCBIGene:672>",
        "[NCBIGene:672],",
    ),
    "NCBIGene:12189": (
        "mmu:12189",
        "MGI:104537",
        "MGI:MGI:104537",
        "mgi 104537",
        "https://www.informatics.jax.org/marker/MGI:104537",
        "https://identifiers.org/MGI:104537",
    ),
    "NCBIGene:24842": ("RGD:3889", "https://rgd.mcw.edu/rgdweb/report/gene/main.html?id=3889"),
    "NCBIGene:30590": ("ZFIN:ZDB-GENE-990415-270", "ZDB-GENE-990415-270", "https://zfin.org/ZDB-GENE-990415-270"),
    "NCBIGene:2768677": (
        "FBgn0039044",
        "FlyBase:FBgn0039044",
        "FB:FBgn0039044",
        "https://flybase.org/reports/FBgn0039044",
    ),
    "NCBIGene:172616": (
        "WBGene00000467",
        "WormBase:WBGene00000467",
        "https://wormbase.org/species/c_elegans/gene/WBGene00000467#0-9c-3",
    ),
    "YFL039C": ("SGD:S000001855", "https://www.yeastgenome.org/locus/S000001855"),
    "UniProtKB:P38398": (
        "uniprot:P38398",
        "UniProtKB/Swiss-Prot:P38398.2",
        "sp|P38398|BRCA1_HUMAN",
        "https://www.uniprot.org/uniprotkb/P38398/entry",
        "https://www.uniprot.org/uniprot/P38398#function",
        "https://rest.uniprot.org/uniprotkb/P38398.json",
        "http://purl.uniprot.org/uniprot/P38398",
        "https://identifiers.org/uniprot:P38398",
        "https://alphafold.ebi.ac.uk/entry/P38398",
    ),
    "ENST00000269305.9": (
        "https://www.ensembl.org/id/ENST00000269305",
        "ensembl.transcript:ENST00000269305",
        "RefSeq:NM_000546",
    ),
    ASPIRIN: (
        "https://www.ebi.ac.uk/chembl/explore/compound/CHEMBL25",
        "https://www.ebi.ac.uk/chembl/compound_report_card/CHEMBL25/",
        "https://www.ebi.ac.uk/chembl/api/data/molecule/CHEMBL25.json",
        "http://rdf.ebi.ac.uk/resource/chembl/molecule/CHEMBL25",
        "https://identifiers.org/chembl.compound:CHEMBL25",
        "ChEMBL ID 25",
        "CHEMBL25.",
        "InChIKey=BSYNRYMUTXBXSQ-UHFFFAOYSA-N",
        "DB00945",
        "DrugBank:DB00945",
        "CID2244",
        "CID 2244",
        "PubChem CID: 2244",
        "https://pubchem.ncbi.nlm.nih.gov/compound/2244",
        "CHEBI:15365",
        "http://purl.obolibrary.org/obo/CHEBI_15365",
        "https://www.ebi.ac.uk/chebi/searchId.do?chebiId=CHEBI:15365",
        "kegg.compound:C01405",
    ),
    IMATINIB: ("DB00619", "https://go.drugbank.com/drugs/DB00619"),
    METFORMIN_TRIAL: (
        "https://pubmed.ncbi.nlm.nih.gov/11832527/",
        "https://www.ncbi.nlm.nih.gov/pubmed/11832527",
        "https://pubmed.ncbi.nlm.nih.gov/?term=11832527",
        "https://europepmc.org/article/MED/11832527",
        "https://europepmc.org/article/PMC/PMC1370926",
        "https://pmc.ncbi.nlm.nih.gov/articles/PMC1370926/",
        "https://www.ncbi.nlm.nih.gov/pmc/articles/PMC1370926/pdf/nihms1.pdf",
        "PMCID: PMC1370926.",
        "https://doi.org/10.1056/NEJMoa012512",
        "https://dx.doi.org/10.1056%2FNEJMoa012512",
        "https://www.nejm.org/doi/full/10.1056/NEJMoa012512",
        "https://doi.org/10.1056/NEJMoa012512?via%3Dihub",
        "doi:10.1056/NEJMoa012512?via=ihub",
        "(10.1056/NEJMoa012512)",
        "[doi: 10.1056/NEJMoa012512].",
        "10.1056/NEJMoa012512.",
    ),
    "NC_000019.10:44908683:T:C": (
        "dbSNP:rs429358",
        "https://www.ncbi.nlm.nih.gov/snp/rs429358",
        "https://www.ensembl.org/Homo_sapiens/Variation/Explore?r=19:44908184-44909184;v=rs429358;vf=1",
    ),
    "MONDO:0007254": (
        "http://purl.obolibrary.org/obo/MONDO_0007254",
        "https://bioregistry.io/mondo:0007254",
        "https://monarchinitiative.org/MONDO:0007254",
        "obo:MONDO_0007254",
    ),
}
REGION = "17:43044295-43125364"
RIGHT[REGION] = (
    "https://www.ensembl.org/Homo_sapiens/Location/View?r=17:43044295-43125364",
    "https://asia.ensembl.org/Homo_sapiens/Location/View?db=core;g=ENSG00000012048;r=17:43044295-43125364",
    "https://genome.ucsc.edu/cgi-bin/hgTracks?db=hg38&position=chr17%3A43,044,295%2D43,125,364",
)
UNREADABLE = "No single ID can be read from this web address"
REFUSED = {
    "50-78-3": "last digit would have to be 2",
    "CAS 50-78-2": "no compound with the CAS number 50-78-2",
    "DTXSID5020108": "CompTox",
    "DB99999": "no structure of ChEMBL with the ID DB99999",
    "MGI:999999999": "no gene of Mus musculus with the ID MGI:999999999",
    "https://pubchem.ncbi.nlm.nih.gov/compound/Aspirin": UNREADABLE,
    "https://www.ncbi.nlm.nih.gov/gene/?term=BRCA1": UNREADABLE,
    "https://platform.opentargets.org/evidence/ENSG00000012048/EFO_0000305": UNREADABLE,
    "https://example.org/BRCA1": UNREADABLE,
    "https://genome.ucsc.edu/cgi-bin/hgTracks?db=hg19&position=chr17:41196312-41277500": "Lift the region over",
    "https://genome.ucsc.edu/cgi-bin/hgTracks?db=hg38&position=BRCA1": UNREADABLE,
    "https://www.ensembl.org/Danio_rerio/Location/View?r=5:1000-2000": UNREADABLE,
    "https://feb2014.archive.ensembl.org/Homo_sapiens/Location/View?r=17:41196312-41277500": UNREADABLE,
    "https://doi.org/10.9999/absent": "no article with the ID 10.9999/absent",
}


@pytest.fixture(scope="module")
def rows():
    dresses = [dress for dresses in (*RIGHT.values(), REFUSED) for dress in dresses]
    return resolved(*dresses)[0]


@each_of(("dress", "entity"), [(dress, entity) for entity, dresses in RIGHT.items() for dress in dresses])
def test_an_id_in_any_dress_leads_to_its_entity_alone(rows, dress, entity):
    assert not isinstance(rows[dress], ErrorEnvelope)
    assert [found.id for found in rows[dress].entities] == [entity]
    assert rows[dress].entities[0].match in {"id", "structure"}


@each_of(("dress", "reason"), REFUSED.items())
def test_what_leads_to_no_entity_is_refused_with_the_reason(rows, dress, reason):
    assert rows[dress].entities == []
    assert reason in rows[dress].reason
