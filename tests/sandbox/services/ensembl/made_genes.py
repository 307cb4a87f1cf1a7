"""A few genes, small enough to know by heart, and what the stand-in tells of them."""

import json
from typing import Any

from biofact.sandbox.services.ensembl import EnsemblStandIn, Genes, ServedSpecies
from biofact.sandbox.services.ensembl.facts import (
    EnsemblGeneFacts,
    EnsemblTranscriptFacts,
    ExonFacts,
    Retired,
    SequenceSpan,
    SpeciesFacts,
    TranslationFacts,
    Xref,
)
from biofact.sandbox.standin import Ask

SPECIES = ServedSpecies(
    {
        "EnsemblVertebrates": [
            SpeciesFacts("homo_sapiens", "Human", "human", 9606, "GRCh38", ("human", "9606", "homo sapiens")),
            SpeciesFacts("mus_musculus", "Mouse", "mouse", 10090, "GRCm39", ("mouse",), "reference (CL57BL6)"),
        ],
        "EnsemblProtists": [SpeciesFacts("plasmodium_x", "Plasmodium x", "", 1, "P1")],
    }
)
ONE = EnsemblTranscriptFacts(
    id="ENST00000000011",
    version=3,
    biotype="protein_coding",
    name="AAA1-201",
    span=SequenceSpan("6", 100, 900, -1),
    exons=(ExonFacts("ENSE00000000001", 500, 900, 2), ExonFacts("ENSE00000000002", 100, 200)),
    length=502,
    translation=TranslationFacts("ENSP00000000021", 99, 4, 150, 800),
    mane_select="NM_000001.5",
)
TWO = EnsemblTranscriptFacts(id="ENST00000000012", version=1, biotype="retained_intron", name="AAA1-202")
THREE = EnsemblTranscriptFacts(
    id="ENST00000000013",
    biotype="protein_coding",
    translation=TranslationFacts("ENSP00000000023", 50),
    mane_plus_clinical="NM_000002.1",
)
AAA1 = EnsemblGeneFacts(
    id="ENSG00000000001",
    version=7,
    symbol="AAA1",
    description="first gene [Source:HGNC Symbol;Acc:HGNC:1]",
    span=SequenceSpan("6", 100, 900, -1),
    synonyms=("p99", "OLD1"),
    canonical="ENST00000000011.3",
    transcripts=(ONE, TWO, THREE),
    xrefs=(
        Xref("HGNC", "HGNC:1", "AAA1", info_type="DIRECT"),
        Xref("EntrezGene", "101", "AAA1"),
        Xref("RefSeq_mRNA", "NM_000001", "NM_000001.5", "transcript", "DIRECT"),
        Xref("Uniprot/SWISSPROT", "P00001", "P00001.12", "translation"),
    ),
)
PATCH = EnsemblGeneFacts(
    id="ENSG00000000000", symbol="AAA1", span=SequenceSpan("HSCHR6_MHC_COX_CTG1", 1, 2, 1), synonyms=("P99",)
)
MOUSE = EnsemblGeneFacts(id="ENSMUSG00000000001", version=2, species="mus_musculus", symbol="Aaa1")
WORM = EnsemblTranscriptFacts(id="Y74C9A.2a.1", version=1, biotype="protein_coding")
UNNAMED = EnsemblGeneFacts(id="ENSG00000000009", biotype="lncRNA", transcripts=(WORM,))
GONE = Retired("ENSG00000000005", 2, 98, replacements=(("ENSG00000000001", 0.94),))


def genes(*known: EnsemblGeneFacts) -> Genes:
    return Genes(known or (AAA1, PATCH, MOUSE, UNNAMED), SPECIES, retired=(GONE,))


def asked(path: str, standin: EnsemblStandIn | None = None, *, posted: Any = None, **params: str) -> tuple[int, Any]:
    """Status and document of the answer."""
    method = "GET" if posted is None else "POST"
    body = posted if isinstance(posted, bytes) else json.dumps(posted).encode()
    query = tuple((name.replace("content_type", "content-type"), value) for name, value in params.items())
    reply = (standin or EnsemblStandIn(genes())).reply(Ask(method, path, query, b"" if posted is None else body))
    assert reply.content_type == "application/json"
    assert isinstance(reply.body, bytes)
    return reply.status, json.loads(reply.body)


def told(path: str, standin: EnsemblStandIn | None = None, **params: Any) -> Any:
    status, document = asked(path, standin, **params)
    assert status == 200, document
    return document


def refusal(path: str, **params: Any) -> str:
    status, document = asked(path, **params)
    assert status == 400, document
    assert list(document) == ["error"]
    return str(document["error"])
