"""Columns of a finished game, its ends, and the metrics every summary gives."""

from __future__ import annotations

from pompeii_sim.engine.contract import Column, End, Metric
from pompeii_sim.games.downfall import codes as c

ENDS = (
    End(code=c.END_LAST_TILE, name="last_tile", meaning="the last lava tile was drawn", kind="decided"),
    End(code=c.END_EMPTY, name="empty_city", meaning="nobody was left on the board", kind="decided"),
)

ERROR_LABELS = {
    c.ERR_NONE: "none",
    c.ERR_ILLEGAL: "a player returned an illegal action",
    c.ERR_TRACE: "too many events to trace",
}

COLUMNS = (
    Column(name="game", meaning="number of the game in its cell, from 0"),
    Column(name="deal", meaning="number of the deal: everything chance decides"),
    Column(name="arrangement", meaning="number of the arrangement: who sits where"),
    Column(name="seat_spec", meaning="listed seat of the scenario that sits here, -1 for none", per_seat=True),
    Column(name="ended_by", meaning="how the game ended", labels={e.code: e.name for e in ENDS}),
    Column(name="winners", meaning="bit mask of the seats that won; a tie on saved and casualties is shared"),
    Column(name="rank", meaning="place: most saved, then fewest casualties; 0 an empty seat", per_seat=True),
    Column(name="score", meaning="people saved", per_seat=True),
    Column(name="rounds", meaning="turns played, settling and lava together"),
    Column(name="decisions", meaning="decisions with two or more legal actions"),
    Column(name="forced", meaning="decisions with one legal action"),
    Column(name="error", meaning="0, or why the game counts as failed", labels=ERROR_LABELS),
    Column(name="error_seat", meaning="seat of the error, -1 for none"),
    Column(name="error_action", meaning="the action that was illegal"),
    Column(name="start_seat", meaning="seat that played first"),
    Column(name="quiet_turns", meaning="settling turns up to the one that turns up the first AD 79"),
    Column(name="seething_turns", meaning="settling turns after it"),
    Column(name="settling_turns", meaning="cards played: turns of the first half"),
    Column(name="eruption_turns", meaning="lava turns in which nobody may run"),
    Column(name="running_turns", meaning="lava turns with runs"),
    Column(name="lava_turns", meaning="turns of the second half"),
    Column(name="first_ad79", meaning="turn in which the first AD 79 came, 0 for never"),
    Column(name="second_ad79", meaning="turn in which the second AD 79 came, 0 for never"),
    Column(name="omens", meaning="omens drawn"),
    Column(name="tiles_placed", meaning="lava tiles laid"),
    Column(name="tiles_unplaced", meaning="lava tiles without a legal place"),
    Column(name="buried", meaning="squares buried because they were enclosed"),
    Column(name="shut_gates", meaning="gates shut by lava"),
    Column(name="margin", meaning="people the best seat saved more than the second"),
    Column(name="choices", meaning="decisions with two or more legal actions", per_seat=True),
    Column(name="saved", meaning="people saved", per_seat=True),
    Column(name="casualties", meaning="own casualties of all causes", per_seat=True),
    Column(name="lost_omen", meaning="people taken by omens", per_seat=True),
    Column(name="lost_lava", meaning="people under lava tiles", per_seat=True),
    Column(name="lost_enclosed", meaning="people in enclosed squares", per_seat=True),
    Column(name="lost_left", meaning="people left inside at the end", per_seat=True),
    Column(name="placed", meaning="people brought to the city, however", per_seat=True),
    Column(name="by_card", meaning="people placed by number", per_seat=True),
    Column(name="by_wild", meaning="people placed by a card of a full building", per_seat=True),
    Column(name="by_relative", meaning="people placed as relatives", per_seat=True),
    Column(name="discards", meaning="cards played that placed nobody", per_seat=True),
    Column(name="runs", meaning="runs, those out of a gate included", per_seat=True),
    Column(name="gate_saved", meaning="people saved through each gate, in the order of gates.toml"),
    Column(name="home_placed", meaning="people who came to each building: 1-15 by number, 16-31 neutral houses",
           records="full"),
    Column(name="home_saved", meaning="people saved by the building they came to", records="full"),
    Column(name="square_placed", meaning="people placed on each square, row by row", records="full"),
    Column(name="square_lost", meaning="casualties on each square, row by row", records="full"),
    Column(name="square_lava", meaning="lava turn in which each square was covered, 0 for never", records="full"),
    Column(name="turn_saved", meaning="people saved in each lava turn, from 1; index 0 is before", records="full"),
    Column(name="turn_lost", meaning="casualties in each lava turn, from 1; index 0 is before", records="full"),
    # series
    Column(name="time", meaning="turn, from 1"),
    Column(name="seat", meaning="0-based seat"),
    Column(name="phase", meaning="phase at the end of the turn", labels=dict(enumerate(c.PHASES))),
    Column(name="progress", meaning="share of own people saved or near a gate, 0..1"),
    Column(name="people", meaning="own people on the board"),
)  # fmt: skip

_TURNS = (0, c.MAX_TURNS)
_PEOPLE = (0, 200)


def _mean(name: str, title: str, column: str, definition: str, bounds: tuple[float, float], unit: str,
          headline: bool = False) -> Metric:  # fmt: skip
    return Metric(
        name=name, title=title, kind="mean", column=column, definition=definition, bounds=bounds, unit=unit,
        headline=headline,
    )  # fmt: skip


METRICS = (
    _mean("saved_mean", "saved", "saved", "mean number of people saved, all seats together", _PEOPLE, "people", True),
    _mean("casualties_mean", "casualties", "casualties", "mean number of casualties of all causes, all seats together; "
          "people left inside at the end count unless the rules say otherwise", _PEOPLE, "people", True),
    _mean("lost_omen_mean", "lost to omens", "lost_omen", "mean number of people taken by omens", _PEOPLE, "people"),
    _mean("lost_lava_mean", "lost to lava", "lost_lava", "mean number of people under lava tiles", _PEOPLE, "people"),
    _mean("lost_enclosed_mean", "lost enclosed", "lost_enclosed", "mean number of people in squares buried because "
          "no way out was left", _PEOPLE, "people"),
    _mean("lost_left_mean", "left behind", "lost_left", "mean number of people inside when the last tile is drawn",
          _PEOPLE, "people"),
    _mean("placed_mean", "settled", "placed", "mean number of people brought to the city, all seats together", _PEOPLE,
          "people", True),
    _mean("relatives_mean", "relatives", "by_relative", "mean number of people placed as relatives", _PEOPLE, "people"),
    _mean("margin_mean", "margin", "margin", "mean number of people the best seat saved more than the second", (0, 60),
          "people", True),
    _mean("rounds_mean", "turns", "rounds", "mean number of turns, settling and lava together", _TURNS, "turns", True),
    _mean("settling_turns_mean", "settling turns", "settling_turns", "mean number of turns up to the second AD 79",
          _TURNS, "turns", True),
    _mean("running_turns_mean", "running turns", "running_turns", "mean number of lava turns in which people may run",
          _TURNS, "turns"),
    _mean("omens_mean", "omens", "omens", "mean number of omens drawn", (0, 40), "omens"),
    _mean("buried_mean", "buried squares", "buried", "mean number of squares buried because they were enclosed",
          (0, c.MAX_SQUARES), "squares"),
    _mean("shut_gates_mean", "shut gates", "shut_gates", "mean number of gates under lava at the end",
          (0, c.MAX_GATES), "gates"),
    _mean("decisions_mean", "decisions", "decisions", "mean number of decisions with two or more legal actions, all "
          "seats together", (0, 2000), ""),
    Metric(
        name="empty_city_rate", title="empty city", kind="rate", column="ended_by", value=c.END_EMPTY, headline=True,
        definition="share of games that end because nobody is left on the board, before the last tile",
    ),
    Metric(
        name="win_share_by_player", title="win share", kind="share", by="player", headline=True,
        definition="wins of a kind of seat divided by decided games, a shared win counted in parts; expected is its "
        "seats divided by all seats",
    ),
    Metric(
        name="win_share_by_seat", title="win share by seat", kind="share", by="seat",
        definition="wins of a seat divided by decided games; seat 0 plays first unless the rules say otherwise; "
        "expected is 1 divided by the number of seats",
    ),
)  # fmt: skip
