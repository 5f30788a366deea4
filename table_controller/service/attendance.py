"""Who of the staff is at the table while it is served: those who come and go, and the file that says who they are."""

from __future__ import annotations

from betline import topics
from betline.bus import Bus
from betline.messages.people import StaffState
from betline.people.record import PeopleError
from betline.people.roll import Roll
from betline.topics import topic
from table_controller.service.handling import Handling
from table_controller.service.notices import Notices
from table_controller.service.writing import Writing
from table_controller.session.edge import Edge


class Attendance:
    """The staff of one table. Used on the controller's own thread."""

    def __init__(
        self, edge: Edge, roll: Roll, bus: Bus, handling: Handling, writing: Writing, notices: Notices
    ) -> None:
        self._edge = edge
        self._roll = roll
        self._bus = bus
        self._handling = handling
        self._writing = writing
        self._notices = notices
        self._told: StaffState | None = None

    def tell(self) -> None:
        """Journals who came and went, and tells everybody where the staff or the badge has changed."""
        door = self._edge.door
        while door.news and not self._writing.fails:
            self._handling.take(door.news.pop(0))
        if door.state != self._told:
            self._told = door.state
            self._bus.publish(topic(topics.STAFF), self._told)

    def heed_the_file(self, now_ns: int) -> None:
        """A file of the staff that has changed holds from now on; one that cannot be used changes nothing."""
        try:
            if self._roll.renewed():
                self._edge.door.enrols(self._roll.staff, now_ns)
                self.tell()
            self._notices.passed("people-unread")
        except PeopleError as error:
            self._notices.stands("people-unread", f"{error} Until then the staff stays as it was.", "error")
        strange = self._edge.strange_badges
        if strange:
            sentence = f"Tag {strange[-1]} is nobody's badge: betline people badge NAME {strange[-1]} makes it one."
            self._notices.stands("strange-badge", sentence, "info")
        else:
            self._notices.passed("strange-badge")
