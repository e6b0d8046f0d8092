"""Reports on real runs of the toy game: what is said, what is written, what is refused."""

from __future__ import annotations

import re
import shlex
from html.parser import HTMLParser
from pathlib import Path

import pytest
from toy_install import document

import pompeii_sim
from pompeii_sim.cli.main import call
from pompeii_sim.errors import InputError
from pompeii_sim.report.build import build_report

QUESTION = (
    "# Question: <img src=x onerror=alert(1)> is it a ladder?\n# A second line.\n#\n#   pompeii-sim run toy.toml\n"
)


@pytest.fixture(scope="module")
def run(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Three settings: the second is harder than the first, the third is easier than both."""
    from pompeii_sim.scenario import to_toml

    folder = tmp_path_factory.mktemp("report")
    file = folder / "toy.toml"
    file.write_text(to_toml(dict(document(games=1500, sweep={"rules.disaster": [0.1, 0.2, 0.01]})), QUESTION))
    pompeii_sim.run(file, out=folder / "ladder", series_every=100)
    return folder / "ladder"


@pytest.fixture(scope="module")
def page(run: Path) -> str:
    return pompeii_sim.write_report(run, run.parent / "page.html").read_text("utf-8")


def test_what_is_easier_is_called_easier(run: Path) -> None:
    (chapter,) = build_report([run]).chapters
    ladder = next(s for s in chapter.sections if s.name == "ladder")
    told = " ".join(ladder.sentences)
    assert "Disaster 0.2 is harder than disaster 0.1: everybody loses" in told
    assert "Disaster 0.01 is easier than disaster 0.2: everybody loses" in told
    assert "Whether the steps of disaster are even: uneven." in told
    assert "harder at some steps and easier at others" in chapter.headline[0]


def test_turned_round_it_says_the_opposite(tmp_path: Path) -> None:
    sweep = {"rules.disaster": [0.2, 0.1]}
    pompeii_sim.run(document(games=1500, sweep=sweep), out=tmp_path / "run")
    (chapter,) = build_report([tmp_path / "run"]).chapters
    assert any(s.startswith("Disaster 0.1 is easier than disaster 0.2") for s in chapter.headline)


def test_every_end_and_setting_is_there_and_shares_are_those_of_the_summary(run: Path) -> None:
    (chapter,) = build_report([run]).chapters
    endings = next(s for s in chapter.sections if s.name == "outcomes").tables[0].frame
    summary = pompeii_sim.load(run).summary
    for row in endings.iter_rows(named=True):
        if row["end"] == "disaster":
            assert row["value"] == summary["cells"][row["cell"]]["metrics"]["disaster_rate"]["value"]
    assert {s.name for s in chapter.sections} >= {"outcomes", "winners", "ladder", "length", "health", "reproduce"}
    names = [s.name for s in chapter.sections]
    assert len(names) == len(set(names))


def test_how_many_courses_the_tension_is_told_from(run: Path, tmp_path: Path) -> None:
    def first(folder: Path) -> str:
        (chapter,) = build_report([folder]).chapters
        return next(s for s in chapter.sections if s.name == "tension").sentences[0]

    assert first(run).startswith("The course of 15 games a setting was kept")
    pompeii_sim.run(document(games=240, seating="duplicate"), out=tmp_path / "deals", series_every=1)
    assert first(tmp_path / "deals").startswith("The course of 80 deals a setting was kept")


def test_one_cell_and_like_seats(tmp_path: Path) -> None:
    pompeii_sim.run(document("eager", "eager", games=200), out=tmp_path / "run")
    (chapter,) = build_report([tmp_path / "run"]).chapters
    assert not {"ladder", "winners"} & {s.name for s in chapter.sections}
    assert chapter.question == ("The scenario says no question: it begins with no comment.",)


class Tags(HTMLParser):
    """Collects start tags with their attributes, and checks that tags close in order."""

    VOID = ("meta", "link", "br", "hr", "img", "input")

    def __init__(self) -> None:
        super().__init__()
        self.tags: list[tuple[str, dict[str, str | None]]] = []
        self.open: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append((tag, dict(attrs)))
        if tag not in self.VOID:
            self.open.append(tag)

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append((tag, dict(attrs)))

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag


def test_the_page_needs_nothing_else(page: str) -> None:
    tags = Tags()
    tags.feed(page)
    assert tags.open == []
    for tag, attributes in tags.tags:
        for name in ("src", "href", "action", "data", "srcset", "poster"):
            target = attributes.get(name)
            assert target is None or target.startswith(("#", "data:")), (tag, name, target)
        assert not [name for name in attributes if name.startswith("on")], tag
    assert len([t for t, _ in tags.tags if t == "script"]) == 1
    assert not re.search(r"@import|url\((?!#)", page)
    ids = [a["id"] for _, a in tags.tags if "id" in a]
    assert len(ids) == len(set(ids))
    links = {str(a["href"])[1:] for t, a in tags.tags if t in ("a", "use") and str(a.get("href")).startswith("#")}
    assert links <= set(ids)


def test_what_comes_from_a_file_is_escaped(page: str) -> None:
    assert "<img" not in page
    assert "&lt;img src=x onerror=alert(1)&gt; is it a ladder? A second line." in page
    assert "<code>pompeii-sim run toy.toml</code>" in page


def test_the_page_says_how_to_make_it_again(page: str, run: Path) -> None:
    manifest = pompeii_sim.load(run).manifest
    assert manifest.plan_hash in page
    assert "--games 1500" in page
    assert "pompeii-sim replay" in page
    assert "data entries" in page


def _again(folder: Path) -> tuple[list[str], str]:
    """Return what a report says of making a run again: the words of its first command, and its sentences."""
    (chapter,) = build_report([folder]).chapters
    section = next(s for s in chapter.sections if s.name == "reproduce")
    return shlex.split(section.commands[0]), " ".join(section.sentences)


def test_the_command_gives_the_games_again_whatever_the_run_was(tmp_path: Path) -> None:
    """Run as it stands there, the command makes the same rows."""
    one = document(games=300, sweep={"rules.disaster": [0.05, 0.3]})
    pompeii_sim.run(
        one,
        out=tmp_path / "run",
        precision={"victory_rate": 0.05, "win_share_by_player.eager": 0.2},
        max_games=4000,
        joint=True,
        series_every=7,
        records="full",
    )
    words, _ = _again(tmp_path / "run")
    assert words[:2] == ["pompeii-sim", "run"]
    words[-1] = str(tmp_path / "again")
    assert call([*words[1:], "--quiet", "--progress", "none"]) == 0
    first, again = (pompeii_sim.load(tmp_path / name) for name in ("run", "again"))
    assert again.games().collect().equals(first.games().collect())
    assert again.series().collect().equals(first.series().collect())
    assert again.manifest.plan_hash == first.manifest.plan_hash


def test_what_no_command_gives_again_is_told(tmp_path: Path) -> None:
    pompeii_sim.run(document(games=50_000_000), out=tmp_path / "timed", max_time=0.05)
    _, said = _again(tmp_path / "timed")
    assert "had a time limit" in said


def test_equal_runs_give_equal_pages(run: Path, page: str, tmp_path: Path) -> None:
    again = pompeii_sim.write_report(run, tmp_path / "again.html").read_text("utf-8")
    assert again == page


def test_markdown_with_figures_and_tables_beside_it(run: Path, tmp_path: Path) -> None:
    path = pompeii_sim.write_report(run, tmp_path / "deep" / "ladder.md")
    text = path.read_text("utf-8")
    assert "\\<img src=x onerror=alert(1)\\>" in text
    assert "<img" not in text.replace("\\<img", "")
    targets = re.findall(r"\]\(([^)]+)\)", text)
    assert targets
    for target in targets:
        assert (path.parent / target).is_file(), target
    beside = {p.name for p in (tmp_path / "deep" / "ladder").iterdir()}
    assert beside == {Path(t).name for t in targets}
    assert {Path(t).suffix for t in targets} == {".png", ".csv"}
    heads = [line.count("|") for line in text.splitlines() if line.startswith("|")]
    assert heads


def test_two_runs_are_two_chapters(run: Path, tmp_path: Path) -> None:
    pompeii_sim.run(document(games=100), out=tmp_path / "other")
    text = pompeii_sim.write_report([run, tmp_path / "other"], tmp_path / "both.html", title="Both").read_text("utf-8")
    tags = Tags()
    tags.feed(text)
    ids = [a["id"] for _, a in tags.tags if "id" in a]
    assert len(ids) == len(set(ids))
    assert {"run-1", "run-2"} <= set(ids)
    assert "<title>Both</title>" in text


@pytest.mark.parametrize(
    ("name", "words"),
    [("x.pdf", ["'.pdf'", ".html"]), ("x", ["needs an ending"]), ("x.htm", [".html, .md"])],
)
def test_other_endings_are_refused(run: Path, tmp_path: Path, name: str, words: list[str]) -> None:
    with pytest.raises(InputError) as caught:
        pompeii_sim.write_report(run, tmp_path / name)
    assert all(word in str(caught.value) for word in words)
    assert list(tmp_path.iterdir()) == []


def test_nothing_is_overwritten_unasked(run: Path, tmp_path: Path) -> None:
    for name in ("x.html", "x.md"):
        target = tmp_path / name
        target.write_text("mine")
        with pytest.raises(InputError, match="exists already"):
            pompeii_sim.write_report(run, target)
        assert target.read_text() == "mine"
    pompeii_sim.write_report(run, tmp_path / "x.html", force=True)
    assert (tmp_path / "x.html").read_text() != "mine"


def test_a_run_without_games_is_refused(tmp_path: Path, run: Path) -> None:
    with pytest.raises(InputError, match="no such run folder"):
        pompeii_sim.write_report(tmp_path / "nowhere", tmp_path / "x.html")
    with pytest.raises(InputError, match="no run given"):
        pompeii_sim.write_report([], tmp_path / "x.html")
