"""A small corpus, a scripted model in virtual time, and the state of both after a reading."""

import asyncio
import functools
import json
import shutil
from collections import Counter
from collections.abc import Callable, Sequence
from contextlib import aclosing
from pathlib import Path
from tempfile import TemporaryDirectory, mkdtemp
from typing import Any

from biofact.core.settings import Settings
from biofact.corpus import shards
from biofact.corpus.folder import CorpusFolder
from biofact.corpus.model_reading import ModelReadingEnd, read_by_model
from biofact.corpus.planning import plan
from biofact.corpus.records import CorpusPlan
from biofact.corpus.records import Settings as CorpusSettings
from biofact.literature.endpoint import ModelEndpoint
from biofact.literature.extraction.model_reading import question_articles
from biofact.literature.extraction.schema import ExtractionSchema
from biofact.literature.scoring import ScoringCriteria
from biofact.sandbox.scripted_model import Chat, ScriptedModel, ScriptLine, honest
from biofact.sandbox.server import Incoming, Outgoing
from tests import virtual_time
from tests.in_process import MODEL_PORT, InProcess
from tests.sandboxed import LIFE

SCHEMA = {"sample_size": "integer"}
_ANSWER = honest(ExtractionSchema.read(SCHEMA))
PROBE = "{}"
"""The text that a model is asked without an article, to see whether it answers at all."""
SETTINGS = CorpusSettings(
    extraction_schema=SCHEMA, criteria=ScoringCriteria(weights={"sample_size": 1.0}), reader="scripted"
)


def HONEST(chat: Chat) -> Any:  # noqa: N802  # a line of a script, as others are
    """The facts that the article states, as an honest model answers."""
    return {} if chat.text == PROBE else _ANSWER(chat)


def articles(count: int) -> list[dict[str, Any]]:
    """Articles that each state a size."""
    return [
        {
            "pmid": 1000 + number,
            "title": f"Trial {number}",
            "abstract": f"We randomly assigned {20 + number} patients to song or silence.",
        }
        for number in range(count)
    ]


def make_plan(
    folder: Path, entries: Sequence[dict[str, Any]], *, shard_size: int = 4, settings: CorpusSettings = SETTINGS
) -> CorpusPlan:
    """A plan in ``folder/run`` for a file of these entries, which is ``input_of(folder)``."""
    content = "".join(json.dumps(entry) + "\n" for entry in entries)
    cached_plan = _plan(content, shard_size, settings.model_dump_json())
    shutil.copytree(cached_plan / "run", folder / "run")
    return CorpusFolder(folder / "run").plan()


_PLAN_FOLDER = TemporaryDirectory(prefix="biofact-plans-")


@functools.cache
def _plan(content: str, shard_size: int, settings: str) -> Path:
    """A plan, made once for all tests with the same arguments."""
    folder = Path(mkdtemp(dir=_PLAN_FOLDER.name))
    file = folder / "articles.jsonl"
    file.write_text(content)
    settings_read = CorpusSettings.model_validate_json(settings)
    asyncio.run(plan(folder / "run", [file], settings_read, shard_size=shard_size))
    return folder


def input_of(folder: Path) -> Path:
    """The input file of a plan."""
    return Path(CorpusFolder(folder / "run").plan().files[0].path)


class SlowModel(ScriptedModel):
    """A scripted model that takes time to answer."""

    seconds = 0.0

    async def _route_reply(self, incoming: Incoming) -> Outgoing:
        await asyncio.sleep(self.seconds)
        return await super()._route_reply(incoming)


def read_with_model(
    folder: Path, *script: ScriptLine, limit: int = 4, after: float | None = None, delay: float = 0.0, **options: Any
) -> tuple[ModelReadingEnd, ScriptedModel, float]:
    """The end of the reading of ``folder/run``, the model afterwards, and the seconds it took. The reading is cancelled
    ``after`` this number of seconds, and each answer takes ``delay`` seconds.
    """

    async def read() -> tuple[ModelReadingEnd, ScriptedModel, float]:
        async with aclosing(SlowModel(*script, port=MODEL_PORT)) as scripted:
            scripted.seconds = delay
            model = ModelEndpoint(
                Settings(scripted.environment()), timing=LIFE, network=InProcess(scripted), at_once=limit
            )
            start = virtual_time.now()
            try:
                async with asyncio.timeout(after):
                    end = await read_by_model(folder / "run", model, limit=limit, timing=LIFE, **options)
            except TimeoutError:
                end = None
            finally:
                await model.aclose()
            return end, scripted, virtual_time.now() - start

    return virtual_time.run(read())


def question_counts(model: ScriptedModel) -> Counter[str]:
    """How often the model was asked about each article."""
    return Counter(
        article["id"] for chat in model.chats if chat.text != PROBE for article in question_articles(chat.text)
    )


def lines(folder: Path) -> list[dict[str, Any]]:
    """All lines of the log."""
    return [json.loads(line) for file in log_files(folder) for line in file.read_bytes().splitlines()]


def log_files(folder: Path) -> list[Path]:
    return sorted((folder / "run" / "model").glob("*/*.jsonl"))


def all_rows(folder: Path) -> list[dict[str, Any]]:
    """The rows of all shards that are done."""
    place = CorpusFolder(folder / "run")
    done = [shard.number for shard in place.plan().shards if place.done(shard.number, place.plan().key)]
    return [row for number in done for row in shards.read_rows(place.rows_file(number))]


def shard_bytes(folder: Path) -> dict[str, bytes]:
    """Every file of the shards."""
    return {path.name: path.read_bytes() for path in sorted((folder / "run" / "shards").iterdir())}


def line_about(number: int, line: ScriptLine, *, default: Callable[[Chat], Any] = HONEST) -> Callable[[Chat], Any]:
    """A model that is honest about all articles but one."""

    def answer(chat: Chat) -> Any:
        if f'"PMID:{number}"' in chat.text:
            return line(chat) if callable(line) else line
        return default(chat)

    return answer
