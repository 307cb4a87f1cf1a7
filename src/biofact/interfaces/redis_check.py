"""What is asked of Redis before anything begins: whether it can work as it is set."""

from biofact.core.errors import WrongSetting
from biofact.core.settings import Settings
from biofact.core.usage import WrongUsage
from biofact.transport import redis_link


def check_redis(settings: Settings) -> None:
    """Do nothing where no Redis is set, or one that answers, or may do so later.

    Raises:
        WrongUsage: nothing at its URL ever will, as it is set.
    """
    if url := settings[redis_link.REDIS_URL]:
        try:
            redis_link.check(url)
        except WrongSetting as wrong:
            raise WrongUsage(wrong.message, hint=wrong.hint) from wrong
