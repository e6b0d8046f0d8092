"""Section: how games end, and who wins."""

from __future__ import annotations

import polars as pl

from pompeii_sim import analysis
from pompeii_sim.analysis.wanted import headline
from pompeii_sim.figures import frames
from pompeii_sim.figures.dots import win_shares
from pompeii_sim.figures.heat import fingerprint, heat_map
from pompeii_sim.figures.ladder import ladder
from pompeii_sim.figures.section import Picture, Section, Table
from pompeii_sim.report.view import View
from pompeii_sim.report.words import against_chance, chances, spread
from pompeii_sim.store.linked import short

MOST_HEAT_MAPS = 2
MOST_COLUMNS = 24


def outcomes(view: View) -> Section:
    """Return the section on endings: shares of all ends over all settings."""
    frame, layout = view.outcomes, view.layout
    seen = [e for e in view.study.schema.ends if _happens(frame, e.name)]
    sentences = [
        spread(
            f"{e.name.replace('_', ' ')} ({e.meaning})", view.cells(frame.filter(pl.col("end") == e.name)), percent=True
        )
        for e in seen
    ]
    never = [e.name.replace("_", " ") for e in view.study.schema.ends if e not in seen]
    if never:
        sentences.append(f"Never seen: {', '.join(never)}.")
    pictures = []
    for end in [e for e in seen if e.kind != "censored"][:MOST_HEAT_MAPS]:
        picture = _by_setting(view, frame.filter(pl.col("end") == end.name), end.name)
        if picture is not None:
            pictures.append(picture)
    marks = _fingerprint(view)
    if marks is not None:
        pictures.append(marks)
    table = layout.table(frame.filter(pl.col("end").is_in([e.name for e in seen])), "kind", "failed")
    return Section(
        name="outcomes",
        title="How games end",
        question="How often does a game end in each way?",
        sentences=tuple(sentences),
        headline=tuple(sentences[: sum(e.kind != "censored" for e in seen)][:2]),
        pictures=tuple(pictures),
        tables=(
            Table(
                name="endings",
                title="Endings by setting",
                frame=table,
                columns={"end": "how games end", "value": "share of games", "games": "games played"},
                percent=True,
            ),
        ),
    )


def _happens(frame: pl.DataFrame, end: str) -> bool:
    return frames.top(frame.filter(pl.col("end") == end)) > 0


def _by_setting(view: View, frame: pl.DataFrame, end: str) -> Picture | None:
    layout = view.layout
    if len(view.study.cells) == 1:
        return None
    dressed = layout.dress(frame)
    name = end.replace("_", " ")
    if layout.full and 2 <= len(layout.keys) <= 3 and len(layout.values(layout.keys[1])) <= 10:
        row, column, *more = layout.keys
        figure = heat_map(dressed, row=row, column=column, panel=more[0] if more else "", axis=f"{name}, % of games")
        told = f"Share of games that end with {name}, in percent, with the half-width of its interval below."
        return Picture(
            name=f"map-{end}".replace("_", "-"),
            figure=figure,
            caption=f"{told} Compare along a line or a column; lighter is more.",
            alternative=f"Coloured table of the share of games that end with {name}, "
            f"{short(row)} by {short(column)}; the numbers are in the table below.",
        )
    step = layout.keys[0] if layout.full and layout.keys else "setting"
    if step == "setting" and frame.height > 30:
        return None
    return Picture(
        name=f"by-setting-{end}".replace("_", "-"),
        figure=ladder(dressed, step=step, axis=f"{name}, share of games"),
        caption=f"Share of games that end with {name}, with intervals.",
        alternative=f"Points with intervals: share of games that end with {name} in each setting; see the table below.",
    )


def _fingerprint(view: View) -> Picture | None:
    """Return the run's headline metrics over all settings, None where there is one setting or there are too many."""
    layout = view.layout
    numbers = headline(view.study)
    if not 2 <= len(view.study.cells) <= MOST_COLUMNS or len(numbers) < 2:
        return None
    frame = analysis.estimate(view.study, [n.name for n in numbers], level=view.level)
    titles = {n.name: n.metric.title for n in numbers}
    shares = [n.name for n in numbers if n.metric.kind != "mean"]
    frame = frame.with_columns(share=pl.col("metric").is_in(shares), metric=pl.col("metric").replace(titles))
    return Picture(
        name="fingerprint",
        figure=fingerprint(layout.dress(frame), row="metric", column="setting", percent="share"),
        caption=f"Every headline number in every setting ({layout.order}); shares in percent. Each line has its own "
        "scale from its least to its greatest value: settings whose columns look alike play alike.",
        alternative="Coloured table of the headline numbers, a line each, in every setting, a column each.",
    )


def winners(view: View) -> Section | None:
    """Return the section on who wins, None when all seats are alike."""
    layout = view.layout
    frame = analysis.win_share(view.study, by="player", level=view.level)
    alike = frame["expected"].drop_nulls().to_list()
    if all(chance == 1.0 for chance in alike):
        return None
    shares = frame.filter((pl.col("metric") == "win_share") & (pl.col("at_table") > 0))
    sentences: list[str] = []
    headline: list[str] = []
    for player in frames.labels(shares, "player"):
        rows = [r for r in shares.iter_rows(named=True) if frames.label(r["player"]) == player]
        found = [frames.estimate(r) for r in rows]
        if len(found) == 1:
            sentences.append(against_chance(player, found[0]))
            headline.append(sentences[-1])
            continue
        sentences.append(chances(player, found))
        headline.append(sentences[-1])
        cells = [(layout.told(r["cell"]), e) for r, e in zip(rows, found, strict=True)]
        sentences.append(spread(f"The win share of {player}", cells, percent=True))
    dressed = layout.dress(shares.filter(pl.col("cell").is_in(layout.drawn)))
    return Section(
        name="winners",
        title="Who wins",
        question="Does who sits at the table decide who wins, and how far is each from equal chances?",
        sentences=tuple(sentences),
        headline=tuple(headline[:2]),
        pictures=(
            Picture(
                name="win-share",
                figure=win_shares(dressed, row="setting", label="player", axis="wins ÷ decided games"),
                caption="Wins of each kind of player over decided games. The bar is what equal chances would give: "
                f"its seats over all seats. {layout.drawn_told}".strip(),
                alternative="Dots with intervals: win share of each kind of player in each setting beside equal "
                "chances; the numbers are in the table below.",
            ),
        ),
        tables=(
            Table(
                name="win-share",
                title="Wins by player",
                frame=layout.table(frame.filter(pl.col("at_table") > 0)),
                columns={
                    "metric": "win share: wins over decided games; win rate: wins over all games",
                    "wins": "games won; a win shared by k counts 1/k for each",
                    "games": "games it is counted over",
                    "at_table": "seats of that kind at the table",
                },
                percent=True,
            ),
        ),
    )
