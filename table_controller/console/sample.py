"""A table in the middle of a pot-limit hand, for the picture of the console."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Any, Literal

from betline.messages.cards import CardsAt, CardsView
from betline.messages.recall import RecalledAct, RecalledHand, SeatThen, TableThen
from betline.messages.table import Alert, PotLimitCount, PotView, Question, Ruling, SeatState, SensorState, TableState
from betline.settings import TableSettings


def sample_state(table: TableSettings) -> TableState:
    """Pot-limit Omaha on the flop: 520 lay there, 3 bet 120, 4 potted it, 6 is all-in; seat 7 thinks (R-150)."""
    sensors = [SensorState(name=reader.id, state="online") for reader in table.readers]
    sensors[4] = SensorState(name=sensors[4].name, state="stale", detail="silent for 2 s")
    sensors += [SensorState(name=camera.id, state="online", detail="30 frames a second") for camera in table.cameras]
    return TableState(
        version=871, journal_seq=5120, journal_head="9f", phase="betting", hand_no=214, game="Pot-limit Omaha 5/10",
        street="flop", button=2, small_blind=3, big_blind=4,
        seats=(
            SeatState(seat=1, name="Marguerite", stack=2_340, status="folded", on_felt=0),
            SeatState(seat=2, name="Joon", stack=1_115, status="folded", on_felt=0),
            SeatState(seat=3, name="Ahmed", stack=4_080, bet=120, status="in", on_felt=120, can_win=880),
            SeatState(seat=4, name="Beatrix", stack=3_120, bet=880, status="in", on_felt=1_000, change_due=120,
                      can_win=2_165),
            SeatState(seat=5, name="Old Tom", stack=905, status="folded"),
            SeatState(seat=6, name="Priya", stack=0, bet=645, status="all-in", on_felt=645, can_win=1_930),
            SeatState(seat=7, name="Lindqvist", stack=6_890, status="in", on_felt=0, can_win=520),
            SeatState(seat=8, stack=0, status="empty"),
            SeatState(seat=9, name="Sal", stack=1_760, status="out"),
            SeatState(seat=10, name="Nadia", stack=0, status="all-in", on_felt=0, can_win=400),
        ),
        to_act=7, call=880, min_raise_to=1_640, max_raise_to=3_925, may=("call", "raise", "fold"), pot_bet=3_925,
        pot_count=PotLimitCount(last_wager=880, trail=765, start=520, call=880, maximum=3_925),
        pot=2_165, pots=(PotView(amount=400, seats=(3, 4, 6, 7, 10)), PotView(amount=120, seats=(3, 4, 6, 7))),
        pots_now=(PotView(amount=400, seats=(3, 4, 6, 7, 10)), PotView(amount=1_530, seats=(3, 4, 6, 7)),
                  PotView(amount=235, seats=(3, 4, 7))),
        first_next=3,
        rulings=(
            _ruling("preflop", act_no=8, seat=7, ruling="call", to=110, adds=110, source="chips",
                    sentence="Seat 7 calls 110.", cites=("R-050",)),
            _ruling("flop", act_no=9, seat=3, ruling="bet", to=120, adds=120, source="chips",
                    sentence="Seat 3 bets 120.", cites=("R-080",)),
            _ruling("flop", act_no=10, seat=4, ruling="raise", to=880, adds=880, returned=120, source="words",
                    sentence="Seat 4 said “pot” and put in 1,000: the pot bet is 880, so 120 goes back.",
                    cites=("R-152", "TDA-54")),
            _ruling("flop", act_no=11, seat=5, ruling="fold", source="inferred",
                    sentence="Seat 5's cards went into the muck.", cites=("R-039",)),
            _ruling("flop", act_no=12, seat=6, ruling="call", to=645, adds=645, all_in=True, source="chips",
                    sentence="Seat 6 is all-in for 645, a call for less than the 880.", cites=("R-087",)),
        ),
        questions=(
            Question(id="q1", seat=7, kind="protector", sentence="is the chip on the cards a card protector?",
                     choices=("protector", "bet")),
        ),
        alerts=(Alert(severity="warning", code="reader-down", sentence="reader-5 is silent: key seat 5's amounts."),),
        sensors=tuple(sensors),
        announcement="Seat 7: call 880, minimum raise to 1,640, maximum 3,925, the pot",
    )  # fmt: skip


def sample_showdown(table: TableSettings) -> tuple[TableState, CardsView]:
    """The same hand when all are all-in: the board lies there, and one hand after the other is shown."""
    question = Question(
        id="cards-214", seat=None, kind="award", sentence="Award the pots as the cards say?", choices=("award",)
    )  # fmt: skip
    all_in = tuple(
        seat.model_copy(update={"status": "all-in", "bet": 0, "stack": 0}) if seat.seat in (3, 4) else
        seat.model_copy(update={"status": "empty" if seat.status == "empty" else "folded", "bet": 0})
        for seat in sample_state(table).seats
    )  # fmt: skip
    state = sample_state(table).model_copy(
        update={
            "phase": "showdown", "street": "river", "to_act": None, "call": None, "min_raise_to": None,
            "max_raise_to": None, "pot_bet": None, "pot_count": None, "may": (), "pot": 3_560, "seats": all_in,
            "pots": (PotView(amount=3_560, seats=(3, 4)),), "pots_now": (PotView(amount=3_560, seats=(3, 4)),),
            "rulings": (), "questions": (question,), "alerts": (), "announcement": "", "keeps_cards": "board-and-shown",
        }
    )  # fmt: skip
    board = (("flop", "AsKd7c"), ("turn", "2c"), ("river", "2h"))
    places = tuple(CardsAt(seat=None, street=street, cards=cards) for street, cards in board)
    hands = (CardsAt(seat=3, street="", cards="AhJc9s9d"), CardsAt(seat=4, street="", cards="QsQcTs4h"))
    view = CardsView(
        hand_no=214, places=(*places, *hands), may_show=(3, 4), hole_cards=4,
        proposal=("Seat 3: two pair, aces and nines",), question="cards-214",
    )  # fmt: skip
    return state, view


_PLAYERS = ((1, "Marguerite", 2_340), (3, "Ahmed", 4_200), (4, "Beatrix", 3_400), (7, "Lindqvist", 7_000))


def sample_hands() -> tuple[RecalledHand, ...]:
    """Two hands before it: one that was folded round, one with a bet and a fold on the flop."""
    folded = (
        _step(4901, "20:08:11", "Seat 7 folds.", "keyed", street="preflop", pot=15, to_act=1),
        _step(4902, "20:08:19", "Seat 1 folds.", "inferred", street="preflop", pot=15, to_act=3),
    )
    bet = (
        _step(5004, "20:11:40", "Seat 3 bets 60. [TDA-43] (chips: seat 3)", "chips", bets={3: 60}, pot=120, to_act=4),
        _step(5005, "20:11:52", "Seat 4 raises to 180. [TDA-43] (chips: seat 4)", "chips", bets={3: 60, 4: 180},
              pot=300, to_act=3, pictures=("c-7141",)),
        _step(5006, "20:12:03", "Seat 3 folds. (keyed: F)", "keyed", bets={3: 60, 4: 180}, pot=300, folded=(3,)),
    )  # fmt: skip
    return (
        RecalledHand(hand=212, began="2026-11-23 20:07:50.000", button=10, seats={}, pot=15, winners={"3": 15},
                     acts=folded),
        RecalledHand(hand=213, began="2026-11-23 20:11:02.000", button=1, seats={}, pot=300, winners={"4": 300},
                     acts=bet),
    )  # fmt: skip


def _step(
    seq: int,
    at: str,
    text: str,
    source: Literal["chips", "keyed", "inferred"],
    *,
    pot: int,
    to_act: int | None = None,
    street: str = "flop",
    bets: Mapping[int, int] = MappingProxyType({}),
    folded: tuple[int, ...] = (),
    pictures: tuple[str, ...] = (),
) -> RecalledAct:
    seats = tuple(
        SeatThen(
            seat=seat, name=name, stack=stack - bets.get(seat, 0), bet=bets.get(seat, 0),
            status="folded" if seat in folded else "in",
        )
        for seat, name, stack in _PLAYERS
    )  # fmt: skip
    table = TableThen(
        phase="betting", game="Pot-limit Omaha 5/10", street=street, button=1, small_blind=3, big_blind=4, seats=seats,
        to_act=to_act, pot=pot,
    )  # fmt: skip
    return RecalledAct(seq=seq, at=f"2026-11-23 {at}.000", text=text, source=source, table=table, pictures=pictures)


def _ruling(street: str, **fields: Any) -> Ruling:
    return Ruling(hand_no=214, street=street, **fields)
