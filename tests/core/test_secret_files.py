"""Settings in files, and what is shown of them."""

import json
import os
import subprocess
import sys

import pytest

from biofact.core.settings import SecretNotRead, Setting, Settings

pytestmark = pytest.mark.quick

KEY = Setting("NCBI_API_KEY", "A key.", is_secret=True)
PLANTED_KEY = "planted-key-7Q"


@pytest.fixture
def folder(tmp_path, monkeypatch):
    monkeypatch.delenv("NCBI_API_KEY", raising=False)
    monkeypatch.setenv("BIOFACT_SECRETS_DIR", str(tmp_path))
    return tmp_path


def test_a_setting_may_stand_in_a_file_of_its_name(folder):
    (folder / "NCBI_API_KEY").write_text(f"{PLANTED_KEY}\n", "utf-8")

    assert Settings()[KEY] == PLANTED_KEY
    assert Settings().is_in_file(KEY)


def test_the_environment_comes_before_a_file_but_an_empty_variable_does_not(folder, monkeypatch):
    (folder / "NCBI_API_KEY").write_text(PLANTED_KEY, "utf-8")

    monkeypatch.setenv("NCBI_API_KEY", " ")
    assert Settings()[KEY] == PLANTED_KEY
    monkeypatch.setenv("NCBI_API_KEY", "of-the-environment")
    assert Settings()[KEY] == "of-the-environment"
    assert not Settings().is_in_file(KEY)


def test_systemd_names_the_folder_if_no_setting_does(folder, monkeypatch):
    (folder / "NCBI_API_KEY").write_text(PLANTED_KEY, "utf-8")
    monkeypatch.delenv("BIOFACT_SECRETS_DIR")
    monkeypatch.setenv("CREDENTIALS_DIRECTORY", str(folder))

    assert Settings()[KEY] == PLANTED_KEY
    monkeypatch.setenv("CREDENTIALS_DIRECTORY", str(folder / "of-a-service-that-has-ended"))
    assert not Settings().is_set(KEY)


def test_other_files_of_the_folder_are_ignored(folder):
    (folder / "PATH").write_text("/elsewhere", "utf-8")
    (folder / "NCBI_KEYS.d").mkdir()

    assert not Settings().is_in_file(Setting("PATH", "Not ours."))


def test_an_empty_file_sets_nothing(folder):
    (folder / "NCBI_API_KEY").write_text("\n", "utf-8")

    assert not Settings().is_set(KEY)
    assert not Settings().is_in_file(KEY)


@pytest.mark.parametrize("content", [None, b"\xff" + PLANTED_KEY.encode()])
def test_a_secret_that_cannot_be_read_is_an_error_without_a_quotation(folder, content):
    (folder / "NCBI_API_KEY").mkdir() if content is None else (folder / "NCBI_API_KEY").write_bytes(content)

    with pytest.raises(SecretNotRead) as error:
        Settings()
    assert "NCBI_API_KEY" in str(error.value)
    assert PLANTED_KEY not in str(error.value)


def test_a_folder_that_is_not_there_is_an_error(folder, monkeypatch):
    monkeypatch.setenv("BIOFACT_SECRETS_DIR", str(folder / "none"))

    with pytest.raises(SecretNotRead, match="none"):
        Settings()


@pytest.mark.processes
def test_the_doctor_says_that_a_value_is_from_a_file_and_does_not_show_it(folder):
    (folder / "NCBI_API_KEY").write_text(PLANTED_KEY, "utf-8")
    command = [sys.executable, "-m", "biofact", "doctor", "--sandbox", "--format", "json"]

    run = subprocess.run(command, capture_output=True, encoding="utf-8", env={**os.environ}, check=False)

    rows = {row["name"]: row for row in json.loads(run.stdout)["settings"]}
    assert (rows["NCBI_API_KEY"]["origin"], rows["NCBI_API_KEY"]["value"]) == ("file", "set")
    assert PLANTED_KEY not in run.stdout + run.stderr
