"""Sections: cards, buildings and places: what is dealt, put out and used, and what cards do for who is dealt them."""

from __future__ import annotations

import polars as pl

from pompeii_sim.analysis import Study
from pompeii_sim.analysis.content import content, deal_effects, use_associations
from pompeii_sim.figures import frames
from pompeii_sim.figures.bars import use
from pompeii_sim.figures.dots import forest
from pompeii_sim.figures.layout import Layout
from pompeii_sim.figures.section import Picture, Section, Table
from pompeii_sim.games.pompeii.insight import names
from pompeii_sim.report.words import points, told

NEEDED = ("dealt", "put_out", "card_use", "place_use", "built")
FULL = "This run has core records. To see what happens to cards, buildings and places, play it with --records full."
MOST_NAMED = 8


def along(layout: Layout) -> list[int]:
    """Return the cells these sections look at: along the first setting, all others as in cell 0."""
    if layout.line == "setting":
        return layout.drawn[:3]
    others = [k for k in layout.keys if k != layout.line]
    return [c for c in layout.drawn if all(layout.value(c, k) == layout.value(0, k) for k in others)]


def cards(study: Study) -> Section:
    """Return the section on specialists and city cards."""
    layout = Layout(study)
    ask = "Which cards are dealt, put out and used, which never, and what does it do to be dealt one?"
    if not study.has(*NEEDED):
        return Section(name="cards", title="Cards", question=ask, sentences=(FULL,))
    cells = along(layout)
    labels = names.cards(names.data_of(study))
    seen = content(
        study, shares={"dealt": "dealt", "put out": "put_out", "used": "card_use"}, labels=labels, cell=cells
    )
    effects = deal_effects(study, "dealt", labels=labels, cell=cells[:1])
    related = use_associations(study, "put_out", labels=labels, cell=cells[:1])
    sentences = [*_never(layout, seen, cells), *_flags(layout, effects, cells[0])]
    sentences.append(
        "Being dealt a card is chance, so its effect is cause and effect; having put a card out is not: who is ahead "
        "puts out more. The second table is an association."
    )
    shown = effects.filter(pl.col("value").is_not_null())
    pictures = [
        Picture(
            name="dealt-effect",
            figure=forest(
                layout.dress(shown),
                label="item",
                axis="change of the win rate of the seat dealt the card",
                flagged="flagged",
                most=30,
            ),
            caption="Win rate of a seat whose opening deal held the card, minus the same seat where nobody was dealt "
            "it: the thirty largest. Filled: told from no effect with false discoveries held at 5%. "
            f"{_setting(layout, cells[0])}".strip(),
            alternative="Forest of effects with intervals, one line a card; the numbers are in the table of effects.",
        )
    ]
    used = layout.dress(seen.filter(pl.col("metric") == "put out"))
    pictures.append(
        Picture(
            name="put-out",
            figure=use(
                used,
                label="item",
                group=layout.line if len(cells) > 1 else "",
                percent=True,
                axis="games that see it",
                most=30,
            ),
            caption="Share of games in which somebody trained, activated or played the card: the thirty most used.",
            alternative="Points with intervals: share of games in which each card was put out; the numbers are in the "
            "table of cards.",
        )
    )
    return Section(
        name="cards",
        title="Cards",
        question=ask,
        sentences=tuple(sentences),
        pictures=tuple(pictures) if shown.height else tuple(pictures[1:]),
        tables=(
            Table(
                name="effects",
                title="What it does to be dealt a card (cause and effect)",
                frame=layout.table(effects),
                columns=EFFECT_COLUMNS | {"value": "win rate with minus without"},
                percent=True,
            ),
            Table(
                name="associations",
                title="Who put a card out (association only)",
                frame=layout.table(related),
                columns=EFFECT_COLUMNS | {"value": "win rate with minus without"},
                percent=True,
            ),
            Table(
                name="cards",
                title="Cards dealt, put out and used",
                frame=layout.table(seen),
                columns={
                    "item": "the card",
                    "metric": "share of games in which it was in an opening deal, put out by somebody, used at least "
                    "once",
                },
                percent=True,
            ),
        ),
    )


EFFECT_COLUMNS = {
    "item": "the card",
    "with_it": "win rate of seats that had it",
    "without": "win rate of the same seats where they had not",
    "seats_with": "seats that had it",
    "seats_without": "seats it is held against",
    "p_value": "chance of such a difference without an effect",
    "adjusted": "the same with false discoveries over all cards held in check (Benjamini and Hochberg)",
    "flagged": "whether it is called real",
    "tested": "cards tested together",
    "flags_by_chance": "flags that pure chance would give among them without the correction",
    "false_flags": "most of the flags expected false",
}


def _setting(layout: Layout, cell: int) -> str:
    return f"Setting: {layout.told(cell)}." if len(layout.study.cells) > 1 else ""


def _never(layout: Layout, seen: pl.DataFrame, cells: list[int]) -> list[str]:
    out = []
    for metric in ("put out", "used"):
        part = seen.filter(pl.col("metric") == metric).group_by("item", maintain_order=True).agg(pl.col("value").max())
        never = part.filter(pl.col("value") == 0)["item"].to_list()
        games = int(frames.top(seen, "n"))
        if never:
            named = ", ".join(never[:MOST_NAMED]) + (
                f" and {len(never) - MOST_NAMED} more" if len(never) > MOST_NAMED else ""
            )
            out.append(f"Never {metric} in any of the settings looked at ({games:,} games each): {named}.")
        else:
            out.append(f"Every card was {metric} at least once in {games:,} games.")
    return out


def _flags(layout: Layout, effects: pl.DataFrame, cell: int) -> list[str]:
    flagged = effects.filter(pl.col("flagged")).sort("value", descending=True)
    tested = int(frames.top(effects, "tested"))
    chance = frames.top(effects, "flags_by_chance")
    start = f"Of {tested} cards tested, {flagged.height} change the chance to win of who is dealt them"
    where = f" ({layout.told(cell)})" if len(layout.study.cells) > 1 else ""
    out = [f"{start}{where}; uncorrected, chance alone would flag about {chance:.0f}."]
    for row in [*flagged.head(2).iter_rows(named=True), *flagged.tail(2).iter_rows(named=True)]:
        way = "raises" if row["value"] > 0 else "lowers"
        sentence = f"Being dealt {row['item']} {way} the win rate by {points(frames.estimate(row))}."
        if sentence not in out:
            out.append(sentence)
    return out


def places(study: Study) -> Section:
    """Return the section on places and buildings."""
    layout = Layout(study)
    ask = "Where do workers go, and what is built?"
    if not study.has(*NEEDED):
        return Section(name="places", title="Places and buildings", question=ask, sentences=(FULL,))
    data = names.data_of(study)
    cells = along(layout)
    visits = content(study, means={"worker actions": "place_use"}, labels=names.places(data), cell=cells)
    buildings = [names.building(data, number) for number in range(21)]
    built = content(study, shares={"built": "built"}, labels=buildings, cell=cells).filter(pl.col("item") != "0")
    group = layout.line if len(cells) > 1 else ""
    never = [
        item
        for (item,), rows in visits.group_by(["item"], maintain_order=True)
        if frames.top(rows) == 0 and item not in ("0",)
    ]
    sentences = [_most(layout, visits, cells[0])]
    nobody = f"No worker was ever placed at: {', '.join(map(str, never))}."
    sentences.append(nobody if never else "Workers were placed everywhere.")
    return Section(
        name="places",
        title="Places and buildings",
        question=ask,
        sentences=tuple(sentences),
        pictures=(
            Picture(
                name="places",
                figure=use(layout.dress(visits), label="item", group=group, axis="worker actions in a game"),
                caption="Worker actions of a game, all seats together, at each place.",
                alternative="Points with intervals: worker actions in a game at each place; the numbers are in the "
                "table.",
            ),
            Picture(
                name="built",
                figure=use(
                    layout.dress(built), label="item", group=group, percent=True, axis="games in which it stands"
                ),
                caption="Share of games in which the building stands at the end.",
                alternative="Points with intervals: share of games in which each building stands; the numbers are in "
                "the table.",
            ),
        ),
        tables=(
            Table(
                name="places",
                title="Use of places",
                frame=layout.table(visits, "metric"),
                columns={"item": "the place", "value": "worker actions in a game, all seats together"},
            ),
            Table(
                name="built",
                title="Buildings that stand at the end",
                frame=layout.table(built, "metric"),
                columns={"item": "number and name", "value": "share of games"},
                percent=True,
            ),
        ),
    )


def _most(layout: Layout, visits: pl.DataFrame, cell: int) -> str:
    rows = visits.filter(pl.col("cell") == cell).sort("value", descending=True, nulls_last=True).head(3)
    named = "; ".join(f"{r['item']} {told(frames.estimate(r))}" for r in rows.iter_rows(named=True))
    where = f" ({layout.told(cell)})" if len(layout.study.cells) > 1 else ""
    return f"Most used places, in worker actions of a game{where}: {named}."
