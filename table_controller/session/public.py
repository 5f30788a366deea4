"""What the books look like from outside: the state, the announcement and the prompts."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict
from typing import Literal

from betline.messages.cards import CardsAt, HandMade
from betline.messages.table import (
    Alert,
    AlertChip,
    LevelState,
    PlayerClockState,
    PotLimitCount,
    PotView,
    Prompt,
    PullView,
    PushView,
    Question,
    RotationState,
    StraddleView,
    TableState,
)
from betline.messages.views import Audience, TableView, TurnView
from betline.settings.house_rules import HouseRules
from betline.steps import NextHand, verb_of
from table_controller.announce import phrases
from table_controller.announce.phrases import Turn
from table_controller.announce.turn import turn_of, why_no_raise
from table_controller.audience import Tells, turn_view, view_for
from table_controller.betting import Hand, PayoutKind, Pot
from table_controller.journal.entries import Announced
from table_controller.rulings.values.payouts import payout_plan
from table_controller.rulings.values.state import State
from table_controller.sensing.observations import Alert as Raised
from table_controller.sensing.setup import zone_of
from table_controller.sensing.state import SensingState
from table_controller.session import ticks
from table_controller.session.book import Book
from table_controller.session.certain import certain
from table_controller.session.closed import BOMB_POT, closed_commands, open_straddles
from table_controller.session.guide import run_out_view
from table_controller.session.held import hold_state, refused
from table_controller.session.people import NO_NAMES, name_of, with_name
from table_controller.session.questions import open_questions
from table_controller.session.seats import seat_state
from table_controller.session.sensors import Sensors
from table_controller.session.situation import game_name, phase, positions
from table_controller.session.suggestions import suggestions

OF_SENSORS = frozenset({"reader-stale", "camera-stale"})
"""What sensing says of silent sensors; alerts name them by sensor, once (`Sensors`)."""
OF_THE_BRIDGE = frozenset({"unknown-chip", "retired-chip", "hot-chip", "cloned-chip"})
"""What the bridge says of chips on the bus itself, with their names; here it only stands in the state."""
_SEVERITY: Mapping[str, Literal["info", "warning", "error"]] = {
    "tray-open": "info",
    "clear-zone": "info",
    "unknown-chip": "error",
    "hot-chip": "error",
    "cloned-chip": "error",
    "foreign-chip": "error",
}


def felt_alerts(sensing: SensingState) -> tuple[Alert, ...]:
    """What sensing finds odd at this moment."""
    return tuple(alert_of(raised) for (code, _), raised in sensing.raised.items() if code not in OF_SENSORS)


def alert_of(raised: Raised) -> Alert:
    """An alert of sensing as people get it."""
    return Alert(
        severity=severity(raised.code),
        code=raised.code,
        seat=raised.seat,
        sentence=raised.sentence,
        amount=raised.amount,
        count=raised.count,
        chips=tuple(AlertChip(**asdict(chip)) for chip in raised.chips),
        pictures=raised.pictures,
    )


def severity(code: str) -> Literal["info", "warning", "error"]:
    """How serious an alert of sensing is."""
    return _SEVERITY.get(code, "warning")


def announcement(book: Book, sensing: SensingState) -> Announced | None:
    """What is said to the player to act, or of the pile that it has put out; None where nobody is to act."""
    if book.table is None or phase(book) != "betting":
        return None
    if sensing.pile is not None and (act := certain(book, sensing.pile)):
        return Announced(
            hand_no=book.hand_no, act_no=book.act_no, seat=sensing.pile.seat,
            text=phrases.counting(sensing.pile.seat, act),
            call=None, min_raise_to=None, max_raise_to=None, pot_bet=None, counting=act,
        )  # fmt: skip
    turn = turn_of(book.table.state)
    if turn is None:
        return None
    return Announced(
        hand_no=book.hand_no,
        act_no=book.act_no,
        seat=turn.seat,
        text=phrases.spoken(turn),
        call=turn.call,
        min_raise_to=turn.least,
        max_raise_to=turn.most,
        pot_bet=turn.pot_bet,
        wager=turn.wager if turn.least is not None else "",
        option=turn.option,
        no_wager=bool(turn.why_no_wager),
        all_in_to_call=turn.all_in_to_call,
        least_is_all_in=turn.least_is_all_in,
        most_is_pot=turn.most_is_pot,
        facing_all_in=turn.facing_all_in,
        in_the_middle=turn.countable,
    )


def table_state(
    book: Book,
    sensing: SensingState,
    sensors: Sensors,
    alerts: tuple[Alert, ...],
    seats: tuple[int, ...],
    version: int,
    journal_seq: int,
    journal_head: str,
    level: LevelState | None = None,
    rotation: RotationState | None = None,
    clock: PlayerClockState | None = None,
    time_up: Question | None = None,
    rebuys: tuple[Question, ...] = (),
    names: Mapping[str, str] = NO_NAMES,
    by_cards: Question | None = None,
    cards: tuple[CardsAt, ...] = (),
    won_with: tuple[HandMade, ...] = (),
) -> TableState:
    """The whole state; ``alerts`` are those of the last step, ``seats`` the places at the table."""
    state = None if book.table is None else book.table.state
    hand = None if state is None else state.hand
    now = phase(book)
    seated = book.seated
    placed = positions(book)
    acting = state.next_seat if state is not None and now in ("posting", "betting") else None
    least, most = (state.raise_range if state is not None and acting is not None else None) or (None, None)
    count = hand.pot_bet if hand is not None and acting is not None else None
    can_win = {} if hand is None or hand.hand_over else hand.can_win
    said = book.announced.text if book.announced is not None and now == "betting" else ""
    owed, based = debts(book, sensing), sensing.based
    straddles = open_straddles(state)
    posts = {} if state is None else state.posts
    held = frozenset() if state is None else frozenset(one.act.seat for one in state.held)
    return TableState(
        version=version,
        journal_seq=journal_seq,
        journal_head=journal_head,
        phase=now,
        hand_no=book.hand_no,
        game=game_name(book),
        limit="" if state is None else state.structure.limit.value,
        street=book.street,
        button=placed.button if placed else None,
        small_blind=placed.small_blind if placed else None,
        big_blind=placed.big_blind if placed else None,
        seats=tuple(
            seat_state(
                seat,
                state,
                name=name_of(seated.get(seat), names),
                on_felt=sensing.shown.get(f"seat-{seat}"),
                based=seat in based,
                hand_on_chips=seat in sensing.hands,
                owes=owed.get(seat, 0),
                change_due=book.change_due.get(seat, 0),
                can_win=can_win.get(seat),
                mucked=seat in sensing.cues.mucked,
                posts=posts.get(seat, ()),
                held=seat in held,
            )
            for seat in sorted({*seats, *(state.players if state else ())})
        ),
        to_act=acting,
        call=hand.to_call if hand is not None and acting is not None else None,
        min_raise_to=least,
        max_raise_to=most,
        may=tuple(sorted(str(kind) for kind in state.may)) if state is not None and acting is not None else (),
        why_no_raise=why_no_raise(state) if state is not None and acting is not None else "",
        pot_bet=most if count else None,
        pot_count=PotLimitCount(
            last_wager=count.last_wager,
            trail=count.trail,
            start=count.start,
            call=count.call,
            rounded=count.rounded,
            maximum=count.maximum,
        )
        if count
        else None,
        option=hand.option if hand is not None and acting is not None else False,
        substantial=state is not None and state.substantial,
        pot=hand.pot if hand is not None else 0,
        pots=_pots(hand.pots) if hand is not None else (),
        pots_now=_pots(hand.pots_now) if hand is not None else (),
        pulls=_pulls(hand, sensing) if hand is not None else (),
        won=_won(hand) if hand is not None else (),
        carried=hand.carried if hand is not None else state.carried if state is not None else 0,
        first_next=hand.first_next_street if hand is not None else None,
        **(run_out_view(state) if state is not None and now == "showdown" else {}),
        names_first=_names_first(hand),
        bring_in_due=hand is not None and hand.awaiting_bring_in,
        bring_in_tie=state.house.bring_in_tie if state and hand is not None and hand.awaiting_bring_in else None,
        straddles=tuple(StraddleView(seat=seat, kind=kind.value, least=least) for seat, kind, least in straddles),
        payouts=_payouts(state, sensing) if state is not None else (),
        house_money=dict(state.house_money) if state is not None else {},
        again=state is not None and state.may_be_redealt,
        closed={**closed_commands(book.table, straddles), **_closed_by_hold(book)},
        rulings=tuple(with_name(one, names) for one in book.rulings),
        questions=open_questions(book, sensing, time_up, rebuys, by_cards),
        keeps_cards="off" if state is None else state.house.cards,
        cards=cards,
        won_with=won_with,
        suggestions=suggestions(sensing),
        alerts=(*alerts, *felt_alerts(sensing), *sensors.alerts),
        sensors=sensors.states,
        announcement=said,
        dealer=name_of(book.dealer or None, names),
        level=level,
        player_clock=clock,
        hold=hold_state(book),
        hold_ended=book.hold_ended,
        rotation=rotation,
    )


def _closed_by_hold(book: Book) -> dict[str, str]:
    waits = refused(book, (NextHand(),))
    return {} if waits is None else dict.fromkeys((verb_of(NextHand), BOMB_POT), waits.sentence)


def _pots(pots: tuple[Pot, ...]) -> tuple[PotView, ...]:
    return tuple(PotView(amount=pot.amount, seats=pot.seats) for pot in pots)


def _pulls(hand: Hand, sensing: SensingState) -> tuple[PullView, ...]:
    done = ticks.pulls_done(hand, hand.pulls, sensing)
    return tuple(
        PullView(seat=pull.seat, amount=pull.amount, pot=pull.pot, done=taken)
        for pull, taken in zip(hand.pulls, done, strict=True)
    )


def _payouts(state: State, sensing: SensingState) -> tuple[PushView, ...]:
    plan = payout_plan(state)
    return tuple(
        PushView(to=push.to, pot=push.pot, amount=push.amount, done=pushed)
        for push, pushed in zip(plan, ticks.pushes_done(plan, sensing), strict=True)
    )


def _names_first(hand: Hand | None) -> bool:
    """Whether the next street needs its opener named: in stud, while two seats or more can bet (R-003)."""
    return (
        hand is not None
        and not hand.betting_over
        and hand.structure.opener_named
        and len(hand.in_hand - hand.all_in) > 1
    )


def _won(hand: Hand) -> tuple[PotView, ...]:
    """What went to a seat without an award, by pot: nobody else could win it (R-262); nothing once pots are awarded."""
    if hand.hand_over and len(hand.in_hand) > 1:
        return ()
    alone = sorted([payout for payout in hand.payouts if payout.kind is PayoutKind.POT], key=lambda one: one.pot or 0)
    return tuple(PotView(amount=payout.amount, seats=(payout.seat,)) for payout in alone)


def debts(book: Book, sensing: SensingState) -> dict[int, int]:
    """What seats must still put out, where a reader shows that they have not, or did so before a restart."""
    return {seat: amount for seat, amount in book.owes.items() if _is_read(sensing, seat)}


def _is_read(sensing: SensingState, seat: int) -> bool:
    """Whether a reader can tell what the seat puts out; right after a restart, whether one could before it."""
    if sensing.shown.get(zone_of(seat)) is not None:
        return True
    return seat in sensing.based and sensing.belief(seat).at_ns < 0


def prompts(book: Book, sensing: SensingState, seats: tuple[int, ...]) -> tuple[Prompt, ...]:
    """What each seat's display shows."""
    owed = debts(book, sensing)
    said = announcement(book, sensing)
    return tuple(_prompt(seat, book, said, owed.get(seat, 0), hand=seat in sensing.hands) for seat in seats)


def _prompt(seat: int, book: Book, said: Announced | None, owes: int, *, hand: bool) -> Prompt:
    active = said is not None and said.seat == seat
    turn = _told(book, said) if said is not None and active else None
    texts = (
        turn.text if turn is not None else said.text if said is not None and active else "",
        f"put in {owes} more" if owes else "",
        "hand on chips" if hand else "",
    )
    return Prompt(
        seat=seat,
        active=active,
        text="; ".join(text for text in texts if text),
        call=turn.call if turn is not None else None,
        min_raise_to=turn.min_raise_to if turn is not None else None,
        max_raise_to=turn.max_raise_to if turn is not None else None,
        owes=owes,
    )


def _told(book: Book, said: Announced) -> TurnView | None:
    """The turn as the house lets the player's own display show it; None while its pile is being counted."""
    turn = None if book.table is None or said.counting else turn_of(book.table.state)
    if book.table is None or turn is None:
        return None
    return turn_view(turn, Tells.to("player", book.table.state.house))


def view(
    audience: Audience, book: Book, sensing: SensingState, state: TableState, house: HouseRules, *, late: bool = False
) -> TableView:
    """The table as `audience` may see it; `house` are the rules while no hand has begun."""
    said = announcement(book, sensing)
    if said is None or book.table is None:
        return view_for(audience, state, house if book.table is None else book.table.state.house, late=late)
    turn: Turn | TurnView | None = turn_of(book.table.state)
    if said.counting and said.seat is not None:
        turn = TurnView(seat=said.seat, text=said.text)
    return view_for(audience, state, book.table.state.house, turn, late=late)
