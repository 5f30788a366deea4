"""One embedded PostgreSQL for the tests of a worker, and a database of its own for each of them."""

import tempfile
from itertools import count
from pathlib import Path

import psycopg
import pytest

from cardroom.record.embedded import Embedded

_numbers = count(1)


@pytest.fixture(scope="session")
def server():
    """The data lie outside pytest's folder: its path may be longer than a socket's may be."""
    with tempfile.TemporaryDirectory(prefix="betline-site-") as folder, Embedded(Path(folder)) as one:
        yield one


@pytest.fixture
def database(server):
    """The address of a new database."""
    name = f"test{next(_numbers)}"
    with psycopg.connect(server.url, autocommit=True) as connection:
        connection.execute(f"CREATE DATABASE {name}")
    return server.url.replace("/betline?", f"/{name}?")
