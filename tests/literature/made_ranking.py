"""Made articles for the tests of ranking, exports and report; they name no real study."""

from collections import Counter
from datetime import date

from biofact.core.records import Notice
from biofact.literature.ranking.candidates import Candidate
from biofact.literature.ranking.order import rank_articles
from biofact.literature.ranking.request import RankRequest
from biofact.literature.records import Evidence, FeatureScore
from biofact.literature.report import DataSource, Query, Report, flow_of
from biofact.sources.pubmed.parse.split import Citations
from biofact.sources.pubmed.records import Author, Book, CanonicalPubMedArticle, DataBank, MeshHeading, Section, Status

NEJM = {
    "journal": "N Engl J Med",
    "journal_title": "The New England journal of medicine",
    "journal_id": "0255562",
    "issn": ["1533-4406", "0028-4793"],
}
LANCET = {"journal": "Lancet", "journal_title": "Lancet (London, England)", "journal_id": "2985213R"}
TODAY = date(2026, 11, 22)

HOSTILE = (
    "<script>alert(1)</script> \"><img src=x onerror='alert(2)'> & </style></title> \u202edesrever\u2066\x07"
    " ${7*7} {{x}}"
)

ABSTRACT = (
    "BACKGROUND: Synthetic statins are widely used.\n"
    "METHODS: We randomly assigned 1204 adults to synthestatin or placebo in a double-blind trial.\n"
    "RESULTS: Over 2.5 years, death from any cause occurred in 8.1% and 11.4% (hazard ratio, 0.71; 95% CI, 0.55 to"
    " 0.92; P=0.009).\n"
    "CONCLUSIONS: Synthestatin lowered mortality in this made-up population."
)


def article(number, title="A made-up study.", **facts):
    """An article with a test's values."""
    return CanonicalPubMedArticle(id=f"PMID:{number}", title=title, **facts)


def candidate(number, score=0.5, *, extraction=None, breakdown=None, **facts):
    """A scored article."""
    return Candidate(f"PMID:{number}", article(number, **facts), extraction or {}, score, breakdown or {})


def trial():
    """A record with every field of a reference."""
    return article(
        99000001,
        "Synthestatin in <adults> & mortality: a 100% randomized_trial.",
        year=2023,
        journal="Synth Clin Trials",
        journal_title="Synthetic clinical trials of biofact",
        journal_id="999001",
        issn=["9999-9986"],
        publication_date="2023-03-17",
        volume="12",
        issue="3",
        pages="201-12",
        doi="10.5555/biofact.99000001",
        pmc="PMC99000001",
        abstract=ABSTRACT,
        sections=[
            Section(12, 46, "BACKGROUND"),
            Section(56, 140, "METHODS"),
            Section(150, 266, "RESULTS"),
            Section(280, len(ABSTRACT), "CONCLUSIONS"),
        ],
        authors=["Aalto MK", "Müller-Groß J Jr", "SYNTH Investigators, Group A"],
        author_details=[
            Author("Aalto", "Maria K", "MK"),
            Author("Müller-Groß", "Jörg", "J", "Jr"),
            Author(collective_name="SYNTH Investigators, Group A"),
        ],
        publication_types=["Journal Article", "Randomized Controlled Trial"],
        keywords=["statins", "mortality"],
        mesh=[MeshHeading("Humans", False), MeshHeading("Mortality", True)],
        language=["eng"],
        data_banks=[DataBank("ClinicalTrials.gov", ["NCT99000001"])],
        copyright="\u00a9 2023 biofact made-up articles.",
    )


def chapter():
    """A chapter of a book."""
    return article(
        99000002,
        "Made-up syndromes.",
        year=2019,
        journal="Synthetic Reviews",
        publication_date="2019-05",
        authors=["van der Berg A"],
        author_details=[Author("van der Berg", "Anna", "A")],
        book=Book(
            "Synthetic Reviews",
            "NBK999",
            "University of Nowhere",
            "Nowhere",
            isbn=["9999999999"],
            editors=[Author("Eze", "Ngozi", "N")],
        ),
        publication_types=["Review"],
    )


def preprint():
    """A preprint with a published version."""
    return article(
        99000003,
        "Early words on synthestatin.",
        year=2022,
        journal="Synth Preprints",
        publication_date="2022",
        authors=["Aalto MK", "Chen LW"],
        author_count=9,
        doi="10.5555/biofact_pre.3",
        publication_types=["Preprint"],
        status=[Status("preprint", "PMID:99000001")],
    )


def retracted():
    """A retracted article."""
    return article(
        99000004,
        "A result too good to be true.",
        year=2021,
        journal="Synth Biol Lab",
        authors=["Aalto MK"],
        pages="e17",
        retracted=True,
        publication_types=["Journal Article", "Retracted Publication"],
        status=[Status("retracted", "PMID:99000044"), Status("expression_of_concern", "PMID:99000045")],
    )


def features(sample_size, design, is_significant=None):
    """Feature scores of one article."""
    return {
        "sample_size": FeatureScore(score=sample_size, weight=0.3),
        "study_type": FeatureScore(score=design, weight=0.4),
        "statistical_significance": FeatureScore(
            score=None if is_significant is None else float(is_significant),
            weight=0.3,
            is_missing=True if is_significant is None else None,
        ),
    }


def _quote(words, position="abstract"):
    start = ABSTRACT.index(words)
    return Evidence(where=position, quote=words, start=start, end=start + len(words))


EVIDENCE = {
    "PMID:99000001": {
        "sample_size": [_quote("1204 adults")],
        "study_type": [
            _quote("randomly assigned 1204 adults to synthestatin or placebo in a double-blind trial"),
            Evidence(where="publication_types", quote="Randomized Controlled Trial"),
        ],
        "effect.value": [_quote("hazard ratio, 0.71")],
        "effect.interval": [_quote("95% CI, 0.55 to 0.92")],
        "p_value": [_quote("P=0.009")],
        "primary_outcome": [_quote("death from any cause")],
    }
}

CITATIONS = {
    "PMID:99000001": Citations(431, 6.2, True),
    "PMID:99000002": Citations(88, 1.4, False),
    "PMID:99000003": Citations(3, None, False),
}

EXTRACTION = {
    "study_type": "Randomized Controlled Trial",
    "sample_size": 1204,
    "primary_outcome": "death from any cause",
    "effect": {"kind": "hazard ratio", "value": 0.71, "interval": [0.55, 0.92]},
    "p_value": 0.009,
}


def ranking():
    """A ranking of the four articles, and of more that filters remove or that rank below."""
    candidates = [
        Candidate("PMID:99000001", trial(), EXTRACTION, 0.8123, features(0.77, 1.0, is_significant=True)),
        Candidate("PMID:99000002", chapter(), {"study_type": "Review"}, 0.44, features(0.0, 0.7)),
        Candidate("PMID:99000003", preprint(), {"sample_size": 40}, 0.6, features(0.31, 0.55)),
        Candidate("PMID:99000004", retracted(), {"sample_size": 99999}, 0.58, features(1.0, 0.2, is_significant=True)),
        *(candidate(99000010 + i, 0.03 * i + 0.02, title=f"Further study {i}.", year=2000 + i) for i in range(14)),
    ]
    request = RankRequest(
        min_score_threshold=0.1,
        max_results=8,
        ranking_criteria={"boost_recent": True, "boost_high_impact": True, "prefer_review_articles": True},
        filters={"include_retracted": True, "from_year": 2005},
    )
    return candidates, rank_articles(candidates, request, CITATIONS, today=TODAY)


def report(**changes):
    """A whole report, with a test's changes."""
    candidates, order = ranking()
    names = ("sample_size", "study_type", "statistical_significance")
    values = {(0, 1): 0.42, (0, 2): -0.13, (1, 2): 0.81}
    facts = {
        "title": "Does synthestatin lower mortality in adults at risk, and for whom?",
        "run_date": "22 November 2026",
        "queries": [
            Query(
                '(synthestatin[tiab] OR "synthetic statin"[tiab]) AND mortality[mh]',
                match_count=5123,
                read_count=14,
                translation='("synthestatin"[Title/Abstract] OR "synthetic statin"[All Fields]) AND mortality[MeSH]',
                rationale="The goal's drug and outcome, with synonyms.",
            ),
            Query("synthestatin AND trial[pt]", match_count=9, read_count=9),
        ],
        "flow": flow_of((("Query 1", 14), ("Query 2", 9)), order, duplicates=5),
        "rows": order.rows,
        "scores": Counter(candidate.total_score for candidate in candidates),
        "distribution": {"min": 0.02, "q1": 0.14, "median": 0.27, "q3": 0.4, "max": 0.8123, "mean": 0.3, "std": 0.21},
        "correlations": {
            name: {other: 1.0 if i == j else values[min(i, j), max(i, j)] for j, other in enumerate(names)}
            for i, name in enumerate(names)
        },
        "evidence": EVIDENCE,
        "extraction_method": "rules",
        "scoring_method": "weighted_sum of sample_size, study_type and statistical_significance; min_max",
        "ranking_method": order.method,
        "sources": [
            DataSource("PubMed", "queries, records, abstracts", "22 November 2026", "public domain, abstracts excepted",
                       "https://pubmed.ncbi.nlm.nih.gov/"),
            DataSource("iCite", "citation counts and ratios", "22 November 2026"),
        ],
        "notices": [*order.notices, Notice(code="TERM_IGNORED", message="PubMed ignored the unknown field [foo].")],
    }  # fmt: skip
    return Report(**{**facts, **changes})
