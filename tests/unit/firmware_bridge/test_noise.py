"""An antenna's noise: disturbed rounds and tags heard once that nobody has; chips from beside are none."""

from collections import Counter

from firmware_bridge.noise import Rounds

OURS, STRANGER, NEIGHBOUR = "E0AA", "E0BB", "E0CC"


def rounds(**hits: int) -> Rounds:
    return Rounds(12, hits=Counter(hits))


def test_a_neighbours_chip_heard_in_passing_is_no_noise() -> None:
    known = rounds(E0CC=1)
    assert known.made_up({NEIGHBOUR}) == ()
    assert known.strays(known.made_up({NEIGHBOUR})) == 1


def test_a_strange_tag_that_is_heard_again_is_a_tag_and_no_noise() -> None:
    assert rounds(E0BB=2).made_up(()) == ()
    assert rounds(E0BB=1).made_up(()) == (STRANGER,)


def test_missed_reads_are_those_of_chips_that_lie_there() -> None:
    heard = rounds(E0AA=6, E0CC=1)
    assert heard.lying == {OURS: 6}
    assert heard.missed == 0.5
    assert heard.weakest() == (OURS, 6)


def test_the_weakest_signal_is_that_of_the_weakest_lying_chip() -> None:
    heard = rounds(E0AA=12, E0BB=12, E0CC=1)
    heard.signals = {OURS: [-50, -52, -70], STRANGER: [-61, -60, -62], NEIGHBOUR: [-90]}
    assert heard.weakest_signal() == -61
    assert rounds(E0AA=12).weakest_signal() is None
