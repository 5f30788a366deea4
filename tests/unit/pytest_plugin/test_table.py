"""Tests that play at a table, as anybody's tests do: the fixtures are those of the installed plugin."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from betline.settings import config_dir, load_table
from betline.settings.load import parse
from virtual_table.faults.event import KINDS
from virtual_table.faults.plan import TablePlan
from virtual_table.pytest_plugin import BrokerProgram, Clock, LabError, Table, Unexpected
from virtual_table.pytest_plugin.live_faults import check_plan, is_here, without
from virtual_table.pytest_plugin.seat import Seat
from virtual_table.pytest_plugin.setting import setting_of, stacks_of, table_of
from virtual_table.pytest_plugin.simulated import Simulated

THREE = pytest.mark.betline(seats={1: 10_000, 2: 10_000, 3: 10_000})


@THREE
def test_a_hand_from_the_blinds_to_the_pot(virtual_table: Table) -> None:
    table = virtual_table
    table.next_hand(button=3)
    table.expect(street="preflop", button=3, small_blind=1, big_blind=2, bets={1: 50, 2: 100, 3: 0}, next=3)
    table.seat(3).pushes(500)
    table.expect(ruling="call", to=100, returned=400, next=1)
    table.seat(1).folds()
    table.expect(ruling="fold", next=2)
    table.seat(2).checks()
    table.expect(ruling="check", round_over=True, pot=250)

    table.dealer.deals("flop")
    table.expect(street="flop", next=2, call=0)
    assert table.seat(3).stack == 9900
    table.seat(2).pushes(500, 100)
    table.expect(ruling="bet", to=600)
    table.seat(3).raises(2000)
    table.expect(ruling="raise", to=2000, next=2, call=1400)
    table.seat(2).folds()
    table.expect(hand_over=True)
    table.dealer.awards(3)

    assert [table.seat(seat).stack for seat in (1, 2, 3)] == [9950, 9300, 10_750]
    table.next_hand()
    table.expect(button=1, bets={2: 50, 3: 100})


@THREE
def test_words_and_chips_that_are_pushed_and_taken_back(virtual_table: Table) -> None:
    table = virtual_table
    table.next_hand(button=3)
    three = table.seat(3)
    three.says("raise")
    table.expect(ruling="none", alerts="amount-pending", next=3)
    three.pushes(500, 100)
    table.expect(ruling="raise", to=600, next=1)
    assert three.chips == (500, 100)
    assert {tag.uid for tag in table.zone("seat-3") if tag.signal > 0.35} == set(three.uids)

    three.takes_back(100)
    assert three.chips == (500,)


@THREE
@pytest.mark.nightly
def test_a_second_motion_is_a_string_bet(virtual_table: Table) -> None:
    table = virtual_table
    table.next_hand(button=3)
    table.seat(3).calls()
    table.expect(ruling="call", next=1)

    table.seat(1).pushes([100], [500])

    table.expect(ruling="call", to=100, alerts="string-bet", next=2)


@THREE
def test_a_key_is_the_act_of_its_seat_and_a_refused_one_is_told_by_its_code(virtual_table: Table) -> None:
    virtual_table.next_hand(button=3)

    reply = virtual_table.dealer.keys("act", seat=1, action="check")

    assert not reply.ok
    virtual_table.expect(error=reply.code, next=3)
    virtual_table.dealer.keys("act", seat=3, action="fold")
    virtual_table.expect(ruling="fold", next=1)


@THREE
def test_a_reader_that_is_unplugged_is_told_and_comes_back(virtual_table: Table, clock: Clock) -> None:
    began_s = clock.now_s
    virtual_table.faults.unplug("reader-3", for_s=4.0)
    virtual_table.expect(alerts="reader-down")
    clock.let(4.0)

    assert clock.until(lambda: not any(one.code == "reader-down" for one in virtual_table.state.alerts))
    assert clock.now_s - began_s < 20


@THREE
@pytest.mark.nightly
def test_a_controller_that_is_killed_goes_on_in_the_middle_of_the_hand(virtual_table: Table) -> None:
    table = virtual_table
    table.next_hand(button=3)
    table.faults.kill("controller", for_s=0.5)
    table.let(2.0)

    table.seat(3).pushes(500)

    table.expect(ruling="call", to=100, next=1)


@pytest.mark.nightly
@pytest.mark.betline(
    table="home-six", seats={1: 200, 2: 200, 3: 200}, game={"limit": "no-limit", "blinds": [1, 2], "ante": 1}
)
def test_antes_go_to_the_pot(virtual_table: Table) -> None:
    virtual_table.next_hand(button=3)

    virtual_table.expect(pot=6, bets={1: 1, 2: 2}, stacks={3: 199})
    assert virtual_table.world.value(virtual_table.world.pot()) == 3


@THREE
def test_nothing_is_ruled_while_chips_only_go_over_the_line_and_back(virtual_table: Table) -> None:
    virtual_table.next_hand(button=3)
    virtual_table.seat(3).carries_back(25)
    virtual_table.expect_no_ruling(for_s=2.0)

    virtual_table.seat(3).pushes(100)
    with pytest.raises(Unexpected, match="no ruling was expected, got call"):
        virtual_table.expect_no_ruling(for_s=5.0)


@pytest.mark.betline(seats={1: 10_000, 2: 10_000, 3: 10_000})
def test_nobody_acts_at_an_empty_seat(virtual_table: Table) -> None:
    for acts in (virtual_table.seat(5).calls, virtual_table.seat(5).taps, lambda: virtual_table.seat(5).pushes(100)):
        with pytest.raises(LabError, match="Nobody sits at seat 5: "):
            acts()


def test_the_felt_of_a_failing_test_is_as_large_as_what_shows_it(virtual_table: Table) -> None:
    with pytest.raises(Unexpected, match="the felt: ") as told:
        virtual_table.expect(pot=7)
    drawn = Path(str(told.value).rpartition("the felt: ")[2].split()[0]).read_text("utf-8")
    assert drawn.startswith('<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ')


def test_what_cannot_be_is_refused_with_a_sentence(virtual_table: Table) -> None:
    table = virtual_table
    for impossible, sentence in (
        (lambda: table.seat(9), "has no seat 9"),
        (lambda: table.zone("seat-9"), "No antenna serves a zone seat-9"),
        (lambda: table.seat(3).pushes(), "cannot push nothing"),
        (lambda: table.seat(3).pushes(7), "no 7 chip"),
        (lambda: table.seat(3).pushes(100, motions=2), "1 chips cannot be pushed in 2 motions"),
        (lambda: table.seat(3).takes_back(100), "has no 100 before it"),
        (lambda: table.seat(3).mucks(), "has no cards"),
        (lambda: table.dealer.keys("dance"), "no command dance"),
        (lambda: table.dealer.pushes_pot(3), "no pot to push"),
        (lambda: table.dealer.answers("bet"), "Nothing is asked"),
        (lambda: table.seat(3).pushes(5000, 5000, 100), "Seat 3 has 10,000 in its stack; 5000 5000 100 is 10,100."),
        (lambda: table.faults.unplug("reader-9"), "no reader reader-9"),
        (lambda: table.replace_reader("reader-3", "/dev/ttyUSB0"), "--betline-live"),
        (lambda: table.expect(colour="red"), "expect\\(\\) cannot be understood"),
    ):
        with pytest.raises(LabError, match=sentence):
            impossible()


@pytest.mark.parametrize(
    ("chips", "motions", "groups"),
    [
        ((500, 100), 1, [[500, 100]]),
        ((500, 100, 25), 2, [[500, 100], [25]]),
        (([500], [100, 25]), 1, [[500], [100, 25]]),
    ],
)
def test_chips_are_pushed_in_the_motions_that_are_asked_for(chips, motions, groups) -> None:
    assert Seat(None, 3)._groups(chips, motions) == groups


@pytest.mark.betline(
    seats={1: 5000, 2: 5000, 3: 5000},
    game={
        "limit": "fixed-limit", "streets": "stud", "blinds": [], "bets": [100, 100, 200, 200, 200], "ante": 25,
        "bring_in": 50,
    },
)  # fmt: skip
def test_a_hand_of_stud_has_a_bring_in_and_a_card_a_street(virtual_table: Table) -> None:
    table = virtual_table
    table.next_hand()
    assert table.dealer.keys("bring-in", seat=1).ok
    table.seat(1).pushes(25, 25)
    table.expect(bets={1: 50}, pot=125, next=2)
    table.seat(2).pushes(25, 25, 25, 25)
    table.expect(ruling="complete", to=100)
    table.seat(3).folds()
    table.seat(1).calls()
    table.expect(ruling="call", round_over=True, pot=275)

    table.dealer.deals("fourth", first=2)

    table.expect(street="fourth", bets={1: 0, 2: 0}, next=2)
    assert [table.world.hole_cards(seat) for seat in (1, 2, 3)] == [4, 4, 0]
    table.seat(2).bets(100)
    table.expect(ruling="bet", to=100)


@pytest.mark.nightly
@pytest.mark.parametrize(("streets", "bets"), [("draw", [100, 200]), ("triple-draw", [100, 100, 200, 200])])
def test_a_hand_of_draw_goes_on_after_the_draw(request: pytest.FixtureRequest, streets: str, bets: list[int]) -> None:
    game = {"limit": "fixed-limit", "streets": streets, "bets": bets, "blinds": [50, 100]}
    request.node.add_marker(pytest.mark.betline(seats={1: 5000, 2: 5000, 3: 5000}, game=game))
    table: Table = request.getfixturevalue("virtual_table")
    table.next_hand(button=3)
    for seat in (3, 1):
        table.seat(seat).calls()
        table.expect(ruling="call", to=100)
    table.seat(2).checks()

    table.dealer.deals("postdraw" if streets == "draw" else "first")

    table.expect(next=1, call=0)
    table.seat(1).bets(bets[1])
    table.expect(ruling="bet", to=bets[1])
    with pytest.raises(LabError, match="flop2 is no street"):
        table.dealer.deals("flop2")


@pytest.mark.parametrize("what", sorted(set(KINDS) - {"burst"}))
def test_any_fault_of_the_language_begins_by_its_name(lying_table: Table, what: str) -> None:
    amounts = {
        "misreads": {"reading": {"missed": 0.2}}, "latency": {"latency_ms": 40}, "clock-step": {"step_s": 3},
    }.get(what, {})  # fmt: skip
    on = "controller" if what == "kill" else ""
    struck = lying_table._way.table.faults.struck  # type: ignore[attr-defined]
    before = struck[what]

    lying_table.faults.begin(what, on, for_s=2, **amounts)

    assert struck[what] > before


def test_a_plan_begins_in_the_middle_of_a_test(lying_table: Table) -> None:
    struck = lying_table._way.table.faults.struck  # type: ignore[attr-defined]
    before = struck["camera-frozen"]

    lying_table.faults.play("[[events]]\nwhat = 'camera-frozen'\nat_s = 1\nevery_s = 2")
    lying_table.let(4)

    assert struck["camera-frozen"] == before + 2


@pytest.mark.parametrize(
    ("begin", "sentence"),
    [
        (lambda faults: faults.begin("misread"), "There is no fault misread: did you mean misreads?"),
        (lambda faults: faults.begin("misreads"), "misreads needs reading"),
        (lambda faults: faults.begin("unplug", "reader-9"), "there is no reader reader-9"),
        (lambda faults: faults.begin("unplug", share=0.2), "share is not of unplug, which takes no amount"),
        (lambda faults: faults.begin("stuck", loud=1), "loud is not a known key"),
        (lambda faults: faults.begin("burst", chances={"late": 1}), "no lines and no bytes.*--betline-live"),
        (lambda faults: faults.play("[reading]\nmissed = 1"), "holds from the beginning: give the plan to the marker"),
        (lambda faults: faults.play("nowhere.toml"), "nowhere.toml cannot be read"),
    ],
)
def test_a_fault_that_cannot_be_is_refused_with_a_sentence(lying_table: Table, begin, sentence: str) -> None:
    with pytest.raises(LabError, match=sentence):
        begin(lying_table.faults)


@pytest.mark.parametrize(
    ("event", "sentence"),
    [
        ({"what": "clock-step", "step_s": 2}, "clock-step cannot be played live"),
        ({"what": "kill", "on": "any"}, "the broker, which serves other tests too: name controller"),
        ({"what": "kill", "on": "broker"}, "the broker, which serves other tests too"),
        ({"what": "broker-away"}, "the broker at host.example:1883 is not on this machine"),
        ({"what": "stuck", "on": "reader-3"}, "reader-3 is a reader of your own: stuck is not ours to do"),
        ({"what": "camera-frozen"}, "camera-frozen strikes a camera.*--betline-frames"),
        ({"what": "unplug", "on": "reader-9"}, "there is no reader reader-9"),
    ],
)
def test_what_cannot_be_done_to_a_live_table_is_refused(event: dict[str, object], sentence: str) -> None:
    table = load_table("home-six").model_copy(update={"cameras": ()})
    plan = parse(TablePlan, {"events": [{"at_s": 0, **event}]}, "plan")

    with pytest.raises(LabError, match=sentence):
        check_plan(plan, table, {"reader-3"}, BrokerProgram("host.example", 1883))


def test_a_fault_of_all_readers_leaves_those_of_somebody_else_alone() -> None:
    table = load_table("home-six")
    plan = parse(TablePlan, {"events": [{"what": "stuck", "at_s": 0}]}, "plan")

    check_plan(plan, table, {"reader-3"}, BrokerProgram("127.0.0.1", 1883))

    (one,) = plan.occurrences(without(table, {"reader-3"}), 1)
    assert one.on == tuple(reader.id for reader in table.readers if reader.id != "reader-3")


@pytest.fixture(scope="module")
def lying_table(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Table]:
    """A table at which nothing is played, only struck."""
    setting = setting_of({"seats": {1: 500, 2: 500}})
    way = Simulated(setting)
    yield Table(way, stacks_of(setting, way.settings), tmp_path_factory.mktemp("struck"))
    way.close()


def test_a_tables_file_may_be_given_as_a_path() -> None:
    file = config_dir() / "tables" / "home-six.toml"
    assert table_of(setting_of({"table": file})).name == "home-six"


@pytest.mark.parametrize(("host", "here"), [("127.0.0.1", True), ("localhost", True), ("table.lan", False)])
def test_a_broker_on_this_machine_is_known_by_either_name(host: str, here: bool) -> None:
    assert is_here(BrokerProgram(host, 1883)) is here
