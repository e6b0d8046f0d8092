"""A real kernel to run cells in, and what they left."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from jupyter_client.blocking import BlockingKernelClient
from jupyter_client.manager import KernelManager

ROOT = Path(__file__).parents[2]
TIMEOUT = 600.0
"""Seconds to wait for a kernel: a first run compiles."""


@dataclass
class Ran:
    """What a cell left: its reply, and the messages it sent in order."""

    status: str = ""
    error: str = ""
    messages: list[tuple[str, dict[str, Any]]] = field(default_factory=list)

    def printed(self, stream: str) -> str:
        """Return what was written to ``stdout`` or ``stderr``."""
        return "".join(c["text"] for kind, c in self.messages if kind == "stream" and c["name"] == stream)

    def shown(self, mime: str) -> list[str]:
        """Return everything shown of one type."""
        return [c["data"][mime] for _, c in self.messages if mime in c.get("data", {})]

    def kinds(self, kind: str) -> list[dict[str, Any]]:
        """Return the contents of all messages of one kind."""
        return [c for k, c in self.messages if k == kind]


@dataclass
class Kernel:
    """A running kernel."""

    manager: KernelManager
    client: BlockingKernelClient

    def run(self, code: str, on_message: Callable[[str, dict[str, Any]], None] | None = None) -> Ran:
        """Run a cell to its end.

        Parameters
        ----------
        code
            The cell.
        on_message
            Called with the kind and content of every message while the cell runs.
        """
        ran = Ran()

        def hook(message: dict[str, Any]) -> None:
            kind, content = message["header"]["msg_type"], message["content"]
            ran.messages.append((kind, content))
            if on_message is not None:
                on_message(kind, content)

        reply = self.client.execute_interactive(
            code, output_hook=hook, allow_stdin=False, timeout=TIMEOUT, stop_on_error=False
        )
        ran.status = reply["content"]["status"]
        ran.error = reply["content"].get("ename", "")
        return ran


@contextmanager
def kernel(folder: Path) -> Iterator[Kernel]:
    """Start a kernel in a folder, with this copy of the package; it ends with the block."""
    path = os.pathsep.join(filter(None, (str(ROOT), os.environ.get("PYTHONPATH", ""))))
    manager = KernelManager(kernel_name="python3")
    manager.start_kernel(cwd=str(folder), env={**os.environ, "PYTHONPATH": path})
    client = manager.blocking_client()
    client.start_channels()
    try:
        client.wait_for_ready(timeout=TIMEOUT)
        yield Kernel(manager, client)
    finally:
        client.stop_channels()
        manager.shutdown_kernel(now=True)
        manager.cleanup_resources()
