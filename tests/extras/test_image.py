"""The image, built by its Dockerfile and run as by a host: read-only, without rights, with tokens (make image)."""

import asyncio
import json
import os
import resource
import socket
import subprocess
import time
import urllib.error
import urllib.request
from pathlib import Path

import pytest
from fastmcp import Client

from tests.extras import needs

pytestmark = pytest.mark.extras

STORAGE = needs.image_storage()
ROOT = Path(__file__).parents[2]
PLACE = ("--root", str(STORAGE / "root"), "--runroot", str(STORAGE / "run"), "--storage-driver", "vfs")
PODMAN = ("podman", *PLACE, "--runtime", "runc", "--cgroup-manager", "cgroupfs", "--events-backend", "file")
FILES = resource.getrlimit(resource.RLIMIT_NOFILE)[1]
NARROW = (
    *("--read-only", "--cap-drop", "ALL", "--security-opt", "no-new-privileges", "--network", "host"),
    *("--ulimit", f"nofile={FILES}:{FILES}", "--ulimit", "nproc=4096:4096"),
)
IMAGE = "localhost/biofact-test"
GATEWAY = "biofact-test"
VOLUMES = ("-v", f"{GATEWAY}-tokens:/var/lib/biofact", "-v", f"{GATEWAY}-cache:/var/cache/biofact")


def done(*words, check=True) -> str:
    environment = os.environ | {"BUILDAH_ISOLATION": "chroot"}
    process = subprocess.run(
        list(words), cwd=ROOT, env=environment, capture_output=True, encoding="utf-8", timeout=900, check=False
    )
    assert not check or process.returncode == 0, f"{words}\n{process.stdout}\n{process.stderr}"
    return process.stdout


@pytest.fixture(scope="module")
def image():
    options = ("--format", "docker", "--pull-never", "--layers=false")
    done("buildah", *PLACE, "bud", *options, "--file", "deploy/Dockerfile", "--tag", IMAGE, ".")
    yield IMAGE
    done(*PODMAN, "rm", "--force", GATEWAY, check=False)
    done(*PODMAN, "volume", "rm", f"{GATEWAY}-tokens", f"{GATEWAY}-cache", check=False)


def free_port() -> int:
    with socket.socket() as sock:
        sock.bind(("127.0.0.1", 0))
        return sock.getsockname()[1]


def in_image(image: str, script: str) -> list[str]:
    return done(*PODMAN, "run", "--rm", *NARROW, "--entrypoint", "sh", image, "-c", script).split()


def status(url: str) -> int:
    try:
        with urllib.request.urlopen(url, timeout=5) as answer:
            return answer.status
    except urllib.error.HTTPError as error:
        return error.code
    except OSError:
        return 0


def test_its_user_owns_two_folders_and_can_write_nowhere_else(image):
    script = "id -u; for place in / /opt/biofact /etc /tmp /var/lib/biofact /var/cache/biofact; do "
    script += "touch $place/x 2>/dev/null && echo $place; done; sed -n 's/^CapBnd:\t//p' /proc/self/status"

    assert in_image(image, script) == ["10001", "/tmp", "/var/lib/biofact", "/var/cache/biofact", "0" * 16]


def test_the_image_has_no_tools_that_build_or_install(image):
    assert in_image(image, "which pip gcc cc make git curl; ls /source /wheels 2>/dev/null; echo .") == ["."]


def test_the_image_serves_a_caller_with_a_token(image):
    port = free_port()
    url = f"http://127.0.0.1:{port}/mcp"
    token = done(*PODMAN, "run", "--rm", *NARROW, *VOLUMES, image, "token", "add", "ann").strip()
    command = ("serve", "--sandbox", "--http", f"0.0.0.0:{port}", "--url", url)
    done(*PODMAN, "run", "--detach", "--name", GATEWAY, *NARROW, *VOLUMES, image, *command)
    deadline = time.monotonic() + 120
    while status(f"http://127.0.0.1:{port}/healthz") != 200:
        assert time.monotonic() < deadline, done(*PODMAN, "logs", GATEWAY, check=False)
        time.sleep(0.2)

    async def ask():
        async with Client(url, auth=token) as client:
            answer = await client.call_tool("entrez_search_genes", {"query": "BRCA1", "slim": True})
        return json.loads(answer.content[0].text)["items"][0]["id"]

    assert status(url) == 401
    assert asyncio.run(asyncio.wait_for(ask(), 60)) == "NCBIGene:672"
    done(*PODMAN, "stop", "--time", "20", GATEWAY)
    assert done(*PODMAN, "inspect", "--format", "{{.State.ExitCode}}", GATEWAY).strip() == "143"


def test_its_own_check_asks_whether_it_answers(image):
    (description,) = json.loads(done(*PODMAN, "inspect", image))
    check = description["Config"].get("Healthcheck") or description["Healthcheck"]

    assert check["Test"][:2] == ["CMD", "python"]
    assert "/healthz" in check["Test"][-1]
