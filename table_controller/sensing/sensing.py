"""The fold of all evidence and of the table's view into acts, questions and alerts.

Every step takes the time and gives the next state and what it tells. `Sensing` never reads a clock; between inputs
`tick` lets time pass. After a step that told a ChipsMoved, a Covered or an Implied the service must tell the view
(changed or not): the next act waits for it.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

from betline.units import NS_PER_MS
from table_controller.sensing import acts, alerts, order, presence, questions, rounds
from table_controller.sensing.account import Account
from table_controller.sensing.believed import Believed
from table_controller.sensing.observations import (
    Alert,
    AlertPassed,
    AskedNoMore,
    Covered,
    Implied,
    Observation,
    Posted,
    ZoneValue,
)
from table_controller.sensing.origins import Exchanged, SetAside
from table_controller.sensing.presence import ZoneBelief, ZoneReading
from table_controller.sensing.setup import HOUSE_ZONES, seat_of, zone_of
from table_controller.sensing.view import HandView
from table_controller.sensing.witness import CameraSeen, LineSeen


@dataclass(frozen=True, slots=True)
class Sensing(Believed):
    """The steps from one belief to the next. `Sensing.begun(setup)` makes the first."""

    def zone(self, reading: ZoneReading, now_ns: int) -> Step:
        """The evidence of a zone after an inventory round. One that is not newer, or of no zone here, tells nothing."""
        old = self.zones.get(reading.zone)
        if old is None:
            return self, ()
        use = self.setup.thresholds
        others = [one for one in self.zones.values() if one is not old and one.fresh(now_ns, use.stale_ms)]
        new = presence.after(old, reading, others, use, self.hand_ns)
        if new is old:
            return self, ()
        zones = {**self.zones, reading.zone: new}
        arrived = new.present.keys() - old.present.keys()
        touched = [reading.zone]
        for other in others if arrived else ():
            lost = arrived & other.present.keys()
            if lost:
                zones[other.zone] = other.without(lost)
                touched.append(other.zone)
        state = replace(self, zones=zones)
        if reading.zone in HOUSE_ZONES and arrived:
            origins = self.origins
            if reading.zone == "pot" and self.hand.phase == "betting":
                origins = origins.in_pot(arrived, new, self.accounts.values(), self.turn.betting_ns, self.hand_ns)
            state = replace(state, house=state.house | arrived, origins=origins)
        account = self.accounts.get(seat_of(reading.zone))
        if arrived and account is not None:
            state = replace(state, origins=self.origins.arrived(arrived, new, self.hand_ns))
        if new.present is not old.present or account is None or not account.based or account.base:
            state = state._looked_at(touched, now_ns)
        return state._told(now_ns)

    def line(self, seen: LineSeen, now_ns: int) -> Step:
        """An event at a betting line."""
        return replace(self, witness=self.witness.line(seen, now_ns))._told(now_ns)

    def camera(self, seen: CameraSeen | None, now_ns: int) -> Step:
        """The camera's picture of all seats, its sign of life; None: its last will said that it is gone."""
        return replace(self, witness=self.witness.camera(seen, now_ns))._told(now_ns)

    def view(self, hand: HandView, now_ns: int) -> Step:
        """What the table's books say now."""
        old = self.hand
        turn = self.turn.after(old, hand, now_ns)
        state = replace(self, hand=hand, turn=turn)
        beliefs = state.mature(now_ns)
        if rounds.begins_street(old, hand):
            state = state._street_begins(old, beliefs, now_ns)
        elif self.origins.thrown and any(book.keyed not in (None, old.book(book.seat).keyed) for book in hand.seats):
            state = replace(state, origins=self.origins.accounted())
        accounts = {seat: rounds.told(account, old, hand, now_ns) for seat, account in state.accounts.items()}
        saw_posting = old.phase == "posting" and old.hand_no == hand.hand_no
        if hand.phase == "betting" and (saw_posting or old.hand_no != hand.hand_no):
            accounts = {
                seat: rounds.posted(account, beliefs.get(seat), hand.book(seat).bet, saw_posting)
                for seat, account in accounts.items()
            }
        return replace(state, accounts=accounts)._looked_at(list(state.zones), now_ns)._told(now_ns)

    def answer(self, question: str, choice: str, now_ns: int) -> Step:
        """The dealer answers an open question; an unknown question or choice changes nothing."""
        asked = self.questions.get(question)
        if asked is None or choice not in asked.choices:
            return self, ()
        seat = asked.seats[0]
        match choice:
            case "passive":
                early = order.first_waiting(self.hand, self.accounts)
                origins = self.origins if early is None else self.origins.betting(self.accounts[early].new)
                state = replace(self, turn=replace(self.turn, implied=asked.seats), origins=origins)
            case "out-of-turn":
                waiting = order.first_waiting(self.hand, self.accounts)
                state = replace(self, turn=replace(self.turn, out_of_turn=waiting))
            case _ if asked.kind == "unreported":
                seat = order.first_waiting(self.hand, self.accounts) or seat
                account = self.accounts[seat]
                origins = self.origins.protecting(account.new, seat)
                state = replace(self._with(account.set_aside()), origins=origins)
            case _:
                account = self.accounts[seat]
                base = account.base - account.doubt if choice == "bet" else account.base
                lay = account.lay - account.doubt if choice == "bet" else account.lay
                state = self._with(replace(account, base=base, lay=lay, doubt=frozenset()))
                state = replace(state, origins=self.origins.answered(account, choice))
        return state._looked_at([zone_of(seat)], now_ns)._told(now_ns)

    def tick(self, now_ns: int) -> Step:
        """Time has passed; every 50 to 100 ms is enough."""
        return self._told(now_ns)

    def _street_begins(self, old: HandView, beliefs: dict[int, ZoneBelief], now_ns: int) -> Sensing:
        early = rounds.early_chips(old, self.hand, beliefs, self.accounts, self.house)
        bets: dict[int, frozenset[str]] = {}
        doubtful: dict[int, frozenset[str]] = {}
        camera = self.camera_live(now_ns)
        for seat, chips in early.items():
            if not camera:
                doubtful[seat] = chips
            elif rounds.brought_by_hand(seat, chips, beliefs[seat], self.witness):
                bets[seat] = chips
        accounts = rounds.base_line(self.setup.seats, beliefs, bets, doubtful)
        turn = replace(self.turn, street_ns=now_ns, quiet_ns=now_ns)
        state = replace(self, accounts=accounts, turn=turn, origins=self.origins.accounted())
        if old.hand_no == self.hand.hand_no:
            return state
        house = frozenset(self.zones["tray"].present) if "tray" in self.zones else frozenset()
        return replace(state, house=house, origins=self.origins.of_new_hand(), hand_ns=now_ns)

    def _looked_at(self, zones: list[str], now_ns: int) -> Sensing:
        """Accounts of these zones over what is believed now."""
        accounts = dict(self.accounts)
        for zone in zones:
            seat = seat_of(zone)
            account, belief = accounts.get(seat), self.zones.get(zone)
            if account is None or belief is None:
                continue
            extra = belief.present.keys() - account.base - account.counted.keys()
            foreign = frozenset(
                uid
                for uid in extra
                for other in accounts.values()
                if other is not account and (uid in other.lay or uid in other.counted)
            )
            account = account.seen(belief, foreign, now_ns)
            accounts[seat] = account
        return replace(self, accounts=accounts)

    def _told(self, now_ns: int) -> Step:
        """The acts that can be told now, then everything shown and asked that has changed."""
        state = self if self.began_ns >= 0 else replace(self, began_ns=now_ns)
        told: list[Observation] = []
        waiting = None
        if state.hand.phase == "posting":
            state = state._posts(told, now_ns)
        elif state.hand.phase == "betting":
            state = state._acts(told, now_ns)
            if not state.turn.awaiting:
                state, waiting = state._waiting(told, now_ns)
        return state._shown(told, waiting, now_ns)

    def _posts(self, told: list[Observation], now_ns: int) -> Sensing:
        state = self
        use = self.setup.thresholds
        for seat, account in self.accounts.items():
            if not account.new and not account.gone:
                continue
            belief = self.belief(seat)
            if not acts.ended(belief, self.seen(seat, now_ns), now_ns, use):
                continue
            if self.origins.protects(account):
                state = state._with(account.set_aside())
                continue
            known = {uid: value for uid, value in account.new.items() if value is not None}
            if known or account.gone:
                told.append(Posted(seat, tuple(known.values()), tuple(known), belief.at_ns))
            state = state._with(account.accounted())
        return state

    def _acts(self, told: list[Observation], now_ns: int) -> Sensing:
        """At most one thing that changes the books: chips that are no act, a late chip, or the act of the turn."""
        state = self
        for seat in (*self.hand.order, *(one for one in self.accounts if one not in self.hand.order)):
            account = state.accounts.get(seat)
            if account is None or not (account.new or account.gone):
                continue
            state = state._judged(account, told, now_ns)
        return state

    def _judged(self, account: Account, told: list[Observation], now_ns: int) -> Sensing:
        seat, use = account.seat, self.setup.thresholds
        belief, seen = self.belief(seat), self.seen(seat, now_ns)
        if not belief.fresh(now_ns, use.stale_ms) or not acts.ended(belief, seen, now_ns, use):
            return self._with(replace(account, ready_ns=-1)) if account.ready_ns >= 0 else self
        its_turn = seat == self.hand.to_act
        book = self.hand.book(seat)
        changing = book.change_due and now_ns - account.moved_ns < use.change_gap_ms * NS_PER_MS
        if (
            account.gone
            and not account.new
            and not changing
            and acts.was_gathered(account, self.accounts.values(), self.zones.get("pot"), self.witness.swept_ns)
        ):
            return self._with(account.swept())
        came = frozenset(account.new)
        own = seen is not None and bool(came) and rounds.brought_by_hand(seat, came, belief, self.witness)
        plain = acts.judge(account, book, its_turn, frozenset() if own else self.house, now_ns, use)
        turn_ns, call = self.turn.since_ns if its_turn else -1, self.hand.call(seat)
        verdict = self.origins.judged(plain, account, belief, book, seen, own, turn_ns, call)
        if self.turn.awaiting:
            return self
        if isinstance(verdict, SetAside):
            return self._with(account.set_aside(verdict.why))
        if isinstance(verdict, Exchanged):
            told.append(Covered(seat, "swap", 0, 0, tuple(account.new), belief.at_ns))
            state = self._with(account.exchanged(verdict.taken))
            return replace(state, turn=replace(state.turn, awaiting=True))
        if isinstance(verdict, acts.Cover):
            told.append(Covered(seat, verdict.why, verdict.amount, verdict.over, tuple(account.new), belief.at_ns))
            awaited = max(0, account.awaited - verdict.amount)
            state = self._with(replace(account.accounted(), awaited=awaited))
            return replace(state, turn=replace(state.turn, awaiting=True))
        if not isinstance(verdict, acts.Act):
            return self
        came_ns = min(belief.tracks[uid].since_ns for uid in account.new)
        late = acts.is_late_chip(account, book, seen, its_turn, came_ns, use)
        if its_turn or late:
            return self._act(account, acts.Manner(late=late, pays=verdict.pays), told, now_ns)
        return self if account.ready_ns >= 0 else self._with(replace(account, ready_ns=now_ns))

    def _act(self, account: Account, manner: acts.Manner, told: list[Observation], now_ns: int) -> Sensing:
        belief, seen = self.belief(account.seat), self.seen(account.seat, now_ns)
        account, observation = acts.told(self.act_no + 1, account, belief, seen, manner, self.turn.passed, now_ns)
        told.append(observation)
        turn = replace(self.turn, awaiting=True, out_of_turn=None)
        return replace(self._with(account), act_no=self.act_no + 1, turn=turn)

    def _waiting(self, told: list[Observation], now_ns: int) -> tuple[Sensing, order.Waiting | None]:
        """The act that waits for seats before it; the house or the dealer may have decided about these."""
        use = self.setup.thresholds
        turn, one = order.waiting(
            self.hand, self.accounts, self.turn, lambda seat: self.moves(seat, now_ns), now_ns, use
        )
        state = self if turn is self.turn else replace(self, turn=turn)
        if one is None:
            return state, None
        if turn.out_of_turn == one.seat or one.due in ("again", "skipped"):
            manner = acts.Manner(in_turn=False, again=one.due == "again")
            return state._act(state.accounts[one.seat], manner, told, now_ns), None
        if (turn.implied and turn.implied == one.before) or one.due == "assume":
            told.append(Implied(one.before))
            return replace(state, turn=replace(turn, awaiting=True, implied=())), None
        return state, one

    def _shown(self, told: list[Observation], waiting: order.Waiting | None, now_ns: int) -> Step:
        use = self.setup.thresholds
        shown = {
            zone: belief.value if belief.fresh(now_ns, use.stale_ms) else None for zone, belief in self.zones.items()
        }
        if shown != self.shown:
            told.extend(ZoneValue(zone, value) for zone, value in shown.items() if value != self.shown.get(zone))
        asked = questions.standing(self.hand, self.accounts, self.belief, waiting, self.unread_bet(now_ns))
        if asked or self.questions:
            told.extend(AskedNoMore(one) for one in self.questions if one not in asked)
            told.extend(question for one, question in asked.items() if one not in self.questions)
        # While the books of an act that was just told are awaited, what they say of it is old.
        raised = self.raised if self.turn.awaiting else alerts.standing(self, now_ns)
        for (code, seat), sentence in alerts.changed(self.raised, raised):
            told.append(AlertPassed(code, seat) if sentence is None else Alert(code, seat, sentence))
        return replace(self, shown=shown, questions=asked, raised=raised), tuple(told)

    def _with(self, account: Account) -> Sensing:
        return replace(self, accounts={**self.accounts, account.seat: account})


Step = tuple[Sensing, tuple[Observation, ...]]
