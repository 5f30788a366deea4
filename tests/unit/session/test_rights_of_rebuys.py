"""A command that does several things takes the right of each of them."""

from betline.settings import StaffRules
from betline.steps import Answer, SeatPlayers
from table_controller.session import rebuys
from table_controller.session.author import Author
from table_controller.session.questions import open_questions
from table_controller.session.rights import denied
from tests.unit.session.desk import Desk
from tests.unit.session.test_rebuys import asked, busted

DEALER = Author(person="p-1", name="Bob", role="dealer")
FLOOR = Author(person="p-2", name="Ann", role="floor")
MONEY_IS_THE_FLOORS = StaffRules(rights={"rebuy": ("floor",), "sit-down": ("floor",)})


def test_seating_several_players_takes_the_right_to_seat_one() -> None:
    wanted = SeatPlayers(seats=(1, 2))
    refused = denied(DEALER, wanted, Desk().session.book, (), MONEY_IS_THE_FLOORS)
    assert refused is not None
    assert refused.needs == ("floor",)
    assert denied(FLOOR, wanted, Desk().session.book, (), MONEY_IS_THE_FLOORS) is None


def test_answering_that_a_seat_rebuys_takes_the_right_to_sell_chips() -> None:
    desk = busted()
    question, book = asked(desk).id, desk.session.book
    found = open_questions(book, desk.session.sensing, rebuys=rebuys.questions(book, desk.terms))

    def of(choice: str) -> bool:
        return denied(DEALER, Answer(question=question, choice=choice), book, found, MONEY_IS_THE_FLOORS) is None

    assert [of(choice) for choice in asked(desk).choices] == [False, True, True]
