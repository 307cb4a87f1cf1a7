"""What the service refuses, and what it would take. Pure."""

import re
from http import HTTPStatus

from biofact.core.errors import AmbiguousQuery, BiofactError, UpstreamError
from biofact.dialects.json_values import objects, text, texts
from biofact.sources.igvf.catalog import Endpoint
from biofact.sources.igvf.parse.documents import Row, document
from biofact.transport.service import Answer, Transient

_NEEDED = re.compile(r"(?i)must be defined|is required|only one of")
_NAMED = re.compile(r"At least one of [^:]*: (.*)|^(\w+ or \w+) (?:must be defined|is required)")
_TODAY = {
    "/diseases/genes": {"term_name": "disease_name"},
    "/diseases/variants": {"term_name": "disease_name"},
    "/genes/genomic-elements": {"name": "gene_name", "alias": "synonym"},
    "/genes/variants": {"alias": "synonym"},
    "/proteins/complexes": {"name": "protein_name"},
}
"""Names of parameters in refusals (audit of 2026) that the service has given up since."""
_VALID = re.compile(r"'([^']*)'")


def refusal(endpoint: Endpoint, answer: Answer, given: object = None) -> BiofactError:
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
        return _of_issue(endpoint, issues[0], given)
    return _in_words(endpoint, text(body, "message") or "nothing", given)


def _in_words(endpoint: Endpoint, words: str, given: object) -> BiofactError:
    if _NEEDED.search(words):
        return AmbiguousQuery(
            f"The IGVF Catalog's {endpoint.path} needs more: {words}",
            hint=f"Give one of {', '.join(_named(endpoint, words) or needed(endpoint))}.",
            invalid_input=given,
        )
    if "region" in words.lower() or "query range" in words or "cannot define both" in words:
        return AmbiguousQuery(f"The IGVF Catalog refused: {words}", hint=words, invalid_input=given)
    return UpstreamError(f"The IGVF Catalog's {endpoint.path} refused the question: {words}", hint="Report it.")


def _named(endpoint: Endpoint, words: str) -> tuple[str, ...]:
    """The parameters that a refusal names, by their names of today."""
    found = _NAMED.search(words)
    if found is None:
        return ()
    names = re.findall(r"\w+", found[1] or found[2])
    today = [_TODAY.get(endpoint.path, {}).get(name, name) for name in names]
    return tuple(name for name in today if name in endpoint.parameters)


def needed(endpoint: Endpoint) -> tuple[str, ...]:
    """The parameters one of which an endpoint cannot do without."""
    starts = [start.by for start in endpoint.starts]
    return endpoint.needs or endpoint.required or tuple(starts) or tuple(endpoint.parameters)


def _of_issue(endpoint: Endpoint, issue: Row, given: object) -> AmbiguousQuery:
    name = next(iter(str(part) for part in issue.get("path") or ()), "a parameter")
    valid = texts(issue, "options") or _VALID.findall(text(issue, "expected") or "")
    received = text(issue, "received")
    if received == "undefined":
        hint = f"Give {name}" + (f" as one of {', '.join(valid)}." if valid else ".")
        message = f"The IGVF Catalog's {endpoint.path} needs {name}."
        return AmbiguousQuery(message, hint=hint, invalid_input=given)
    message = f"The IGVF Catalog's {endpoint.path} does not take {name} {received!r:.80}: {text(issue, 'message')}."
    expected = f"Give {name} as {text(issue, 'expected') or 'it asks'}."
    hint = f"Valid for {name}: {', '.join(valid)}." if valid else expected
    return AmbiguousQuery(message, hint=hint, invalid_input=given)
