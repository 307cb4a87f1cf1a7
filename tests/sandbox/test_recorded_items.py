"""Recorded answers that are a part of a file: found by their JSON pointer."""

import json
from pathlib import Path

import pytest

from biofact.sandbox.recordings import Recordings
from biofact.sources.igvf.service import IGVF
from tests.recordings import FOLDER, needs_recordings

pytestmark = pytest.mark.quick

HEADER = "file\tservice\tmethod\tpath\tparams\tstatus\tcontent_type\trecorded\tera\tfidelity\titem\n"
LINE = "a.json\tigvf\tGET\t/api/drugs\t{{}}\t200\t{}\t\ttoday\twrapper\t{}\n"
DOCUMENT = {"/drugs": [{"response": "first"}, {"response": ["second", {"a~b": None}]}], "plain": 1}


def bodies(folder: Path, item: str, content_type: str = "application/json") -> list[bytes]:
    (folder / "a.json").write_text(json.dumps(DOCUMENT))
    (folder / "REQUESTS.tsv").write_text(HEADER + LINE.format(content_type, item))
    return [item.body() for item in Recordings(folder).for_service(IGVF)]


@pytest.mark.parametrize(
    ("item", "answer"),
    [
        ("", DOCUMENT),
        ("/plain", 1),
        ("/~1drugs/0/response", "first"),
        ("/~1drugs/1/response/0", "second"),
        ("/~1drugs/1/response/1/a~0b", None),
    ],
)
def test_an_item_is_cut_out_by_its_pointer(tmp_path: Path, item: str, answer: object) -> None:
    assert [json.loads(body) for body in bodies(tmp_path, item)] == [answer]


def test_an_item_of_what_is_not_json_is_no_answer(tmp_path: Path) -> None:
    assert bodies(tmp_path, "/plain", "text/xml") == []


@needs_recordings
def test_every_recorded_item_is_there() -> None:
    recordings = Recordings(FOLDER, "today").for_service(IGVF)

    assert len(recordings) >= 26
    assert all(json.loads(item.body()) for item in recordings)
