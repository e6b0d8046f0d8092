"""``compare``: what differs between two runs, or between the values of one setting, and whether that can be said."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from pompeii_sim.cli.options import FormatOption, QuietOption, SeedOption, SetOption, note, teller
from pompeii_sim.cli.output import Format, emit
from pompeii_sim.cli.run import Display
from pompeii_sim.errors import InputError
from pompeii_sim.stats.rounding import person, person_difference

if TYPE_CHECKING:
    from pompeii_sim.analysis.compare import Compared, Comparison
    from pompeii_sim.analysis.sequential import SequentialResult
    from pompeii_sim.stats.estimate import Estimate

CHECK_FAILED = 3
NO_COUNTERPART = "no pairs"
"""Stands for how many games diverged where single games have no counterpart."""

MANY = 20
"""So many intervals and more get a word on chance."""


def compare(
    base: Annotated[Path, typer.Argument(metavar="RUN_A", help="A run folder: the one compared with.")],
    other: Annotated[
        Path | None, typer.Argument(metavar="[RUN_B]", help="A second run folder: the one looked at.")
    ] = None,
    by: Annotated[
        str | None,
        typer.Option("--by", metavar="PATH", help="Compare the values of a swept key within RUN_A."),
    ] = None,
    metrics: Annotated[
        list[str] | None,
        typer.Option(
            "--metric", "-m", metavar="METRIC", help="Metric to compare [default: the headline ones]. Repeatable."
        ),
    ] = None,
    effects: Annotated[
        list[str] | None,
        typer.Option(
            "--effect",
            metavar="[METRIC=]SIZE",
            help="Smallest difference that matters [default: 0.01, one point, for rates and shares; none for means]. "
            "Repeatable with metrics' names.",
        ),
    ] = None,
    level: Annotated[
        float, typer.Option("--level", metavar="NUMBER", help="Confidence level of each interval.")
    ] = 0.95,
    gates: Annotated[
        list[str] | None,
        typer.Option(
            "--gate",
            metavar="STATEMENT",
            help="Such as 'rounds_mean <= 12' or 'difference.rounds_mean <= 1': exit 3 unless the whole interval "
            "satisfies it. Repeatable.",
        ),
    ] = None,
    sequential: Annotated[
        bool,
        typer.Option("--sequential", help="RUN_A and RUN_B are scenarios: play both until their difference is clear."),
    ] = False,
    alpha: Annotated[
        float | None,
        typer.Option("--alpha", metavar="NUMBER", help="With --sequential: risk of a wrong verdict [default: 0.05]."),
    ] = None,
    max_games: Annotated[
        int | None,
        typer.Option("--max-games", help="With --sequential: most games of each scenario [default: 1000000]."),
    ] = None,
    jobs: Annotated[int | None, typer.Option("--jobs", "-j", min=1, help="With --sequential: threads.")] = None,
    seed: SeedOption = None,
    overrides: SetOption = None,
    progress: Annotated[
        Display, typer.Option("--progress", help="With --sequential: progress on stderr.")
    ] = Display.auto,
    form: FormatOption = Format.table,
    quiet: QuietOption = False,
) -> None:
    """Compare two runs, or the values of one setting within a run, metric by metric.

    Runs that share their deals are compared deal by deal. Each difference gets an interval and a verdict: higher,
    lower, equivalent (too small to matter), or undecided with the games that would do. Gates that do not hold for the
    whole interval end with exit code 3.
    """
    import pompeii_sim

    only = {"--alpha": alpha, "--max-games": max_games, "--jobs": jobs, "--seed": seed, "--set": overrides or None}
    if sequential:
        if other is None or by is not None or gates:
            what = "needs two scenarios" if other is None else "takes neither --by nor --gate"
            raise InputError(what, where="--sequential", hint="pompeii-sim compare A.toml B.toml --sequential")
        _sequential(
            base, other, metrics or [], effects, alpha, max_games, jobs, seed, overrides, progress, form, quiet=quiet
        )
        return
    for name, value in only.items():
        if value is not None:
            raise InputError("is for scenarios that are played", where=name, hint="add --sequential")
    for path in (base, other):
        if path is not None and path.is_file():
            raise InputError("is no run folder", where=str(path), hint="play it with run, or add --sequential")
    made = pompeii_sim.compare(
        base, other, by=by, metrics=metrics, effect=_effects(effects), level=level, gates=gates or ()
    )
    if made.lines:
        _show(made, form, one_run=other is None)
    elif form is Format.json:
        emit([], form, document=made.to_json())
    _tell(made, quiet=quiet)
    for gate in made.gates:
        if gate.state != "passed":
            note(gate.text)
    if made.gates:
        passed = sum(gate.state == "passed" for gate in made.gates)
        note(f"gates: {passed} of {len(made.gates)} passed", quiet=quiet)
    if not made.passed:
        raise typer.Exit(CHECK_FAILED)


def _effects(texts: list[str] | None) -> float | Mapping[str, float]:
    """Read ``SIZE`` and ``METRIC=SIZE``."""
    out: dict[str, float] = {}
    for text in texts or ():
        name, equals, number = text.rpartition("=")
        try:
            out[name.strip()] = float(number)
        except ValueError:
            hint = "for example --effect 0.02 or --effect rounds_mean=0.5"
            raise InputError("not of the form SIZE or METRIC=SIZE", where=f"--effect {text}", hint=hint) from None
        if equals and not name.strip():
            raise InputError("names no metric", where=f"--effect {text}")
    if list(out) == [""]:
        return out[""]
    return out


def _show(made: Comparison, form: Format, *, one_run: bool) -> None:
    """Print the lines."""
    if form is Format.csv:
        emit(made.frame.to_dicts(), form)
        return
    emit([_record(line, one_run=one_run) for line in made.lines], form, document=made.to_json())


def _record(line: Compared, *, one_run: bool) -> dict[str, Any]:
    """Return a line for people."""
    sides, base, other = line.sides, "base", "other"
    record: dict[str, Any] = {"metric": line.title, **sides.told}
    if one_run:
        record |= {"base": sides.base_name, "other": sides.other_name}
        base, other = "base value", "other value"
    else:
        base, other = sides.base_name, sides.other_name
    record[base] = _with_chance(line.base, rate=line.rate)
    record[other] = _with_chance(line.other, rate=line.rate)
    record["difference"] = person_difference(line.difference, rate=line.rate)
    if line.difference.expected is not None:
        record["difference"] += f" (chance {100 * line.difference.expected:+.3g})"
    record["diverged"] = NO_COUNTERPART if line.diverged is None else _share(line.diverged.value)
    needed = line.verdict.games
    record["verdict"] = line.verdict.word + (f", {needed:,} games would do" if needed else "")
    if line.diverged is not None and line.diverged.value == 0:
        record["verdict"] = "no game differs"
    return record


def _with_chance(estimate: Estimate, *, rate: bool) -> str:
    """Return a value for people, with what chance gives where that is known."""
    chance = "" if estimate.expected is None else f" (chance {100 * estimate.expected:.3g}%)"
    return person(estimate, percent=rate) + chance


def _share(value: float | None) -> str:
    return "" if value is None else f"{100 * value:.3g}%"


def _tell(made: Comparison, *, quiet: bool) -> None:
    """Say on stderr how the lines came about."""
    if not made.lines:
        return
    first = made.lines[0]
    if all(line.paired for line in made.lines):
        same = "deal by deal: both sides played the same deals"
        if all(line.diverged is not None and line.diverged.value == 0 for line in made.lines):
            same += ", and not one game took another course"
        note(same, quiet=quiet)
    for text in dict.fromkeys(line.note for line in made.lines if line.note):
        note(text, quiet=quiet)
    effects = {line.effect for line in made.lines if line.rate and line.effect}
    told = " or ".join(f"{100 * effect:g} point{'' if effect == 0.01 else 's'}" for effect in sorted(effects))
    note(
        f"differences: the second minus the first, {100 * made.level:g} % intervals"
        + (f"; of rates and shares {told} matter{'s' if told == '1 point' else ''}" if told else ""),
        quiet=quiet,
    )
    if len(made.lines) >= MANY:
        chance = (1 - made.level) * len(made.lines)
        note(f"of {len(made.lines)} intervals about {chance:.0f} miss the truth by chance", quiet=quiet)
    if first.verdict.word == "undecided" and len(made.lines) == 1:
        note(first.verdict.why, quiet=quiet)


def _sequential(
    base: Path,
    other: Path,
    metrics: list[str],
    effects: list[str] | None,
    alpha: float | None,
    max_games: int | None,
    jobs: int | None,
    seed: int | None,
    overrides: list[str] | None,
    progress: Display,
    form: Format,
    *,
    quiet: bool,
) -> None:
    """Play both scenarios and print what was found."""
    import pompeii_sim
    from pompeii_sim.run.progress import make_progress

    if len(metrics) > 1:
        raise InputError("decides by one metric", where="--sequential", hint="give one --metric")
    effect = _effects(effects)
    if isinstance(effect, Mapping):
        if effect:
            raise InputError("has one effect", where="--effect", hint="give its size alone, such as --effect 0.01")
        effect = 0.01
    made = pompeii_sim.compare_while_playing(
        base,
        other,
        overrides or (),
        seed=seed,
        metric=metrics[0] if metrics else None,
        effect=effect,
        alpha=0.05 if alpha is None else alpha,
        max_games=max_games,
        jobs=jobs,
        progress=make_progress(progress.value, quiet=quiet),
    )
    names = (base.name, other.name) if base.name != other.name else (str(base), str(other))
    if names[0] == names[1]:
        names = (f"{base.name} (first)", f"{other.name} (second)")
    if form is Format.csv:
        emit([{**record, "difference": made.difference} for record in [_played(made, names)]], form)
    else:
        emit([_played(made, names)], form, document=made.to_json())
    tell = teller(as_json=progress is Display.json, quiet=quiet)
    tell(f"stopped: {made.state}; {made.verdict.why}")
    if made.diverged == 0:
        tell("the two settings play the same games: the difference is exactly zero")
    if made.failed:
        tell(f"{made.failed} pairs of games failed and are in no estimate", always=True)
    if made.exit_code:
        raise typer.Exit(made.exit_code)


def _played(made: SequentialResult, names: tuple[str, str]) -> dict[str, Any]:
    """Return the result for people."""
    rate = made.metric.kind != "mean"
    counted = max(1, made.games - made.failed)
    return {
        "metric": made.name,
        names[0]: _with_chance(made.base, rate=rate),
        names[1]: _with_chance(made.other, rate=rate),
        "difference": person_difference(made.difference, rate=rate),
        "games each": made.games,
        "diverged": _share(made.diverged / counted),
        "verdict": made.verdict.word,
    }
