"""The quotas of a hosted gateway's callers, as the places that count name them. The gateway enforces them."""

from dataclasses import dataclass
from typing import Protocol

from biofact.core.settings import Setting, declare
from biofact.transport.service import DAY

_MIB = 2**20

STEPS = 12
"""Into which a window is divided. A use counts from its step on until a window after the end of that step."""


def step(time: float, window: float) -> int:
    """The number of the step at a time, counted from the epoch."""
    return int(time * STEPS // window)


@dataclass(frozen=True, slots=True)
class Quota:
    """A bound on the use that each caller makes of something."""

    kind: str
    setting: Setting
    window: float
    """In seconds; the bound holds in any window."""
    noun: str
    """The counted thing, in words."""
    bound: str
    """The bound in words, with a place for the number."""
    unit: int = 1
    """The amount counted for one unit of the setting."""

    def is_one_step(self, first: float, second: float) -> bool:
        """Whether uses at these two times stop counting at the same moment."""
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


class Quotas(Protocol):
    """The quotas of the call under way."""

    async def use(self, quota: Quota, amount: int = 1) -> None:
        """Count what the caller is about to use. With 0 nothing is counted, and something has to be left.

        Raises:
            RateLimited: that is more than they may.
            WrongSetting: the setting is no positive number.
        """

    async def count(self, quota: Quota, amount: int) -> None:
        """Count what the caller has used already."""

    def holds(self, quota: Quota) -> bool:
        """Whether the caller has this quota."""


class NoQuotas:
    """The quotas of a program that is its own only caller: none."""

    async def use(self, quota: Quota, amount: int = 1) -> None:
        """Count nothing."""

    async def count(self, quota: Quota, amount: int) -> None:
        """Count nothing."""

    def holds(self, quota: Quota) -> bool:  # noqa: ARG002
        """False: no caller has one."""
        return False
