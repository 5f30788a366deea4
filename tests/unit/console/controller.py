"""The true session at the other end of the console's bus: commands in, replies and the state out."""

import itertools

from betline import topics
from betline.messages.common import Reply
from betline.settings import load_house_rules, load_table
from betline.steps import CommandError, read_command
from betline.topics import topic
from table_controller.session import Keyed, Now, Session, Terms

TABLE = load_table("home-six").model_copy(
    update={"cameras": (), "game": load_table("home-six").game.model_copy(update={"blinds": (5, 10), "ante": 0})}
)
HOUSE = {
    **TABLE.house.options,
    "new_player": "free",
    "missed_blinds": "big-live-small-dead",
    "absent_players": "sit-out",
    "bomb_pot": {"ante": 20, "button_moves": True},
    "buy_in": [20, 200],
    "straddle_positions": "utg",
}


def home_terms():
    """A home table of six without a camera, blinds of 5 and 10, nobody seated."""
    return Terms(TABLE, load_house_rules(TABLE.house.profile, HOUSE))


class Controller:
    """The session at the other end of the bus: commands in, replies and the state out."""

    def __init__(self, bus, terms=None):
        self.bus = bus
        self.session = Session.new(terms or home_terms())
        self.entries, self.replies = [], []
        self.version = itertools.count(1)
        bus.subscribe(topics.COMMAND, self._asked)
        self.publish()

    def _asked(self, received):
        body, verb = received.body, received.topic.name
        try:
            asked = read_command(verb, body.args)
        except CommandError as error:
            self._answer(Reply(command_id=body.id, verb=verb, ok=False, code=error.code, sentence=str(error)))
            return
        fresh = {seat: f"p-{body.id}-{seat}" for seat in range(11)}
        keyed = Keyed(body.id, asked, "dealer", received.void_ns(body.expires_ms), fresh)
        handled = self.session.handle(keyed, Now(1_000_000, received.arrived_ns))
        self.session = handled.session
        self.entries += handled.entries
        for message in handled.messages:
            if isinstance(message, Reply):
                self._answer(message)
        self.publish()

    def _answer(self, reply):
        self.replies.append(reply)
        self.bus.publish(topic(topics.REPLY, reply.command_id), reply)

    def publish(self):
        self.bus.publish(topic(topics.STATE), self.session.table_state(next(self.version), 1, "0"))
