"""A reader of pages, and a report with hostile text in every field."""

import dataclasses
import html.parser

from biofact.core.records import Notice
from biofact.literature.ranking.candidates import Candidate
from biofact.literature.records import Evidence
from biofact.literature.relevance import GoalConcept
from biofact.literature.report import DataSource, Query
from tests.literature.made_ranking import HOSTILE, ranking, report

VOID = {"meta", "link", "input"}


class Reader(html.parser.HTMLParser):
    """Elements with their attributes and the text in them; fails if an element is not closed in its place."""

    def __init__(self, text):
        super().__init__()
        self.elements, self._open, self.text = [], [], []
        self.feed(text)
        self.close()
        assert self._open == []

    def handle_starttag(self, name, attributes):
        place = len(self.elements)
        self.elements.append((name, dict(attributes), []))
        assert len(attributes) == len(dict(attributes))
        if name not in VOID:
            self._open.append(place)

    def handle_endtag(self, name):
        assert self.elements[self._open.pop()][0] == name

    def handle_data(self, text):
        self.text.append(text)
        for place in self._open:
            self.elements[place][2].append(text)

    def all(self, name, **attributes):
        """The texts of elements of this name with these attributes."""
        values = {key.rstrip("_").replace("_", "-"): value for key, value in attributes.items()}
        return [
            "".join(texts) for item, answer, texts in self.elements if item == name and values.items() <= answer.items()
        ]


def hostile():
    """The report with hostile text in every field."""
    sample = {"measure": HOSTILE, "value": 1.2, "low": 0.5, "high": 2.0}
    outcome = {"name": HOSTILE, "effect": {**sample, "value": 1.5}, "comparator": HOSTILE, "p_value": HOSTILE}
    fields = ("study_type", "population", "intervention", "comparator", "follow_up", "p_value", "key_findings")
    stated_values = {**dict.fromkeys(fields, HOSTILE), "effect_size": sample, "outcomes": [outcome], "sample_size": 7}
    rows = []
    for row in ranking()[1].rows:
        facts = dict.fromkeys(("title", "journal", "volume", "pages", "copyright", "doi"), HOSTILE)
        worst = row.candidate.article.model_copy(
            update={**facts, "abstract": f"{HOSTILE}. CONCLUSIONS: {HOSTILE} {HOSTILE}", "authors": [HOSTILE] * 4}
        )
        candidate = Candidate(
            row.candidate.item_id,
            worst,
            {HOSTILE: HOSTILE, **stated_values},
            0.5,
            dict.fromkeys([HOSTILE], next(iter(ranking()[1].rows[0].candidate.breakdown.values()))),
            0.4,
        )
        rows.append(dataclasses.replace(row, candidate=candidate))
    place = Evidence(where="abstract", quote="alert", start=8, end=13)
    return {
        "title": HOSTILE,
        "run_date": HOSTILE,
        "queries": [Query(HOSTILE, 1, 1, HOSTILE + "x", HOSTILE)],
        "rows": rows,
        "flow": dataclasses.replace(report().flow, identified=((HOSTILE, 23),)),
        "correlations": {HOSTILE: {HOSTILE: 1.0, "x": 0.3}, "x": {HOSTILE: 0.3, "x": 1.0}},
        "evidence": {row.candidate.item_id: {HOSTILE: [place, Evidence(where=HOSTILE, quote=HOSTILE)]} for row in rows},
        "extraction_method": HOSTILE,
        "scoring_method": HOSTILE,
        "ranking_method": HOSTILE,
        "concepts": [GoalConcept(HOSTILE, (HOSTILE, "script*", "alert"))],
        "relevance_share": 0.5,
        "sources": [DataSource(HOSTILE, HOSTILE, HOSTILE, HOSTILE, "javascript:alert(1)")],
        "notices": [Notice(code="DROPPED", message=HOSTILE)],
    }
