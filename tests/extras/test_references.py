"""References in other people's programs: rispy and pybtex read them back, a CSL processor cites them."""

import json
import subprocess
from pathlib import Path

import pytest

from biofact.literature import exports
from tests.extras import needs
from tests.literature.made_ranking import HOSTILE, article, chapter, preprint, retracted, trial

pytestmark = pytest.mark.extras

PYTHON = needs.references()
READER_SCRIPT = Path(__file__).parent / "references" / "read.py"
ARTICLES = [
    trial(),
    chapter(),
    preprint(),
    retracted(),
    article(99000009, HOSTILE, authors=["O'Neill-Ça A"], year=2020),
]


@pytest.fixture(scope="module")
def parsed_references(tmp_path_factory):
    folder = tmp_path_factory.mktemp("references")
    files = {"articles.ris": exports.ris(ARTICLES), "articles.bib": exports.bibtex(ARTICLES)}
    for name, text in files.items():
        (folder / name).write_bytes(text.encode())
    command = [PYTHON, READER_SCRIPT, *(folder / name for name in files)]
    run = subprocess.run(command, capture_output=True, text=True, check=False)
    assert run.returncode == 0, run.stderr
    return json.loads(run.stdout)


def test_rispy_reads_every_reference_back(parsed_references):
    references = {reference["accession_number"]: reference for reference in parsed_references["rispy"]}

    assert list(references) == [article.pmid for article in ARTICLES]
    first = references["99000001"]
    assert first["type_of_reference"] == "JOUR"
    assert first["title"] == "Synthestatin in <adults> & mortality: a 100% randomized_trial"
    assert first["authors"] == ["Aalto, Maria K", "Müller-Groß, Jörg, Jr", "SYNTH Investigators, Group A"]
    assert (first["year"], first["start_page"], first["end_page"]) == ("2023", "201", "212")
    assert first["doi"] == "10.5555/biofact.99000001"
    assert "Retracted" in " ".join(references["99000004"]["notes"])


def test_pybtex_reads_every_reference_back(parsed_references):
    references = {reference["pmid"]: reference for reference in parsed_references["pybtex"].values()}

    assert set(references) == {article.pmid for article in ARTICLES}
    assert references["99000001"]["authors"] == ["Aalto", "Müller-Groß", "{SYNTH Investigators, Group A}"]
    assert references["99000001"]["year"] == "2023"
    assert [references[article.pmid]["type"] for article in ARTICLES[:3]] == ["article", "incollection", "misc"]
    assert "Retracted" in references["99000004"]["note"]


def test_a_csl_processor_cites_every_reference(parsed_references):
    assert len(parsed_references["csl"]) == len(ARTICLES)
    cited = next(citation for citation in parsed_references["csl"] if "Synthestatin in" in citation)
    assert cited.startswith("Aalto, M.K.")
    assert "2023" in cited
    assert "201" in cited
