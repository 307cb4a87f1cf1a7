"""A report as one page that needs no other file, no script and no network. Pure."""

from collections import Counter
from collections.abc import Iterator

from biofact.literature.report import articles, figures, highlights
from biofact.literature.report.content import DataSource, Query, Report
from biofact.literature.report.evidence_table import evidence_table
from biofact.literature.report.forest import forest
from biofact.literature.report.labels import sentence_with_labels
from biofact.literature.report.markup import Markup, count_in_words, isolate, join_markup, plain_number, tag, web_link
from biofact.literature.report.prisma import prisma
from biofact.literature.report.ranking_table import ranking_table
from biofact.literature.report.reading import Reading
from biofact.literature.report.style import STYLE

POLICY = "default-src 'none'; style-src 'unsafe-inline'; img-src data:; base-uri 'none'; form-action 'none'"
MOST_OPEN = 50
"""Articles whose details stand open; of more they open on request, and print as a list."""
MOST_DETAILED = 200
"""Articles whose details stand on the page; a browser takes seconds for thousands of abstracts."""

_SECTIONS = {
    "ranking": "Ranking",
    "evidence": "Evidence table",
    "effects": "Effects",
    "flow": "From found to ranked",
    "search": "Search",
    "scores": "Scores",
    "notices": "Worth knowing",
    "articles": "Articles",
    "method": "Method and sources",
}


def page(report: Report) -> str:
    """The whole page."""
    reading = Reading(report.rows, report.concepts, detailed=MOST_DETAILED)
    ranking = ranking_table(report.rows, reading) or tag("p", "No article passed the filters.", class_="quiet")
    sections = {
        "ranking": join_markup([_ranking_note(report), ranking]),
        "evidence": evidence_table(report.rows, reading, report.evidence),
        "effects": forest(report.rows, reading),
        "flow": prisma(report.flow),
        "search": join_markup(_query(place, query) for place, query in enumerate(report.queries, start=1)),
        "scores": _scores(report),
        "notices": _notices(report),
        "articles": _articles(report, reading),
        "method": _method(report),
    }
    shown = {name: inside for name, inside in sections.items() if inside}
    shade = "many" if len(report.rows) > MOST_OPEN else None  # what is far from the window is then laid out later
    parts = (_top(report), _contents(list(shown)), tag("main", *_with_headings(shown)), _footer())
    body = tag("body", *parts, class_=shade)
    return f"<!doctype html>\n{tag('html', _head(report), body, lang='en')}"


def _head(report: Report) -> Markup:
    return tag(
        "head",
        tag("meta", charset="utf-8"),
        tag("meta", http_equiv="Content-Security-Policy", content=POLICY),
        tag("meta", name="viewport", content="width=device-width, initial-scale=1"),
        tag("meta", name="referrer", content="no-referrer"),
        tag("meta", name="color-scheme", content="light dark"),
        tag("title", f"{report.title} \u00b7 literature report"),
        tag("link", rel="icon", href="data:,"),
        tag("style", Markup(STYLE)),
    )


def _top(report: Report) -> Markup:
    flow = report.flow
    queries = {"Queries": len(report.queries)} if report.queries else {}
    counts = {**queries, "Records identified": flow.found, "Ranked": flow.passed, "On this page": flow.ranked}
    numbers = (tag("div", tag("dt", name), tag("dd", f"{count:,}")) for name, count in counts.items())
    return tag(
        "header",
        tag("p", "Literature report", class_="eyebrow"),
        tag("h1", isolate(report.title)),
        tag("p", f"Run on {report.run_date}. Features by {report.extraction_method}.", class_="lead"),
        tag("dl", *numbers, class_="figures"),
        class_="top",
    )


def _contents(names: list[str]) -> Markup:
    links = (tag("li", tag("a", _SECTIONS[name], href=f"#{name}")) for name in names)
    return tag("nav", tag("ul", *links), aria_label="Contents")


def _with_headings(shown: dict[str, Markup]) -> Iterator[Markup]:
    for name, inside in shown.items():
        heading = tag("h2", _SECTIONS[name], id=f"{name}-heading")
        yield tag("section", heading, inside, id=name, aria_labelledby=f"{name}-heading")


def _ranking_note(report: Report) -> Markup | None:
    """What the scores are; nothing where no relevance is known."""
    if all(row.candidate.relevance is None for row in report.rows):
        return None
    share = report.relevance_share
    if share is None:
        weighed = "The total is the strength of evidence; relevance is shown and was not weighed."
    else:
        rest = plain_number(round(100 * (1 - share)))
        weighed = f"The total is {plain_number(round(100 * share))}% relevance and {rest}% strength of evidence."
    words = (
        "Relevance: how much title, abstract, headings and keywords speak of the goal. Strength of evidence: design,"
        f" size and what else was weighed of the study, whatever it found. {weighed} What an article does not state"
        " adds nothing, and is hatched at the end of a bar. Words of the goal are "
    )
    return tag("p", words, tag("span", "underlined", class_="goal"), ".", class_="note")


def _query(place: int, query: Query) -> Markup:
    count = f"PubMed finds {count_in_words(query.found, 'article')}; {query.taken:,} read."
    understood = query.translation if query.translation and query.translation != query.text else None
    return tag(
        "div",
        tag("h3", f"Query {place}"),
        tag("code", isolate(query.text)),
        tag("p", count, f" {query.rationale}" if query.rationale else None),
        tag("p", "Understood as ", tag("code", isolate(understood))) if understood else None,
        class_="query",
    )


def _scores(report: Report) -> Markup:
    ranked = Counter(row.candidate.total_score for row in report.rows)
    scored = sum(report.scores.values())
    shades = (("key", "on this page"), ("key other", "others"))
    pieces = (part for shade, words in shades for part in (tag("span", class_=shade, aria_hidden="true"), words))
    keys = tag("p", *pieces)
    caption = tag("figcaption", keys, tag("p", figures.summary(report.distribution, scored)))
    drawn = tag("figure", figures.histogram(report.scores, ranked, report.distribution), caption)
    if not report.correlations or scored < figures.FEWEST_CORRELATED:
        return drawn
    table = figures.heat_map(report.correlations)
    box = tag("div", table, class_="scroll", tabindex=0, role="region", aria_label="Correlation of feature scores")
    return tag("div", drawn, box, class_="pair")


def _articles(report: Report, reading: Reading) -> Markup | None:
    if not report.rows:
        return None
    fields = {field for by_field in report.evidence.values() for field in by_field}
    colours = highlights.hues(fields | {field for row in report.rows for field in row.candidate.extraction})
    is_open = len(report.rows) <= MOST_OPEN
    cards = [
        articles.card(row, report.evidence.get(row.candidate.item_id, {}), colours, reading, is_open=is_open)
        for row in report.rows[:MOST_DETAILED]
    ]
    if len(report.rows) > MOST_DETAILED:
        words = f"The first {MOST_DETAILED} of {len(report.rows):,}; features.csv has what the others state, and where."
        cards.insert(0, tag("p", words, class_="note"))
    return join_markup(cards)


def _notices(report: Report) -> Markup | None:
    if not report.notices:
        return None
    lines = (tag("li", sentence_with_labels(notice.message)) for notice in report.notices)
    return tag("ul", *lines, class_="notices")


def _method(report: Report) -> Markup:
    methods = {
        "Features": f"by {report.extraction_method}; a value stands on the words shown, or on a field of the record",
        "Scores": sentence_with_labels(report.scoring_method),
        "Order": sentence_with_labels(report.ranking_method),
        "Goal": "; ".join(concept.name for concept in report.concepts),
    }
    listed = (join_markup([tag("dt", name), tag("dd", isolate(words))]) for name, words in methods.items() if words)
    return join_markup([tag("dl", *listed, class_="methods"), _sources(report)])


def _sources(report: Report) -> Markup | None:
    if not report.sources:
        return None
    has_licence = any(source.licence for source in report.sources)
    names = ("Source", "Content", "Read on", *(["Licence"] if has_licence else []))
    head = tag("thead", tag("tr", *(tag("th", name, scope="col") for name in names)))
    lines = (_source(source, has_licence=has_licence) for source in report.sources)
    table = tag("table", head, tag("tbody", *lines))
    return tag("div", table, class_="scroll", tabindex=0, role="region", aria_label="Sources")


def _source(source: DataSource, *, has_licence: bool) -> Markup:
    cells = (source.content, source.retrieved, *([source.licence or "\u2013"] if has_licence else []))
    name = tag("th", web_link(source.url, source.name), scope="row")
    return tag("tr", name, *(tag("td", cell) for cell in cells))


def _footer() -> Markup:
    words = (
        "Abstracts stand as PubMed holds them; their publishers or authors may hold the copyright."
        " Made by biofact. Features were read by a machine: check them before you cite."
    )
    return tag("footer", tag("p", words))
