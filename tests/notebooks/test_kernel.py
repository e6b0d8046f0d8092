"""A run in a notebook's cell: one bar that moves in place, and an interrupt that leaves the kernel usable."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from kernels import ROOT, Kernel, kernel

TOY = f"""
import sys
sys.path.insert(0, {str(ROOT / "tests" / "toy")!r})
from toy_install import document, install
import pompeii_sim
install()
"""


@pytest.fixture(scope="module")
def toy(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Kernel]:
    with kernel(tmp_path_factory.mktemp("kernel")) as running:
        assert running.run(TOY).status == "ok"
        assert running.run("pompeii_sim.run(document(games=10))").status == "ok"  # compiled
        yield running


def usable(running: Kernel) -> bool:
    ran = running.run("print(pompeii_sim.run(document(games=30)).played)")
    return ran.status == "ok" and ran.printed("stdout") == "30\n"


def test_one_bar_that_moves_in_place(toy: Kernel) -> None:
    ran = toy.run("result = pompeii_sim.run(document(games=3000), chunk=300, out='bar')")
    assert ran.status == "ok"
    assert ran.printed("stdout") + ran.printed("stderr") == ""
    (first,) = ran.kinds("display_data")  # a second one would be a second bar
    moves = ran.kinds("update_display_data")
    assert {m["transient"]["display_id"] for m in moves} == {first["transient"]["display_id"]}
    assert '<progress value="0" max="3000"' in first["data"]["text/html"]
    assert "3000 games in" in moves[-1]["data"]["text/plain"]
    assert "<progress" not in moves[-1]["data"]["text/html"]


def test_no_bar_where_none_is_wanted(toy: Kernel) -> None:
    ran = toy.run("from pompeii_sim.run import NoProgress\npompeii_sim.run(document(), progress=NoProgress());")
    assert ran.status == "ok"
    assert ran.kinds("display_data") == ran.kinds("update_display_data") == []


def test_an_interrupted_cell_leaves_the_kernel_usable(toy: Kernel, tmp_path: Path) -> None:
    """An interrupt ends the chunks in play and keeps what is finished."""
    sent = 0

    def interrupt(kind: str, content: dict[str, Any]) -> None:
        nonlocal sent
        if kind == "update_display_data" and "games/s" in content["data"]["text/plain"] and not sent:
            sent += 1
            toy.manager.interrupt_kernel()

    out = str(tmp_path / "run")
    ran = toy.run(f"pompeii_sim.run(document(games=10**9), out={out!r})", interrupt)
    assert sent == 1
    assert (ran.status, ran.error) == ("error", "Interrupted")
    assert toy.manager.is_alive()
    assert usable(toy)
    code = f"run = pompeii_sim.load({out!r})\nprint(run.manifest.state, run.games().collect().height > 0)"
    assert toy.run(code).printed("stdout") == "interrupted True\n"


IMPATIENT = """
import os, signal, time
from pompeii_sim.run.interrupt import Stop, signals
stop = Stop()
with signals(stop):
    os.kill(os.getpid(), signal.SIGINT)
    time.sleep(0.1)
    print(bool(stop))
    os.kill(os.getpid(), signal.SIGINT)
    time.sleep(60)
"""


@pytest.mark.timeout(120)  # a dead kernel never answers
def test_impatience_does_not_kill_the_kernel(toy: Kernel) -> None:
    """A second interrupt while chunks are in play, which ends a process elsewhere, raises KeyboardInterrupt."""
    ran = toy.run(IMPATIENT)
    assert ran.printed("stdout") == "True\n"
    assert (ran.status, ran.error) == ("error", "KeyboardInterrupt")
    assert usable(toy)
