"""The IGVF Catalog as a service, with its verdicts on answers by status and message."""

import re
from http import HTTPStatus

from biofact.core.settings import Setting, declare
from biofact.dialects import json_values
from biofact.transport.service import Answer, Service, Verdict

_FAILED = re.compile(r"(?i)timed? ?out|try again|unavailable")
_ABSENT = re.compile(r"(?i)\w+(?: \w+)* not found\.?")  # of an entity; a path is just "Not found"


def error_words(body: bytes) -> str | None:
    """The error message of an answer; None if it has none. A gateway in front may use another field."""
    return json_values.error_words(body, "message", "error")


def says_absent(words: str) -> bool:
    """Whether the service says that the entity to start from does not exist."""
    return _ABSENT.fullmatch(words) is not None


def judge(answer: Answer) -> Verdict:
    """The verdict on an answer. 400 is a refusal; a 404 for an entity that does not exist is a good answer."""
    words = error_words(answer.body)
    if verdict := json_values.verdict(answer, words, _FAILED):
        return verdict
    return "good" if answer.status == HTTPStatus.NOT_FOUND and says_absent(words or "") else "refused"


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
