"""Figures over HTTP, where they are asked for."""

import subprocess
import sys
import urllib.request

import pytest

from betline import topics
from betline.broker import free_port
from betline.bus.port import BusCounters
from betline.messages.common import Health
from betline.metrics.family import Timing
from betline.metrics.serving import served
from betline.options import Address, UserError
from betline.tally import Tally
from betline.topics import topic


class Heard:
    connected = True
    counters = BusCounters(published=5)

    def kept(self):
        return ((topic(topics.DEVICE_HEALTH, "reader-1"), Health(counters={"cycles": 3.0})),)


def page(port: int) -> list[str]:
    opener = urllib.request.build_opener(urllib.request.ProxyHandler({}))
    with opener.open(f"http://127.0.0.1:{port}/metrics", timeout=5) as answer:
        return answer.read().decode().splitlines()


def test_prometheus_gets_what_the_program_tells_and_nothing_once_it_ends() -> None:
    port, tally = free_port(), Tally((0.1,))
    tally.note(0.05)

    with served(Address("127.0.0.1", port), Heard(), lambda: [Timing("round", "reader-1", tally)]):
        lines = page(port)

    assert 'betline_reader_rounds_total{device="reader-1"} 3.0' in lines
    assert "betline_bus_messages_published_total 5.0" in lines
    assert 'betline_reader_round_seconds_bucket{device="reader-1",le="0.1"} 1.0' in lines
    assert 'betline_reader_round_seconds_count{device="reader-1"} 1.0' in lines
    assert any(line.startswith("process_resident_memory_bytes ") for line in lines)
    with pytest.raises(OSError, match="refused"):
        page(port)


def test_a_port_in_use_is_a_sentence() -> None:
    where = Address("127.0.0.1", free_port())

    with served(where, Heard()), pytest.raises(UserError, match="name another port"), served(where, Heard()):
        pass


def test_without_the_option_the_library_is_not_even_imported() -> None:
    script = (
        "import sys\n"
        "from betline.metrics.serving import served\n"
        "with served(None, None): pass\n"
        "import table_controller.service.running, firmware_bridge.service\n"
        "sys.exit('prometheus_client' in sys.modules)"
    )

    assert subprocess.run([sys.executable, "-c", script], check=False).returncode == 0


def test_without_the_library_a_sentence_says_what_to_install(monkeypatch) -> None:
    monkeypatch.setitem(sys.modules, "prometheus_client", None)

    with pytest.raises(UserError, match=r"betline\[metrics\]"), served(Address("127.0.0.1", free_port()), Heard()):
        pass
