"""Scripts: what they mean is what PokerKit and arithmetic say."""

import json
import shutil
from contextlib import contextmanager
from types import SimpleNamespace

import pytest

from betline.front_door import run
from betline.settings import config_dir, load_table
from virtual_table.run.run_table import RunFiles, runtime_table, write_table
from virtual_table.scripts.catalogue import best_chips_for, evening_of, find, hands_of, random_hands, shipped_scripts
from virtual_table.scripts.chip_sets import fitting_chip_set
from virtual_table.scripts.expected_chips import ExpectedChips
from virtual_table.scripts.phh_script import script_of
from virtual_table.scripts.script import Awarded, Chopped, PlayerAct, ScriptError, StreetDealt


def replay(script):
    """The stacks that the acts of a script leave, its winners unpaid, and what is in the pot."""
    chips = ExpectedChips(script.seats, script.pot)
    for seat, ante in script.antes.items():
        chips.post(seat, ante, dead=True)
    for seat, blind in (*script.posts.items(), *script.straddles.items()):
        chips.post(seat, blind)
    for step in script.steps:
        if isinstance(step, PlayerAct) and step.kind not in ("fold", "check"):
            chips.bet_to(step.seat, step.to)
        elif isinstance(step, StreetDealt | Awarded):
            back = chips.uncalled()
            if back:
                chips.take_back(*back)
            chips.gather()
        elif isinstance(step, Chopped):
            for seat, blind in script.posts.items():
                chips.take_back(seat, blind)
    return chips


@pytest.mark.parametrize("table", ["casino-oval", "home-six"])
@pytest.mark.parametrize("seed", [1, 2, 3])
def test_what_random_players_put_in_is_what_pokerkit_pays_out(table, seed):
    _, hands = random_hands(load_table(table), seed, 40)
    for hand in hands:
        chips = replay(hand)
        assert min(chips.stacks.values()) >= 0
        won = {seat: hand.finishing[seat] - chips.stacks[seat] for seat in chips.stacks}
        assert min(won.values()) >= 0
        assert sum(won.values()) == chips.pot
        last = hand.steps[-1]
        named = {seat for pot in last.pots for seat in pot} if isinstance(last, Awarded) else set()
        if named:
            assert named == {seat for seat, amount in won.items() if amount}


def test_the_same_seed_gives_the_same_evening():
    table = load_table("casino-oval")
    first, again = (list(random_hands(table, 7, 10)[1]) for _ in range(2))
    assert first == again
    assert first != list(random_hands(table, 8, 10)[1])


def test_the_million_dollar_hand_is_read_from_its_file():
    script = script_of(config_dir() / "scripts" / "dwan-ivey-2009.phh")
    assert script.seats == {1: 1125600, 2: 2000000, 3: 553500}
    assert script.antes == {1: 500, 2: 500, 3: 500}
    assert script.posts == {1: 1000, 2: 2000}
    assert script.finishing == {1: 572100, 2: 1997500, 3: 1109500}
    assert script.steps[-2:] == (StreetDealt("river", 1, betting=False), Awarded(((3,),)))
    assert PlayerAct(1, "raise", 1067100, all_in=True) in script.steps
    assert replay(script).pot == 1109500


def test_every_shipped_script_can_be_found_by_its_name():
    for name in shipped_scripts():
        assert find(name).is_file()
    assert "dwan-ivey-2009.phh" in shipped_scripts()


def test_a_script_that_is_not_there_names_the_nearest():
    with pytest.raises(ScriptError, match=r"did you mean dwan-ivey-2009\.phh"):
        find("dwan-ivey.phh")
    with pytest.raises(ScriptError, match="is not a script"):
        find("table.toml")


def test_a_script_gets_chips_that_can_make_its_amounts():
    script = script_of(config_dir() / "scripts" / "dwan-ivey-2009.phh")
    assert fitting_chip_set("cash", script.seats.values(), script.amounts) == "high-stakes"
    assert fitting_chip_set("cash", [1000], [15, 30]) == "cash"


def test_a_table_s_own_chips_are_kept_where_they_can_make_the_amounts(tmp_path):
    shutil.copy(config_dir() / "chip_sets" / "home.toml", tmp_path / "ours.toml")
    ours = str(tmp_path / "ours.toml")
    assert fitting_chip_set(ours, [100], [1, 2]) == ours


def test_the_runs_table_file_reads_back_as_the_same_table(tmp_path):
    table = load_table("casino-oval")
    set_up = table.readers[0].model_copy(update={"settings": {"region": "europe", "power_dbm": 4.5}})
    table = table.model_copy(update={"readers": (set_up, *table.readers[1:])})
    files = RunFiles(tmp_path)
    mine = runtime_table(table, files, "http://127.0.0.1:8099/overhead.mjpg", "high-stakes")
    write_table(mine, files.table)
    assert load_table(files.table) == mine
    assert {reader.port for reader in mine.readers} == {str(files.ports / reader.id) for reader in table.readers}


@pytest.mark.parametrize(
    ("folder", "port", "sentence"),
    [
        ("file", 8099, "cannot be created (File exists): give another --dir."),
        ("file/in", 8099, "cannot be created (Not a directory): give another --dir."),
        ("made", 0, "'--camera-port'"),
        ("made", 65536, "'--camera-port'"),
    ],
)
def test_a_world_that_cannot_begin_says_which_option_is_wrong(tmp_path, capsys, folder, port, sentence):
    (tmp_path / "file").touch()
    assert run(["world", "--dir", str(tmp_path / folder), "--camera-port", str(port)]) == 2
    assert sentence in capsys.readouterr().err


CASE = """\
- id: {name}
  game: {{limit: no-limit, blinds: [50, 100]}}
  house: {{profile: tda}}
  button: 3
  seats: {{1: 9000, 2: 9000, {seat}: 9000}}
  start: {{street: flop, pot: 300}}
  play:
    - {{seat: 1, chips: [500]}}
    - expect: {{{expected}}}
"""


def named(chip: int) -> str:
    """A case in which a player bets one chip of that value."""
    return PLAYED.replace("[500]", f"[{chip}]").replace("to: 500", f"to: {chip}").replace("played", f"one-{chip}")


PLAYED = CASE.format(name="played", seat=3, expected="ruling: bet, to: 500")
UNCLEAR = CASE.format(name="unclear", seat=3, expected="pot: 800")
FAR = CASE.format(name="far", seat=9, expected="ruling: bet, to: 500")


def test_a_case_that_nobody_can_act_out_is_skipped_by_name_with_its_reason(tmp_path):
    file = tmp_path / "mixed.yaml"
    file.write_text(UNCLEAR + PLAYED + FAR, encoding="utf-8")

    table = load_table("home-six").model_copy(update={"chip_set": "cash"})
    found = hands_of(file, table)

    assert [hand.title for hand in found.hands] == ["played"]
    assert found.skipped == (
        "unclear, step 1: no expectation after it says what it counts as.",
        "far: it needs seat 9, which the table home-six does not have.",
    )
    _, played = evening_of(table, str(file), 1, None)
    assert [hand.title for hand in played] == ["played"]


def test_the_cases_that_are_skipped_are_told_and_counted_where_the_others_are_played(tmp_path, capsys, monkeypatch):
    file = tmp_path / "mixed.yaml"
    file.write_text(UNCLEAR + PLAYED, encoding="utf-8")

    @contextmanager
    def playing(_options, ready, _folder, _say):
        ready.files.report.write_text(json.dumps({"json": {"hands": 1}, "text": "1 hand", "remarks": []}))
        world = SimpleNamespace(name="world", process=SimpleNamespace(poll=lambda: 0, returncode=0))
        yield SimpleNamespace(parts=[world])

    monkeypatch.setattr("virtual_table.run.demo.playing", playing)

    for more in ([], ["--json"]):
        assert run(["demo", "--headless", "--table", "home-six", "--script", str(file), *more]) == 0
        out, err = capsys.readouterr()
        assert err.splitlines()[0] == "SKIP unclear, step 1: no expectation after it says what it counts as."
        if more:
            assert json.loads(out) == {"hands": 1, "skipped": [err.splitlines()[0].removeprefix("SKIP ")]}
        else:
            assert out.splitlines()[1] == "skipped: 1 of the script, which nobody can act out; each is named above"


@pytest.mark.parametrize("text", [UNCLEAR, FAR])
def test_a_file_of_which_nothing_can_be_acted_out_is_refused_with_the_first_reason(tmp_path, text):
    file = tmp_path / "none.yaml"
    file.write_text(text, encoding="utf-8")

    with pytest.raises(ScriptError, match=r"no expectation after it says|it needs seat 9"):
        hands_of(file, load_table("home-six"))


def test_a_case_whose_chips_the_table_has_not_is_skipped_by_name_and_the_set_that_plays_most_is_taken(tmp_path):
    (tmp_path / "cases.yaml").write_text(named(500) + named(1000) + named(3))
    table = load_table("home-six").model_copy(update={"chip_set": "home"})
    found, chips = best_chips_for(tmp_path / "cases.yaml", table)
    assert chips == "cash"
    assert [script.title for script in found.hands] == ["one-500", "one-1000"]
    assert found.skipped == ("one-3: the chip set cash has no 3 chip.",)
    with pytest.raises(ScriptError, match="one-500: the chip set home has no 500 chip"):
        hands_of(tmp_path / "cases.yaml", table)
