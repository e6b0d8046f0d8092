"""Section: what each swept setting changes, step by step, everything else being equal."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import polars as pl

from pompeii_sim.analysis import Wanted, paired_differences
from pompeii_sim.analysis.verdict import verdict
from pompeii_sim.figures import frames
from pompeii_sim.figures.heat import short
from pompeii_sim.figures.ladder import ladder as draw
from pompeii_sim.figures.section import Picture, Section, Table
from pompeii_sim.report.view import View
from pompeii_sim.report.words import Direction, Step, steps, whole_ladder
from pompeii_sim.store.schema import Metric

MOST_PAIRS = 150
"""More pairs of cells than this are not compared one by one."""


@dataclass(frozen=True, slots=True)
class Pair:
    """Two cells that differ in one setting only."""

    key: str
    new: str
    old: str
    new_cell: int
    old_cell: int
    where: str


def pairs(view: View, key: str) -> list[Pair]:
    """Return the pairs of neighbours along a setting, and of its ends, in every combination of the others."""
    layout = view.layout
    values = layout.values(key)
    chosen = list(zip(values[1:], values, strict=False))
    if len(values) > 2:
        chosen.append((values[-1], values[0]))
    others = [k for k in layout.keys if k != key]
    at: dict[tuple[str, ...], dict[str, int]] = {}
    for cell in view.study.cells:
        rest = tuple(layout.value(cell, k) for k in others)
        at.setdefault(rest, {})[layout.value(cell, key)] = cell
    found = []
    for new, old in chosen:
        for rest, cells in at.items():
            where = ", ".join(f"{short(k)} {v}" for k, v in zip(others, rest, strict=True))
            found.append(Pair(key, new, old, cells[new], cells[old], where))
    return found


def direction(view: View) -> tuple[Direction, Wanted] | None:
    """Return what makes a setting harder: games everybody loses, else games nobody wins; None without."""
    lost, decided = view.ends("lost"), view.ends("decided")
    if len(lost) == 1:
        return "loss", _rate(lost[0].name, lost[0].code, lost[0].meaning)
    if lost and len(decided) == 1:
        return "win", _rate(decided[0].name, decided[0].code, decided[0].meaning)
    return None


def _rate(name: str, code: int, meaning: str) -> Wanted:
    metric = Metric(name=name, title=name, kind="rate", column="ended_by", value=code, definition=meaning)
    return Wanted(name=name, metric=metric)


def compared(view: View) -> list[Wanted]:
    """Return the numbers that are compared: what makes a setting harder, and the run's headlines."""
    hard = direction(view)
    found = [hard[1]] if hard else []
    same = {(w.metric.column, w.metric.op, w.metric.value) for w in found}
    for metric in view.study.schema.metrics:
        if metric.headline and metric.kind != "share" and (metric.column, metric.op, metric.value) not in same:
            found.append(Wanted(name=metric.name, metric=metric))
    return found


def ladder(view: View) -> Section | None:
    """Return the section on the swept settings, None when nothing is swept or cells are no full product."""
    layout = view.layout
    if not layout.full or not layout.keys:
        return None
    by_key = {key: pairs(view, key) for key in layout.keys}
    if sum(map(len, by_key.values())) > MOST_PAIRS:
        return None
    wanted = compared(view)
    rows = [row for key in layout.keys for pair in by_key[key] for row in _rows(view, pair, wanted)]
    frame = pl.DataFrame(rows, infer_schema_length=None)
    said = list(_sentences(view, frame, by_key))
    pictures = tuple(picture for key in layout.keys for picture in _pictures(view, key))
    return Section(
        name="ladder",
        title="What each setting changes",
        question="Everything else being equal, on the same deals: is each step really a step, and how large is it?",
        sentences=tuple(sentence for _, sentence in said),
        headline=tuple(sentence for first, sentence in said if first),
        pictures=pictures,
        tables=(
            Table(
                name="differences",
                title="Differences on the same deals",
                frame=frame.drop("share"),
                columns={
                    "setting": "what differs",
                    "new": "looked at",
                    "base": "compared with",
                    "others": "the other settings",
                    "metric": "what is compared",
                    "value": "new minus base",
                    "verdict": "higher, lower, equivalent (less than what matters) or undecided",
                    "games would do": "games of each setting that would probably decide",
                    "diverged": "share of the games that went another way",
                },
            ),
        ),
    )


def _rows(view: View, pair: Pair, wanted: list[Wanted]) -> Iterator[dict[str, object]]:
    for found in paired_differences(view.study, pair.new_cell, view.study, pair.old_cell, wanted, view.level):
        metric = next(w.metric for w in wanted if w.name == found.metric)
        is_share = metric.kind == "rate"
        said = verdict(found.difference, effect=view.effect if is_share else None, games=found.deals)
        difference = found.difference
        yield {
            "setting": pair.key,
            "new": pair.new,
            "base": pair.old,
            "others": pair.where,
            "metric": metric.title.replace("_", " "),
            **{
                name: getattr(difference, name)
                for name in ("value", "low", "high", "n", "level", "method", "valid", "note")
            },
            "verdict": said.word,
            "games would do": said.games,
            "diverged": found.diverged.value,
            "share": is_share,
        }


def _sentences(view: View, frame: pl.DataFrame, by_key: dict[str, list[Pair]]) -> Iterator[tuple[bool, str]]:
    """Yield sentences, each with whether it belongs to the headline."""
    hard = direction(view)
    if hard is None:
        yield False, "No end of this game is a loss of all, so no setting is called harder; see the differences below."
        return
    way, number = hard
    frame = frame.filter(pl.col("metric") == number.metric.title.replace("_", " "))
    found = {
        (r["setting"], r["new"], r["base"], r["others"]): Step(r["others"], frames.estimate(r), int(r["n"]))
        for r in frame.iter_rows(named=True)
    }
    for key, listed in by_key.items():
        values, name = view.layout.values(key), short(key)
        neighbours = list(zip(values[1:], values, strict=False))
        others = list(dict.fromkeys(p.where for p in listed))
        if len(values) > 2:
            chains = [[found[key, new, old, where] for new, old in neighbours] for where in others]
            yield True, whole_ladder(name, values, chains, way, effect=view.effect)
        for new, old in dict.fromkeys((p.new, p.old) for p in listed):
            group = [found[key, new, old, where] for where in others]
            first = len(values) == 2 or (len(others) == 1 and (new, old) in neighbours)
            yield first, steps(f"{name} {new}", f"{name} {old}", group, way, effect=view.effect)


def _pictures(view: View, key: str) -> Iterator[Picture]:
    layout, hard = view.layout, direction(view)
    if hard is None or len(layout.values(key)) < 2:
        return
    end = hard[1].metric.name
    frame = layout.dress(view.outcomes.filter(pl.col("end") == end))
    others = [k for k in layout.keys if k != key]
    line = others[0] if others else ""
    panel = others[1] if len(others) > 1 else ""
    for extra in others[2:]:
        frame = frame.filter(pl.col(extra) == layout.value(0, extra))
    name = end.replace("_", " ")
    slug = "".join(c if c.isalnum() else "-" for c in key)
    yield Picture(
        name=f"along-{slug}".lower(),
        figure=draw(frame, step=key, line=line, panel=panel, axis=f"{name}, share of games"),
        caption=f"Share of games that end with {name} along {short(key)}. A line that rises evenly is a ladder; lines "
        "that run together mean that the other setting does not matter.",
        alternative=f"Lines with intervals: share of games that end with {name} along {short(key)}; the numbers are in "
        "the table of endings.",
    )
