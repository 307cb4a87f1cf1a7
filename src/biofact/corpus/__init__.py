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
    from biofact.corpus.dask_engine import DaskEngine
    from biofact.corpus.folder import Status, status
    from biofact.corpus.model_reading import ModelReadingEnd, read_by_model
    from biofact.corpus.planning import InputsRefused, plan
    from biofact.corpus.ranking import rank
    from biofact.corpus.ranking_files import CorpusRanking, RankingRefused
    from biofact.corpus.records import CorpusPlan, Settings
    from biofact.corpus.report_page import report
    from biofact.corpus.runs import EngineUnavailable, ProcessEngine, RunEnd, retry, run
    from biofact.literature.files import FolderRefused, WriteFailed
    from biofact.literature.ranking.request import RankRequest

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

__all__ = [
    "CorpusPlan",
    "CorpusRanking",
    "DaskEngine",
    "EngineUnavailable",
    "FolderRefused",
    "InputsRefused",
    "ModelReadingEnd",
    "ProcessEngine",
    "RankRequest",
    "RankingRefused",
    "RunEnd",
    "Settings",
    "Status",
    "WriteFailed",
    "plan",
    "rank",
    "read_by_model",
    "report",
    "retry",
    "run",
    "status",
]


def __getattr__(name: str) -> Any:
    if name not in _HOMES:
        raise AttributeError(f"module 'biofact.corpus' has no attribute {name!r}")
    return getattr(importlib.import_module(_HOMES[name]), name)


def __dir__() -> list[str]:
    return list(__all__)
