"""Messages of the table: what the controller publishes, its state, and what the seats' displays show."""

from __future__ import annotations

from typing import Any, Literal

from pydantic import Field

from betline.messages.cards import CardsAt, HandMade
from betline.messages.common import Amount, Body, SeatNumber, says_nothing


class RuledBefore(Body):
    """How an act was ruled before a correction or the floor's override ruled it otherwise (R-049, R-291)."""

    ruling: str
    to: Amount = 0
    all_in: bool = False
    offers: tuple[str, ...] = ()
    sentence: str


class Ruling(Body):
    """How an act counts: shown, announced, journalled, tested."""

    hand_no: int
    act_no: int
    street: str
    seat: SeatNumber | None
    ruling: str
    to: Amount = 0
    adds: int = 0
    returned: Amount = 0
    owes: Amount = 0
    all_in: bool = False
    cites: tuple[str, ...] = ()
    alerts: tuple[str, ...] = ()
    offers: tuple[str, ...] = ()
    source: Literal["chips", "keyed", "words", "inferred", "house", "floor"]
    sentence: str
    by: str = Field(default="", description="who of the floor decided, by name (in the journal by id)")
    instead_of: RuledBefore | None = Field(
        default=None,
        description="the act was ruled so before; returned and owes are then what must move for the difference",
    )


class PotView(Body):
    """One pot: its amount and who can win it."""

    amount: Amount
    seats: tuple[SeatNumber, ...]


class SeatState(Body):
    """One seat of the state."""

    seat: SeatNumber
    name: str = ""
    stack: Amount
    bet: Amount = 0
    status: Literal["empty", "out", "in", "folded", "all-in"]
    on_felt: Amount | None = Field(
        default=None, description="value that the antenna reads, null where none is believed"
    )
    based: bool = Field(
        default=False,
        description="base line taken: what lay there when the street began is known, and chips that come are seen",
    )
    hand_on_chips: bool = Field(
        default=False, description="its hand is over chips that it has put out: nothing is ruled until it leaves"
    )
    owes: Amount = 0
    change_due: Amount = 0
    can_win: Amount | None = Field(
        default=None,
        description="what a live seat takes of all that lies in the middle now if it wins every pot that it is in",
    )
    mucked: bool = Field(
        default=False, description="the camera saw its cards go into the muck; a fold once a later seat has acted"
    )
    away: bool = Field(default=False, description="the player is absent, the stack stays")
    leaves: bool = Field(default=False, description="the player leaves when the hand is over, with the stack")
    moves_to: SeatNumber | None = Field(
        default=None, description="the player changes to this seat when the hand is over"
    )
    waits_hands: int = Field(
        default=0, ge=0, description="has moved away from the big blind: so many hands it waits before it is dealt in"
    )
    penalty: int = Field(default=0, ge=0, description="for so many hands more the floor has sent the player away")
    comes: Literal["", "posts", "waits", "buys-button"] = Field(
        default="", description="how a new or returning player comes in; empty for one who is in or comes in free"
    )
    missed: tuple[Amount, ...] = Field(default=(), description="blinds owed on return, largest first (R-193)")
    missed_straddle: Amount = Field(default=0, description="a mandatory straddle owed on return (R-201)")
    deferred: tuple[Amount, ...] = Field(default=(), description="blinds that a kill has put off (R-128)")
    pick_up: bool = Field(default=False, description="away so long that the chips may be picked up (R-194)")
    needs_chips: bool = Field(default=False, description="not dealt in, or not lent anything, before it buys chips")
    straddle: Amount = Field(default=0, description="its straddle of this hand")
    sleeper: Amount = Field(default=0, description="its sleeper of this hand")
    kill: Amount = Field(default=0, description="its kill, of this hand or due in the next one (R-127)")
    legs: int = Field(default=0, ge=0, description="pots won in a row, as far as a kill depends on it")
    rock: bool = Field(default=False, description="it holds the rock (R-200)")
    borrowed: Amount = Field(default=0, description="on markers in this hand (R-283)")
    posts: tuple[Amount, ...] = Field(
        default=(), description="its blinds, missed blinds and posts of this hand, largest first; no antes or straddles"
    )
    held: bool = Field(default=False, description="its act out of turn is held until the action has reached it")


class PotLimitCount(Body):
    """How the pot bet comes about: three times the last wager, the trail, what lay there at the start (R-150)."""

    last_wager: Amount
    trail: int = Field(description="below 0 where less lies there than the bet to match: a blind is short")
    start: int = Field(description="with what counts as if it were in the pot: blinds short, missing, assumed to call")
    call: Amount
    rounded: Amount = Field(default=0, description="what rounding the pot up adds (R-158)")
    maximum: Amount = Field(description="before the stack of the seat bounds it")


class PullView(Body):
    """Chips of one seat's bet that the dealer takes into a pot, or gives back (R-305)."""

    seat: SeatNumber
    amount: Amount
    pot: int | None = Field(ge=0, description="0 is the main pot; null: back to the seat")
    done: bool = Field(default=False, description="the readers show that these chips have been taken in")


class StraddleView(Body):
    """A straddle that would be taken now: whose, which, and for how much at least (R-195 to R-199)."""

    seat: SeatNumber
    kind: Literal["live", "mississippi", "sleeper"]
    least: Amount


class PushView(Body):
    """Chips that the dealer pushes at the end of a hand, in this order (R-264, R-285)."""

    to: SeatNumber | Literal["rake", "kitty"]
    pot: int | None = Field(ge=0, description="0 is the main pot; null: an uncalled bet goes back")
    amount: Amount
    done: bool = Field(default=False, description="the readers show that these chips have been pushed")


class Question(Body):
    """Something only a person can say; the game does not wait for it unless money depends on it."""

    id: str
    seat: SeatNumber | None
    kind: str = Field(
        description="unreported, mucked, count, key-or-felt, before-cards, protector, house-chips, moved-chips, "
        "unseen-chips, other-hand, dead-money, hand-on-chips, rebuy, early-chips, which-first, straddle, amount, "
        "award, rules-changed, clock or floor; docs/console.md says when each is asked"
    )
    sentence: str
    choices: tuple[str, ...]


class AlertChip(Body):
    """One chip that an alert is about, and how it was read."""

    uid: str
    value: int | None = Field(description="null where nobody knows it")
    zone: str = Field(description="where it lies, or lay last")
    hits: int = Field(ge=0, description="rounds of the window in which it answered there")
    rounds: int = Field(ge=0, description="rounds of the window since its first answer; 0 where it has left the window")


class Suggestion(Body):
    """Something that was seen speaks for a key; only the key does anything."""

    kind: Literal["deal", "award", "next-hand"]
    seat: SeatNumber | None = Field(default=None, description="for an award, the seat that the pot was pushed to")
    sentence: str


class Alert(Body):
    """Something a person should know. It comes once, and again only when it grows: a larger amount, or more chips."""

    severity: Literal["info", "warning", "error"]
    code: str
    seat: SeatNumber | None = None
    zone: str = Field(default="", description="antenna zone that it is about, empty where none is")
    uid: str = Field(default="", description="chip that it is about, empty where none or several are")
    sentence: str
    active: bool = Field(default=True, description="false when it has passed")
    amount: Amount = Field(default=0, description="how much is in question; 0 where it is not about an amount")
    count: int = Field(default=0, ge=0, description="how many chips it is about")
    chips: tuple[AlertChip, ...] = Field(default=(), description="the first of these chips, as evidence")
    pictures: tuple[str, ...] = Field(default=(), description="events of the camera by which its pictures are found")


class SensorState(Body):
    """How one sensor or process does, as the controller sees it."""

    name: str
    state: Literal["online", "starting", "stale", "offline", "unknown"]
    detail: str = ""


class LevelState(Body):
    """The level by the clock, in a break the one before it; a running hand may still have the level before that."""

    number: int = Field(ge=1)
    stakes: str
    next_number: int | None
    next_stakes: str = ""
    in_break: bool = False
    started: bool = Field(description="false before the clock was started for the first time")
    ends_ms: int | None = Field(description="wall clock when level or break ends; null while the clock stands")
    left_ms: int | None = Field(description="what is left while the clock stands, else null")
    to_break_ms: int | None = Field(
        default=None, description="how long after the end of this level or break the next break begins; null: none does"
    )
    colour_up: int | None = Field(default=None, description="value of the chips that go before the next level")


class PlayerClockState(Body):
    """The clock of the seat to act (R-288)."""

    seat: SeatNumber
    ends_ms: int = Field(description="wall clock when the time is up")
    stage: Literal["running", "warned", "last", "up"] = Field(
        description="warned at 10 seconds, for the last time at 3"
    )
    time_banks: int = Field(default=0, ge=0, description="how many time banks the seat has left")


class HoldState(Body):
    """The table is held between hands, by the room or the floor; it plays on by itself at `until_ms`."""

    why: Literal["hand-for-hand", "short"] = Field(
        description="all tables deal together, or this one is too short of players (TDA 11-D)"
    )
    after_hand: int = Field(ge=0, description="the last hand that it may play")
    waits: bool = Field(description="it has played that hand, and waits now")
    until_ms: int = Field(description="wall clock at which it plays on unless it is held again before")
    sentence: str = Field(description="the same for people")


class RotationState(Body):
    """The games of the evening: the present one, and the one that its turn gives way to."""

    game: str
    next_game: str = Field(description="empty where the dealer chooses and has not chosen")
    chosen: bool = Field(default=False, description="the next hand has next_game because it was named")
    games: tuple[str, ...]
    hands_left: int | None = Field(default=None, description="in a rotation by hands: of this turn after this hand")


class TableState(Body):
    """The whole state of the table, for dealer and floor (retained). Versions rise; no hidden card is in it."""

    version: int
    journal: str = Field(default="", description="which journal: the hash of its first entry")
    journal_seq: int
    journal_head: str
    journal_seal: str = Field(
        default="", description="HMAC of journal, journal_seq and journal_head under the key of the journal's seals"
    )
    phase: Literal["idle", "posting", "betting", "round-over", "showdown", "hand-over"]
    hand_no: int
    game: str
    limit: Literal["", "no-limit", "pot-limit", "fixed-limit", "spread-limit"] = Field(
        default="", description="how bets are limited; empty before the first hand"
    )
    street: str
    button: SeatNumber | None
    small_blind: SeatNumber | None
    big_blind: SeatNumber | None
    seats: tuple[SeatState, ...]
    to_act: SeatNumber | None
    call: Amount | None
    min_raise_to: Amount | None
    max_raise_to: Amount | None
    may: tuple[str, ...] = ()
    why_no_raise: str = Field(
        default="", description="why the seat to act may not bet or raise, as a sentence with its rule"
    )
    pot_bet: Amount | None = None
    pot_count: PotLimitCount | None = None
    option: bool = False
    substantial: bool = Field(default=False, description="there was substantial action on this street (R-224)")
    pot: Amount
    pots: tuple[PotView, ...]
    pots_now: tuple[PotView, ...] = Field(
        default=(), description="the pots with the bets on the felt, capped by every all-in; together they are the pot"
    )
    pulls: tuple[PullView, ...] = Field(
        default=(), description="how the round's bets are taken in once it is over, until the next street is dealt"
    )
    won: tuple[PotView, ...] = Field(
        default=(), description="pots after these that one seat alone could win: they are in its stack already (R-262)"
    )
    carried: Amount = Field(default=0, description="what nobody has won: it lies in the next hand's pot (R-307)")
    first_next: SeatNumber | None = Field(
        default=None, description="who opens the next street as things stand; null where nobody bets, and in stud"
    )
    to_come: tuple[str, ...] = Field(
        default=(),
        description="streets that are still dealt although nobody can bet any more: then the pots are awarded",
    )
    board: int = Field(
        default=1,
        ge=1,
        description="the board that the next of these streets belongs to, where it is run more than once",
    )
    runs: int = Field(default=1, ge=1, description="how often the rest of the board is dealt, as agreed (R-268)")
    may_run: int = Field(
        default=1, ge=1, description="how often it may still be agreed to deal the rest of the board; 1: not now"
    )
    turn_up: tuple[SeatNumber, ...] = Field(
        default=(), description="seats that turn their cards up before the next street, for nobody can bet (R-008)"
    )
    must_turn_up: bool = Field(default=False, description="the house requires it, else they may")
    names_first: bool = Field(default=False, description="stud: the dealer names who opens the next street")
    bring_in_due: bool = Field(default=False, description="stud: the dealer names who brings it in")
    bring_in_tie: Literal["suit", "position"] | None = Field(
        default=None, description="what decides between equal cards while the bring-in is due (R-202)"
    )
    straddles: tuple[StraddleView, ...] = Field(default=(), description="what may still be straddled before the cards")
    payouts: tuple[PushView, ...] = Field(default=(), description="who gets what once the hand is over")
    keeps_cards: Literal["off", "board", "board-and-shown"] = Field(
        default="off", description="which cards the house keeps; until the hand is over they stand on `private/cards`"
    )
    cards: tuple[CardsAt, ...] = Field(
        default=(), description="what lay face up, once the hand is over; nothing before"
    )
    won_with: tuple[HandMade, ...] = Field(
        default=(), description="the winners' hands once the hand is over, where one board and one ranking decided"
    )
    house_money: dict[str, int] = Field(
        default={}, description="what has left the table to rake, time, kitty and tray; below 0 came from there"
    )
    again: bool = Field(default=False, description="this hand is dealt again as it was (R-292)")
    closed: dict[str, str] = Field(
        default={}, description="commands that would be refused now whatever their arguments, with the reason"
    )
    rulings: tuple[Ruling, ...] = Field(description="the last rulings of this hand, newest last")
    questions: tuple[Question, ...] = ()
    suggestions: tuple[Suggestion, ...] = ()
    alerts: tuple[Alert, ...] = ()
    sensors: tuple[SensorState, ...] = ()
    announcement: str = ""
    dealer: str = Field(default="", description="who deals; empty where nobody is named")
    level: LevelState | None = Field(default=None, description="null where the table has no levels")
    player_clock: PlayerClockState | None = Field(default=None, description="null where no clock runs for the turn")
    hold: HoldState | None = Field(
        default=None, exclude_if=says_nothing, description="left out where nobody holds the table"
    )
    hold_ended: Literal["", "asked", "time"] = Field(
        default="",
        exclude_if=says_nothing,
        description="how the last hold ended: somebody let the table go, or nobody held it again in time; empty while "
        "one holds, and where none has ended",
    )
    rotation: RotationState | None = Field(default=None, description="null where the table has one game")


class Event(Body):
    """One entry of the table's stream, after it was journalled."""

    journal_seq: int
    hand_no: int
    type: str
    data: dict[str, Any]
    taken_ns: int | None = Field(
        default=None,
        exclude_if=says_nothing,
        description="monotonic clock of the controller when it began with what led to it",
    )
    ruled_ns: int | None = Field(default=None, exclude_if=says_nothing, description="when that was worked out")
    written_ns: int | None = Field(
        default=None, exclude_if=says_nothing, description="when the journal had it on the disk"
    )


class Announcement(Body):
    """What is said to the player to act, or of the pile that it has put out while its amount is still being counted.

    ``cause_ns`` is the last byte of the inventory that led to it, if one did, on the controller's monotonic clock.
    """

    hand_no: int
    act_no: int
    seat: SeatNumber | None
    text: str
    call: Amount | None = None
    min_raise_to: Amount | None = None
    max_raise_to: Amount | None = None
    pot_bet: Amount | None = None
    wager: Literal["", "bet", "raise", "complete"] = Field(
        default="", description="what making it more is; empty where that is not open to the seat"
    )
    option: bool = Field(default=False, description="its own blind, post or straddle was not raised")
    no_wager: bool = Field(default=False, description="it has chips to bet or raise, and the rules do not let it")
    all_in_to_call: bool = Field(default=False, description="its stack covers no more than the call")
    least_is_all_in: bool = Field(default=False, description="the least it may make it takes its whole stack")
    most_is_pot: bool = Field(default=False, description="the most is the pot bet itself, not the stack")
    facing_all_in: bool = Field(default=False, description="nobody who has chips left has put out what it must match")
    in_the_middle: Amount | None = Field(
        default=None, description="the size of the pot, where it may be counted; said unasked or on request (R-160)"
    )
    counting: Literal["", "all-in", "bet", "raise", "complete"] = Field(
        default="", description="what the pile surely is that is still being counted; then no amount is said"
    )
    cause_ns: int | None = None


class VoiceSetting(Body):
    """How much the voice says, by the names of the house option `voice` (retained; without one, the option)."""

    says: Literal["off", "exceptions", "bets", "all"]


class VoiceAgain(Body):
    """The turn is to be said once more, with what the house tells on request."""


class Prompt(Body):
    """What one seat's display or LED shows (retained).

    An amount is null where there is none, or where the house tells it on request only; the text is then without it.
    """

    seat: SeatNumber
    active: bool
    text: str
    call: Amount | None = Field(default=None, description="what it must add to call, 0 where it may check")
    min_raise_to: Amount | None = None
    max_raise_to: Amount | None = None
    owes: Amount = Field(default=0, description="what it has still to put out")
