"""Events reach each listener while it listens."""

import pytest

from biofact.core import events
from biofact.core.events import DefectFound, StaleAnswered

pytestmark = pytest.mark.quick


def test_each_listener_hears_each_event_in_order():
    first, second = [], []

    with events.subscription(first.append):
        events.emit(DefectFound())
        with events.subscription(second.append):
            events.emit(StaleAnswered("ncbi"))
        events.emit(DefectFound())

    assert first == [DefectFound(), StaleAnswered("ncbi"), DefectFound()]
    assert second == [StaleAnswered("ncbi")]
    assert events.listeners == ()


def test_a_listener_that_is_given_up_takes_no_other_with_it():
    events_heard = []

    with events.subscription(events_heard.append), pytest.raises(KeyError), events.subscription(lambda _: None):
        raise KeyError

    assert events.listeners == ()


def test_the_same_listener_may_listen_twice_and_hears_twice():
    events_heard = []
    listener = events_heard.append

    with events.subscription(listener):
        with events.subscription(listener):
            events.emit(DefectFound())
        events.emit(DefectFound())

    assert len(events_heard) == 3
