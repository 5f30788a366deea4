"""What the camera saw besides chips: cards mucked, taps, the pot swept or pushed, cards dealt (R-039).

A guess by itself, so nothing is ruled from one of them alone. Cards that a seat in turn mucked, and then an act of a
later seat, are two witnesses of a fold. A player who lifts the cards while another one mucks may be reported too
(`vision.places.card_watch`), so a later muck counts as that act only where both are sure. A muck before the seat's turn
waits for the turn: a fold out of turn would bind (R-221), a guess must not.

A camera that takes other hands for mucks says so of hands that leave a bet, a blind or a check. So a muck counts for a
fold only where it answers the bet that its seat faces: it was seen after that bet was ruled, and the camera has seen no
bet of the seat since. Where a check is free it counts only as long as no muck was contradicted lately: by an act of
the seat that should have mucked, by the dealer, or by a tap.
"""

from __future__ import annotations

from collections.abc import Container, Iterable, Mapping
from dataclasses import dataclass, field, replace
from itertools import takewhile
from typing import Any, Self

from table_controller.sensing.observations import Asked
from table_controller.sensing.order import named
from table_controller.sensing.view import HandView, SeatBook
from table_controller.sensing.witness import LineSeen

LIKELY = 0.8
"""Confidence from which a muck and a later act are a fold."""
SURE = 0.9
"""Confidence from which a later muck is that act."""
INFERRED_KEPT = 20
CONTRADICTED_FOR = 30
"""So many mucks must have been borne out by folds since one was contradicted, before a camera is believed again."""
HINTED_WAIT_MS = 1_000
"""How long an act waits for seats before it that were all seen to do the passive thing, however weakly."""
FOLDED, STILL_IN = "folded", "still-in"
MISCOUNTED = -1
"""The cards that were seen on the board fit no street: a burn card was counted, or a card was not seen."""


@dataclass(frozen=True, slots=True)
class Cues:
    """The events of this hand that chips did not make, as long as they may still mean something."""

    mucked: Mapping[int, float] = field(default_factory=dict)
    """Confidence by seat, in the order in which they came."""
    muck_ns: int = -1
    """When the last of them was reported."""
    mucked_ns: Mapping[int, int] = field(default_factory=dict)
    """When each seat last did, as the camera dates it."""
    answering: frozenset[int] = frozenset()
    """Those that mucked after the bet that they face was ruled: only these may be inferred to have folded."""
    acted_ns: Mapping[int, int] = field(default_factory=dict)
    """When each seat last acted in this hand."""
    doubted: int = 0
    """How many mucks must still be borne out before one where a check is free counts; kept from hand to hand."""
    level: int = 0
    """The bet to match."""
    level_ns: int = -1
    """When it last rose, or the betting of the street began; -1 where that was before a restart."""
    confirmed: frozenset[int] = frozenset()
    """Those of which the dealer said that they are folds."""
    tapped: frozenset[int] = frozenset()
    """Seats that tapped since the street began or anybody bet."""
    swept_from: frozenset[int] = frozenset()
    """Seats whose bets the dealer swept since the street began or anybody bet."""
    pushed_to: int | None = None
    """The dealer pushed the pot to this seat since the betting ended."""
    dealt_to: frozenset[int] = frozenset()
    """Seats that got cards since the hand was over."""
    board: int = 0
    """The cards that were seen to be laid on the board, or `MISCOUNTED` for the rest of the hand."""
    board_came: tuple[int, int] | None = None
    """How many lay there before and after the dealer last laid some; None where none came on this street."""
    board_ns: int = -1
    """Since when the first of these lies there."""
    inferred: frozenset[str] = frozenset()
    """What of the dealer's hands was inferred, by hand and street: never again where it was taken back."""

    def line(self, seen: LineSeen, hand: HandView, hand_ns: int | None, now_ns: int) -> Cues:
        """With an event; one of before the hand, or of a seat that is not in it, means nothing."""
        if hand_ns is not None and seen.t_first_ns < hand_ns:
            return self
        acts = hand.phase == "betting" and seen.seat in hand.order
        match seen.kind:
            case "cards_mucked" if acts:
                return self._with_muck(seen, hand, now_ns)
            case "tap_suspect" if acts:
                return replace(self, tapped=self.tapped | {seen.seat})
            case "pot_swept" if hand.phase in ("betting", "round-over", "showdown"):
                return replace(self, swept_from=self.swept_from | {seen.seat})
            case "board_dealt" if hand.phase in ("betting", "round-over", "showdown") and seen.count:
                return self._with_board(seen, hand)
            case "pot_pushed" if hand.phase == "showdown":
                return replace(self, pushed_to=seen.seat or None)
            case "cards_dealt" if hand.phase == "hand-over":
                return replace(self, dealt_to=self.dealt_to | {seen.seat})
        return self

    def _with_board(self, seen: LineSeen, hand: HandView) -> Cues:
        """Cards came; more of them than a street has are no street, and neither is what is counted on from there."""
        most = hand.board_now if 0 <= self.board < hand.board_now else hand.board_next
        before, after = self.board, self.board + seen.count
        if before == MISCOUNTED or (most and after > most):
            return replace(self, board=MISCOUNTED, board_came=None)
        return replace(self, board=after, board_came=(before, after), board_ns=seen.t_first_ns)

    def next_street_laid(self, hand: HandView, street_ns: int) -> bool:
        """Whether just the cards of the next street were laid since this one began at ``street_ns``.

        Cards that were laid before it began are its own, however late the camera tells of them.
        """
        came = hand.board_next > 0 and self.board_came == (hand.board_now, hand.board_next)
        return came and self.board_ns >= street_ns

    def _with_muck(self, seen: LineSeen, hand: HandView, now_ns: int) -> Cues:
        seat = seen.seat
        if seen.t_first_ns < self.acted_ns.get(seat, -1):
            return self._contradicted()
        known = self._contradicted() if seat in self.tapped and hand.call(seat) <= 0 else self
        answers = seen.t_first_ns >= self.level_ns and (hand.call(seat) > 0 or not known.doubted)
        return replace(
            known,
            mucked={**self.mucked, seat: max(seen.conf, self.mucked.get(seat, 0))},
            muck_ns=now_ns,
            mucked_ns={**self.mucked_ns, seat: seen.t_first_ns},
            answering=self.answering | {seat} if answers else self.answering,
        )

    def _contradicted(self) -> Cues:
        return replace(self, doubted=CONTRADICTED_FOR)

    def after(self, old: HandView, new: HandView, now_ns: int) -> Cues:
        """What the books leave of it: a seat that acts, or whose fold is taken back, has not mucked."""
        known = self if old.hand_no == new.hand_no else Cues(inferred=self.inferred, doubted=self.doubted)
        level = max([new.level, *(book.bet for book in new.seats)])
        if level > known.level or (old.hand_no, old.street, old.phase) != (new.hand_no, new.street, new.phase):
            known = replace(known, answering=frozenset(), level_ns=now_ns)
        known = replace(known, level=level)
        if old.hand_no != new.hand_no:
            return known
        acted = [seat for seat in new.by_seat if _acted(seat, old, new)]
        for seat in known.mucked:
            if seat in acted and not new.book(seat).live:
                known = replace(known, doubted=max(0, known.doubted - 1))
            elif seat in acted:
                known = known._contradicted()
        if any(old.book(seat).inferred and book.live for seat, book in new.by_seat.items()):
            known = known._contradicted()
        if acted:
            known = replace(known, acted_ns={**known.acted_ns, **dict.fromkeys(acted, now_ns)}).without(acted)
        quiet = (old.street, old.level) == (new.street, new.level)
        tapped = self.tapped if quiet else frozenset()
        goes_on = old.phase == new.phase
        return replace(
            known,
            tapped=tapped - {old.to_act} if old.to_act != new.to_act else tapped,
            swept_from=frozenset(
                seat for seat in self.swept_from if quiet and old.book(seat).bet == new.book(seat).bet
            ),
            pushed_to=self.pushed_to if goes_on else None,
            dealt_to=self.dealt_to if goes_on else frozenset(),
            board_came=self.board_came if old.street == new.street else None,
        )

    def inferring(self, what: str, hand: HandView) -> Cues:
        """With what is inferred now; what was inferred in hands long over is forgotten."""
        names = (*sorted(self.inferred, key=_hand_no), _named(what, hand))
        return replace(self, inferred=frozenset(names[-INFERRED_KEPT:]))

    def may_infer(self, what: str, hand: HandView) -> bool:
        """Whether this was not inferred yet on this street of the hand."""
        return _named(what, hand) not in self.inferred

    def without(self, seats: Iterable[int]) -> Cues:
        """Without the mucks of these seats: they have been taken for folds, or the dealer says that they are none."""
        gone = frozenset(seats)
        if not gone & self.mucked.keys():
            return self
        mucked = {seat: conf for seat, conf in self.mucked.items() if seat not in gone}
        return replace(self, mucked=mucked, answering=self.answering - gone, confirmed=self.confirmed - gone)

    def denying(self, seats: Iterable[int]) -> Cues:
        """With the dealer's word that these seats have not folded."""
        return self.without(seats)._contradicted()

    def confirming(self, seats: Iterable[int]) -> Cues:
        """With the dealer's word that these seats have folded."""
        return replace(self, confirmed=self.confirmed.union(seats))

    def in_muck(self, hand: HandView, least: float = LIKELY) -> tuple[int, ...]:
        """The seats from the turn on, one after another, whose cards were mucked."""
        found: list[int] = []
        for seat in hand.order:
            if self.mucked.get(seat, -1) < least:
                break
            found.append(seat)
        return tuple(found)

    def folded(self, hand: HandView, waiting: int | None, bets: Container[int] = ()) -> tuple[int, ...]:
        """The seats from the turn on that folded: mucked, and a later seat acted since, `waiting` or by its muck.

        `bets` are the seats that the camera saw bet: what the hand left there were chips, no cards.
        """
        if self.confirmed:
            return tuple(seat for seat in self.in_muck(hand, 0) if seat in self.confirmed)
        if waiting is not None:
            return self._answered(self.in_muck(hand), hand.before(waiting), bets)
        sure = self._answered(self.in_muck(hand, SURE), hand.order, bets)
        in_turn = tuple(seat for seat in self.mucked if seat in sure) == sure
        return sure[:-1] if in_turn else ()

    def _answered(self, seats: tuple[int, ...], among: Container[int], bets: Container[int]) -> tuple[int, ...]:
        """The first of these seats, as long as each of them answered the bet that it faces with its muck."""
        return tuple(takewhile(lambda seat: seat in among and seat in self.answering and seat not in bets, seats))

    def asked(self, hand: HandView, bets: Container[int] = ()) -> Asked | None:
        """The question about seats from the turn on that mucked, where no later act says that they folded.

        `bets` are the seats that the camera saw bet since: what the hand left there were chips, no cards.
        """
        seats = tuple(takewhile(lambda seat: seat not in bets, self.in_muck(hand, 0)))
        if not seats or hand.phase != "betting":
            return None
        return Asked(
            f"mucked-{hand.hand_no}-{hand.street}-{'-'.join(map(str, seats))}",
            "mucked",
            seats,
            f"{named(seats)} folded? The camera saw the cards go into the muck.",
            (FOLDED, STILL_IN),
        )

    def hinted(self, hand: HandView, before: tuple[int, ...]) -> bool:
        """Whether each of these seats was seen to do the passive thing, however weakly."""
        return bool(before) and all(
            seat in self.mucked or (seat in self.tapped and hand.call(seat) <= 0) for seat in before
        )

    def passive(self, hand: HandView, seats: tuple[int, ...]) -> str:
        """The passive thing of these seats: `Seats 4 and 5 folded`, `Seat 1 checked and seat 2 folded`."""
        folds = tuple(seat for seat in seats if seat in self.answering or hand.call(seat) > 0)
        checks = tuple(seat for seat in seats if seat not in folds)
        parts = [f"{named(group)} {what}" for group, what in ((checks, "checked"), (folds, "folded")) if group]
        return " and ".join([parts[0], *(part[0].lower() + part[1:] for part in parts[1:])])

    def durable(self) -> dict[str, Any]:
        """Plain data; `Cues.restored` makes them again. What only suggests a key is not kept."""
        return {
            "mucked": {str(seat): conf for seat, conf in self.mucked.items()},
            "board": self.board,
            "inferred": sorted(self.inferred),
            "answering": sorted(self.answering),
            "level": self.level,
            "doubted": self.doubted,
        }

    @classmethod
    def restored(cls, plain: Mapping[str, Any]) -> Self:
        """Of plain data; a journal of before they were kept has none."""
        return cls(
            mucked={int(seat): float(conf) for seat, conf in dict(plain.get("mucked", {})).items()},
            board=int(plain.get("board", 0)),
            inferred=frozenset(plain.get("inferred", ())),
            answering=frozenset(plain.get("answering", ())),
            level=int(plain.get("level", 0)),
            doubted=int(plain.get("doubted", 0)),
        )


def _named(what: str, hand: HandView) -> str:
    return f"{hand.hand_no} {hand.street} {what}"


def _hand_no(name: str) -> int:
    return int(name.partition(" ")[0])


def _acted(seat: int, old: HandView, new: HandView) -> bool:
    was, book = old.book(seat), new.book(seat)
    passed_it = old.to_act == seat and new.to_act != seat
    return (was.live and not book.live) or book.bet > was.bet or passed_it


def no_action(seat: int, value: int, book: SeatBook) -> str:
    """What to do about chips of a seat that has no action: its fold may have been a wrong guess."""
    if book.live:
        return f"Seat {seat}: give {value} back: it is all-in."
    if not book.inferred:
        return f"Seat {seat}: give {value} back: it has no hand."
    undo = "U" if book.inferred == 1 else f"{book.inferred} U"
    return (
        f"Seat {seat}: give {value} back, or take its fold back with {undo} if it is still in: the fold was inferred."
    )
