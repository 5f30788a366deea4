"""What lies between the recorder and its database: a line that freezes, a server that fails over, a pool."""

import pytest

from cardroom.record import database
from cardroom.record.errors import RecordError
from cardroom.record.store import Store
from tests.unit.site.journals import journal
from tests.unit.site.servers import PGBOUNCER, THERE, Pool, Replica, Server
from tests.unit.site.test_other_servers import more
from tests.unit.site.test_recorder import Site
from virtual_table.site.cuttable_line import CuttableLine

pytestmark = pytest.mark.nightly


@pytest.fixture(scope="module")
def server():
    with Server(THERE[0]) as one:
        yield one


@pytest.fixture(autouse=True)
def passwords(server, monkeypatch):
    with server.passwords.open() as file:
        (server.folder / "anywhere").write_text(file.read().replace(f":{server.port}:", ":*:"))
    (server.folder / "anywhere").chmod(0o600)
    monkeypatch.setenv("PGPASSFILE", str(server.folder / "anywhere"))


def pump(played, times=8):
    for _ in range(times):
        for table in played.bus.shelves:
            played.bus.tell(table)
        played.recorder.pump(0.0)
        played.now_s += 6.0


def test_a_line_that_freezes_is_given_up_said_and_taken_up_again(server, tmp_path, monkeypatch):
    monkeypatch.setattr(database, "ANSWER_S", 1.0)
    monkeypatch.setitem(database.LINE, "connect_timeout", 2)
    file, line = journal(tmp_path / "six"), CuttableLine(server.port)
    played = Site(server.make("frozen").replace(f":{server.port}/", f":{line.port}/"), six=file)
    try:
        played.begin()
        line.set("frozen")
        more(file, tmp_path, 7)
        pump(played, 3)
        assert played.recorder.away
        assert "The database has not answered for 1 s." in played.said[0]
        line.set("whole")
        pump(played)
        played.told()
        assert (played.found().rows, played.found().problems) == (37, [])
        assert "The database is there again." in played.said
    finally:
        played.close()
        line.close()


def test_the_server_looks_after_the_recorders_line_and_nobody_elses(server):
    url = server.make("noticed")
    with Store(url, "home", "UTC", writes=True) as store:
        shown = [store._line.execute(f"SHOW tcp_{name}").fetchone()[0] for name in ("keepalives_idle", "user_timeout")]
        assert shown == ["10", "20000"]
    with Store(url) as store:
        assert store._line.execute("SHOW tcp_user_timeout").fetchone()[0] == "0"


def test_a_server_that_dies_is_followed_to_its_replica_and_nothing_is_missing(tmp_path, monkeypatch):
    file = journal(tmp_path / "six")
    with Server(THERE[0]) as first:
        monkeypatch.setenv("PGPASSFILE", str(first.folder / "anywhere"))
        (first.folder / "anywhere").write_text(first.passwords.read_text().replace(f":{first.port}:", ":*:"))
        (first.folder / "anywhere").chmod(0o600)
        with Replica(first) as second:
            hosts = f"127.0.0.1:{second.port},127.0.0.1:{first.port}"
            url = first.url().replace(f"127.0.0.1:{first.port}", hosts)
            url += ("&" if "?" in url else "?") + "target_session_attrs=read-write"
            played = Site(url, six=file)
            played.begin()
            with pytest.raises(RecordError, match="target_session_attrs=read-write") as refused:
                Store(second.url(), "home", "UTC", writes=True)
            assert refused.value.code == "read-only"

            first.stop()
            more(file, tmp_path, 7)
            pump(played)
            assert played.recorder.away
            second.promote()
            pump(played)
            played.told()
            played.close()
            assert (played.found().rows, played.found().problems) == (37, [])
            first.start()  # for its end


@pytest.mark.skipif(PGBOUNCER is None, reason="pgbouncer is not here: apt install pgbouncer")
def test_a_pool_that_gives_sessions_to_others_is_refused_and_one_that_keeps_them_is_taken(server, tmp_path):
    server.make("pooled")
    with Pool(server, "transaction", 5) as pool, pytest.raises(RecordError, match="pool_mode = session") as refused:
        Store(pool.url("pooled"), "home", "UTC", writes=True)
    assert refused.value.code == "pooled"
    for size in (1, 5):
        with Pool(server, "session", size) as pool:
            name = f"kept{size}"
            server.make(name)
            played = Site(pool.url(name), six=journal(tmp_path / name))
            played.begin()
            played.close()
            assert (played.found().rows, played.found().problems) == (30, [])
