"""References in other people's programs: rispy and pybtex read back what was written, a CSL processor cites it."""

import json
import subprocess
from pathlib import Path

import pytest

from biofact.literature import exports
from tests.extras import needs
from tests.literature.made_ranking import HOSTILE, article, chapter, preprint, retracted, trial

pytestmark = pytest.mark.extras

PYTHON = needs.references()
READ = Path(__file__).parent / "references" / "read.py"
ARTICLES = [
    trial(),
    chapter(),
    preprint(),
    retracted(),
    article(99000009, HOSTILE, authors=["O'Neill-Ça A"], year=2020),
]


@pytest.fixture(scope="module")
def understood(tmp_path_factory):
    folder = tmp_path_factory.mktemp("references")
    files = {"articles.ris": exports.ris(ARTICLES), "articles.bib": exports.bibtex(ARTICLES)}
    for name, text in files.items():
        (folder / name).write_bytes(text.encode())
    command = [PYTHON, READ, *(folder / name for name in files)]
    run = subprocess.run(command, capture_output=True, text=True, check=False)
    assert run.returncode == 0, run.stderr
    return json.loads(run.stdout)


def test_rispy_reads_every_reference_back(understood):
    found = {one["accession_number"]: one for one in understood["rispy"]}

    assert list(found) == [one.pmid for one in ARTICLES]
    first = found["99000001"]
    assert first["type_of_reference"] == "JOUR"
    assert first["title"] == "Synthestatin in <adults> & mortality: a 100% randomized_trial"
    assert first["authors"] == ["Aalto, Maria K", "Müller-Groß, Jörg, Jr", "SYNTH Investigators, Group A"]
    assert (first["year"], first["start_page"], first["end_page"]) == ("2023", "201", "212")
    assert first["doi"] == "10.5555/biofact.99000001"
    assert "Retracted" in " ".join(found["99000004"]["notes"])


def test_pybtex_reads_every_reference_back(understood):
    found = {one["pmid"]: one for one in understood["pybtex"].values()}

    assert set(found) == {one.pmid for one in ARTICLES}
    assert found["99000001"]["authors"] == ["Aalto", "Müller-Groß", "{SYNTH Investigators, Group A}"]
    assert found["99000001"]["year"] == "2023"
    assert [found[one.pmid]["type"] for one in ARTICLES[:3]] == ["article", "incollection", "misc"]
    assert "Retracted" in found["99000004"]["note"]


def test_a_csl_processor_cites_every_reference(understood):
    assert len(understood["csl"]) == len(ARTICLES)
    cited = next(one for one in understood["csl"] if "Synthestatin in" in one)
    assert cited.startswith("Aalto, M.K.")
    assert "2023" in cited
    assert "201" in cited
