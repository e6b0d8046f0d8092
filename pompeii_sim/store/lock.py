"""One run at a time in a folder: a lock that names its owner, and tells a dead owner from a living one."""

from __future__ import annotations

import contextlib
import json
import os
import socket
import time
from dataclasses import asdict, dataclass
from pathlib import Path
from types import TracebackType

import psutil

from pompeii_sim.errors import InputError
from pompeii_sim.store.atomic import storage_error

LOCK = "lock.json"


@dataclass(frozen=True, slots=True, kw_only=True)
class Owner:
    """Who holds a lock.

    Parameters
    ----------
    host, pid
        The machine and the process.
    start
        When the process started (seconds since 1970), because process numbers are used again.
    since
        When the lock was taken, for people.
    """

    host: str
    pid: int
    start: float
    since: str

    @classmethod
    def me(cls) -> Owner:
        """Return this process as an owner."""
        started = psutil.Process().create_time()
        return cls(
            host=socket.gethostname(), pid=os.getpid(), start=started, since=time.strftime("%Y-%m-%dT%H:%M:%S%z")
        )

    def alive(self) -> bool:
        """Return whether the owner may still be running; on another machine it always may."""
        if self.host != socket.gethostname():
            return True
        try:
            process = psutil.Process(self.pid)
            if process.status() == psutil.STATUS_ZOMBIE:
                return False
            return bool(abs(process.create_time() - self.start) < 1.0)
        except psutil.NoSuchProcess:
            return False
        except psutil.AccessDenied:
            return True


def read_owner(path: Path) -> Owner | None:
    """Return the owner a lock file names, or None when it is not there or names none."""
    try:
        data = json.loads(path.read_bytes())
        return Owner(host=str(data["host"]), pid=int(data["pid"]), start=float(data["start"]), since=str(data["since"]))
    except (OSError, ValueError, KeyError, TypeError):
        return None


class Lock:
    """Holds a folder for one process; use it in a ``with`` statement.

    Parameters
    ----------
    folder
        The run folder.

    Raises
    ------
    InputError
        On entering, when another living process holds the folder, or the folder cannot be written.
    """

    def __init__(self, folder: Path) -> None:
        self.path = folder / LOCK
        self.owner = Owner.me()

    def __enter__(self) -> Lock:
        mine = self.path.with_name(f"{LOCK}.{self.owner.pid}.tmp")
        try:
            mine.write_text(json.dumps(asdict(self.owner)) + "\n")
            try:
                self._take(mine)
            finally:
                mine.unlink(missing_ok=True)
        except OSError as error:
            raise storage_error(error, self.path) from error
        return self

    def _take(self, mine: Path) -> None:
        """Link the file in place: that either makes the lock, whole, or fails because it is there."""
        for _ in range(10):
            try:
                os.link(mine, self.path)
            except FileExistsError:
                self._set_aside()
            else:
                return
        raise InputError("the lock changes hands all the time", where=str(self.path), hint="try again later")

    def _set_aside(self) -> None:
        """Move a dead owner's lock away; raise when the owner lives."""
        owner = read_owner(self.path)
        if owner is not None and owner.alive():
            there = "" if owner.host == self.owner.host else f"; if that process is gone, delete {self.path}"
            raise InputError(
                f"another run is working in this folder (process {owner.pid} on {owner.host}, since {owner.since})",
                where=str(self.path.parent),
                hint=f"wait for it or stop it{there}",
            )
        aside = self.path.with_name(f"{LOCK}.stale.{self.owner.pid}.tmp")
        try:
            os.rename(self.path, aside)
        except FileNotFoundError:
            return  # somebody else was faster; look again
        moved = read_owner(aside)
        if moved is not None and moved.alive():
            with contextlib.suppress(FileExistsError):
                os.link(aside, self.path)  # it was a new, living lock after all: put it back
        aside.unlink(missing_ok=True)

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if read_owner(self.path) == self.owner:
            with contextlib.suppress(OSError):  # a folder that was deleted or made read-only under our feet
                self.path.unlink(missing_ok=True)
