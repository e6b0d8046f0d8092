"""``doctor``: every check has a finding, every finding that is not ok says what to do."""

from __future__ import annotations

import importlib.metadata
import json
import os
import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from pompeii_sim.cli import doctor
from pompeii_sim.engine import jit


def findings(cli: Callable[..., Any]) -> tuple[int, dict[str, dict[str, Any]]]:
    said = cli("doctor", "--format", "json")
    return said.code, {f["check"]: f for f in json.loads(said.out)}


def test_every_finding_says_what_to_do(cli: Callable[..., Any]) -> None:
    code, found = findings(cli)
    assert code == 0
    wanted = {"python", "numba", "extra cluster", "extra notebook", "processors", "processes", "disk", "terminal"}
    assert wanted <= set(found)
    assert {"compiler cache", "compiled pompeii"} <= set(found) or found["compiler"]["state"] == "note"
    for one in found.values():
        assert one["state"] in ("ok", "note", "broken")
        assert one["found"]
        assert one["advice"] or one["state"] == "ok", one


def test_missing_library_breaks_and_missing_extra_does_not(
    cli: Callable[..., Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    real = importlib.metadata.version

    def version(name: str) -> str:
        if name in missing:
            raise importlib.metadata.PackageNotFoundError(name)
        return real(name)

    monkeypatch.setattr(importlib.metadata, "version", version)
    missing = {"distributed"}
    code, found = findings(cli)
    assert (code, found["extra cluster"]["state"]) == (0, "note")
    assert "pip install 'pompeii-sim[cluster]'" in found["extra cluster"]["advice"]
    missing = {"polars"}
    code, found = findings(cli)
    assert (code, found["polars"]["state"]) == (3, "broken")


def test_cache_that_cannot_be_written(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(jit, "JIT_DISABLED", False)
    monkeypatch.setattr(jit, "cache_folder", lambda group: None)
    assert "POMPEII_SIM_CACHE" in doctor.cache()["advice"]
    assert doctor.compiled_game("pompeii")["found"] == "never kept"


def test_compile_time_is_noted_and_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(jit, "cache_folder", lambda group: tmp_path)
    assert doctor.compiled_game("pompeii")["found"] == "not yet for this version"
    (tmp_path / "deep").mkdir()
    (tmp_path / "deep" / "one.nbi").write_bytes(b"")
    assert doctor.compiled_game("pompeii")["found"] == "1 functions in the cache"
    (tmp_path / "compile_seconds.txt").write_text("61.5")
    assert doctor.compiled_game("pompeii")["found"] == "1 functions in the cache, compiled in 62 s"


def test_disk_terminal_and_processes(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(shutil, "disk_usage", lambda folder: SimpleNamespace(free=10**9))
    assert (doctor.disk()["state"], doctor.disk()["found"]) == ("note", "1.0 GB free")
    assert "--dry-run" in doctor.disk()["advice"]
    monkeypatch.setattr(os, "access", lambda path, mode: False)
    assert "--out" in doctor.disk()["advice"]

    monkeypatch.setattr(sys, "stderr", SimpleNamespace(isatty=lambda: True, write=sys.stderr.write, flush=lambda: None))
    monkeypatch.setenv("TERM", "dumb")
    assert doctor.terminal()["state"] == "note"
    monkeypatch.setenv("TERM", "xterm")
    monkeypatch.setenv("NO_COLOR", "1")
    monkeypatch.setattr(shutil, "get_terminal_size", lambda: os.terminal_size((20, 24)))
    assert doctor.terminal()["found"] == "20 columns, without colour (NO_COLOR)"
    assert "wider window" in doctor.terminal()["advice"]

    def refuse(*words: Any, **more: Any) -> Any:
        raise OSError("no more processes")

    monkeypatch.setattr(subprocess, "run", refuse)
    assert doctor.processes()["state"] == "note"
