"""Every topic of the bus by name: its message, whether the broker keeps it, and how surely it is delivered.

betline/v1/<site>/<table>/...
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Literal

from betline.messages import cards, common, devices, history, people, pictures, recall, room, table, views
from betline.messages.common import Body

ROOT = "betline/v1"
NAME = re.compile(r"^[a-z0-9][a-z0-9-]{0,62}$")


Role = Literal[
    "controller", "bridge", "vision", "console", "voice", "display", "home", "button", "site", "floor", "metrics"
]
"""The accounts of a broker: the console's is for every program by which a person asks for something; a display is
anything that shows the table, and ``home`` is a house's automation, which reads only. ``button`` is no account: it is
what ``home`` may besides, where the table file allows buttons, and of the commands it may say theirs alone. The roles
of `AT_SITE` are accounts of a site's broker, which the tables' brokers are bridged to: ``site`` keeps all journals.
What they may say and hear is what crosses a bridge (`betline.provision.crossings`)."""
AT_SITE: tuple[Role, ...] = ("site", "floor", "metrics")
FLOOR: tuple[Role, ...] = ("floor",)
CONTROLLER: tuple[Role, ...] = ("controller",)
BRIDGE: tuple[Role, ...] = ("bridge",)
VISION: tuple[Role, ...] = ("vision",)
CONSOLE: tuple[Role, ...] = ("console",)
SITE: tuple[Role, ...] = ("site",)
DEVICES: tuple[Role, ...] = ("bridge", "vision", "console", "voice")
WHO_WAITS: tuple[Role, ...] = ("controller", "console")
WATCHERS: tuple[Role, ...] = ("console", "display", "home")
TELLERS: tuple[Role, ...] = ("console", "voice")
PROGRAMS: tuple[Role, ...] = ("controller", *DEVICES)
EVERYBODY: tuple[Role, ...] = (*PROGRAMS, "display", "home", *AT_SITE)
KEEPERS: tuple[Role, ...] = ("console", "home", "floor", "metrics")
VOICE_SHOWN: tuple[Role, ...] = ("console", "home", "voice")
ASKERS: tuple[Role, ...] = ("console", "button", "floor")


@dataclass(frozen=True, slots=True)
class TopicKind:
    """One family of topics below a table's root; ``+`` stands for one level that varies."""

    pattern: str
    body: type[Body]
    retained: bool
    qos: int
    meaning: str
    by: tuple[Role, ...]
    """Who publishes it: the accounts of the broker that may."""
    to: tuple[Role, ...]
    """Who reads it: the accounts of the broker that may."""
    named: Literal["writer", "reader", "asker", "thing"] = "thing"
    """Whose name stands in the topic's variable level: the writer's, the reader's, that of a program of the site that
    asks, or that of a thing at the table."""

    def matches(self, path: str) -> bool:
        """Whether a path below the table's root is of this kind."""
        mine, theirs = self.pattern.split("/"), path.split("/")
        return len(mine) == len(theirs) and all(m in ("+", t) for m, t in zip(mine, theirs, strict=True))


STATUS = TopicKind(
    "status", common.Presence, True, 1, "the controller is online, or its last will: offline", CONTROLLER, EVERYBODY
)
BIRTH = TopicKind("birth", common.Birth, True, 1, "what the controller is", CONTROLLER, EVERYBODY)
STATE = TopicKind(
    "state",
    table.TableState,
    True,
    1,
    "the whole state of the table, for dealer and floor",
    CONTROLLER,
    ("controller", "bridge", *TELLERS, *AT_SITE),
)
VIEW = TopicKind(
    "view/+",
    views.TableView,
    True,
    1,
    "the table as an audience may see it: board or stream",
    CONTROLLER,
    (*WATCHERS, *FLOOR),
)
EVENT = TopicKind("event", table.Event, False, 1, "the journalled stream", CONTROLLER, (*CONSOLE, *FLOOR))
RULING = TopicKind("ruling", table.Ruling, False, 1, "how an act counts", CONTROLLER, (*TELLERS, *FLOOR))
ALERT = TopicKind(
    "alert",
    table.Alert,
    False,
    1,
    "something a person should know",
    ("controller", "bridge", "site"),
    (*TELLERS, "home", *AT_SITE),
)
ANNOUNCEMENT = TopicKind(
    "announcement", table.Announcement, False, 1, "what is said to the player to act", CONTROLLER, TELLERS
)
VOICE = TopicKind("voice", table.VoiceSetting, True, 1, "how much the voice says", CONSOLE, VOICE_SHOWN)
VOICE_AGAIN = TopicKind(
    "voice/again", table.VoiceAgain, False, 1, "the turn is to be said once more", CONSOLE, ("console", "voice")
)
ZONE_CHIPS = TopicKind(
    "zone/+/chips", devices.ZoneChips, True, 1, "RFID snapshot of an antenna zone", BRIDGE, WHO_WAITS
)
ZONE_TAGS = TopicKind(
    "private/zone/+/tags", devices.ZoneChips, False, 1, "tags of cards on an antenna for cards", BRIDGE, CONTROLLER
)
ZONE_WANTED = TopicKind(
    "zone/+/wanted", devices.ZoneWanted, False, 1, "this zone is to be read often for a while", WHO_WAITS, BRIDGE
)
WORLD_ZONE = TopicKind(
    "world/zones/+",
    devices.WorldZone,
    True,
    1,
    "of a virtual table: the tags that lie in an antenna zone, for readers that are no virtual ones",
    CONSOLE,
    CONSOLE,
)
SEAT_LINE = TopicKind("seat/+/line", devices.LineEvent, False, 1, "bet-line events of the camera", VISION, WHO_WAITS)
SEAT_PROMPT = TopicKind("seat/+/prompt", table.Prompt, True, 1, "what this seat's display shows", CONTROLLER, WATCHERS)
DEVICE_STATUS = TopicKind(
    "device/+/status",
    common.Presence,
    True,
    1,
    "a device is there, or its last will",
    (*DEVICES, *FLOOR),
    (*PROGRAMS, "home", "floor", "metrics"),
    named="writer",
)
DEVICE_BIRTH = TopicKind(
    "device/+/birth",
    common.Birth,
    True,
    1,
    "what a device is",
    ("bridge", "vision", "console", "floor"),
    (*PROGRAMS, "home", "floor", "metrics"),
    named="writer",
)
DEVICE_HEALTH = TopicKind(
    "device/+/health",
    common.Health,
    True,
    0,
    "a device's counters",
    ("controller", "bridge", "vision"),
    KEEPERS,
    named="writer",
)
DEVICE_LINE = TopicKind(
    "device/+/line",
    devices.LineEvent,
    False,
    1,
    "camera events of the whole picture",
    VISION,
    WHO_WAITS,
    named="writer",
)
DEVICE_VIEW = TopicKind(
    "device/+/view",
    devices.CameraView,
    True,
    0,
    "what a camera believes of every zone",
    VISION,
    WHO_WAITS,
    named="writer",
)
DEVICE_TUNING = TopicKind(
    "device/+/tuning",
    devices.Tuning,
    True,
    1,
    "a camera's numbers, and what each does",
    VISION,
    CONSOLE,
    named="writer",
)
DEVICE_TUNE = TopicKind(
    "device/+/tune", devices.Tune, False, 1, "a person sets one of a camera's numbers", CONSOLE, VISION, named="reader"
)
DEVICE_TUNED = TopicKind(
    "device/+/tuned", common.Reply, False, 1, "a camera's answer to that, by its id", VISION, CONSOLE, named="writer"
)
DEVICE_PICTURE = TopicKind(
    "device/+/picture", pictures.SmallPicture, False, 0, "what a camera sees, small", VISION, CONSOLE, named="writer"
)
DEVICE_PICTURE_WANTED = TopicKind(
    "device/+/picture-wanted",
    pictures.PictureWanted,
    False,
    0,
    "somebody wants to see what a camera sees",
    CONSOLE,
    VISION,
    named="reader",
)
COMMAND = TopicKind("command/+", common.Command, False, 1, "what a person asks of the controller", ASKERS, CONTROLLER)
REPLY = TopicKind("reply/+", common.Reply, False, 1, "the answer to a command, by its id", CONTROLLER, ASKERS)
RECALL = TopicKind(
    "recall/+",
    recall.Recalled,
    False,
    1,
    "a hand that a command asked for, by the command's id",
    CONTROLLER,
    (*CONSOLE, *FLOOR),
)
PRIVATE_CARDS = TopicKind(
    "private/cards",
    cards.CardsView,
    True,
    1,
    "the cards of the hand in progress, for the dealer's console",
    CONTROLLER,
    CONSOLE,
)
STAFF = TopicKind(
    "staff", people.StaffState, True, 1, "who may sign in, and whose badge lies there", CONTROLLER, ASKERS
)
SIGN_IN = TopicKind(
    "sign-in/+", people.SignIn, False, 1, "a person signs in or out, by the sign-in's id", ASKERS, CONTROLLER
)
SIGN_IN_ANSWER = TopicKind(
    "sign-in-answer/+", people.SignInAnswer, False, 1, "the controller's answer to that, by its id", CONTROLLER, ASKERS
)
ROOM = TopicKind(
    "room", room.RoomHead, True, 1, "how far the cardroom's journal is, and its draws to come", (*CONSOLE, *FLOOR),
    ("console", "display", "site", "floor"),
)  # fmt: skip
HISTORY_HEAD = TopicKind(
    "history/head", history.HistoryHead, True, 1, "how far the table's journal is", CONTROLLER, SITE
)
HISTORY_ASK = TopicKind(
    "history/ask/+", history.HistoryAsk, False, 1, "a site asks for journals, by who asks", SITE, CONTROLLER, "asker"
)
HISTORY_JOURNALS = TopicKind(
    "history/journals/+", history.HistoryJournals, False, 1, "all journals of the table", CONTROLLER, SITE, "asker"
)
HISTORY_ENTRIES = TopicKind(
    "history/entries/+", history.HistoryEntries, False, 1, "entries of a journal", CONTROLLER, SITE, "asker"
)
HISTORY_NAMES = TopicKind(
    "history/names/+", history.HistoryNames, False, 1, "names of the people in a journal", CONTROLLER, SITE, "asker"
)
HISTORY_ERASE = TopicKind(
    "history/erase/+", history.HistoryErase, False, 1, "a site asks that a name be erased", SITE, CONTROLLER, "asker"
)
HISTORY_ERASED = TopicKind(
    "history/erased/+", history.HistoryErased, False, 1, "the answer to that", CONTROLLER, SITE, "asker"
)

KINDS: tuple[TopicKind, ...] = (
    STATUS,
    BIRTH,
    STATE,
    VIEW,
    EVENT,
    RULING,
    ALERT,
    ANNOUNCEMENT,
    VOICE,
    VOICE_AGAIN,
    ZONE_CHIPS,
    ZONE_TAGS,
    ZONE_WANTED,
    WORLD_ZONE,
    SEAT_LINE,
    SEAT_PROMPT,
    DEVICE_STATUS,
    DEVICE_BIRTH,
    DEVICE_HEALTH,
    DEVICE_LINE,
    DEVICE_VIEW,
    DEVICE_TUNING,
    DEVICE_TUNE,
    DEVICE_TUNED,
    DEVICE_PICTURE,
    DEVICE_PICTURE_WANTED,
    COMMAND,
    REPLY,
    RECALL,
    PRIVATE_CARDS,
    STAFF,
    SIGN_IN,
    SIGN_IN_ANSWER,
    ROOM,
    HISTORY_HEAD,
    HISTORY_ASK,
    HISTORY_JOURNALS,
    HISTORY_ENTRIES,
    HISTORY_NAMES,
    HISTORY_ERASE,
    HISTORY_ERASED,
)


@dataclass(frozen=True, slots=True)
class Topic:
    """One concrete topic: its kind and its path below the table's root, e.g. ``zone/seat-3/chips``."""

    kind: TopicKind
    path: str

    @property
    def name(self) -> str:
        """The level that varies within the kind (zone, seat, device, verb or command id), or the whole path."""
        for mine, theirs in zip(self.kind.pattern.split("/"), self.path.split("/"), strict=True):
            if mine == "+":
                return theirs
        return self.path


def topic(kind: TopicKind, name: str | int | None = None) -> Topic:
    """The topic of a kind for one zone, seat, device, verb or command id; raises ValueError for a name unfit."""
    if ("+" in kind.pattern) != (name is not None):
        raise ValueError(f"{kind.pattern} takes {'a name' if '+' in kind.pattern else 'no name'}")
    if name is None:
        return Topic(kind, kind.pattern)
    if not NAME.match(str(name)):
        raise ValueError(f"{name!r} cannot be a level of a topic: lower-case letters, digits and - only")
    return Topic(kind, kind.pattern.replace("+", str(name)))


@dataclass(frozen=True, slots=True)
class Namespace:
    """The topics of one table of one site."""

    site: str
    table: str

    def __post_init__(self) -> None:
        for name in (self.site, self.table):
            if not NAME.match(name):
                raise ValueError(f"{name!r} cannot be a level of a topic: lower-case letters, digits and - only")

    @property
    def root(self) -> str:
        """What every topic of the table begins with."""
        return f"{ROOT}/{self.site}/{self.table}"

    def full(self, path: str) -> str:
        """A path below the root as the broker knows it."""
        return f"{self.root}/{path}"

    def covers(self, full: str) -> bool:
        """Whether a broker's topic name lies within it, whatever it means there."""
        return full.startswith(f"{self.root}/")

    def parse(self, full: str) -> Topic | None:
        """The topic that a broker's topic name means, or None where it is none of this table's."""
        prefix = self.root + "/"
        if not full.startswith(prefix):
            return None
        path = full[len(prefix) :]
        kind = next((kind for kind in KINDS if kind.matches(path)), None)
        return Topic(kind, path) if kind else None


@dataclass(frozen=True, slots=True)
class SiteTopic(Topic):
    """A topic of one of a site's tables."""

    table: str = ""


class SiteNamespace(Namespace):
    """The topics of all tables of a site, for who only listens: nothing can be published in it."""

    def __init__(self, site: str) -> None:
        super().__init__(site, "site")  # a name for messages of errors; no table is meant by it

    @property
    def root(self) -> str:
        return f"{ROOT}/{self.site}/+"

    def covers(self, full: str) -> bool:
        return full.startswith(f"{ROOT}/{self.site}/")

    def parse(self, full: str) -> SiteTopic | None:
        """The topic and its table that a broker's topic name means, or None where it is none of this site's."""
        prefix = f"{ROOT}/{self.site}/"
        table, _, path = full.removeprefix(prefix).partition("/")
        if not full.startswith(prefix) or not NAME.match(table):
            return None
        kind = next((kind for kind in KINDS if kind.matches(path)), None)
        return SiteTopic(kind, path, table) if kind else None
