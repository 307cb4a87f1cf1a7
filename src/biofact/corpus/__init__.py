"""The literature pipeline over millions of articles: shards on one machine, on Dask workers, or as an array of jobs.

    plan, damaged = await corpus.plan(folder, [Path("articles.jsonl")])
    end = await corpus.run(folder)
    ranking = corpus.rank(folder, corpus.RankRequest(max_results=100))
    page = await corpus.report(folder)

Its names are imported when they are first asked for.
"""

import importlib
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from biofact.corpus.dask_engine import DaskEngine as DaskEngine
    from biofact.corpus.folder import Status as Status
    from biofact.corpus.folder import status as status
    from biofact.corpus.model_reading import ModelReadingEnd as ModelReadingEnd
    from biofact.corpus.model_reading import read_by_model as read_by_model
    from biofact.corpus.planning import InputsRefused as InputsRefused
    from biofact.corpus.planning import plan as plan
    from biofact.corpus.ranking import rank as rank
    from biofact.corpus.ranking_files import CorpusRanking as CorpusRanking
    from biofact.corpus.ranking_files import RankingRefused as RankingRefused
    from biofact.corpus.records import CorpusPlan as CorpusPlan
    from biofact.corpus.records import Settings as Settings
    from biofact.corpus.report_page import report as report
    from biofact.corpus.runs import EngineUnavailable as EngineUnavailable
    from biofact.corpus.runs import ProcessEngine as ProcessEngine
    from biofact.corpus.runs import RunEnd as RunEnd
    from biofact.corpus.runs import retry as retry
    from biofact.corpus.runs import run as run
    from biofact.literature.files import FolderRefused as FolderRefused
    from biofact.literature.files import WriteFailed as WriteFailed
    from biofact.literature.ranking.request import RankRequest as RankRequest

_HOMES = {
    "CorpusPlan": "biofact.corpus.records",
    "CorpusRanking": "biofact.corpus.ranking_files",
    "DaskEngine": "biofact.corpus.dask_engine",
    "EngineUnavailable": "biofact.corpus.runs",
    "FolderRefused": "biofact.literature.files",
    "InputsRefused": "biofact.corpus.planning",
    "ModelReadingEnd": "biofact.corpus.model_reading",
    "ProcessEngine": "biofact.corpus.runs",
    "RankRequest": "biofact.literature.ranking.request",
    "RankingRefused": "biofact.corpus.ranking_files",
    "RunEnd": "biofact.corpus.runs",
    "Settings": "biofact.corpus.records",
    "Status": "biofact.corpus.folder",
    "WriteFailed": "biofact.literature.files",
    "plan": "biofact.corpus.planning",
    "rank": "biofact.corpus.ranking",
    "read_by_model": "biofact.corpus.model_reading",
    "report": "biofact.corpus.report_page",
    "retry": "biofact.corpus.runs",
    "run": "biofact.corpus.runs",
    "status": "biofact.corpus.folder",
}

__all__ = list(_HOMES)


def __getattr__(name: str) -> Any:
    if name not in _HOMES:
        raise AttributeError(f"module 'biofact.corpus' has no attribute {name!r}")
    return getattr(importlib.import_module(_HOMES[name]), name)


def __dir__() -> list[str]:
    return list(__all__)
