"""Starts a source: copies the template, a small JSON service and its stand-in, under a new name.

``make new-source NAME=hgnc TITLE=HGNC`` writes three folders, the source's, its stand-in's and its tests', and nothing
else; the title is what sentences call it.
``--check`` writes them into a copy of the package and holds them to types and form, as ``make check`` holds all others.
"""

import re
import shutil
import subprocess
import sys
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path

ROOT = Path(__file__).parents[1]
TEMPLATE = ROOT / "tools" / "source_template"
PLACEHOLDER = "acme"
PLACEHOLDER_DATE = "2026-11-23"
LONGEST_NAME = 12
"""The longest name or title with which the lines of the template stay as short as they have to be."""
_NAME = rf"[a-z][a-z0-9]{{1,{LONGEST_NAME - 1}}}"
_TITLE = rf"[A-Z](?:[A-Za-z0-9-]| (?! |$)){{1,{LONGEST_NAME - 1}}}"
_USAGE = f"""usage: make new-source NAME=hgnc [TITLE=HGNC]
  NAME   2 to {LONGEST_NAME} lower-case letters and digits, a letter first
  TITLE  2 to {LONGEST_NAME} letters, digits, hyphens and blanks, a capital first: what sentences call the source"""


def main(arguments: list[str]) -> int:
    """Write the folders of the source that the first argument names, and the second calls by its title."""
    if arguments == ["--check"]:
        return _check()
    name, *titles = arguments or [""]
    if not re.fullmatch(_NAME, name) or len(titles) > 1 or not all(re.fullmatch(_TITLE, title) for title in titles):
        print(_USAGE, file=sys.stderr)
        return 2
    if folders := [path for path in _folders(name) if (ROOT / path).exists()]:
        print(f"{folders[0]} exists already.", file=sys.stderr)
        return 1
    write(name, ROOT, *titles)
    subprocess.run([sys.executable, ROOT / "tools" / "tool_catalogue.py", name], check=True)
    print(f"A working source, in {', '.join(map(str, _folders(name)))}.")
    print("Next: `make docs check`, which is green; then step 2 in CONTRIBUTING.md. Its dates are today's.")
    return 0


def write(name: str, root: Path, title: str | None = None) -> None:
    """The template's files below ``root``, under a source's name and title, or its name with a capital; dated today."""
    for path in _files():
        target = root / rename(path.relative_to(TEMPLATE).as_posix(), name)
        target.parent.mkdir(parents=True, exist_ok=True)
        text = path.read_text("utf-8").replace(PLACEHOLDER_DATE, datetime.now(UTC).date().isoformat())
        target.write_text(rename(text, name, title), "utf-8")


def rename(text: str, name: str, title: str | None = None) -> str:
    """A text of the template with the name of a source in place of its own, in each letter case, and its title where
    the name stands alone with a capital, as in sentences.
    """
    placeholder_title = PLACEHOLDER.title()
    text = re.sub(rf"\b{placeholder_title}\b", title or _capital(name), text)
    for other, new in ((PLACEHOLDER, name), (PLACEHOLDER.upper(), name.upper()), (placeholder_title, _capital(name))):
        text = text.replace(other, new)
    return text


def _capital(name: str) -> str:
    return name[0].upper() + name[1:]


def _files() -> Iterator[Path]:
    paths = (path for path in sorted(TEMPLATE.rglob("*")) if path.is_file())
    return (path for path in paths if "__pycache__" not in path.parts)


def _folders(name: str) -> tuple[Path, ...]:
    """The folders of a source, below the root."""
    package = Path("src", "biofact")
    return package / "sources" / name, package / "sandbox" / "services" / name, Path("tests", "sources", name)


def _check() -> int:
    """Checks of the template by mypy and ruff, under names as short, as long and as late as names may be."""
    tree = ROOT / "build" / "new-source"
    for folder in ("src", "tests"):
        shutil.rmtree(tree / folder, ignore_errors=True)
    shutil.copytree(ROOT / "src", tree / "src", ignore=shutil.ignore_patterns("__pycache__", "*.tsv", "*.jsonl"))
    shutil.copyfile(ROOT / "pyproject.toml", tree / "pyproject.toml")
    names = ("aa", "z" * LONGEST_NAME)
    for name in names:
        write(name, tree, name.upper())
    folders = [folder for name in names for folder in _folders(name)]
    commands: tuple[tuple[str | Path, ...], ...] = (
        ("mypy", *(folder for folder in folders if folder.parts[0] == "src")),  # its cache stays: seconds the next time
        ("ruff", "format", "--check", "--quiet", *folders),
        ("ruff", "check", "--quiet", *folders),
    )
    return max(subprocess.run([sys.executable, "-m", *words], cwd=tree, check=False).returncode for words in commands)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
