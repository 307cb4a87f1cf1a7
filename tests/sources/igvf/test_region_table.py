"""The recovery from the refusal of a region, for each line of the table of regions."""

import pytest

from biofact.core.errors import AmbiguousQuery
from biofact.sources.igvf.identifiers.forms import read_region
from tests.dialects.genomic.test_regions import REFUSED
from tests.each_of import each_of

pytestmark = pytest.mark.quick


def refusal(text, organism="human"):
    with pytest.raises(AmbiguousQuery) as raises:
        read_region(text, organism)
    return raises.value


@each_of(("text", "organism", "recovery"), REFUSED)
def test_a_text_that_is_no_region_is_refused_with_the_likely_one(text, organism, recovery):
    error = refusal(text, organism)

    assert error.invalid_input == text
    assert error.hint.endswith(".")
    assert recovery_line(error.recovery) == recovery


@each_of(("text", "organism", "recovery"), [row for row in REFUSED if row[2] and not row[2].startswith("id=")])
def test_the_recovery_leads_to_a_region(text, organism, recovery):
    arguments = refusal(text, organism).recovery.arguments

    assert read_region(arguments["region"], arguments.get("organism", "human")).length >= 1


def recovery_line(recovery):
    """A recovery as the table writes it."""
    if recovery is None:
        return ""
    arguments = dict(recovery.arguments)
    if str(recovery.tool) == "igvf.get_entity":
        return f"id={arguments['id']}"
    assert str(recovery.tool) == "igvf.search_region"
    return " ".join(filter(None, (arguments.get("organism"), arguments["region"])))


@pytest.mark.parametrize(
    ("text", "hint"),
    [
        ("17-43045711-T-C", "Call igvf.get_entity for it."),
        ("BRCA1", "asked for with igvf.get_entity, which tells where it is."),
    ],
)
def test_an_entity_that_is_no_region_leads_to_the_tool_for_it(text, hint):
    error = refusal(text)

    assert error.hint.endswith(hint)
    assert str(error.recovery.tool) == "igvf.get_entity"
