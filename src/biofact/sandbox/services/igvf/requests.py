"""Requests to the Catalog as they are read, refused where the service refuses them or silently drops a part."""

import functools
import operator
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from biofact.sandbox.services.igvf.corpus import Region
from biofact.sandbox.standin import Refusal, ServiceRequest, json_reply, unknown_parameters
from biofact.sandbox.tables import Row, page
from biofact.sources.igvf.catalog import SPECIES, Endpoint, Type, endpoints

_THESE = "At least one of these properties must be defined"
_THOSE = "At least one of those properties must be defined"
_ONE_OF_VARIANTS = f"{_THESE}: spdi, hgvs, rsid, ca_id, variant_id, region"

_PATHS_BY_MESSAGE = {
    _ONE_OF_VARIANTS: "/variants /variants/freq /variants/genes/summary",
    "Either drug_id or name must be defined.": "/drugs",
    f"{_THESE}: gene_id, hgnc_id, gene_name, region, alias, method, files_fileset": "/genes/variants",
    f"{_ONE_OF_VARIANTS}, method, files_fileset": "/variants/genes",
    f"{_THOSE}: gene_id, hgnc_id, name, alias, method, files_fileset.": "/genes/genomic-elements",
    f"{_THOSE}: region, files_fileset, method.": "/genomic-elements/genes",
    f"{_THESE}: region, method, files_fileset.": "/genomic-elements/variants",
    "At least one variant property or method or files_fileset must be defined.": (
        "/variants/genomic-elements /variants/proteins"
    ),
    "At least one node property for variant must be defined.": (
        "/variants/predictions /variants/predictions-count /variants/genomic-elements/genes"
    ),
    "At least one variant property must be defined.": "/variants/biosamples /variants/variant-ld",
    "At least one parameter must be defined.": (
        "/genomic-elements/biosamples /biosamples/genomic-elements /complexes/proteins"
    ),
    "At least one of gene must be defined.": "/gene-regulatory-network",
    "At least one variant property, or method, or files_filesets must be defined.": "/variants/phenotypes",
    "At least one phenotype property, or method, or files_filesets must be defined.": "/phenotypes/variants",
    "At least one node property for variant / disease must be defined.": "/variants/diseases",
    "disease_id or term_name must be defined.": "/diseases/variants /diseases/genes",
    "At least one gene property must be defined.": (
        "/genes/diseases /genes/genes /genes/pathways /genes/proteins /genes/transcripts /genes/coding-variants/scores"
    ),
    "At least one pathway property must be defined.": "/pathways/genes /pathways/pathways",
    "At least one query parameter must be defined.": "/transcripts/genes",
    "At least one transcript parameter must be defined.": "/transcripts/proteins",
    "At least one protein must be defined.": "/proteins/proteins",
    "At least one of the following parameters must be defined: protein_id, name, uniprot_name or uniprot_full_name.": (
        "/proteins/complexes"
    ),
    "At least one protein property or method or files_fileset must be defined.": "/proteins/variants",
    "At least one node property for variant / drug must be defined.": "/variants/drugs /drugs/variants",
    "At least one coding variant property is required.": "/coding-variants/phenotypes",
    "variant_id or coding_variant_id is required": (
        "/coding-variants/phenotypes/score-summary /variants/phenotypes/score-summary"
    ),
}
MESSAGES: Mapping[str, str] = {path: message for message, paths in _PATHS_BY_MESSAGE.items() for path in paths.split()}
"""The message for a request without any of the required parameters, as recorded or as UPSTREAMS has it."""

ALSO_ENOUGH: Mapping[str, tuple[str, ...]] = {
    "/coding-variants": ("amino_acid_position",),
    "/pathways/genes": ("disease_ontology_terms", "go_biological_process"),
    "/pathways/pathways": ("disease_ontology_terms", "go_biological_process"),
}
"""Parameters that suffice alone (audit of June 2026), contrary to the descriptions."""

ONE_CATEGORY = "Please provide parameters from only one of the four categories: gene, transcript, protein or region"
BOTH_ENDS = "You cannot define both gene and variant inputs."
REGION = (
    'Region format invalid. Please use the format as the example: "chr2:12345-54321". '
    "The end position must be greater than the start position."
)
RANGE = "{} must be a query range using: gte, lte, gt, or lt. For example: lte:0.001"
PHENOTYPE_RANGE = (
    '{} must be a number or a string in the format of "operator:value", where operator can be one of "gt", "gte",'
    ' "lt" or "lte".'
)
NEED_FILTERS = {"/genomic-elements", "/studies"}
"""Endpoints that break when nothing is filtered."""


TOO_WIDE = {10_000: "Region span exceeds 10kb.", 1_000: "Region span exceeds 1kb."}
"""The message about a longer region than an endpoint takes, by bases."""


USUAL_ROWS = 25
_CONTROLS = {"page", "limit", "organism", "verbose"}
_REGION = re.compile(r"(chr\w+):(\d+)-(\d+)")
_NUMBER = r"[-+]?(?:\d+\.?\d*|\.\d+)(?:[eE][-+]?\d+)?"
_RANGE = re.compile(rf"(?:(gte|gt|lte|lt):)?({_NUMBER})")
_COMPARISONS = {"": operator.eq, "gte": operator.ge, "gt": operator.gt, "lte": operator.le, "lt": operator.lt}
_QUOTES = frozenset("'\"\\`")  # in a value they break the service's own queries


@dataclass(frozen=True, slots=True)
class NumberRange:
    """A condition on a number."""

    operator: str
    """Empty: equal."""
    value: float

    def holds(self, number: float) -> bool:
        """Whether a number fulfils it."""
        return bool(_COMPARISONS[self.operator](number, self.value))


@dataclass(frozen=True, slots=True)
class CatalogRequest:
    """A request that the service would not refuse."""

    endpoint: Endpoint
    filters: Mapping[str, str]
    """By parameter."""
    page: int
    """From 0."""
    limit: int
    organism: str
    """In Latin."""
    is_verbose: bool

    @property
    def path(self) -> str:
        """Path of the endpoint."""
        return self.endpoint.path

    @property
    def region(self) -> Region | None:
        """The region of the parameter ``region``, or None without one."""
        match = _REGION.search(self.filters.get("region", ""))
        return Region(self.organism, match[1], int(match[2]), int(match[3])) if match else None

    def page_of(self, rows: Sequence[Row], *, limit: int | None = None) -> list[Row]:
        """The rows of the page."""
        return page(rows, self.page, self.limit if limit is None else limit)


def catalog_refusal(
    message: str, *, status: int = 400, code: str = "BAD_REQUEST", issues: list[Row] | None = None
) -> Refusal:
    """A refusal in the Catalog's form."""
    details = {} if issues is None else {"issues": issues}
    return Refusal(json_reply({"message": message, "code": code, **details}, status=status))


def internal_error() -> Refusal:
    """The refusal when a query breaks in the service."""
    return catalog_refusal("Internal server error", status=500, code="INTERNAL_SERVER_ERROR")


def not_found(message: str) -> Refusal:
    """The refusal of a path or a start that does not exist."""
    return catalog_refusal(message, status=404, code="NOT_FOUND")


def catalog_request(request: ServiceRequest) -> CatalogRequest:
    """The request as it is understood.

    Raises:
        Refusal: the service would refuse it, or silently drop a part of it.
    """
    endpoint = _endpoint(request)
    values = _parameters(request, endpoint)
    issues = list(_issues(endpoint, values))
    if issues:
        raise catalog_refusal("Input validation failed", issues=issues)
    if any(_QUOTES & set(value) for value in values.values()):
        raise internal_error()
    filters = {name: value for name, value in values.items() if name not in _CONTROLS}
    _check_filters(endpoint, filters)
    # 1e2 is a number, too.
    number, limit = int(float(values.get("page", "0"))), int(float(values.get("limit", USUAL_ROWS)))
    if number < 0 or limit < 0:
        raise internal_error()
    return CatalogRequest(
        endpoint=endpoint,
        filters=filters,
        page=number,
        limit=min(limit, endpoint.max_rows or USUAL_ROWS),  # cut silently
        organism=values.get("organism", SPECIES["human"]),
        is_verbose=values.get("verbose") == "true",
    )


def _endpoint(request: ServiceRequest) -> Endpoint:
    path = request.path.removesuffix("/")
    forms = (endpoints()[name] for name, form in _forms() if form.fullmatch(path))
    endpoint = endpoints().get(path) or next(forms, None)
    if endpoint is None or request.method != "GET":
        raise not_found("Not found")
    return endpoint


@functools.cache
def _forms() -> tuple[tuple[str, re.Pattern[str]], ...]:
    """Path patterns of the endpoints with parameters in their path."""
    return tuple((path, re.compile(re.sub(r"\{\w+\}", "[^/]+", path))) for path in endpoints() if "{" in path)


def _parameters(request: ServiceRequest, endpoint: Endpoint) -> dict[str, str]:
    """The parameters, trimmed as the service does."""
    names = [name for name, _ in request.params]
    for name in names:
        if name not in endpoint.parameters:
            words = f"{endpoint.path} has no parameter {name!r:.80}; the real service would ignore it."
            raise unknown_parameters(catalog_refusal(words), [name])
        if names.count(name) > 1:
            raise catalog_refusal(f"{endpoint.path} is given {name} twice; the sandbox takes each parameter once.")
    # Given by the path.
    in_path = dict.fromkeys((name for name in endpoint.required if f"{{{name}}}" in endpoint.path), "-")
    return in_path | {name: value.strip() for name, value in request.params}


def _issues(endpoint: Endpoint, values: Mapping[str, str]) -> Iterator[Row]:
    for name, valid in endpoint.parameters.items():
        issue = _issue(valid, values[name]) if name in values else None
        if name not in values and name in endpoint.required:
            issue = _missing(valid)
        if issue is not None:
            yield {**issue, "path": [name]}


def _issue(valid: Type, value: str) -> Row | None:
    """The issue of an invalid value, or None if it is valid."""
    options = ("true", "false") if valid in {"flag", "boolean"} else valid
    if isinstance(options, tuple) and value not in options:
        message = f"Invalid enum value. Expected {_quoted_options(options)}, received '{value}'"
        return {"received": value, "code": "invalid_enum_value", "options": list(options), "message": message}
    if valid == "number" and not re.fullmatch(_NUMBER, value):
        message = "Expected number, received nan"
        return {"code": "invalid_type", "expected": "number", "received": "nan", "message": message}
    return None


def _missing(valid: Type) -> Row:
    expected = "string" if isinstance(valid, str) else _quoted_options(valid)
    return {"code": "invalid_type", "expected": expected, "received": "undefined", "message": "Required"}


def _quoted_options(options: tuple[str, ...]) -> str:
    return " | ".join(f"'{option}'" for option in options)


def _check_filters(endpoint: Endpoint, filters: Mapping[str, str]) -> None:
    """Refuse what the service refuses after it has read every parameter."""
    names = {name for name, value in filters.items() if (name, value) != ("amino_acid_position", "-1")}
    is_enough = names & {*endpoint.needs, *ALSO_ENOUGH.get(endpoint.path, ())}
    if endpoint.needs and not is_enough and endpoint.path != "/genes-structure":  # which has a message of its own
        raise catalog_refusal(MESSAGES.get(endpoint.path) or f"{_THESE}: {', '.join(endpoint.needs)}.")
    if endpoint.path in NEED_FILTERS and not filters:
        raise internal_error()
    _check_ends(endpoint, filters)
    for name, value in filters.items():
        if endpoint.parameters[name] == "range":
            read_range(endpoint.path, name, value)
    if "region" in filters:
        _check_region(endpoint, filters["region"])


def _check_ends(endpoint: Endpoint, filters: Mapping[str, str]) -> None:
    """Two endpoints take one kind of start at a time."""
    starts = {name.partition("_")[0] for name in filters if name.endswith(("_id", "_name"))}
    if endpoint.path == "/genes-structure" and len(starts | ({"region"} & filters.keys())) != 1:
        raise catalog_refusal(ONE_CATEGORY)
    if endpoint.path == "/qtls":
        kinds = ({"gene_id", "gene_name"}, {"variant_id", "spdi", "rsid", "ca_id"}, {"region"})
        if sum(bool(kind & filters.keys()) for kind in kinds) != 1:
            raise catalog_refusal(BOTH_ENDS)


def read_range(path: str, name: str, value: str) -> NumberRange:
    """A condition on a number, such as ``gte:1.301``.

    Raises:
        Refusal: it is none.
    """
    match = _RANGE.fullmatch(value)
    if match is None:
        is_phenotype = name == "neg_log10_pvalue" and "phenotypes" in path
        raise catalog_refusal((PHENOTYPE_RANGE if is_phenotype else RANGE).format(name))
    return NumberRange(match[1] or "", float(match[2]))


def _check_region(endpoint: Endpoint, region: str) -> None:
    match = _REGION.search(region)
    if match is None or int(match[2]) >= int(match[3]):
        raise catalog_refusal(REGION)
    if endpoint.widest and int(match[3]) - int(match[2]) > endpoint.widest:
        raise catalog_refusal(TOO_WIDE[endpoint.widest])
