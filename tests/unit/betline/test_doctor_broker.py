"""What the doctor says of a broker: login, certificates and their last days, and what the account may do there."""

import json

import pytest

from betline.front_door import run
from tests.mosquitto import HOST, TestCa, needs_mosquitto, password_file, serving, with_tls


def doctor(capsys, *words):
    status = run(["doctor", "--table", "home-six", "--only", "broker", "--json", *map(str, words)])
    return status, {
        (one["what"], one["state"]): one["sentence"] for one in json.loads(capsys.readouterr().out)["answers"]
    }


@pytest.fixture(scope="module")
def ca(tmp_path_factory):
    return TestCa(tmp_path_factory.mktemp("ca"))


@pytest.fixture
def word(tmp_path):
    file = tmp_path / "word"
    file.touch(mode=0o600)
    file.write_text("secret\n")
    return file


@needs_mosquitto
@pytest.mark.parametrize(("days", "state"), [(31, "ok"), (29, "warning")])
def test_a_certificate_is_warned_of_thirty_days_before_its_end(ca, tmp_path, capsys, days, state):
    server = ca.sign(f"server-{days}", days=days)
    with serving(tmp_path, f"allow_anonymous true\n{with_tls(server)}") as port:
        status, said = doctor(capsys, "--broker", f"mqtts://{HOST}:{port}", "--broker-ca", ca.file)
    assert status == 0

    assert "of the broker" in said["certificate", state]
    assert ("broker", "ok") in said
    assert ("access list", "ok") in said


@needs_mosquitto
def test_an_account_that_may_send_no_command_is_a_fault(tmp_path, capsys, word):
    users = password_file(tmp_path / "passwd", {"reader": "secret", "keys": "secret"})
    acl = tmp_path / "acl"
    acl.touch(mode=0o600)
    acl.write_text("user reader\ntopic read #\n\nuser keys\ntopic readwrite #\n")
    lines = f"allow_anonymous false\npassword_file {users}\nacl_file {acl}"
    with serving(tmp_path, lines) as port:
        login = ("--broker", f"{HOST}:{port}", "--broker-password-file", word, "--broker-user")
        assert doctor(capsys, *login, "keys")[0] == 0
        status, said = doctor(capsys, *login, "reader")
    assert status == 1
    assert "drops what this account says" in said[("access list", "fault")]


@needs_mosquitto
def test_a_refused_login_is_a_fault_with_its_cause(tmp_path, capsys):
    with serving(tmp_path, "allow_anonymous false") as port:
        status, said = doctor(capsys, "--broker", f"{HOST}:{port}")
    assert status == 1
    assert "wants a user and a password" in said[("broker", "fault")]


def test_a_password_file_that_others_can_read_is_a_fault(word, capsys):
    word.chmod(0o644)
    status, said = doctor(capsys, "--broker", "broker.lan", "--broker-user", "x", "--broker-password-file", word)
    assert status == 1
    assert "chmod 600" in said[("broker login", "fault")]
