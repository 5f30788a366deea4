"""PostgreSQL servers for tests as a house has them: a port, accounts with passwords, TLS where the programs can."""

from __future__ import annotations

import shutil
import subprocess
import tempfile
import time
from pathlib import Path

import psycopg

from betline.broker import free_port
from cardroom.record.embedded import _as_nobody_special, programs
from tests.mosquitto import HOST, TestCa
from tests.provisioned import listens

WHEEL = programs().parents[1]
FOLDERS = {
    "15": Path("/usr/lib/postgresql/15/bin"), "16": WHEEL / "pginstall/bin", "18": WHEEL / "pginstall18/bin",
}  # fmt: skip
THERE = [version for version, folder in FOLDERS.items() if (folder / "initdb").exists()]
TLS = {"15"}
"""Those that are built with it; the wheel's are not."""
PGBOUNCER = shutil.which("pgbouncer") or shutil.which("/usr/sbin/pgbouncer")
PASSWORD = "not \\ a: secret"


class Server:
    """One server with the account and the database `betline`; a context manager."""

    def __init__(self, version: str) -> None:
        self.version, self.port = version, free_port()
        self.folder = Path(tempfile.mkdtemp(prefix="betline-pg-"))
        self.data, self.passwords = self.folder / "data", self.folder / "pgpass"
        self.ca = TestCa(self.folder)

    def __enter__(self) -> Server:
        (self.folder / "word").write_text("of the owner")
        self.run("initdb", "-D", self.data, "-U", "owner", "--auth=scram-sha-256", "--pwfile", self.folder / "word",
                 "--encoding=UTF8", "--locale=C")  # fmt: skip
        lines = [f"port = {self.port}", f"listen_addresses = '{HOST}'", f"unix_socket_directories = '{self.folder}'"]
        kind = "hostssl" if self.version in TLS else "host"
        if self.version in TLS:
            signed = self.ca.sign("postgres")
            lines += ["ssl = on", f"ssl_cert_file = '{signed.cert}'", f"ssl_key_file = '{signed.key}'"]
        (self.data / "postgresql.conf").write_text("\n".join(lines) + "\n")
        (self.data / "pg_hba.conf").write_text(
            f"{kind} all all {HOST}/32 scram-sha-256\n{kind} replication owner {HOST}/32 scram-sha-256\n"
        )
        self.start()
        self.as_owner("CREATE ROLE betline LOGIN PASSWORD 'not \\ a: secret'")
        self.make("betline")
        self.write_passwords(PASSWORD)
        return self

    def __exit__(self, *_: object) -> None:
        self.stop()
        shutil.rmtree(self.folder)

    def make(self, database: str, owner: str = "betline") -> str:
        """A new database; its address."""
        self.as_owner(f"CREATE DATABASE {database} OWNER {owner}")
        return self.url(database)

    def url(self, database: str = "betline", user: str = "betline") -> str:
        """The address without a password, as people write it."""
        safe = f"?sslmode=verify-full&sslrootcert={self.ca.file}" if self.version in TLS else ""
        return f"postgresql://{user}@{HOST}:{self.port}/{database}{safe}"

    def write_passwords(self, password: str) -> None:
        """The file that ~/.pgpass is; PGPASSFILE names it."""
        written = password.replace("\\", "\\\\").replace(":", "\\:")
        self.passwords.write_text(f"{HOST}:{self.port}:*:betline:{written}\n")
        self.passwords.chmod(0o600)

    def as_owner(self, statement: str) -> None:
        with psycopg.connect(self.url("postgres", "owner"), password="of the owner", autocommit=True) as line:
            line.execute(statement.encode())

    def start(self) -> None:
        self.run("pg_ctl", "start", "-w", "-t", "60", "-D", self.data, "-l", self.folder / "log")

    def stop(self) -> None:
        self.run("pg_ctl", "stop", "-w", "-m", "immediate", "-D", self.data)

    def run(self, program: str, *words: object) -> None:
        line = [*_as_nobody_special(), str(FOLDERS[self.version] / program), *map(str, words)]
        with (self.folder / "said").open("w+") as said:  # a pipe would stay open as long as the server runs
            found = subprocess.run(line, stdout=said, stderr=said, check=False)
        assert found.returncode == 0, (self.folder / "said").read_text()


class Replica(Server):
    """A server that follows another one by its stream (PostgreSQL, "Streaming Replication"), until it is promoted."""

    def __init__(self, of: Server) -> None:
        super().__init__(of.version)
        self.of, self.ca = of, of.ca

    def __enter__(self) -> Replica:
        source = self.of.url("postgres", "owner").replace("owner@", "owner:of%20the%20owner@")
        self.run("pg_basebackup", "--pgdata", self.data, "--write-recovery-conf", "--checkpoint=fast", "-d", source)
        with (self.data / "postgresql.conf").open("a") as conf:
            conf.write(f"port = {self.port}\nunix_socket_directories = '{self.folder}'\n")
        self.start()
        return self

    def promote(self) -> None:
        self.run("pg_ctl", "promote", "-w", "-D", self.data)


class Pool:
    """A pgbouncer before a server; a context manager."""

    def __init__(self, before: Server, mode: str, size: int) -> None:
        self.before, self.port = before, free_port()
        self.folder = Path(tempfile.mkdtemp(prefix="betline-pool-"))
        (self.folder / "users").write_text(f'"betline" "{PASSWORD}"\n')
        (self.folder / "pool.ini").write_text(
            f"[databases]\n* = host={HOST} port={before.port}\n[pgbouncer]\nlisten_addr = {HOST}\n"
            f"listen_port = {self.port}\nunix_socket_dir =\nauth_type = trust\nauth_file = {self.folder}/users\n"
            f"pool_mode = {mode}\ndefault_pool_size = {size}\nserver_tls_sslmode = prefer\n"
        )

    def __enter__(self) -> Pool:
        assert PGBOUNCER is not None
        line = [*_as_nobody_special(), PGBOUNCER, "--quiet", str(self.folder / "pool.ini")]
        self.process = subprocess.Popen(line, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        deadline_s = time.monotonic() + 30
        while not listens(self.port):
            assert time.monotonic() < deadline_s
            time.sleep(0.05)
        return self

    def __exit__(self, *_: object) -> None:
        self.process.terminate()
        self.process.wait(30)
        shutil.rmtree(self.folder)

    def url(self, database: str) -> str:
        return f"postgresql://betline@{HOST}:{self.port}/{database}"
