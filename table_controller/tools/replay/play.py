"""A history acted out on the engine, action by action: the streets that its cards begin, and the acts between them."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from betline.phh import (
    BetRaise,
    BringIn,
    CheckCall,
    DealBoard,
    DealHole,
    Fold,
    HandHistory,
    PhhAction,
    ShowMuck,
    StandDiscard,
)
from table_controller.betting import Action, ActionKind, Hand, Illegal, Limit
from table_controller.tools.replay.cards import Cards, Disagreement, is_known
from table_controller.tools.replay.games import GAMES, OPTIONS, posts_of, structure_of

_ACTS = (Fold, CheckCall, BringIn, BetRaise)


@dataclass(frozen=True, slots=True)
class Played:
    """A history at its last action: the hand, its cards, and what does not fit but did not stop the play."""

    hand: Hand
    cards: Cards
    doubts: tuple[str, ...]


def play(history: HandHistory) -> Played:
    """Act out a whole history. Raises Disagreement with a sentence for what cannot be."""
    player = _Player(history)
    for number, action in enumerate(history.actions):
        place = f"Action {number + 1} ({history.notation(action)})"
        try:
            player.take(number, action)
        except Illegal as refusal:
            sized = history.scale > 1 and isinstance(action, BetRaise)
            unit = f" Amounts are in units of {history.in_file_unit(1)}." if sized else ""
            raise Disagreement(f"{place} is refused: {refusal.sentence}{unit}") from None
        except Disagreement as problem:
            raise Disagreement(f"{place} cannot be: {problem}.") from None
    waits_for = player.waits_for()
    if waits_for is not None:
        raise Disagreement(f"The file ends before its hand does: {waits_for}.")
    return Played(player.hand, player.cards, tuple(player.doubts))


class _Player:
    """Takes the actions of one history."""

    def __init__(self, history: HandHistory) -> None:
        self.history = history
        self.game = GAMES[history.variant]
        stacks = dict(enumerate(history.starting_stacks, 1))
        self.hand = Hand.start(structure_of(history), OPTIONS, stacks, history.button, posts_of(history))
        self.cards = Cards(dict.fromkeys(stacks, ()))
        self.doubts: list[str] = []
        self.street = 0
        self.acted = False
        """Somebody has acted on this street: its cards are all out."""
        self.dealt = dict.fromkeys(stacks, 0)
        """Hole cards of this street."""
        self.shared = False
        """Stud: the card of this street is on the board, because the deck was too short for one each."""
        self.to_draw: set[int] = set()

    def take(self, number: int, action: PhhAction) -> None:
        """Raises Illegal for what the engine refuses, Disagreement for what the cards or the format do not allow."""
        match action:
            case DealHole(player, cards):
                self.deal_hole(number, player, cards)
            case DealBoard(cards):
                self.deal_board(number, cards)
            case StandDiscard(player, cards) if self.game.draws:
                self.discard(number, player, cards)
            case BringIn(player) if self.game.stud:
                self.bring_in(player)
            case Fold(player):
                self.act(player, ActionKind.FOLD)
            case CheckCall(player):
                self.act(player, ActionKind.CALL if self.hand.to_call else ActionKind.CHECK)
            case BetRaise(player, to):
                self.wager(player, to)
            case ShowMuck(player, cards):
                self.show(number, player, cards)
            case _:
                raise Disagreement(f"it does not belong to {self.history.variant}")

    # cards

    def deal_hole(self, number: int, player: int, cards: tuple[str, ...]) -> None:
        """Hole cards; in stud they begin a street where the one before is over."""
        if self.game.stud and (self.acted or self.shared or self.dealt[player] + len(cards) > self.due()):
            self.next_street(number)
        if player in self.hand.folded:
            raise Disagreement(f"player {player} has folded")
        held = len(self.cards.hole[player])
        if self.game.draws and self.street:
            room = self.game.hole[self.street] - held
            if player in self.to_draw:
                raise Disagreement(f"player {player} has not discarded")
        else:
            room = self.due() - self.dealt[player]
        if len(cards) > room:
            raise Disagreement(f"player {player} has {held} cards and is owed {room} on this street, not {len(cards)}")
        self.doubt_twice(number, cards)
        self.cards = self.cards.dealt(player, cards)
        self.dealt[player] += len(cards)

    def due(self) -> int:
        """Hole cards that each player is dealt on this street."""
        before = self.game.hole[self.street - 1] if self.street else 0
        return self.game.hole[self.street] - before

    def deal_board(self, number: int, cards: tuple[str, ...]) -> None:
        """Board cards begin a street where the one before has all of its own; in stud one card serves all."""
        if self.game.stud:
            if self.acted or self.shared or any(self.dealt.values()):
                self.next_street(number)
            if not self.street or len(cards) != 1:
                raise Disagreement("a street of stud has one card for each player, or one on the board for all")
            self.shared = True
        elif not self.game.board[-1]:
            raise Disagreement(f"{self.history.variant} has no board")
        else:
            if len(self.cards.board) == self.game.board[self.street]:
                self.next_street(number)
            if len(self.cards.board) + len(cards) > self.game.board[self.street]:
                many = len(self.cards.board) + len(cards)
                raise Disagreement(f"a board of {many} cards is no {self.hand.street}")
        self.doubt_twice(number, cards)
        self.cards = self.cards.boarded(cards)

    def discard(self, number: int, player: int, cards: tuple[str, ...]) -> None:
        """A player draws, or stands pat; the first to do so begins the street."""
        if not self.to_draw:
            self.next_street(number)
        if player not in self.to_draw:
            why = "has folded" if player in self.hand.folded else "has drawn already"
            raise Disagreement(f"player {player} {why}")
        self.cards = self.cards.discarded(player, cards, self.game.hole[self.street])
        self.to_draw.discard(player)

    def show(self, number: int, player: int, cards: tuple[str, ...] | None) -> None:
        """A player shows, or mucks: then its hand is out."""
        self.pass_bring_in()
        if not (self.hand.betting_over or self.hand.hand_over):
            raise Disagreement(
                f"player {self.hand.next_seat} is to act" if self.hand.next_seat else "streets are missing"
            )
        if cards == ():
            if not self.hand.hand_over:
                self.hand = self.hand.fold(player)
            return
        if cards is None:
            return
        strange = self.cards.not_dealt(player, cards)
        if strange:
            self.doubts.append(f"action {number + 1} shows {' '.join(strange)}, which player {player} was not dealt")
        others = [p for p in self.hand.in_hand if p != player]
        self.doubt_twice(number, cards, others)
        self.cards = self.cards.shown(player, cards, self.game.hole[self.street] - self.shared_cards())

    def shared_cards(self) -> int:
        """Stud: board cards that stand for hole cards."""
        return len(self.cards.board) if self.game.stud else 0

    def doubt_twice(self, number: int, cards: tuple[str, ...], players: list[int] | None = None) -> None:
        """A card that is out already; in draw games folded hands and discards may be dealt again."""
        if players is None:
            players = list(self.hand.in_hand if self.game.draws else self.cards.hole)
        twice = self.cards.out_already(cards, players)
        if twice:
            self.doubts.append(f"action {number + 1} has {' '.join(twice)}, which is out already")

    # streets

    def next_street(self, number: int) -> None:
        """The round is gathered and the next street begins with the action of this number."""
        self.pass_bring_in()
        if self.street + 1 == len(self.game.streets):
            raise Disagreement(f"the {self.hand.street} is the last street")
        first = None
        if self.game.stud:
            first = next((action.player for action in self.history.actions[number:] if isinstance(action, _ACTS)), None)
            if first is None and len(self.hand.in_hand - self.hand.all_in) > 1:
                raise Disagreement("nobody acts on the street that it begins")
        following = self.game.streets[self.street + 1]
        self.hand = self.hand.deal(following, first, doubled=self.open_pair(number))
        self.street += 1
        self.acted = False
        self.shared = False
        self.dealt = dict.fromkeys(self.dealt, 0)
        self.to_draw = set(self.hand.in_hand) if self.game.draws else set()

    def open_pair(self, number: int) -> bool:
        """The fourth street of seven-card stud high that begins here brings an open pair (R-130)."""
        if self.history.variant != "F7S" or self.street:
            return False
        for player, card in self.street_cards(number):
            door = self.cards.hole[player][2:]
            if player in self.hand.in_hand and door and is_known(card) and card[0] == door[0][0]:
                return True
        return False

    def street_cards(self, number: int) -> Iterator[tuple[int, str]]:
        """The single cards that are dealt to players from this action on, until somebody acts."""
        for action in self.history.actions[number:]:
            if isinstance(action, _ACTS):
                return
            if isinstance(action, DealHole) and len(action.cards) == 1:
                yield action.player, action.cards[0]

    # acts

    def bring_in(self, player: int) -> None:
        """The player that the file names brings it in: the dealer at the table named it (R-202)."""
        if not self.hand.awaiting_bring_in:
            raise Disagreement("there is no bring-in to post here")
        self.hand = self.hand.bring_in(player)
        self.acted = True

    def pass_bring_in(self) -> None:
        """Where antes put all but one all-in, nobody is left to bring it in against: it falls to an empty stack."""
        if self.hand.awaiting_bring_in and len(self.hand.in_hand - self.hand.all_in) < 2:
            self.hand = self.hand.bring_in(min(self.hand.all_in))

    def act(self, player: int, kind: ActionKind) -> None:
        """Fold, check or call; a check against players who are all all-in changes nothing."""
        self.check_cards()
        alone = self.hand.in_hand - self.hand.all_in == {player} and player not in self.hand.has_acted
        if kind is ActionKind.CHECK and alone and self.hand.betting_over and not self.hand.hand_over:
            return
        self.hand = self.hand.act(Action(kind), player)
        self.acted = True

    def wager(self, player: int, to: int) -> None:
        """Bet, raise or complete; whom the bring-in falls to may open for more immediately (R-202)."""
        self.check_cards()
        hand = self.hand
        if hand.awaiting_bring_in:
            hand = hand.bring_in(player)
            if to == hand.bet(player):
                self.hand, self.acted = hand, True
                return
        # Houses differ in whether an all-in of less than half a bet is completed or raised by a full bet.
        everything = hand.bet(player) + hand.stack(player)
        stood = (
            self.game.limit is Limit.FIXED_LIMIT
            and hand.aggressor is not None
            and to == min(hand.level + hand.last_raise, everything)
        )
        self.hand = hand.act(Action(hand.wager_kind, to), player, accepted=stood)
        self.acted = True

    def check_cards(self) -> None:
        """Nobody acts before the cards of the street are out. Hole cards that a file leaves out are unknown ones."""
        missing = self.missing_cards()
        if missing is not None:
            raise Disagreement(missing)

    def missing_cards(self) -> str | None:
        """What this street still needs before anybody acts; None where nothing."""
        if self.to_draw:
            return f"player {min(self.to_draw)} has not drawn"
        held, full = len(self.cards.board), self.game.board[self.street]
        return (
            None
            if self.game.stud or held == full
            else f"the {self.hand.street} has a board of {held} cards, not {full}"
        )

    # the end

    def waits_for(self) -> str | None:
        """What has to happen before the pots can be awarded; None where nothing does."""
        hand = self.hand
        if hand.betting_over or hand.hand_over:
            return None
        if hand.next_seat is not None:
            return self.missing_cards() or f"player {hand.next_seat} is to act"
        return "nobody has brought it in" if hand.awaiting_bring_in else "streets are missing"
