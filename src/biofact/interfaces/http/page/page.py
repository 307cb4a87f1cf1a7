"""The page as it is sent: one document with its style and script inside, the same for everybody, without any state."""

import base64
import functools
import hashlib
from pathlib import Path

from biofact.core.page_style import PAGE_STYLE

_FOLDER = Path(__file__).parent
_SCRIPTS = ("elements", "gateway", "arguments", "answer", "provenance", "tools", "state", "start")
"""In the order in which each needs those before it."""


@functools.cache
def page() -> bytes:
    """The document."""
    html = (_FOLDER / "page.html").read_text("utf-8")
    return html.replace("/* style */", _style()).replace("/* script */", _script()).encode()


@functools.cache
def headers() -> dict[str, str]:
    """How a browser is to hold it: it runs its own script alone, asks its own server alone, and nobody frames it."""
    policy = (
        "default-src 'none'",
        f"script-src {_source(_script())}",
        f"style-src {_source(_style())}",
        "connect-src 'self'",
        "img-src data:",
        "base-uri 'none'",
        "form-action 'none'",
        "frame-ancestors 'none'",
        "require-trusted-types-for 'script'",
        "trusted-types 'none'",
    )
    return {"Content-Security-Policy": "; ".join(policy), "X-Frame-Options": "DENY", **PRIVATE}


PRIVATE = {
    "Cache-Control": "no-store",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Referrer-Policy": "no-referrer",
    "X-Content-Type-Options": "nosniff",
}
"""Headers of all that is shown here: for this page, and for nobody's cache."""


@functools.cache
def _style() -> str:
    return PAGE_STYLE + (_FOLDER / "style.css").read_text("utf-8")


@functools.cache
def _script() -> str:
    parts = ((_FOLDER / "script" / f"{name}.js").read_text("utf-8") for name in _SCRIPTS)
    return '"use strict";\n{\n' + "\n".join(parts) + "}\n"


def _source(text: str) -> str:
    """The source expression of what stands between two tags."""
    return f"'sha256-{base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()}'"
