"""Texts and addresses without keys, contact details or other secrets. Pure."""

import re
from urllib.parse import quote, quote_plus, urlencode

from biofact.core.settings import Settings
from biofact.transport.service import Request

HIDDEN = "[hidden]"

_LONGEST_URL = 200
_USER = re.compile(r"(?<=//)[^/@\s]*@")
# As a query writes them (api_key=...), and as NCBI's 429 body echoes them ("api-key":"...").
_SIGNATURE = re.compile(r"""(?i)\b((?:api[_-]?key|email|tool)(?:=|"\s*:\s*"))[^&\s"'<>]+""")


def redacted(text: str, settings: Settings) -> str:
    """``text`` with every secret setting, key, e-mail and login blotted out."""
    for secret in settings.secrets():
        for spelling in (secret, quote(secret, safe=""), quote_plus(secret)):
            text = text.replace(spelling, HIDDEN)
    return _SIGNATURE.sub(rf"\1{HIDDEN}", _USER.sub("", text))


def address(request: Request, settings: Settings) -> str:
    """The whole address of a request, unsigned: what the wire adds its signature to."""
    return f"{settings[request.service.base_url].rstrip('/')}/{request.quoted_path.lstrip('/')}"


def shown_url(request: Request, settings: Settings) -> str:
    """What provenance and errors show of a request: redacted, and cut where it lists hundreds of IDs."""
    query = urlencode(request.params, safe=",:")
    url = redacted(address(request, settings) + (f"?{query}" if query else ""), settings)
    return url if len(url) <= _LONGEST_URL else url[: _LONGEST_URL - 3] + "..."
