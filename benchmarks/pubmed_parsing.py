"""Reading PubMed articles beside pubmed_parser and Biopython: the same articles, in turns, in one process.

The rivals are installed into a temporary folder from the package index, and every field that pubmed_parser has is
compared with ours, article by article, before anything is timed. Run by ``benchmarks.pubmed``.

We leave references out before anything is parsed, and the rivals have no option for it. So each race is run a second
time over the same articles without references: what is left of the ratio is the reading alone.
"""

import functools
import gc
import gzip
import importlib
import io
import json
import os
import re
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any

from benchmarks.parse import medians
from benchmarks.report import Result
from biofact.sources.pubmed import parse
from biofact.sources.pubmed.records import CanonicalPubMedArticle

RECORDINGS = Path(os.environ.get("BIOFACT_RECORDINGS") or Path(__file__).parents[2] / "shared" / "upstream")
RIVALS = ("pubmed_parser==0.5.1", "biopython==1.88")
PROLOG = (
    b'<?xml version="1.0" encoding="utf-8"?>\n'
    b'<!DOCTYPE PubmedArticleSet PUBLIC "-//NLM//DTD PubMedArticle, 1st January 2019//EN"'
    b' "https://dtd.nlm.nih.gov/ncbi/pubmed/out/pubmed_190101.dtd">\n<PubmedArticleSet>\n'
)
END = b"</PubmedArticleSet>\n"
ARTICLE = re.compile(rb"<PubmedArticle[ >].*?</PubmedArticle>", re.DOTALL)
PMID = re.compile(rb"(<PMID[^>]*>)\s*(\d+)")
_REFERENCES = re.compile(rb"<ReferenceList>.*</ReferenceList>", re.DOTALL)  # the lists of an article stand in a row
_PLAIN = str.maketrans("⁰¹²³⁴⁵⁶⁷⁸⁹⁺⁻⁽⁾⁼ⁿ\u2013\u2212", "0123456789+-()=n--")

# Articles that pubmed_parser misreads: it loses an element at the very beginning of a text; formulas in
# MathML; the label of an only section; and affiliations of the form before 2014. It takes UNLABELLED for a label.
DIFFERENT_PMIDS = {
    "title": {"32025781"},
    "abstract": {
        *("30108519", "29963580", "29869631", "29869639", "32759406"),
        *("33119379", "17284678", "38329942", "38591913"),
    },
    "affiliations": {"17284678"},
}

Facts = dict[str, Any]


def recorded_payloads() -> dict[str, bytes]:
    """The recorded articles as they came, by PMID; books and records without a PMID are left out."""
    articles: dict[str, bytes] = {}
    for path in sorted((RECORDINGS / "pubmed").glob("*.xml*")):
        body = gzip.decompress(path.read_bytes()) if path.suffix == ".gz" else path.read_bytes()
        articles |= {pmid[2].decode(): article for article in ARTICLE.findall(body) if (pmid := PMID.search(article))}
    return articles


def document(articles: Iterable[bytes]) -> bytes:
    """A file of these articles."""
    return PROLOG + b"\n".join(articles) + END


def read(stream: Any) -> int:
    """How many articles there are; each is read in full and let go."""
    return sum(parse.article(piece) is not None for _, piece in parse.records(stream))


def measure(runs: int) -> list[Result]:
    """By a process in which the rivals can be imported."""
    with tempfile.TemporaryDirectory() as folder:
        install = (sys.executable, "-m", "pip", "install", "--quiet", "--quiet", "--target", folder, *RIVALS)
        subprocess.run(install, check=True)
        command = (sys.executable, "-m", "benchmarks.pubmed_parsing", folder, str(runs))
        answer = subprocess.run(command, stdout=subprocess.PIPE, text=True, check=True).stdout
    return [
        Result(figure["promise"], figure["ratio"], figure["bar"], "x", note=figure["note"])
        for figure in json.loads(answer)
    ]


def rivals(folder: str, runs: int) -> list[Facts]:
    """Both ratios, each over what the rival can read, and then both without references."""
    sys.path.append(folder)
    articles = recorded_payloads()
    lean = {pmid: _REFERENCES.sub(b"", article) for pmid, article in articles.items()}
    return [*_races(articles, "", (5, 15), runs), *_races(lean, " without references", (2, 4), runs)]


def _races(articles: Mapping[str, bytes], label: str, bars: tuple[float, float], runs: int) -> list[Facts]:
    """Both ratios over these articles."""
    with tempfile.TemporaryDirectory() as files:
        path = Path(files) / "articles.xml.gz"
        path.write_bytes(gzip.compress(document(articles.values()), 0))
        _compare({article["pmid"]: article for article in _pubmed_parser(str(path))}, articles)
        rival_parse = functools.partial(_fact_count, str(path))
        first = _race(f"parsing{label}, times pubmed_parser", rival_parse, articles.values(), bars[0], runs)
    readable = {pmid: article for pmid, article in articles.items() if _biopython([article])}
    _compare_biopython(readable)
    second = _race(
        f"parsing{label}, times Biopython", lambda: _biopython(readable.values()), readable.values(), bars[1], runs
    )
    second["note"] += f"; it cannot read {len(articles) - len(readable)} more: MathML, and elements not in its DTD"
    return [first, second]


def _race(promise: str, rival_parse: Callable[[], object], articles: Iterable[bytes], bar: float, runs: int) -> Facts:
    """The ratio of the medians. Both read from a gzip file without compression, and keep what ``read`` keeps."""
    body = gzip.compress(document(articles), 0)

    def ours() -> int:
        with gzip.open(io.BytesIO(body)) as stream:
            return read(stream)

    gc.collect()
    gc.freeze()  # the collector would scan all imports again and again in their time
    article_count, (slow, quick) = ours(), medians(runs, rival_parse, ours)
    note = f"medians of {runs}: {quick * 1000:.0f} ms beside {slow * 1000:.0f} ms for {article_count} articles"
    return {"promise": promise, "ratio": slow / quick, "bar": bar, "note": note}


def _pubmed_parser(path: str) -> Iterator[Facts]:
    """All that it reads, but the references, for which it has no option."""
    parser = importlib.import_module("pubmed_parser")
    parsed: Iterator[Facts] = parser.parse_medline_xml(
        path, year_info_only=False, author_list=True, parse_downto_mesh_subterms=True
    )
    return parsed


def _fact_count(path: str) -> int:
    """How many articles it reads; each is let go, as ours are."""
    return sum(1 for _ in _pubmed_parser(path))


def _biopython(articles: Iterable[bytes]) -> list[Any]:
    """The articles as it has them; none if there is one that it cannot read."""
    entrez = importlib.import_module("Bio.Entrez")
    try:
        return list(entrez.read(io.BytesIO(document(articles)))["PubmedArticle"])
    except ValueError:
        return []


def parsed(articles: Mapping[str, bytes]) -> Iterator[CanonicalPubMedArticle]:
    """The articles as we read them."""
    return (parse.article(piece) for _, piece in parse.records(io.BytesIO(document(articles.values()))))


def _compare(rival_facts: Mapping[str, Facts], articles: Mapping[str, bytes]) -> None:
    """Every field that pubmed_parser has, of every article.

    Raises:
        ValueError: one differs, and is not known to.
    """
    own_articles = {article.pmid: article for article in parsed(articles)}
    if own_articles.keys() != rival_facts.keys():
        raise ValueError(f"not the same articles: {own_articles.keys() ^ rival_facts.keys()}")
    for pmid, article in own_articles.items():
        own_facts, right = _as_rival_facts(article), _folded_facts(rival_facts[pmid])
        wrong = [
            name
            for name, value in right.items()
            if value != own_facts[name] and pmid not in DIFFERENT_PMIDS.get(name, ())
        ]
        if wrong:
            raise ValueError(f"PMID {pmid} {wrong[0]}: {own_facts[wrong[0]]!r:.200} is not {right[wrong[0]]!r:.200}")


def _folded(text: str | None) -> str:
    """Without blanks, and with digits on the line: what both make of ``10<sup>5</sup>`` in ways of their own."""
    return "".join((text or "").translate(_PLAIN).split())


def _folded_facts(facts: Facts) -> Facts:
    """The facts of pubmed_parser, in a form to compare; without those that it leaves empty."""
    people, one_line = facts["authors"], ("journal", "issue", "pages", "mesh_terms", "chemical_list")
    folded = {
        **{name: " ".join(facts[name].split()) for name in one_line},
        "title": _folded(facts["title"] or facts["vernacular_title"]),
        "vernacular_title": _folded(facts["vernacular_title"]),
        "abstract": _folded(facts["abstract"]),
        "authors": [[_folded(person[name]) for name in ("lastname", "forename", "initials")] for person in people],
        "affiliations": [_folded(person["affiliation"]) for person in people],
        "orcids": [re.sub(r"\D(?!$)", "", person["identifier"]) for person in people],
        "publication_types": [kind.partition(":")[2] for kind in facts["publication_types"].split("; ") if kind],
        "keywords": [word for word in facts["keywords"].split("; ") if word],
        "languages": facts["languages"].lower(),
        "grants": [
            [grant[name] or "" for name in ("grant_id", "grant_acronym", "agency", "country")]
            for grant in facts["grant_ids"]
        ],
    }
    kept_names = ("doi", "pmc", "medline_ta", "nlm_unique_id", "country", "issn_linking")
    return folded | {name: facts[name] for name in kept_names if facts[name]}


def _as_rival_facts(article: CanonicalPubMedArticle) -> Facts:
    """The same facts out of our record."""
    people, text = article.author_details, article.abstract or ""
    sections = [(section.label or "") + text[section.start : section.end] for section in article.sections]
    headings = [
        " / ".join(
            [
                f"{heading.ui or ''}:{heading.name}",
                *(f"{q.ui or ''}:{q.name}{'*' * q.is_major}" for q in heading.qualifiers),
            ]
        )
        for heading in article.mesh
    ]
    return {
        "title": _folded(article.title),
        "vernacular_title": _folded(article.vernacular_title),
        "abstract": _folded("".join(sections) or text),
        "journal": article.journal_title or "",
        "issue": f"{article.volume}({article.issue or ''})" if article.volume else "",
        "pages": article.pages or "",
        "authors": [
            [_folded(person.last_name), _folded(person.fore_name), _folded(person.initials)] for person in people
        ],
        "affiliations": [_folded(next(iter(person.affiliations), "")) for person in people],
        "orcids": [(person.orcid or "").replace("-", "") for person in people],
        "mesh_terms": "; ".join(headings),
        "chemical_list": "; ".join(f"{substance.ui or ''}:{substance.name}" for substance in article.substances),
        "publication_types": article.publication_types,
        "keywords": article.keywords,
        "languages": ";".join(article.language),
        "grants": [
            [grant.id or "", grant.acronym or "", grant.agency or "", grant.country or ""] for grant in article.grants
        ],
        "doi": article.doi,
        "pmc": article.pmc,
        "medline_ta": article.journal,
        "nlm_unique_id": article.journal_id,
        "country": article.country,
        "issn_linking": article.issn[-1] if article.issn else "",
    }


def _compare_biopython(articles: Mapping[str, bytes]) -> None:
    """The facts that Biopython's trees and our records lead to in the same way."""
    for rival_article, own_article in zip(_biopython(articles.values()), parsed(articles), strict=True):
        citation = rival_article["MedlineCitation"]
        names = [_folded(author.get("LastName")) for author in citation["Article"].get("AuthorList", [])]
        headings = [str(heading["DescriptorName"]) for heading in citation.get("MeshHeadingList", [])]
        own_values = [
            own_article.pmid,
            [_folded(author.last_name) for author in own_article.author_details],
            [heading.name for heading in own_article.mesh],
        ]
        if own_values != [str(citation["PMID"]), names, headings]:
            raise ValueError(f"PMID {own_article.pmid}: not the same authors and headings")


if __name__ == "__main__":
    print(json.dumps(rivals(sys.argv[1], int(sys.argv[2]))))
