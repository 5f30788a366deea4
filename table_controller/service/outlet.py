"""What the controller publishes: messages as they come, state and prompts where people would see a difference."""

from __future__ import annotations

from collections import deque
from dataclasses import dataclass
from typing import Final

from betline import topics
from betline.bus import Bus
from betline.messages.cards import CardsView
from betline.messages.common import Body, Reply
from betline.messages.recall import Recalled
from betline.messages.table import Alert, Announcement, Event, Prompt, Ruling, TableState
from betline.messages.views import Audience, TableView
from betline.topics import topic
from betline.units import NS_PER_MS
from table_controller.journal.entries import Recorded
from table_controller.journal.store import Journal
from table_controller.service.logged import Logged
from table_controller.session import Session

SHOWN: Final[tuple[Audience, ...]] = ("board", "stream")
"""The audiences that get a topic: dealer and floor have the whole state, and each player a prompt."""
_KEPT_BACK: Final = frozenset({"content"})
"""What a checkpoint holds is for a start, not for the bus."""


@dataclass(frozen=True, slots=True)
class Worked:
    """When what led to entries was worked out, and when the journal had them on the disk; the controller's clock."""

    ruled_ns: int
    written_ns: int


class Outlet:
    """A controller's way out onto the bus; it remembers what was shown last."""

    def __init__(self, bus: Bus, journal: Journal, stream_delay_ms: int = 0) -> None:
        self._bus = bus
        self._stream_delay_ns = stream_delay_ms * NS_PER_MS
        self._views: dict[Audience, TableView] = {}
        self._late_views: deque[tuple[int, TableView]] = deque()
        self._journal = journal
        self._logged = Logged()
        self._version = 0
        self._shown: Session | None = None
        self._shown_alerts: tuple[Alert, ...] = ()
        self._shown_cards: CardsView | None = None
        self._prompts: dict[int, Prompt] = {}

    def publish(self, message: Body) -> None:
        """Publishes a message of the session on its topic, and logs what happened."""
        self._logged.note(message)
        match message:
            case Ruling():
                self._bus.publish(topic(topics.RULING), message)
            case Announcement():
                self._bus.publish(topic(topics.ANNOUNCEMENT), message)
            case Alert():
                self._bus.publish(topic(topics.ALERT), message)
            case Reply():
                self._bus.publish(topic(topics.REPLY, message.command_id.lower()), message)
            case _:
                raise TypeError(f"a session publishes no {type(message).__name__}")

    def recalled(self, hand: Recalled) -> None:
        """Publishes an earlier hand for who asked for it."""
        self._bus.publish(topic(topics.RECALL, hand.command_id.lower()), hand)

    def events(self, recorded: tuple[Recorded, ...], hand_no: int, worked: Worked | None = None) -> None:
        """Publishes what was journalled; with `worked`, when it was worked on."""
        for entry in recorded:
            data = {key: value for key, value in entry.data.items() if key not in _KEPT_BACK}
            event = Event(
                journal_seq=entry.seq,
                hand_no=hand_no,
                type=entry.kind,
                data=data,
                taken_ns=entry.mono_ns,
                ruled_ns=None if worked is None else worked.ruled_ns,
                written_ns=None if worked is None else worked.written_ns,
            )
            self._bus.publish(topic(topics.EVENT), event)

    def show(self, session: Session, alerts: tuple[Alert, ...], now_ns: int) -> int | None:
        """Publishes the state, with the service's own `alerts`, the views and the prompts, where they look different
        now; of the stream what is due by its delay. Returns the version of the state, None where none was published.
        """
        self._send_late_views(now_ns)
        if self._shown is not None and session.looks_like(self._shown) and alerts == self._shown_alerts:
            return None
        self._shown, self._shown_alerts = session, alerts
        self._version += 1
        self._show_cards(session.cards_view())
        state = self._state(session, alerts)
        self._bus.publish(topic(topics.STATE), state)
        self._show_views(session, state, now_ns)
        for prompt in session.prompts():
            if self._prompts.get(prompt.seat) != prompt:
                self._prompts[prompt.seat] = prompt
                self._bus.publish(topic(topics.SEAT_PROMPT, prompt.seat), prompt)
        return self._version

    def _show_views(self, session: Session, state: TableState, now_ns: int) -> None:
        """Publishes the table as board and stream may see it, the stream as late as it is to be."""
        for audience in SHOWN:
            view = session.view(audience, state)
            before = self._views.get(audience)
            if before is not None and view == before.model_copy(update={"version": view.version}):
                continue
            self._views[audience] = view
            if audience == "stream" and self._stream_delay_ns:
                self._late_views.append((now_ns + self._stream_delay_ns, view))
            else:
                self._bus.publish(topic(topics.VIEW, audience), view)

    def _send_late_views(self, now_ns: int) -> None:
        """Publishes the newest view of the stream whose time has come."""
        due = None
        while self._late_views and self._late_views[0][0] <= now_ns:
            due = self._late_views.popleft()[1]
        if due is not None:
            self._bus.publish(topic(topics.VIEW, due.audience), due)

    def _show_cards(self, cards: CardsView) -> None:
        """Publishes the cards for the dealer's console, where the house keeps them and they look different now."""
        if cards == self._shown_cards or (self._shown_cards is None and cards.hole_cards == 0):
            return
        self._shown_cards = cards
        self._bus.publish(topic(topics.PRIVATE_CARDS), cards)

    def _state(self, session: Session, alerts: tuple[Alert, ...]) -> TableState:
        head = self._journal.head
        state = session.table_state(self._version, head.seq, head.hash)
        sealed = {"journal": self._journal.id, "journal_seal": self._journal.anchor.seal}
        return state.model_copy(update={"alerts": (*state.alerts, *alerts), **sealed})
