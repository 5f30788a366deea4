"""Which moments of a case can be asked about, and under which rules."""

from pathlib import Path

from betline.cases import Case, parse_cases
from betline.settings import load_house_rules
from table_controller.training.moments import House, moments_of, own_house

STORY = """
- id: one-story
  game: {{limit: no-limit, blinds: [50, 100]}}
  house: {house}
  button: 3
  seats: {{1: 9000, 2: 9000, 3: 9000}}
  start: {{street: flop, pot: 300}}
  play:
    - {{seat: 1, action: bet, to: 300}}
    - expect: {{next: 2}}
    - {step}
    - expect: {{next: 3}}
    - {{seat: 3, says: call}}
    - expect: {{next: 1}}
"""


def story(step: str, house: str = "{profile: tda}") -> Case:
    return parse_cases(STORY.format(step=step, house=house), Path("story.yaml"))[0]


def numbers(case: Case, house: House | None = None) -> list[int]:
    return [moment.number for moment in moments_of(case, house)]


def test_each_step_that_the_case_says_something_of_is_a_moment() -> None:
    moments = list(moments_of(story("{seat: 2, chips: [1000]}")))

    assert [moment.number for moment in moments] == [1, 3, 5]
    assert [moment.physical is not None for moment in moments] == [False, True, True]
    assert moments[1].expected == {"next"}


def test_a_story_ends_before_a_step_that_the_rules_refuse() -> None:
    assert numbers(story("{seat: 2, action: raise, to: 400}")) == [1]


def test_a_story_ends_before_more_chips_than_there_are() -> None:
    assert numbers(story("{seat: 2, chips: {1000: 10}}")) == [1]


def test_a_story_ends_with_what_only_the_floor_can_say() -> None:
    assert numbers(story("{seat: 2, says: umpteen, chips: [1000]}")) == [1, 3]


def test_a_story_ends_before_a_step_that_is_not_told() -> None:
    assert numbers(story("{counts: {seat: 2, stack: 300}}")) == [1]


def test_a_case_is_asked_by_the_shipped_rules_that_it_is_nearest_to() -> None:
    case = story("{seat: 2, chips: [1000]}", "{profile: cash, tiny_chip: call}")

    assert own_house(case.setup).name == "cash"
    assert {moment.house.title for moment in moments_of(case)} == {"cardroom cash rules"}


def test_another_house_rules_the_same_story_by_its_own_rules() -> None:
    strict = House("strict", load_house_rules("tda", {"half_standard": False}))
    case = story("{seat: 2, chips: [300, 100, 100]}")

    def ruled(house: House | None) -> list[str]:
        return [moment.outcome.ruling.ruling.value for moment in moments_of(case, house) if moment.outcome.ruling]

    assert ruled(None)[1] == "raise"
    assert ruled(strict)[1] == "call"
