"""Backends by which machines share budgets and cache, chosen by the scheme of a URL.

A backend is an entry point of the group ``biofact.shared_backends``, named after the scheme. Entry points are read only
where a URL is set.
"""

import functools
import importlib.metadata
from typing import Any
from urllib.parse import urlsplit

from biofact.core.errors import WrongSetting
from biofact.core.settings import Setting, declare

GROUP = "biofact.shared_backends"

REDIS_URL = declare(
    Setting(
        "BIOFACT_REDIS_URL",
        "Redis URL by which machines share cache and budgets (needs biofact[redis]); else those of one share a folder.",
        is_secret=True,
        example="redis://127.0.0.1:6379/0",
    )
)

_EXAMPLE = "redis://user:password@127.0.0.1:6379/0"


class _NotRegistered(Exception):
    """No backend is registered for the scheme of a URL; the text says why."""


def registered(url: str) -> Any:
    """The backend that is registered for the scheme of a URL; its protocol is the caller's to name.

    Raises:
        WrongSetting: there is none.
    """
    entry_points = _entry_points()
    if not entry_points:
        reason = "this installation of biofact registers no backend, and is older than its code"
        hint = f"Install biofact again (from a clone: pip install -e .), or unset {REDIS_URL.name}."
        raise _refusal(reason, hint)
    scheme = urlsplit(url).scheme
    if scheme not in entry_points.names:
        raise _refusal("its URL cannot be understood", f"Set {REDIS_URL.name} to a value like {_EXAMPLE}, or unset it.")
    return entry_points[scheme].load()


@functools.cache
def _entry_points() -> importlib.metadata.EntryPoints:
    """The registered backends; read once, as that takes longer than Redis may."""
    return importlib.metadata.entry_points(group=GROUP)


def _refusal(reason: str, hint: str) -> WrongSetting:
    error = WrongSetting(f"The Redis of {REDIS_URL.name} cannot be used: {reason}.", hint=hint)
    error.__cause__ = _NotRegistered(reason)  # for ``doctor``, which shows the reason alone
    return error
