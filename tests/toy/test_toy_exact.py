"""The toy game, run through everything, gives the answers worked out on paper."""

from __future__ import annotations

import numpy as np
import pytest
from toy_exact import exact
from toy_install import scenario

from pompeii_sim.run import execute

GAMES = 40_000


def _inside(value: float, truth: float, spread: float, n: int) -> None:
    assert abs(value - truth) < 4.5 * spread / np.sqrt(n), (value, truth)


@pytest.mark.parametrize(
    ("players", "rules"),
    [
        (("eager",) * 2, {}),
        (("eager", "careful", "careful"), {"target": 2}),
        (("eager",) * 3 + ("careful",) * 5, {"disaster": 0.02}),
        (("careful",) * 4, {"cap": 8, "target": 4, "heads": 0.3}),
    ],
)
def test_run_agrees_with_paper(players: tuple[str, ...], rules: dict[str, float]) -> None:
    truth = exact([1.0 if p == "eager" else 0.5 for p in players], **rules)
    metrics = execute(scenario(*players, games=GAMES, rules=rules), jobs=1).cells[0].metrics
    for name, p in (("victory_rate", truth.victory), ("disaster_rate", truth.disaster), ("cap_rate", truth.cap)):
        _inside(metrics[name].value, p, np.sqrt(p * (1 - p)) + 1e-9, GAMES)
    _inside(metrics["rounds_mean"].value, truth.rounds, 6.0, GAMES)
    _inside(metrics["rounds_to_victory_mean"].value, truth.rounds_to_victory, 6.0, GAMES * truth.victory)
    by_player = metrics["win_share_by_player"]
    assert sum(e.value for e in by_player.values()) == pytest.approx(1.0)
    for kind, estimate in by_player.items():
        share = sum(s for p, s in zip(players, truth.share, strict=True) if p == kind)
        _inside(estimate.value, share, 0.5, GAMES * truth.victory)
        assert estimate.expected == pytest.approx(players.count(kind) / len(players))


def test_eight_seats_rotate_evenly() -> None:
    """Eight seats are used, and with rotation no seat gains from who sits there."""
    result = execute(scenario(*("eager",) * 3, *("careful",) * 5, games=56_000), jobs=1)
    rows = result.games().collect()
    specs = rows.select(f"seat_spec_{seat}" for seat in range(8)).to_numpy()
    assert (np.sort(specs, axis=1) == np.arange(8)).all()
    assert len(np.unique(rows["arrangement"])) == 56  # 8 choose 3
    sitting = (specs < 3).mean(axis=0)
    assert np.ptp(sitting) == 0.0
    for estimate in result.cells[0].metrics["win_share_by_seat"].values():
        _inside(estimate.value, 1 / 8, 0.33, estimate.n)


def test_series_tells_every_round() -> None:
    result = execute(scenario("eager", "eager", games=300), jobs=1, series_every=7)
    series, rows = result.series().collect(), result.games().collect()
    rounds = dict(rows.select("game", "rounds").iter_rows())
    seen: dict[int, list[int]] = {}
    for game, time in series.filter(series["seat"] == 0).select("game", "time").iter_rows():
        seen.setdefault(game, []).append(time)
    assert sorted(seen) == list(range(0, 300, 7))
    for game, times in seen.items():
        assert times == list(range(1, rounds[game] + 1))


def test_replayed_game_is_the_stored_one() -> None:
    from pompeii_sim import games
    from pompeii_sim.engine.prepare import prepare
    from pompeii_sim.engine.stepping import GameInPlay

    wanted = scenario("eager", "careful", "careful", games=40, seating="duplicate")
    rows = execute(wanted, jobs=1).games().collect()
    prepared = prepare(games.get("toy"), wanted.cells[0], "duplicate")
    for number in (0, 17, 39):
        game = GameInPlay(prepared, wanted.seed, number, wanted.cells[0].data).play()
        stored = rows.row(number, named=True)
        assert (game.deal, game.arrangement) == (stored["deal"], stored["arrangement"])
        row = game.row()[0]
        assert [float(s) for s in row["score"]] == [stored[f"score_{i}"] for i in range(8)]
        assert len(game.moves) == stored["decisions"] + stored["forced"]
        assert game.events[0]["event"] == "setup"
        assert game.events[-1]["event"] == "game_end"
        assert sum(e["event"] == "toss" for e in game.events) == sum(stored[f"tosses_{i}"] for i in range(8))
