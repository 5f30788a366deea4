"""The scripts of the page on EMQX do what it says; EMQX itself was never run."""

import csv
import hashlib
import re
import subprocess
from pathlib import Path

from betline.provision.crossings import link_topic, right_lines
from betline.provision.rights import lines, site_accounts, user_of
from tests.unit.docs.checkout import ROOT
from tests.unit.project.pages import blocks

PAGE = ROOT / "docs" / "emqx.md"


def script(word: str) -> str:
    """The block of shell that has this word."""
    (found,) = [one for one in blocks(PAGE.read_text(encoding="utf-8"), "sh") if word in one]
    return found


def ran(text: str, folder: Path) -> None:
    done = subprocess.run(["sh", "-euc", text], cwd=folder, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (0, "")


def test_the_access_list_of_emqx_allows_each_account_what_that_of_mosquitto_does(tmp_path: Path) -> None:
    accounts = [lines(one, user_of("grand", "site", one.name), "grand", "+") for one in site_accounts()]
    link = ["user grand.site.link-pit-a", *right_lines("grand", ["t1"]), f"topic write {link_topic('grand', 'pit-a')}"]
    listed = [line for account in (*accounts, link) for line in ("", *account)]
    (tmp_path / "site-files/site/mosquitto").mkdir(parents=True)
    (tmp_path / "site-files/site/mosquitto/access.acl").write_text("\n".join(["# Made.", *listed, ""]))

    ran(script("access.acl"), tmp_path)

    rules = (tmp_path / "acl.conf").read_text().splitlines()
    assert rules.pop() == "{deny, all}."
    found = [re.fullmatch(r'\{allow, \{username, "([^"]+)"\}, (\w+), \["([^"]+)"\]\}\.', rule) for rule in rules]
    names, user, wanted = {"read": "subscribe", "write": "publish", "readwrite": "all"}, "", []
    for words in (line.split(" ") for line in listed if line):
        if words[0] == "user":
            user = words[1]
        else:
            wanted.append((user, names[words[1]], words[2]))
    assert [one.groups() for one in found if one is not None] == wanted
    assert {what for _, what, _ in wanted} == set(names.values())


def test_the_accounts_for_emqx_have_the_passwords_of_the_logins(tmp_path: Path) -> None:
    passwords = {"grand.site.floor": "aB-_9", "grand.site.link-pit-a": "zZ0"}
    for user, password in passwords.items():
        folder = tmp_path / "site-files/site" / user.rpartition(".")[2]
        folder.mkdir(parents=True)
        (folder / "login.toml").write_text(f'# Made.\nurl = "mqtts://site.lan:8883"\nuser = "{user}"\n')
        (folder / "password").write_text(password + "\n")

    ran(script("accounts.csv"), tmp_path)

    with (tmp_path / "accounts.csv").open(encoding="utf-8") as file:
        rows = list(csv.DictReader(file))
    assert {one["user_id"]: one["password_hash"] for one in rows} == {
        one["user_id"]: hashlib.sha256((passwords[one["user_id"]] + one["salt"]).encode()).hexdigest() for one in rows
    }
    assert {one["user_id"] for one in rows} == set(passwords)
    assert {one["is_superuser"] for one in rows} == {"false"}
    assert len({one["salt"] for one in rows}) == 2
    assert (tmp_path / "accounts.csv").stat().st_mode & 0o077 == 0
