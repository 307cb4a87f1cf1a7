"""Programs that read tables: ``csvcut`` and ``jq`` see the same columns in fifty different answers."""

import json
import subprocess

import pytest

from biofact.sandbox.services.entrez.corpus import starter_genes
from tests import virtual_time
from tests.extras import needs
from tests.interfaces.tool_commands import run_tool, spec
from tests.sandboxed import WHOLE, transported

pytestmark = pytest.mark.extras

PYTHON = needs.tables()
JQ = needs.jq()
GENES = [*sorted((gene.gene_id for gene in starter_genes()), key=int)[:48], "999999991", "x"]


@pytest.fixture(scope="module")
def answers(tmp_path_factory):
    """A folder with an answer in each file: genes that are current, replaced, absent and malformed."""
    folder = tmp_path_factory.mktemp("answers")

    async def ask():
        async with transported(timing=WHOLE) as (transport, _):
            for place, gene in enumerate(GENES):
                for form in ("csv", "jsonl"):
                    file = folder / f"{place:02}.{form}"
                    await run_tool(
                        transport, spec("entrez", "get_gene"), {"entrez_id": [f"NCBIGene:{gene}"]}, output=str(file)
                    )

    virtual_time.run(ask())
    return folder


def lines(*command, folder):
    """The output of a command."""
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=True)
    return done.stdout.splitlines()


def test_csvcut_finds_the_columns_by_name_in_every_file(answers):
    cut = f'for file in *.csv; do "{PYTHON.parent}/csvcut" -c input,symbol,error,message "$file"; done'
    csv_rows = lines("sh", "-ec", cut, folder=answers)

    assert csv_rows.count("input,symbol,error,message") == len(GENES)
    assert [line.split(",")[0] for line in csv_rows if line != "input,symbol,error,message"] == [
        f"NCBIGene:{gene}" for gene in GENES
    ]
    assert "NCBIGene:672,BRCA1,," in csv_rows
    assert any(line.startswith("NCBIGene:x,,UNRESOLVED_ENTITY,") for line in csv_rows)


def test_jq_reads_every_line_and_finds_what_failed(answers):
    json_rows = lines("sh", "-ec", f'"{JQ}" -c "[.input, .symbol, .error.code]" *.jsonl', folder=answers)
    rows = {row[0]: row[1:] for row in map(json.loads, json_rows)}

    assert list(rows) == [f"NCBIGene:{gene}" for gene in GENES]
    assert rows["NCBIGene:672"] == ["BRCA1", None]
    assert rows["NCBIGene:999999991"] == [None, "ENTITY_NOT_FOUND"]
