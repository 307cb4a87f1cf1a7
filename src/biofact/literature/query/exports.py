"""A query's lines for other places: PubMed's page, Ovid MEDLINE, Embase.com. Pure.

Syntax of Ovid: https://ospguides.ovid.com/OSPguides/medline.htm, of Embase: Embase.com's search guide.
"""

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from urllib.parse import quote_plus

from biofact.literature.query import terms, trials
from biofact.literature.query.records import QueryExports, QueryLine

_PUBMED = "https://pubmed.ncbi.nlm.nih.gov/"
_TERM = r'"[^"]*"\[[^\[\]]+\]'
_ITEM = re.compile(rf"\({_TERM}(?: (?:AND|NOT) {_TERM})+\)|{_TERM}")
_PARTS = re.compile(r'"(?P<text>[^"]*)"\[(?P<field>[^\[\]:]+)(?P<near>:~0)?\]')
_YEARS = re.compile(r'"(\d{4})[/\d]*"\[Date - Publication\] : "(\d{4})')
_WORD = re.compile(r"[^\s.-]+")
_PLAIN = re.compile(r"[\w-]+(?: [\w-]+)*\*?")
_SHORT_FIELDS = {
    terms.ABSTRACT: "tiab",
    terms.TITLE: "ti",
    terms.HEADING: "mh",
    terms.MAJOR: "majr",
    terms.TYPE: "pt",
    terms.DATE: "dp",
}
"""In this order: Title begins as Title/Abstract does."""
_OPERATORS = frozenset({"and", "or", "not", "adj", "near", "next"})
_OPEN_YEAR = 3000
_CHOOSE = "[choose in Emtree] "
Write = Callable[[re.Match[str]], str]


def exports(query: str, lines: Sequence[QueryLine], this_year: int) -> QueryExports:
    """The query under PubMed's address and line by line; days of publication become whole years."""
    return QueryExports(
        pubmed_url=f"{_PUBMED}?term={quote_plus(_with_short_fields(query), safe='()*:~/,')}",
        ovid="\n".join(f"{one.line}. {_ovid(one, this_year)}" for one in lines),
        embase="\n".join(_embase(lines, this_year)),
    )


def _with_short_fields(query: str) -> str:
    """The same query with PubMed's short field tags, which leaves its address half as long."""
    for field, short in _SHORT_FIELDS.items():
        query = query.replace(f'"[{field}', f'"[{short}')
    return query


def _ovid(line: QueryLine, this_year: int) -> str:
    if line.kind == "combination":
        return line.text.replace("#", "").lower()
    if line.kind == "filter":
        return f"{'[offered] ' if line.is_offered else ''}{trials.OVID}"
    if years := _years(line.text, this_year):
        return f"{years[0]}:{years[1]}.(sa_year)."
    headings, words, titles, rest = _sorted_items(line.text)
    groups = [_ovid_heading(one) for one in headings]
    groups += [f"({' or '.join(words)}).ti,ab,kf."] if (words := _written(words, _ovid_words, "and")) else []
    groups += [f"({' or '.join(titles)}).ti."] if (titles := _written(titles, _ovid_words, "and")) else []
    groups += [f"{found['text']}.pt." for one in rest for found in _PARTS.finditer(one)]
    return " or ".join(groups)


def _embase(lines: Sequence[QueryLine], this_year: int) -> Iterator[str]:
    """Headings and free text on lines of their own, joined by a third."""
    numbers: dict[int, int] = {}
    at = 0
    for line in lines:
        parts = list(_embase_parts(line, numbers, this_year))
        for text in parts:
            at += 1
            yield f"#{at} {text}"
        if len(parts) > 1:
            at += 1
            yield f"#{at} {' OR '.join(f'#{at - back}' for back in range(len(parts), 0, -1))}"
        numbers[line.line] = at


def _embase_parts(line: QueryLine, numbers: dict[int, int], this_year: int) -> Iterator[str]:
    if line.kind == "combination":
        yield re.sub(r"#(\d+)", lambda found: f"#{numbers[int(found[1])]}", line.text)
        return
    if line.kind == "filter":
        yield "[choose a filter] the Cochrane filter is MEDLINE's; Embase has its own (Glanville et al. 2019)"
        return
    if years := _years(line.text, this_year):
        yield f"[{years[0]}-{years[1]}]/py"
        return
    headings, words, titles, rest = _sorted_items(line.text)
    if headings:
        names = [found["text"].lower() for one in headings for found in [_PARTS.search(one)] if found]
        yield _CHOOSE + " OR ".join(f"'{_quoted(name)}'/exp" for name in names)
    if words:
        yield f"({' OR '.join(_written(words, _embase_words, 'AND'))}):ti,ab,kw"
    if titles:
        yield f"({' OR '.join(_written(titles, _embase_words, 'AND'))}):ti"
    if rest:
        types = [found["text"].lower() for one in rest for found in _PARTS.finditer(one)]
        yield _CHOOSE + " OR ".join(f"'{_quoted(name)}'/exp" for name in types)


def _sorted_items(text: str) -> tuple[list[str], list[str], list[str], list[str]]:
    """The alternatives of a line: headings, words of title and abstract, words of titles, types."""
    sorts: dict[str, list[str]] = {"heading": [], "words": [], "title": [], "type": []}
    for item in (found[0] for found in _ITEM.finditer(text)):
        first = _PARTS.search(item)
        field = first["field"] if first else ""
        kind = {terms.HEADING: "heading", terms.MAJOR: "heading", terms.ABSTRACT: "words", terms.TITLE: "title"}
        sorts[kind.get(field, "type")].append(item)
    return sorts["heading"], sorts["words"], sorts["title"], sorts["type"]


def _ovid_heading(item: str) -> str:
    """``exp Heart Failure/``; as a main point ``exp *Heart Failure/``; one heading without another."""
    written = [f"exp {'*' if one['field'] == terms.MAJOR else ''}{one['text']}/" for one in _PARTS.finditer(item)]
    return f"({' not '.join(written)})" if len(written) > 1 else written[0]


def _written(items: Iterable[str], write: Write, operator: str) -> list[str]:
    """Each item in another syntax, words that belong together joined."""
    results = []
    for item in items:
        parts = [write(found) for found in _PARTS.finditer(item)]
        results.append(f"({f' {operator} '.join(parts)})" if len(parts) > 1 else parts[0])
    return list(dict.fromkeys(results))


def _ovid_words(found: re.Match[str]) -> str:
    text = found["text"]
    if found["near"]:
        return f"({' adj1 '.join(_WORD.findall(text))})"
    is_plain = _PLAIN.fullmatch(text) and not _OPERATORS & set(text.lower().split())
    return text if is_plain else f'"{text}"'


def _embase_words(found: re.Match[str]) -> str:
    text = found["text"]
    if found["near"]:
        return f"({' NEAR/1 '.join(_WORD.findall(text))})"
    return text if re.fullmatch(r"\w+\*?", text) else f"'{_quoted(text)}'"


def _quoted(text: str) -> str:
    return text.replace("'", "\\'")


def _years(text: str, this_year: int) -> tuple[int, int] | None:
    found = _YEARS.search(text)
    if found is None:
        return None
    first, last = int(found[1]), int(found[2])
    return first, this_year if last == _OPEN_YEAR else last
