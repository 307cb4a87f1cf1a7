"""What the page reads of its articles, once for all parts: claims, reasons to be careful, words of the goal. Pure."""

from collections.abc import Sequence

from biofact.literature.ranking.candidates import RankedRow
from biofact.literature.relevance import GoalConcept, PhraseFinder
from biofact.literature.report import claims, signals
from biofact.literature.report.markup import Markup, escape, isolate, join_markup, pubmed_link, tag
from biofact.literature.report.signals import Signal
from biofact.literature.report.studies import anchor

GOAL_CLASS = "goal"
"""Of a word of the goal; it is underlined, for colours belong to the evidence."""


class Reading:
    """The articles of one report, as a reader of the goal sees them."""

    def __init__(self, rows: Sequence[RankedRow], concepts: Sequence[GoalConcept], *, detailed: int) -> None:
        self._detailed = detailed
        self._finder = PhraseFinder([concept.phrases for concept in concepts])
        self._is_registration_read = signals.reads_registration(rows)
        self._claims = {
            row.candidate.item_id: claims.claim_of(row.candidate.article, row.candidate.extraction) for row in rows
        }
        self._signals = {
            row.candidate.item_id: signals.signals(row, is_registration_read=self._is_registration_read) for row in rows
        }

    def claim(self, row: RankedRow) -> str | None:
        """The sentence with which the article concludes."""
        return self._claims.get(row.candidate.item_id)

    def signals(self, row: RankedRow) -> list[Signal]:
        """Reasons to be careful with it."""
        return self._signals.get(row.candidate.item_id, [])

    def link(self, row: RankedRow, *inside: str, class_: str | None = None) -> Markup:
        """A link to where an article stands on the page; to PubMed for one whose details do not."""
        if row.rank <= self._detailed:
            return tag("a", *inside, href=f"#{anchor(row)}", class_=class_)
        return tag("span", pubmed_link(row.candidate.item_id, *inside), class_=class_)

    def goal_spans(self, text: str) -> list[tuple[int, int]]:
        """Where a text names what the goal is about; spans that touch or overlap are one."""
        spans: list[tuple[int, int]] = []
        for match in self._finder.matches(text):
            if spans and match.start <= spans[-1][1]:
                spans[-1] = (spans[-1][0], max(match.end, spans[-1][1]))
            else:
                spans.append((match.start, match.end))
        return spans

    def marked(self, text: str) -> Markup:
        """A text of others with the words of the goal marked."""
        parts: list[str] = []
        done = 0
        for start, end in self.goal_spans(text):
            parts += [escape(text[done:start]), tag("span", text[start:end], class_=GOAL_CLASS)]
            done = end
        return isolate(join_markup([*parts, escape(text[done:])]))
