"""Made input files: PubMed XML as NLM writes it, JSON lines, and faulty ones of either kind."""

import gzip
from collections.abc import Iterable
from pathlib import Path
from xml.sax.saxutils import escape

TRIAL = (
    "We randomly assigned 822 patients with osteoporosis to vitamin D (n = 412) or placebo (n = 410). Fractures were"
    " fewer with vitamin D (hazard ratio, 0.74; 95% CI, 0.52-1.05; P = 0.09)."
)
COHORT = "We followed 12,345 adults for 10 years. Gout was less frequent among those who drank coffee (p < 0.001)."


def article(pmid: int, title: str = "A randomised controlled trial", abstract: str = TRIAL, version: int = 1) -> str:
    """An article as in the baseline files."""
    return (
        f'<PubmedArticle><MedlineCitation><PMID Version="{version}">{pmid}</PMID><Article><Journal><JournalIssue>'
        f"<PubDate><Year>2020</Year></PubDate></JournalIssue><Title>Journal</Title></Journal>"
        f"<ArticleTitle>{escape(title)}</ArticleTitle><Abstract><AbstractText>{escape(abstract)}</AbstractText>"
        "</Abstract></Article></MedlineCitation></PubmedArticle>"
    )


def deletion(*pmids: int) -> str:
    """The element by which an update file deletes PMIDs."""
    inner = "".join(f'<PMID Version="1">{pmid}</PMID>' for pmid in pmids)
    return f"<DeleteCitation>{inner}</DeleteCitation>"


def xml(records: Iterable[str]) -> bytes:
    """A file of these records."""
    return f'<?xml version="1.0" encoding="utf-8"?><PubmedArticleSet>{"".join(records)}</PubmedArticleSet>'.encode()


def xml_file(path: Path, *records: str) -> Path:
    """A file of these records on the disk, compressed if its name ends so."""
    content = xml(records)
    path.write_bytes(gzip.compress(content, mtime=0) if path.suffix == ".gz" else content)
    return path
