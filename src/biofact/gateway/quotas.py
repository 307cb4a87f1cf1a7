"""Quotas of a hosted gateway's callers: where they are counted, and how they refuse."""

import math
from collections.abc import Awaitable, Callable
from dataclasses import replace

from biofact.core import call, events
from biofact.core.errors import RateLimited, RetryAfter, WrongSetting
from biofact.core.events import QuotaReached
from biofact.core.settings import Settings, setting_faults
from biofact.gateway.counts import Charge, MemoryCounts, charge_in_sqlite
from biofact.gateway.ledger import ReplicaLedger
from biofact.transport.quotas import Quota
from biofact.transport.stack import Transport
from biofact.transport.turns.ledgers import Ledgers, RedisState


def hold_callers(transport: Transport) -> None:
    """Hold the callers of a transport to the quotas that its settings name."""
    counts = QuotaCounts(lambda: transport.budgets.ledgers, transport.timing.wall_clock)
    transport.quotas = CallerQuotas(transport.settings, counts.charge)


class QuotaCounts:
    """Counts of quotas, in the first ledger that works: the one that replicas share, the disk, memory."""

    def __init__(self, ledgers: Callable[[], Ledgers], wall_clock: Callable[[], float]) -> None:
        self._ledgers = ledgers
        self._wall_clock = wall_clock
        self._memory = MemoryCounts()

    async def charge(self, charge: Charge) -> float:
        """The seconds until a charge fits; 0.0 where it is counted.

        Raises:
            WrongSetting: the URL of Redis cannot work, and never did.
        """
        ledgers = self._ledgers()
        shared = ledgers.shared()
        if isinstance(shared, ReplicaLedger):
            wait = await shared.charge(charge)
            if wait is not None:
                return wait
            charge = _replica_charge(charge, shared.state())
        wait = await ledgers.change_on_disk(lambda database: charge_in_sqlite(database, charge, self._wall_clock()))
        return self._memory.charge(charge, self._wall_clock()) if wait is None else wait


def _replica_charge(charge: Charge, state: RedisState | None) -> Charge:
    """The charge to this replica's part of a quota, as long as Redis is lost."""
    share = state.share if state else 0.0
    return replace(charge, limit=max(1, int(charge.limit * share))) if share else charge


class CallerQuotas:
    """The quotas of the call under way: none without a subject, and none without the host's setting."""

    def __init__(self, settings: Settings, charge: Callable[[Charge], Awaitable[float]]) -> None:
        """``charge`` counts where the budgets are kept; it returns the seconds until a charge fits."""
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
        bound = _number(quota, self._settings) * quota.unit
        return Charge(f"{quota.kind}/{call.caller().subject}", amount, bound, quota.window, is_used)


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
            f"This alone is more than your quota of {quota.noun} on this gateway: {bound}.",
            hint="Ask for less at a time, or ask the gateway's host for more.",
        )
    seconds = math.ceil(wait)
    hint = f"Wait {seconds} second{'s' if seconds > 1 else ''}, then call again, or ask the gateway's host for more."
    message = f"Your quota of {quota.noun} on this gateway is used up: {bound}."
    return RateLimited(message, hint=hint, recovery=RetryAfter(seconds))
