"""What is said aloud of an event, in words: a pure function of the event, the house's rules and the language.

The players hear it, so it says only what they may know: no stack, no pot and no amount of an all-in that the house
keeps for who asks (R-160, R-247, R-290). What is suspected of somebody is for the screen: aloud the dealer is only
asked to look there.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Final, Literal

from betline.messages.cards import HandMade
from betline.messages.table import Alert, Announcement, Question, Ruling
from betline.settings.house_rules import HouseRules
from table_controller.announce.hands import hand_spoken
from table_controller.announce.numbers import Language
from table_controller.announce.words import Words, marked

Says = Literal["off", "exceptions", "bets", "all"]
"""How much is said: nothing; what needs somebody; also bets and turns; also every act, street and pot."""
LOUDNESS: Final[tuple[Says, ...]] = ("off", "exceptions", "bets", "all")
Wager = Literal["bet", "raise", "complete"]


@dataclass(frozen=True, slots=True)
class Dealt:
    """A street was dealt to so many players who are still in the hand."""

    street: str
    players: int


@dataclass(frozen=True, slots=True)
class Won:
    """These seats take the pots of the hand, in rising order."""

    seats: tuple[int, ...]
    hand: HandMade | None = None
    """With what, where the cards say so and all of them have the same."""


@dataclass(frozen=True, slots=True)
class TimeLeft:
    """So many seconds are left on the clock of a seat."""

    seat: int
    seconds: int


Spoken = TimeLeft | Announcement | Ruling | Question | Alert | Dealt | Won


@dataclass(frozen=True, slots=True, kw_only=True)
class Manner:
    """How a table is spoken to: how much, in which language, and what the house lets be told unasked."""

    says: Says
    language: Language
    tells_all_ins: bool
    tells_pot: bool
    tells_stacks: bool

    @classmethod
    def of(cls, house: HouseRules, says: Says, language: Language) -> Manner:
        """The manner that a house's rules allow."""
        return cls(
            says=says,
            language=language,
            tells_all_ins=house.announce_all_in == "always",
            tells_pot=house.pot_announcement == "always",
            tells_stacks=house.stack_display == "public",
        )

    def on_request(self) -> Manner:
        """As somebody asks for it: the amount of an all-in and the pot are told, to whoever is not silent."""
        says: Says = self.says if self.says in ("off", "all") else "bets"
        return replace(self, says=says, tells_all_ins=True, tells_pot=True)

    def includes(self, least: Says) -> bool:
        """Whether as much as that is said."""
        return LOUDNESS.index(self.says) >= LOUDNESS.index(least)


def in_speech(event: Spoken, manner: Manner) -> str:
    """What is said of an event; empty where nothing is."""
    words = Words(manner.language)
    match event:
        case TimeLeft() if manner.includes("exceptions"):
            return _time_left(event, words)
        case Question() if manner.includes("exceptions"):
            return _question(event, words)
        case Alert() if manner.includes("exceptions"):
            return _alert(event, words)
        case Ruling() if manner.includes("exceptions"):
            return " ".join(_ruling(event, manner, words))
        case Announcement(counting="") if manner.includes("bets"):
            return " ".join(
                (_to_call(event, manner, words), *_sizes(event, manner, words), *_pot(event, manner, words))
            )
        case Announcement() if manner.includes("bets"):
            return words.say(COUNTING[event.counting], seat=event.seat or 0)
        case Dealt() if manner.includes("all"):
            return _street(event, words)
        case Won() if manner.includes("all"):
            return _won(event, words)
    return ""


# --- the turn


COUNTING: Final[Mapping[str, str]] = {
    "all-in": marked("Seat {seat} is all-in, counting."),
    "bet": marked("Seat {seat} bets, counting."),
    "raise": marked("Seat {seat} raises, counting."),
    "complete": marked("Seat {seat} completes, counting."),
}
LEAST: Final[Mapping[str, str]] = {
    "bet": marked("Minimum bet {least}."),
    "raise": marked("Minimum raise to {least}."),
    "complete": marked("Minimum completion to {least}."),
}
ONLY: Final[Mapping[str, str]] = {
    "bet": marked("The bet is {least}."),
    "raise": marked("The raise is to {least}."),
    "complete": marked("The completion is to {least}."),
}
ONLY_ALL_IN: Final[Mapping[str, str]] = {
    "bet": marked("Any bet is all-in."),
    "raise": marked("Any raise is all-in."),
    "complete": marked("Any completion is all-in."),
}


def _to_call(turn: Announcement, manner: Manner, words: Words) -> str:
    seat, call = turn.seat or 0, turn.call
    if call is None:
        return words.say("Seat {seat}, how much?", seat=seat)
    if call == 0:
        free = marked("Seat {seat}, your option.") if turn.option else marked("Action on seat {seat}.")
        return words.say(free, seat=seat)
    if turn.all_in_to_call and not (manner.tells_stacks and _is_told(turn, manner)):
        return words.say("Seat {seat}, all-in to call.", seat=seat)
    if turn.all_in_to_call:
        return words.say("Seat {seat}, {call} to call, all-in.", seat=seat, call=call)
    if not _is_told(turn, manner):
        return words.say("Seat {seat}, facing an all-in.", seat=seat)
    return words.say("Seat {seat}, {call} to call.", seat=seat, call=call)


def _is_told(turn: Announcement, manner: Manner) -> bool:
    """Whether what the seat faces may be told: the amount of an all-in may not where the house waits to be asked."""
    return manner.tells_all_ins or not turn.facing_all_in


def _sizes(turn: Announcement, manner: Manner, words: Words) -> list[str]:
    """What it may make it; where nobody has bet, that goes without saying."""
    if turn.no_wager:
        return [words.say("No raise.")]
    least, most = turn.min_raise_to, turn.max_raise_to
    if not turn.wager or least is None or most is None or not _is_told(turn, manner):
        return []
    if turn.call == 0 and not manner.includes("all"):
        return []
    if turn.least_is_all_in and not manner.tells_stacks:
        return [words.say(ONLY_ALL_IN[turn.wager])]
    if least == most:
        return [words.say(ONLY[turn.wager], least=least)]
    told = [words.say(LEAST[turn.wager], least=least)]
    if turn.most_is_pot and manner.tells_pot:
        told.append(words.say("Maximum {most}, the pot.", most=most))
    elif manner.tells_stacks and not turn.most_is_pot and manner.includes("all"):
        told.append(words.say("Maximum {most}.", most=most))
    return told


def _pot(turn: Announcement, manner: Manner, words: Words) -> list[str]:
    if turn.in_the_middle is None or not manner.tells_pot or not _is_told(turn, manner):
        return []
    return [words.say("Pot is {pot}.", pot=turn.in_the_middle)]


# --- an act


ACTS: Final[Mapping[str, tuple[Says, str, str]]] = {
    "bet": ("bets", marked("Seat {seat} bets {to}."), ""),
    "raise": ("bets", marked("Seat {seat} raises to {to}."), ""),
    "complete": ("bets", marked("Seat {seat} completes to {to}."), ""),
    "call": ("all", marked("Seat {seat} calls."), marked("Seat {seat} calls, all-in.")),
    "check": ("all", marked("Seat {seat} checks."), ""),
    "fold": ("all", marked("Seat {seat} folds."), ""),
}
"""How much must be said for an act to be said, and the sentence; the last one is for a call that is all-in."""


def _ruling(ruling: Ruling, manner: Manner, words: Words) -> list[str]:
    seat = ruling.seat
    if seat is None or ruling.ruling not in ACTS:
        return []
    corrects = ruling.instead_of is not None
    told = [words.say("Correction.")] if corrects else []
    if corrects or manner.includes(_least_for(ruling)):
        told.append(_act(ruling, seat, manner, words))
    if ruling.returned:
        told.append(words.say("{amount} back to seat {seat}.", amount=ruling.returned, seat=seat))
    if ruling.owes and (corrects or ruling.source == "chips"):  # chips for words or keys are on their way
        told.append(words.say("Seat {seat}, {amount} more, please.", amount=ruling.owes, seat=seat))
    return told


def _least_for(ruling: Ruling) -> Says:
    return "bets" if ruling.all_in else ACTS[ruling.ruling][0]


def _act(ruling: Ruling, seat: int, manner: Manner, words: Words) -> str:
    _, plain, all_in = ACTS[ruling.ruling]
    if not ruling.all_in:
        return words.say(plain, seat=seat, to=ruling.to)
    if all_in:
        return words.say(all_in, seat=seat)
    if manner.tells_all_ins:
        return words.say("Seat {seat} is all-in, {to}.", seat=seat, to=ruling.to)
    return words.say("Seat {seat} is all-in.", seat=seat)


# --- what needs somebody


LOOK: Final = marked("Dealer, please look at the screen.")
IS_A_BET: Final = marked("Dealer, is that a bet by seat {seat}?")
QUESTIONS: Final[Mapping[str, str]] = {
    "unreported": marked("Dealer, what did seat {seat} do?"),
    "mucked": marked("Dealer, did seat {seat} fold?"),
    "count": marked("Dealer, please count seat {seat}."),
    "key-or-felt": marked("Dealer, please check the bet of seat {seat}."),
    "before-cards": marked("Dealer, is that a straddle by seat {seat}?"),
    "straddle": marked("Dealer, is that a straddle by seat {seat}?"),
    "protector": IS_A_BET,
    "house-chips": IS_A_BET,
    "moved-chips": IS_A_BET,
    "unseen-chips": IS_A_BET,
    "other-hand": IS_A_BET,
    "dead-money": IS_A_BET,
    "early-chips": IS_A_BET,
    "hand-on-chips": marked("Seat {seat}, hand off the chips, please."),
    "which-first": marked("Dealer, which came first at seat {seat}, the words or the chips?"),
    "amount": marked("Dealer, how much did seat {seat} bet?"),
    "award": LOOK,
    "rebuy": marked("Seat {seat}, will you rebuy?"),
    "clock": marked("Seat {seat}, time."),
    "floor": marked("Floor, please, for seat {seat}."),
}


def _question(question: Question, words: Words) -> str:
    if question.seat is None:
        return words.say(LOOK)
    return words.say(QUESTIONS.get(question.kind, LOOK), seat=question.seat)


def _alert(alert: Alert, words: Words) -> str:
    if not alert.active or alert.severity == "info":
        return ""
    return words.say(LOOK) if alert.seat is None else words.say("Dealer, please check seat {seat}.", seat=alert.seat)


def _time_left(event: TimeLeft, words: Words) -> str:
    return words.say("Seat {seat}, {seconds} seconds.", seat=event.seat, seconds=event.seconds)


# --- streets and pots


STREETS: Final[Mapping[str, str]] = {
    "flop": marked("Flop."),
    "turn": marked("Turn."),
    "river": marked("River."),
}


def _street(dealt: Dealt, words: Words) -> str:
    name = STREETS.get(dealt.street)
    players = words.count("One player.", "{number} players.", dealt.players)
    return players if name is None else f"{words.say(name)} {players}"


def _won(won: Won, words: Words) -> str:
    if not won.seats:
        return ""
    if len(won.seats) == 1:
        who = words.say("Seat {seat} wins.", seat=won.seats[0])
    else:
        who = words.seats("Seats {seats} win.", won.seats)
    return who if won.hand is None else f"{who} {hand_spoken(won.hand, words)}"
