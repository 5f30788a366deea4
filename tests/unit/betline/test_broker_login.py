"""How programs log in to a broker: users, password files, TLS, and each cause of a refusal in words, on a mosquitto."""

import subprocess
import sys
import threading
import time

import pytest

from betline import topics
from betline.broker import free_port
from betline.bus import MqttBus
from betline.bus.trouble import why_not
from betline.joining import BrokerChoice, join
from betline.login import BrokerUrl, Login, LoginError, read_folder
from betline.messages.table import Event
from betline.options import UserError
from betline.settings import BrokerSettings, load_table
from betline.topics import Namespace, topic
from tests.mosquitto import HOST, TestCa, needs_mosquitto, password_file, serving, with_tls

NAMES = Namespace("home", "oval")
TABLE = load_table("home-six")
# paho leaves the socket of a failed handshake to the garbage collector
pytestmark = pytest.mark.filterwarnings("ignore:.*ssl.SSLSocket:pytest.PytestUnraisableExceptionWarning")


def secret(path, text="s3cret-word"):
    path.touch(mode=0o600)
    path.write_text(f"{text}\n")
    return path


@pytest.fixture(scope="module")
def ca(tmp_path_factory):
    return TestCa(tmp_path_factory.mktemp("ca"))


@pytest.fixture(scope="module")
def locked(tmp_path_factory):
    """A mosquitto in clear that wants a user and a password."""
    folder = tmp_path_factory.mktemp("locked")
    users = password_file(folder / "passwd", {"controller": "s3cret-word"})
    with serving(folder, f"allow_anonymous false\npassword_file {users}") as port:
        yield port


@pytest.fixture(scope="module")
def secured(tmp_path_factory, ca):
    """A mosquitto with TLS and passwords."""
    folder = tmp_path_factory.mktemp("secured")
    users = password_file(folder / "passwd", {"controller": "s3cret-word"})
    lines = f"allow_anonymous false\npassword_file {users}\n{with_tls(ca.sign('server'))}"
    with serving(folder, lines) as port:
        yield port


@needs_mosquitto
def test_user_and_password_file_let_a_program_in_and_nobody_else(locked, tmp_path):
    login = Login(user="controller", password_file=secret(tmp_path / "password"))
    assert why_not(HOST, locked, login) is None
    bus = MqttBus(HOST, locked, NAMES, "one", login=login)
    assert bus.wait_connected(8)
    bus.close()


@needs_mosquitto
@pytest.mark.parametrize(
    ("user", "word", "said"),
    [
        (None, None, "wants a user and a password: give --login DIR"),
        ("controller", "wrong", "refuses user controller or the password in"),
        ("stranger", "s3cret-word", "refuses user stranger or the password in"),
    ],
)
def test_a_refused_login_ends_the_start_with_its_cause(locked, tmp_path, user, word, said):
    file = None if word is None else secret(tmp_path / "password", word)
    choice = BrokerChoice(url=f"{HOST}:{locked}", user=user, password_file=file)
    with pytest.raises(UserError, match=said) as refused:
        join(choice.address("controller"), NAMES, "one")
    assert refused.value.status == 1
    assert word is None or word not in str(refused.value)


@needs_mosquitto
def test_a_login_folder_is_all_that_a_program_needs(secured, ca, tmp_path):
    folder = account(tmp_path / "logins", "controller", f"mqtts://{HOST}:{secured}", ca)
    for given in (folder, folder.parent):
        bus = join(BrokerChoice(login=given).address("controller"), NAMES, "one")
        assert bus.connected
        bus.close()
    with pytest.raises(UserError, match=r"no .*/voice/login\.toml: betline provision"):
        BrokerChoice(login=folder.parent).address("voice")


def account(logins, name, url, ca, word="s3cret-word"):
    folder = logins / name
    folder.mkdir(parents=True, mode=0o700)
    (folder / "login.toml").write_text(f'url = "{url}"\nuser = "{name}"\n')
    secret(folder / "password", word)
    (folder / "ca.pem").write_text(ca.file.read_text())
    return folder


@needs_mosquitto
def test_a_broker_signed_by_another_authority_is_not_spoken_to(secured, ca, tmp_path):
    stranger = TestCa(tmp_path / "other", "stranger")
    said = why_not(HOST, secured, Login(tls=True, ca_file=stranger.file))
    assert said is not None
    assert (said.code, said.may_pass) == ("wrong-ca", False)
    assert f"not signed by the CA {stranger.file}" in said.sentence
    choice = BrokerChoice(url=f"mqtts://{HOST}:{secured}", ca=stranger.file)
    with pytest.raises(UserError, match="not signed by the CA"):
        join(choice.address("controller"), NAMES, "one")


@needs_mosquitto
@pytest.mark.parametrize(
    ("server", "code"),
    [({"days": -1}, "expired"), ({"hosts": ("poker.lan", "10.0.0.9")}, "wrong-name")],
    ids=["expired", "another host"],
)
def test_a_certificate_that_is_of_no_use_is_named(ca, tmp_path, server, code):
    with serving(tmp_path, f"allow_anonymous true\n{with_tls(ca.sign(code, **server))}") as port:
        said = why_not(HOST, port, Login(tls=True, ca_file=ca.file))
    assert said is not None
    assert said.code == code


@needs_mosquitto
@pytest.mark.parametrize("version", ["tlsv1.3", "tlsv1.2"])
def test_a_broker_that_wants_a_client_certificate_says_so_and_takes_one(ca, tmp_path, version):
    lines = f"allow_anonymous true\n{with_tls(ca.sign('server-2'), ca.file)}tls_version {version}"
    mine, stranger = ca.sign("controller"), TestCa(tmp_path / "other", "stranger").sign("controller")
    late = ca.sign("late", days=-1)
    with serving(tmp_path, lines) as port:
        bare = why_not(HOST, port, Login(tls=True, ca_file=ca.file))
        good = why_not(HOST, port, Login(tls=True, ca_file=ca.file, cert_file=mine.cert, key_file=mine.key))
        bad = why_not(HOST, port, Login(tls=True, ca_file=ca.file, cert_file=stranger.cert, key_file=stranger.key))
        old = why_not(HOST, port, Login(tls=True, ca_file=ca.file, cert_file=late.cert, key_file=late.key))
    assert good is None
    assert [one and one.code for one in (bare, bad, old)] == [
        "wants-certificate", "certificate-refused", "certificate-refused",
    ]  # fmt: skip
    assert old is not None
    assert "it has expired" in old.sentence


@needs_mosquitto
def test_tls_to_a_plain_port_and_the_other_way_round_are_told_apart(locked, secured, ca):
    plain, tls = why_not(HOST, locked, Login(tls=True, ca_file=ca.file)), why_not(HOST, secured)
    assert plain is not None
    assert tls is not None
    assert (plain.code, tls.code) == ("no-tls-here", "tls-here")
    assert f"write mqtt://{HOST}:{locked}" in plain.sentence
    assert f"write mqtts://{HOST}:{secured}" in tls.sentence


def test_nobody_listens_and_no_such_host_are_told_apart():
    nobody, nowhere = why_not(HOST, free_port()), why_not("no-such-host.invalid", 1883)
    assert nobody is not None
    assert nowhere is not None
    assert (nobody.code, nobody.may_pass, nowhere.code) == ("no-broker", True, "no-host")


@needs_mosquitto
def test_a_new_password_in_the_file_is_used_at_the_next_connection(tmp_path):
    """Rotation: the account gets another password at the broker, and the program is not started anew."""
    port, file = free_port(), secret(tmp_path / "password", "old-word")
    users = password_file(tmp_path / "passwd", {"controller": "old-word"})
    lines = f"allow_anonymous false\npassword_file {users}"
    with serving(tmp_path, lines, port):
        bus = MqttBus(HOST, port, NAMES, "one", login=Login(user="controller", password_file=file))
        assert bus.wait_connected(8)
    password_file(tmp_path / "passwd", {"controller": "new-word"})
    file.write_text("new-word\n")
    with serving(tmp_path, lines, port):
        assert bus.wait_connected(8)
        bus.close()


@needs_mosquitto
def test_the_password_is_in_no_argument_no_environment_and_no_word_of_a_program(locked, tmp_path):
    file = secret(tmp_path / "password", "wr0ng-word")
    line = [sys.executable, "-m", "betline", "bridge", "zone", "seat-1", "--broker", f"{HOST}:{locked}"]
    ended = subprocess.run(
        [*line, "--broker-user", "controller", "--broker-password-file", str(file)],
        check=False,
        capture_output=True,
        text=True,
    )
    assert ended.returncode == 1
    assert "refuses user controller" in ended.stderr
    assert "wr0ng-word" not in ended.stderr + ended.stdout


@pytest.mark.parametrize("text", ["console:pw@host", "mqtt://console:pw@host:1883", "mqtts://:pw@host"])
def test_a_password_in_an_address_is_refused_and_not_repeated(text):
    with pytest.raises(UserError, match="--broker-password-file") as refused:
        BrokerChoice(url=text).address("console")
    assert "pw@" not in str(refused.value)


@pytest.mark.parametrize(
    ("named", "is_for"),
    [
        ("house.lan:8883", True), ("mqtts://house.lan:8883", True), ("house.lan:1883", False),
        ("mqtts://cafe.lan:8883", False), ("10.0.0.9:8883", False),
    ],
)  # fmt: skip
def test_the_login_of_a_file_is_for_the_broker_that_the_file_names_only(tmp_path, named, is_for):
    settings = BrokerSettings(url="mqtts://house.lan:8883", user="console", password_file=str(tmp_path / "password"))
    chosen = BrokerChoice(url=named).with_settings(TABLE.model_copy(update={"broker": settings}))
    assert (chosen.user, chosen.password_file) == (("console", tmp_path / "password") if is_for else (None, None))


def test_a_program_that_run_starts_gets_the_names_of_secret_files_and_not_what_is_in_them(tmp_path):
    file = secret(tmp_path / "password")
    words = BrokerChoice(url="mqtts://house.lan", user="console", password_file=file).words()
    assert str(file) in words
    assert not [word for word in words if "s3cret-word" in word]


@pytest.mark.parametrize("mode", [0o640, 0o604, 0o644])
def test_a_password_file_that_others_can_read_is_refused(tmp_path, mode):
    file = secret(tmp_path / "password")
    file.chmod(mode)
    with pytest.raises(UserError, match="chmod 600"):
        BrokerChoice(user="one", password_file=file).address("console")


def test_a_key_that_others_can_read_is_refused(ca, tmp_path):
    signed = ca.sign("open-key")
    signed.key.chmod(0o644)
    with pytest.raises(UserError, match="chmod 600"):
        BrokerChoice(url="mqtts://host", ca=ca.file, cert=signed.cert, key=signed.key).address("console")


def test_a_folder_that_others_can_write_to_is_refused(ca, tmp_path):
    folder = account(tmp_path, "console", "mqtts://host:8883", ca)
    folder.chmod(0o777)
    with pytest.raises(LoginError, match="chmod 700"):
        read_folder(folder)


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("127.0.0.1:1883", (HOST, 1883, None)),
        ("broker", ("broker", 1883, None)),
        ("mqtts://broker", ("broker", 8883, "mqtts")),
        ("mqtt://broker:99/", ("broker", 99, "mqtt")),
        ("mqtts://[fe80::1]:8883", ("fe80::1", 8883, "mqtts")),
    ],
)
def test_addresses_of_brokers(text, found):
    where = BrokerUrl.parse(text)
    assert (where.host, where.port, where.scheme) == found


@pytest.mark.parametrize("text", ["", "http://broker", "broker:0", "broker:70000", "a b", "mqtt://", "broker:x"])
def test_what_is_no_address_is_refused(text):
    with pytest.raises(LoginError, match="no address of a broker"):
        BrokerUrl.parse(text)


@needs_mosquitto
def test_what_is_published_from_other_threads_while_messages_arrive_breaks_no_tls_line(ca, tmp_path):
    """One thread may use an SSL object at a time; two of them broke each line within seconds."""
    with serving(tmp_path, f"allow_anonymous true\n{with_tls(ca.sign('server-3'))}") as port:
        login = Login(tls=True, ca_file=ca.file)
        buses = [MqttBus(HOST, port, NAMES, name, login=login) for name in ("one", "two")]
        heard = [0, 0]
        for number, bus in enumerate(buses):
            assert bus.wait_connected(20)
            bus.subscribe(topics.EVENT, lambda _one, number=number: heard.__setitem__(number, heard[number] + 1))
            asked = threading.Event()
            bus.when_subscribed(asked.set)
            assert asked.wait(20)
            time.sleep(0.5)

        def talk(bus):
            for number in range(200):
                event = Event(journal_seq=number, hand_no=1, type="x", data={"x": "y" * 2000})
                bus.publish(topic(topics.EVENT), event)
                time.sleep(0.001)

        talkers = [threading.Thread(target=talk, args=(bus,)) for bus in buses]
        for talker in talkers:
            talker.start()
        for talker in talkers:
            talker.join()
        deadline_s = time.monotonic() + 60
        while min(heard) < 400 and time.monotonic() < deadline_s:
            time.sleep(0.02)
        for bus in buses:
            bus.close()
    assert [bus.counters.connects for bus in buses] == [1, 1]
    assert min(heard) >= 400
