"""Real mosquittos bridged by the files of `betline provision site`: TLS, accounts, access lists, lines that are cut."""

import signal
import time

import pytest

from betline.topics import ROOT
from tests.mosquitto import needs_mosquitto
from tests.site import SITE, TestSite, wait

pytestmark = [
    needs_mosquitto,
    pytest.mark.filterwarnings("ignore:.*ssl.SSLSocket:pytest.PytestUnraisableExceptionWarning"),
]
ONE, TWO = f"{ROOT}/{SITE}/table-1", f"{ROOT}/{SITE}/table-2"


@pytest.fixture(scope="module")
def site(tmp_path_factory):
    made = TestSite(tmp_path_factory.mktemp("site"), {"pit-a": ["table-1"], "pit-b": ["table-2"]})
    yield made
    made.close()


@pytest.fixture(autouse=True)
def all_there(site):
    """Every test finds each line whole, each broker there and each bridge standing, and leaves no client."""
    for line in site.lines.values():
        line.set("whole")
    for broker in site.brokers.values():
        if broker.process is None:
            broker.start()
    links = site.client("site", "floor").hear(f"betline-site/{SITE}/link/+")
    for pit in site.lines:
        wait(lambda pit=pit: links.texts(f"betline-site/{SITE}/link/{pit}")[-1:] == ["1"], f"the bridge of {pit}")
    yield
    while site.clients:
        site.clients.pop().close()


def test_what_a_table_says_is_heard_once_at_the_site_and_at_no_other_table(site):
    floor = site.client("site", "floor").hear(f"{ROOT}/{SITE}/+/event").hear(f"{ROOT}/{SITE}/+/state")
    other = site.client("pit-b", "table-2/console").hear(f"{ONE}/event").hear(f"{TWO}/event")
    site.client("pit-a", "table-1/controller").say(f"{ONE}/event", "a")
    second = site.client("pit-b", "table-2/controller")
    second.say(f"{TWO}/event", "b")
    second.say(f"{TWO}/state", "s", retain=True)
    assert sorted(floor.await_texts(3)) == ["a", "b", "s"]
    time.sleep(0.3)
    assert sorted(floor.texts()) == ["a", "b", "s"]
    assert other.texts() == ["b"]
    assert site.client("site", "metrics").hear(f"{TWO}/state").await_texts(1) == ["s"]  # the site's broker keeps it


def test_a_question_of_the_floor_reaches_its_table_alone_and_the_answer_comes_back(site):
    first = site.client("pit-a", "table-1/controller").hear(f"{ONE}/command/+")
    second = site.client("pit-b", "table-2/controller").hear(f"{TWO}/command/+")
    floor = site.client("site", "floor").hear(f"{ONE}/reply/+")
    floor.say(f"{ONE}/command/floor", "decide")
    assert first.await_texts(1) == ["decide"]
    first.say(f"{ONE}/reply/x", "done")
    assert floor.await_texts(1) == ["done"]
    assert second.texts() == []


def test_news_said_while_the_line_is_cut_arrive_afterwards_once_and_in_order(site):
    floor = site.client("site", "floor").hear(f"{ONE}/event").hear(f"{ONE}/state").hear(f"betline-site/{SITE}/link/+")
    controller = site.client("pit-a", "table-1/controller")
    site.lines["pit-a"].set("cut")
    wait(lambda: floor.texts(f"betline-site/{SITE}/link/pit-a")[-1] == "0", "the site knows that the bridge is down")
    for number in range(300):
        controller.say(f"{ONE}/event", str(number))
    for number in range(5):
        controller.say(f"{ONE}/state", f"state {number}", retain=True)
    assert floor.texts(f"{ONE}/event") == []
    site.lines["pit-a"].set("whole")
    assert floor.await_texts(300, f"{ONE}/event") == [str(number) for number in range(300)]
    assert floor.texts(f"{ONE}/state") == ["state 4"]  # of what is kept the newest alone
    time.sleep(0.3)
    assert len(floor.texts(f"{ONE}/event")) == 300


@pytest.mark.nightly
def test_what_the_room_said_while_the_line_was_cut_is_the_newest_on_both_sides_afterwards(site):
    room, table = site.client("site", "floor"), site.client("pit-a", "table-1/console").hear(f"{ONE}/room")
    links = site.client("site", "floor").hear(f"betline-site/{SITE}/link/+")
    room.say(f"{ONE}/room", "first", retain=True)
    assert table.await_texts(1) == ["first"]
    table.say(f"{ONE}/room", "of a pit", retain=True)
    site.lines["pit-a"].set("cut")
    wait(lambda: links.texts(f"betline-site/{SITE}/link/pit-a")[-1] == "0", "the site knows that the bridge is down")
    room.say(f"{ONE}/room", "second", retain=True)
    site.lines["pit-a"].set("whole")
    wait(lambda: table.texts()[-1] == "second", "the table hears it")
    time.sleep(0.5)
    for place, account in (("site", "floor"), ("pit-a", "table-1/console")):
        assert site.client(place, account).hear(f"{ONE}/room").await_texts(1) == ["second"]


def test_a_command_said_while_the_line_is_cut_is_never_obeyed_later(site):
    controller = site.client("pit-a", "table-1/controller").hear(f"{ONE}/command/+")
    floor = site.client("site", "floor").hear(f"betline-site/{SITE}/link/+")
    site.lines["pit-a"].set("cut")
    wait(lambda: floor.texts(f"betline-site/{SITE}/link/pit-a")[-1] == "0", "the site knows that the bridge is down")
    floor.say(f"{ONE}/command/floor", "too late")
    site.lines["pit-a"].set("whole")
    wait(lambda: floor.texts(f"betline-site/{SITE}/link/pit-a")[-1] == "1", "the bridge stands again")
    floor.say(f"{ONE}/command/floor", "in time")
    assert controller.await_texts(1) == ["in time"]
    time.sleep(0.3)
    assert controller.texts() == ["in time"]


def test_the_sites_broker_killed_and_started_again_hears_what_was_said_meanwhile(site):
    controller = site.client("pit-b", "table-2/controller").hear(f"{TWO}/command/+")
    floor = site.client("site", "floor").hear(f"{TWO}/event")
    controller.say(f"{TWO}/event", "before")
    floor.await_texts(1)
    site.brokers["site"].end(signal.SIGKILL)
    for number in range(50):
        controller.say(f"{TWO}/event", str(number))  # the table's own broker serves it meanwhile
    wait(lambda: not floor.there, "the floor has lost its broker")
    site.brokers["site"].start()
    assert floor.await_texts(51) == ["before", *map(str, range(50))]


def test_the_access_list_of_the_site_refuses_what_a_bridge_says_of_another_pits_table(site):
    floor = site.client("site", "floor").hear(f"{TWO}/#").hear(f"{ONE}/#")
    kept = len(floor.texts())
    stolen = site.client("site", "link-pit-a")  # who has the bridge's login, and says what he likes
    for topic in (
        f"{TWO}/event",
        f"{TWO}/state",
        f"{TWO}/command/floor",
        f"{ONE}/command/floor",
        f"{ONE}/private/cards",
    ):
        stolen.say(topic, "forged")
    stolen.say(f"{ONE}/event", "its own")
    assert floor.await_texts(1, f"{ONE}/event") == ["its own"]
    assert floor.texts()[kept:] == ["its own"]
    assert "Denied PUBLISH" in site.brokers["site"].log.read_text()


def test_hidden_cards_tags_and_the_pictures_of_a_camera_never_leave_the_pit(site):
    floor = site.client("site", "floor").hear(f"{ROOT}/#")
    kept = len(floor.texts())
    controller, console = site.client("pit-a", "table-1/controller"), site.client("pit-a", "table-1/console")
    camera, bridge = site.client("pit-a", "table-1/overhead"), site.client("pit-a", "table-1/bridge")
    controller.say(f"{ONE}/private/cards", "hidden", retain=True)
    bridge.say(f"{ONE}/zone/seat-1/chips", "chips", retain=True)
    camera.say(f"{ONE}/device/overhead/picture", "picture")
    console.say(f"{ONE}/command/act", "a console's own")
    controller.say(f"{ONE}/event", "last")
    wait(lambda: "last" in floor.texts(), "the last message")
    assert floor.texts()[kept:] == ["last"]
