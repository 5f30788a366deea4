"""`betline provision --web-host`: the certificate of the pages, kept, renewed, rotated and revoked as others are."""

import json
import stat
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from cryptography import x509

from betline.front_door import run
from betline.provision import acts, certificates
from betline.provision.acts import Wish, provide
from betline.provision.files import ProvisionError
from betline.services.cli import WEB_FILES
from betline.settings import load_table
from betline.topics import Namespace

NOW = datetime.now(UTC)
TABLE = load_table("home-six")
NAMES = Namespace("home", "home-six")
HOSTS = ("table.lan", "192.0.2.7")
SOON = NOW + timedelta(days=certificates.DAYS - certificates.RENEW_DAYS + 1)


def made(folder: Path, wish: Wish | None = None, now: datetime = NOW) -> acts.Outcome:
    return provide(TABLE, NAMES, folder, wish or Wish(web_hosts=HOSTS), now)


def certificate(folder: Path) -> x509.Certificate:
    text = (folder / "web/web.crt").read_text()
    return certificates.Signed.read(text, (folder / "web/web.key").read_text()).cert


def files(folder: Path) -> set[str]:
    return {one.name for one in (folder / "web").iterdir()}


def state(folder: Path, now: datetime = NOW) -> str:
    return next(row.state for row in acts.rows(folder, now) if row.name == "web")


def test_it_is_of_the_houses_authority_for_the_names_that_were_given_and_for_servers_only(tmp_path):
    done = made(tmp_path)
    cert = certificate(tmp_path)
    authority = x509.load_pem_x509_certificate((tmp_path / "ca/ca.pem").read_bytes())
    cert.verify_directly_issued_by(authority)
    named = cert.extensions.get_extension_for_class(x509.SubjectAlternativeName).value
    assert named.get_values_for_type(x509.DNSName) == ["table.lan", "localhost"]
    assert [str(one) for one in named.get_values_for_type(x509.IPAddress)] == ["192.0.2.7", "127.0.0.1", "::1"]
    assert list(cert.extensions.get_extension_for_class(x509.ExtendedKeyUsage).value) == [
        x509.oid.ExtendedKeyUsageOID.SERVER_AUTH
    ]
    assert done.changes.logins[-1] == "web"


def test_its_files_are_the_owners_alone_and_have_the_names_that_the_service_looks_for(tmp_path):
    made(tmp_path)
    assert files(tmp_path) == {"web.crt", "web.key", "ca.pem"}
    assert set(WEB_FILES) - files(tmp_path) == {"web.tokens"}
    assert (tmp_path / "web/ca.pem").read_bytes() == (tmp_path / "ca/ca.pem").read_bytes()
    assert {stat.S_IMODE(one.stat().st_mode) for one in (tmp_path / "web").iterdir()} == {0o600}
    assert stat.S_IMODE((tmp_path / "web").stat().st_mode) == 0o700


def test_without_names_there_is_none_and_no_word_of_it(tmp_path):
    made(tmp_path, Wish())
    assert not (tmp_path / "web").exists()
    assert "web" not in {row.name for row in acts.rows(tmp_path, NOW)}
    with pytest.raises(ProvisionError, match="no account web"):
        acts.rotate(tmp_path, ("web",), NOW)


def test_run_again_without_the_names_it_stays_as_it_is(tmp_path):
    made(tmp_path)
    before = (tmp_path / "web/web.crt").read_bytes()
    again = made(tmp_path, Wish(), NOW + timedelta(days=100))
    assert (tmp_path / "web/web.crt").read_bytes() == before
    assert (again.changes.done, again.changes.logins, again.changes.broker) == ([], [], False)


@pytest.mark.parametrize("hosts", [("table.lan",), ("table.lan", "192.0.2.7", "pages.lan")], ids=["fewer", "more"])
def test_other_names_make_another_one_for_these_names_only(tmp_path, hosts):
    made(tmp_path)
    before = certificate(tmp_path)
    again = made(tmp_path, Wish(web_hosts=hosts))
    named = certificate(tmp_path).extensions.get_extension_for_class(x509.SubjectAlternativeName).value
    assert set(hosts) >= set(named.get_values_for_type(x509.DNSName)) - {"localhost"}
    assert ("192.0.2.7" in {str(one) for one in named.get_values_for_type(x509.IPAddress)}) == (len(hosts) > 1)
    assert certificate(tmp_path).serial_number != before.serial_number
    assert again.changes.logins == ["web"]
    assert not again.changes.broker


def test_it_is_renewed_before_it_expires(tmp_path):
    made(tmp_path)
    before = certificate(tmp_path)
    assert state(tmp_path) == "good"
    assert state(tmp_path, SOON) == "renew soon"
    assert state(tmp_path, NOW + timedelta(days=certificates.DAYS + 1)) == "expired"
    assert acts.renew(tmp_path, 30, NOW).changes.logins == []
    assert acts.renew(tmp_path, 30, SOON).changes.logins == ["web"]
    assert certificate(tmp_path).serial_number != before.serial_number
    assert state(tmp_path, SOON) == "good"


@pytest.mark.parametrize("names", [("web",), ()], ids=["named", "all"])
def test_rotation_makes_another_and_the_old_one_put_back_is_replaced(tmp_path, names):
    made(tmp_path)
    old = {one.name: one.read_bytes() for one in (tmp_path / "web").iterdir()}
    assert "web" in acts.rotate(tmp_path, names, NOW).changes.logins
    assert (tmp_path / "web/web.crt").read_bytes() != old["web.crt"]
    for name, content in old.items():
        (tmp_path / "web" / name).write_bytes(content)
    assert made(tmp_path, Wish()).changes.logins == ["web"]
    assert (tmp_path / "web/web.crt").read_bytes() != old["web.crt"]


def test_revoked_it_is_gone_and_stays_away_until_it_is_rotated_and_the_codes_stay(tmp_path):
    made(tmp_path)
    (tmp_path / "web/web.tokens").write_text("codes")
    said = acts.revoke(tmp_path, ("web",), NOW).changes.done
    for _ in range(2):
        assert files(tmp_path) == {"web.tokens"}
        assert state(tmp_path) == "revoked"
        assert made(tmp_path).changes.logins == []
    assert "believed until it expires" in said[0]
    assert acts.rotate(tmp_path, (), NOW).changes.logins.count("web") == 0
    acts.rotate(tmp_path, ("web",), NOW)
    assert files(tmp_path) == {"web.tokens", "web.crt", "web.key", "ca.pem"}


def test_revoked_without_codes_beside_it_leaves_no_folder(tmp_path):
    made(tmp_path)
    acts.revoke(tmp_path, ("web",), NOW)
    assert not (tmp_path / "web").exists()


def test_another_authority_makes_another_certificate(tmp_path):
    made(tmp_path)
    for name in ("ca/ca.pem", "ca/ca-key.pem", "mosquitto/revoked.pem"):
        (tmp_path / name).unlink()
    made(tmp_path)
    certificate(tmp_path).verify_directly_issued_by(
        x509.load_pem_x509_certificate((tmp_path / "web/ca.pem").read_bytes())
    )


def test_tables_of_one_broker_have_a_certificate_each(tmp_path):
    made(tmp_path / "one")
    other = load_table("casino-oval")
    wish = Wish(shared=tmp_path / "one", web_hosts=("oval.lan",))
    provide(other, Namespace("home", other.name), tmp_path / "two", wish, NOW)
    assert certificate(tmp_path / "one").serial_number != certificate(tmp_path / "two").serial_number
    assert certificate(tmp_path / "one").issuer == certificate(tmp_path / "two").issuer


@pytest.mark.parametrize("host", ["table lan", "-x", "https://table.lan", ""])
def test_a_name_that_is_none_is_refused(tmp_path, host):
    with pytest.raises(ProvisionError, match=r"--web-host .* is no name or address"):
        made(tmp_path / "new", Wish(web_hosts=(host,)))


def test_a_camera_of_that_name_is_refused(tmp_path):
    camera = TABLE.cameras[0].model_copy(update={"id": "web"})
    with pytest.raises(ProvisionError, match="is taken"):
        provide(TABLE.model_copy(update={"cameras": (camera,)}), NAMES, tmp_path, Wish(), NOW)


@pytest.mark.parametrize("damage", [[1], {"hosts": ["a"]}, {"hosts": 3, "serial": "", "expires": "", "revoked": False}])
def test_a_damaged_record_is_refused_in_a_sentence(tmp_path, damage):
    made(tmp_path)
    record = json.loads((tmp_path / "provision.json").read_text())
    (tmp_path / "provision.json").write_text(json.dumps({**record, "web": damage}))
    with pytest.raises(ProvisionError, match="put it back"):
        made(tmp_path)


def test_the_steps_can_be_typed_and_print_no_secret(tmp_path, capsys):
    folder = tmp_path / "logins"
    line = ["provision", "--table", "home-six", "-o", str(folder), "--web-host", "table.lan", "--web-host", "192.0.2.7"]
    assert run(line) == 0
    said = capsys.readouterr().out
    files = f"--cert {folder}/web/web.crt --key {folder}/web/web.key --tokens {folder}/web/web.tokens"
    assert f"betline web --table home-six --host 0.0.0.0 --login {folder}/display {files}" in said
    assert f"Install {folder}/web/ca.pem, and nothing else, on each phone" in said
    assert f"Keep {folder}/ca off the broker and the phones" in said
    assert "PRIVATE KEY" not in said
    assert run(["provision", "rotate", str(folder), "web"]) == 0
    assert "mosquitto" not in capsys.readouterr().out
    assert run(["provision", "list", str(folder), "--json"]) == 0
    assert [row["account"] for row in json.loads(capsys.readouterr().out)["accounts"]][-3:] == [
        "web",
        "broker",
        "authority",
    ]
