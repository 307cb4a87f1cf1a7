"""What holds for the whole suite."""

import gc

from hypothesis import HealthCheck, settings

# How long examples take to make says how busy the machine is, and nothing of the code.
settings.register_profile("any machine", deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.load_profile("any machine")

gc.disable()  # until all tests are there: 13,000 of them make much that lasts and next to no garbage


def pytest_collection_finish() -> None:
    """Spare the garbage collector what lasts as long as the suite does; it looked at that again in every test."""
    gc.collect()
    gc.freeze()
    gc.set_threshold(20_000, 20, 20)
    gc.enable()
