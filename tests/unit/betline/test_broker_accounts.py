"""The access lists of mosquitto, shipped and made, held against what the programs publish and subscribe to."""

import ast
from pathlib import Path

import pytest

from betline import topics
from betline.provision import mosquitto
from betline.provision.rights import Account, accounts_of, shipped_accounts
from betline.provision.shipped import FOLDER, files
from betline.settings import load_table
from betline.topics import KINDS

ROOT = Path(__file__).parents[3]
ROOMS = {"bridge": "firmware_bridge", "overhead": "vision", "console": "table_controller/console"}
ROOMS |= {"voice": "table_controller/voice", "controller": "table_controller/service"}
TABLE = load_table("home-six")
READERS = [reader.id for reader in TABLE.readers]


def rights(accounts=None, site="home", table="home-six"):
    """By account what it may do, and where."""
    accounts = accounts_of(TABLE) if accounts is None else accounts
    lists = {one.name: mosquitto.access_lines(one, one.name, site, table) for one in accounts}
    return {name: [line.split()[1:] for line in said.splitlines()] for name, said in lists.items()}


def covers(pattern, name):
    mine, theirs = pattern.split("/"), name.split("/")
    if mine[-1] == "#":
        return covers("/".join(mine[:-1]), "/".join(theirs[: len(mine) - 1])) and len(theirs) >= len(mine)
    return len(mine) == len(theirs) and all(m in ("+", t) for m, t in zip(mine, theirs, strict=True))


def may(account, access, path, table="home-six", given=None):
    found = (rights() if given is None else given)[account]
    fitting = [kind for kind, pattern in found if covers(pattern, f"betline/v1/home/{table}/{path}")]
    return "deny" not in fitting and bool({access, "readwrite"} & set(fitting))


def example(kind, account):
    """A topic of the kind as this account's program would publish it."""
    name = {"writer": account, "reader": "overhead"}.get(kind.named)
    if name is None:
        name = {"zone": "seat-3", "seat": "2", "private": "board"}.get(kind.pattern.split("/")[0], "any")
    return kind.pattern.replace("+", name)


@pytest.mark.parametrize("made", [False, True], ids=["shipped", "made"])
@pytest.mark.parametrize("kind", KINDS, ids=lambda kind: kind.pattern)
def test_an_account_may_write_what_its_program_publishes_and_no_more(kind, made):
    accounts = accounts_of(load_table("casino-oval")) if made else shipped_accounts()
    given = rights(accounts)
    for account in accounts:
        if kind is topics.ZONE_TAGS and made and account.role == "bridge":
            continue  # that table has no antenna for cards
        assert may(account.name, "write", example(kind, account.name), given=given) == (account.role in kind.by)


@pytest.mark.parametrize("name", ["mosquitto.conf", "mosquitto.acl"])
def test_the_shipped_files_are_made_from_the_table_of_rights(name):
    assert (ROOT / FOLDER / name).read_text() == files()[name], "run python -m betline.provision.shipped"


def test_nobody_but_the_controller_answers_a_command_or_says_how_the_table_stands():
    for kind in (topics.REPLY, topics.STATE, topics.RULING, topics.STATUS, topics.BIRTH, topics.EVENT):
        for given in (rights(), rights(shipped_accounts())):
            writers = [name for name in given if may(name, "write", kind.pattern.replace("+", "x"), given=given)]
            assert writers == ["controller"]


def test_a_display_and_a_houses_automation_hear_nothing_of_hidden_cards_and_say_nothing():
    for account in ("display", "home"):
        reads = [kind.pattern for kind in KINDS if may(account, "read", kind.pattern.replace("+", "x"))]
        assert {topics.VIEW.pattern, topics.SEAT_PROMPT.pattern} <= set(reads)
        told = (topics.STATE, topics.EVENT, topics.RULING, topics.ANNOUNCEMENT)
        for secret in (topics.PRIVATE_CARDS, topics.ZONE_TAGS, topics.COMMAND, topics.REPLY, topics.RECALL, *told):
            assert secret.pattern not in reads
        assert (topics.ALERT.pattern in reads) == (account == "home")
    assert {access for access, _ in rights()["display"]} == {"read"}
    assert {where for access, where in rights()["home"] if access != "read"} == {
        "homeassistant/device/betline_home_home-six/config",
        "betline-home/home/home-six/#",
    }
    assert may("console", "read", "private/cards")


@pytest.mark.parametrize("what", ["status", "birth", "health"])
def test_the_bridge_speaks_for_its_readers_and_for_no_other_device(what):
    for device in ("bridge", *READERS):
        assert may("bridge", "write", f"device/{device}/{what}")
    for device in ("overhead", "controller", "console", "voice", "reader-of-nobody"):
        assert not may("bridge", "write", f"device/{device}/{what}")
    for device in ("overhead", "controller", "console", "voice"):
        assert not may("bridge", "write", f"device/{device}/{what}", given=rights(shipped_accounts()))


def test_zones_are_written_by_the_bridge_of_their_readers_only():
    zones = [antenna.zone for reader in TABLE.readers for antenna in reader.antennas]
    assert all(may("bridge", "write", f"zone/{zone}/chips") for zone in zones)
    assert not may("bridge", "write", "zone/seat-10/chips")
    assert not any(may(name, "write", "zone/seat-1/chips") for name in rights() if name != "bridge")


def test_an_account_of_one_table_may_do_nothing_at_another():
    accounts = accounts_of(TABLE, virtual=True)
    for kind in KINDS:
        for account in accounts:
            for access in ("read", "write"):
                assert not may(account.name, access, example(kind, account.name), "other", rights(accounts))


def test_a_table_without_readers_or_camera_has_no_account_for_them():
    bare = TABLE.model_copy(update={"readers": (), "cameras": ()})
    assert [one.name for one in accounts_of(bare)] == ["controller", "console", "voice", "display", "home", "site"]


def test_a_camera_has_the_account_of_its_own_id():
    camera = TABLE.cameras[0].model_copy(update={"id": "ceiling"})
    given = rights(accounts_of(TABLE.model_copy(update={"cameras": (camera,)})))
    assert may("ceiling", "write", "device/ceiling/view", given=given)
    assert not may("ceiling", "write", "device/overhead/view", given=given)
    assert may("console", "write", "device/ceiling/tune", given=given)
    assert not may("console", "write", "device/overhead/tune", given=given)


def of_account(account):
    """The sources of an account's program; a film hears the table by the console's account."""
    room = ROOT / ROOMS[account]
    found = {room} if room.suffix else set(room.rglob("*.py"))
    film = set((ROOT / "vision/film").rglob("*.py"))
    return found | film if account == "console" else found - film


def used(sources):
    """The topics that sources name."""
    names = {name for name, kind in vars(topics).items() if kind in KINDS}
    found = set()
    for source in sources:
        for node in ast.walk(ast.parse(source.read_text())):
            if isinstance(node, ast.ImportFrom) and node.module == "betline.topics":
                found |= {getattr(topics, one.name) for one in node.names if one.name in names}
            of_topics = isinstance(node, ast.Attribute) and ast.unparse(node.value) == "topics"
            if of_topics and node.attr in names:
                found.add(getattr(topics, node.attr))
    return found


@pytest.mark.one_in(2)
@pytest.mark.parametrize("account", ROOMS)
@pytest.mark.parametrize("made", [False, True], ids=["shipped", "made"])
def test_each_topic_that_a_program_names_it_may_read_or_write(account, made):
    kinds = used(of_account(account))
    accounts = {one.name: one for one in (accounts_of(TABLE) if made else shipped_accounts())}
    given = rights(accounts.values())
    assert kinds
    for kind in kinds:
        reads = may(account, "read", example(kind, account), given=given)
        assert accounts[account].role in kind.by or reads, f"{account} may neither read nor write {kind.pattern}"


def test_a_list_of_rights_is_read_as_it_was_written():
    account = Account("console", "console", ("console",))
    users = {"a.b.console": mosquitto.access_lines(account, "a.b.console", "a", "b"), "c": "topic read x"}
    assert mosquitto.users_of(mosquitto.access(users)) == users
