"""Players named by a scenario: built-in names, ``file.py:name`` beside the scenario, and the labels of seat specs."""

from __future__ import annotations

import ast
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from pydantic import BaseModel

from pompeii_sim.engine.contract import PlayerSpec
from pompeii_sim.errors import InputError, nearest


def file_and_name(player: str) -> tuple[str, str] | None:
    """Split ``file.py:name``; None for a built-in name."""
    file, colon, name = player.rpartition(":")
    return (file, name) if colon and file.endswith(".py") else None


def check_player(player: str, builtin: Mapping[str, PlayerSpec], base: Path, where: str) -> Path | None:
    """Check that a player exists; a file is parsed but not executed.

    Parameters
    ----------
    player
        Name of a built-in player, or ``file.py:name`` with the file relative to `base`.
    builtin
        The game's players.
    base
        Folder of the scenario.
    where
        Key path for errors.

    Returns
    -------
    Path or None
        The file, absolute, or None for a built-in player.

    Raises
    ------
    InputError
        For an unknown name, a missing file, a syntax error in it, or a name it does not define.
    """
    parts = file_and_name(player)
    if parts is None:
        if player in builtin:
            return None
        hint = nearest(player, builtin)
        if player.endswith(".py"):
            hint = f"write {player}:name for a player of your own"
        raise InputError(f"unknown player {player!r}", where=where, hint=hint)
    file, name = parts
    path = (base / file).resolve()
    try:
        tree = ast.parse(path.read_bytes(), filename=str(path))
    except OSError as error:
        raise InputError(f"player file {file!r} cannot be read ({error.strerror})", where=where) from None
    except (SyntaxError, ValueError) as error:
        line = getattr(error, "lineno", None)
        raise InputError(f"not valid Python: {error}", where=f"{path}:{line}" if line else str(path)) from None
    names = _defined(tree)
    if name not in names:
        hint = nearest(name, names) if names else "the file defines nothing"
        raise InputError(f"{file!r} defines no {name!r}", where=where, hint=hint)
    return path


def check_given(given: Mapping[str, Any], builtin: Mapping[str, PlayerSpec]) -> None:
    """Raise InputError for a given player that cannot play, or whose name means another one."""
    if not given:
        return
    from pompeii_sim.engine.python_players import check_player as check_python_player

    for name, player in given.items():
        if name in builtin:
            raise InputError(f"{name!r} is a built-in player", where="players", hint="call yours otherwise")
        if not name.isidentifier():
            raise InputError(f"{name!r} is no name", where="players", hint="use letters, digits and _")
        check_python_player(player, f"players.{name}")


def check_weights(seat: BaseModel, builtin: Mapping[str, PlayerSpec], where: str) -> None:
    """Raise InputError for a weight that a built-in player does not have."""
    weights = getattr(seat, "weights", None)
    spec = builtin.get(getattr(seat, "player", ""))
    if spec is None or not isinstance(weights, Mapping):
        return
    for name in weights:
        if name not in spec.weights:
            hint = nearest(name, spec.weights) if spec.weights else "it has no weights"
            raise InputError(f"player {spec.name!r} has no weight {name!r}", where=f"{where}.weights", hint=hint)


def labels(seats: Sequence[BaseModel]) -> tuple[str, ...]:
    """Return a short label of each seat spec; equal labels mean equal specs.

    The player's name, followed in brackets by those fields that differ between the specs of this player and are
    not at their default: ``greedy``, ``greedy[stance=never]``.
    """
    dumped = [seat.model_dump() for seat in seats]
    defaults = [{k: f.get_default(call_default_factory=True) for k, f in type(s).model_fields.items()} for s in seats]
    out: list[str] = []
    for spec, default in zip(dumped, defaults, strict=True):
        player = str(spec.get("player", "player"))
        same = [other for other in dumped if other.get("player", "player") == spec.get("player", "player")]
        differing = [k for k in spec if any(other.get(k) != spec[k] for other in same)]
        told = [f"{k}={_short(spec[k])}" for k in differing if spec[k] != default.get(k)]
        name = _short_player(player)
        out.append(f"{name}[{','.join(told)}]" if told else name)
    return _apart(out, dumped)


def _apart(names: list[str], specs: list[dict[str, Any]]) -> tuple[str, ...]:
    """Number labels that came out equal for unequal specs (two files of one name)."""
    out: list[str] = []
    for i, name in enumerate(names):
        unequal = [specs[j] for j in range(len(names)) if names[j] == name]
        distinct = [s for k, s in enumerate(unequal) if s not in unequal[:k]]
        place = distinct.index(specs[i])
        out.append(name if place == 0 else f"{name}#{place + 1}")
    return tuple(out)


def _short_player(player: str) -> str:
    parts = file_and_name(player)
    return f"{Path(parts[0]).name}:{parts[1]}" if parts else player


def _short(value: Any) -> str:
    if isinstance(value, Mapping):
        return "{" + ",".join(f"{k}={_short(v)}" for k, v in value.items()) + "}"
    if isinstance(value, list | tuple):
        return "+".join(_short(v) for v in value)
    return f"{value:g}" if isinstance(value, float) else str(value)


def _defined(tree: ast.Module) -> list[str]:
    names: list[str] = []
    for node in tree.body:
        if isinstance(node, ast.FunctionDef | ast.ClassDef):
            names.append(node.name)
        elif isinstance(node, ast.Assign):
            names += [t.id for t in node.targets if isinstance(t, ast.Name)]
        elif isinstance(node, ast.AnnAssign) and isinstance(node.target, ast.Name):
            names.append(node.target.id)
        elif isinstance(node, ast.ImportFrom | ast.Import):
            names += [alias.asname or alias.name.partition(".")[0] for alias in node.names]
    return names
