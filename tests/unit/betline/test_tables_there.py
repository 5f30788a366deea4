"""Which table a verb is about where none was named: the only one on the broker, else the list."""

import pytest

from betline import topics
from betline.broker import free_port
from betline.bus import MqttBus
from betline.front_door import run
from betline.joining import BrokerChoice
from betline.options import UserError
from betline.tables_there import chosen_table
from betline.topics import Namespace, topic
from tests.mosquitto import HOST, needs_mosquitto, serving
from tests.unit.betline.test_bus import until


@pytest.fixture
def play(tmp_path):
    """A function that has tables played on a broker."""
    with serving(tmp_path, "allow_anonymous true") as port:
        buses = []

        def played(*tables):
            for site, table in tables:
                buses.append(MqttBus(HOST, port, Namespace(site, table), "controller", presence=topic(topics.STATUS)))
                until(lambda: buses[-1]._said_online)
            return BrokerChoice(url=f"{HOST}:{port}")

        yield played
        for bus in buses:
            bus.close()


@needs_mosquitto
def test_the_only_table_on_the_broker_is_meant_where_none_is_named(play):
    chosen = chosen_table(play(("club", "home-six")), None, "home", None)
    assert (chosen.names.site, chosen.names.table, chosen.settings.name) == ("club", "home-six", "home-six")


@needs_mosquitto
def test_of_several_tables_the_list_is_said_and_a_site_may_choose(play):
    broker = play(("home", "home-six"), ("club", "oval"))
    with pytest.raises(UserError, match="club/oval, home/home-six"):
        chosen_table(broker, None, "home", None)
    assert chosen_table(broker, None, "club", None).names.table == "oval"
    assert chosen_table(broker, "casino-oval", "home", None).names.table == "casino-oval"


@needs_mosquitto
def test_a_table_with_a_file_of_its_own_is_named_and_its_file_asked_for(play, capsys):
    broker = play(("home", "kitchen"))
    assert chosen_table(broker, None, "home", None).names.table == "kitchen"
    assert run(["vision", "tune", "--list", "--broker", broker.url]) == 2
    assert "home/kitchen: name its file with --table" in capsys.readouterr().err


def test_where_none_is_played_it_is_the_only_table_of_this_machine(empty_machine):
    broker = BrokerChoice(url=f"{HOST}:{free_port()}")
    assert chosen_table(broker, None, "home", None).names.table == "casino-oval"
    (empty_machine / "mine.toml").write_text('based_on = "home-six"\nname = "mine"\ntitle = "Mine"\n')
    assert chosen_table(broker, None, "home", None).names.table == "mine"


def test_a_name_on_the_bus_alone_is_no_reason_to_read_another_tables_file(empty_machine):
    found = chosen_table(BrokerChoice(), None, "home", "kitchen")
    assert (found.names.table, found.known) == ("kitchen", None)
