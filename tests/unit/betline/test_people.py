"""The staff: the exchange that proves a PIN, the file that only its owner may read, and `betline people`."""

import json
import os
import random
import stat
from pathlib import Path

import pytest

from betline.front_door import run
from betline.people import srp
from betline.people.record import PeopleError, Person, Staff
from betline.people.rights import check_rights
from betline.people.roll import Roll, read_staff, write_staff
from betline.people.signature import is_signed, sign
from betline.settings import SettingsError, load_house_rules, load_staff_rules

ANN = Person("p-1", "Ann", "floor")


# --- proving a PIN


def exchange(pin: str, tried: str, seed: int = 1) -> tuple[srp.Proven, srp.Proven, list[int]]:
    """What both sides come to, and all that was sent."""
    chance = random.Random(seed)
    salt = chance.randbytes(16)
    person = srp.PersonSide("p-1", tried, chance.getrandbits(256))
    table = srp.TableSide("p-1", salt, srp.verifier_of(pin, salt), chance.getrandbits(256), person.public)
    return person.proven(salt, table.public), table.proven, [person.public, table.public]


def test_the_group_is_a_safe_prime_with_2_as_a_primitive_root() -> None:
    half = (srp.N - 1) // 2

    assert srp.N.bit_length() == 2048
    assert all(pow(base, srp.N - 1, srp.N) == 1 and pow(base, half - 1, half) == 1 for base in (2, 3, 5, 7, 11))
    assert pow(srp.G, half, srp.N) == srp.N - 1


def test_both_sides_come_to_one_key_with_the_right_pin_and_to_others_with_a_wrong_one() -> None:
    person, table, _ = exchange("4711", "4711")
    stranger, same_table, _ = exchange("4711", "4712")

    assert person == table
    assert len({person.of_person, person.of_table, person.key}) == 3
    assert stranger.of_person != same_table.of_person
    assert stranger.key != same_table.key


def test_no_two_sign_ins_have_the_same_key_or_send_the_same_numbers() -> None:
    (first, _, sent), (second, _, sent_again) = exchange("4711", "4711", 1), exchange("4711", "4711", 2)

    assert first.key != second.key
    assert not set(sent) & set(sent_again)


@pytest.mark.parametrize("number", ["0", f"{srp.N:x}", f"{2 * srp.N:x}", "", "no number"])
def test_a_number_that_would_make_any_pin_right_is_refused(number: str) -> None:
    with pytest.raises(srp.BadExchange):
        srp.public_from(number)


def test_a_signature_is_of_all_that_a_command_says() -> None:
    said = ("console", "act", 1, "command-1", 17, {"seat": 4, "action": "call"})
    mac = sign(b"key", *said)

    assert is_signed(b"key", mac, *said)
    assert is_signed(b"key", mac, *said[:-1], {"action": "call", "seat": 4})
    others = [
        ("console-2", *said[1:]), ("console", "fold", *said[2:]), (*said[:2], 2, *said[3:]),
        (*said[:3], "command-2", *said[4:]), (*said[:4], 18, said[5]), (*said[:5], {"seat": 5, "action": "call"}),
    ]  # fmt: skip
    assert not any(is_signed(b"key", mac, *other) for other in others)
    assert not is_signed(b"other key", mac, *said)


# --- the file


def test_the_file_can_be_read_by_its_owner_only_and_gives_back_what_was_written(tmp_path: Path) -> None:
    path = tmp_path / "config" / "people.toml"
    staff = Staff((ANN.with_pin("4711", b"salt"), Person("p-2", 'Bob "the\\Rock" Ö', "dealer", badges=("04A2B3C4",))))
    write_staff(path, staff)

    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    assert stat.S_IMODE(path.parent.stat().st_mode) == 0o700
    assert read_staff(path) == staff
    assert "4711" not in path.read_text(encoding="utf-8")
    assert [one.name for one in tmp_path.glob("config/*")] == ["people.toml"]


@pytest.mark.parametrize("mode", [0o640, 0o604, 0o660])
def test_a_file_that_others_can_use_is_refused(tmp_path: Path, mode: int) -> None:
    path = tmp_path / "people.toml"
    write_staff(path, Staff((ANN,)))
    path.chmod(mode)

    with pytest.raises(PeopleError, match="chmod 600"):
        read_staff(path)


@pytest.mark.parametrize(
    "text",
    [
        "[[person]]\nname = 'Ann'\n",
        "[[person]]\nid = 'p-1'\nname = 'Ann'\nrole = 'king'\n",
        "[[person]]\nid = 'p-1'\nname = 'Ann'\nrole = 'floor'\nverifier = 'xyz'\nsalt = '00'\n",
        "person = 3\n",
        "people = []\n",
        "person = [",
    ],
)
def test_a_damaged_file_is_refused_in_a_sentence(tmp_path: Path, text: str) -> None:
    path = tmp_path / "people.toml"
    path.write_text(text)
    path.chmod(0o600)

    with pytest.raises(PeopleError, match=r"people\.toml"):
        read_staff(path)


def test_a_change_of_the_file_is_noticed_once_and_its_loss_changes_nothing(tmp_path: Path) -> None:
    path = tmp_path / "people.toml"
    roll = Roll(path)
    assert not roll.staff
    write_staff(path, Staff((ANN,)))

    assert [roll.renewed(), roll.renewed()] == [True, False]
    path.unlink()
    assert not roll.renewed()
    assert roll.staff == Staff((ANN,))


# --- rights


def house(tmp_path: Path, text: str) -> Path:
    path = tmp_path / "house.toml"
    path.write_text(text)
    return path


def test_a_house_changes_one_right_and_keeps_the_usual_others(tmp_path: Path) -> None:
    path = house(tmp_path, 'profile = "cash"\nmax_raises = 4\n[rights]\npenalty = ["dealer", "floor"]\n')
    rules = check_rights(load_staff_rules(path), "x")

    assert rules.roles_for("penalty") == ("dealer", "floor")
    assert rules.roles_for("override") == ("floor",)
    assert rules.roles_for("act") == ("dealer", "floor")
    assert rules.roles_for("recall") == ()
    assert load_house_rules(path).max_raises == 4


def test_a_house_based_on_another_keeps_its_rights(tmp_path: Path) -> None:
    (tmp_path / "base.toml").write_text(
        'profile = "tda"\n[rights]\npenalty = []\n[sign_in]\npin_tries = 2\n', encoding="utf-8"
    )
    path = house(tmp_path, 'profile = "base.toml"\n[sign_in]\nlock_out_s = 9\n')
    rules = load_staff_rules(path)

    assert rules.roles_for("penalty") == ()
    assert (rules.sign_in.pin_tries, rules.sign_in.lock_out_s) == (2, 9)


@pytest.mark.parametrize(
    ("text", "fragment"),
    [
        ('profile = "cash"\n[rights]\noveride = ["floor"]\n', "did you mean override"),
        ('profile = "cash"\n[rights]\noverride = ["boss"]\n', "boss"),
        ('profile = "cash"\n[rights]\noverride = "floor"\n', "a list"),
        ('profile = "cash"\n[sign_in]\npin_trys = 3\n', "pin_tries"),
        ('profile = "cash"\nrights = 3\n', "rights"),
    ],
)
def test_wrong_rights_are_refused_with_what_would_be_right(tmp_path: Path, text: str, fragment: str) -> None:
    with pytest.raises(SettingsError, match=fragment):
        check_rights(load_staff_rules(house(tmp_path, text)), "house.toml")


# --- the verb


@pytest.fixture
def people(tmp_path: Path) -> list[str]:
    return ["--people", str(tmp_path / "people.toml")]


@pytest.fixture
def pin(tmp_path: Path) -> list[str]:
    (tmp_path / "pin").write_text("4711\n")
    return ["--pin-file", str(tmp_path / "pin")]


def listed(people: list[str], capsys: pytest.CaptureFixture[str]) -> list[dict[str, object]]:
    capsys.readouterr()
    assert run(["people", "list", "--json", *people]) == 0
    found: list[dict[str, object]] = json.loads(capsys.readouterr().out)
    return found


def test_people_are_enrolled_changed_and_removed(
    people: list[str], pin: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(["people", "add", "Ann", "--role", "floor", *pin, *people]) == 0
    assert run(["people", "add", "Bob", "--role", "dealer", "--badge", "04:a2:b3:c4", "--no-pin", *people]) == 0
    assert listed(people, capsys) == [
        {"name": "Ann", "role": "floor", "pin": True, "badges": []},
        {"name": "Bob", "role": "dealer", "pin": False, "badges": ["04A2B3C4"]},
    ]
    assert run(["people", "pin", "bob", *pin, *people]) == 0
    assert run(["people", "badge", "Bob", "04A2B3C4", "--remove", *people]) == 0
    assert run(["people", "remove", "Ann", *people]) == 0
    assert listed(people, capsys) == [{"name": "Bob", "role": "dealer", "pin": True, "badges": []}]


def test_a_pin_comes_through_a_descriptor(people: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    read, write = os.pipe()
    os.write(write, b"4711\n")
    os.close(write)
    try:
        assert run(["people", "add", "Ann", "--role", "floor", "--pin-file", f"/dev/fd/{read}", *people]) == 0
    finally:
        os.close(read)
    assert listed(people, capsys)[0]["pin"] is True


@pytest.mark.parametrize(
    ("arguments", "fragment"),
    [
        (["add", "Ann", "--role", "boss"], "dealer, floor or technician"),
        (["add", "Cleo", "--role", "floor", "--no-pin"], "--badge"),
        (["add", "Ann", "--role", "floor", "--badge", "04A2B3C4", "--no-pin"], "enrolled already"),
        (["add", "Cleo", "--role", "floor", "--badge", "zz", "--no-pin"], "betline bridge once"),
        (["add", "Cleo", "--role", "floor"], "--pin-file"),
        (["badge", "Ann", "04FFFFFF", "--remove"], "no badge of Ann"),
        (["pin", "Anne"], "did you mean Ann"),
        (["remove", "Zoe"], "no Zoe"),
    ],
)
def test_what_cannot_be_done_is_refused_with_a_remedy(
    people: list[str], pin: list[str], capsys: pytest.CaptureFixture[str], arguments: list[str], fragment: str
) -> None:
    assert run(["people", "add", "Ann", "--role", "floor", *pin, *people]) == 0
    before = listed(people, capsys)
    assert run(["people", *arguments, *people]) in (1, 2)

    assert fragment in capsys.readouterr().err
    assert listed(people, capsys) == before


@pytest.mark.parametrize("text", ["123", "1234567890123", "12a4", "", "１２３４"])
def test_only_4_to_12_digits_are_a_pin(
    people: list[str], tmp_path: Path, capsys: pytest.CaptureFixture[str], text: str
) -> None:
    (tmp_path / "pin").write_text(text, encoding="utf-8")

    assert run(["people", "add", "Ann", "--role", "floor", "--pin-file", str(tmp_path / "pin"), *people]) == 1
    assert "4 to 12 digits" in capsys.readouterr().err


def test_whoever_enrols_no_floor_is_told(people: list[str], pin: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    run(["people", "add", "Bob", "--role", "dealer", *pin, *people])

    assert "--role floor" in capsys.readouterr().out


def test_the_rights_in_force_are_shown(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["people", "rights", "--json"]) == 0
    found = json.loads(capsys.readouterr().out)

    assert found["override"] == ["floor"]
    assert found["act"] == ["dealer", "floor"]
