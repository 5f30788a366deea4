"""The whole system on a mosquitto as `betline provision` makes it, with TLS, passwords, certificates, access list."""

import json
import os
import subprocess
import sys
import time

import pytest

from betline.broker import free_port
from tests.mosquitto import MOSQUITTO, end, needs_mosquitto

pytestmark = [pytest.mark.hil, needs_mosquitto, pytest.mark.timeout(280)]
TABLE = ["--table", "home-six"]


def betline(*words):
    return [sys.executable, "-m", "betline", *words]


def test_a_hand_is_played_on_a_provisioned_mosquitto_and_nothing_legitimate_is_denied(tmp_path):
    logins, port, log = tmp_path / "logins", free_port(), tmp_path / "mosquitto.log"
    made = ["provision", *TABLE, "-o", str(logins), "--port", str(port), "--installed-in", str(logins / "mosquitto")]
    subprocess.run(betline(*made, "--certificates", "--virtual"), check=True, stdout=subprocess.DEVNULL)
    usual = f"persistence_location {tmp_path}/\nlog_dest file {log}\nlog_type all\n"
    usual += "user root\n" if os.geteuid() == 0 else ""
    config = tmp_path / "main.conf"
    config.write_text(usual + (logins / "mosquitto/mosquitto.conf").read_text())
    with subprocess.Popen([MOSQUITTO, "-c", str(config)], stderr=subprocess.DEVNULL) as broker:
        try:
            deadline = time.monotonic() + 10
            while not log.exists() or " running" not in log.read_text():
                assert broker.poll() is None
                assert time.monotonic() < deadline
                time.sleep(0.05)
            played = subprocess.run(
                betline(
                    *("demo", "--headless", "--json", "--hands", "1", "--seed", "1", *TABLE),
                    *("--external-broker", "--login", str(logins), "--journal", str(tmp_path / "journal")),
                ),
                capture_output=True,
                text=True,
                timeout=240,
                check=False,
            )
        finally:
            end(broker)
    assert played.returncode == 0, played.stderr
    report = json.loads(played.stdout)
    assert (report["hands"], report["wrong"]) == (1, 0)
    said = log.read_text()
    assert "Denied" not in said
    for account in ("controller", "bridge", "overhead", "world"):
        assert f"u'home.home-six.{account}'" in said
    for path in ("zone/seat-1/chips", "device/overhead/view", "command/", "announcement"):
        assert f"'betline/v1/home/home-six/{path}" in said
