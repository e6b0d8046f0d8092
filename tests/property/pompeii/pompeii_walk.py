"""A game position by position: what holds in every one of them, and from one to the next."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from pompeii_sim.engine.prepare import Prepared
from pompeii_sim.games.pompeii import codes as c
from pompeii_sim.games.pompeii.state import STATE


@dataclass
class Walk:
    """One game in play.

    Parameters
    ----------
    prepared
        The cell.
    deal, seed
        Which game (arrangement 0).
    """

    prepared: Prepared
    deal: int
    seed: int = 1
    state: NDArray[Any] = field(default_factory=lambda: np.zeros(1, STATE))
    acts: NDArray[np.int64] = field(default_factory=lambda: np.zeros(1024, np.int64))
    options: NDArray[np.int64] = field(default_factory=lambda: np.zeros(0, np.int64))

    def __post_init__(self) -> None:
        self.prepared.kernel.setup_at(
            self.state, self.prepared.tables, self.prepared.arrangements, 0, self.seed, self.deal
        )

    def copy(self) -> Walk:
        """Return the same game in the same position, to go on apart."""
        other = Walk(self.prepared, self.deal, self.seed)
        other.state = self.state.copy()
        return other

    def pub(self, name: str) -> Any:
        """Return a number or array of what everybody sees."""
        return self.state["pub"][name][0]

    def advance(self) -> int:
        """Run to the next decision; return the number of its legal actions, 0 at the end."""
        n = int(self.prepared.kernel.advance_at(self.state, self.prepared.tables, self.acts))
        self.options = self.acts[:n].copy()
        return n

    def turn(self) -> int:
        """Let the seat decide, and return its action."""
        p = self.prepared
        return int(p.kernel.turn_at(self.state, p.tables, p.players, p.weights, self.acts, len(self.options)))

    def apply(self, action: int) -> None:
        """Carry out an action."""
        self.prepared.kernel.apply_at(self.state, self.prepared.tables, action)

    def positions(self) -> Iterator[int]:
        """Yield the number of legal actions at each decision; the caller takes the turn. Ends with the game."""
        while (n := self.advance()) > 0:
            yield n


def cards_everywhere(walk: Walk) -> NDArray[np.int64]:
    """Return in how many places each card is: deck, hand, active, discard pile, drawn, out of the game, being used."""
    pub, hid, own = walk.state["pub"][0], walk.state["hid"][0], walk.state["own"][0]
    count = (hid["deck"] != 0).astype(np.int64) + pub["discard"] + pub["active"].sum(axis=0, dtype=np.int64)
    count += own["hand"].sum(axis=0, dtype=np.int64) + own["drawn"].sum(axis=0, dtype=np.int64)
    count[: c.N_SPECIALISTS] += pub["spent"]
    for i in range(int(pub["top"])):
        if pub["f_kind"][i] == c.F_DISCARD:  # a one-time card in use
            count[pub["f_a"][i]] += 1
    return count


def at_home(walk: Walk) -> int:
    """Return how many workers are neither ready nor on the board: those that stay home until the next round."""
    pub = walk.state["pub"][0]
    out = pub["ready"].sum() + pub["borrowed"].sum() + pub["used"].sum() + pub["injured"].sum()
    return int(pub["workers"].sum() - out)


def check_position(walk: Walk) -> None:
    """Assert what holds in every position."""
    pub, hid, own = walk.state["pub"][0], walk.state["hid"][0], walk.state["own"][0]
    tables = walk.prepared.tables[0]
    seats = int(tables["n_seats"])
    goods = pub["goods"]
    assert goods.min() >= 0, "goods below zero"
    assert goods.max() <= tables["cap"], "goods above the cap"
    assert not goods[seats:].any(), "goods of an empty seat"

    where = cards_everywhere(walk)
    assert (where == 1).all(), (
        f"card {int(np.abs(where - 1).argmax())} is in {int(where[np.abs(where - 1).argmax()])} places"
    )
    half = c.N_SPECIALISTS
    for deck, part in ((0, slice(0, half)), (1, slice(half, 2 * half))):
        assert pub["deck_left"][deck] == (hid["deck"][part] == 1).sum()
        assert (pub["hand_size"][:, deck] == own["hand"][:, part].sum(axis=1)).all()

    workers = pub["workers"][:seats]
    assert (workers >= 0).all()
    assert (workers <= tables["workers_most"]).all()
    for name in ("ready", "borrowed", "injured", "placed", "used", "tokens", "extra_used", "stopped"):
        assert pub[name].min() >= 0, name
    assert (pub["placed"].sum(axis=0) <= pub["used"]).all(), "more own workers than workers on a place"
    limit = tables["spaces"].copy()
    limit[c.BUILDING_0 : c.BUILDING_0 + 21] += pub["extra_used"].sum(axis=0)
    assert (pub["used"] <= limit)[c.N_FIELDS :].all(), "a place is over full"

    assert 0 <= pub["streak"] < tables["raise_after"]
    assert 0 <= pub["top"] < len(pub["f_kind"])
    assert pub["volcano_left"] == tables["volcano_cards"] + 1 - hid["volcano_next"]
    turned = [int(card) for card in hid["volcano"][: hid["volcano_next"]] if card != c.APOCALYPSE]
    assert sorted(turned) == np.flatnonzero(pub["volcano_seen"]).tolist()
    rest = hid["volcano"][: tables["volcano_cards"] + 1]
    assert len(set(rest.tolist())) == len(rest)
    assert (rest == c.APOCALYPSE).sum() == 1
    if pub["dec_kind"] == c.D_PLEDGE and pub["top"] > 0 and pub["f_kind"][pub["top"] - 1] == c.D_PLEDGE:
        marker = np.maximum(0, workers + pub["raises"] * tables["raise_by"] + tables["offering_base"])
        assert pub["due"] == max(0, int(marker[pub["out"][:seats] == 0].sum() + pub["change"]))
    assert pub["owner"][pub["built"] == 0].max(initial=-1) == -1, "an owner of a tile that lies face-down"


def check_options(walk: Walk) -> None:
    """Assert that the list of legal actions is not empty and names none twice, all of known kinds."""
    options = walk.options
    assert len(options) > 0
    assert len(set(options.tolist())) == len(options)
    assert (options >= 0).all()
    assert (options // c.ARG < c.N_KINDS).all()


MONOTONE = ("rnd", "phase", "calm_step", "raises")


def snapshot(walk: Walk) -> dict[str, int]:
    """Return the numbers that may only rise, and the volcano deck, that may only shrink."""
    out = {name: int(walk.pub(name)) for name in MONOTONE}
    return out | {"turned": -int(walk.pub("volcano_left"))}


def check_change(before: dict[str, int], after: dict[str, int]) -> None:
    """Assert that rounds, phases, markers and volcano cards go one way, rounds one by one."""
    for name in before:
        assert after[name] >= before[name], name
    assert after["rnd"] - before["rnd"] <= 1
    assert after["turned"] - before["turned"] <= max(1, after["rnd"] - before["rnd"])
