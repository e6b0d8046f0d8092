"""Build a report from runs, and write it."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path

from pompeii_sim import games
from pompeii_sim.analysis.study import Study, study
from pompeii_sim.errors import InputError
from pompeii_sim.figures.section import Section
from pompeii_sim.report.background import facts, provenance, question, reproduce
from pompeii_sim.report.document import Chapter, Report
from pompeii_sim.report.fairness import fairness
from pompeii_sim.report.health import health
from pompeii_sim.report.html import to_html
from pompeii_sim.report.ladder import ladder
from pompeii_sim.report.length import length
from pompeii_sim.report.markdown import write_markdown
from pompeii_sim.report.outcomes import outcomes, winners
from pompeii_sim.report.robust import robust
from pompeii_sim.report.tension import tension
from pompeii_sim.report.view import View
from pompeii_sim.report.words import EFFECT
from pompeii_sim.store.atomic import check_parents
from pompeii_sim.store.reader import Run

ENDINGS = (".html", ".md")
"""What a report can be written as."""

FIRST: tuple[Callable[[View], Section | None], ...] = (outcomes, winners, ladder, robust)
LAST: tuple[Callable[[View], Section | None], ...] = (length, tension, fairness, health)
"""Questions every game is asked, in the order they are told; a game's own come between the two."""


def build_report(
    runs: Sequence[str | Path | Run], *, title: str = "", effect: float = EFFECT, level: float = 0.95, made_by: str = ""
) -> Report:
    """Ask the questions of a report.

    Parameters
    ----------
    runs
        Run folders, one chapter each.
    title
        Of the page; by default the name of the first run.
    effect
        Smallest difference of a share that matters.
    level
        Confidence level of all intervals.
    made_by
        The package and its version.

    Returns
    -------
    Report
        Ready to be written.

    Raises
    ------
    InputError
        When a folder is no run, or holds no finished game.
    """
    if not runs:
        raise InputError("no run given", where="report", hint="name one or more run folders")
    chapters = []
    for number, run in enumerate(runs, start=1):
        one = study(run)
        folder = one.path
        assert folder is not None  # runs are folders here
        chapters.append(_chapter(one, folder, f"run-{number}", effect, level))
    return Report(title=title or chapters[0].title, chapters=tuple(chapters), made_by=made_by)


def _chapter(one: Study, folder: Path, name: str, effect: float, level: float) -> Chapter:
    assert isinstance(one.source, Run)
    if not any(c["games"] > c["failed"] for c in one.source.summary["cells"]):
        raise InputError("holds no finished game", where=str(folder), hint="go on with pompeii-sim run --resume")
    view = View(one, effect, level)
    sections = [s for s in _sections(view) if s is not None]
    sections += [provenance(view), reproduce(view, str(folder))]
    paragraphs, commands = question(one.source)
    if not paragraphs:
        paragraphs = ("The scenario says no question: it begins with no comment.",)
    scenario = one.source.scenario_path
    return Chapter(
        name=name,
        title=f"{one.schema.title}: {folder.name}",
        question=paragraphs,
        commands=commands,
        facts=facts(view),
        headline=tuple(_headline(sections)),
        sections=tuple(sections),
        scenario=scenario.read_text("utf-8") if scenario.is_file() else "",
    )


def _sections(view: View) -> Iterator[Section | None]:
    yield from (section(view) for section in FIRST)
    yield from games_own(view.study)
    yield from (section(view) for section in LAST)


def games_own(one: Study) -> list[Section]:
    """Return the sections a game adds to a report: what ``sections(study)`` of its insight module gives."""
    name = one.schema.insight or f"{games.__name__}.{one.schema.game}.insight"  # runs of before it was stored
    if one.schema.game not in games.names() or find_spec(name) is None:
        return []
    found = import_module(name)
    return list(found.sections(one)) if hasattr(found, "sections") else []


def _headline(sections: Sequence[Section]) -> Iterator[str]:
    """Yield the answers in short, the ladder's first: it is what a sweep is for."""
    for section in sorted(sections, key=lambda s: s.name != "ladder"):
        yield from section.headline


def write_report(
    runs: Sequence[str | Path | Run],
    out: str | Path,
    *,
    force: bool = False,
    title: str = "",
    effect: float = EFFECT,
    level: float = 0.95,
    made_by: str = "",
) -> Path:
    """Build a report and write it.

    Parameters
    ----------
    runs, title, effect, level, made_by
        As for `build_report`.
    out
        ``NAME.html``: one file that needs no other. ``NAME.md``: a text, its figures and tables in ``NAME/``.
    force
        Whether to write over what is there.

    Returns
    -------
    Path
        What was written.

    Raises
    ------
    InputError
        When `out` has another ending, is there already, or cannot be written; when a folder is no run.
    """
    path = Path(out)
    if path.suffix not in ENDINGS:
        what = f"cannot write a report as {path.suffix!r}" if path.suffix else "a report needs an ending"
        raise InputError(what, where=str(path), hint=f"one of {', '.join(ENDINGS)}")
    taken = [p for p in (path, *([path.with_suffix("")] if path.suffix == ".md" else [])) if p.exists()]
    if taken and not force:
        raise InputError(
            "exists already", where=str(taken[0]), hint="choose another name, or write over it with --force"
        )
    check_parents(path)
    report = build_report(runs, title=title, effect=effect, level=level, made_by=made_by)
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        if path.suffix == ".md":
            write_markdown(report, path)
        else:
            path.write_text(to_html(report), "utf-8")
    except OSError as error:
        raise InputError(f"cannot be written: {error.strerror}", where=str(path)) from error
    return path
