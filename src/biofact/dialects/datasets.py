"""NCBI Datasets as a service: reports of genes, small where the XML of E-utilities is large. Pure."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any, Literal

import orjson

from biofact.core.settings import Setting, Settings, declare
from biofact.dialects import json_values
from biofact.dialects.eutils.service import API_KEY
from biofact.dialects.json_splitter import WholeAnswer
from biofact.transport.service import Request, Service, Transient


def _sign_headers(settings: Settings) -> Mapping[str, str]:
    key = settings[API_KEY]
    return {"api-key": key} if key else {}


DATASETS = Service(
    name="ncbi-datasets",
    title="NCBI Datasets",
    base_url=declare(
        Setting(
            "BIOFACT_NCBI_DATASETS_URL",
            "Where NCBI Datasets is, which reports on genes.",
            default="https://api.ncbi.nlm.nih.gov/datasets/v2",
        )
    ),
    per_second=3.0,
    judge=json_values.Judge("message"),
    key=API_KEY,
    per_second_with_key=10.0,
    sign_headers=_sign_headers,
    licence="Public domain, subject to NCBI's disclaimer (https://www.ncbi.nlm.nih.gov/home/about/policies/).",
    probe_path="/version",
)
"""NLM's help pages say 3 a second without a key (KA-05316), the repository's README 5; each service of NCBI counts by
itself."""

LARGEST_GENE_ID = 2**31 - 1
"""GeneIDs are 32-bit integers there; a larger one is refused, with all others of its request."""
_LARGEST_PAGE = 1000
_EMPTY_PAGE = frozenset({"total_count", "messages"})
"""The members of a page without reports; as a rule it has none at all."""


def dataset_reports(uids: Sequence[str]) -> Request:
    """The reports of genes, by bare GeneIDs, 1,000 at most; those that Datasets does not list are left out.

    Source: POST /gene/dataset_report (https://www.ncbi.nlm.nih.gov/datasets/docs/v2/api/rest-api/, read 2026-11-28).
    """
    return _reports("dataset_report", uids)


def product_reports(uids: Sequence[str]) -> Request:
    """The transcripts and proteins of genes, by bare GeneIDs, 1,000 at most: some 3 kB a transcript.

    Source: POST /gene/product_report (https://www.ncbi.nlm.nih.gov/datasets/docs/v2/api/rest-api/, read 2026-11-28).
    """
    return _reports("product_report", uids)


def _reports(kind: str, uids: Sequence[str]) -> Request:
    body = {"gene_ids": [int(uid) for uid in uids], "page_size": _LARGEST_PAGE}
    return Request(DATASETS, f"/gene/{kind}", method="POST", json=body, accept="application/json")


def report_splitter(
    member: Literal["gene", "product"], trim: Callable[[dict[str, Any]], dict[str, Any]]
) -> WholeAnswer:
    """The splitter of reports into genes or their products, each under the GeneID that was requested and is its own.

    ``trim`` leaves out unused parts of one, which are neither kept nor read again. Reports come in another order than
    the IDs, so that they are joined by ``query``. That of another gene, such as one into which the requested was
    merged, answers no ID.
    """
    return WholeAnswer(
        lambda body: [(gene_id, orjson.dumps(trim(record))) for gene_id, record in _records(body, member)]
    )


def _records(body: bytes, member: str) -> Iterator[tuple[str, dict[str, Any]]]:
    page = json_values.document(body)
    if "reports" not in page and page.keys() <= _EMPTY_PAGE:
        return
    for report in json_values.rows(page, "reports"):
        record, query = report.get(member), report.get("query")
        if record is None and (report.get("warnings") or report.get("warning") or report.get("errors")):
            continue  # a discontinued GeneID has a warning in place of a gene
        if not isinstance(record, dict) or not isinstance(query, list):
            raise Transient(f"sent a report without its {member}")
        if isinstance(gene_id := record.get("gene_id"), str) and gene_id in query:
            yield gene_id, record
