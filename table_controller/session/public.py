"""What the books look like from outside: the public state, the announcement, the prompts, and the view for sensing."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict
from typing import Literal

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
from betline.steps import NextHand
from table_controller.announce import phrases
from table_controller.announce.turn import turn_of, why_no_raise
from table_controller.betting import Hand, PayoutKind, Pot
from table_controller.journal.entries import Announced
from table_controller.positions import Positions, StraddleKind
from table_controller.rulings.values.payouts import payout_plan
from table_controller.rulings.values.state import State
from table_controller.sensing.observations import Alert as Raised
from table_controller.sensing.setup import zone_of
from table_controller.sensing.state import SensingState
from table_controller.sensing.view import HandView, Phase, SeatBook
from table_controller.session import ticks
from table_controller.session.book import AS_RECORDED, AS_TODAY, RULES_CHANGED, Book
from table_controller.session.certain import certain
from table_controller.session.closed import Straddles, closed_commands, open_straddles
from table_controller.session.guide import run_out_view
from table_controller.session.history import steps_since_fold
from table_controller.session.people import NO_NAMES, name_of, with_name
from table_controller.session.seats import seat_state
from table_controller.session.sensors import Sensors
from table_controller.session.suggestions import suggestions

LIMIT_NAMES = {
    "no-limit": "No-limit",
    "pot-limit": "Pot-limit",
    "fixed-limit": "Fixed-limit",
    "spread-limit": "Spread-limit",
}
GAME_NAMES = {"holdem": "hold'em", "omaha": "Omaha", "stud": "stud", "draw": "draw", "triple-draw": "triple draw"}

_BOARD: Mapping[str, int] = {"flop": 3, "turn": 4, "river": 5}
"""How many cards the board has on a street."""
OF_SENSORS = frozenset({"reader-stale", "camera-stale"})
"""What sensing says of silent sensors; alerts name them by sensor, once (`Sensors`)."""
OF_THE_BRIDGE = frozenset({"unknown-chip", "retired-chip", "hot-chip", "cloned-chip"})
"""What the bridge says of chips on the bus itself, with their names; here it only stands in the state."""
_SEVERITY: Mapping[str, Literal["info", "warning", "error"]] = {
    "clear-zone": "info",
    "unknown-chip": "error",
    "hot-chip": "error",
    "cloned-chip": "error",
    "foreign-chip": "error",
}


def phase(book: Book) -> Phase:
    """Where the hand is."""
    hand = None if book.table is None else book.table.state.hand
    if book.table is None or hand is None:
        return "idle"
    if hand.hand_over:
        return "hand-over"
    if not book.cards_out:
        return "posting"
    if book.table.state.next_seat is not None or not hand.round_over:
        return "betting"
    return "showdown" if hand.betting_over else "round-over"


def positions(book: Book) -> Positions | None:
    """Button and blinds of the hand, or of the last one between two."""
    if book.table is None:
        return None
    return book.table.state.placed or book.table.state.last


def game_name(book: Book) -> str:
    """The game for people: `Pot-limit Omaha 1/2`."""
    if book.table is None:
        return ""
    game = book.table.state.game
    stakes = game.bets[:1] + game.bets[-1:] if game.bets else game.blinds
    return f"{LIMIT_NAMES[game.limit]} {GAME_NAMES[game.streets]} {'/'.join(map(str, stakes))}".rstrip()


def may_be_straddled(book: Book) -> bool:
    """Whether nobody has acted yet, so that chips before the cards may still be a straddle."""
    hand = None if book.table is None else book.table.state.hand
    return hand is not None and not hand.hand_over and not hand.acts


def floor_question(book: Book) -> Question | None:
    """What the floor must decide, with the rulings it may choose from."""
    floor = None if book.table is None else book.table.state.floor
    if floor is None:
        return None
    return Question(
        id=f"floor-{book.hand_no}-{book.act_no}",
        seat=floor.seat,
        kind="floor",
        sentence=f"Floor: seat {floor.seat}, {floor.verdict.why}.",
        choices=floor.verdict.offers,
    )


def questions(
    book: Book, sensing: SensingState, time_up: Question | None = None, rebuys: tuple[Question, ...] = ()
) -> tuple[Question, ...]:  # fmt: skip
    """All that only a person can say; ``time_up`` is asked of the player's clock, after what the felt asks.

    ``rebuys`` are asked between two hands.
    """
    found = [] if (floor := floor_question(book)) is None else [floor]
    if book.rules_question is not None:
        rules = book.rules_question
        found.append(
            Question(
                id=rules.id, seat=rules.seat, kind=RULES_CHANGED, sentence=rules.sentence,
                choices=(AS_RECORDED, AS_TODAY),
            )
        )  # fmt: skip
    if book.which_first is not None:
        asked = book.which_first
        found.append(
            Question(
                id=asked.id, seat=asked.seat, kind="which-first", sentence=asked.sentence,
                choices=("says", "chips", "both"),
            )
        )  # fmt: skip
    if book.doubt is not None:
        doubt = book.doubt
        found.append(
            Question(
                id=doubt.id, seat=doubt.seat, kind=doubt.question, sentence=doubt.sentence, choices=doubt.choices
            )
        )  # fmt: skip
    for raised in book.blind_raises if may_be_straddled(book) else ():
        sentence = f"Seat {raised.seat} put out {raised.to} before the cards: what is it?"
        found.append(
            Question(id=raised.id, seat=raised.seat, kind="straddle", sentence=sentence, choices=raised.choices)
        )
    for one in sensing.questions.values():
        seat = one.seats[0] if one.seats else None
        found.append(Question(id=one.id, seat=seat, kind=one.kind, sentence=one.sentence, choices=one.choices))
    return (*found, *([] if time_up is None else [time_up]), *rebuys)


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
) -> TableState:
    """The full public state; ``alerts`` are those of the last step, ``seats`` the places at the table."""
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
    return TableState(
        version=version,
        journal_seq=journal_seq,
        journal_head=journal_head,
        phase=now,
        hand_no=book.hand_no,
        game=game_name(book),
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
        closed=closed_commands(book.table, straddles),
        rulings=tuple(with_name(one, names) for one in book.rulings),
        questions=questions(book, sensing, time_up, rebuys),
        suggestions=suggestions(sensing),
        alerts=(*alerts, *felt_alerts(sensing), *sensors.alerts),
        sensors=sensors.states,
        announcement=said,
        dealer=name_of(book.dealer or None, names),
        level=level,
        player_clock=clock,
        rotation=rotation,
    )


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
    found = []
    for seat in seats:
        active = said is not None and said.seat == seat
        text = _displayed(book, said) if said is not None and active else ""
        if owes := owed.get(seat):
            text = f"{text}; put in {owes} more".removeprefix("; ")
        if seat in sensing.hands:
            text = f"{text}; hand on chips".removeprefix("; ")
        found.append(Prompt(seat=seat, active=active, text=text))
    return tuple(found)


def _displayed(book: Book, said: Announced) -> str:
    """The announcement as the house lets a player's display show it (R-247, R-290)."""
    turn = None if book.table is None or said.counting else turn_of(book.table.state)
    if book.table is None or turn is None:
        return said.text
    house = book.table.state.house
    shows = phrases.Shows(
        stacks=house.stack_display == "public" or (house.stack_display == "facing-all-in" and turn.facing_all_in),
        all_ins=house.announce_all_in == "always",
    )
    return phrases.displayed(turn, shows)


def hand_view(book: Book) -> HandView:
    """The table as sensing must know it."""
    state = None if book.table is None else book.table.state
    if state is None:
        return HandView()
    hand = state.hand
    now = phase(book)
    acting = hand.next_seat if hand is not None and now in ("posting", "betting") else None
    straddles = open_straddles(state) if now in ("posting", "betting") and may_be_straddled(book) else ()
    pot = (hand.carried if hand.hand_over else hand.pot) if hand is not None else state.carried
    coming = _next_hand(book) if now == "hand-over" else None
    return HandView(
        phase=now,
        hand_no=book.hand_no,
        street=book.street,
        to_act=acting,
        order=_order(hand, acting) if hand is not None and acting is not None else (),
        seats=tuple(_seat_book(seat, book, state, hand, straddles) for seat in sorted(state.players)),
        implied_passive=state.house.implied_passive,
        hold=book.doubt is not None,
        level=hand.level if hand is not None else 0,
        pot=pot,
        in_play=sum(state.stacks.values()) + pot,
        back=_paid(hand, PayoutKind.UNCALLED),
        won=_paid(hand, PayoutKind.POT),
        taken=sum(taking.rake + taking.kitty for taking in state.takings) if now == "hand-over" else 0,
        contested=tuple(frozenset(one.seats) for one in hand.pots if one.amount and one.seats)
        if hand is not None and now == "showdown" and state.runs is None
        else (),
        board_now=_BOARD.get(book.street, 0),
        board_next=_board_next(hand) if state.runs is None else 0,
        next_seats=frozenset(coming.in_hand) if coming is not None else frozenset(),
        next_posts={seat: bet for seat in coming.seats if (bet := coming.bet(seat))} if coming is not None else {},
        next_dead=coming.pot - coming.carried - sum(map(coming.bet, coming.seats)) if coming is not None else 0,
    )


def _board_next(hand: Hand | None) -> int:
    """How many cards the board has on the next street; 0 where none comes."""
    if hand is None or hand.hand_over:
        return 0
    streets = hand.structure.streets
    following = streets[streets.index(hand.street) + 1 :]
    return _BOARD.get(following[0], 0) if following else 0


def _next_hand(book: Book) -> Hand | None:
    """The hand that would begin now as the last one did; None where none can."""
    if book.table is None or book.table.state.may_be_redealt or not book.table.state.players:
        return None
    outcome = book.table.apply(NextHand())
    return None if outcome.error is not None else outcome.table.state.hand


def _paid(hand: Hand | None, kind: PayoutKind) -> dict[int, int]:
    """By seat what has gone to it from the middle for that reason."""
    paid: dict[int, int] = {}
    for payout in hand.payouts if hand is not None else ():
        if payout.kind is kind:
            paid[payout.seat] = paid.get(payout.seat, 0) + payout.amount
    return paid


def _order(hand: Hand, acting: int) -> tuple[int, ...]:
    """The seats that can still act, in turn."""
    place = hand.seats.index(acting)
    can = hand.in_hand - hand.all_in
    return tuple(seat for seat in (*hand.seats[place:], *hand.seats[:place]) if seat in can)


def _seat_book(seat: int, book: Book, state: State, hand: Hand | None, straddles: Straddles) -> SeatBook:
    dealt_in = hand is not None and seat in hand.seats
    return SeatBook(
        seat,
        hand.bet(seat) if hand is not None and dealt_in else 0,
        book.owes.get(seat, 0),
        book.change_due.get(seat, 0),
        state.stacks.get(seat, 0),
        hand is not None and seat in hand.in_hand,
        dealt_in and hand is not None and seat in hand.has_acted,
        book.keyed.get(seat),
        hand is not None and seat in hand.all_in,
        hand.starting_stacks[seat] - hand.stack(seat) if hand is not None and dealt_in else 0,
        min([least for one, kind, least in straddles if one == seat and kind is not StraddleKind.SLEEPER], default=0),
        any(one.seat == seat for one in book.blind_raises),
        steps_since_fold(book, seat),
    )
