"""A quota that is no positive number is an error of configuration, and never ignored."""

import asyncio
import os
import subprocess
import sys

import pytest

from biofact.core.call import Caller, on_behalf_of
from biofact.core.errors import WrongSetting
from biofact.core.settings import Settings
from biofact.gateway.quotas import CallerQuotas
from biofact.transport.quotas import CALLS, SETTINGS

pytestmark = pytest.mark.quick


async def no_charge(charge):
    raise AssertionError


@pytest.mark.processes
@pytest.mark.parametrize("name", [setting.name for setting in SETTINGS])
@pytest.mark.parametrize("value", ["many", "0", "-1", "1.5"])
def test_a_server_does_not_start(name, value, tmp_path):
    command = [sys.executable, "-m", "biofact", "serve", "--http", "127.0.0.1:0"]
    environment = os.environ | {name: value, "BIOFACT_CACHE_DIR": str(tmp_path)}
    done = subprocess.run(command, env=environment, capture_output=True, text=True, timeout=120, check=False)

    assert done.returncode == 2
    assert f"The value '{value}' of {name} cannot be read." in done.stderr
    assert f"Set {name} to a value like" in done.stderr


def test_a_program_that_made_its_own_server_gets_it_with_the_first_call():
    quotas = CallerQuotas(Settings({CALLS.setting.name: "many"}), no_charge)

    with (
        on_behalf_of(Caller(subject="a" * 16)),
        pytest.raises(WrongSetting, match="'many' of BIOFACT_CALLS_PER_MINUTE"),
    ):
        asyncio.run(quotas.use(CALLS))


@pytest.mark.processes
def test_a_server_without_tokens_warns_that_it_counts_no_calls(tmp_path):
    command = [sys.executable, "-m", "biofact", "serve", "--http", "127.0.0.1:0", "--no-auth"]
    environment = os.environ | {CALLS.setting.name: "600", "BIOFACT_CACHE_DIR": str(tmp_path)}
    with subprocess.Popen(command, env=environment, stderr=subprocess.PIPE, text=True) as server:
        lines = [server.stderr.readline() for _ in range(3)]
        server.terminate()

    assert lines[1:] == [
        "Not in use: BIOFACT_CALLS_PER_MINUTE.\n",
        "Callers without tokens cannot be told apart, so they have no quotas.\n",
    ]
