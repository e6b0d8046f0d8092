"""The page in a real browser: wide and narrow, light and dark."""

from __future__ import annotations

import csv
import io
from pathlib import Path
from typing import Any
from urllib.request import urlopen

import pytest
from selenium.webdriver.common.by import By

WIDE, NARROW = 1280, 360


def show(browser: Any, page: Path, *, width: int = WIDE, dark: bool = False) -> None:
    """Load a page in a window of that width and colour scheme."""
    scheme = {"name": "prefers-color-scheme", "value": "dark" if dark else "light"}
    still = {"name": "prefers-reduced-motion", "value": "reduce"}
    browser.execute_cdp_cmd("Emulation.setEmulatedMedia", {"features": [scheme, still]})
    browser.execute_cdp_cmd(
        "Emulation.setDeviceMetricsOverride", {"width": width, "height": 900, "deviceScaleFactor": 1, "mobile": False}
    )
    browser.get(page.as_uri())


@pytest.fixture(params=["toy_page", "hostile_page"])
def page(request: pytest.FixtureRequest) -> Path:
    found = request.getfixturevalue(request.param)
    assert isinstance(found, Path)
    return found


@pytest.mark.parametrize("dark", [False, True], ids=["light", "dark"])
@pytest.mark.parametrize("width", [WIDE, NARROW], ids=["wide", "narrow"])
def test_nothing_overflows_and_the_console_is_silent(browser: Any, page: Path, width: int, dark: bool) -> None:
    show(browser, page, width=width, dark=dark)
    browser.execute_script("document.querySelectorAll('details').forEach(d => d.open = true)")
    assert browser.get_log("browser") == []
    assert browser.execute_script("return document.documentElement.scrollWidth") <= width
    outside = browser.execute_script(
        """return [...document.querySelectorAll('body *')].filter(e => !e.closest('.scroll, .skip')
           && e.getBoundingClientRect().right > innerWidth + 1).map(e => e.outerHTML.slice(0, 80))"""
    )
    assert outside == []


@pytest.mark.parametrize("dark", [False, True], ids=["light", "dark"])
def test_text_and_drawings_stand_out_from_the_page(browser: Any, toy_page: Path, dark: bool) -> None:
    show(browser, toy_page, dark=dark)
    pairs = browser.execute_script(
        """const style = getComputedStyle;
           const page = e => { for (; e; e = e.parentElement) { const c = style(e).backgroundColor;
             if (!c.startsWith('rgba(0, 0, 0, 0')) return c; } };
           const texts = [...document.querySelectorAll('h1, h2, p, li, td, th, figcaption, a, dd, dt, summary')];
           const labels = [...document.querySelectorAll('figure text')].filter(t => t.style.fill.startsWith('var'));
           return [...texts.map(e => [style(e).color, page(e)]), ...labels.map(t => [style(t).fill, page(t)])]"""
    )
    assert len(pairs) > 100
    for ink, paper in {tuple(p) for p in pairs}:
        assert contrast(ink, paper) >= 4.5, (ink, paper)


def contrast(one: str, other: str) -> float:
    """Return the contrast of two colours as the accessibility guidelines reckon it, 1 to 21."""

    def light(colour: str) -> float:
        parts = [float(p) / 255 for p in colour[colour.index("(") + 1 : colour.index(")")].split(",")[:3]]
        linear = [p / 12.92 if p <= 0.04045 else ((p + 0.055) / 1.055) ** 2.4 for p in parts]
        return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]

    low, high = sorted((light(one), light(other)))
    return (high + 0.05) / (low + 0.05)


def test_no_text_of_a_file_becomes_code(browser: Any, hostile_page: Path, toy_page: Path) -> None:
    show(browser, hostile_page)
    assert browser.title == "as it was"
    for path in (hostile_page, toy_page):
        show(browser, path)
        assert len(browser.find_elements(By.TAG_NAME, "script")) == 1
        assert browser.find_elements(By.TAG_NAME, "img") == []
        assert browser.title != "taken"


def test_injected_code_would_not_run(browser: Any, toy_page: Path, tmp_path: Path) -> None:
    """The page's own policy stops what escaping should have."""
    text = toy_page.read_text("utf-8").replace("</main>", "<script>document.title = 'taken'</script></main>")
    path = tmp_path / "page.html"
    path.write_text(text, "utf-8")
    show(browser, path)
    assert browser.title != "taken"
    assert any("Content Security Policy" in entry["message"] for entry in browser.get_log("browser"))


def test_tables_sort_by_value(browser: Any, toy_page: Path) -> None:
    show(browser, toy_page)
    browser.execute_script("document.querySelectorAll('details').forEach(d => d.open = true)")
    table = browser.find_element(By.CSS_SELECTOR, "#run-1-outcomes table")
    heads = table.find_elements(By.TAG_NAME, "th")
    at = next(i for i, h in enumerate(heads) if "interval" in h.text)

    def order() -> list[float]:
        cells = table.find_elements(By.CSS_SELECTOR, f"tbody td:nth-child({at + 1})")
        return [float(c.get_attribute("data-order")) for c in cells]

    before = order()
    assert before != sorted(before)
    button = heads[at].find_element(By.TAG_NAME, "button")
    button.click()
    assert order() == sorted(before)
    assert heads[at].get_attribute("aria-sort") == "ascending"
    button.click()
    assert order() == sorted(before, reverse=True)
    assert heads[at].get_attribute("aria-sort") == "descending"
    text = heads[next(i for i, h in enumerate(heads) if h.text.startswith("end"))]
    text.find_element(By.TAG_NAME, "button").click()
    names = [c.text for c in table.find_elements(By.CSS_SELECTOR, f"tbody td:nth-child({heads.index(text) + 1})")]
    assert names == sorted(names)
    assert heads[at].get_attribute("aria-sort") is None


def test_missing_values_sort_last(browser: Any, tmp_path: Path) -> None:
    import polars as pl

    from pompeii_sim.figures.section import Section, Table
    from pompeii_sim.report.document import Chapter, Report
    from pompeii_sim.report.html import to_html

    table = Table(name="t", title="T", frame=pl.DataFrame({"a": [3.0, None, 10.0, 1.0]}))
    section = Section(name="s", title="S", question="?", tables=(table,))
    chapter = Chapter(
        name="run-1", title="T", question=(), commands=(), facts=(), headline=(), sections=(section,), scenario=""
    )
    path = tmp_path / "page.html"
    path.write_text(to_html(Report(title="T", chapters=(chapter,), made_by="x")), "utf-8")
    show(browser, path)
    for wanted in (["1", "3", "10", ""], ["10", "3", "1", ""]):
        browser.find_element(By.CSS_SELECTOR, "th button").click()
        assert [c.text for c in browser.find_elements(By.CSS_SELECTOR, "tbody td")] == wanted


def test_downloads_are_the_tables(browser: Any, toy_page: Path) -> None:
    show(browser, toy_page)
    links = browser.find_elements(By.CSS_SELECTOR, "a.download")
    tables = browser.find_elements(By.CSS_SELECTOR, "main table")
    assert len(links) == len(tables) > 3
    for link, table in zip(links, tables, strict=True):
        assert link.get_attribute("download").endswith(".csv")
        with urlopen(link.get_attribute("href")) as answer:
            rows = list(csv.reader(io.StringIO(answer.read().decode())))
        assert len(rows) - 1 == len(table.find_elements(By.CSS_SELECTOR, "tbody tr"))
        numbers = {value for row in rows[1:] for value in row}
        shown = table.find_elements(By.CSS_SELECTOR, "tbody tr:first-child td.number")
        for cell in shown[:3]:
            order = cell.get_attribute("data-order")
            assert order == "" or any(n and float(n) == float(order) for n in numbers if _number(n))


def _number(text: str) -> bool:
    try:
        float(text)
    except ValueError:
        return False
    return True


def test_figures_have_text_alternatives_and_captions(browser: Any, toy_page: Path) -> None:
    show(browser, toy_page)
    figures = browser.find_elements(By.TAG_NAME, "figure")
    assert len(figures) >= 5
    for figure in figures:
        drawing = figure.find_element(By.TAG_NAME, "svg")
        assert drawing.get_attribute("role") == "img"
        title = browser.execute_script(
            "return document.getElementById(arguments[0].getAttribute('aria-labelledby')).textContent", drawing
        )
        assert len(title) > 20
        assert len(figure.find_element(By.TAG_NAME, "figcaption").text) > 20
        box = drawing.rect
        assert box["width"] > 300
        assert box["height"] > 60


def test_the_contents_lead_to_every_section(browser: Any, toy_page: Path) -> None:
    show(browser, toy_page)
    sections = [s.get_attribute("id") for s in browser.find_elements(By.CSS_SELECTOR, "main section")]
    links = [a.get_attribute("href").rpartition("#")[2] for a in browser.find_elements(By.CSS_SELECTOR, "nav li a")]
    assert links == sections
    heads = [h.text for h in browser.find_elements(By.CSS_SELECTOR, "main section > h2")]
    assert [a.text for a in browser.find_elements(By.CSS_SELECTOR, "nav li a")] == heads
    show(browser, toy_page, width=NARROW)
    assert not browser.find_element(By.CSS_SELECTOR, "nav ul").is_displayed()


def test_it_reads_without_scripts(browser: Any, toy_page: Path) -> None:
    browser.execute_cdp_cmd("Emulation.setScriptExecutionDisabled", {"value": True})
    try:
        show(browser, toy_page)
        assert browser.find_element(By.CSS_SELECTOR, "main section h2").is_displayed()
        assert browser.find_element(By.CSS_SELECTOR, "figure svg").is_displayed()
    finally:
        browser.execute_cdp_cmd("Emulation.setScriptExecutionDisabled", {"value": False})


def test_every_label_of_a_drawing_lies_within_it(browser: Any, toy_page: Path) -> None:
    show(browser, toy_page)
    out = browser.execute_script(
        """return [...document.querySelectorAll('figure svg')].flatMap(svg => { const b = svg.getBoundingClientRect();
             return [...svg.querySelectorAll('text')].filter(t => { const r = t.getBoundingClientRect();
               return r.left < b.left - 2 || r.right > b.right + 2 || r.top < b.top - 2 || r.bottom > b.bottom + 2; })
               .map(t => t.textContent); })"""
    )
    assert out == []
