"""An evening of twelve hands as a dealer means to deal it, and its books as they are kept by hand.

A table of five with blinds of 5 and 10, two levels, and a dealer's choice of hold'em and Omaha high-low: all twelve
hands are dealt at it. Nothing is read and nothing is seen: every act comes from the dealer.
"""

from dataclasses import dataclass
from itertools import pairwise

from betline.settings import FloorSettings, Level, Rotation, load_house_rules, load_table
from table_controller.session import Terms

GAMES = [
    {"name": "Hold'em", "limit": "no-limit", "blinds": [5, 10]},
    {"name": "Omaha hi-lo", "limit": "pot-limit", "blinds": [5, 10], "streets": "omaha"},
]
_HOME = load_table("home-six")
TABLE = _HOME.model_copy(
    update={
        "cameras": (),
        "floor": FloorSettings(people=("Ida", "Kim")),
        "starting_stack": 1000,
        "game": _HOME.game.model_copy(update={"limit": "no-limit", "blinds": (5, 10)}),
        "levels": (Level(minutes=20, blinds=(5, 10)), Level(minutes=20, blinds=(10, 20))),
        "rotation": Rotation.model_validate({"by": "choice", "games": GAMES}),
    }
)
HOUSE = {
    **TABLE.house.options,
    "buy_in": [2, 200],
    "missed_blinds": "big-live-small-dead",
    "new_player": "free",
    "run_it": 2,
    "straddle_positions": "utg",
}


def terms():
    return Terms(TABLE, load_house_rules(TABLE.house.profile, HOUSE))


class Books:
    """Stacks kept by hand: what each seat has put in and has won, nothing of it taken from the program."""

    def __init__(self):
        self.stacks = {}

    def buys(self, seat, amount):
        self.stacks[seat] = self.stacks.get(seat, 0) + amount

    def moves(self, seat, to):
        self.stacks[to] = self.stacks.pop(seat)

    def hand(self, put, won):
        """One hand: by seat what stayed in the pot, and what came out of it."""
        assert sum(put.values()) == sum(won.values())
        for seat, amount in put.items():
            self.stacks[seat] -= amount
        for seat, amount in won.items():
            self.stacks[seat] += amount


def pots_of(put, live):
    """Main pot and side pots of what the seats put in: one pot for each amount at which a live seat ends."""
    ends = sorted({0, *(put[seat] for seat in live)})
    pots = []
    for low, high in pairwise(ends):
        amount = sum(min(one, high) - min(one, low) for one in put.values())
        pots.append((amount, tuple(sorted(seat for seat in live if put[seat] >= high))))
    return pots


@dataclass(frozen=True)
class Played:
    """A hand is over: its number, what it was about, and what it took."""

    number: int
    about: str
    done: tuple[str, ...]


class Evening:
    """The twelve hands, dealt by one pair of hands."""

    def __init__(self, hands):
        self.hands, self.books = hands, Books()
        self.played = []

    async def deal(self):
        """All of it; after each hand stacks and pots are what the books say."""
        await self._seats()
        for number, (about, hand) in enumerate(self._hands, 1):
            self.hands.done.clear()
            await hand()
            self.played.append(Played(number, about, tuple(self.hands.done)))
            self._agree()
        assert self.hands.state.hand_no == 13  # the misdealt hand has a number of its own

    @property
    def _hands(self):
        return (
            ("a straddle", self._straddle),
            ("a string bet and a short all-in", self._short_all_in),
            ("a raise out of turn", self._out_of_turn),
            ("a dispute, an override, an undo", self._dispute),
            ("three side pots", self._side_pots),
            ("a rebuy", self._rebuy),
            ("run it twice", self._run_it_twice),
            ("a seat change", self._seat_change),
            ("a misdeal", self._misdeal),
            ("a level change", self._level_change),
            ("the blinds chop", self._chop),
            ("high and low", self._high_low),
        )

    def _agree(self):
        state = self.hands.state
        assert state.pot == 0
        assert {one.seat: one.stack for one in state.seats if one.status != "empty"} == self.books.stacks

    def _pots_are(self, put, live):
        assert [(pot.amount, pot.seats) for pot in self.hands.state.pots] == pots_of(put, live)

    # --- the hands

    async def _seats(self):
        """Four sit down with the starting stack, the fifth is short and gives its name."""
        await self.hands.sit(1, 4)
        await self.hands.of_the_seat(5, "S", "300 Eve")
        for seat in (1, 2, 3, 4):
            self.books.buys(seat, 1000)
        self.books.buys(5, 300)
        assert self.hands.state.seats[4].name == "Eve"

    async def _begins(self, button, blinds=(5, 10)):
        await self.hands.next_hand()
        state = self.hands.state
        posted = {one.seat: one.bet for one in state.seats if one.bet}
        assert (state.button, posted) == (button, dict(zip((state.small_blind, state.big_blind), blinds, strict=True)))

    async def _straddle(self):
        hands = self.hands
        await self._begins(1)
        await hands.straddle()
        assert hands.state.seats[3].straddle == 20
        await hands.deal()
        await hands.raise_to(70)
        for _ in (1, 2, 3):
            await hands.fold()
        await hands.call()
        await hands.deal()
        await hands.passive()
        await hands.raise_to(80)
        await hands.fold()
        self.books.hand(put={2: 5, 3: 10, 4: 70, 5: 70}, won={5: 155})

    async def _short_all_in(self):
        """Seat 5 is all-in for 85 more where a raise is 290: seat 1 may call and no more (TDA 47)."""
        hands = self.hands
        await self._begins(2)
        await hands.deal()
        await hands.says(5, "I call and raise 50")
        assert (hands.state.seats[4].bet, hands.state.min_raise_to) == (10, 20)
        await hands.raise_to(300)
        await hands.fold()
        await hands.fold()
        await hands.call()
        await hands.all_in()
        assert (hands.state.to_act, hands.state.call, hands.state.max_raise_to) == (1, 85, None)
        assert "Seat 1 may not bet or raise" in await hands.refused("raise")
        await hands.call()
        await hands.call()
        await hands.deal()
        await hands.checks_down()
        self._pots_are({1: 385, 3: 5, 4: 385, 5: 385}, live=(1, 4, 5))
        await hands.award("5")
        self.books.hand(put={1: 385, 3: 5, 4: 385, 5: 385}, won={5: 1160})

    async def _out_of_turn(self):
        """The call of seat 1 changes nothing for seat 2, whose raise out of turn stands (TDA 53-A)."""
        hands = self.hands
        await self._begins(3)
        await hands.deal()
        await hands.says(2, "raise to 60")
        assert (hands.state.to_act, hands.state.pot) == (1, 15)
        await hands.call()
        assert (hands.state.to_act, hands.state.seats[1].bet) == (3, 60)
        await hands.fold()
        await hands.fold()
        await hands.call()
        await hands.fold()
        await hands.deal()
        await hands.passive()
        await hands.raise_to(100)
        await hands.fold()
        self.books.hand(put={1: 10, 4: 5, 5: 60, 2: 60}, won={2: 135})

    async def _dispute(self):
        """Two act past seat 2: the floor lets it act. Then a call was a raise, and a fold was keyed for a call."""
        hands = self.hands
        await self._begins(4)
        await hands.deal()
        await hands.says(3, "raise to 60")
        await hands.says(4, "call")
        assert [one.kind for one in hands.state.questions] == ["floor"]
        await hands.floor_decides(hands.state.questions[0].choices.index("live") + 1)
        assert (hands.state.questions, hands.state.to_act) == ((), 2)
        await hands.fold()
        assert (hands.state.to_act, hands.state.call) == (5, 55)
        await hands.call()
        await hands.floor_rules_otherwise(act=1, ruling=4, to=200, by=2, why=1)
        assert hands.state.seats[4].bet == 200
        await hands.fold()
        assert "seat 1 folds" in (await hands.undo()).lower()
        assert "seat 1 folds" in (await hands.redo()).lower()
        await hands.undo()
        await hands.call()
        await hands.fold()
        await hands.fold()
        await hands.deal()
        await hands.raise_to(100)
        await hands.call()
        await hands.deal()
        await hands.checks_down()
        await hands.award("1")
        self.books.hand(put={1: 300, 3: 60, 4: 60, 5: 300}, won={1: 720})

    async def _side_pots(self):
        hands = self.hands
        await self._begins(5)
        await hands.deal()
        for _ in (3, 4, 5, 1):
            await hands.all_in()
        await hands.call()
        put = {1: 1025, 2: 1025, 3: 925, 4: 480, 5: 800}
        self._pots_are(put, live=(1, 2, 3, 4, 5))
        assert len(hands.state.pots) == 4
        await hands.streets(3)
        await hands.award("4", "5", "3", "2")
        self.books.hand(put, won={4: 2400, 5: 1280, 3: 375, 2: 200})

    async def _rebuy(self):
        """Nothing is left in front of seat 1: the next hand waits for what it does."""
        hands = self.hands
        assert [(one.kind, one.seat) for one in hands.state.questions] == [("rebuy", 1)]
        await hands.obeyed("answer-1")
        self.books.buys(1, 1000)
        await self._begins(1)
        await hands.deal()
        await hands.raise_to(40)
        await hands.fold()
        await hands.call()
        await hands.fold()
        await hands.fold()
        await hands.deal()
        await hands.passive()
        await hands.raise_to(50)
        await hands.fold()
        self.books.hand(put={1: 40, 2: 5, 3: 10, 4: 40}, won={1: 95})

    async def _run_it_twice(self):
        hands = self.hands
        await self._begins(2)
        await hands.deal()
        await hands.raise_to(30)
        await hands.fold()
        await hands.call()
        await hands.call()
        await hands.fold()
        await hands.deal()
        await hands.passive()
        await hands.passive()
        await hands.all_in()
        await hands.fold()
        await hands.call()
        await hands.of_the_table("I", "2")
        await hands.streets(4)
        put = {2: 240, 3: 30, 4: 10, 5: 240}
        self._pots_are(put, live=(2, 5))
        await hands.award("5", "2")
        self.books.hand(put, won={2: 260, 5: 260})

    async def _seat_change(self):
        hands = self.hands
        await hands.of_the_seat(1, "X", "6")
        self.books.moves(1, 6)
        await self._begins(3)
        await hands.deal()
        await hands.raise_to(40)
        await hands.rest_folds()
        self.books.hand(put={4: 5, 5: 10, 6: 10}, won={6: 25})

    async def _misdeal(self):
        """The button and the blinds of the hand that was dealt wrong stand again."""
        hands = self.hands
        await self._begins(4)
        await hands.deal()
        await hands.of_the_table("X", sure=True)
        assert (hands.state.pot, hands.state.again) == (15, True)
        await self._begins(4)
        await hands.deal()
        await hands.rest_folds()
        self.books.hand(put={5: 5, 6: 5}, won={6: 10})

    async def _level_change(self):
        hands = self.hands
        await hands.of_the_table("L", "next")
        await self._begins(5, blinds=(10, 20))
        await hands.deal()
        await hands.raise_to(60)
        await hands.rest_folds()
        self.books.hand(put={6: 10, 2: 20, 3: 20}, won={3: 50})

    async def _chop(self):
        hands = self.hands
        await self._begins(6, blinds=(10, 20))
        await hands.deal()
        for _ in (4, 5, 6):
            await hands.fold()
        assert "chopped" in await hands.of_the_table("C", sure=True)
        self.books.hand(put={2: 0, 3: 0}, won={})

    async def _high_low(self):
        """Half for the high hand of seat 5, half for the low hands of 3 and 6."""
        hands = self.hands
        await hands.of_the_table("2")
        await self._begins(2, blinds=(10, 20))
        assert "Omaha" in hands.state.game
        await hands.deal()
        await hands.call()
        await hands.call()
        await hands.fold()
        await hands.call()
        await hands.passive()
        await hands.deal()
        await hands.raise_to(80)
        await hands.fold()
        await hands.call()
        await hands.call()
        await hands.deal()
        await hands.checks_down()
        put = {3: 100, 4: 20, 5: 100, 6: 100}
        self._pots_are(put, live=(3, 5, 6))
        await hands.award("5/36")
        self.books.hand(put, won={5: 160, 3: 80, 6: 80})
