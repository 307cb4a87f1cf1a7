"""NCBI as a service: one budget for every source that speaks E-utilities to it."""

from collections.abc import Mapping

from biofact.core.settings import Setting, Settings, declare
from biofact.dialects.eutils.errors import judge
from biofact.transport.service import Service

API_KEY = declare(
    Setting("NCBI_API_KEY", "Your NCBI API key: 10 requests a second instead of 3.", is_secret=True),
)
EMAIL = declare(
    # Secret too: a mail address has no place in a log or beside a record.
    Setting("BIOFACT_EMAIL", "Your email address, which NCBI asks users of its services to give.", is_secret=True),
)
BASE_URL = declare(
    Setting(
        "BIOFACT_NCBI_URL",
        "Where the E-utilities are.",
        default="https://eutils.ncbi.nlm.nih.gov/entrez/eutils",
    )
)


def _sign(settings: Settings) -> Mapping[str, str]:
    signature = {"tool": "biofact", "email": settings[EMAIL], "api_key": settings[API_KEY]}
    return {name: value for name, value in signature.items() if value}


NCBI = Service(
    name="ncbi",
    title="NCBI E-utilities",
    base_url=BASE_URL,
    per_second=3.0,
    judge=judge,
    form_headers=(),
    key=API_KEY,
    per_second_with_key=10.0,
    sign=_sign,
    licence=(
        "Public domain, subject to NCBI's disclaimer and copyright notice"
        " (https://www.ncbi.nlm.nih.gov/home/about/policies/);"
        " parts by third parties, some abstracts among them, may be copyrighted."
    ),
    probe_path="/einfo.fcgi",
)
"""Rates and duties: NBK25497 of the NCBI Bookshelf (edited 2022-11-17)."""
