"""What each caller of a hosted gateway may use: the host's quotas, and how they refuse."""

import math
from collections.abc import Awaitable, Callable
from dataclasses import dataclass

from biofact.core import call, events
from biofact.core.errors import RateLimited, RetryAfter, WrongSetting
from biofact.core.events import QuotaReached
from biofact.core.settings import Setting, Settings, declare, setting_faults
from biofact.transport.quota import Charge, step
from biofact.transport.service import DAY

_MIB = 2**20


@dataclass(frozen=True, slots=True)
class Quota:
    """A bound on what each caller uses."""

    kind: str
    setting: Setting
    window: float
    """In seconds, in any of which the bound holds."""
    what: str
    """It is counted, in words."""
    bound: str
    """How much of it, with the number left open."""
    unit: int = 1
    """How much is counted for one of the setting's."""

    def is_one_step(self, first: float, second: float) -> bool:
        """Whether what is counted at one of two times counts until the same moment as what is counted at the other."""
        return step(first, self.window) == step(second, self.window)


CALLS = Quota(
    "calls",
    declare(
        Setting(
            "BIOFACT_CALLS_PER_MINUTE",
            "Calls that each token's owner may make in a minute; else any number.",
            example="600",
        )
    ),
    60.0,
    "calls",
    "{} a minute",
)
MODEL_TOKENS = Quota(
    "model_tokens",
    declare(
        Setting(
            "BIOFACT_MODEL_TOKENS_PER_DAY",
            "Tokens of the configured language model that each token's owner may use in a day; else any number.",
            example="200000",
        )
    ),
    DAY,
    "model tokens",
    "{} a day",
)
COLLECTIONS = Quota(
    "collections",
    declare(
        Setting(
            "BIOFACT_COLLECTIONS_MIB",
            "MiB that the collections of each token's owner may take, in the week they are kept; else any number.",
            example="100",
        )
    ),
    7 * DAY,
    "collections",
    "{} MiB a week",
    _MIB,
)
SETTINGS = tuple(quota.setting for quota in (CALLS, MODEL_TOKENS, COLLECTIONS))


class Quotas:
    """The quotas of the call under way: none where its caller is the only one, and none where the host sets none."""

    def __init__(self, settings: Settings, charge: Callable[[Charge], Awaitable[float]]) -> None:
        """``charge`` counts where the budgets are kept; it says in how many seconds a charge fits."""
        self._settings = settings
        self._charge = charge

    async def use(self, quota: Quota, amount: int = 1) -> None:
        """Count what the caller is about to use. With 0 nothing is counted, and something has to be left.

        Raises:
            RateLimited: that is more than they may.
            WrongSetting: the setting is no positive number.
        """
        charge = self._charge_of(quota, amount)
        if charge is None:
            return
        wait = await self._charge(charge)
        if wait:
            events.emit(QuotaReached(quota.kind))
            raise _refusal(quota, self._settings, wait)

    async def count(self, quota: Quota, amount: int) -> None:
        """Count what the caller has used already."""
        charge = self._charge_of(quota, amount, is_used=True)
        if charge is not None and amount:
            await self._charge(charge)

    def holds(self, quota: Quota) -> bool:
        """Whether the caller has this quota."""
        return bool(call.caller().subject) and self._settings.is_set(quota.setting)

    def _charge_of(self, quota: Quota, amount: int, *, is_used: bool = False) -> Charge | None:
        if not self.holds(quota):
            return None
        most = _number(quota, self._settings) * quota.unit
        return Charge(f"{quota.kind}/{call.caller().subject}", amount, most, quota.window, is_used)


def _number(quota: Quota, settings: Settings) -> int:
    name, text = quota.setting.name, settings[quota.setting]
    for fault in setting_faults(settings, (quota.setting,)):
        hint = f"Set {name} to {fault.expected}, or unset it."
        raise WrongSetting(f"The value {text!r:.80} of {name} cannot be read.", hint=hint)
    return int(text)


def _refusal(quota: Quota, settings: Settings, wait: float) -> RateLimited:
    bound = quota.bound.format(f"{_number(quota, settings):,}")
    if wait == math.inf:
        return RateLimited(
            f"This alone is more than your quota of {quota.what} on this gateway: {bound}.",
            hint="Ask for less at a time, or ask the gateway's host for more.",
        )
    seconds = math.ceil(wait)
    hint = f"Wait {seconds} second{'s' if seconds > 1 else ''}, then call again, or ask the gateway's host for more."
    message = f"Your quota of {quota.what} on this gateway is used up: {bound}."
    return RateLimited(message, hint=hint, recovery=RetryAfter(seconds))
