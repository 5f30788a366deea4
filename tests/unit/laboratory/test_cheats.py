"""The bench of cheats: what is done is raised in time, and a controller that says nothing is found out."""

import json
from dataclasses import replace

import pytest

from betline.front_door import run
from betline.messages.table import Alert, Ruling
from virtual_table.bench import cheats
from virtual_table.bench.cheats import TARGET_MS, USUAL_MISSED, WAIT_S, Acted, Honest, act_out, said_of, table_of
from virtual_table.laboratory.cheats import moments
from virtual_table.laboratory.cheats.catalogue import CHEATS, Cheat
from virtual_table.laboratory.laboratory import Conditions, Laboratory, with_stack_readers
from virtual_table.laboratory.stage import HandSpoilt, NoSuchMoment, Stage

SEED = 5000
FROM_THE_POT, NOT_GATHERED, FROZEN = (
    pytest.param(name, marks=pytest.mark.nightly)
    for name in ("taken-from-the-pot", "a-bet-not-gathered", "frozen-reader")
)
"""The cheats that take longest to play."""
WAITS_MS = {"a-bet-not-gathered": 2_000}
"""The time in which a dealer's other hand brings the rest of the bets."""


def cheat(name: str) -> Cheat:
    return next(one for one in CHEATS if one.name == name)


def raised(one: Cheat, *, camera: bool = False, seed: int = SEED) -> float | None:
    """How long after a cheat was done it was raised; None: it was not."""
    acted = act_out(one, table_of(camera=camera), seed)
    assert acted is not None
    return acted.raised_ms


def waits(stage: Stage) -> float:
    """Nobody does anything."""
    return stage.now_s


@pytest.mark.one_in(6)
@pytest.mark.parametrize("camera", [True, False], ids=["camera", "readers alone"])
@pytest.mark.parametrize("name", ["capping", "pinching", "out-of-turn", FROM_THE_POT, NOT_GATHERED])
def test_a_cheat_is_raised_in_time(name: str, camera: bool) -> None:
    raised_ms = raised(cheat(name), camera=camera)
    assert raised_ms is not None
    assert raised_ms <= max(TARGET_MS, WAITS_MS.get(name, 0) + 250)


@pytest.mark.nightly
@pytest.mark.parametrize("name", ["capping", FROM_THE_POT])
def test_a_controller_that_raises_nothing_fails_the_bench(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("table_controller.sensing.following.standing", lambda *_: {})
    assert act_out(cheat(name), table_of(camera=True), SEED) == Acted(None, None, False)


@pytest.mark.nightly
@pytest.mark.parametrize("name", ["capping", FROM_THE_POT, FROZEN])
def test_where_nobody_cheats_nothing_is_raised(name: str) -> None:
    assert raised(replace(cheat(name), act=waits)) is None


@pytest.mark.nightly
@pytest.mark.parametrize("seed", [5004, 6002])
def test_a_call_with_copies_is_looked_for_until_somebody_calls_another(seed: int) -> None:
    assert raised(cheat("call-with-copies"), seed=seed) is not None


@pytest.mark.nightly
def test_a_cheat_that_no_hand_allows_is_not_acted_out(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(cheats, "EVENINGS_TRIED", 1)
    monkeypatch.setattr("virtual_table.laboratory.stage.HANDS_TRIED", 1)
    never = replace(cheat("capping"), when=lambda _: False)
    assert act_out(never, table_of(camera=False), SEED) is None


@pytest.mark.nightly
def test_where_a_moment_does_not_lend_itself_the_evening_is_played_on_to_the_next(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Number 945,000 was the one that found no hand for swap-down in ten evenings, a moment in each."""
    monkeypatch.setattr(cheats, "EVENINGS_TRIED", 1)
    moments: list[tuple[int, float]] = []

    def third_time(stage: Stage) -> float:
        assert stage.acting is not None
        moments.append((stage.state.hand_no, stage.now_s))
        if len(moments) < 3:
            raise NoSuchMoment
        return cheat("capping").act(stage)

    acted = act_out(replace(cheat("capping"), act=third_time), table_of(camera=False), SEED)
    assert acted is not None
    assert acted.raised_ms is not None
    assert moments == sorted(set(moments))
    assert len(moments) == 3


@pytest.mark.nightly
def test_no_evening_is_played_on_where_something_was_done_before_it_showed_that_it_does_not_suit(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(cheats, "EVENINGS_TRIED", 1)
    tried: list[int] = []

    def spoils(stage: Stage) -> float:
        tried.append(stage.lab.seed)
        raise HandSpoilt

    assert act_out(replace(cheat("capping"), act=spoils), table_of(camera=False), SEED) is None
    assert tried == [SEED]


def test_a_cheat_that_was_not_tried_is_named_and_the_others_are_reported(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    acted = {"capping": [Acted(100, 60, False)], "swap-down": []}
    report = cheats._report(acted, {USUAL_MISSED: Honest()}, {"swap-down": 6})
    monkeypatch.setattr(cheats, "measure", lambda _progress, *, full: report)
    assert run(["bench", "cheats", "--json"]) == 1
    told = capsys.readouterr()
    rows = json.loads(told.out)["cheats"]
    assert (rows["swap-down"]["raised"], rows["swap-down"]["of"], rows["swap-down"]["ms_p95"]) == (0, 0, None)
    assert rows["capping"]["raised"] == 1
    assert "no hand of 10 evenings allowed it: swap-down (6 of 6). Try another --seed." in told.err
    [row] = [line.split() for line in told.err.splitlines() if line.startswith("swap-down")]
    assert row == ["swap-down", "0", "of", "0,", "not", "tried", "all,", "2000", "ms"]


@pytest.mark.nightly
def test_a_frozen_reader_is_named() -> None:
    raised_ms = raised(cheat("frozen-reader"))
    assert raised_ms is not None
    assert raised_ms <= TARGET_MS


@pytest.mark.nightly
def test_a_stack_that_goes_south_is_named_where_antennas_read_stacks() -> None:
    gone = cheat("stack-gone-south")
    assert gone.stacks
    acted = act_out(gone, with_stack_readers(table_of(camera=False)), SEED)
    assert acted is not None
    assert acted.raised_ms is not None


@pytest.mark.nightly
@pytest.mark.parametrize("name", ["change-kept", "change-kept-by-the-last-caller", "300-strange-chips"])
def test_what_takes_some_seconds_is_raised_while_the_bench_waits(name: str) -> None:
    assert raised(cheat(name)) is not None


@pytest.mark.nightly
def test_change_that_is_kept_at_the_showdown_is_named() -> None:
    last = cheat("change-kept-by-the-last-caller")
    phases: list[str] = []

    def on_the_river(stage: Stage) -> bool:
        return stage.state.street == "river" and last.when(stage)

    def kept(stage: Stage) -> float:
        done_s = last.act(stage)
        stage.lab.let(done_s + 1 - stage.now_s)
        phases.append(stage.state.phase)
        return done_s

    assert raised(replace(last, when=on_the_river, act=kept), seed=968_000) is not None
    assert phases == ["showdown"]


@pytest.mark.nightly
def test_chips_that_are_slipped_onto_a_blind_fold_nobody_who_has_not_acted() -> None:
    """The table is a home game, in which silent seats are taken to have passed."""

    def blind_waits(stage: Stage) -> bool:
        later = moments.later(stage)
        return stage.acting is not None and later is not None and stage.seat(later).bet > 0

    slipped = replace(cheat("out-of-turn"), when=blind_waits)
    acted = act_out(slipped, table_of(camera=False), SEED)
    assert acted is not None
    assert acted.raised_ms is not None
    assert acted.raised_ms <= TARGET_MS
    assert not acted.misread


@pytest.mark.nightly
def test_who_bet_is_a_seat_of_this_hand() -> None:
    """In number 967,002 the big blind of a hand had called last in the one before."""
    stage = Stage(Laboratory(table_of(camera=False), 967_002, Conditions()))
    bettors: list[tuple[int, int | None]] = []

    def noted(stage: Stage) -> bool:
        acts = [one.body for one in stage.lab.messages if isinstance(one.body, Ruling)]
        of_hand = [one for one in acts if one.hand_no == stage.state.hand_no]
        bettors.append((len(of_hand), stage.bettor))
        return len(bettors) == 40

    stage.play_until(noted)
    assert [bettor for acts, bettor in bettors if not acts and bettor is not None] == []
    assert [bettor for acts, bettor in bettors if bettor is not None]


@pytest.mark.nightly
def test_what_is_said_of_people_who_are_taken_for_honest_counts() -> None:
    stage = Stage(Laboratory(table_of(camera=False), SEED, Conditions()))
    began_s = stage.now_s
    taken = cheat("taken-from-the-pot")
    stage.play_until(taken.when)
    assert not said_of(stage.lab, began_s, 1).false
    taken.act(stage)
    stage.lab.let(WAIT_S)
    honest = said_of(stage.lab, began_s, 1)
    assert honest.false == {"pot-short": 1}
    assert honest.per_hour == pytest.approx(3600 / (stage.now_s - began_s))


@pytest.mark.nightly
@pytest.mark.parametrize("camera", [True, False], ids=["camera", "readers alone"])
def test_a_bag_of_strange_chips_beside_the_seat_to_act_stops_no_ruling_and_is_named(camera: bool) -> None:
    stage = Stage(Laboratory(table_of(camera=camera), 6100, Conditions()))

    def free() -> list[int]:
        """The seats beside the one to act at which nobody sits and nothing lies."""
        assert stage.acting is not None
        assert stage.script is not None
        seats = [seat.number for seat in stage.lab.table.seats]
        place = seats.index(stage.acting.seat)
        near = (seats[place - 1], seats[(place + 1) % len(seats)])
        return [seat for seat in near if seat not in stage.script.seats and seat not in stage.betting]

    stage.play_until(
        lambda now: now.acting is not None and now.acting.kind in ("bet", "raise", "call") and bool(free())
    )
    seat = free()[0]
    stage.lie_too([f"E00401000001{number:04X}" for number in range(300)], f"seat-{seat}")
    stage.resume()
    report = stage.lab.report
    assert (report.wrong, report.asked) == (0, 0)
    alerts = [told.body for told in stage.lab.messages if isinstance(told.body, Alert)]
    named = {one.zone or f"seat-{one.seat}" for one in alerts if one.code == "unknown-chip"}
    assert named == {f"seat-{seat}"}


def test_the_json_has_a_key_a_cheat_and_the_false_alerts_beside_them(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    honest = {USUAL_MISSED: Honest()}
    acted = {"capping": [Acted(100, 60, False), Acted(300, 90, False)]}
    monkeypatch.setattr(cheats, "measure", lambda _progress, *, full: cheats._report(acted, honest, {}))
    assert run(["bench", "cheats", "--json"]) == 0
    out = json.loads(capsys.readouterr().out)
    assert out["cheats"]["capping"] == {
        "raised": 2, "of": 2, "ms_p95": 300, "due_ms": 0, "ms_p95_from_due": 300, "told_ms_p95": 90, "ruled": 0,
    }  # fmt: skip
    assert out.keys() == {"cheats", "false_per_hour", "false_per_hour_by_missed"}
    assert out["false_per_hour"] == 0
