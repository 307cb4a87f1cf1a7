"""A report as one page that needs no other file, no script and no network. Pure.

Its style fits light and dark, narrow and wide, screen and paper; no font, picture or file comes from elsewhere.
"""

from collections import Counter
from collections.abc import Iterator

from biofact.core.page_style import PAGE_STYLE
from biofact.literature.report import articles, figures
from biofact.literature.report.content import Query, Report
from biofact.literature.report.figures import forest, prisma
from biofact.literature.report.markup import (
    Markup,
    count_in_words,
    isolate,
    join_markup,
    plain_number,
    sentence_with_labels,
    tag,
    web_link,
)
from biofact.literature.report.tables import SORT_RULES, evidence_table, ranking_table
from biofact.literature.report.view import ArticleView

_PAGE = """
h4{font-size:.86rem;font-weight:650;margin-bottom:.4rem;color:var(--quiet)}
.lead,.quiet,.citation,.by,.where,.copyright,figcaption,caption,footer{color:var(--quiet)}
.lead{margin-top:.7rem}
.quiet{font-size:.93rem}
nav{margin-top:.8rem}
nav ul{display:flex;flex-wrap:wrap;gap:.2rem 1.3rem;font-size:.93rem}
nav a{display:inline-block;padding-block:.25rem}
main>section{padding-top:2.6rem}
.query{padding:.9rem 0;border-bottom:1px solid var(--rule)}
.query h3{font-size:.86rem;color:var(--quiet)}
h2+.query{padding-top:0}.query:last-child{border-bottom:0}
.query code{display:block}
.query p{font-size:.93rem;color:var(--quiet);margin-top:.3rem}
.query p code{display:inline}
"""
_FIGURES = """
.prisma{display:grid;gap:1.6rem;max-width:54rem;margin-top:.9rem}
.band{display:grid;grid-template-columns:2.1rem minmax(0,1fr);gap:0 .9rem}
.band .phase{writing-mode:vertical-rl;transform:rotate(180deg);text-align:center;margin:0;padding:.5rem .3rem;
background:var(--mild-panel);color:var(--mild);border-radius:.4rem}
.flow{display:grid;gap:1.6rem;align-content:start}
.flow>li{display:grid;grid-template-columns:minmax(0,1fr) minmax(0,1fr);gap:0 2.4rem;align-items:start;
position:relative}
.flow .box,.flow .left{border:1px solid var(--rule);border-radius:.4rem;padding:.55rem .85rem;position:relative;
font-size:.93rem;line-height:1.45}
.flow .box{background:var(--panel);height:100%}
.flow .what{font-weight:600;display:block}
.flow b{font-variant-numeric:tabular-nums;font-weight:650;white-space:nowrap}
.flow .none{color:var(--quiet);font-weight:400;white-space:nowrap}
.flow div>ul>li{padding-left:.8rem}
.flow ul ul{font-size:.86rem;color:var(--quiet);padding-left:.8rem}
.flow .ready{font-size:.86rem;color:var(--quiet);margin-top:.2rem}
.flow .left::before{content:"";position:absolute;right:100%;top:1.3rem;width:2.4rem;border-top:1px solid var(--quiet)}
.flow .left::after{content:"";position:absolute;right:calc(100% + 1px);top:calc(1.3rem - .22rem);
border:.25rem solid transparent;border-left-color:var(--quiet);border-right:0}
.flow>li:not(:last-child)::before,.band:not(:last-child)>.flow>li:last-child::before{content:"";position:absolute;
left:1.7rem;top:100%;height:1.6rem;border-left:1px solid var(--quiet)}
.flow>li:not(:last-child)::after,.band:not(:last-child)>.flow>li:last-child::after{content:"";position:absolute;
left:calc(1.7rem - .22rem);top:calc(100% + 1.34rem);
border:.25rem solid transparent;border-top-color:var(--quiet);border-bottom:0}
.panels{display:grid;gap:2.2rem;max-width:58rem}
.panel h3 span{font-weight:400;color:var(--quiet);font-size:.93rem}
.forest{table-layout:fixed}
.forest thead th{font-size:.82rem}.forest th.study{width:34%}.forest th.plot{text-align:center;font-weight:500}
.forest th.n{width:11.5rem;text-align:right;white-space:normal}
.forest tbody th,.forest tbody td{vertical-align:middle;padding-block:.3rem}
.forest tbody th{font-weight:600;line-height:1.35}.forest .by{font-weight:400}
.forest tfoot td{border:0;padding-block:0}
.forest td.plot{position:relative;height:2.4rem;padding:0}
.forest .plot>svg{position:absolute;left:0;top:0;width:calc(100% - .7rem);height:100%;overflow:visible}
.forest tfoot td.plot{height:1.6rem}
.forest td.n{white-space:normal}
.interval{stroke:var(--ink);stroke-width:1.4}.estimate,.beyond{fill:var(--accent)}.beyond{fill:var(--ink)}
.null{stroke:var(--quiet);stroke-dasharray:3 3}
svg .at{width:1px;height:1px}
.pair{display:grid;grid-template-columns:repeat(auto-fit,minmax(min(100%,24rem),1fr));gap:2rem 3rem;align-items:start}
.pair>*{min-width:0}
figure svg{display:block;width:100%;max-width:34rem;height:auto}
svg text{fill:var(--quiet);font-size:10.5px}.scale text{font-size:.78rem;font-variant-numeric:tabular-nums}
svg .strong{fill:var(--ink);font-weight:600;paint-order:stroke;stroke:var(--paper);stroke-width:3px}
svg .grid{stroke:var(--rule)}svg .axis{stroke:var(--quiet)}
svg .median{stroke:var(--ink);stroke-dasharray:3 2.5}
svg .ranked{fill:var(--bar)}svg .other{fill:var(--other)}
figcaption{font-size:.86rem;margin-top:.4rem}
.key{display:inline-block;width:.8em;height:.8em;border-radius:.15em;margin-right:.3em;background:var(--bar)}
.key.other{background:var(--other);margin-left:.9em}
caption{font-size:.86rem;text-align:left;padding-bottom:.4rem}
.heat{width:auto;font-size:.86rem}
.heat th,.heat td{border:0;padding:.38rem .55rem;text-align:center;vertical-align:middle;white-space:normal}
.heat th{max-width:12rem}
.heat thead th{font-size:.8rem;vertical-align:bottom;line-height:1.2}
.heat th[scope=row]{text-align:left;padding-left:0;min-width:6.5rem;line-height:1.2}
.heat td{border:2px solid var(--paper);font-variant-numeric:tabular-nums;min-width:3.6rem;border-radius:.3rem}
.heat .self{color:var(--quiet);background:var(--panel)}
"""
_HEAT = "".join(
    f".heat .{sign}{step}{{background:hsl({hue} var(--heat-s) calc(var(--heat-l) + {step}*var(--heat-step)))}}"
    for sign, hue in (("p", 189), ("n", 28))
    for step in range(1, 5)
)
_MARKS = "".join(
    f".m{place}{{background:hsl({hue} var(--mark-s) var(--mark-l))}}"
    for place, hue in enumerate((48, 189, 330, 95, 262, 22, 152, 215))
)
_ARTICLES = """
.prisma+.note{margin-top:1rem}
.note{font-size:.93rem;color:var(--quiet);max-width:46rem;margin-bottom:1rem}
.panel .note{margin:.15rem 0 .4rem}
.sort{border:0;margin:0 0 .6rem;padding:0;display:flex;flex-wrap:wrap;align-items:center;gap:.35rem .45rem;
font-size:.9rem}
.sort legend{float:left;padding:0;margin-right:.4rem;color:var(--quiet)}
.sort label{position:relative;display:inline-block}
.sort input{position:absolute;inset:0;opacity:0;margin:0;width:100%;height:100%;cursor:pointer}
.sort span{display:block;padding:.22rem .7rem;border:1px solid var(--rule);border-radius:1rem}
.sort input:checked+span{background:var(--accent);border-color:var(--accent);color:var(--paper);font-weight:600}
.sort input:focus-visible+span{outline:.15rem solid var(--accent);outline-offset:.15rem}
.rows{--score:6.5rem}
.rows,.rows thead,.rows tbody{display:block}
.sortable{display:flex!important;flex-direction:column;reading-flow:flex-visual}
.rows tr{display:grid;grid-template-columns:var(--columns);gap:0 1.1rem;padding:.75rem 0;
border-bottom:1px solid var(--rule)}
.many .rows tbody tr{content-visibility:auto;contain-intrinsic-size:auto 6rem}
.many .card{content-visibility:auto;contain-intrinsic-size:auto 9rem}
.rows thead tr{padding:.3rem 0;align-items:end}
.rows th,.rows td{border:0;padding:0}
.rows thead th{white-space:normal;line-height:1.25}
.ranking .rank{white-space:nowrap;font-weight:640;font-variant-numeric:tabular-nums;color:var(--quiet)}
.ranking .title{font-weight:620;line-height:1.4}
.title,.title a,.card h3 a,.rows tbody th a,.forest tbody th a{text-decoration:none}
.title:hover,.title a:hover,.card h3 a:hover,.rows tbody th a:hover,.forest tbody th a:hover{text-decoration:underline}
.says{display:block;
margin-top:.3rem;line-height:1.5;quotes:none;border-left:.18rem solid var(--rule);padding-left:.7rem}
.card .says{margin-top:.5rem;max-width:52rem}
.score,.scores td{font-variant-numeric:tabular-nums}
.stated{display:block;font-size:.78rem;color:var(--quiet);margin-top:.1rem}
.evidence{font-size:.88rem;line-height:1.45;hyphens:auto}
.evidence .value{display:block}.evidence .value+.value{margin-top:.2rem}
.evidence tbody th{font-weight:600}
.missing{color:var(--quiet);font-style:italic;font-weight:400}
.goal{text-decoration:underline;text-decoration-color:var(--accent);text-decoration-thickness:.11em;
text-underline-offset:.2em;text-decoration-skip-ink:none}
.by{display:block;font-size:.86rem}
.bar{display:flex;height:.4rem;border-radius:.2rem;background:var(--track);margin-top:.3rem;overflow:hidden}
.bar>span{display:block;height:100%;background:var(--bar)}
.bar>.unknown{margin-left:auto;background:repeating-linear-gradient(115deg,
var(--paper) 0 .15rem,var(--other) .15rem .3rem)}
.flags{display:flex;flex-wrap:wrap;gap:.3rem .4rem;margin-top:.45rem}
.flags li{font-size:.84rem;font-weight:600;padding:.08rem .5rem;border-radius:.25rem}
.flags a{color:inherit}
.grave{color:var(--grave);background:var(--grave-panel)}
.doubtful{color:var(--doubt);background:var(--doubt-panel)}
.mild{color:var(--mild);background:var(--mild-panel)}
.card{border-top:1px solid var(--rule);padding-block:1.6rem;scroll-margin-top:.5rem}
.card:first-of-type{border-top:0;padding-top:0}
.card h3{display:grid;grid-template-columns:2rem minmax(0,1fr);max-width:56rem}
.card .place{color:var(--quiet);font-variant-numeric:tabular-nums}
.card>header>:not(h3){margin-left:2rem}
.citation{font-size:.93rem;margin-top:.25rem}
details{margin:.8rem 0 0 2rem}summary{cursor:pointer;font-size:.93rem;color:var(--accent);width:fit-content}
summary:focus-visible{outline:.15rem solid var(--accent);outline-offset:.15rem}
.body{display:grid;grid-template-columns:minmax(0,5fr) minmax(0,7fr);gap:1.2rem 3rem;margin-top:1rem}
.facts{display:grid;grid-template-columns:minmax(0,1fr);gap:1.4rem;align-content:start}
.sum{font-size:.93rem;font-variant-numeric:tabular-nums;margin-bottom:.3rem}
.scores,.features{font-size:.88rem;overflow-wrap:anywhere}
.scores th:first-child{width:44%}
.scores,.features{table-layout:fixed}.scores th:last-child{width:5rem}
.scores th,.scores td,.features th,.features td{padding-block:.32rem}
.scores tr:last-child>*,.features tr:last-child>*{border-bottom:0}
.scores tbody th,.features th{font-weight:500;line-height:1.4}
.features th{width:42%}
.features td{font-weight:600;line-height:1.4}
.where{display:block;font-size:.82rem;font-weight:400}
.swatch{display:inline-block;width:.75em;height:.75em;border-radius:.15em;margin-right:.4em;
box-shadow:inset 0 0 0 1px color-mix(in srgb,var(--ink) 28%,transparent)}
.abstract{max-width:42rem}
.abstract p{line-height:1.72}
.abstract p+p{margin-top:.55rem}
.abstract b{font-weight:650}
mark{color:inherit;border-radius:.2em;padding:.08em .12em;
-webkit-box-decoration-break:clone;box-decoration-break:clone}
mark.several{box-shadow:inset 0 -.13em 0 var(--ink)}
mark[data-begins]::before{content:attr(data-begins);
font-size:.68em;font-weight:600;margin-right:.4em;padding:.05em .35em;
border-radius:.25em;background:var(--paper);color:var(--ink);vertical-align:.1em;overflow-wrap:anywhere}
.copyright{font-size:.82rem;margin-top:.6rem}
.notices li{padding:.45rem 0;border-bottom:1px solid var(--rule)}
.notices li:last-child{border-bottom:0}
.methods{display:grid;grid-template-columns:max-content minmax(0,1fr);gap:.35rem 1.5rem;
margin-bottom:1.6rem;font-size:.93rem}
.methods dt{color:var(--quiet)}.methods dd{margin:0}
footer{font-size:.86rem;padding-block:2.6rem 3rem}
"""
_NARROW = """
@media screen and (max-width:58rem){
.rows thead{position:absolute;width:1px;height:1px;overflow:hidden;clip-path:inset(50%)}
.ranking tr{grid-template-columns:2.4rem repeat(3,minmax(0,7rem));gap:.5rem .8rem}
.ranking td:nth-child(2){grid-column:2/-1}.ranking .score:nth-child(3n){grid-column-start:2}
.rows [data-label]::before{content:attr(data-label);display:block;font-size:.78rem;color:var(--quiet);font-weight:400}
.evidence tr{grid-template-columns:repeat(auto-fit,minmax(min(100%,10.5rem),1fr));gap:.6rem 1.1rem}
.evidence tbody th{grid-column:1/-1}}
@media screen and (max-width:52rem){.body{grid-template-columns:minmax(0,1fr)}
.card>header>:not(h3),details{margin-left:0}
.card h3{grid-template-columns:1.6rem minmax(0,1fr)}}
@media screen and (max-width:36rem){.flow>li{grid-template-columns:minmax(0,1fr);gap:.8rem 0}
.flow .left{margin-left:1.7rem}
.band{grid-template-columns:minmax(0,1fr);gap:.6rem}
.band .phase{writing-mode:horizontal-tb;transform:none;text-align:left;padding:.15rem .6rem;width:fit-content}
.flow .left::before{right:auto;left:-.9rem;width:.9rem}.flow .left::after{right:auto;left:-.28rem}
.flow>li:has(.left)::before{top:auto!important;bottom:-1.6rem;height:calc(100% + 1.6rem)!important;
z-index:-1;left:.8rem!important}
.flow>li::after{left:calc(.8rem - .22rem)!important}
.flow>li:not(:has(.left))::before{left:.8rem!important}
.evidence tr{grid-template-columns:minmax(0,1fr);gap:.35rem}
.evidence td{display:grid;grid-template-columns:6.6rem minmax(0,1fr);gap:0 .6rem}.evidence td>*{grid-column:2}
.evidence td[data-label]::before{grid-column:1;grid-row:1}
.forest,.forest tbody,.forest thead,.forest tfoot{display:block}
.forest thead tr{position:absolute;width:1px;height:1px;overflow:hidden;clip-path:inset(50%)}
.forest tbody tr,.forest tfoot tr{display:grid;grid-template-columns:minmax(0,1fr) auto;padding-block:.35rem;
border-bottom:1px solid var(--rule)}
.forest tfoot tr{border:0;padding:0}
.forest tbody th,.forest tbody td{border:0;padding-block:0}
.forest td.plot{grid-column:1/-1;grid-row:2;height:1.7rem;padding:0}.forest tfoot td.plot{grid-row:1}
.forest tfoot td:not(.plot){display:none}
.methods{grid-template-columns:minmax(0,1fr);gap:0}.methods dd{margin-bottom:.6rem}
.figures{grid-template-columns:repeat(2,minmax(0,1fr))}}
"""
_PAPER = """
@page{margin:14mm 12mm}
@media print{html{font-size:11.5px}.rows{--score:5rem}body>*{max-width:none;padding-inline:0}
nav,.sort,summary{display:none}.scroll{overflow:visible}.top{padding-top:0}main>section{padding-top:1.6rem}
.many .card,.many .rows tbody tr{content-visibility:visible}.sortable{display:block!important}
.prisma,.rows tr,.forest tr,figure,.query{break-inside:avoid}
h2,h3,h4,.note,.forest thead,.card>header{break-after:avoid}
body{orphans:3;widows:3}.pair{grid-template-columns:minmax(0,1fr)}
mark,.bar,.bar>span,.heat td,.flags li,.flow .box,.band .phase,.swatch,.key,svg{
print-color-adjust:exact;-webkit-print-color-adjust:exact}
a{color:inherit;text-decoration:none}}
"""

STYLE = (f"{PAGE_STYLE}{_PAGE}{_FIGURES}{_HEAT}{_MARKS}{_ARTICLES}{SORT_RULES}{_NARROW}{_PAPER}").replace("\n", "")


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
    view = ArticleView(report.rows, report.concepts, detailed=MOST_DETAILED)
    ranking = ranking_table(report.rows, view) or tag("p", "No article passed the filters.", class_="quiet")
    sections = {
        "ranking": join_markup([_ranking_note(report), ranking]),
        "evidence": evidence_table(report.rows, view, report.evidence),
        "effects": forest(report.rows, view),
        "flow": prisma(report.flow),
        "search": join_markup(_query(place, query) for place, query in enumerate(report.queries, start=1)),
        "scores": _scores(report),
        "notices": _notices(report),
        "articles": _articles(report, view),
        "method": _method(report),
    }
    non_empty = {name: content for name, content in sections.items() if content}
    shade = "many" if len(report.rows) > MOST_OPEN else None  # the browser then defers the layout of distant articles
    parts = (_top(report), _contents(list(non_empty)), tag("main", *_with_headings(non_empty)), _footer())
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
    counts = {**queries, "Records identified": flow.found, "Ranked": flow.passed_count, "On this page": flow.ranked}
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


def _with_headings(sections: dict[str, Markup]) -> Iterator[Markup]:
    for name, content in sections.items():
        heading = tag("h2", _SECTIONS[name], id=f"{name}-heading")
        yield tag("section", heading, content, id=name, aria_labelledby=f"{name}-heading")


def _ranking_note(report: Report) -> Markup | None:
    """An explanation of the scores; None without relevance."""
    if all(row.candidate.relevance is None for row in report.rows):
        return None
    share = report.relevance_share
    if share is None:
        weight_note = "The total is the strength of evidence; relevance is shown and was not weighed."
    else:
        rest = plain_number(round(100 * (1 - share)))
        weight_note = f"The total is {plain_number(round(100 * share))}% relevance and {rest}% strength of evidence."
    words = (
        "Relevance: how much title, abstract, headings and keywords speak of the goal. Strength of evidence: design,"
        f" size and what else was weighed of the study, whatever it found. {weight_note} What an article does not state"
        " adds nothing, and is hatched at the end of a bar. Words of the goal are "
    )
    return tag("p", words, tag("span", "underlined", class_="goal"), ".", class_="note")


def _query(place: int, query: Query) -> Markup:
    count = f"PubMed finds {count_in_words(query.match_count, 'article')}; {query.read_count:,} read."
    translation = query.translation if query.translation and query.translation != query.text else None
    return tag(
        "div",
        tag("h3", f"Query {place}"),
        tag("code", isolate(query.text)),
        tag("p", count, f" {query.rationale}" if query.rationale else None),
        tag("p", "Understood as ", tag("code", isolate(translation))) if translation else None,
        class_="query",
    )


def _scores(report: Report) -> Markup:
    ranked = Counter(row.candidate.total_score for row in report.rows)
    article_count = sum(report.scores.values())
    shades = (("key", "on this page"), ("key other", "others"))
    pieces = (part for shade, words in shades for part in (tag("span", class_=shade, aria_hidden="true"), words))
    keys = tag("p", *pieces)
    caption = tag("figcaption", keys, tag("p", figures.summary(report.distribution, article_count)))
    drawing = tag("figure", figures.histogram(report.scores, ranked, report.distribution), caption)
    if not report.correlations or article_count < figures.FEWEST_CORRELATED:
        return drawing
    table = figures.heat_map(report.correlations)
    box = tag("div", table, class_="scroll", tabindex=0, role="region", aria_label="Correlation of feature scores")
    return tag("div", drawing, box, class_="pair")


def _articles(report: Report, view: ArticleView) -> Markup | None:
    if not report.rows:
        return None
    fields = {field for by_field in report.evidence.values() for field in by_field}
    colours = articles.hues(fields | {field for row in report.rows for field in row.candidate.extraction})
    is_open = len(report.rows) <= MOST_OPEN
    cards = [
        articles.card(row, report.evidence.get(row.candidate.item_id, {}), colours, view, is_open=is_open)
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
    entries = (join_markup([tag("dt", name), tag("dd", isolate(words))]) for name, words in methods.items() if words)
    return join_markup([tag("dl", *entries, class_="methods"), _sources(report)])


def _sources(report: Report) -> Markup | None:
    if not report.sources:
        return None
    has_licence = any(source.licence for source in report.sources)
    names = ("Source", "Content", "Read on", *(["Licence"] if has_licence else []))
    head = tag("thead", tag("tr", *(tag("th", name, scope="col") for name in names)))
    lines = []
    for source in report.sources:
        cells = (source.content, source.retrieved, *([source.licence or "\u2013"] if has_licence else []))
        name = tag("th", web_link(source.url, source.name), scope="row")
        lines.append(tag("tr", name, *(tag("td", cell) for cell in cells)))
    table = tag("table", head, tag("tbody", *lines))
    return tag("div", table, class_="scroll", tabindex=0, role="region", aria_label="Sources")


def _footer() -> Markup:
    words = (
        "Abstracts stand as PubMed holds them; their publishers or authors may hold the copyright."
        " Made by biofact. Features were read by a machine: check them before you cite."
    )
    return tag("footer", tag("p", words))
