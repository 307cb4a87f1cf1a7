"""A report as one page that needs no other file, no script and no network. Pure."""

from collections.abc import Iterator

from biofact.literature.report import articles, figures, highlights
from biofact.literature.report.content import DataSource, Query, Report
from biofact.literature.report.markup import Markup, count_in_words, isolate, join_markup, tag, web_link
from biofact.literature.report.style import STYLE

POLICY = "default-src 'none'; style-src 'unsafe-inline'; img-src data:; base-uri 'none'; form-action 'none'"

_SECTIONS = {
    "search": "Search",
    "flow": "From found to ranked",
    "scores": "Scores",
    "ranking": "Ranking",
    "articles": "Articles",
    "notices": "Worth knowing",
    "method": "Method and sources",
}


def page(report: Report) -> str:
    """The whole page."""
    sections = {
        "search": join_markup(_query(place, query) for place, query in enumerate(report.queries, start=1)),
        "flow": figures.flow(report.flow),
        "scores": _scores(report),
        "ranking": articles.table(report.rows) or tag("p", "No article passed the filters.", class_="quiet"),
        "articles": _articles(report),
        "notices": _notices(report),
        "method": _method(report),
    }
    shown = {name: inside for name, inside in sections.items() if inside}
    body = tag("body", _top(report), _contents(list(shown)), tag("main", *_with_headings(shown)), _footer())
    return f"<!doctype html>\n{tag('html', _head(report), body, lang='en')}"


def _head(report: Report) -> Markup:
    return tag(
        "head",
        tag("meta", charset="utf-8"),
        tag("meta", http_equiv="Content-Security-Policy", content=POLICY),
        tag("meta", name="viewport", content="width=device-width, initial-scale=1"),
        tag("meta", name="referrer", content="no-referrer"),
        tag("meta", name="color-scheme", content="light dark"),
        tag("title", f"{report.goal} \u00b7 literature report"),
        tag("link", rel="icon", href="data:,"),
        tag("style", Markup(STYLE)),
    )


def _top(report: Report) -> Markup:
    flow = report.flow
    counts = {"Queries": len(report.queries), "Found": flow.found, "Unique": flow.unique, "Ranked": flow.ranked}
    numbers = (tag("div", tag("dt", name), tag("dd", f"{count:,}")) for name, count in counts.items())
    return tag(
        "header",
        tag("p", "Literature report", class_="eyebrow"),
        tag("h1", isolate(report.goal)),
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
    ranked = [row.candidate.total_score for row in report.rows]
    shades = (("key", "ranked"), ("key other", "others"))
    pieces = (part for shade, words in shades for part in (tag("span", class_=shade, aria_hidden="true"), words))
    keys = tag("p", *pieces)
    caption = tag("figcaption", keys, tag("p", figures.summary(report.distribution, len(report.scores))))
    drawn = tag("figure", figures.histogram(report.scores, ranked, report.distribution), caption)
    if not report.correlations:
        return drawn
    table = figures.heat_map(report.correlations)
    box = tag("div", table, class_="scroll", tabindex=0, role="region", aria_label="Correlation of feature scores")
    return tag("div", drawn, box, class_="pair")


def _articles(report: Report) -> Markup | None:
    if not report.rows:
        return None
    fields = {field for by_field in report.evidence.values() for field in by_field}
    colours = highlights.hues(fields | {field for row in report.rows for field in row.candidate.extraction})
    return join_markup(
        articles.card(row, report.evidence.get(row.candidate.item_id, {}), colours) for row in report.rows
    )


def _notices(report: Report) -> Markup | None:
    if not report.notices:
        return None
    return tag("ul", *(tag("li", notice.message) for notice in report.notices), class_="notices")


def _method(report: Report) -> Markup:
    methods = {
        "Features": f"by {report.extraction_method}; a value stands on the words shown, or on a field of the record",
        "Scores": report.scoring_method,
        "Order": report.ranking_method,
    }
    listed = (join_markup([tag("dt", name), tag("dd", words)]) for name, words in methods.items())
    return join_markup([tag("dl", *listed, class_="methods"), _sources(report)])


def _sources(report: Report) -> Markup | None:
    if not report.sources:
        return None
    names = ("Source", "Content", "Read on", "Licence")
    head = tag("thead", tag("tr", *(tag("th", name, scope="col") for name in names)))
    table = tag("table", head, tag("tbody", *map(_source, report.sources)))
    return tag("div", table, class_="scroll", tabindex=0, role="region", aria_label="Sources")


def _source(source: DataSource) -> Markup:
    cells = (source.content, source.retrieved, source.licence or "\u2013")
    name = tag("th", web_link(source.url, source.name), scope="row")
    return tag("tr", name, *(tag("td", cell) for cell in cells))


def _footer() -> Markup:
    words = (
        "Abstracts stand as PubMed holds them; their publishers or authors may hold the copyright."
        " Made by biofact. Features were read by a machine: check them before you cite."
    )
    return tag("footer", tag("p", words))
