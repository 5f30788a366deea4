"""State machines as data: one table says which event leads from which state to which, and its diagram comes from it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from enum import Enum
from typing import Generic, TypeVar

State = TypeVar("State", bound=Enum)
Event = TypeVar("Event", bound=Enum)


class UnknownTransitionError(Exception):
    """The event cannot happen in this state: a fault of the caller; the state is as it was."""


@dataclass(frozen=True, slots=True)
class Machine(Generic[State, Event]):
    """A machine by its transition table; it holds no state itself."""

    start: State
    transitions: Mapping[tuple[State, Event], State]

    def after(self, state: State, event: Event) -> State:
        """The state that the event leads to; raises UnknownTransitionError where the table has none."""
        try:
            return self.transitions[state, event]
        except KeyError:
            raise UnknownTransitionError(f"{event.name} cannot happen in {state.name}") from None

    def mermaid(self) -> str:
        """The diagram of the table as Mermaid's `stateDiagram-v2`: an arrow for each pair of states."""
        arrows: dict[tuple[State, State], list[str]] = {}
        for (state, event), following in self.transitions.items():
            arrows.setdefault((state, following), []).append(_words(event))
        lines = [
            f"    {state.name} --> {following.name}: {', '.join(events)}"
            for (state, following), events in arrows.items()
        ]
        return "\n".join(["stateDiagram-v2", f"    [*] --> {self.start.name}", *lines])


def _words(event: Enum) -> str:
    return event.name.lower().replace("_", " ")
