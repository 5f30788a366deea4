"""The wheel has the locks that `betline update` makes a new environment by."""

import tomllib
from pathlib import Path

from betline.update import environment

ROOT = Path(__file__).resolve().parents[3]


def test_the_wheel_has_each_lock_that_an_update_installs_from() -> None:
    data = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    included = data["tool"]["hatch"]["build"]["targets"]["wheel"]["force-include"]

    for name in ("base.txt", environment._FULL, environment._HEADLESS):
        assert included[f"locks/{name}"] == f"{environment._LOCKS}/{name}"
        assert (ROOT / "locks" / name).is_file()
