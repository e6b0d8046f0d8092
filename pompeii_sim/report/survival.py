"""Sentences: what survives other data, where the cells of a run differ in them."""

from __future__ import annotations

from collections.abc import Iterator

from pompeii_sim.analysis.conclusion import Conclusion
from pompeii_sim.analysis.gate import Gate
from pompeii_sim.analysis.robustness import robustness as ask
from pompeii_sim.analysis.robustness import survival
from pompeii_sim.analysis.wanted import headline
from pompeii_sim.figures import frames
from pompeii_sim.report.robust import asked_of
from pompeii_sim.report.view import View


def survives(view: View) -> list[str]:
    """Return in how many settings the main conclusions hold, one sentence each.

    The conclusions: for each headline metric, the order of the first swept setting that meets every combination of
    the others, in the direction in which more of them hold; more than half of all games decided; each kind of player
    winning more than its share.
    """
    return [*_orders(view), *_bounds(view)]


def _orders(view: View) -> Iterator[str]:
    asked = asked_of(view)
    if asked is None:
        return
    key, values = asked
    for number in headline(view.study):
        chains = [
            Conclusion(
                text=f"{number.metric.title}: {' < '.join(chain)}", metric=number.name, path=key, order=tuple(chain)
            )
            for chain in (values, values[::-1])
        ]
        counted = survival(ask(view.study, chains, level=view.level))
        best = counted.sort("holds", descending=True, maintain_order=True).row(0, named=True)
        if best["holds"]:
            yield _told(best, "combinations of the other settings")
        else:
            yield f"{number.metric.title}: no order along {key} holds in any combination of the other settings."


def _bounds(view: View) -> Iterator[str]:
    said = []
    decided = {end.code for end in view.ends("decided")}
    for m in view.study.schema.metrics:
        if (m.kind, m.column, m.op) == ("rate", "ended_by", "==") and decided == {m.value}:
            said.append(_above(f"{m.title} in more than half of all games", m.name, 0.5))
    kinds = view.study.kinds[0]
    alike = all(k == kinds for k in view.study.kinds) and len(set(kinds)) > 1
    for kind in kinds if alike and decided else ():
        if kinds.count(kind) == 1:
            said.append(
                _above(
                    f"{frames.label(kind)} winning more than one game in {len(kinds)} of those won",
                    f"win_share.{kinds.index(kind)}",
                    1 / len(kinds),
                )
            )
    if said:
        counted = survival(ask(view.study, said, level=view.level))
        yield from (_told(row, "settings") for row in counted.iter_rows(named=True))


def _above(text: str, metric: str, bound: float) -> Conclusion:
    return Conclusion(text=text, metric=metric, gate=Gate(metric=metric, op=">", bound=bound))


def _told(row: dict[str, object], what: str) -> str:
    return (
        f"{row['conclusion']} holds in {row['holds']} of {row['settings']} {what}, flips in {row['flips']} and is "
        f"undecided in {row['undecided']}."
    )
