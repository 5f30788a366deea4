"""A table of two versions: a controller of an earlier commit with today's console, and the other way round."""

import contextlib
import json
import os
import subprocess
import sys
import threading
from pathlib import Path

import paho.mqtt.client as paho
import pytest
from paho.mqtt.enums import CallbackAPIVersion

from betline import topics
from betline.broker import free_port
from betline.bus import MqttBus
from betline.messages.common import Birth
from betline.messages.versions import FIRST, MESSAGES, apart, own_capability, version_of
from betline.topics import Namespace, topic
from tests.earlier import ROOT, tree_of
from tests.mosquitto import HOST, MOSQUITTO, end, needs_mosquitto
from tests.provisioned import listens
from tests.site import wait

EARLIER = "0f9c9740"
"""The last commit whose programs say nothing of their messages."""
NAMES = Namespace("home", "home-six")

pytestmark = [pytest.mark.nightly, needs_mosquitto, pytest.mark.timeout(200)]


@pytest.fixture(scope="module")
def earlier(tmp_path_factory):
    """The tree of the earlier commit, as its users would have it beside today's."""
    return tree_of(EARLIER, tmp_path_factory.mktemp("earlier"))


@contextlib.contextmanager
def controller_of(tree: Path, folder: Path):
    """A controller of one checkout on a mosquitto of its own; the port."""
    port = free_port()
    quiet = {"stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL}
    line = ["controller", "--table", "home-six", "--broker", f"{HOST}:{port}", "--journal", str(folder / "j")]
    with (
        subprocess.Popen([MOSQUITTO, "-p", str(port)], **quiet) as broker,
        subprocess.Popen(
            [sys.executable, "-c", "from betline.front_door import main; main()", *line],
            env={**os.environ, "PYTHONPATH": str(tree)},
            cwd=tree,
            **quiet,
        ) as controller,
    ):
        try:
            yield port
        finally:
            controller.terminate()
            controller.wait()
            end(broker)


def heard(port, *kinds):
    bus, got = MqttBus(HOST, port, NAMES, "console"), {kind: [] for kind in kinds}
    for kind in kinds:
        bus.subscribe(kind, got[kind].append)
    return bus, got


def test_an_earlier_controller_serves_todays_programs_and_is_named_as_older(earlier, tmp_path):
    with controller_of(earlier, tmp_path) as port:
        bus, got = heard(port, topics.BIRTH, topics.STATE)
        wait(lambda: got[topics.BIRTH] and got[topics.STATE], "birth and state of the earlier controller", 60)
        birth = got[topics.BIRTH][0].body
        assert version_of(birth) == FIRST
        assert apart("controller", birth).endswith("update it when its table is closed.")
        assert bus.counters.malformed == 0
        bus.close()


READS = """
import sys, time
from betline import topics
from betline.bus import MqttBus
from betline.topics import Namespace
bus, got = MqttBus("127.0.0.1", int(sys.argv[1]), Namespace("home", "home-six"), "console"), {}
for kind in (topics.BIRTH, topics.STATE, topics.ALERT):
    bus.subscribe(kind, lambda received: got.setdefault(received.topic.path, received.body.model_dump_json()))
until_s = time.monotonic() + 60
while time.monotonic() < until_s:
    if {"birth", "state"} <= set(got) and bus.counters.malformed >= int(sys.argv[2]):
        break
    time.sleep(0.05)
print(len(got), bus.counters.malformed, bus.counters.last_problem)
"""


def reads(tree, port, malformed):
    done = subprocess.run(
        [sys.executable, "-c", READS, str(port), str(malformed)],
        env={**os.environ, "PYTHONPATH": str(tree)}, cwd=tree, capture_output=True, text=True, timeout=120, check=True,
    )  # fmt: skip
    return done.stdout.strip()


def test_an_earlier_program_reads_birth_and_state_of_todays_controller(earlier, tmp_path):
    with controller_of(ROOT, tmp_path) as port:
        assert reads(earlier, port, 0) == "2 0"


def test_an_earlier_program_drops_and_counts_a_message_with_a_field_more_and_todays_leaves_the_field_out(
    earlier, tmp_path
):
    more = json.dumps(
        {"sender": "controller", "boot_id": "later", "seq": 1, "ts_ms": 1, "mono_ns": 1, "severity": "info",
         "code": "x", "sentence": "s", "mood": "new"}
    )  # fmt: skip
    with controller_of(ROOT, tmp_path) as port:
        talker, ending = paho.Client(CallbackAPIVersion.VERSION2), threading.Event()
        wait(lambda: listens(port), "the broker")
        talker.connect(HOST, port)
        talker.loop_start()

        def talk():
            while not ending.wait(0.3):
                talker.publish(NAMES.full("alert"), more)

        thread = threading.Thread(target=talk)
        thread.start()
        try:
            old, new = reads(earlier, port, 1), reads(ROOT, port, 0)
        finally:
            ending.set()
            thread.join()
            talker.loop_stop()
    assert "mood: Extra inputs are not permitted" in old
    assert new.split()[1] == "0"


def test_todays_controller_says_at_the_table_that_its_readers_program_is_older_or_newer(tmp_path):
    with controller_of(ROOT, tmp_path) as port:
        bus, got = heard(port, topics.ALERT, topics.STATUS)
        wait(lambda: got[topics.STATUS], "the controller", 60)
        bridge = MqttBus(HOST, port, NAMES, "bridge", presence=topic(topics.DEVICE_STATUS, "bridge"))
        born = {"role": "bridge", "version": "9.0", "table": "home-six", "config_hash": "x"}
        bridge.publish(topic(topics.DEVICE_BIRTH, "bridge"), Birth(**born, capabilities=(f"messages-{MESSAGES + 1}",)))
        wait(lambda: [one for one in got[topics.ALERT] if one.body.code == "other-version-bridge"], "the alert", 30)
        said = next(one.body.sentence for one in got[topics.ALERT] if one.body.code == "other-version-bridge")
        assert said.startswith(f"bridge is Betline 9.0 and speaks messages {MESSAGES + 1}")
        bridge.publish(topic(topics.DEVICE_BIRTH, "bridge"), Birth(**born, capabilities=(own_capability(),)))
        over = lambda one: one.body.code == "other-version-bridge" and not one.body.active  # noqa: E731
        wait(lambda: any(map(over, got[topics.ALERT])), "that it has passed", 30)
        bridge.close()
        bus.close()
