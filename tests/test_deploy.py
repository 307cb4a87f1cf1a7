"""Files for hosts: image, services, unit, the registry's entry, the bundle, and the matrix that tries them."""

import importlib.util
import json
import re
import shlex
import tomllib
from pathlib import Path

import pytest
import yaml

from biofact.core.settings import declared_settings
from biofact.interfaces import every_source
from biofact.interfaces.cli.doctor import all_settings
from biofact.interfaces.spelling import Spelling, prefixed

pytestmark = pytest.mark.quick

ROOT = Path(__file__).parents[1]
DEPLOY = ROOT / "deploy"
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
ENTRY = json.loads((ROOT / "server.json").read_text("utf-8"))
COMPOSE = yaml.safe_load((DEPLOY / "compose.yaml").read_text("utf-8"))
UNIT = (DEPLOY / "biofact.service").read_text("utf-8")
WORKFLOW = yaml.safe_load((ROOT / ".github" / "workflows" / "test.yml").read_text("utf-8"))


def steps() -> list[list[tuple[str, str]]]:
    """The instructions of the Dockerfile, stage by stage."""
    lines = (DEPLOY / "Dockerfile").read_text("utf-8").replace("\\\n", " ").splitlines()
    words = [tuple(line.split(None, 1)) for line in lines if line and not line.startswith("#")]
    starts = [number for number, (instruction, _) in enumerate(words) if instruction == "FROM"]
    return [words[start:end] for start, end in zip(starts, [*starts[1:], None], strict=True)]


def values_of(stage, instruction: str) -> list[str]:
    return [arguments for name, arguments in stage if name == instruction]


def test_the_image_runs_as_a_user_with_a_number_who_owns_two_folders():
    image = steps()[-1]

    assert values_of(image, "USER") == ["10001:10001"]
    assert json.loads(values_of(image, "VOLUME")[0]) == ["/var/lib/biofact", "/var/cache/biofact"]
    assert all(json.loads(command) for kind in ("ENTRYPOINT", "CMD") for command in values_of(image, kind))
    assert values_of(image, "STOPSIGNAL") == ["SIGTERM"]
    assert "/healthz" in values_of(image, "HEALTHCHECK")[0]


def test_the_image_takes_from_the_first_stage_what_is_installed_and_nothing_else():
    build, image = steps()

    assert values_of(image, "COPY") == ["--from=build /opt/biofact /opt/biofact"]
    assert values_of(image, "FROM") == [values_of(build, "FROM")[0].removesuffix(" AS build")]


def test_the_files_of_the_image_exist_and_reach_the_builder():
    copied = [source for copy in values_of(steps()[0], "COPY") for source in shlex.split(copy)[:-1]]
    allowed = {line[1:] for line in (ROOT / ".dockerignore").read_text("utf-8").splitlines() if line.startswith("!")}

    assert all((ROOT / source).exists() for source in copied)
    assert set(copied) == allowed


@pytest.mark.parametrize("name", COMPOSE["services"])
def test_a_service_can_change_nothing_but_what_it_is_given(name):
    service = COMPOSE["services"][name]

    assert service["read_only"] is True
    assert service["cap_drop"] == ["ALL"]
    assert service["security_opt"] == ["no-new-privileges:true"]
    assert service.get("mem_limit")


def test_only_the_proxy_can_be_reached_and_redis_by_the_gateway_alone():
    services = COMPOSE["services"]

    assert [name for name, service in services.items() if "ports" in service] == ["proxy"]
    assert services["redis"]["networks"] == ["inside"]
    assert COMPOSE["networks"]["inside"]["internal"] is True
    assert "inside" not in services["proxy"]["networks"]


def test_secrets_are_files_and_stand_in_no_environment():
    secret = {setting.name for setting in all_settings() if setting.is_secret}
    variable_names = [set(service.get("environment", {})) for service in COMPOSE["services"].values()]
    credentials = set(re.findall(r"^LoadCredential=(\w+):", UNIT, re.MULTILINE))

    assert set(COMPOSE["services"]["gateway"]["secrets"]) <= secret
    assert credentials <= secret
    assert not secret & set().union(*variable_names)


def test_the_unit_takes_from_the_service_what_it_does_not_need():
    for line in (
        "NoNewPrivileges=yes",
        "ProtectSystem=strict",
        "ProtectHome=yes",
        "PrivateTmp=yes",
        "CapabilityBoundingSet=",
        "RestrictAddressFamilies=AF_INET AF_INET6 AF_UNIX",
        "SystemCallFilter=@system-service",
        "CacheDirectory=biofact",
        "UMask=0077",
    ):
        assert f"\n{line}\n" in UNIT
    assert re.search(r"^User=biofact$", UNIT, re.MULTILINE)
    assert re.search(r"^MemoryMax=", UNIT, re.MULTILINE)


def test_the_registry_entry_names_this_version_of_this_package():
    (package,) = ENTRY["packages"]

    assert ENTRY["version"] == package["version"] == PROJECT["version"]
    assert package["identifier"] == PROJECT["name"]
    assert package["transport"] == {"type": "stdio"}
    assert "remotes" not in ENTRY
    assert len(ENTRY["description"]) <= 100


def test_the_registry_entry_lists_settings_as_they_are_declared():
    all_settings()  # declares those of every service
    settings_by_name = {setting.name: setting for setting in declared_settings()}

    for variable in ENTRY["packages"][0]["environmentVariables"]:
        setting = settings_by_name[variable["name"]]
        assert variable["description"] == setting.meaning
        assert variable["isSecret"] is setting.is_secret


def test_the_image_has_the_name_that_the_registry_knows():
    labels = dict(pair.split("=", 1) for pair in shlex.split(values_of(steps()[-1], "LABEL")[0]))

    assert labels["io.modelcontextprotocol.server.name"] == ENTRY["name"]


def bundle():
    spec = importlib.util.spec_from_file_location("bundle", ROOT / "tools" / "bundle.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_the_bundle_shows_the_tools_of_the_gateway_under_their_names():
    spelling = Spelling(every_source, prefixed)
    tools = [tool for name in every_source.toolsets() for tool in every_source.listing(name).tools]
    bundle_tools = bundle().manifest()["tools"]

    assert [tool["name"] for tool in bundle_tools] == [spelling.name(tool.ref) for tool in tools]
    assert all(re.fullmatch(r"[A-Z].*[.)]", tool["description"]) for tool in bundle_tools)


def test_the_bundle_asks_for_secrets_as_secrets_and_hands_over_what_it_asks_for():
    manifest = bundle().manifest()
    user_settings = manifest["user_config"]
    environment = manifest["server"]["mcp_config"]["env"]

    assert {name: option["sensitive"] for name, option in user_settings.items()} == {
        "ncbi_api_key": True,
        "email": True,
    }
    assert list(environment.values()) == [f"${{user_config.{name}}}" for name in user_settings]
    assert all(option["default"] == "" and not option["required"] for option in user_settings.values())


def test_the_workflow_may_read_and_runs_nothing_that_can_change_unnoticed():
    (job,) = WORKFLOW["jobs"].values()
    used = [step["uses"] for step in job["steps"] if "uses" in step]

    assert WORKFLOW["permissions"] == {"contents": "read"}
    assert used
    assert all(re.fullmatch(r"actions/[a-z-]+@[0-9a-f]{40}", action) for action in used)
    assert "secrets." not in (ROOT / ".github" / "workflows" / "test.yml").read_text("utf-8")


def test_the_workflow_tries_three_systems_and_the_oldest_python():
    (job,) = WORKFLOW["jobs"].values()
    matrix = job["strategy"]["matrix"]
    python_versions = re.findall(r"Python :: (3\.\d+)$", "\n".join(PROJECT["classifiers"]), re.MULTILINE)

    assert [system.partition("-")[0] for system in matrix["os"]] == ["ubuntu", "windows", "macos"]
    assert set(python_versions) <= set(matrix["python"])
