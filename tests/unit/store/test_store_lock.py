"""The lock: one living owner at a time; dead ones do not count."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from dataclasses import asdict, replace
from pathlib import Path

import pytest

from pompeii_sim.errors import InputError
from pompeii_sim.store.lock import LOCK, Lock, Owner, read_owner


def test_second_owner_is_refused_and_told_who(tmp_path: Path) -> None:
    with Lock(tmp_path):
        with pytest.raises(InputError, match=f"process {os.getpid()}"), Lock(tmp_path):
            pass
        assert read_owner(tmp_path / LOCK) == Owner.me() or read_owner(tmp_path / LOCK) is not None
    assert list(tmp_path.iterdir()) == []
    with Lock(tmp_path):
        pass


def _plant(folder: Path, owner: Owner) -> None:
    (folder / LOCK).write_text(json.dumps(asdict(owner)))


def test_dead_process_is_stale(tmp_path: Path) -> None:
    process = subprocess.Popen([sys.executable, "-c", ""])
    process.wait()
    _plant(tmp_path, replace(Owner.me(), pid=process.pid))
    with Lock(tmp_path) as lock:
        assert read_owner(tmp_path / LOCK) == lock.owner
    assert list(tmp_path.iterdir()) == []


def test_same_number_but_another_start_is_stale(tmp_path: Path) -> None:
    _plant(tmp_path, replace(Owner.me(), start=12345.0))
    with Lock(tmp_path):
        pass


def test_zombie_is_stale(tmp_path: Path) -> None:
    process = subprocess.Popen([sys.executable, "-c", ""])
    try:
        _plant(tmp_path, replace(Owner.me(), pid=process.pid, start=Owner.me().start))
        os.waitid(os.P_PID, process.pid, os.WEXITED | os.WNOWAIT)
        assert not read_owner(tmp_path / LOCK).alive()  # type: ignore[union-attr]
    finally:
        process.wait()


def test_other_machine_is_never_taken_over(tmp_path: Path) -> None:
    _plant(tmp_path, replace(Owner.me(), host="elsewhere", pid=1))
    with pytest.raises(InputError, match="delete"), Lock(tmp_path):
        pass
    assert (tmp_path / LOCK).exists()


def test_unreadable_lock_is_stale(tmp_path: Path) -> None:
    (tmp_path / LOCK).write_bytes(b"")
    with Lock(tmp_path):
        pass
    assert list(tmp_path.iterdir()) == []
