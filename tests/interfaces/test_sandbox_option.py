"""``--sandbox=DIR``: the next command finds the cache of the last one; without a folder nothing is kept."""

import asyncio
import json
import socket
from pathlib import Path

import pytest

from biofact import EntrezClient
from biofact.core.usage import WrongUsage
from biofact.interfaces import sandbox_option
from biofact.interfaces.clients import open_clients
from tests.interfaces.terminal import biofact

pytestmark = pytest.mark.quick


def test_a_word_after_the_bare_flag_is_an_argument(subtests) -> None:
    for words, with_value in [
        (["search-genes", "--sandbox", "BRCA1"], ["search-genes", "--sandbox=true", "BRCA1"]),
        (["--sandbox=box", "BRCA1"], ["--sandbox=box", "BRCA1"]),
        (["a", "--", "--sandbox"], ["a", "--", "--sandbox"]),
    ]:
        with subtests.test(" ".join(words)):
            assert sandbox_option.with_value(words) == with_value


def test_the_next_command_finds_the_cache_of_the_last_one(tmp_path: Path) -> None:
    folder = tmp_path / "new" / "box"

    first = asyncio.run(entries(folder))
    port = (folder / "sandbox-port").read_text()
    second = asyncio.run(entries(folder))

    assert first == (0, 2)  # a summary and a report
    assert second == (2, 2)
    assert (folder / "sandbox-port").read_text() == port


async def entries(folder: Path) -> tuple[int, int]:
    """The number of entries in the cache before and after a gene is requested."""
    async with open_clients(sandbox=folder) as clients:
        before = (await clients.transport.cache.stats()).entries
        await clients.of(EntrezClient).get_gene("NCBIGene:672")
        await clients.transport.cache.flush()
        return before, (await clients.transport.cache.stats()).entries


def test_without_a_folder_a_notice_reports_that_the_collection_is_lost(capsys, monkeypatch, tmp_path: Path) -> None:
    monkeypatch.setenv("BIOFACT_OFFLINE", "")
    search = ("pubmed", "search", "metformin prediabetes", "--format", "tsv")

    bare = biofact(capsys, monkeypatch, *search, "--sandbox")
    result = biofact(capsys, monkeypatch, *search, f"--sandbox={tmp_path}")
    handle = result.stderr.partition("collection: ")[2].split()[0]
    schema = '{"sample_size": "number"}'
    step = biofact(
        capsys, monkeypatch, "pubmed", "extract-features", schema, "--collection", handle, f"--sandbox={tmp_path}"
    )

    assert bare.stderr.count("with --sandbox=DIR in place of --sandbox the next command finds it") == 1
    assert "--sandbox=DIR" not in result.stderr
    assert (step.returncode, len(json.loads(step.stdout)["extractions"])) == (0, 1)


def test_a_port_that_is_taken_is_no_hindrance(tmp_path: Path) -> None:
    with socket.socket() as other:
        other.bind(("127.0.0.1", 0))
        other.listen()
        port = str(other.getsockname()[1])
        (tmp_path / "sandbox-port").write_text(port)

        assert asyncio.run(entries(tmp_path))[1] == 2

    assert (tmp_path / "sandbox-port").read_text() == port


def test_a_file_without_a_port_is_written_again(tmp_path: Path, subtests) -> None:
    for text in ("", "x", "99999", "-1"):
        with subtests.test(repr(text)):
            (tmp_path / "sandbox-port").write_text(text)
            asyncio.run(entries(tmp_path))
            assert 0 < int((tmp_path / "sandbox-port").read_text()) < 65_536


def test_a_path_that_cannot_be_a_folder_is_wrong_usage(tmp_path: Path) -> None:
    file = tmp_path / "file"
    file.write_text("")

    with pytest.raises(WrongUsage, match="cannot be the sandbox's folder"):
        asyncio.run(entries(file))
