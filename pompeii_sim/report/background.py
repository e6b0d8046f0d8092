"""What stands around the answers: the question, what was played, what is assumed, how to make it again."""

from __future__ import annotations

import shlex
from collections import Counter

import polars as pl

from pompeii_sim.figures.layout import MOST_KEYS, Layout
from pompeii_sim.figures.section import Section, Table
from pompeii_sim.report.survival import survives
from pompeii_sim.report.view import View
from pompeii_sim.report.words import EFFECT, assumed
from pompeii_sim.store.manifest import SERIES_EVERY, Manifest
from pompeii_sim.store.reader import Run

COMMAND = "pompeii-sim "

MOST_TOLD = 6
"""Combinations of settings that are told one by one; of more the scenario tells."""


def question(run: Run) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Return the paragraphs and the command lines of the comment a run's scenario begins with."""
    paragraphs: list[str] = []
    commands: list[str] = []
    fresh = True
    for line in run.opening_comment:
        if line.startswith(COMMAND):
            commands.append(line)
        elif not line:
            fresh = True
        elif fresh or not paragraphs:
            paragraphs.append(line)
            fresh = False
        else:
            paragraphs[-1] += f" {line}"
    return tuple(paragraphs), tuple(commands)


def facts(view: View) -> tuple[tuple[str, str], ...]:
    """Return what was played, as pairs of a word and what it is."""
    study = view.study
    assert isinstance(study.source, Run)
    manifest = study.source.manifest
    games = [int(c["games"]) for c in study.source.summary["cells"]]
    low, high = min(games), max(games)
    told = f"{low:,}" if low == high else f"{low:,} to {high:,}"
    tables = list(dict.fromkeys(_table(kinds) for kinds in study.kinds))
    swept = _swept(view.layout)
    rows = [
        ("Game", study.schema.title),
        ("Settings", f"{len(study.cells)} cells" if len(study.cells) > 1 else "one"),
        ("Games", f"{told} a cell, {sum(games):,} in all"),
        ("Seed and seating", f"{study.seed}, {manifest.plan['seating']}"),
        ("At the table", tables[0] if len(tables) == 1 else f"{len(tables)} tables, see the scenario"),
        ("State", f"{manifest.state}: {manifest.reason}" if manifest.reason else manifest.state),
    ]
    if swept:
        rows.insert(2, ("Swept", "; ".join(swept)))
    return tuple(rows)


def _swept(layout: Layout) -> list[str]:
    """Return what is swept: each setting with its values, and the combinations of those that only these tell."""
    combined = layout.combined
    combinations = layout.combinations_told() if combined else []
    each = len(combined) <= MOST_KEYS and len(combinations) <= MOST_TOLD
    left_out = combined if each or len(combined) > MOST_KEYS else ()
    swept = [f"{key}: {', '.join(layout.values(key))}" for key in layout.linked if key not in left_out]
    if combinations:
        told = f": {' · '.join(combinations)}" if each else ", see the scenario"
        swept.append(f"{len(combined)} settings together: {len(combinations)} combinations{told}")
    return swept


def _table(kinds: tuple[str, ...]) -> str:
    return ", ".join(f"{n} {kind}" for kind, n in Counter(kinds).items())


def provenance(view: View) -> Section:
    """Return the section on what the numbers rest on."""
    source = view.study.source
    assert isinstance(source, Run)
    manifest = source.manifest
    sets = manifest.provenance
    sentences = [assumed(dict(sets[0]["provenance"]))] if sets else []
    if len(sets) > 1:
        sentences.append(
            f"The cells use {len(sets)} sets of data; the table has the counts of each. What survives that:"
        )
        sentences += survives(view)
    sentences.append(
        "By construction: players are scripted and know no more than their seat does; cells share their deals, so that "
        "differences between settings are not differences of luck; every number is an estimate from the games of this "
        "run, and its interval says how far more games could move it, not how far other players would."
    )
    if len(sets) <= 1:
        sentences.append(
            "What flips with the settings of this run stands above, where an order of values is asked in every "
            "combination of the others; whether assumed data would flip it needs a sweep over their plausible ranges."
        )
    sentences.append(f"See every entry with its source: pompeii-sim catalog --game {view.study.schema.game}")
    rows = [
        {"data": item["data"][:12], "origin": k, "entries": n} for item in sets for k, n in item["provenance"].items()
    ]
    table = pl.DataFrame(rows, schema={"data": pl.String, "origin": pl.String, "entries": pl.Int64})
    return Section(
        name="provenance",
        title="What the numbers rest on",
        question="How much of the data is public, and what is assumed?",
        sentences=tuple(sentences),
        tables=(
            Table(
                name="provenance",
                title="Data entries by origin",
                frame=table,
                columns={
                    "data": "beginning of the data's content hash",
                    "origin": "stated: in the rules; review: seen in public; deduced; assumed: a plausible guess; "
                    "calibrated: set so that a target is met",
                    "entries": "how many entries have that origin, by their least sure field",
                },
            ),
        ),
    )


def reproduce(view: View, shown: str) -> Section:
    """Return the section on how to make the run again.

    Parameters
    ----------
    view
        The run.
    shown
        The run folder as it is named in commands.
    """
    source = view.study.source
    assert isinstance(source, Run)
    manifest = source.manifest
    versions = ", ".join(f"{name} {version}" for name, version in manifest.versions.items())
    folder = shlex.quote(shown)
    effect = "" if view.effect == EFFECT else f" --effect {view.effect:g}"
    return Section(
        name="reproduce",
        title="How to make it again",
        question="Which commands give the same numbers?",
        sentences=(
            "The scenario in the run folder has every setting and the seed; the same versions give the same games "
            "to the last byte, on any number of threads.",
            *_but(manifest, [int(c["games"]) for c in source.summary["cells"]]),
            f"Plan hash {manifest.plan_hash}. Versions: {versions}.",
        ),
        commands=(
            f"pompeii-sim run {shlex.quote(f'{shown}/scenario.toml')}{_options(manifest)} --out again",
            f"pompeii-sim report again{effect} --out again.html",
            f"pompeii-sim replay {folder} --game 0",
        ),
    )


def _options(manifest: Manifest) -> str:
    """Return the options of ``run`` that the games of a run depend on beside its scenario."""
    told = [f"--games {manifest.games}"]
    rule = manifest.stopping or {}
    told += [f"--precision {shlex.quote(f'{name}={width!r}')}" for name, width in rule.get("precision", {}).items()]
    if rule.get("precision"):
        told += [f"--max-games {rule['most']}", *(["--joint"] if rule["joint"] else [])]
        told += [f"--allocate {rule['allocate']}"] if rule["allocate"] != "even" else []
    told += [f"--records {manifest.plan['records']}"] if manifest.plan["records"] != "core" else []
    every = manifest.plan["series_every"]
    told += [f"--series-every {every}"] if every != SERIES_EVERY else []
    return " " + " ".join(told)


def _but(manifest: Manifest, games: list[int]) -> list[str]:
    """Say where the commands give other numbers than these."""
    out = []
    if given := manifest.plan.get("players"):
        out.append(f"Players given from Python are not in it ({', '.join(given)}): give them again from Python.")
    if manifest.state != "finished":
        out.append(f"This run was not finished ({sum(games):,} games are there): the commands play all that was asked.")
    elif (manifest.stopping or {}).get("seconds") is not None:
        out.append("This run had a time limit: the commands play without one, so that there may be more games.")
    return out
