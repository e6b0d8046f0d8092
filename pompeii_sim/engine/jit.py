"""The one decorator for compiled code, with an on-disk cache that cannot go stale.

Numba checks only the file a function stands in, and none of the flags. So the cache folder is named by a hash of
the engine's and the game's sources, the flags and the versions; an edit in any of these files starts a new folder.
Where no folder is writable the functions are compiled in each process instead.
"""

from __future__ import annotations

import contextlib
import hashlib
import os
import platform
import shutil
import sys
import time
from collections.abc import Callable, Iterator
from functools import cache
from pathlib import Path
from typing import Any

OPT_LEVEL = os.environ.setdefault("NUMBA_OPT", "2")  # measured faster than 3 on records; read when numba is imported

import numba  # noqa: E402
from numba.core import event  # noqa: E402

from pompeii_sim.engine.compiler import InnerCompiler, OuterCompiler  # noqa: E402

_config: Any = numba.config
JIT_DISABLED = bool(_config.DISABLE_JIT)
"""True when the process runs the plain Python source (``NUMBA_DISABLE_JIT=1``)."""

_PACKAGE = Path(__file__).resolve().parent.parent
_FLAGS: dict[str, Any] = {"nogil": True, "boundscheck": False, "pipeline_class": OuterCompiler}
_INNER = {"no_cpython_wrapper": True, "no_cfunc_wrapper": True, "pipeline_class": InnerCompiler}
_KEEP_DAYS = 14
_KEEP_NEWEST = 3
_SECONDS = "compile_seconds.txt"


def cache_root() -> Path:
    """Return the folder all caches live in: ``POMPEII_SIM_CACHE``, else the user's cache folder."""
    chosen = os.environ.get("POMPEII_SIM_CACHE")
    if chosen:
        return Path(chosen)
    base = os.environ.get("XDG_CACHE_HOME")
    return (Path(base) if base else Path.home() / ".cache") / "pompeii_sim"


def _game_folder(group: str) -> Path:
    """Return a game's source folder, which may lie outside the package (a folder added to the games' path)."""
    file = getattr(sys.modules.get(f"pompeii_sim.games.{group}"), "__file__", None)
    return Path(file).parent if file else _PACKAGE / "games" / group


@cache
def source_hash(group: str) -> str:
    """Return the hash that names a group's cache folder: of all its sources but a game's ``insight``.

    Parameters
    ----------
    group
        ``engine`` or the name of a game.
    """
    digest = hashlib.sha256()
    folders = [_PACKAGE / "engine"] + ([] if group == "engine" else [_game_folder(group)])
    for folder in folders:
        for file in sorted(folder.rglob("*.py")):
            if file.relative_to(folder).parts[0] == "insight":  # report sections: play never imports them
                continue
            digest.update(f"{folder.name}/{file.relative_to(folder)}".encode() + b"\0" + file.read_bytes() + b"\0")
    versions = (numba.__version__, sys.version, platform.machine(), os.environ.get("NUMBA_CPU_NAME", ""))
    digest.update(repr((versions, _config.OPT, _config.BOUNDSCHECK, sorted(_FLAGS))).encode())
    return digest.hexdigest()[:20]


@cache
def cache_folder(group: str) -> Path | None:
    """Return the writable cache folder of a group, made if need be, or None when none is writable."""
    folder = cache_root() / f"{group}-{source_hash(group)}"
    try:
        folder.mkdir(parents=True, exist_ok=True)
        probe = folder / f".probe-{os.getpid()}"
        probe.write_bytes(b"")
        probe.unlink()
        os.utime(folder)
    except OSError:
        return None
    _prune(group, folder)
    return folder


class _Announcer(event.Listener):
    """Calls back at the first function that is really compiled: one that was found in the cache raises no event.

    Also adds up how long compiling takes, by group.
    """

    said = False  # once a process, whoever asks

    def __init__(self, callback: Callable[[], None]) -> None:
        self.callback = callback
        self.spent: dict[str, float] = {}
        self._open: list[str | None] = []
        self._began = 0.0

    def on_start(self, event: Any) -> None:
        group = _group(event.data["dispatcher"].py_func.__module__)
        if not self._open:
            self._began = time.perf_counter()
        self._open.append(group)
        if not _Announcer.said and group is not None:
            _Announcer.said = True
            self.callback()

    def on_end(self, event: Any) -> None:
        group = self._open.pop() if self._open else None
        if not self._open and group is not None:
            self.spent[group] = self.spent.get(group, 0.0) + time.perf_counter() - self._began


@contextlib.contextmanager
def announced(callback: Callable[[], None]) -> Iterator[None]:
    """Call back, once a process, when code of this package must be compiled within the block.

    How long compiling took is noted in the cache, see `compiled`.
    """
    announcer = _Announcer(callback)
    try:
        with event.install_listener("numba:compile", announcer):
            yield
    finally:
        for group, seconds in announcer.spent.items():
            folder = cache_folder(group)
            if folder is not None:
                with contextlib.suppress(OSError):  # a note only
                    (folder / _SECONDS).write_text(f"{compiled(group)[1] + seconds:.1f}\n")


def compiled(group: str) -> tuple[int, float]:
    """Return how many functions of a group the cache holds for these sources, and how long compiling them took.

    Parameters
    ----------
    group
        ``engine`` or the name of a game.

    Returns
    -------
    functions, seconds
        0 seconds when nobody measured.
    """
    folder = cache_folder(group)
    if folder is None:
        return 0, 0.0
    try:
        seconds = float((folder / _SECONDS).read_text())
    except (OSError, ValueError):
        seconds = 0.0
    return sum(1 for _ in folder.rglob("*.nbi")), seconds


def _prune(group: str, keep: Path) -> None:
    """Delete cache folders of older sources that were not used for two weeks."""
    old = [p for p in keep.parent.glob(f"{group}-*") if p != keep and p.is_dir()]
    old.sort(key=lambda p: p.stat().st_mtime, reverse=True)
    limit = time.time() - _KEEP_DAYS * 86400
    for folder in old[_KEEP_NEWEST:]:
        if folder.stat().st_mtime < limit:
            shutil.rmtree(folder, ignore_errors=True)


def _group(module: str) -> str | None:
    parts = module.split(".")
    if parts[:2] == ["pompeii_sim", "engine"]:
        return "engine"
    if parts[:2] == ["pompeii_sim", "games"] and len(parts) > 3:
        return parts[2]
    return None


@contextlib.contextmanager
def _numba_cache_dir(folder: Path) -> Iterator[None]:
    """Point numba at a folder while one function is decorated; other packages' functions stay where they are."""
    before = _config.CACHE_DIR
    _config.CACHE_DIR = str(folder)
    try:
        yield
    finally:
        _config.CACHE_DIR = before


def _decorate(function: Callable[..., Any], signature: Any = None, **options: Any) -> Any:
    flags = dict(_FLAGS, **options)
    if JIT_DISABLED:
        return function
    if flags["pipeline_class"] is InnerCompiler:
        return _plain(function, flags)
    folder = None
    group = _group(function.__module__)
    if group is not None:
        folder = cache_folder(group)
    if folder is None:
        return numba.njit(signature, **flags)(function) if signature is not None else _plain(function, flags)
    with _numba_cache_dir(folder):
        if signature is not None:
            return numba.njit(signature, cache=True, **flags)(function)
        return _plain(function, dict(flags, cache=True))


def _plain(function: Callable[..., Any], flags: dict[str, Any]) -> Any:
    """Compile without a signature, once for all whole numbers.

    Left alone, numba compiles a function anew for every literal and every width of integer it is called with; measured
    on the first game, that made three quarters of the compile time.
    """
    dispatcher = numba.njit(**flags)(function)
    resolve = dispatcher.get_call_template

    def get_call_template(args: tuple[Any, ...], kws: dict[str, Any]) -> Any:
        return resolve(tuple(_widened(a) for a in args), {name: _widened(a) for name, a in kws.items()})

    dispatcher.get_call_template = get_call_template
    return dispatcher


def _widened(argument: Any) -> Any:
    """Return int64 for signed integers of any width and literals; other types as they are, without literals."""
    types: Any = numba.types
    plain = types.unliteral(argument)
    return types.int64 if isinstance(plain, types.Integer) and plain.signed else plain


def jit(function: Callable[..., Any]) -> Any:
    """Compile a function called by compiled code: no GIL, bounds checked, cached on disk for code of this package."""
    return _decorate(function, **_INNER)


def hot(function: Callable[..., Any]) -> Any:
    """Like `jit`, and inlined at every call: for small helpers called very often."""
    return _decorate(function, forceinline=True, **_INNER)


def entry(function: Callable[..., Any]) -> Any:
    """Like `jit`, for a function that is also called from Python."""
    return _decorate(function)


def signed(signature: Any) -> Callable[[Callable[..., Any]], Any]:
    """Return a decorator that compiles at once for one explicit signature (first-class functions need one)."""

    def decorate(function: Callable[..., Any]) -> Any:
        return _decorate(function, signature)

    return decorate
