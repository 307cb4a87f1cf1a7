"""A few small genes, and the stand-in's answers about them."""

import json
from typing import Any

from biofact.sandbox.services import ensembl as package
from biofact.sandbox.services.ensembl.corpus import Genes, ServedSpecies
from biofact.sandbox.services.ensembl.standin import EnsemblStandIn
from biofact.sandbox.standin import ServiceRequest
from biofact.sandbox.tables import Row, merged, usual_row


def made_row(file: str, **fields: Any) -> Row:
    """A made row; missing fields have usual values."""
    return merged(usual_row(package.__name__, f"{file}.jsonl"), fields)


def gene(uid: str, symbol: str = "", *xrefs: Row, **fields: Any) -> Row:
    names = {"display_name": symbol} if symbol else {}
    return made_row("gene.human", id=uid, **names, xrefs=list(xrefs), **fields)


def xref(dbname: str, primary_id: str, display_id: str = "", **fields: str) -> Row:
    output = {"display_id": display_id} if display_id else {}
    return {"dbname": dbname, "primary_id": primary_id, **output, **fields}


def transcript(uid: str, parent: str, **fields: Any) -> Row:
    return made_row("transcript", id=uid, Parent=parent, **fields)


def species(name: str, taxon_id: str, assembly: str, *aliases: str, **fields: Any) -> Row:
    return made_row("species", name=name, taxon_id=taxon_id, assembly=assembly, aliases=list(aliases), **fields)


HUMAN = species("homo_sapiens", "9606", "GRCh38", "human", "9606", "homo sapiens", display_name="Human")
SPECIES = ServedSpecies(
    [
        HUMAN,
        species("mus_musculus", "10090", "GRCm39", "mouse", display_name="Mouse", strain="reference (CL57BL6)"),
        species("plasmodium_x", "1", "P1", display_name="Plasmodium x", division="EnsemblProtists"),
    ]
)
AAA1 = gene(
    "ENSG00000000001",
    "AAA1",
    xref("HGNC", "HGNC:1", "AAA1", info_type="DIRECT"),
    xref("EntrezGene", "101", "AAA1"),
    xref("RefSeq_mRNA", "NM_000001", "NM_000001.5", level="transcript", info_type="DIRECT"),
    xref("Uniprot/SWISSPROT", "P00001", "P00001.12", level="translation"),
    version=7,
    description="first gene [Source:HGNC Symbol;Acc:HGNC:1]",
    seq_region_name="6",
    start=100,
    end=900,
    strand=-1,
    synonyms=["p99", "OLD1"],
    canonical_transcript="ENST00000000011.3",
)
PATCH = gene(
    "ENSG00000000000",
    "AAA1",
    seq_region_name="HSCHR6_MHC_COX_CTG1",
    start=1,
    end=2,
    strand=1,
    synonyms=["P99"],
)
MOUSE = gene("ENSMUSG00000000001", "Aaa1", version=2, species="mus_musculus")
GENE = gene("ENSG00000000009", biotype="lncRNA")
TRANSCRIPTS = [
    transcript(
        "ENST00000000011",
        "ENSG00000000001",
        version=3,
        display_name="AAA1-201",
        start=100,
        end=900,
        length=502,
        Exon=[
            {"id": "ENSE00000000001", "start": 500, "end": 900, "version": 2},
            {"id": "ENSE00000000002", "start": 100, "end": 200},
        ],
        Translation={"id": "ENSP00000000021", "length": 99, "version": 4, "start": 150, "end": 800},
        MANE=[{"type": "MANE_Select", "refseq_match": "NM_000001.5"}],
    ),
    transcript("ENST00000000012", "ENSG00000000001", version=1, biotype="retained_intron", display_name="AAA1-202"),
    transcript(
        "ENST00000000013",
        "ENSG00000000001",
        Translation={"id": "ENSP00000000023", "length": 50},
        MANE=[{"type": "MANE_Plus_Clinical", "refseq_match": "NM_000002.1"}],
    ),
    transcript("Y74C9A.2a.1", "ENSG00000000009", version=1),
]
REMOVED_VALUES = made_row(
    "retired",
    id="ENSG00000000005",
    version=2,
    latest="ENSG00000000005.2",
    release="98",
    possible_replacement=[{"stable_id": "ENSG00000000001", "score": 0.94}],
)


def genes(*row: Row, transcripts: list[Row] | None = None, served_species: ServedSpecies = SPECIES) -> Genes:
    rows = {
        "gene": row or (AAA1, PATCH, MOUSE, GENE),
        "transcript": TRANSCRIPTS if transcripts is None else transcripts,
        "retired": [REMOVED_VALUES],
    }
    return Genes(rows, served_species)


def status_and_document(
    path: str, standin: EnsemblStandIn | None = None, *, posted_body: Any = None, **params: str
) -> tuple[int, Any]:
    """Status and document of the answer."""
    method = "GET" if posted_body is None else "POST"
    body = posted_body if isinstance(posted_body, bytes) else json.dumps(posted_body).encode()
    query = tuple((name.replace("content_type", "content-type"), value) for name, value in params.items())
    reply = (standin or EnsemblStandIn(genes())).reply(
        ServiceRequest(method, path, query, b"" if posted_body is None else body)
    )
    assert reply.content_type == "application/json"
    assert isinstance(reply.body, bytes)
    return reply.status, json.loads(reply.body)


def document_of(path: str, standin: EnsemblStandIn | None = None, **params: Any) -> Any:
    status, document = status_and_document(path, standin, **params)
    assert status == 200, document
    return document


def refusal(path: str, **params: Any) -> str:
    status, document = status_and_document(path, **params)
    assert status == 400, document
    assert list(document) == ["error"]
    return str(document["error"])
