"""The two ways in which a table in a test is played, as the rest of the plugin sees them."""

from __future__ import annotations

from typing import Any, Literal, NamedTuple, Protocol

from betline.bus import Bus
from betline.settings import TableSettings
from virtual_table.play.clock import Clock
from virtual_table.play.link import ControllerLink
from virtual_table.pytest_plugin.plans import Given
from virtual_table.table.world import World

Program = Literal["controller", "bridge", "camera"]


class Tag(NamedTuple):
    """A tag within reach of an antenna."""

    uid: str
    antenna: int
    """Output of the reader that serves the zone, counted from 1."""
    signal: float
    """1 right above the antenna, below 0.35 beside it."""


class Faults(Protocol):
    """What goes wrong when the test says so. Each returns at once; the fault lasts ``for_s`` seconds of the table's
    clock. All raise LabError for a reader or camera that there is not, and for what cannot be done at this table.
    """

    def begin(self, what: str, on: str = "", *, for_s: float = 1.0, **amounts: Any) -> None:
        """Any fault of the plan language by its name (docs/faults.md): ``begin("misreads", "reader-3", for_s=3,
        reading={"missed": 0.2})``. ``on`` and the amounts are those of an event.
        """
        ...

    def play(self, plan: Given) -> None:
        """The events of a plan, timed from now: a file beside the test, a TOML text, or a mapping."""
        ...

    def unplug(self, reader: str, for_s: float | None = None) -> None:
        """A reader's cable is pulled, for so long or until `plug`."""
        ...

    def plug(self, reader: str) -> None:
        """The cable is plugged in again."""
        ...

    def hang(self, reader: str, for_s: float) -> None:
        """A reader neither hears nor answers."""
        ...

    def reboot(self, reader: str, for_s: float = 1.0) -> None:
        """A reader forgets everything, and is deaf until it is up."""
        ...

    def camera_black(self, for_s: float) -> None:
        """The lens is covered."""
        ...

    def kill(self, program: Program, for_s: float = 1.0) -> None:
        """A program dies and is started again, in the simulation after so long, live by its supervisor."""
        ...


class Way(Protocol):
    """A table that is being played, in simulated time or with the real programs."""

    @property
    def live(self) -> bool:
        """Whether the real programs are played with."""
        ...

    @property
    def settings(self) -> TableSettings: ...

    @property
    def world(self) -> World: ...

    @property
    def bus(self) -> Bus: ...

    @property
    def link(self) -> ControllerLink: ...

    @property
    def clock(self) -> Clock: ...

    @property
    def faults(self) -> Faults: ...

    @property
    def patience_s(self) -> float:
        """How long an expectation waits, unless the test says otherwise."""
        ...

    def replace_reader(self, name: str, port: str) -> None:
        """Somebody else's reader on a port takes the place of a virtual one; raises LabError."""
        ...

    def last_bytes(self, zone: str) -> list[str]:
        """What passed last between the bridge and the reader of a zone, a line each; none where nobody can tell."""
        ...

    def close(self) -> None:
        """Ends everything."""
        ...
