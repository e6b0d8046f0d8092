"""A real Dask cluster on this machine: a scheduler and workers, each a process of its own."""

from __future__ import annotations

import os
import socket
import subprocess
import sys
from pathlib import Path

import pompeii_sim


class Cluster:
    """A scheduler and two workers.

    Parameters
    ----------
    log
        File their output goes to.
    nanny
        Whether each worker is a child of a nanny, which starts it again, as ``dask worker`` does by default.
    """

    def __init__(self, log: Path, *, nanny: bool = False) -> None:
        root = str(Path(pompeii_sim.__file__).resolve().parents[1])
        self.environment = {**os.environ, "PYTHONPATH": root, "PYTHONWARNINGS": "ignore"}
        self.log = log.open("wb")
        self.nanny = nanny
        with socket.socket() as probe:
            probe.bind(("127.0.0.1", 0))
            port = probe.getsockname()[1]
        self.address = f"tcp://127.0.0.1:{port}"
        self.processes = [self._start("scheduler", "--host", self.address, "--no-dashboard", "--no-jupyter")]
        self.workers = [self.worker(), self.worker()]

    def _start(self, kind: str, *arguments: str) -> subprocess.Popen[bytes]:
        command = [sys.executable, "-m", "distributed.cli.dask_" + kind, *arguments]
        return subprocess.Popen(command, env=self.environment, stdout=self.log, stderr=self.log, start_new_session=True)

    def worker(self) -> subprocess.Popen[bytes]:
        """Start one more worker; it is the nanny that is returned where there is one."""
        kind = "--nanny" if self.nanny else "--no-nanny"
        made = self._start("worker", self.address, kind, "--nthreads", "1", "--no-dashboard")
        self.processes.append(made)
        return made

    def wait(self) -> None:
        """Wait until all workers that live have joined."""
        from distributed import Client

        alive = sum(1 for worker in self.workers if worker.poll() is None)
        with Client(self.address, timeout=60, set_as_default=False) as client:
            client.wait_for_workers(alive, timeout=60)

    def close(self) -> None:
        """End every process this test started."""
        for process in self.processes[::-1]:
            process.kill()
            process.wait(10)
        self.log.close()
