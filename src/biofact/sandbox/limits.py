"""Which limit the sandbox keeps for a service: its stand-in's own, with the real service's refusals."""

from collections.abc import Iterable

from biofact.sandbox.standin import Admission, Ask, Limit, Limiting, StandIn


class Unlimited:
    """For services that publish no limit."""

    def admit(self, ask: Ask, caller: str, now: float) -> Admission:  # noqa: ARG002  # as the protocol has it
        """Let everything in."""
        return Admission()


def limit_of(stand_ins: Iterable[StandIn], factor: float = 1.0) -> Limit:
    """The limit of the service that these stand in for, as the first that has one says; ``factor`` multiplies it."""
    limiting = next((one for one in stand_ins if isinstance(one, Limiting)), None)
    return limiting.limit(factor) if limiting else Unlimited()
