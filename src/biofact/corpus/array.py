"""The script by which a SLURM array does the parts of a plan."""

import shlex
from collections.abc import Sequence
from pathlib import Path

from biofact.corpus.records import CorpusPlan
from biofact.literature import files

SCRIPT = "array.sbatch"
"""Its name in the folder of a run."""
AT_ONCE = 50
"""Tasks of an array side by side, so that others have a turn; `sbatch --array` overrules it."""
MEMORY = "1G"
"""Of a task; one process, with room to spare."""


def write_array_script(
    folder: Path,
    plan: CorpusPlan,
    *,
    command: Sequence[str] = ("biofact",),
    at_once: int = AT_ONCE,
    memory: str = MEMORY,
) -> Path:
    """Write ``array.sbatch`` into the folder of a plan, and say where it is.

    ``command`` starts biofact on a node. How many parts there are is the plan's to say: an array that is submitted
    for some of them, because others are done, counts fewer.

    Raises:
        WriteFailed: the system refuses the write.
    """
    path = folder.absolute() / SCRIPT
    files.write(path, array_script(path.parent, plan, command=command, at_once=at_once, memory=memory).encode())
    return path


def array_script(folder: Path, plan: CorpusPlan, *, command: Sequence[str], at_once: int, memory: str) -> str:
    """The text of the script; ``folder`` is its place on every node."""
    run = shlex.join([*command, "corpus", "run", str(folder)])
    return f"""\
#!/bin/bash
# {len(plan.shards):,} shards in {plan.parts:,} parts, a task for each; submit it by sbatch. What is done is not done
# again: submit it once more where tasks were lost, or some with --array=3,17.
#SBATCH --job-name=biofact-corpus
#SBATCH --array=1-{plan.parts}%{min(at_once, plan.parts)}
#SBATCH --ntasks=1
#SBATCH --cpus-per-task=1
#SBATCH --mem={memory}
exec {run} --jobs 1 --part "$SLURM_ARRAY_TASK_ID/{plan.parts}"
"""
