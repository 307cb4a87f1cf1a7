"""Arguments of any length for every tool: refused by work that does not grow with them."""

from contextlib import suppress

import pytest

from biofact.core.errors import BiofactError
from biofact.core.tool import specs_of
from biofact.interfaces import every_source
from tests.work import calls_made

pytestmark = pytest.mark.quick

COUNTS = (1_250, 2_500)
MOST_GROWTH = 200
"""Calls of functions; one for each part of a value would be thousands."""
ROWS = ("texts", "objects")


def long_values(count):
    """Long texts, and lists and objects with many names, none of which exists."""
    names = [f"name {place}" for place in range(count)]
    yield "text", "ab, c:1 " * count
    yield "texts", names
    yield "one text", ["ab, c:1 " * count]
    yield "objects", [{name: 1} for name in names]
    yield "names", dict.fromkeys(names, 1)


def work_of(spec, parameter, value):
    """The functions that are called to read a value of one parameter."""

    def read():
        with suppress(BiofactError):
            spec._read({parameter.name: value})

    return calls_made(read)


def every_parameter(toolset):
    specs = specs_of(every_source.client_class(toolset))
    return [(spec, parameter) for spec in specs for parameter in spec.parameters]


def one_of_each_name(toolset):
    """The last parameter of each name: those of one name are read alike."""
    return list({parameter.name: (spec, parameter) for spec, parameter in every_parameter(toolset)}.values())


def values_by_length(parameters):
    """Each kind of value for each of these parameters, short and long. Rows of an earlier step may be many."""
    for spec, parameter in parameters:
        for (kind, short), (_, long) in zip(*map(long_values, COUNTS), strict=True):
            if not (parameter.is_as_written and kind in ROWS):
                yield spec, parameter, kind, short, long


@pytest.mark.parametrize("choose", [one_of_each_name, pytest.param(every_parameter, marks=pytest.mark.sweep)])
@pytest.mark.parametrize("toolset", every_source.toolsets())
def test_no_argument_is_looked_at_beyond_its_limits(toolset, choose, subtests):
    for spec, parameter, kind, short, long in values_by_length(choose(toolset)):
        with subtests.test(f"{spec.ref} {parameter.name}: {kind}"):
            work_of(spec, parameter, short)  # modules are imported and caches filled from now on
            assert work_of(spec, parameter, long) <= work_of(spec, parameter, short) + MOST_GROWTH
