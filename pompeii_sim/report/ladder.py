"""Section: what each swept setting changes, step by step, everything else being equal."""

from __future__ import annotations

from collections.abc import Iterator

import polars as pl

from pompeii_sim import analysis
from pompeii_sim.analysis.wanted import headline
from pompeii_sim.figures import frames
from pompeii_sim.figures.ladder import ladder as draw
from pompeii_sim.figures.section import Picture, Section, Table
from pompeii_sim.report.view import View
from pompeii_sim.report.words import Direction, Step, spacing, steps, whole_ladder
from pompeii_sim.store.linked import short, with_value

MOST_NAMED = 4
"""With more values only their whole order stands at the top of a report, not each step."""

MOST_CELLS = 80
"""A larger sweep is no ladder but a sample."""


def direction(view: View) -> tuple[Direction, str, str] | None:
    """Return what makes a setting harder: games that everybody loses, else games that nobody wins.

    Returns
    -------
    tuple or None
        What the share counts, the run's metric for it, and the end's name; None where the game has no such metric.
    """
    lost, decided = view.ends("lost"), view.ends("decided")
    if not lost:
        return None
    found: list[tuple[Direction, int, str]] = [("loss", lost[0].code, lost[0].name)] if len(lost) == 1 else []
    found += [("win", decided[0].code, decided[0].name)] if len(decided) == 1 else []
    for way, code, end in found:
        for metric in view.study.schema.metrics:
            if (metric.kind, metric.column, metric.op, metric.value) == ("rate", "ended_by", "==", code):
                return way, metric.name, end
    return None


def ladder(view: View) -> Section | None:
    """Return the section on the swept settings, None when nothing is swept or cells are no full product."""
    layout, hard = view.layout, direction(view)
    swept = [key for key in layout.linked if key in layout.keys]  # no order is asked of combinations
    if not layout.full or not swept or len(view.study.cells) > MOST_CELLS:
        return None
    metrics = [w.name for w in headline(view.study)]
    if hard is not None and hard[1] not in metrics:
        metrics.insert(0, hard[1])
    by_key = {
        key: analysis.ladder(view.study, paths[0], metrics=metrics, effect=view.effect, level=view.level)
        for key, paths in layout.linked.items()
        if key in swept
    }
    said = list(_sentences(view, by_key))
    return Section(
        name="ladder",
        title="What each setting changes",
        question="Everything else being equal, on the same deals: is each step really a step, and how large is it?",
        sentences=tuple(sentence for _, sentence in said),
        headline=tuple(sentence for first, sentence in said if first),
        pictures=tuple(picture for key in by_key for picture in _pictures(view, key)),
        tables=tuple(_table(view, key, frame) for key, frame in by_key.items()),
    )


def _table(view: View, key: str, frame: pl.DataFrame) -> Table:
    titles = {m.name: m.title for m in view.study.schema.metrics}
    means = [m.name for m in view.study.schema.metrics if m.kind == "mean"]
    points = (pl.col("scale") == "plain") & ~pl.col("metric").is_in(means)
    frame = frame.with_columns(points.alias("points"))
    frame = frame.with_columns(pl.col("metric").replace(titles), pl.col("scale").replace("plain", "number"))
    return Table(
        name=f"steps-{_slug(key)}",
        title=f"Steps of {short(key)}, on the same deals",
        frame=view.layout.table(frame),
        percent="points",
        difference=True,
        columns={
            "cell": "the upper of the two cells",
            "base": "the cell it is compared with",
            "contrast": "which values are compared; a difference of two steps tells whether they are even",
            "scale": "number: shares in points, means in their unit; logit: shares on the log-odds scale",
            "value": "upper minus lower; all intervals of one metric and one combination of the others hold together",
            "verdict": "higher, lower, equivalent (less than what matters) or undecided",
            "why": "what the verdict rests on",
            "games_needed": "games of each setting that would probably decide",
            "dropped": "deals left out because a game failed",
        },
    )


def _sentences(view: View, by_key: dict[str, pl.DataFrame]) -> Iterator[tuple[bool, str]]:
    """Yield sentences, each with whether it belongs to the headline."""
    hard = direction(view)
    if hard is None:
        yield False, "No end of this game is a loss of all, so no setting is called harder; see the steps below."
        return
    way, metric, _ = hard
    layout = view.layout
    for key, frame in by_key.items():
        values, name = layout.values(key), short(key)
        others = [k for k in layout.keys if k != key]
        rows = frame.filter((pl.col("metric") == metric) & (pl.col("scale") == "plain"))
        found: dict[tuple[str, str], list[Step]] = {}
        for r in rows.filter(pl.col("kind") == "step").iter_rows(named=True):
            where = ", ".join(with_value(k, layout.value(r["cell"], k)) for k in others)
            pair = (layout.value(r["cell"], key), layout.value(r["base"], key))
            found.setdefault(pair, []).append(Step(where, frames.estimate(r), int(r["n"])))
        if len(values) > 2:
            chains = [list(chain) for chain in zip(*found.values(), strict=True)]
            yield True, whole_ladder(name, values, chains, way, effect=view.effect)
        for (new, old), group in found.items():
            first = len(values) == 2 or (len(group) == 1 and len(values) <= MOST_NAMED)
            yield first, steps(with_value(key, new), with_value(key, old), group, way, effect=view.effect)
        if len(values) > 2:
            shape = analysis.ladder_shape(rows)
            yield False, spacing(name, shape["spacing"].to_list())


def _pictures(view: View, key: str) -> Iterator[Picture]:
    layout, hard = view.layout, direction(view)
    if hard is None:
        return
    end = hard[2]
    frame = layout.dress(view.outcomes.filter(pl.col("end") == end))
    others = [k for k in layout.keys if k != key]
    line = others[0] if others else ""
    panel = others[1] if len(others) > 1 else ""
    for extra in others[2:]:
        frame = frame.filter(pl.col(extra) == layout.value(0, extra))
    name = end.replace("_", " ")
    yield Picture(
        name=f"along-{_slug(key)}",
        figure=draw(frame, step=key, line=line, panel=panel, axis=f"{name}, share of games"),
        caption=f"Share of games that end with {name} along {short(key)}. A line that rises evenly is a ladder; lines "
        "that run together mean that the other setting does not matter.",
        alternative=f"Lines with intervals: share of games that end with {name} along {short(key)}; the numbers are in "
        "the table of endings.",
    )


def _slug(key: str) -> str:
    return "".join(c if c.isalnum() else "-" for c in key).lower()
