"""What is asked of Redis before anything begins: whether it can work as it is set."""

from typing import Protocol

from biofact.core.errors import WrongSetting
from biofact.core.settings import Settings
from biofact.core.usage import WrongUsage
from biofact.gateway import link as _link  # noqa: F401  # declares a setting
from biofact.transport.backends import REDIS_URL, registered


class _Backend(Protocol):
    def check(self, url: str) -> None: ...


def check_redis(settings: Settings) -> None:
    """Do nothing where no Redis is set, or one that answers, or may do so later.

    Raises:
        WrongUsage: nothing at its URL ever will, as it is set.
    """
    if url := settings[REDIS_URL]:
        try:
            backend: _Backend = registered(url)
            backend.check(url)
        except WrongSetting as wrong:
            raise WrongUsage(wrong.message, hint=wrong.hint) from wrong
