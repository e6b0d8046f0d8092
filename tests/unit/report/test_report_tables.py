"""Tables: rounded for people, whole for a download."""

from __future__ import annotations

import base64
import io

import polars as pl

from pompeii_sim.figures.section import Table
from pompeii_sim.report.tables import MOST_ROWS, csv_link, csv_text, shown

FRAME = pl.DataFrame(
    {
        "cell": [0, 1],
        "rules.some_key": ["A", "B"],
        "value": [1 / 3, None],
        "low": [0.31, None],
        "high": [0.36, None],
        "n": [1000, 0],
        "level": [0.95, 0.95],
        "method": ["wilson", "wilson"],
        "valid": ["fixed", "fixed"],
        "expected": [0.25, 0.25],
        "note": [None, "no games"],
        "share": [True, True],
        "games": [1000, 0],
    }
)


def test_people_see_one_rounded_estimate() -> None:
    seen = shown(Table(name="t", title="T", frame=FRAME, columns={"value": "wins"}, percent="share"))
    assert [head for head, _ in seen.heads] == [
        "cell", "some key", "wins [95% interval]", "n", "expected", "note", "games",
    ]  # fmt: skip
    assert [c.text for c in seen.rows[0]] == ["0", "A", "33% [31, 36]", "1,000", "25%", "", "1,000"]
    assert [c.text for c in seen.rows[1]] == ["1", "B", "none", "0", "25%", "no games", "0"]
    assert [c.order for c in seen.rows[0]][2:4] == [repr(1 / 3), "1000"]
    assert seen.rows[1][2].order == ""
    assert seen.notes == ("Intervals: wilson.",)


def test_the_download_has_everything_in_full_precision() -> None:
    table = Table(name="t", title="T", frame=FRAME, percent="share")
    back = pl.read_csv(io.StringIO(csv_text(table)))
    assert back.columns == [c for c in FRAME.columns if c != "share"]
    assert back["value"].to_list() == [1 / 3, None]
    kind, _, coded = csv_link(table).partition(",")
    assert kind == "data:text/csv;charset=utf-8;base64"
    assert base64.b64decode(coded).decode() == csv_text(table)


def test_differences_have_their_sign_and_leave_zero_out_where_their_interval_does() -> None:
    frame = FRAME.with_columns(
        pl.Series("value", [0.0012, -0.14]), pl.Series("low", [0.0001, -0.27]), pl.Series("high", [0.0121, -0.001])
    )
    seen = shown(Table(name="t", title="T", frame=frame.with_columns(share=pl.Series([True, False])), percent="share",
                       difference=True))  # fmt: skip
    assert seen.rows[0][2].text == "+0.12 points [0.01, 1.21]"
    assert seen.rows[1][2].text == "-0.140 [-0.270, -0.001]"


def test_a_long_meaning_is_no_heading_and_methods_are_told_apart() -> None:
    long = "people saved through the gate ÷ people saved"
    frame = FRAME.with_columns(method=pl.Series(["t, score", "t"]), big=pl.Series([36750.0, 12.345678]))
    seen = shown(Table(name="t", title="T", frame=frame, columns={"value": long}))
    assert ("value [95% interval]", long) in seen.heads
    assert seen.notes == ("Intervals: t; t, score.",)
    assert [row[-1].text for row in seen.rows] == ["36,750", "12.35"]


def test_long_tables_are_cut_on_the_page_only() -> None:
    table = Table(name="t", title="T", frame=pl.DataFrame({"a": range(MOST_ROWS + 7), "b": [[1, 2]] * (MOST_ROWS + 7)}))
    seen = shown(table)
    assert (len(seen.rows), seen.left_out) == (MOST_ROWS, 7)
    assert seen.rows[0][1].text == "1, 2"
    assert csv_text(table).count("\n") == MOST_ROWS + 8


def test_no_control_characters() -> None:
    seen = shown(Table(name="t", title="T", frame=pl.DataFrame({"a": ["x\x1b[31m\ny"]})))
    assert seen.rows[0][0].text == "x [31m y"
