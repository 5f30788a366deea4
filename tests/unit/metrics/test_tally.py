"""How long things took, by bucket."""

from betline.tally import Tally


def test_a_time_counts_in_each_bucket_from_its_own_bound_on() -> None:
    tally = Tally((0.1, 0.5))

    for took_s in (0.1, 0.2, 7.0):
        tally.note(took_s)

    assert tally.up_to() == ((0.1, 1), (0.5, 2), (float("inf"), 3))
    assert tally.total_s == 7.3
