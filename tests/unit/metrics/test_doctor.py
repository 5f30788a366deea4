"""The doctor says whether figures answer, where they are on."""

import http.server
import threading

from betline.broker import free_port
from betline.doctor.answer import State, Visit
from betline.doctor.figures import examine
from betline.joining import BrokerChoice
from betline.metrics.serving import served
from betline.options import Address
from betline.settings import load_table
from betline.settings.metrics import MetricsSettings
from tests.unit.metrics.test_serving import Heard

TABLE = load_table("home-six")


def look(tmp_path, port: int | None):
    metrics = None if port is None else MetricsSettings(port=port)
    table = TABLE.model_copy(update={"metrics": metrics})
    return list(examine(Visit(table, "home-six", BrokerChoice(), tmp_path)))


def test_nothing_is_said_of_a_table_without_figures(tmp_path) -> None:
    assert look(tmp_path, None) == []


def test_the_parts_that_answer_are_named_and_silence_is_no_fault(tmp_path) -> None:
    port = free_port()
    with served(Address("127.0.0.1", port), Heard()):
        (answer,) = look(tmp_path, port)
    assert (answer.state, answer.sentence) == (State.OK, f"answered by controller ({port})")

    (answer,) = look(tmp_path, port)
    assert answer.state is State.SKIPPED


def test_another_program_on_a_parts_port_is_a_fault(tmp_path) -> None:
    other = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Silent)
    thread = threading.Thread(target=other.serve_forever, kwargs={"poll_interval": 0.05})
    thread.start()
    try:
        answer = look(tmp_path, other.server_port)[0]
    finally:
        other.shutdown()
        other.server_close()
        thread.join()
    assert answer.state is State.FAULT


class Silent(http.server.BaseHTTPRequestHandler):
    def do_GET(self) -> None:
        self.send_error(404)

    def log_message(self, *_: object) -> None:
        pass
