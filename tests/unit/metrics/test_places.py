"""Which part serves where, and how Prometheus finds it."""

import json

import pytest

from betline.front_door import run
from betline.metrics.places import PARTS, SITE_PARTS, Places, address_of, read_address, tell_of_site
from betline.options import UserError
from betline.settings import load_table
from betline.settings.metrics import MOST_PARTS, MetricsSettings
from betline.topics import Namespace

NAMES = Namespace("home", "six")
TABLE = load_table("home-six")
ASKS = TABLE.model_copy(update={"metrics": MetricsSettings(port=9500)})


def test_a_table_serves_no_figures_unless_it_is_asked_to() -> None:
    assert address_of("controller", None, TABLE) is None
    assert Places.of(None, TABLE, NAMES).words("controller") == []


def test_each_part_has_a_port_of_its_own_on_this_machine() -> None:
    places = [address_of(part, None, ASKS) for part in PARTS]

    assert {place.host for place in places} == {"127.0.0.1"}
    assert [place.port for place in places] == [9500 + number for number in range(len(PARTS))]
    assert len(PARTS) <= MOST_PARTS


def test_an_option_goes_before_the_table_file() -> None:
    assert str(address_of("bridge", "9600", ASKS)) == "127.0.0.1:9600"
    assert str(address_of("bridge", "10.0.0.4:9600", ASKS)) == "10.0.0.4:9600"


def test_a_word_that_is_no_port_is_a_sentence() -> None:
    with pytest.raises(UserError, match="--metrics"):
        address_of("bridge", "much", TABLE)


def test_ports_must_be_there_for_all_parts() -> None:
    with pytest.raises(UserError, match="name a lower one"):
        Places.of("65530", TABLE, NAMES)


def test_prometheus_is_told_of_the_parts_that_run_by_site_table_and_part(tmp_path) -> None:
    file = tmp_path / "six.json"

    Places.of("9464", TABLE, NAMES).tell(["broker", "controller", "vision"], file)

    assert json.loads(file.read_text(encoding="utf-8")) == [
        {"targets": [f"127.0.0.1:{port}"], "labels": {"site": "home", "table": "six", "part": part}}
        for port, part in ((9464, "controller"), (9466, "vision"))
    ]
    assert file.stat().st_mode & 0o777 == 0o644


def test_targets_of_services_are_printed_by_a_verb(capsys) -> None:
    assert run(["table", "targets", "home-six", "--metrics", "9464"]) == 0
    found = json.loads(capsys.readouterr().out)
    assert "bridge" in [one["labels"]["part"] for one in found]
    assert "console" not in [one["labels"]["part"] for one in found]
    assert not set(SITE_PARTS) & {one["labels"]["part"] for one in found}

    assert run(["table", "targets", "home-six"]) == 2
    assert "[metrics]" in capsys.readouterr().err


def test_a_part_of_a_site_is_told_of_without_a_table(tmp_path) -> None:
    file = tmp_path / "grand.json"

    tell_of_site("floor", None, "grand", file)
    assert not file.exists()
    tell_of_site("floor", read_address("9481"), "grand", file)

    assert json.loads(file.read_text(encoding="utf-8")) == [
        {"targets": ["127.0.0.1:9481"], "labels": {"site": "grand", "part": "floor"}}
    ]
