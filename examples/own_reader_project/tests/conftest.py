import pytest
from own_reader import OwnReader


@pytest.fixture
def own_reader():
    """Makes readers of ours; gives a list to which the test adds what lies above the antenna."""
    made = []

    def make(tags):
        made.append(OwnReader(tags))
        return made[-1]

    yield make
    for reader in made:
        reader.close()
