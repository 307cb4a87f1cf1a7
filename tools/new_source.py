"""Starts a source: copies the smallest one and its stand-in under a new name, with an empty README."""

import re
import shutil
import sys
from pathlib import Path

PACKAGE = Path(__file__).parents[1] / "src" / "biofact"
SOURCES = PACKAGE / "sources"
SERVICES = PACKAGE / "sandbox" / "services"


def main(arguments: list[str]) -> int:
    """Make the folder that the first argument names."""
    if len(arguments) != 1 or not re.fullmatch(r"[a-z][a-z0-9]*", arguments[0]):
        print("usage: make new-source NAME=ensembl   (lower-case letters and digits)", file=sys.stderr)
        return 2
    name, model = arguments[0], smallest()
    folder = SOURCES / name
    if folder.exists():
        print(f"{folder} exists already.", file=sys.stderr)
        return 1
    ignored = shutil.ignore_patterns("__pycache__", "quality.toml")
    shutil.copytree(model, folder, ignore=ignored)
    shutil.copytree(SERVICES / model.name, SERVICES / name, ignore=ignored)
    for path in (*folder.rglob("*.py"), *(SERVICES / name).rglob("*.py"), folder / "tools.json"):
        path.write_text(renamed(path.read_text(), model.name, name))
    readme = folder / "README.md"
    readme.write_text("\n\n".join([f"# {name}", *re.findall(r"^## .*$", readme.read_text(), re.MULTILINE)]) + "\n")
    print(f"{folder}: a working copy of {model.name}. Follow the six steps in CONTRIBUTING.md from here.")
    return 0


def smallest() -> Path:
    """The source with the fewest lines of code: the easiest to read."""
    folders = [path.parent for path in SOURCES.glob("*/client.py")]
    return min(folders, key=lambda folder: sum(len(path.read_text().splitlines()) for path in folder.glob("*.py")))


def renamed(text: str, old: str, new: str) -> str:
    """The code with one source's name for another's."""
    return text.replace(old, new).replace(old.capitalize(), new.capitalize())


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
