"""A SLURM of a test's own: one node, this machine, in a folder of its own, on loopback and without munge."""

import os
import pwd
import socket
import subprocess
import time
from pathlib import Path

from tests.extras import needs

ROOT = needs.slurm() / "root"
LIBRARIES = next(ROOT.glob("usr/lib/*/slurm-wlm"))
_PATIENCE_SECONDS = 120.0

CONFIGURATION = """\
ClusterName=test
SlurmctldHost=localhost(127.0.0.1)
SlurmUser={user}
SlurmdUser={user}
AuthType=auth/none
CredType=cred/none
PluginDir={libraries}
SlurmctldPort={ports[0]}
SlurmdPort={ports[1]}
CommunicationParameters=NoInAddrAny,NoCtldInAddrAny
StateSaveLocation={folder}/state
SlurmdSpoolDir={folder}/spool
SlurmctldPidFile={folder}/slurmctld.pid
SlurmdPidFile={folder}/slurmd.pid
SlurmctldLogFile={folder}/slurmctld.log
SlurmdLogFile={folder}/slurmd.log
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
JobAcctGatherType=jobacct_gather/none
SelectType=select/cons_tres
SelectTypeParameters=CR_CPU
SwitchType=switch/none
MpiDefault=none
ReturnToService=2
KillWait=1
SchedulerParameters=sched_interval=1,bf_interval=1
NodeName=localhost NodeAddr=127.0.0.1 CPUs={cores} RealMemory=2000 State=UNKNOWN
PartitionName=all Nodes=localhost Default=YES MaxTime=INFINITE State=UP
"""


class Slurm:
    """A controller and a node; their logs are in the folder."""

    def __init__(self, folder: Path) -> None:
        for name in ("state", "spool"):
            (folder / name).mkdir()
        self.folder = folder
        configuration = folder / "slurm.conf"
        user = pwd.getpwuid(os.getuid()).pw_name
        values = {"user": user, "libraries": LIBRARIES, "ports": _free_ports(), "folder": folder}
        configuration.write_text(CONFIGURATION.format(**values, cores=os.cpu_count()))
        paths = f"{LIBRARIES.parent}:{LIBRARIES}"
        self._environment = {**os.environ, "SLURM_CONF": str(configuration), "LD_LIBRARY_PATH": paths}
        controller = ("slurmctld", "-D", "-c", "-f", str(configuration))
        node = ("slurmd", "-D", "-f", str(configuration), "-N", "localhost", "-d", str(_program("slurmstepd")))
        self._running = [self._started(*command) for command in (controller, node)]
        self.wait_until(lambda: self.ask("sinfo", "-h", "-o", "%T").strip() in {"idle", "mixed"})

    def ask(self, program: str, *words: str) -> str:
        """The output of a command of SLURM; empty if it fails."""
        command = [ROOT / "usr/bin" / program, *words]
        done = subprocess.run(command, env=self._environment, capture_output=True, text=True, check=False)
        return done.stdout

    def submit(self, script: Path, *options: str) -> str:
        """The number of a job. Its tasks get our libraries, not SLURM's, and write into the folder."""
        environment = f"--export=PATH={os.environ['PATH']}"
        output = f"--output={self.folder}/task-%a.log"
        job = self.ask("sbatch", "--parsable", environment, output, *options, str(script)).strip()
        assert job, self.logs()
        return job

    def wait_for(self, job: str) -> None:
        """Wait until no task of a job waits or runs."""
        self.wait_until(lambda: not self.ask("squeue", "-h", "-j", job).strip())

    def wait_until(self, holds) -> None:
        end = time.monotonic() + _PATIENCE_SECONDS
        while not holds():
            assert time.monotonic() < end, self.logs()
            time.sleep(0.05)

    def logs(self) -> str:
        """The last lines of all logs."""
        return "\n".join(f"{path.name}: {path.read_text()[-2000:]}" for path in sorted(self.folder.glob("*.log")))

    def stop(self) -> None:
        self.ask("scancel", "--user", pwd.getpwuid(os.getuid()).pw_name)
        for process in reversed(self._running):
            process.terminate()
            process.wait(timeout=_PATIENCE_SECONDS)

    def _started(self, program: str, *words: str) -> subprocess.Popen[bytes]:
        return subprocess.Popen(
            [_program(program), *words],
            env=self._environment,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            start_new_session=True,
        )


def _program(name: str) -> Path:
    """The path of a daemon; Debian adds -wlm to the names of SLURM's."""
    return next(path for path in (ROOT / f"usr/sbin/{name}-wlm", ROOT / f"usr/sbin/{name}") if path.exists())


def _free_ports() -> list[int]:
    """Two free ports."""
    sockets = [socket.create_server(("127.0.0.1", 0)) for _ in range(2)]
    ports = [sock.getsockname()[1] for sock in sockets]
    for sock in sockets:
        sock.close()
    return ports
