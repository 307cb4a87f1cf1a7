"""Promises for Windows and macOS, as far as any system shows them; CI runs the tests on all three.

``make check`` checks the types of each system, too, and so finds a call that one of them lacks.
"""

import ast
import sys

import pytest

from biofact.transport.private_files import make_private, shared_reason
from tests.package_source import PACKAGE, calls, nodes

pytestmark = pytest.mark.quick

SYSTEM_MODULES = {"fcntl", "grp", "msvcrt", "pwd", "resource", "termios", "tty", "winreg", "_winapi"}
"""Modules that not every system has."""


def imported(node: ast.AST) -> set[str | None]:
    """The modules that a statement imports."""
    if isinstance(node, ast.Import):
        return {alias.name for alias in node.names}
    return {node.module} if isinstance(node, ast.ImportFrom) else set()


def is_guarded(node: ast.stmt, parents: dict[ast.AST, ast.AST]) -> bool:
    """Whether the statement is within a condition on the system."""
    parent = parents.get(node)
    while parent is not None:
        if isinstance(parent, ast.If) and "sys.platform" in ast.unparse(parent.test):
            return True
        parent = parents.get(parent)
    return False


def test_a_module_that_not_every_system_has_is_imported_where_it_is_there():
    unguarded_imports = []
    for file, file_nodes in nodes(
        *(f"{word} {name}" for name in SYSTEM_MODULES for word in ("import", "from"))
    ).items():
        system_imports = [node for node in file_nodes if imported(node) & SYSTEM_MODULES]
        parents = {child: node for node in file_nodes for child in ast.iter_child_nodes(node)} if system_imports else {}
        unguarded_imports += [f"{file}:{node.lineno}" for node in system_imports if not is_guarded(node, parents)]

    assert unguarded_imports == []


def test_a_text_of_the_package_is_read_and_written_in_an_encoding_that_is_named():
    """Also where ruff cannot see that the object is a file: it does not know the type of ``importlib.resources``."""
    unspecified_encodings = []
    for file, call in calls("read_text", "subprocess"):
        keywords = {keyword.arg for keyword in call.keywords}
        name = call.func.attr if isinstance(call.func, ast.Attribute) else ""
        reads = name == "read_text" and not call.args
        starts = keywords & {"text", "universal_newlines"} and ast.unparse(call.func).startswith("subprocess.")
        if (reads or starts) and "encoding" not in keywords:
            unspecified_encodings.append(f"{file}:{call.lineno}")

    assert unspecified_encodings == []


def test_windows_takes_the_name_of_every_file_of_the_package():
    forbidden = set('<>:"|?*\\')
    files = [str(file.relative_to(PACKAGE).as_posix()) for file in PACKAGE.rglob("*") if file.is_file()]

    assert [file for file in files if forbidden & set(file)] == []
    assert len({file.lower() for file in files}) == len(files)  # two that differ in case only are one there


@pytest.mark.skipif(sys.platform == "win32", reason="its files have no rights of others")
def test_rights_of_others_are_looked_at_where_files_have_them(tmp_path, monkeypatch):
    folder = tmp_path / "cache"
    folder.mkdir()
    folder.chmod(0o777)

    assert shared_reason(folder) == "others can write to it"
    monkeypatch.setattr(sys, "platform", "win32")
    make_private(folder / "cache.sqlite")
    assert (folder / "cache.sqlite").exists()
