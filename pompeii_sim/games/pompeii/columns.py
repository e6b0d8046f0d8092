"""Columns of a finished game, its ends, and the metrics every summary gives."""

from __future__ import annotations

from pompeii_sim.engine.contract import Column, End, Metric
from pompeii_sim.games.pompeii import codes as c

ENDS = (
    End(code=c.END_VICTORY, name="victory", meaning="a Roman army stands in the Castrum", kind="decided"),
    End(code=c.END_APOCALYPSE, name="apocalypse", meaning="the Apocalypse card was drawn; all lose", kind="lost"),
    End(code=c.END_ROUND_CAP, name="round_cap", meaning="stopped at the round cap", kind="censored"),
    End(code=c.END_DECISION_CAP, name="decision_cap", meaning="a runaway game was stopped", kind="censored"),
)

END_LABELS = {end.code: end.name for end in ENDS}
ERROR_LABELS = {
    c.ERR_NONE: "none",
    c.ERR_ILLEGAL: "a player returned an illegal action",
    c.STACK_FULL: "too many pending effects",
    c.ERR_DECISIONS: "decision cap reached",
    c.TRACE_FULL: "too many events to trace",
}

TITLE_LABELS = {0: "none", 1: "Quaestor", 2: "Decurion", 3: "Aedile", 4: "Duumvir"}
"""Titles as shipped, from the lowest up."""

COLUMNS = (
    Column(name="game", meaning="number of the game in its cell, from 0"),
    Column(name="deal", meaning="number of the deal: everything chance decides"),
    Column(name="arrangement", meaning="number of the arrangement: who sits where"),
    Column(name="seat_spec", meaning="listed seat of the scenario that sits here, -1 for none", per_seat=True),
    Column(name="ended_by", meaning="how the game ended", labels=END_LABELS),
    Column(name="winners", meaning="bit mask of the seats that won"),
    Column(name="rank", meaning="1 the winner, 2 everybody else, 0 an empty seat", per_seat=True),
    Column(name="score", meaning="progress to victory at the end, 0..1", per_seat=True),
    Column(name="rounds", meaning="rounds played, the last one included"),
    Column(name="calm_rounds", meaning="rounds before the one in which the Foro was built"),
    Column(name="awakening_rounds", meaning="rounds from the one in which the Foro was built, to the end"),
    Column(name="decisions", meaning="decisions with two or more legal actions"),
    Column(name="forced", meaning="decisions with one legal action"),
    Column(name="error", meaning="0, or why the game counts as failed", labels=ERROR_LABELS),
    Column(name="error_seat", meaning="seat of the error, -1 for none"),
    Column(name="error_action", meaning="the action that was illegal"),
    Column(name="start_seat", meaning="seat of the first starting player"),
    Column(name="worker_actions", meaning="worker actions, extra actions of cards included", per_seat=True),
    Column(name="choices", meaning="decisions with two or more legal actions", per_seat=True),
    Column(name="workers", meaning="workers at the end", per_seat=True),
    Column(name="army", meaning="1 when the seat bought its army", per_seat=True),
    Column(name="eruptions", meaning="volcano cards turned by failed or cancelled offerings, the Apocalypse included"),
    Column(name="first_eruption", meaning="round of the first eruption, 0 for none"),
    Column(name="offerings", meaning="offerings held"),
    Column(name="offerings_paid", meaning="offerings that succeeded"),
    Column(name="raises", meaning="raises of all markers by three successes in a row"),
    Column(name="due", meaning="sum of the totals required, in value"),
    Column(name="paid", meaning="value of goods paid in offerings", per_seat=True),
    Column(name="marker", meaning="sum of the own markers over all offerings, in value", per_seat=True),
    Column(name="pledged", meaning="value pledged in offerings, failed ones included", per_seat=True),
    Column(name="could_pay", meaning="offerings in which the seat held goods worth its marker", per_seat=True),
    Column(name="refused", meaning="of these, offerings in which it pledged less than its marker", per_seat=True),
    Column(name="pivotal", meaning="of these, failed offerings that its missing share would have saved", per_seat=True),
    Column(name="over_cards", meaning="cards drawn for over-offering", per_seat=True),
    Column(name="lost_value", meaning="value of goods destroyed by eruptions", per_seat=True),
    Column(name="bonus_goods", meaning="goods gained as owner bonus", per_seat=True),
    Column(name="trained", meaning="specialists trained", per_seat=True),
    Column(name="activated", meaning="city cards activated", per_seat=True),
    Column(name="idle", meaning="workers placed with nothing left to do by the forbid list", per_seat=True),
    Column(name="title", meaning="title of a solo victory, from the lowest up; 0 for none", labels=TITLE_LABELS),
    Column(name="open_used", meaning="specialists used that lay open, with one seat"),
    Column(name="blocked_value", meaning="value of one of each good that a volcano card blocked, summed over rounds, "
           "with one seat"),
    Column(name="goods_value", meaning="value of goods at the end", per_seat=True),
    Column(name="castrum_owner", meaning="seat that built the Castrum, -1 for none"),
    Column(name="foro_owner", meaning="seat that built the Foro, -1 for none"),
    Column(name="place_use", meaning="worker actions by place: fields 0-9, buildings 10-29, Costruzione 30, Porta 31, "
           "Piazza 32, C12 33, C28 34, C31 35", records="full"),
    Column(name="built", meaning="1 when the building of that number stands at the end", records="full"),
    Column(name="owner", meaning="owner of the building of that number, -1 for none", records="full"),
    Column(name="dealt", meaning="1 + seat whose opening deal held the card, 0 for none; S01-S52 then C01-C52",
           records="full"),
    Column(name="held", meaning="bit mask of seats that ever held the card", records="full"),
    Column(name="put_out", meaning="bit mask of seats that trained, activated or played the card", records="full"),
    Column(name="card_use", meaning="times the card's effect was used", records="full"),
    Column(name="volcano_seen", meaning="1 when the volcano card of that number was turned", records="full"),
    Column(name="blocked_rounds", meaning="rounds in which the good was blocked, with one seat, in the order of "
           "goods.toml", records="full"),
    Column(name="goods", meaning="goods at the end, 32 a seat, in the order of goods.toml", records="full"),
)  # fmt: skip

_COUNTS_APOCALYPSE = "the Apocalypse counts as one"

METRICS = (
    Metric(
        name="victory_rate", title="victory", kind="rate", column="ended_by", value=c.END_VICTORY, headline=True,
        definition="share of games that end with an army in the Castrum",
    ),
    Metric(
        name="apocalypse_rate", title="Apocalypse", kind="rate", column="ended_by", value=c.END_APOCALYPSE,
        headline=True, definition="share of games that end with the Apocalypse card",
    ),
    Metric(
        name="round_cap_rate", title="round cap", kind="rate", column="ended_by", value=c.END_ROUND_CAP, headline=True,
        definition="share of games stopped at the round cap: censored, neither won nor lost",
    ),
    Metric(
        name="any_eruption_rate", title="any eruption", kind="rate", column="eruptions", op=">=", value=1,
        headline=True, definition=f"share of games with at least one eruption ({_COUNTS_APOCALYPSE})",
    ),
    Metric(
        name="eruptions_mean", title="eruptions", kind="mean", column="eruptions", bounds=(0, 18), headline=True,
        unit="eruptions",
        definition=f"mean number of volcano cards turned by failed or cancelled offerings ({_COUNTS_APOCALYPSE})",
    ),
    Metric(
        name="rounds_mean", title="rounds", kind="mean", column="rounds", bounds=(0, 200), headline=True,
        unit="rounds", definition="mean number of rounds over all games, those stopped at the cap counted at the cap",
    ),
    Metric(
        name="awakening_rounds_mean", title="Awakening rounds", kind="mean", column="awakening_rounds",
        bounds=(0, 200), unit="rounds",
        definition="mean number of rounds from the one in which the Foro is built",
    ),
    Metric(
        name="decisions_mean", title="decisions", kind="mean", column="decisions",
        definition="mean number of decisions with two or more legal actions, all seats together",
    ),
    Metric(
        name="worker_actions_mean", title="worker actions", kind="mean", column="worker_actions",
        definition="mean number of worker actions, all seats together; extra actions of cards count",
    ),
    Metric(
        name="eruption_loss_mean", title="value lost to eruptions", kind="mean", column="lost_value", unit="value",
        definition="mean value of goods destroyed by eruptions, all seats together; the Apocalypse destroys none",
    ),
    Metric(
        name="offerings_paid_mean", title="offerings paid", kind="mean", column="offerings_paid",
        definition="mean number of successful offerings",
    ),
    Metric(
        name="rounds_to_victory_mean", title="rounds to victory", kind="mean", column="rounds", unit="rounds",
        where=("ended_by", "==", c.END_VICTORY), definition="mean number of rounds of games that end in victory",
    ),
    Metric(
        name="rounds_to_apocalypse_mean", title="rounds to the Apocalypse", kind="mean", column="rounds",
        unit="rounds", where=("ended_by", "==", c.END_APOCALYPSE),
        definition="mean number of rounds of games that end with the Apocalypse",
    ),
    Metric(
        name="win_share_by_player", title="win share", kind="share", by="player", headline=True, seats=(2, 4),
        definition="wins of a kind of seat divided by decided games; expected is its seats divided by all seats",
    ),
    Metric(
        name="win_share_by_seat", title="win share by seat", kind="share", by="seat", seats=(2, 4),
        definition="wins of a seat divided by decided games; expected is 1 divided by the number of seats",
    ),
    *(
        Metric(
            name=f"title_{name.lower()}_rate", title=f"title {name}", kind="rate", column="title", value=code,
            where=("ended_by", "==", c.END_VICTORY), headline=True, seats=(1, 1),
            definition=f"share of solo victories with {'no title' if code == 0 else f'the title {name}'}",
        )
        for code, name in sorted(TITLE_LABELS.items(), reverse=True)
    ),
    Metric(
        name="open_used_mean", title="open specialists used", kind="mean", column="open_used", seats=(1, 1),
        definition="mean number of open specialists used in a solo game",
    ),
    Metric(
        name="blocked_value_mean", title="value blocked", kind="mean", column="blocked_value", unit="value",
        seats=(1, 1),
        definition="mean over solo games of the value of one of each good blocked, summed over rounds",
    ),
)  # fmt: skip
