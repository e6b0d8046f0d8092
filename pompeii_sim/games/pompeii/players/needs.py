"""What a seat still needs for victory: goods of every kind, and buildings to be built.

Worked backwards from the army, the Terme and the Castrum: a missing good asks for the inputs of the building that
makes it, a missing building for its cost. Goods are visited from high to low value, since every conversion climbs.
"""

from __future__ import annotations

import numpy as np

from pompeii_sim.engine.jit import jit
from pompeii_sim.games.pompeii.codes import AWAKENING, BUILD, CASTRUM, FORO, RED, TERME
from pompeii_sim.games.pompeii.moves import forbidden


@jit
def maker_of(T, good):
    """Return the building that makes a good, 0 for none."""
    for building in range(1, CASTRUM):
        if T.recipe[building] >= 0 and T.r_out[T.recipe[building]] == good:
            return building
    return 0


@jit
def own_goals(P, T, seat, need):
    """Write the goods of the seat's unfinished goals into ``need``: Terme, Castrum, army.

    A step forbidden to the seat counts as one that somebody else will do.
    """
    for g in range(T.n_goods):
        need[g] = 0
    if P.built[TERME] == 0 and not forbidden(P, T, seat, BUILD, TERME):
        for g in range(T.n_goods):
            need[g] += T.goal[0, g]
    if P.built[CASTRUM] == 0 and not forbidden(P, T, seat, BUILD, CASTRUM):
        for g in range(T.n_goods):
            need[g] += T.goal[1, g]
    if P.army[seat] == 0:
        for g in range(T.n_goods):
            need[g] += T.goal[2, g]


@jit
def needs(P, T, seat):
    """Return what a seat needs: goods (int64, shape (32,)) and buildings to be built (int64, shape (21,), 0 or 1)."""
    need = np.zeros(32, np.int64)
    build = np.zeros(21, np.int64)
    own_goals(P, T, seat, need)
    if P.built[FORO] == 0:
        build[FORO] = 1
        add_cost(T, FORO, need)
    if P.built[TERME] == 0 and not forbidden(P, T, seat, BUILD, TERME):
        build[TERME] = 1
    if P.built[CASTRUM] == 0 and not forbidden(P, T, seat, BUILD, CASTRUM):
        build[CASTRUM] = 1
    for value in range(5, 1, -1):
        for g in range(T.n_goods):
            if T.value[g] == value and need[g] > P.goods[seat, g]:
                building = maker_of(T, g)
                if building == 0:
                    continue
                missing = need[g] - P.goods[seat, g]
                recipe = T.recipe[building]
                for i in range(T.r_n_in[recipe]):
                    need[T.r_in[recipe, i]] += missing * T.r_qty[recipe, i]
                if P.built[building] == 0 and build[building] == 0:
                    build[building] = 1
                    if T.colour[building] == RED or P.phase == AWAKENING:
                        add_cost(T, building, need)
    return need, build


@jit
def add_cost(T, building, need):
    """Add the cost of a building to the goods needed."""
    for g in range(T.n_goods):
        need[g] += T.cost[building, g]
