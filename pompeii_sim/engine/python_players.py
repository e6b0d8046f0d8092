"""Players written as ordinary Python: asked by the compiled loop, one decision at a time, through a view.

Compiled code calls a small function of the game's player signature that goes back to Python; everything else (legal
actions, luck, skill, stances, rows) stays as for compiled players.
"""

from __future__ import annotations

import copy
import inspect
import operator
import traceback
import warnings
from collections.abc import Callable
from functools import cached_property
from typing import Any

import numpy as np
from numba import objmode
from numpy.typing import NDArray

from pompeii_sim.engine.contract import ActionCodec, Game
from pompeii_sim.engine.jit import JIT_DISABLED
from pompeii_sim.engine.records import to_array
from pompeii_sim.errors import InputError


class View:
    """What a player sees at one decision: copies that cannot be written to, and nothing that is hidden from its seat.

    Parameters
    ----------
    asker
        Who asks.
    public, own
        The records of the game in play.
    weights, luck, acts, count
        As a compiled player gets them.
    """

    def __init__(
        self, asker: Asker, public: Any, own: Any, weights: NDArray[Any], luck: int, acts: NDArray[Any], count: int
    ) -> None:
        self._asker = asker
        self._public, self._own = public, own
        self.seat = int(public.dec_seat)
        """0-based seat that decides."""
        self.luck = int(luck)
        """This seat's luck at this decision: a whole number of 63 bits."""
        self.weights = tuple(weights.tolist())
        """The seat's weights in the order of the scenario, zeros behind them."""
        self.legal: tuple[int, ...] = tuple(acts[:count].tolist())
        """The legal actions as numbers; at least two."""

    @cached_property
    def actions(self) -> tuple[str, ...]:
        """The legal actions as text, in the order of `legal`."""
        return tuple(self._asker.codec.text(action) for action in self.legal)

    @cached_property
    def public(self) -> Any:
        """What everybody at the table sees: a record that cannot be written to."""
        return _frozen(self._public, self._asker.game.dtypes.state["pub"])

    @cached_property
    def own(self) -> Any:
        """What the seat sees alone: a record that cannot be written to."""
        return _frozen(self._own, self._asker.game.dtypes.state["own"].base)

    @property
    def tables(self) -> Any:
        """Rules and data of the game as numbers: a record that cannot be written to."""
        return self._asker.tables

    @cached_property
    def random(self) -> np.random.Generator:
        """A generator seeded with `luck`: the same numbers whenever this game is played again."""
        return np.random.Generator(np.random.PCG64(self.luck))


def _frozen(record: Any, dtype: np.dtype[Any]) -> Any:
    """Return a copy that cannot be written to, with fields as attributes."""
    if isinstance(record, np.void):
        raw, dtype = record.tobytes(), record.dtype
    else:
        raw = to_array([record], dtype).tobytes()
    return np.frombuffer(raw, np.dtype((np.record, dtype)))[0]


class Asker:
    """Asks one plain-Python player, and keeps what went wrong in the game in play.

    Parameters
    ----------
    game
        Whose player it is.
    player
        A class with ``choose(self, view)`` (a new object for every game and seat), an object with such a method
        (copied for every game and seat), or a function of the view.
    name
        For error messages.
    """

    def __init__(self, game: Game, player: Any, name: str) -> None:
        self.game = game
        self.player = player
        self.name = name
        self.failure = "no game has begun"
        """What went wrong in this game, empty while nothing has."""
        self.codec: ActionCodec = None  # type: ignore[assignment]  # set when a game begins
        self.tables: Any = None
        self._choosers: dict[int, Callable[[View], Any]] = {}
        self.function = _compiled(game, self, name)

    def begin(self, codec: ActionCodec, tables: Any) -> None:
        """Forget the last game."""
        self.failure, self.codec, self.tables = "", codec, tables
        self._choosers.clear()

    def answer(self, public: Any, own: Any, weights: NDArray[Any], luck: int, acts: NDArray[Any], count: int) -> int:
        """Return the player's action, or -1, which is never legal, once something went wrong."""
        if self.failure:
            return -1
        try:
            view = View(self, public, own, weights, luck, acts, count)
            if view.seat not in self._choosers:
                self._choosers[view.seat] = _fresh(self.player)
            return self._number(self._choosers[view.seat](view), view)
        except KeyboardInterrupt:
            raise
        except BaseException as error:  # noqa: BLE001 - sys.exit() too: whatever it raises is recorded with the game
            self.failure = told(error)
            return -1

    def _number(self, chosen: Any, view: View) -> int:
        if isinstance(chosen, str):
            if chosen in view.actions:
                return view.legal[view.actions.index(chosen)]
            return self.codec.parse(chosen)
        if isinstance(chosen, bool | np.bool_):
            chosen = float(chosen)  # no action
        try:
            number: int = operator.index(chosen)
        except TypeError:
            raise TypeError(f"the player returned {chosen!r}; it must be one of view.legal or view.actions") from None
        return number


def _fresh(player: Any) -> Callable[[View], Any]:
    made = player() if isinstance(player, type) else copy.deepcopy(player)
    return getattr(made, "choose", made)  # type: ignore[no-any-return]


def told(error: BaseException) -> str:
    """Return an error in one line, with the place in the player's own file."""
    text = "".join(traceback.format_exception_only(error)).strip().splitlines()[-1][:200]
    frames = traceback.extract_tb(error.__traceback__)
    if not frames or frames[-1].filename == __file__:
        return text
    return f"{text} ({frames[-1].filename.rpartition('/')[2]}:{frames[-1].lineno})"


def is_plain(player: Any) -> bool:
    """Return whether something is a plain-Python player: has ``choose``, or is a function of one argument."""
    if callable(getattr(player, "choose", None)):
        return True
    if isinstance(player, type) or not callable(player) or hasattr(player, "py_func"):
        return False
    try:
        parameters = inspect.signature(player).parameters.values()
    except (TypeError, ValueError):
        return False
    positional = [p for p in parameters if p.kind in (p.POSITIONAL_ONLY, p.POSITIONAL_OR_KEYWORD)]
    return len([p for p in positional if p.default is p.empty]) == 1


def check_player(player: Any, name: str) -> None:
    """Raise InputError for something that can neither be asked nor compiled."""
    if isinstance(player, type) and not callable(getattr(player, "choose", None)):
        raise InputError(f"class {player.__name__!r} has no method choose", where=name, hint="def choose(self, view)")
    if not is_plain(player) and not callable(player):
        raise InputError("is neither a function nor has it a method choose", where=name, hint="def choose(self, view)")


_ASKERS: list[Asker] = []


def _ask(number: int, public: Any, own: Any, weights: Any, luck: int, acts: Any, count: int) -> int:
    """Hand a decision to an asker; called by compiled code, which can hold no Python object but a global's."""
    return _ASKERS[number].answer(public, own, weights, luck, acts, count)


def _compiled(game: Game, asker: Asker, name: str) -> Any:
    """Return a function of the game's player signature that asks in Python."""
    number = len(_ASKERS)
    _ASKERS.append(asker)
    if JIT_DISABLED:

        def asking(pub, own, tables, weights, luck, acts, n):  # type: ignore[no-untyped-def]
            return _ask(number, pub, own, weights, luck, acts, n)

    else:

        def asking(pub, own, tables, weights, luck, acts, n):  # type: ignore[no-untyped-def]
            with objmode(chosen="int64"):
                chosen = _ask(number, pub, own, weights, luck, acts, n)
            return chosen

    with warnings.catch_warnings():
        # that Python holds up other threads is what processes are for
        warnings.filterwarnings("ignore", message="Code running in object mode")
        function = game.compile_player(asking, name)
        if not JIT_DISABLED:  # the part that goes back to Python is compiled at the first call
            state, tables = game.dtypes.state, game.dtypes.tables
            public, own, seen = (np.zeros(1, t)[0] for t in (state["pub"], state["own"].base, tables))
            function(public, own, seen, np.zeros(1), 0, np.zeros(1, np.int64), 1)
    return function
