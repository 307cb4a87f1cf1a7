"""Files of a folder that another user has prepared: what leads out of it is neither read nor changed."""

import os
import shutil
import stat
from pathlib import Path

import pytest

from biofact.core import folder_files
from biofact.core.folder_files import PART, FolderFile, ForeignFile
from tests.each_of import each_of

pytestmark = [pytest.mark.quick, pytest.mark.skipif(os.name != "posix", reason="links and pipes are POSIX's")]

FOREIGN = b"another's"


@pytest.fixture(params=[True, False], ids=["by descriptor", "by path"])
def root(request, tmp_path, monkeypatch):
    """A folder to prepare, and beside it a foreign file and folder; also as on a system without descriptors."""
    monkeypatch.setattr(folder_files, "_BY_DESCRIPTOR", request.param)
    (tmp_path / "foreign").mkdir()
    (tmp_path / "foreign" / "file").write_bytes(FOREIGN)
    (tmp_path / "root").mkdir()
    return tmp_path / "root"


def link(place: Path) -> None:
    place.symlink_to(place.parent.parent / "foreign" / "file")


def second_name(place: Path) -> None:
    place.hardlink_to(place.parent.parent / "foreign" / "file")


def link_to_nothing(place: Path) -> None:
    place.symlink_to(place.parent.parent / "foreign" / "new")


def pipe(place: Path) -> None:
    os.mkfifo(place)


def foreign_files(root: Path) -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in (root.parent / "foreign").iterdir()}


@each_of("prepare", [link, second_name, link_to_nothing, pipe])
def test_what_leads_out_of_the_folder_is_not_changed(root, prepare):
    place = root / prepare.__name__
    prepare(place)

    with pytest.raises(OSError) as error:  # a pipe without a reader is an error of the system
        os.close(FolderFile.at_path(place).open_to_change(flags=os.O_WRONLY))
    with pytest.raises(FileExistsError):
        FolderFile.at_path(place).create()

    assert isinstance(error.value, ForeignFile) or prepare is pipe
    assert foreign_files(root) == {"file": FOREIGN}


@each_of("prepare", [link, link_to_nothing, pipe])
def test_what_leads_out_of_the_folder_is_not_read(root, prepare):
    place = root / prepare.__name__
    prepare(place)

    with pytest.raises(ForeignFile):
        FolderFile.at_path(place).read_bytes()
    assert FolderFile.at_path(place).exists()
    assert not FolderFile.at_path(place).is_file()


@each_of("prepare", [link, second_name, link_to_nothing, pipe])
def test_a_new_file_takes_the_place_of_what_led_out(root, prepare):
    place = root / prepare.__name__
    prepare(place)

    FolderFile.at_path(place).replace(b"ours")

    assert FolderFile.at_path(place).read_bytes() == place.read_bytes() == b"ours"
    assert foreign_files(root) == {"file": FOREIGN}


@each_of(
    "act",
    [
        lambda folder: folder.entries(),
        lambda folder: folder.make_folder(),
        lambda folder: (folder / "deeper").make_folder(),
        lambda folder: (folder / "file").read_bytes(),
        lambda folder: (folder / "file").unlink(),
        lambda folder: (folder / "file").replace(b""),
        lambda folder: (folder / "new").replace(b""),
        lambda folder: (folder / "new").create(),
        lambda folder: (folder / "file").stat(),
    ],
)
def test_a_folder_within_that_is_a_link_is_not_entered(root, act):
    (root / "inner").unlink(missing_ok=True)
    (root / "inner").symlink_to(root.parent / "foreign")

    with pytest.raises(ForeignFile):
        act(FolderFile(root) / "inner")

    assert not (FolderFile(root) / "inner").is_folder()
    assert not (FolderFile(root) / "inner/file").exists()
    assert foreign_files(root) == {"file": FOREIGN}


def test_the_folder_that_a_user_names_may_be_a_link(root):
    named = root.parent / "named"
    named.symlink_to(root)

    (FolderFile(named) / "deep" / "deeper").make_folder()
    (FolderFile(named) / "deep/deeper/file").replace(b"ours")

    assert (root / "deep" / "deeper" / "file").read_bytes() == b"ours"
    assert [entry.name for entry in (FolderFile(named) / "deep").entries()] == ["deeper"]
    (FolderFile(named) / "deep").remove_folder()
    assert FolderFile(named).entries() == (FolderFile(named) / "none").entries() == []


def test_no_descriptor_stays_open_whatever_is_refused(root):
    before = len(list(Path("/dev/fd").iterdir()))
    link(root / "link")
    second_name(root / "second")
    (root / "inner").symlink_to(root.parent / "foreign")
    folder = FolderFile(root)

    for act in (
        (folder / "link").open,
        (folder / "second").open_to_change,
        (folder / "inner/file").open,
        (folder / "none/file").open,
        (folder / "link").create,
        folder.open,
    ):
        with pytest.raises(OSError):  # each for a reason of its own
            act()

    assert len(list(Path("/dev/fd").iterdir())) == before


def test_a_new_file_has_the_rights_it_is_made_with(root):
    os.close((FolderFile(root) / "private").create(0o600))

    assert stat.S_IMODE((root / "private").stat().st_mode) == 0o600


def test_a_write_that_fails_leaves_the_earlier_file_and_no_part(root):
    (root / "folder").mkdir()

    with pytest.raises(OSError):  # which one, the system decides
        (FolderFile(root) / "folder").replace(b"ours")

    assert [path.name for path in root.iterdir()] == ["folder"]
    assert not list(root.glob(f"{PART}*"))
    shutil.rmtree(root)
