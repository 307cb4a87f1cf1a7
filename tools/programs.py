"""Checks the programs that the documents show with ``mypy --strict``, all in one run."""

import os
import re
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).parents[1]
DOCUMENTS = ("README.md", "docs/cookbook.md", "docs/guide.md")


def programs(text: str) -> list[str]:
    """The blocks of Python that are whole programs: they import what they use."""
    blocks: list[str] = re.findall(r"```python\n(.*?)```", text, re.DOTALL)
    return [block for block in blocks if re.search(r"^(from|import) ", block, re.MULTILINE)]


def check(folder: Path) -> int:
    """Write every program into the folder and check them; the exit code."""
    for document in DOCUMENTS:
        for number, program in enumerate(programs((ROOT / document).read_text("utf-8"))):
            name = re.sub(r"\W", "_", f"{document}_{number}")
            (folder / f"{name}.py").write_text(program, "utf-8")
    command = [sys.executable, "-m", "mypy", "--strict", "--config-file=", "--follow-imports=silent", str(folder)]
    return subprocess.run(command, cwd=ROOT, env=_environment(), check=False).returncode


def _environment() -> dict[str, str]:
    return {**os.environ, "MYPYPATH": str(ROOT / "src")}


def main() -> int:
    """Check the programs of all documents."""
    with tempfile.TemporaryDirectory() as folder:
        return check(Path(folder))


if __name__ == "__main__":
    sys.exit(main())
