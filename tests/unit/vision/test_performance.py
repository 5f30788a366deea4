"""Which profile a machine is told to use."""

import pytest

from betline.doctor.answer import State
from betline.settings import load_table
from betline.settings.performance import PROFILE_FPS, Performance
from vision.doctor import fitting, performance

PI_4, PI_5 = "Raspberry Pi 4 Model B Rev 1.4", "Raspberry Pi 5 Model B Rev 1.0"


@pytest.mark.parametrize(
    ("model", "picture_ms", "profile"),
    [
        (PI_4, 8.0, "pi-4"),
        ("Raspberry Pi Compute Module 4 Rev 1.1", 8.0, "pi-4"),
        (PI_5, 60.0, "pi-5"),
        ("", 8.0, "full"),
        ("", 16.6, "full"),
        ("", 16.7, "pi-5"),
        ("", 20.8, "pi-5"),
        ("", 20.9, "pi-4"),
        ("", 400.0, "pi-4"),
    ],
)
def test_a_profile_is_chosen_by_the_board_and_else_by_what_a_picture_takes(
    model: str, picture_ms: float, profile: str
) -> None:
    assert fitting(model, 30, picture_ms) == profile


@pytest.mark.parametrize("profile", list(PROFILE_FPS))
def test_a_table_is_warned_only_where_its_profile_asks_more_than_fits(profile: str) -> None:
    table = load_table("home-six")
    camera = table.cameras[0].model_copy(update={"fps": 30})
    table = table.model_copy(update={"performance": Performance.model_validate({"profile": profile})})

    states = {name: performance(table, camera, model, 8.0).state for name, model in (("4", PI_4), ("5", PI_5))}

    assert states == {
        "4": State.OK if profile == "pi-4" else State.WARNING,
        "5": State.WARNING if profile == "full" else State.OK,
    }


def test_the_remedy_is_a_line_of_the_table_file() -> None:
    table = load_table("home-six")
    answer = performance(table, table.cameras[0].model_copy(update={"fps": 30}), PI_4, 8.0)

    assert '[performance] profile = "pi-4"' in answer.remedy


def test_pictures_a_second_of_its_own_go_before_the_profile() -> None:
    assert Performance(profile="pi-4", camera_fps=20).fps == 20


def test_how_much_a_machine_looks_at_makes_no_other_table() -> None:
    table = load_table("home-six")
    slow = table.model_copy(update={"performance": Performance(profile="pi-4")})

    assert slow.config_hash() == table.config_hash()
