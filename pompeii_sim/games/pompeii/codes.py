"""Integer codes of Pompeii: places, actions, decisions, card effects, ends, errors, events.

An action is one integer, ``kind * 1024 + argument``. Cards are 0..51 (specialists S01..S52) and 52..103 (city cards
C01..C52). Places are 0..9 (fields, in the order of the value-I goods), 9 + n (building n), then the other places.
"""

from __future__ import annotations

MAX_SEATS = 4
MAX_GOODS = 32
N_FIELDS = 10
N_CARDS = 104
N_SPECIALISTS = 52
N_VOLCANO = 17

# places
BUILDING_0 = 9  # place of building n is BUILDING_0 + n
COSTRUZIONE = 30
PORTA = 31
PIAZZA = 32
SPACE_C12 = 33
SPACE_C28 = 34
SPACE_C31 = 35
N_PLACES = 36
UNLIMITED = 9999

# buildings with a rule of their own, by number
TEMPIO = 16
FORO = 17
ANFITEATRO = 18
TERME = 19
CASTRUM = 20
RED, BLUE, GREEN, PURPLE = 0, 1, 2, 3

CALM, AWAKENING = 0, 1
SPECIALIST_DECK, CITY_DECK = 0, 1
ALWAYS, ONCE, STAR = 0, 1, 2

# action kinds
COLLECT = 0
PRODUCE = 1
BUILD = 2  # argument: building + 32 * (1 + number of the waiving card), the latter 0 without one
TRADE = 3
TRAIN = 4
SWAP = 5
ACTIVATE = 6  # a city card at the Foro, or a star card at its moment
RELEASE = 7  # argument 0 / 1 / 2: own worker from C12 / C28 / C31
UNCOVER = 8  # a C14 token from a building
USE = 9  # an active card at its place
RECRUIT = 10  # argument: number of workers
ARMY = 11
START = 12  # the first red building
AMOUNT = 13
GOOD = 14
SEAT = 15
CARD = 16
PLACE = 17
DECK = 18
PLEDGE = 19
PASS = 20
IDLE = 21  # only where the forbid list leaves a worker nothing else
N_KINDS = 22
ARG = 1024
KIND_NAMES = (
    "collect", "produce", "build", "trade", "train", "swap", "activate", "release", "uncover", "use", "recruit",
    "army", "start", "amount", "good", "seat", "card", "place", "deck", "pledge", "pass", "idle",
)  # fmt: skip

# how a worker action is carried out
WORKER = 0
EXTRA_ACTION = 1  # needs a free space and fills none
SECOND_WORKER = 2  # C17, second reading: fills a space and needs none

# frames on the stack of pending things; those below F_AUTO wait for a decision of that kind
D_NONE = 0
D_START = 1
D_PLACE = 2  # a worker (a = 0) or an extra action (a = 1)
D_SECOND = 3  # C17 read as a second worker in the same turn: a = building
D_AMOUNT = 4  # a = recipe, b = building or field place, c = card or -1
D_TRADE_FROM = 5
D_TRADE_TO = 6  # a = from
D_TRADE_LOTS = 7  # a = from, b = to
D_SWAP_GOOD = 8  # a = specialist discarded
D_BONUS = 9  # owner's choice: a = place, b = bit mask of goods
D_TEMPIO_FROM = 10
D_TEMPIO_TO = 11  # a = from
D_TEMPIO_AMOUNT = 12  # a = from, b = to
D_SAME_FROM = 13
D_SAME_TO = 14  # a = from
D_SAME_AMOUNT = 15  # a = from, b = to
D_TAKE_GOOD = 16  # a = value, b = how many left
D_GIFT = 17  # seat gives to a
D_STEAL_SEAT = 18  # a = how many goods
D_STEAL_GOOD = 19  # a = victim, b = value or 0, c = how many
D_KEEP = 20  # keep of the drawn cards: a = how many left to keep
D_EXCHANGE = 21  # discard city cards: a = how many left, b = draw afterwards
D_TAKE_SPECIALIST = 22
D_TAKE_TEMPLE = 23
D_FROM_DISCARD = 24
D_RECLAIM = 25
D_COVER = 26  # a = tokens left
D_CO_OWNER = 27
D_INJURE_SEAT = 28  # a = space (C12 or C28)
D_INJURE_WORKER = 29  # a = space, b = victim
D_LOSE_WORKER = 30
D_STOP = 31  # C31: a = builder
D_STAR = 32
D_PLEDGE = 33
D_PAY = 34
D_DECK = 35  # a = cards left to draw, b = cards drawn so far
F_AUTO = 50
F_EXTRA = 50  # a = extra actions left
F_DISCARD = 51  # a = card
F_FREE_CARD = 52  # a = deck, b = how many left: draw and activate for free
F_DRAWN = 53  # a = deck, b = draw, c = keep
F_CASTRUM = 54  # Castrum paid for by seat: a = next seat to ask, counted from the builder
F_STEAL = 55  # steal from every other player in turn: a = offset, b = value
F_GIFTS = 56  # every other player gives: a = offset
F_LOSE = 57  # every other player with too many workers loses one: a = offset, b = above
F_BONUS = 58  # owner bonus of a use: a = place, b = mask of goods, c = mask of seats still to serve
F_SECOND = 59  # offer a second worker: a = building
DECISION_NAMES = {
    D_START: "start", D_PLACE: "place", D_SECOND: "second", D_AMOUNT: "amount", D_TRADE_FROM: "trade_from",
    D_TRADE_TO: "trade_to", D_TRADE_LOTS: "trade_lots", D_SWAP_GOOD: "swap_good", D_BONUS: "bonus",
    D_TEMPIO_FROM: "tempio_from", D_TEMPIO_TO: "tempio_to", D_TEMPIO_AMOUNT: "tempio_amount",
    D_SAME_FROM: "same_from", D_SAME_TO: "same_to", D_SAME_AMOUNT: "same_amount", D_TAKE_GOOD: "take_good",
    D_GIFT: "gift", D_STEAL_SEAT: "steal_seat", D_STEAL_GOOD: "steal_good", D_KEEP: "keep",
    D_EXCHANGE: "exchange", D_TAKE_SPECIALIST: "take_specialist", D_TAKE_TEMPLE: "take_temple",
    D_FROM_DISCARD: "from_discard", D_RECLAIM: "reclaim", D_COVER: "cover", D_CO_OWNER: "co_owner",
    D_INJURE_SEAT: "injure_seat", D_INJURE_WORKER: "injure_worker", D_LOSE_WORKER: "lose_worker", D_STOP: "stop",
    D_STAR: "star", D_PLEDGE: "pledge", D_PAY: "pay", D_DECK: "deck",
}  # fmt: skip

# steps of the flow of a game, when nothing is pending
STEP_SETUP = 0
STEP_ROUND = 1
STEP_TURN = 2
STEP_AFTER = 3
STEP_OFFER = 4
STEP_STAR = 5
STEP_PLEDGE = 6
STEP_PAY = 7
STEP_DRAW = 8
STEP_HOME = 9
STEP_OVER = 10

# card effects, in the order of the data vocabulary
OPS = (
    "field_plus", "field_goods", "convert", "produce_plus", "waive", "army_less",
    "no_bonus", "extra_space", "porta_owner", "temple",
    "extra_actions", "steal_each", "co_owner", "gain", "gain_choice", "reclaim_workers", "draw_keep",
    "exchange_city", "take_specialist", "injure_worker", "cover_spaces", "destroy_temple", "from_discard",
    "new_worker", "injure_army", "take_temple", "receive_gifts", "steal_choice", "lose_worker",
    "free_specialists", "swap_same_value",
    "offering_value", "stay_out", "cancel_offering", "stop_castrum",
)  # fmt: skip
(
    FIELD_PLUS, FIELD_GOODS, CONVERT, PRODUCE_PLUS, WAIVE, ARMY_LESS,
    NO_BONUS, EXTRA_SPACE, PORTA_OWNER, TEMPLE,
    EXTRA_ACTIONS, STEAL_EACH, CO_OWNER, GAIN, GAIN_CHOICE, RECLAIM_WORKERS, DRAW_KEEP,
    EXCHANGE_CITY, TAKE_SPECIALIST, INJURE_WORKER, COVER_SPACES, DESTROY_TEMPLE, FROM_DISCARD,
    NEW_WORKER, INJURE_ARMY, TAKE_TEMPLE, RECEIVE_GIFTS, STEAL_CHOICE, LOSE_WORKER,
    FREE_SPECIALISTS, SWAP_SAME_VALUE,
    OFFERING_VALUE, STAY_OUT, CANCEL_OFFERING, STOP_CASTRUM,
) = range(len(OPS))  # fmt: skip

# how a game ends
END_NONE = -1
END_VICTORY = 0
END_APOCALYPSE = 1
END_ROUND_CAP = 2
END_DECISION_CAP = 3

# error codes of a game
ERR_NONE = 0
ERR_ILLEGAL = 1  # a player returned an illegal action; the first legal one was played instead
STACK_FULL = 2  # too many pending things
ERR_DECISIONS = 3  # the decision cap ended the game
TRACE_FULL = 4  # more events between two decisions than the trace holds

# events
EV_SETUP = 0
EV_ROUND = 2
EV_PLACE = 3
EV_BONUS = 4
EV_PORTA = 5
EV_PHASE = 6
EV_CARD = 7
EV_DRAW = 8
EV_DISCARD = 9
EV_KEEP = 10
EV_STEAL = 11
EV_GIFT = 12
EV_WORKER = 13
EV_STAR = 14
EV_PLEDGE = 15
EV_PAY = 16
EV_OFFERING = 17
EV_MARKER = 18
EV_ERUPTION = 19
EV_ROUND_END = 20
EV_ARMY = 21
EV_GAME_END = 22
EV_CASTRUM = 23
EV_TAKE = 24
EV_RESHUFFLE = 26
EV_OFFER_DUE = 27
EV_BLOCK = 28

APOCALYPSE = 99  # the Apocalypse card among the volcano cards' numbers

# why a card was drawn
DRAW_SWAP = 0
DRAW_FREE = 1
DRAW_CARD = 2
DRAW_OFFERING = 3
DRAW_DEAL = 4
DRAW_OPEN = 5  # solo: to lie open for the next round

# what happened to a worker
WORKER_NEW = 0
WORKER_LOST = 1
WORKER_INJURED = 2
WORKER_RELEASED = 3
WORKER_RECLAIMED = 4
