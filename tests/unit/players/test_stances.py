"""Stances: who pledges and pays what in offerings, and what is counted of it."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest
from players_table import play

from pompeii_sim.engine.jit import JIT_DISABLED
from pompeii_sim.games.pompeii.players import stances
from pompeii_sim.games.pompeii.rules import STANCES, Seat


def _plain(function: Any) -> Any:
    return function if JIT_DISABLED else function.py_func


def _table(stance: str, others: str = "cooperative", games: int = 150, every: int = 0) -> tuple[Any, Any]:
    return play([Seat(stance=stance), *[Seat(stance=others)] * 3], games, every=every)  # type: ignore[arg-type]


def _of_first(rows: Any, name: str) -> Any:
    return rows[name][rows["seat_spec"] == 0]


def test_codes_follow_the_names_of_the_rules() -> None:
    codes = {
        "cooperative": stances.COOPERATIVE, "never": stances.NEVER, "player": stances.PLAYER,
        "conditional": stances.CONDITIONAL, "free-rider": stances.FREE_RIDER, "generous": stances.GENEROUS,
        "calculating": stances.CALCULATING,
    }  # fmt: skip
    assert [codes[name] for name in STANCES] == list(range(7))


def test_never_pays_nothing_and_refuses_whenever_it_could_pay() -> None:
    rows, _ = _table("never")
    assert (_of_first(rows, "paid") == 0).all()
    assert (_of_first(rows, "pledged") == 0).all()
    assert (_of_first(rows, "refused") == _of_first(rows, "could_pay")).all()
    assert _of_first(rows, "refused").sum() > 0


def test_the_cooperative_never_refuses_and_helps() -> None:
    rows, _ = _table("cooperative", others="never")
    assert (_of_first(rows, "refused") == 0).all()
    assert (_of_first(rows, "pivotal") == 0).all()
    assert (_of_first(rows, "pledged") > _of_first(rows, "marker")).any(), "it never helped with a shortfall"


def test_the_generous_draw_cards_and_a_free_rider_pays_least_of_those_who_pay() -> None:
    generous, _ = _table("generous")
    cooperative, _ = _table("cooperative")
    rider, _ = _table("free-rider")
    assert _of_first(generous, "over_cards").mean() > _of_first(cooperative, "over_cards").mean() + 0.5
    share = [_of_first(t, "paid").sum() / _of_first(t, "marker").sum() for t in (rider, cooperative, generous)]
    assert share[0] < share[1] <= share[2]


def test_conditional_players_stop_when_others_stop() -> None:
    among_payers, _ = _table("conditional")
    among_refusers, _ = _table("conditional", others="never")
    assert (_of_first(among_payers, "refused").mean()) < 0.5
    assert (_of_first(among_refusers, "refused").mean()) > 1.0


def test_pivotal_refusals_are_refusals_in_failed_offerings() -> None:
    for stance in ("free-rider", "calculating", "never"):
        rows, _ = _table(stance)
        failed = (rows["offerings"] - rows["offerings_paid"])[:, None]
        assert (rows["pivotal"] <= np.minimum(rows["refused"], failed)).all()
        assert (rows["refused"] <= rows["could_pay"]).all()
        assert (rows["could_pay"] <= rows["offerings"][:, None]).all()
    rows, _ = _table("never", others="calculating")
    assert rows["pivotal"].sum() > 0


def test_the_series_tells_every_round_what_was_due_pledged_and_paid() -> None:
    rows, series = _table("never", games=20, every=1)
    for row in rows:
        mine = series[series["game"] == row["game"]]
        assert mine["pledged"][mine["seat"] == 1].sum() == row["pledged"][1]
        assert mine["due"][mine["seat"] == 0].sum() == row["due"]
        assert mine["pivotal"].sum() == row["pivotal"].sum()
        assert (mine["due"][mine["phase"] == 0] == 0).all()


@pytest.mark.parametrize(
    ("mode", "place", "turned", "chance"),
    [(0, 0, 0, 0.1), (0, 0, 4, 1 / 6), (1, 0, 4, 0.0), (1, 0, 5, 0.2), (2, 9, 8, 0.0), (2, 9, 9, 1.0), (2, 0, 0, 1.0)],
)
def test_the_chance_of_the_apocalypse_is_what_the_rules_tell_everybody(
    mode: int, place: int, turned: int, chance: float
) -> None:
    public = SimpleNamespace(volcano_left=10 - turned)
    tables = SimpleNamespace(volcano_cards=9, apocalypse_mode=mode, apocalypse_place=place)
    assert _plain(stances.apocalypse_chance)(public, tables) == pytest.approx(chance)


def test_half_of_the_others_is_enough() -> None:
    paid = _plain(stances.others_paid)
    assert paid(SimpleNamespace(n_seats=4, last_paid=[0, 1, 1, 0]), 0)
    assert not paid(SimpleNamespace(n_seats=4, last_paid=[1, 1, 0, 0]), 0)
    assert paid(SimpleNamespace(n_seats=2, last_paid=[0, 1]), 0)
