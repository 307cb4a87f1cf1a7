"""The blocking form of a client is generated from the declarations of the client."""

import sys

import pytest
from tools import sync_modules

from tests.sync.toy import Paint, PaintClient, SlimPaint

pytestmark = pytest.mark.quick

EXPECTED_TEXT = '''\
"""PaintClient, blocking. Written by make docs from tests.sync.toy."""

from collections.abc import Iterator
from typing import Literal, overload

from biofact.core.tool import PageSize
from biofact.sync.blocking import BlockingClient
from biofact.transport.background import each, wait_for
from tests.sync import toy as asynchronous


class PaintClient(BlockingClient):
    _asynchronous = asynchronous.PaintClient
    _client: asynchronous.PaintClient

    @overload
    def get_paint(self, paint_id: str, slim: Literal[False] = ...) -> asynchronous.Paint: ...

    @overload
    def get_paint(self, paint_id: str, slim: Literal[True]) -> asynchronous.SlimPaint: ...

    @overload
    def get_paint(self, paint_id: str, slim: bool = ...) -> asynchronous.Paint | asynchronous.SlimPaint: ...

    def get_paint(self, paint_id: str, slim: bool = False) -> asynchronous.Paint | asynchronous.SlimPaint:
        return wait_for(self._client.get_paint(paint_id, slim))

    def mix(
        self, first: str, second: "str", parts: dict[str, float], *, size: PageSize = 7
    ) -> list[asynchronous.Paint]:
        return wait_for(self._client.mix(first, second, parts, size=size))

    def each_paint(self, finish: asynchronous.Finish | None = None) -> Iterator[asynchronous.Paint]:
        return each(self._client.each_paint(finish))
'''


def test_every_form_of_question_is_written_as_it_is_declared():
    assert sync_modules.module(PaintClient) == EXPECTED_TEXT


def test_the_generated_module_works():
    namespace = {}
    exec(sync_modules.module(PaintClient), namespace)

    with namespace["PaintClient"]() as paints:
        assert paints.get_paint("white") == Paint(id="white")
        assert paints.get_paint("white", slim=True) == SlimPaint(id="white")
        assert list(paints.each_paint("matt")) == [Paint(id="white", finish="matt")]


def test_the_generated_modules_are_in_the_folder(monkeypatch, capsys):
    monkeypatch.setattr(sys, "argv", ["sync_modules.py", "--check"])

    assert sync_modules.main() == 0, capsys.readouterr().err


def test_files_that_are_stale_or_of_no_client_are_named(monkeypatch, capsys, tmp_path):
    (tmp_path / "entrez.py").write_text("old")
    (tmp_path / "gone.py").write_text("of a source that is no more")
    monkeypatch.setattr(sync_modules, "FOLDER", tmp_path)
    monkeypatch.setattr(sync_modules, "ROOT", tmp_path)
    monkeypatch.setattr(sys, "argv", ["sync_modules.py", "--check"])

    assert sync_modules.main() == 1
    assert {"entrez.py is stale: run make docs", "gone.py is stale: run make docs"} <= set(
        capsys.readouterr().err.splitlines()
    )
