"""A real headless Chromium, and pages to look at with it."""

from __future__ import annotations

import shutil
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

TOY = Path(__file__).resolve().parents[1] / "toy"
if str(TOY) not in sys.path:
    sys.path.insert(0, str(TOY))

from toy_install import document, install, uninstall  # noqa: E402

WIDE, NARROW = 1280, 360


@pytest.fixture(scope="session")
def browser() -> Iterator[Any]:
    """Chromium with its driver; both must be there."""
    from selenium import webdriver
    from selenium.webdriver.chrome.options import Options
    from selenium.webdriver.chrome.service import Service

    chromium = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")
    driver = shutil.which("chromedriver")
    if chromium is None or driver is None:
        pytest.fail("these tests need a browser: apt-get install chromium chromium-driver", pytrace=False)
    options = Options()
    options.binary_location = chromium
    for word in ("--headless=new", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", "--hide-scrollbars"):
        options.add_argument(word)
    options.set_capability("goog:loggingPrefs", {"browser": "ALL"})
    made = webdriver.Chrome(options=options, service=Service(driver))
    yield made
    made.quit()


@pytest.fixture(scope="session")
def toy_page(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The report on a run of the toy game, with hostile words in its question."""
    import pompeii_sim
    from pompeii_sim.scenario import to_toml

    folder = tmp_path_factory.mktemp("page")
    install()
    file = folder / "toy.toml"
    question = "# Question: <script>document.title = 'taken'</script> what does a disaster change?\n"
    file.write_text(
        to_toml(dict(document(games=600, sweep={"rules.disaster": [0.1, 0.2], "rules.target": [2, 3]})), question)
    )
    pompeii_sim.run(file, out=folder / "run", series_every=50)
    made = pompeii_sim.write_report(folder / "run", folder / "page.html")
    uninstall()
    return made


@pytest.fixture(scope="session")
def hostile_page(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A report in which every text tries to be code."""
    import polars as pl

    from pompeii_sim.figures.dots import win_shares
    from pompeii_sim.figures.section import Picture, Section, Table
    from pompeii_sim.report.document import Chapter, Report
    from pompeii_sim.report.html import to_html

    bad = "<script>document.title = 'taken'</script>\"'><img src=x onerror=\"document.title='taken'\">"
    number = {"low": 0.2, "high": 0.4, "n": 9, "level": 0.95, "method": bad, "valid": "fixed", "expected": 0.5}
    frame = pl.DataFrame([{bad: bad, "player": bad, "value": v, **number, "note": bad} for v in (0.3, 0.25, 0.35)])
    section = Section(
        name="one",
        title=bad,
        question=bad,
        sentences=(bad, bad),
        commands=(bad,),
        pictures=(
            Picture(
                name="p", figure=win_shares(frame, row=bad, label="player", axis=bad), caption=bad, alternative=bad
            ),
        ),
        tables=(Table(name="t", title=bad, frame=frame, columns={bad: bad, "player": bad}),),
    )
    chapter = Chapter(
        name="run-1",
        title=bad,
        question=(bad,),
        commands=(bad,),
        facts=((bad, bad),),
        headline=(bad,),
        sections=(section,),
        scenario=bad,
    )
    path = tmp_path_factory.mktemp("hostile") / "page.html"
    path.write_text(to_html(Report(title="as it was", chapters=(chapter, chapter_two(chapter)), made_by=bad)), "utf-8")
    return path


def chapter_two(chapter: Any) -> Any:
    """Return the same chapter under another name."""
    from dataclasses import replace

    return replace(chapter, name="run-2")
