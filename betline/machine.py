"""State machines as data: one table says which event leads from which state to which, and its diagram comes from it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from enum import Enum
from typing import Final, Generic, TypeVar

State = TypeVar("State", bound=Enum)
Event = TypeVar("Event", bound=Enum)


class UnknownTransitionError(Exception):
    """The event cannot happen in this state: a fault of the program; nothing has changed. ``code`` is stable."""

    code: Final = "unknown-transition"


@dataclass(frozen=True, slots=True)
class Machine(Generic[State, Event]):
    """A machine by its transition table; it holds no state itself. The enums' values are what people read."""

    start: State
    transitions: Mapping[State, Mapping[Event, State]]

    def after(self, state: State, event: Event) -> State:
        """The state that the event leads to; raises UnknownTransitionError where the table has none."""
        following = self.transitions[state].get(event)
        if following is None:
            raise UnknownTransitionError(f'"{event.value}" cannot happen in the state "{state.value}".')
        return following

    def mermaid(self) -> str:
        """The table as a Mermaid diagram (`stateDiagram-v2`): an arrow for each pair of states."""
        arrows: dict[tuple[State, State], list[str]] = {}
        for state, events in self.transitions.items():
            for event, following in events.items():
                arrows.setdefault((state, following), []).append(str(event.value))
        lines = ["stateDiagram-v2", f"    [*] --> {self.start.name}"]
        lines += [f"    {state.name}: {state.value}" for state in self.transitions]
        lines += [f"    {one.name} --> {other.name}: {', '.join(events)}" for (one, other), events in arrows.items()]
        return "\n".join(lines)
