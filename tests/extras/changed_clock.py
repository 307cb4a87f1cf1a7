"""A clock of the day that a test sets for programs it starts; the time since the start of the machine goes on."""

import subprocess
from pathlib import Path

from tests.extras import needs

COMPILER = needs.compiler()
_SOURCE = Path(__file__).with_suffix(".c")


class ChangedClock:
    """Programs with ``environment`` have this clock, at first the system's."""

    def __init__(self, folder: Path) -> None:
        folder.mkdir(exist_ok=True)
        library = folder / "changed_clock.so"
        subprocess.run([COMPILER, "-shared", "-fPIC", "-O2", "-o", library, _SOURCE], check=True)
        self._offset = folder / "offset"
        self.set(0)
        self.environment = {"LD_PRELOAD": str(library), "CLOCK_OFFSET_FILE": str(self._offset)}

    def set(self, seconds: int) -> None:
        """Let it show as many seconds more than the system's clock, from now on."""
        file = self._offset.with_suffix(".new")
        file.write_text(str(seconds))
        file.replace(self._offset)
