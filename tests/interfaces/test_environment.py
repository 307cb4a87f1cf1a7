"""The doctor's report on the environment: settings and their origins, proxies, certificates, misspellings."""

import ast
import subprocess
import sys
from pathlib import Path
from urllib.request import getproxies

import pytest

from biofact.core.settings import FOLDER, Settings
from biofact.interfaces.cli import doctor
from tests.package_source import PACKAGE, calls

pytestmark = pytest.mark.quick


def by_name(rows):
    return {row["name"]: row for row in rows}


def declared_in_the_code() -> set[str]:
    """The first argument of each ``Setting(...)`` in the package."""
    setting_calls = (
        call
        for _, call in calls("Setting")
        if isinstance(call.func, ast.Name) and call.func.id == "Setting" and call.args
    )
    names = (call.args[0] for call in setting_calls)
    return {FOLDER if isinstance(name, ast.Name) else name.value for name in names}


@pytest.mark.processes
def test_a_fresh_process_knows_every_setting_there_is():
    program = "from biofact.interfaces.cli import doctor as e; "
    program += "print(*[setting.name for setting in (*e.all_settings(), *e.FOR_TESTS)])"
    names = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True).stdout.split()

    assert set(names) == declared_in_the_code()
    assert len(names) == len(set(names)) > 15


def test_each_setting_has_its_origin():
    user_settings = Settings({"BIOFACT_EMAIL": "ann@example.org", "BIOFACT_ICITE_URL": "http://127.0.0.1:1/api"})
    in_force = user_settings.with_changes(
        {"BIOFACT_NCBI_URL": "http://127.0.0.1:2", "BIOFACT_ICITE_URL": "http://127.0.0.1:2"}
    )
    rows = by_name(doctor.setting_rows(in_force, user_settings))

    origins = ("BIOFACT_EMAIL", "BIOFACT_NCBI_URL", "BIOFACT_ICITE_URL", "BIOFACT_LLM_MODEL", "BIOFACT_REDIS_URL")
    assert [(rows[name]["origin"], rows[name]["value"]) for name in origins] == [
        ("environment", "set"),
        ("--sandbox", "http://127.0.0.1:2"),
        ("--sandbox", "http://127.0.0.1:2"),
        ("default", "default"),
        ("default", "not set"),
    ]
    assert "BIOFACT_RECORDINGS" not in rows


def test_no_secret_and_no_login_is_shown():
    settings = Settings({"NCBI_API_KEY": "s3cret", "BIOFACT_NCBI_URL": "https://ann:pass@ncbi.example/s3cret"})
    rows = doctor.setting_rows(settings, settings)

    assert by_name(rows)["BIOFACT_NCBI_URL"]["value"] == "https://ncbi.example/[hidden]"
    assert not any(secret in str(rows) for secret in ("s3cret", "ann", "pass@"))


def test_settings_of_the_tests_are_shown_where_someone_set_them():
    settings = Settings({"BIOFACT_RECORDINGS": "/recordings"})

    assert by_name(doctor.setting_rows(settings, settings))["BIOFACT_RECORDINGS"]["value"] == "/recordings"


def test_a_value_that_cannot_be_read_says_what_is_expected():
    settings = Settings({"BIOFACT_OFFLINE": "perhaps", "BIOFACT_LLM_BASE_URL": "localhost", "BIOFACT_EMAIL": "any"})
    rows = doctor.setting_rows(settings, settings)

    assert {row["name"]: row["expected"] for row in rows if "expected" in row} == {
        "BIOFACT_OFFLINE": "yes or no",
        "BIOFACT_LLM_BASE_URL": "a value like http://127.0.0.1:11434/v1",
    }


@pytest.mark.parametrize(
    ("variables", "name", "origin", "value"),
    [
        ({}, "HTTPS_PROXY", "default", "not set"),
        ({"HTTPS_PROXY": "http://127.0.0.1:3128"}, "HTTPS_PROXY", "environment", "http://127.0.0.1:3128"),
        ({"https_proxy": "http://b:1", "HTTPS_PROXY": "http://a:1"}, "https_proxy", "environment", "http://b:1"),
        ({"ALL_PROXY": "ann:pass@127.0.0.1:1"}, "ALL_PROXY", "environment", "http://127.0.0.1:1"),
        ({"no_proxy": "localhost,.example.org"}, "no_proxy", "environment", "localhost,.example.org"),
        ({"SSL_CERT_FILE": "/certs.pem"}, "SSL_CERT_FILE", "environment", "/certs.pem"),
        ({}, "SSL_CERT_DIR", "default", "the system's"),
    ],
)
def test_proxies_and_certificates_are_those_of_the_http_client(monkeypatch, variables, name, origin, value):
    for variable in ("http", "https", "all", "no"):
        for spelling in (f"{variable}_proxy", f"{variable}_proxy".upper()):
            monkeypatch.delenv(spelling, raising=False)
    for variable, text in variables.items():
        monkeypatch.setenv(variable, text)
    rows = by_name(doctor.network_rows(variables))

    assert (rows[name]["origin"], rows[name]["value"]) == (origin, value)
    assert sorted(row.lower() for row in rows) == sorted(
        [*(f"{scheme}_proxy" for scheme in ("http", "https", "all", "no")), "ssl_cert_file", "ssl_cert_dir"]
    )
    assert set(getproxies()) <= {"http", "https", "all", "no"}


def test_a_misspelled_setting_is_named_with_the_likely_one():
    closest = {
        "BIOFACT_CAHE_DIR": "BIOFACT_CACHE_DIR",
        "biofact_email": "BIOFACT_EMAIL",
        "BIOFACT_LLM_URL": "BIOFACT_LLM_BASE_URL",
        "NCBI_APIKEY": "NCBI_API_KEY",
        "IGVF_CATALOGUE_API_URL": "IGVF_CATALOG_API_URL",
        "BIOFACT_QQQQQQQQQQQQQQQQ": "",
    }

    assert {name: doctor.unknown_rows({name: "1"}) for name in closest} == {
        name: [{"name": name, "closest": setting}] for name, setting in closest.items()
    }


def test_settings_and_other_programs_variables_are_no_slips():
    names = ["BIOFACT_EMAIL", "BIOFACT_RECORDINGS", "NCBI_SETTINGS", "PATH", "API_KEY"]

    assert {name: doctor.unknown_rows({name: "1"}) for name in names} == {name: [] for name in names}


def test_the_installation_names_version_python_platform_and_command():
    rows = {row["name"]: row["value"] for row in doctor.installation_rows()}

    assert list(rows) == ["biofact", "python", "platform", "command", "package"]
    assert sys.executable in rows["python"]
    assert rows["package"] == str(PACKAGE)
    assert Path(rows["command"].split(" -m ")[0]).is_file()
