"""Each field is declared once, in a module of its own, and its examples hold."""

import pytest

from biofact.literature.extraction.fields import FIELDS, read_fields
from biofact.literature.extraction.meanings import canonical_field
from tests.literature.made_articles import article_stating

pytestmark = pytest.mark.quick

EXAMPLES = [(field.name, *example) for field in FIELDS.values() for example in field.examples]


@pytest.mark.parametrize(("name", "abstract", "value"), EXAMPLES)
def test_the_examples_of_a_field_hold(name, abstract, value):
    finding = read_fields(article_stating(abstract), [name]).get(name)

    assert (finding and finding.value) == value


def test_no_name_means_two_fields():
    fields = [field for field in FIELDS.values() if not field.is_row]
    names = [name for field in fields for name in field.all_names]

    assert len(names) == len(set(names))
    assert all(canonical_field(name) == field.name for field in fields for name in field.all_names)
