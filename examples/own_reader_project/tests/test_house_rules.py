"""Rules of our house: in simulated time, with the real programs (--betline-live), or over a reader on the bench
(--betline-port seat-3=/dev/ttyUSB0,protocol=chafon). The tests are the same.
"""

import pytest

pytestmark = pytest.mark.betline(seats={1: 10_000, 2: 10_000, 3: 10_000})


def test_one_large_chip_without_a_word_is_a_call(virtual_table):
    table = virtual_table
    table.next_hand(button=3)

    table.seat(3).pushes(1000)

    table.expect(ruling="call", to=100, returned=900, cites=["TDA-44"], next=1, call=50)


def test_a_bare_raise_waits_for_its_amount(virtual_table):
    table = virtual_table
    table.next_hand(button=3)

    table.seat(3).says("raise")
    table.expect(ruling="none", alerts="amount-pending", next=3)
    table.seat(3).pushes(500, 100)

    table.expect(ruling="raise", to=600, next=1)
    assert table.seat(3).chips == (500, 100)


@pytest.mark.betline(house={"profile": "tda", "big_blind_overchip": "raise"})
def test_in_our_house_the_big_blinds_large_chip_is_a_raise(virtual_table):
    table = virtual_table
    table.next_hand(button=3)
    table.seat(3).calls()
    table.seat(1).calls()
    table.expect(next=2, call=0)

    table.seat(2).pushes(500)

    table.expect(ruling="raise", to=600, next=3)
