"""Which zones are to be read as often as can be: where an act is awaited, and what somebody wants to know now."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from types import MappingProxyType

from betline.messages.table import TableState

_NOTHING: Mapping[str, int] = MappingProxyType({})


def awaited(state: TableState) -> frozenset[str]:
    """The zones where the game goes on: the seat to act, the blinds that are due, the pot between two rounds."""
    if state.to_act is not None:
        return frozenset({f"seat-{state.to_act}"})
    if state.phase == "posting":
        return frozenset(f"seat-{seat}" for seat in (state.small_blind, state.big_blind) if seat is not None)
    return frozenset() if state.phase in ("idle", "betting") else frozenset({"pot"})


@dataclass(frozen=True, slots=True)
class Needs:
    """What is wanted of the readers; each change makes a new one. Times are nanoseconds of any one clock."""

    awaited: frozenset[str] = frozenset()
    wanted_until_ns: Mapping[str, int] = field(default_factory=lambda: _NOTHING)
    """Until when somebody wants to know a zone now."""

    def wish(self, zone: str, now_ns: int, for_ns: int) -> Needs:
        """With a wish for `zone`; of two the longer holds, and one of no length takes both back."""
        wishes = {name: until for name, until in self.wanted_until_ns.items() if until > now_ns}
        if for_ns > 0:
            wishes[zone] = max(now_ns + for_ns, wishes.get(zone, 0))
        else:
            wishes.pop(zone, None)
        return Needs(self.awaited, MappingProxyType(wishes))

    def at(self, now_ns: int) -> frozenset[str]:
        """The zones to attend to at `now_ns`."""
        return self.awaited | self._wished(now_ns)

    def urgent(self, now_ns: int) -> frozenset[str]:
        """Those of them where an act is awaited and somebody wants to know more of it: other zones can wait."""
        return self.awaited & self._wished(now_ns)

    def _wished(self, now_ns: int) -> frozenset[str]:
        return frozenset(zone for zone, until in self.wanted_until_ns.items() if until > now_ns)
