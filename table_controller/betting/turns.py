"""Whose turn it is, and whether anything is left to decide.

Positions run clockwise from the left of the button. `able` is the set, as bits, of positions that have neither folded
nor put in all they have; `live` of those that have not folded.
"""

from __future__ import annotations

from table_controller.betting.state import ACTS_LAST, NOBODY, NOT_ACTED


def next_to_act(
    start: int,
    able: int,
    live: int,
    level: int,
    wagers: tuple[int, ...],
    acted: tuple[int, ...],
    last_to_act: int = NOBODY,
    aggressor: int = NOBODY,
) -> int:
    """The first position from `start` on, clockwise, that must act; -1 when the round is over (R-001, R-005, R-006).

    A player alone with chips acts only while another's bet is larger (R-008). `last_to_act` waits until everybody else
    has acted once (R-128, R-198). `aggressor` made the last bet or raise.
    """
    if not able & (able - 1):
        alone = able.bit_length() - 1
        if able and wagers[alone] < matching(alone, able, live, level, wagers, aggressor):
            return alone
        return NOBODY
    if last_to_act >= 0 and acted[last_to_act] == ACTS_LAST and able >> last_to_act & 1:
        able &= ~(1 << last_to_act)
        if not _awaits_first_act(able, level, wagers, acted):
            return last_to_act
    players = len(wagers)
    for step in range(start, start + players):
        position = step if step < players else step - players
        if able >> position & 1 and (wagers[position] < level or acted[position] == NOT_ACTED):
            return position
    return NOBODY


def _awaits_first_act(able: int, level: int, wagers: tuple[int, ...], acted: tuple[int, ...]) -> bool:
    return any(
        able >> p & 1 and (memory == NOT_ACTED or (memory < 0 and wagers[p] < level)) for p, memory in enumerate(acted)
    )


def matching(position: int, able: int, live: int, level: int, wagers: tuple[int, ...], aggressor: int = NOBODY) -> int:
    """The bet that a position has to match: the level, or the largest bet of the others where they are all all-in.

    A blind that went all-in short still costs its full amount as long as another can call it (R-183). What a folded
    hand has in is owed too, for an all-in hand wins nothing above its own bet of it (Wikipedia, Betting in poker;
    R-260): only an uncalled bet or raise of a dead hand goes back (R-047).
    """
    if able & ~(1 << position):
        return level
    others = [wager for p, wager in enumerate(wagers) if p != position and (p != aggressor or live >> p & 1)]
    return min(level, max(others))
