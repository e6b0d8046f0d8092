"""Calibrate assumed data to public facts on length and reach.

Run as ``python -m pompeii_sim.games.pompeii.insight.calibration``. Measures every target (`.targets`) with its
interval. When one is missed, looks for the smallest change of assumed numbers within their plausible ranges after which
none is, and measures again on games not used before. Never touches a stated rule, and writes no file: what it proposes
is entered by hand, as ``calibrated`` with old value, target and script.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from pompeii_sim.games.pompeii.data_files import PompeiiData, load_data
from pompeii_sim.games.pompeii.insight.targets import Finding, measure
from pompeii_sim.stats.rounding import person

SCRIPT = "python -m pompeii_sim.games.pompeii.insight.calibration"
SEARCHED = ("costs", "goods")
"""Files whose assumed numbers bear on every game; a single card hardly moves a mean."""

MOST_STEPS = 3
"""Most unit steps the search goes."""

Measure = Callable[[Mapping[str, int]], list[Finding]]


@dataclass(frozen=True, slots=True, kw_only=True)
class Number:
    """An assumed number of the data with its plausible range.

    Parameters
    ----------
    path
        Below ``data.``, such as ``costs.army.goods.sword``.
    value
        As shipped.
    low, high
        Plausible range, ends included.
    """

    path: str
    value: int
    low: int
    high: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Proposal:
    """What the search found.

    Parameters
    ----------
    changes
        Path -> new value; empty when nothing is missed, or when no step comes nearer.
    findings
        The targets under these changes, on the games of the search.
    complete
        Whether no target is missed any more.
    tried
        Settings played.
    """

    changes: dict[str, int]
    findings: list[Finding]
    complete: bool
    tried: int


def assumed_numbers(data: PompeiiData) -> list[Number]:
    """Return the numbers that calibration may change: assumed ones with a plausible range of more than one value."""
    found: list[Number] = []
    for section, entries in data.entries().items():
        if section not in SEARCHED:
            continue
        for entry in entries:
            name = getattr(entry, "id", "")
            for path, (low, high) in entry.range.items():
                if low < high and entry.origin(path.partition(".")[0]).provenance == "assumed":
                    found.append(
                        Number(path=f"{section}.{name}.{path}", value=entry.number_at(path), low=low, high=high)
                    )
    return found


def missed(findings: Sequence[Finding]) -> list[Finding]:
    """Return the targets whose whole interval lies outside their bounds."""
    return [finding for finding in findings if finding.state == "missed"]


def propose(numbers: Sequence[Number], play: Measure, *, most_steps: int = MOST_STEPS) -> Proposal:
    """Return the smallest change, counted in unit steps, after which no target is missed.

    Parameters
    ----------
    numbers
        What may be changed.
    play
        Measures all targets under changes (path -> value), always on the same games.
    most_steps
        Unit steps the search goes at most.

    Returns
    -------
    Proposal
        From each setting the best of all single steps is taken, by the number of missed targets and then by how far
        they are missed, as long as that comes nearer; so the first complete setting is the smallest on this path.
    """
    changes: dict[str, int] = {}
    findings = play(changes)
    tried = 1
    for _ in range(most_steps):
        if not missed(findings):
            break
        options = [(changed, play(changed)) for changed in _steps(numbers, changes)]
        tried += len(options)
        best, made = min(options, key=lambda option: _distance(option[1]), default=(changes, findings))
        if _distance(made) >= _distance(findings):
            break
        changes, findings = best, made
    return Proposal(changes=changes, findings=findings, complete=not missed(findings), tried=tried)


def _distance(findings: Sequence[Finding]) -> tuple[int, float]:
    outside = missed(findings)
    return len(outside), sum(finding.gap / max(abs(finding.low or 0.0), 1.0) for finding in outside)


def _steps(numbers: Sequence[Number], changes: Mapping[str, int]) -> Iterator[dict[str, int]]:
    for number in numbers:
        here = changes.get(number.path, number.value)
        for value in (here - 1, here + 1):
            if number.low <= value <= number.high and abs(value - number.value) > abs(here - number.value):
                yield {**changes, number.path: value}


def table(findings: Sequence[Finding]) -> str:
    """Return the findings as a Markdown table."""
    lines = ["| target | table | measured | games | bounds | verdict |", "| --- | --- | --- | --- | --- | --- |"]
    for one in findings:
        scale, unit = (100.0, "%") if one.percent else (1.0, "")
        least = "" if one.low is None else f"{one.low * scale:g}{unit}"
        most = "" if one.high is None else f"{one.high * scale:g}{unit}"
        bounds = f"{least} to {most}" if least and most else f"above {least}" if least else f"below {most}"
        number = person(one.measured, percent=one.percent)
        lines.append(f"| {one.target} | {one.table} | {number} | {one.measured.n} | {bounds} | {one.state} |")
    return "\n".join(lines)


def story(*, games: int, search_games: int, seed: int, steps: int, jobs: int | None) -> Iterator[str]:
    """Calibrate, and yield each paragraph of what happened as soon as it is known.

    Parameters
    ----------
    games, search_games
        Games of each table, and the same for each setting that the search tries.
    seed
        Of the first measurement; the search has the next one, and what it proposes is measured with the one after.
    steps
        Unit steps of the search; 0 only measures.
    jobs
        Threads.
    """
    before = measure(games=games, seed=seed, jobs=jobs)
    yield table(before)
    if not missed(before):
        yield "No target is missed: nothing has to be changed."
        return
    if steps <= 0:
        yield f"Missed: {len(missed(before))}."
        return
    numbers = assumed_numbers(load_data(None))
    found = propose(
        numbers, lambda changes: measure(games=search_games, seed=seed + 1, data=changes, jobs=jobs), most_steps=steps
    )
    old = {number.path: number.value for number in numbers}
    told = ", ".join(f"data.{path} {old[path]} -> {value}" for path, value in found.changes.items())
    yield f"Settings tried: {found.tried}. Nearest: {told or 'the data as they are'}."
    yield table(measure(games=games, seed=seed + 2, data=found.changes, jobs=jobs))


def main(words: Sequence[str] | None = None) -> None:
    """Read the command line and tell the story on stdout."""
    parser = argparse.ArgumentParser(prog=SCRIPT, description="Calibrate assumed data to public facts.")
    parser.add_argument("--games", type=int, default=1000, help="games of each table (default 1000)")
    parser.add_argument("--search-games", type=int, default=100, help="the same while searching (default 100)")
    parser.add_argument("--seed", type=int, default=20260910, help="of all chance")
    parser.add_argument("--steps", type=int, default=MOST_STEPS, help="unit steps of the search; 0 only measures")
    parser.add_argument("--jobs", type=int, default=None, help="threads (default: all cores)")
    for paragraph in story(**vars(parser.parse_args(words))):
        sys.stdout.writelines(f"{paragraph}\n\n")
        sys.stdout.flush()


if __name__ == "__main__":
    main()
