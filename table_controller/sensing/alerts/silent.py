"""Chips of a zone that have fallen silent together: several that are missed at once are gone sooner than one.

Where an antenna misses a share p of the reads, some m of a zone's n chips are silent for the same k rounds by chance
with a probability of C(n, m) p**(m k). Below `BY_CHANCE` a round they are missing: of the 80 chips of a tray (p = 5 %)
one after 6 rounds, two after 4, three after 3, five after 2.
"""

from __future__ import annotations

import math
from itertools import groupby

from table_controller.sensing.belief import Standing, Track, ZoneBelief

BY_CHANCE = 1e-5
"""A full tray is read some 4,000 times an hour: one false finding in 25 hours."""
WORST = 0.5


def silent(belief: ZoneBelief, by_chance: float = BY_CHANCE) -> dict[str, int]:
    """The chips, with their values, that are believed to lie in the zone and are silent beyond chance.

    ``by_chance`` is how often a round may say so wrongly: more often where it is asked in a few rounds only.
    """
    lying = [track for track in belief.tracks.values() if track.standing is Standing.PRESENT]
    missed = sorted((track for track in lying if track.missed), key=lambda track: (-track.missed, track.uid))
    miss = math.log(min(belief.quality.missed_share, WORST))
    found: list[Track] = []
    doubtful: list[Track] = []
    for _, alike in groupby(missed, key=lambda track: track.missed):
        doubtful += alike  # beside chips that are missing already a chip is silent by chance as often as ever
        choices = math.comb(len(lying) - len(found), len(doubtful))
        if math.log(choices) + sum(track.missed for track in doubtful) * miss < math.log(by_chance):
            found += doubtful
            doubtful = []
    return {track.uid: track.value or 0 for track in found}
