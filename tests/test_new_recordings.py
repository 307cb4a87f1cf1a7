"""A new recording, or one with unknown keys, fails no test but the one that checks recordings."""

import csv
import json
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from tests.recordings import FOLDER, needs_recordings

pytestmark = [pytest.mark.processes, needs_recordings]

ROOT = Path(__file__).parents[1]
SERVICES = ("chembl", "ensembl", "entrez", "igvf", "pubmed")
OF_EACH = 8
"""New recordings of a service, of those that answer a request and of the others."""
WITHOUT_A_RECORD = "entrez/efetch_gene_9606_SECONDARY_replaced_by_8666_single_Entrezgene_root.xml"
READS_THE_FOLDER = re.compile(r"FOLDER.*glob\(|MANIFEST\.tsv|REQUESTS\.tsv|Recordings\(FOLDER|recorded_rows\(FOLDER")


def with_unknown_keys(value):
    """The same document with one more key in each row; objects keyed by ID are unchanged."""
    if isinstance(value, list):
        return [with_unknown_keys(item) for item in value]
    if not isinstance(value, dict):
        return value
    parts = {name: with_unknown_keys(item) for name, item in value.items()}
    is_row = sum(not isinstance(item, dict | list) for item in value.values()) >= 3
    return {**parts, "unheard_of": "new"} if is_row else parts


def table(name):
    with (FOLDER / name).open(encoding="utf-8", newline="") as lines:
        return list(csv.DictReader(lines, delimiter="\t", quoting=csv.QUOTE_NONE))


def new_recordings():
    """Name and body of each, and the rows for it in the tables."""
    requests = {row["file"]: row for row in table("REQUESTS.tsv") if row["params"].startswith("{")}
    counts = {}
    for row in table("MANIFEST.tsv"):
        service, _, file = row["path"].partition("/")
        request = requests.get(row["path"])
        group = service, request is None
        is_row = service in SERVICES and file.endswith(".json") and "429" not in file
        if row["path"] == WITHOUT_A_RECORD or (is_row and counts.get(group, 0) < OF_EACH):
            counts[group] = counts.get(group, 0) + 1
            body = (FOLDER / row["path"]).read_bytes()
            yield f"{service}/zz_{file}", changed(body) if is_row else body, row, request


def changed(body):
    return json.dumps(with_unknown_keys(json.loads(body))).encode()


@pytest.fixture(scope="module")
def grown_folder(tmp_path_factory):
    """The folder of recordings with new ones in it."""
    folder = tmp_path_factory.mktemp("grown") / "upstream"
    for path in FOLDER.rglob("*"):
        target = folder / path.relative_to(FOLDER)
        target.parent.mkdir(parents=True, exist_ok=True)
        if path.is_file() and path.parent != FOLDER:
            target.symlink_to(path)
    added = {"MANIFEST.tsv": [], "REQUESTS.tsv": []}
    for name, body, row, request in new_recordings():
        (folder / name).write_bytes(body)
        added["MANIFEST.tsv"].append({**row, "path": name, "bytes": str(len(body))})
        if request is not None:
            params = json.dumps({**json.loads(request["params"]), "zz_new": "1"})
            added["REQUESTS.tsv"].append({**request, "file": name, "params": params})
    for name, rows in added.items():
        lines = ["\t".join(value or "" for value in row.values()) for row in rows]
        (folder / name).write_text("\n".join([(FOLDER / name).read_text("utf-8").rstrip("\n"), *lines, ""]), "utf-8")
    return folder


def test_only_the_test_of_unread_records_fails_and_says_what_to_do(grown_folder):
    files = [path for path in (ROOT / "tests").rglob("test_*.py") if READS_THE_FOLDER.search(path.read_text("utf-8"))]
    files = sorted(str(path) for path in files if "extras" not in path.parts and path != Path(__file__))
    command = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", "--tb=short", "--tier", "quick"]
    environment = {**os.environ, "BIOFACT_RECORDINGS": str(grown_folder), "BIOFACT_REQUIRE_RECORDINGS": "1"}

    done = subprocess.run(
        [*command, *files], cwd=ROOT, env=environment, capture_output=True, text=True, timeout=600, check=False
    )

    failed = re.findall(r"^(?:FAILED|SUBFAILED\S*|ERROR) (tests\S+)", done.stdout, re.MULTILINE)
    assert failed == ["tests/conformance/test_recorded.py::test_every_recorded_record_is_read[entrez-some]"], (
        done.stdout
    )
    assert f"No tool reads {WITHOUT_A_RECORD.replace('/', '/zz_')}: have the parser read it" in done.stdout
    assert len(files) >= 10
