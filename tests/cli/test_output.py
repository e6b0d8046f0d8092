"""Formats: the same values as table, JSON, CSV and Markdown; rounding by the error only for people."""

from __future__ import annotations

import csv
import io
import json
from typing import Any

import pytest

from pompeii_sim.cli.output import Format, emit
from pompeii_sim.cli.table import fitted, plain_table
from pompeii_sim.stats.estimate import Estimate
from pompeii_sim.stats.rounding import person


def est(value: float | None, low: float | None, high: float | None) -> Estimate:
    return Estimate(value=value, low=low, high=high, n=7, level=0.95, method="wilson")


@pytest.mark.parametrize(
    ("estimate", "percent", "text"),
    [
        (est(0.31239, 0.3061, 0.3189), True, "31.2% [30.6, 31.9]"),
        (est(0.31239, 0.3061, 0.3189), False, "0.312 [0.306, 0.319]"),
        (est(12.3456, 12.333, 12.357), False, "12.346 [12.333, 12.357]"),
        (est(1234.5, 1100.0, 1400.0), False, "1234 [1100, 1400]"),
        (est(0.0, 0.0, 0.0), True, "0.000% [0.000, 0.000]"),
        (est(-0.0001, -0.03, 0.03), False, "0.00 [-0.03, 0.03]"),
        (est(None, None, None), True, "none"),
        (est(2.5, None, None), False, "2.500"),
    ],
)
def test_rounding_by_the_error(estimate: Estimate, percent: bool, text: str) -> None:
    assert person(estimate, percent=percent) == text


RECORDS: list[dict[str, Any]] = [
    {"cell": 0, "rules.x": "A", "win": est(1 / 3, 0.3, 0.4)},
    {"cell": 1, "rules.x": [1, 2], "win": est(None, None, None)},
]


def test_json_and_csv_have_full_precision(capsys: pytest.CaptureFixture[str]) -> None:
    emit(RECORDS, Format.json)
    parsed = json.loads(capsys.readouterr().out)
    assert parsed[0]["win"]["value"] == 1 / 3
    assert parsed[1]["win"]["value"] is None
    emit(RECORDS, Format.csv)
    rows = list(csv.DictReader(io.StringIO(capsys.readouterr().out)))
    assert float(rows[0]["win"]) == 1 / 3
    assert rows[0]["win_low"] == "0.3"
    assert rows[1]["win"] == ""
    assert rows[1]["rules.x"] == "[1, 2]"


def test_tables_carry_no_control_characters(capsys: pytest.CaptureFixture[str]) -> None:
    emit(
        [*RECORDS, {"cell": 2, "rules.x": "evil \x1b[31m | name\n", "win": ""}],
        Format.table,
        percent=frozenset({"win"}),
    )
    out = capsys.readouterr().out
    assert "\x1b" not in out
    assert out.count("\n") == 5
    assert "33% [30, 40]" in out
    emit([{"a": "x|y"}], Format.md)
    assert capsys.readouterr().out == "| a |\n| --- |\n| x\\|y |\n"


COLUMNS = ["player", "how it plays", "win share (chance 25%)"]
ROWS = [
    ["planner", "least work left to victory, worked out from goods, tiles and cards", "44% [41, 47]"],
    ["random", "anything", "6% [5, 7]"],
    ["rollouts", "", "0.5% [0.2, 0.9]"],
]
RIGHT = [False, False, True]


def test_a_table_that_fits_is_left_as_it_is() -> None:
    whole = plain_table(COLUMNS, ROWS, RIGHT)
    width = max(map(len, whole.splitlines()))
    assert fitted(COLUMNS, ROWS, RIGHT, width) == whole
    assert fitted(COLUMNS, ROWS, RIGHT, width - 1) != whole


def test_texts_and_headings_are_wrapped_to_the_window_and_numbers_are_not() -> None:
    assert fitted(COLUMNS, ROWS, RIGHT, 48, lambda line: line.upper()).splitlines() == [
        "                               WIN SHARE (CHANCE",
        "PLAYER    HOW IT PLAYS                      25%)",
        "--------  ------------------  ------------------",
        "planner   least work left to        44% [41, 47]",
        "          victory, worked",
        "          out from goods,",
        "          tiles and cards",
        "",
        "random    anything                     6% [5, 7]",
        "",
        "rollouts                         0.5% [0.2, 0.9]",
    ]


@pytest.mark.parametrize("width", range(1, 120))
def test_no_line_is_wider_than_the_window_and_nothing_is_lost(width: int) -> None:
    told = fitted(COLUMNS, ROWS, RIGHT, width)
    assert max(map(len, told.splitlines())) <= max(width, 8)
    if width >= 12:  # below, long words are broken
        words = told.replace(":", "").split()
        for cell in (cell for row in ROWS for cell in row):
            for word in cell.replace(":", "").split():
                assert word in words


def test_a_narrow_window_gets_a_line_a_value() -> None:
    assert fitted(COLUMNS, ROWS[1:], RIGHT, 20, lambda text: text.upper()).splitlines() == [
        "PLAYER: random",
        "HOW IT PLAYS:",
        "  anything",
        "win share (chance",
        "  25%): 6% [5, 7]",
        "",
        "PLAYER: rollouts",
        "win share (chance",
        "  25%): 0.5% [0.2,",
        "  0.9]",
    ]


def test_a_terminal_gets_its_width_and_a_pipe_always_the_whole_table(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    records = [dict(zip(COLUMNS, row, strict=True)) for row in ROWS]
    monkeypatch.setenv("COLUMNS", "20")
    emit(records, Format.table)
    assert capsys.readouterr().out == plain_table(COLUMNS, ROWS, [False] * 3)
    monkeypatch.setattr("sys.stdout.isatty", lambda: True)
    monkeypatch.delenv("NO_COLOR", raising=False)
    monkeypatch.setenv("TERM", "xterm")
    emit(records, Format.table)
    told = capsys.readouterr().out
    assert told.startswith("\x1b[1mplayer:\x1b[0m planner\n")
    for name, value in (("NO_COLOR", "1"), ("TERM", "dumb")):
        with monkeypatch.context() as patched:
            patched.setenv(name, value)
            emit(records, Format.table)
        plain = capsys.readouterr().out
        assert plain == told.replace("\x1b[1m", "").replace("\x1b[0m", "")
        assert max(map(len, plain.splitlines())) <= 20
