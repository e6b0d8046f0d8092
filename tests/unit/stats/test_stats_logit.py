"""Conditional logit of the winner: against statsmodels, by hand, and where no finite fit exists."""

from __future__ import annotations

import math

import numpy as np
import pytest
from statsmodels.discrete.conditional_models import ConditionalLogit

from pompeii_sim.stats.conditional_logit import conditional_logit
from pompeii_sim.stats.winner_logit import winner_logit

RNG = np.random.default_rng(31)
KIND_EFFECT = np.array([0.0, 0.4, -0.6, 0.9])
SEAT_EFFECT = np.array([0.0, 0.2, -0.1, 0.3])


def _play(n: int, rng: np.random.Generator = RNG) -> tuple[np.ndarray, np.ndarray]:
    kinds = np.argsort(rng.random((n, 4)), axis=1)
    luck = rng.gumbel(size=(n, 4))
    return kinds, (KIND_EFFECT[kinds] + SEAT_EFFECT + luck).argmax(axis=1)


KINDS, WINNER = _play(600)


def _features(kinds: np.ndarray) -> np.ndarray:
    columns = [kinds == k for k in (1, 2, 3)] + [np.broadcast_to(np.arange(4) == s, kinds.shape) for s in (1, 2, 3)]
    return np.stack(columns, axis=2).astype(float)


def test_fit_agrees_with_statsmodels() -> None:
    ours = winner_logit(KINDS, WINNER, names=("plain", "bold", "shy", "sly"))
    won = np.zeros(KINDS.shape)
    won[np.arange(600), WINNER] = 1
    model = ConditionalLogit(won.ravel(), _features(KINDS).reshape(-1, 6), groups=np.repeat(np.arange(600), 4))
    values = np.array([c.value for c in ours.coefficients])
    # Its optimiser stops early, so its own likelihood and slope are asked at our point.
    assert model.loglike(values) == pytest.approx(ours.log_likelihood, abs=1e-9)
    assert model.score(values) == pytest.approx(np.zeros(6), abs=1e-6)
    theirs = model.fit(method="bfgs", gtol=1e-9, disp=0)
    assert ours.log_likelihood >= theirs.llf - 1e-9
    assert values == pytest.approx(np.asarray(theirs.params), abs=1e-3)
    errors = np.sqrt(np.diag(ours.covariance))
    assert errors == pytest.approx(np.asarray(theirs.bse), rel=1e-3)
    assert ours.coefficients[0].high == pytest.approx(values[0] + 1.959963984540054 * errors[0], abs=1e-12)
    assert ours.names == ("kind:bold", "kind:shy", "kind:sly", "seat:1", "seat:2", "seat:3")
    assert (ours.separated, ours.aliased, ours.n, ours.left_out) == ((), (), 600, 0)


def test_counted_rows_and_single_rows_agree() -> None:
    counted = winner_logit(KINDS, WINNER)
    single = conditional_logit(_features(KINDS), WINNER)
    assert [c.value for c in counted.coefficients] == pytest.approx([c.value for c in single.coefficients], abs=1e-9)
    assert counted.covariance == pytest.approx(single.covariance, rel=1e-7)
    doubled = conditional_logit(_features(KINDS), WINNER, weights=np.full(600, 2.0))
    assert doubled.covariance == pytest.approx(single.covariance / 2, rel=1e-7)
    assert doubled.n == 1200


def test_two_alternatives_by_hand() -> None:
    # 30 of 40 wins for the second: log odds log(3), variance 1/30 + 1/10.
    winner = np.repeat([1, 0], [30, 10])
    fit = conditional_logit(np.tile([[0.0], [1.0]], (40, 1, 1)), winner, names=("edge",))
    (edge,) = fit.coefficients
    assert edge.value == pytest.approx(math.log(3.0), abs=1e-9)
    assert fit.covariance[0, 0] == pytest.approx(1 / 30 + 1 / 10, rel=1e-9)
    assert edge.method == "conditional-logit"


def test_true_effects_are_found_in_many_games() -> None:
    kinds, winner = _play(200_000, np.random.default_rng(3))
    fit = winner_logit(kinds, winner)
    truth = np.concatenate([KIND_EFFECT[1:], SEAT_EFFECT[1:]])
    error = np.sqrt(np.diag(fit.covariance))
    assert (error < 0.01).all()
    assert (np.abs([c.value for c in fit.coefficients] - truth) < 4 * error).all()


def test_other_base_shifts_the_kinds() -> None:
    plain, other = winner_logit(KINDS, WINNER), winner_logit(KINDS, WINNER, base=2)
    values = dict(zip(plain.names, plain.coefficients, strict=True))
    shifted = dict(zip(other.names, other.coefficients, strict=True))
    assert values["kind:2"].value is not None
    assert shifted["kind:0"].value == pytest.approx(-values["kind:2"].value, abs=1e-8)
    assert shifted["seat:3"].value == pytest.approx(values["seat:3"].value, abs=1e-8)


def test_a_kind_that_never_wins_is_named_and_the_rest_is_fitted() -> None:
    beaten = np.where(KINDS == 2, -np.inf, KIND_EFFECT[KINDS] + SEAT_EFFECT + RNG.gumbel(size=KINDS.shape))
    winner = beaten.argmax(axis=1)
    fit = winner_logit(KINDS, winner)
    assert fit.separated == ("kind:2",)
    values = dict(zip(fit.names, fit.coefficients, strict=True))
    assert (values["kind:2"].value, values["kind:2"].low) == (None, None)
    assert values["kind:2"].note is not None
    assert values["kind:2"].note.startswith("separated")
    assert values["kind:2"].note.endswith("downwards")
    assert np.isnan(fit.covariance[1]).all()
    # In the limit it is as if kind 2 were not at the table.
    without = conditional_logit(np.delete(_features(KINDS), 1, axis=2), winner, present=KINDS != 2)
    rest = [c.value for c in fit.coefficients if c.value is not None]
    assert rest == pytest.approx([c.value for c in without.coefficients], abs=1e-7)


def test_complete_separation_is_said() -> None:
    kinds = np.argsort(RNG.random((200, 3)), axis=1)
    fit = winner_logit(kinds, (kinds == 1).argmax(axis=1))
    assert "kind:1" in fit.separated
    note = dict(zip(fit.names, fit.coefficients, strict=True))["kind:1"].note
    assert note is not None
    assert note.endswith("upwards")
    assert fit.log_likelihood == pytest.approx(0.0, abs=1e-12)


def test_quasi_separation_along_a_combination() -> None:
    # Seat 1 beats seat 0 whatever the kind; kinds meet only in that way, so their own effect stays finite.
    kinds = np.tile([[0, 0, 1], [0, 1, 0], [1, 0, 0]], (20, 1))
    winner = np.where(np.arange(60) % 2 == 0, 1, 2)
    fit = winner_logit(kinds, winner)
    values = dict(zip(fit.names, fit.coefficients, strict=True))
    assert set(fit.separated) == {"seat:1", "seat:2"}
    assert values["kind:1"].value is not None


def test_fixed_seating_cannot_tell_kind_from_seat() -> None:
    fit = winner_logit(np.tile([0, 1, 2, 3], (600, 1)), WINNER)
    assert set(fit.aliased) == set(fit.names)
    assert all(c.value is None and c.note is not None and "told apart" in c.note for c in fit.coefficients)
    # The seats alone can be estimated when all seats hold the same kind.
    alike = winner_logit(np.zeros((600, 4), dtype=int), WINNER)
    share = np.bincount(WINNER, minlength=4) / 600
    assert [c.value for c in alike.coefficients] == pytest.approx(np.log(share[1:] / share[0]), abs=1e-9)


def test_shared_and_missing_winners() -> None:
    mask = WINNER[:, None] == np.arange(4)
    assert winner_logit(KINDS, mask).coefficients == winner_logit(KINDS, WINNER).coefficients
    shared = mask | ((WINNER[:, None] + 1) % 4 == np.arange(4))
    fit = winner_logit(KINDS, shared)
    halves = conditional_logit(
        np.concatenate([_features(KINDS)] * 2),
        np.concatenate([WINNER, (WINNER + 1) % 4]),
        weights=np.full(1200, 0.5),
    )
    assert [c.value for c in fit.coefficients] == pytest.approx([c.value for c in halves.coefficients], abs=1e-8)
    assert fit.n == 600
    some = np.where(np.arange(600) < 100, -1, WINNER)
    fit = winner_logit(KINDS, some)
    assert (fit.n, fit.left_out) == (500, 100)
    assert fit.coefficients[0].value == pytest.approx(winner_logit(KINDS[100:], WINNER[100:]).coefficients[0].value)


def test_empty_seats_take_no_part() -> None:
    kinds = np.where(np.arange(4) == 3, -1, KINDS)
    winner = np.where(WINNER == 3, 0, WINNER)
    fit = winner_logit(kinds, winner)
    values = dict(zip(fit.names, fit.coefficients, strict=True))
    three = winner_logit(kinds[:, :3], winner)
    assert values["kind:1"].value == pytest.approx(three.coefficients[0].value, abs=1e-8)
    assert "seat:3" in fit.aliased


def test_logit_edges() -> None:
    nothing = winner_logit(np.zeros((0, 4), dtype=int), np.zeros(0, dtype=int))
    assert all(c.value is None and c.note == "no units" for c in nothing.coefficients)
    for bad, named in (
        (lambda: winner_logit(KINDS, WINNER[:-1]), "winners"),
        (lambda: winner_logit(KINDS, np.full(600, 4)), "winners"),
        (lambda: winner_logit(np.where(KINDS == 2, -1, KINDS), np.argmax(KINDS == 2, axis=1)), "not present"),
        (lambda: winner_logit(KINDS - 3, WINNER), "kinds"),
        (lambda: winner_logit(KINDS, WINNER, base=9), "base"),
        (lambda: winner_logit(KINDS, WINNER, names=("a", "b")), "names"),
        (lambda: conditional_logit(np.full((1, 2, 1), math.nan), [0]), "features"),
        (lambda: conditional_logit(np.zeros((1, 2, 1)), [0], weights=[-1.0]), "weights"),
        (lambda: conditional_logit(np.zeros((1, 2, 1)), [2]), "winner"),
        (lambda: conditional_logit(np.zeros((1, 2, 1)), [0], names=("a", "b")), "names"),
    ):
        with pytest.raises(ValueError, match=named):
            bad()
