"""Bodies to rows. Pure."""

import math
import re
from collections.abc import Callable, Sequence
from http import HTTPStatus
from typing import Any, Literal

import orjson

from biofact.core.errors import AmbiguousQuery, BiofactError, UpstreamError
from biofact.core.records import Notice, noticed
from biofact.dialects.genomic.genomes import chromosome_of
from biofact.dialects.json_values import decimal, loaded, nested_object, number, objects, text, texts
from biofact.sources.igvf.catalog import Endpoint, coordinates
from biofact.sources.igvf.identifiers.forms import place_in_name
from biofact.sources.igvf.service import error_words, says_absent
from biofact.transport.service import Answer, Transient

Row = dict[str, Any]


def is_absence(body: bytes) -> bool:
    """Whether the answer is that the entity to start from does not exist."""
    return says_absent(error_words(body) or "")


def rows(body: bytes, limit: int | None = None) -> list[Row]:
    """The rows of a page, at most ``limit``.

    Raises:
        Transient: it is no list of objects, or has more, and so is not the page that was requested.
    """
    page_rows = loaded(body)
    if not isinstance(page_rows, list) or not all(isinstance(row, dict) for row in page_rows):
        raise Transient("sent no list of rows")
    if limit is not None and len(page_rows) > limit:
        raise Transient(f"sent {len(page_rows)} rows of {limit}")
    return page_rows


def distinct(page_rows: Sequence[Row]) -> list[Row]:
    """The rows without duplicates."""
    return list({orjson.dumps(row, option=orjson.OPT_SORT_KEYS): row for row in page_rows}.values())


def document(body: bytes) -> Row:
    """The one object that some endpoints answer.

    Raises:
        Transient: it is no object.
    """
    value = loaded(body)
    if not isinstance(value, dict):
        raise Transient("sent no object")
    return value


_STRANDS: dict[str | None, Literal[1, -1]] = {"+": 1, "-": -1}


def chromosome(values: dict[str, Any]) -> str | None:
    """``17`` for ``chr17``; ``MT`` for ``chrM``."""
    prefixed = text(values, "chr")
    if prefixed is None:
        return None
    bare = prefixed.removeprefix("chr")
    return "MT" if bare == "M" else bare


def position(values: dict[str, Any], name: str) -> int | None:
    """A coordinate as we count, from 1 and inclusive; None for one whose base is not known."""
    coordinate = number(values, name)
    match coordinates()[name]:
        case "0-based":
            return None if coordinate is None else coordinate + 1
        case "unknown":
            return None
        case _:  # the end of a half-open span is its last base counted from 1
            return coordinate


def place(values: dict[str, Any], *, assembly: str) -> dict[str, Any]:
    """The fields of a record's place; without start and end if it ends before it begins."""
    start, end = (None, None) if is_reversed(values) else (position(values, "start"), position(values, "end"))
    return {
        "chromosome": chromosome(values),
        "start": start,
        "end": end,
        "strand": _STRANDS.get(text(values, "strand")),
        "assembly_name": None if start is None else assembly,
    }


def is_reversed(values: dict[str, Any]) -> bool:
    """Whether something ends before it begins: it is unknown which of them is wrong."""
    start, end = position(values, "start"), position(values, "end")
    return start is not None and end is not None and start > end


def region(values: dict[str, Any]) -> str | None:
    """``chr17:43044295-43125364``, 1-based and inclusive; None if it is not known."""
    stem = "element_" if "element_start" in values else ""
    start, end = position(values, f"{stem}start"), position(values, f"{stem}end")
    name = text(values, f"{stem}chr")
    return f"{name}:{start}-{end}" if name and start and end and start <= end else None


_PMID = re.compile(r"(?:^|[:/])([1-9]\d{0,8})(?:\.0+)?/?$")  # 15451847.0 is a number that went through a table
_WORDS = frozenset({"", "PMID", "PMID:"})
_SEPARATOR = re.compile(r"[\s,;|]+")


def publications(row: Row) -> list[str]:
    """``PMID:...`` of a row, each once: from an address, a number, or a list of these."""
    pmids = [match[1] for text in _pmid_texts(row) if (match := _PMID.search(text))]
    return [f"PMID:{pmid}" for pmid in dict.fromkeys(pmids)]


def unreadable(row: Row) -> list[Notice]:
    """A notice of the publications of a row that are no PMID."""
    wrong = dict.fromkeys(repr(text) for text in _pmid_texts(row) if not _PMID.search(text))
    message = f"Publications that are no PMID, left out: {', '.join(wrong)}." if wrong else None
    return noticed("INVALID_CROSS_REFERENCE", message)


def _pmid_texts(row: Row) -> list[str]:
    fields = (row.get("pmids"), row.get("pmid"), nested_object(row, "study").get("pmid"))
    values = [value for field in fields for value in (field if isinstance(field, list) else [field]) if value]
    return [text for value in values for text in _SEPARATOR.split(str(value).strip()) if text not in _WORDS]


_SPDI = re.compile(r"(?P<sequence>[^:]+):(?P<pos>\d+):(?P<ref>[^:]*):(?P<alt>[^:]*)")
_SUBSTITUTION = re.compile(r"[^:]+:g\.(?P<pos>\d+)(?P<ref>[ACGT])>(?P<alt>[ACGT])")
_RESIDUE = re.compile(r"(?:[^:]+:)?p\.\(?[A-Z][a-z]{2}(?P<pos>\d+)")
_SMALLEST = 1e-300  # smaller values are rounded to the smallest float
_ROUNDING = 0.15  # of a logarithm: p-values come with one digit, too


def mismatches(kind: str, row: Row) -> list[Notice]:
    """Notices of fields of an entity's or association's row that contradict each other."""
    return [notice for check in _CHECKS.get(kind, ()) for notice in noticed("MISMATCH", check(row))]


def _of_place(row: Row) -> str | None:
    """An entity's place beside its own end, or beside the place in its name."""
    start, end = position(row, "start"), position(row, "end")
    if is_reversed(row):
        return _contradiction(f"start {start} above end {end}; both are left out")
    named_region = place_in_name(text(row, "name") or "")
    if named_region is None or start is None or end is None or (named_region.start, named_region.end) == (start, end):
        return None
    return _contradiction(f"place {start}-{end} beside {text(row, 'name')}")


def _of_change(row: Row) -> str | None:
    """The residue of a protein change beside its HGVS."""
    hgvs, residue = _RESIDUE.match(text(row, "hgvsp") or ""), number(row, "aapos")
    if hgvs is None or residue is None or int(hgvs["pos"]) == residue:
        return None
    return _contradiction(f"residue {residue} beside {text(row, 'hgvsp')}")


def _of_counts(row: Row) -> str | None:
    """A study with more cases than people."""
    people, cases = decimal(row, "n_initial"), decimal(row, "n_cases")
    if people is None or cases is None or cases <= people:
        return None
    return _contradiction(f"{cases:g} cases among {people:g} people")


def _of_variant(row: Row) -> str | None:
    """A variant's chromosome, position, alleles and HGVS beside its SPDI."""
    spdi = _SPDI.fullmatch(text(row, "spdi") or text(row, "_id") or "")
    if spdi is None:
        return None
    sequence_chromosome, row_chromosome = chromosome_of(spdi["sequence"]), chromosome(row)
    if sequence_chromosome and row_chromosome and sequence_chromosome[1] != row_chromosome:
        return _contradiction(f"chromosome {row_chromosome} beside {spdi[0]}")
    if not len(spdi["ref"]) == len(spdi["alt"]) == 1:
        return None  # insertions and deletions have a VCF's position and alleles, with a base in front (recorded 2023)
    pos, wrong = number(row, "pos"), []
    if pos is not None and pos != int(spdi["pos"]):
        wrong.append(f"position {pos}")
    wrong += [f"{name} {row[name]}" for name in ("ref", "alt") if text(row, name) not in {None, spdi[name]}]
    hgvs = _SUBSTITUTION.fullmatch(text(row, "hgvs") or "")
    if hgvs and (int(hgvs["pos"]) - 1, hgvs["ref"], hgvs["alt"]) != (int(spdi["pos"]), spdi["ref"], spdi["alt"]):
        wrong.append(hgvs[0])
    return _contradiction(f"{', '.join(wrong)} beside {spdi[0]}") if wrong else None


def _of_p_values(row: Row) -> str | None:
    p, logarithm = decimal(row, "p_value"), decimal(row, "neg_log10_pvalue")
    if p is not None and logarithm is None and not 0 < p <= 1:
        return f"A p-value of {p:g} is none, and left out."
    if logarithm is not None and logarithm < 0:
        return f"A p-value with -log10(p) {logarithm:g} is none, and left out."
    if p is None or logarithm is None or p < _SMALLEST or abs(-math.log10(p) - logarithm) <= _ROUNDING:
        return None
    return _contradiction(f"p {p:g} beside -log10(p) {logarithm:g}, which is shown")


def _of_pairs(row: Row) -> str | None:
    """In linkage disequilibrium, the alleles of a variant beside those of its SPDI."""
    wrong = []
    for end in ("variant_1", "variant_2"):
        pair, spdi = text(row, f"{end}_base_pair"), _SPDI.fullmatch(text(row, f"{end}_spdi") or "")
        is_substitution = spdi is not None and len(spdi["ref"]) == len(spdi["alt"]) == 1  # a pair is a VCF's otherwise
        if pair and spdi and is_substitution and pair != f"{spdi['ref']}:{spdi['alt']}":
            wrong.append(f"alleles {pair} beside {spdi[0]}")
    return _contradiction("; ".join(wrong)) if wrong else None


def _of_symbols(row: Row) -> str | None:
    gene, symbol = nested_object(row, "gene"), text(row, "gene_symbol") or text(row, "gene_name")
    name = text(gene, "name")
    if symbol is None or name in {None, symbol} or symbol in texts(gene, "synonyms"):
        return None
    return _contradiction(f"gene {symbol} beside {name} ({gene.get('_id')})")


def _contradiction(details: str) -> str:
    return f"The row contradicts itself: {details}."


_CHECKS: dict[str, tuple[Callable[[Row], str | None], ...]] = {
    "gene": (_of_place,),
    "transcript": (_of_place,),
    "element": (_of_place,),
    "variant": (_of_variant,),
    "coding_variant": (_of_change,),
    "study": (_of_counts,),
    "association": (_of_p_values, _of_pairs, _of_symbols),
}


_MISSING_PARAMETER = re.compile(r"(?i)must be defined|is required|only one of")
_PARAMETER_NAMES = re.compile(r"At least one of [^:]*: (.*)|^(\w+ or \w+) (?:must be defined|is required)")
_TODAY = {
    "/diseases/genes": {"term_name": "disease_name"},
    "/diseases/variants": {"term_name": "disease_name"},
    "/genes/genomic-elements": {"name": "gene_name", "alias": "synonym"},
    "/genes/variants": {"alias": "synonym"},
    "/proteins/complexes": {"name": "protein_name"},
}
"""Names of parameters in refusals (audit of 2026) that the service has given up since."""
_VALID = re.compile(r"'([^']*)'")


def refusal(endpoint: Endpoint, answer: Answer, parameters: object = None) -> BiofactError:
    """A 400 as an error that names the valid values, or the parameters one of which is needed."""
    try:
        body = document(answer.body) if answer.status == HTTPStatus.BAD_REQUEST else None
    except Transient:
        body = None
    if body is None:
        return UpstreamError(
            f"The IGVF Catalog refused {endpoint.path} (HTTP {answer.status}).",
            hint="Set IGVF_CATALOG_API_URL to where the Catalog is, or call again later.",
        )
    if issues := objects(body, "issues"):
        return _of_issue(endpoint, issues[0], parameters)
    return _in_words(endpoint, text(body, "message") or "nothing", parameters)


def _in_words(endpoint: Endpoint, words: str, parameters: object) -> BiofactError:
    if _MISSING_PARAMETER.search(words):
        starts = [start.parameter for start in endpoint.starts]
        needed = endpoint.needs or endpoint.required or starts or endpoint.parameters
        names = _parameter_names(endpoint, words) or needed
        return AmbiguousQuery(
            f"The IGVF Catalog's {endpoint.path} needs more: {words}",
            hint=f"Give one of {', '.join(names)}.",
            invalid_input=parameters,
        )
    if "region" in words.lower() or "query range" in words or "cannot define both" in words:
        return AmbiguousQuery(f"The IGVF Catalog refused: {words}", hint=words, invalid_input=parameters)
    return UpstreamError(f"The IGVF Catalog's {endpoint.path} refused the question: {words}", hint="Report it.")


def _parameter_names(endpoint: Endpoint, words: str) -> tuple[str, ...]:
    """The parameters that a refusal names, by their names of today."""
    match = _PARAMETER_NAMES.search(words)
    if match is None:
        return ()
    names = re.findall(r"\w+", match[1] or match[2])
    today = [_TODAY.get(endpoint.path, {}).get(name, name) for name in names]
    return tuple(name for name in today if name in endpoint.parameters)


def _of_issue(endpoint: Endpoint, issue: Row, parameters: object) -> AmbiguousQuery:
    name = next(iter(str(part) for part in issue.get("path") or ()), "a parameter")
    valid = texts(issue, "options") or _VALID.findall(text(issue, "expected") or "")
    received = text(issue, "received")
    if received == "undefined":
        hint = f"Give {name}" + (f" as one of {', '.join(valid)}." if valid else ".")
        message = f"The IGVF Catalog's {endpoint.path} needs {name}."
        return AmbiguousQuery(message, hint=hint, invalid_input=parameters)
    message = f"The IGVF Catalog's {endpoint.path} does not take {name} {received!r:.80}: {text(issue, 'message')}."
    expected = f"Give {name} as {text(issue, 'expected') or 'it asks'}."
    hint = f"Valid for {name}: {', '.join(valid)}." if valid else expected
    return AmbiguousQuery(message, hint=hint, invalid_input=parameters)
