"""Change that is bet again as soon as the bet it was made of has been gathered (R-070, R-298)."""

import pytest

from tests.unit.sensing.felt import Chip, Felt
from tests.unit.sensing.test_acts import at_ease


def rebet(*, gathered: bool, bet: int = 3) -> Felt:
    """Seat 1 bet 3 with a chip of 5; as much as that came from the tray, the chip went to the pot or the tray."""
    felt = at_ease(camera=False)
    tray: list[Chip] = felt.chips([1] * bet)
    felt.put("tray", tray)
    felt.run(2500)
    over = felt.push(1, [5])
    felt.run(1500)
    felt.book(1, bet=3, change_due=2)
    felt.tell(phase="round-over", to_act=None)
    felt.run(1000)
    felt.take("seat-1", over)
    felt.put("pot" if gathered else "tray", over)
    felt.run(1500)
    felt.take("tray", tray)
    felt.came |= {chip.uid: ("tray", felt.now_ns) for chip in tray}
    felt.run(1500)
    felt.put("seat-1", tray)
    felt.run(2500)
    felt.begin(street="turn")
    felt.run(1500)
    return felt


@pytest.mark.parametrize("gathered", [True, False])
def test_chips_of_the_tray_worth_the_bet_are_no_change_of_it_once_it_lies_in_the_pot(gathered: bool) -> None:
    felt = rebet(gathered=gathered)

    assert [(one.kind, one.seats) for one in felt.sensing.questions.values()] == [("amount", (1,))] * gathered
    assert len(felt.acts) == 1


def test_the_dealer_keys_it_and_its_chips_are_no_act_besides() -> None:
    felt = rebet(gathered=True)
    felt.book(1, bet=3, keyed=3)
    felt.passes()
    felt.run(2000)

    assert not felt.sensing.questions
    assert len(felt.acts) == 1
