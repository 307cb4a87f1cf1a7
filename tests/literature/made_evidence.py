"""Made reviews of any size: trials, cohorts and others with effects, some retracted, some without facts."""

from collections import Counter

from biofact.literature.ranking.candidates import Candidate
from biofact.literature.ranking.order import rank_articles
from biofact.literature.ranking.request import RankRequest
from biofact.literature.records import GOAL_RELEVANCE, Evidence, FeatureScore
from biofact.literature.relevance import GoalConcept, relevance
from biofact.literature.report import Query, Report, flow_of
from biofact.sources.pubmed.records import CanonicalPubMedArticle, Section, Status
from tests.literature.made_ranking import TODAY, article

GOAL = "Does synthestatin lower mortality in adults at risk?"
CONCEPTS = [
    GoalConcept("synthestatin", ("synthestatin", "Synthetic Statins")),
    GoalConcept("mortality", ("mortality", "death*"), 0.5),
    GoalConcept("adults at risk", ("adults at risk", "high-risk adults")),
]
_AUTHORS = ("Aalto MK", "Chen LW", "van der Berg A", "Müller-Groß J", "Okafor N", "García-López M", "Singh R")
_DESIGNS = ("randomized controlled trial", "cohort study", "case-control study", "systematic review", "clinical trial")
_PEOPLE = ("adults at risk", "men after a first event", "women over 60 years with high blood pressure", "veterans")
_DRUGS = ("synthestatin 20 mg daily", "a programme of exercise and synthestatin", "early treatment", "synthestatin")
_OUTCOMES = ("death from any cause", "time to a first cardiovascular event", "quality of life after two years")
_MEASURES = ("HR", "OR", "RR", "MD", "SMD")


def _effect(place: int) -> dict[str, object]:
    measure = _MEASURES[place % len(_MEASURES)]
    if measure in {"MD", "SMD"}:
        value = round(-1.2 + place % 9 * 0.3, 2)
        return {"measure": measure, "value": value, "low": round(value - 0.4, 2), "high": round(value + 0.5, 2)}
    value = round(0.5 + place % 11 * 0.1, 2)
    return {
        "measure": measure,
        "value": value,
        "low": round(value * 0.7, 2),
        "high": round(value * 1.45, 2),
        "level": 95,
    }


def _extraction(place: int) -> dict[str, object]:
    stated_values = {
        "study_type": _DESIGNS[place % 5],
        "sample_size": 20 + place * 37 % 4000,
        "population": [_PEOPLE[place % 4], *([_PEOPLE[(place + 1) % 4]] if place % 6 == 0 else [])],
        "intervention": _DRUGS[place % 4],
        "comparator": "placebo" if place % 3 else None,
        "outcome": _OUTCOMES[place % 3],
        "effect_size": _effect(place) if place % 4 != 3 else None,
        "p_value": round(0.001 * (1 + place % 60), 3),
        "registration": f"NCT9{place:07d}" if place % 5 == 0 else None,
    }
    return {name: value for name, value in stated_values.items() if value is not None}


def _article(place: int) -> CanonicalPubMedArticle:
    drug, people, outcome = _DRUGS[place % 4], _PEOPLE[place % 4], _OUTCOMES[place % 3]
    methods = f"METHODS: We compared {drug} with usual care in {people} and counted {outcome}."
    results = f"RESULTS: Over {1 + place % 6} years there were fewer of them with {drug}, though not in every group."
    end = f"CONCLUSIONS: In {people}, {drug} changed {outcome} a little in study {place} of these made-up ones."
    abstract = f"{methods}\n{results}\n{end}"
    edges = (9, len(methods)), (len(methods) + 10, len(methods) + 1 + len(results))
    flags = {"retracted": True, "status": [Status("retracted", "PMID:99000044")]} if place % 17 == 5 else {}
    if place % 13 == 4:
        flags = {"publication_types": ["Preprint"], "status": [Status("preprint", "PMID:99000001")]}
    return article(
        99000001 + place,
        f"{drug.capitalize()} and {outcome} in {people}: made-up study {place}.",
        year=1995 + place * 7 % 31,
        journal=("Synth Clin Trials", "Synth Biol Lab", "Synthetic Reviews of Medicine")[place % 3],
        authors=[_AUTHORS[(place + item) % 7] for item in range(1 + place % 4)],
        doi=f"10.5555/biofact.{99000001 + place}",
        abstract=abstract,
        sections=[Section(*edges[0], "METHODS"), Section(*edges[1], "RESULTS")],
        **flags,
    )


def _candidate(place: int, canonical_pub_med_article: CanonicalPubMedArticle, relevant: float) -> Candidate:
    extraction = _extraction(place)
    scores = {
        GOAL_RELEVANCE: FeatureScore(score=relevant, weight=0.5),
        "study_type": FeatureScore(score=(0.9, 0.6, 0.5, 1.0, 0.7)[place % 5], weight=0.3),
        "registration": FeatureScore(score=1.0, weight=0.2)
        if "registration" in extraction
        else FeatureScore(weight=0.2, is_missing=True),
    }
    total = sum(score.weight * (score.score or 0) for score in scores.values())
    return Candidate(
        canonical_pub_med_article.id, canonical_pub_med_article, extraction, round(total, 6), scores, relevant
    )


def _evidence(
    canonical_pub_med_article: CanonicalPubMedArticle, stated_values: dict[str, object]
) -> dict[str, list[Evidence]]:
    result = {}
    for field in ("intervention", "outcome"):
        start = (canonical_pub_med_article.abstract or "").find(str(stated_values[field]))
        if start >= 0:
            end = start + len(str(stated_values[field]))
            result[field] = [Evidence(where="abstract", quote=str(stated_values[field]), start=start, end=end)]
    return result


def review_report(count: int) -> Report:
    """The report of a review with ``count`` ranked articles."""
    articles = [_article(place) for place in range(count)]
    relevant = relevance(articles, CONCEPTS)
    candidates = [_candidate(place, article, relevant[place]) for place, article in enumerate(articles)]
    request = RankRequest(max_results=10_000, filters={"include_retracted": True})
    order = rank_articles(candidates, request, {}, today=TODAY)
    return Report(
        title=GOAL,
        run_date="2026-11-22",
        queries=[Query('("synthestatin"[tiab]) AND ("mortality"[tiab])', count + 700, count, None, "All concepts.")],
        flow=flow_of(
            (("Query 1", count + 700),),
            order,
            duplicates=0,
            other_removals=(("Beyond the number asked for, and not read", 700),),
        ),
        rows=order.rows,
        scores=Counter(candidate.total_score for candidate in candidates),
        distribution={"median": 0.5},
        correlations={"a": {"a": 1.0, "b": 0.42}, "b": {"a": 0.42, "b": 1.0}},
        evidence={
            candidate.item_id: _evidence(candidate.article, candidate.extraction)
            for candidate in candidates
            if candidate.article
        },
        extraction_method="rules",
        scoring_method="weighted_sum of Relevance to the goal 50%, Study type 30%, Registration 20%",
        ranking_method=order.method,
        concepts=CONCEPTS,
        relevance_share=0.5,
        notices=order.notices,
    )
