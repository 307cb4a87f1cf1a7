"""Each field is declared once, in a module of its own, and its examples hold."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

import biofact
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


@pytest.mark.processes
def test_the_field_that_the_docs_show_is_one_file(tmp_path):
    """Dropped into a copy of the package, it is read by a schema that names it."""
    docs = (Path(__file__).parents[2] / "docs" / "extraction.md").read_text("utf-8")
    code = docs.partition("```python\n")[2].partition("```")[0]
    package = Path(biofact.__file__).parent
    shutil.copytree(package, tmp_path / "biofact", ignore=shutil.ignore_patterns("__pycache__"))
    (tmp_path / "biofact/literature/extraction/fields/washout.py").write_text(code, "utf-8")
    program = (
        "from biofact.literature.extraction.fields import FIELDS, read_fields\n"
        "from biofact.literature.extraction.rule_reading import RuleReader\n"
        "from biofact.literature.extraction.schema import ExtractionSchema\n"
        "from biofact.sources.pubmed.records import CanonicalPubMedArticle\n"
        "for abstract, value in FIELDS['washout'].examples:\n"
        "    article = CanonicalPubMedArticle(id='PMID:1', title='Zinc', abstract=abstract)\n"
        "    found = read_fields(article, ['washout']).get('washout')\n"
        "    assert (found and found.value) == value, found\n"
        "    reader = RuleReader(ExtractionSchema.read({'washoutPeriod': 'string'}))\n"
        "    print(reader.read(article).extraction)\n"
    )

    run = subprocess.run(
        [sys.executable, "-c", program], env={**os.environ, "PYTHONPATH": str(tmp_path)}, cwd=tmp_path,
        capture_output=True, text=True, check=False,
    )  # fmt: skip

    assert run.stderr == ""
    assert run.stdout == "{'washoutPeriod': '2-week'}\n{}\n"
