"""Every theme can be read, and nothing is told by colour alone."""

from itertools import combinations

import pytest
from textual.color import Color

from betline.messages.table import Alert, Question, SensorState
from table_controller.console.palette import CONTRAST, DARK, LIGHT, SAFE, THEMES, Palette
from table_controller.console.sample import sample_state
from table_controller.console.view import view_of
from tests.unit.console.table import TABLE, playing, state, three_pots
from tests.unit.console.test_drawing import contrast

PALETTES = Palette.all(TABLE)
SIZES = [(80, 24), (100, 30), (106, 33), (120, 40), (200, 50)]
QUESTION = Question(id="q1", seat=4, kind="unreported", sentence="2 and 3 folded?", choices=("folded", "out-of-turn"))


def colours(style):
    return Color.parse(style.color.name), Color.parse(style.bgcolor.name)


@pytest.mark.parametrize("theme", PALETTES)
def test_every_word_can_be_read_on_its_ground(theme):
    least = 7.0 if theme == CONTRAST else 4.5
    styles = PALETTES[theme].styles()
    words = {name: style for name, style in styles.items() if "/" not in name and not name.startswith("rail-")}
    assert {name for name, style in words.items() if contrast(*colours(style)) < least} == set()
    assert contrast(*colours(styles["rail-dim"])) >= 3.0  # the dealer's place, the only word on the rail


@pytest.mark.parametrize("felt_colour", ["#24476b", "#ffffff", "#300000"])
def test_the_light_theme_can_be_read_on_any_felt(felt_colour):
    other = TABLE.model_copy(update={"felt": TABLE.felt.model_copy(update={"colour": felt_colour})})
    palette = Palette.light(other)
    assert contrast(Color.parse(palette.text), Color.parse(palette.inner)) >= 4.5


def seen_with(colour, kind):
    """The colour as a person with that colour-blindness sees it (Machado and others, 2009, whole severity)."""
    matrices = {
        "protan": ((0.152286, 1.052583, -0.204868), (0.114503, 0.786281, 0.099216), (-0.003882, -0.048116, 1.051998)),
        "deutan": ((0.367322, 0.860646, -0.227968), (0.280085, 0.672501, 0.047413), (-0.011820, 0.042940, 0.968881)),
        "tritan": ((1.255528, -0.076749, -0.178779), (-0.078411, 0.930809, 0.147602), (0.004733, 0.691367, 0.303900)),
    }
    rgb = Color.parse(colour).normalized
    return tuple(255 * sum(part * value for part, value in zip(row, rgb, strict=True)) for row in matrices[kind])


@pytest.mark.parametrize("kind", ["protan", "deutan", "tritan"])
def test_the_colours_for_the_colour_blind_stay_apart(kind):
    safe = PALETTES[SAFE]
    tones = {"good": safe.good, "warn": safe.warn, "accent": safe.accent, "text": safe.text}
    for (one, first), (other, second) in combinations(tones.items(), 2):
        apart = sum((a - b) ** 2 for a, b in zip(seen_with(first, kind), seen_with(second, kind), strict=True)) ** 0.5
        assert apart > 45, (one, other, apart)


async def test_a_key_goes_through_all_colours_and_says_which():
    async with playing(state()) as table:
        seen = []
        for _ in THEMES:
            await table.press("f5")
            seen.append(table.app.theme)
        assert seen == [LIGHT, SAFE, CONTRAST, DARK]
        assert "Colours: dark." in table.text


async def test_high_contrast_goes_back_to_the_colours_before_it():
    async with playing(state()) as table:
        await table.press("f5", "h")
        assert table.app.theme == CONTRAST
        await table.press("h")
        assert table.app.theme == LIGHT


@pytest.mark.one_in(5)
@pytest.mark.parametrize("size", SIZES)
async def test_without_colours_the_screen_says_the_same(size, monkeypatch):
    texts = set()
    for no_color in (False, True):
        monkeypatch.delenv("NO_COLOR", raising=False)
        if no_color:
            monkeypatch.setenv("NO_COLOR", "1")
        async with playing(sample_state(TABLE), size=size) as table:
            assert table.app.no_color is no_color
            texts.add(table.text)
            await table.press("f5")
            table.clock.now_s += 20
            table.app._tick()
            await table.pilot.pause()
            texts.add(table.text)
    assert len(texts) == 1


def seats(**changes):
    return tuple(one.model_copy(update=changes) if one.seat == 4 else one for one in state().seats)


ALERTS = [Alert(severity=grave, code="x", sentence="Look.") for grave in ("info", "warning", "error")]
SENSORS = [SensorState(name="reader-1", state=now) for now in ("online", "stale", "offline", "unknown")]
TOLD_APART = {
    "whose turn it is": [state(), state(to_act=1), state(to_act=None)],
    "how a seat is": [state(to_act=1, seats=seats(status=status)) for status in ("in", "folded", "all-in", "out")],
    "how grave an alert is": [state(alerts=(alert,)) for alert in ALERTS],
    "how a sensor is": [state(sensors=(sensor,)) for sensor in SENSORS],
    "whether something is asked": [state(), state(questions=(QUESTION,))],
    "what must still move": [state(), state(seats=seats(owes=5)), state(seats=seats(change_due=5))],
    "whether bets are taken in": [three_pots(), state()],
}


@pytest.mark.parametrize("what", TOLD_APART)
def test_what_colour_tells_words_or_marks_tell_too(what):
    views = [view_of(one, TABLE) for one in TOLD_APART[what]]
    marks = [
        (
            view.headline, view.acting, view.questions, [(line.mark, line.text) for line in view.alerts],
            [(line.mark, line.text) for line in view.sensors], [(plate.mark, plate.notes) for plate in view.plates],
            view.taking_in,
        )
        for view in views
    ]  # fmt: skip
    assert all(one != other for one, other in combinations(marks, 2))
