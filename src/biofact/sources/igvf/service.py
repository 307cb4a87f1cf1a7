"""The IGVF Catalog as a service, and what its answers mean by status and words."""

import re

from biofact.core.settings import Setting, declare
from biofact.dialects import json_values
from biofact.transport.service import Answer, Service, Verdict

_FAILED = re.compile(r"timed? ?out|try again|unavailable", re.IGNORECASE)


def error_words(body: bytes) -> str | None:
    """What an answer says went wrong; None when it is something else. A gateway in front may use a word of its own."""
    return json_values.error_words(body, "message", "error")


def judge(answer: Answer) -> Verdict:
    """What an answer means. A refusal says 400, or 404 where the entity to start from does not exist."""
    return json_values.verdict(answer, error_words(answer.body), _FAILED) or "refused"


IGVF = Service(
    name="igvf",
    title="The IGVF Catalog",
    base_url=declare(
        Setting(
            "IGVF_CATALOG_API_URL",
            "Where the IGVF Catalog is.",
            default="https://api.catalogkg.igvf.org/api",
        )
    ),
    per_second=5.0,
    judge=judge,
    licence="IGVF Catalog data are CC BY 4.0 (https://creativecommons.org/licenses/by/4.0/).",
    probe_path="/genes?gene_id=ENSG00000012048",
)
"""No limit is published; 5 a second is fair use as we read it."""
