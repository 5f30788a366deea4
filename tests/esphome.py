"""What ESPHome says of the display of a seat: `python -m tests.esphome ESPHOME FONT`.

ESPHOME is its program, for example of `python3 -m venv esp && esp/bin/pip install esphome`, FONT a font of this machine
in place of the one that the file fetches. Checked is `config/esphome/seat.yaml` by its schemas; nothing is compiled.
"""

from __future__ import annotations

import shutil
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Final

SEAT: Final = Path(__file__).parents[1] / "config" / "esphome" / "seat.yaml"
SECRETS: Final = "wifi_ssid: home\nwifi_password: none-at-all\nbroker: broker.lan\nbroker_password: none\n"


def main(esphome: str, font: str) -> int:
    """Runs the check; returns the exit status."""
    with tempfile.TemporaryDirectory() as folder:
        shutil.copy(SEAT, folder)
        (Path(folder) / "secrets.yaml").write_text(SECRETS, encoding="utf-8")
        asked = [esphome, "-s", "font", str(Path(font).absolute()), "config", "seat.yaml"]
        done = subprocess.run(asked, cwd=folder, capture_output=True, text=True, check=False)
    if done.returncode:
        print(done.stdout.strip(), done.stderr.strip(), sep="\n", file=sys.stderr)
        return 1
    version = subprocess.run([esphome, "version"], capture_output=True, text=True, check=True).stdout.strip()
    print(f"ESPHome takes {SEAT.name}. {version}")
    return 0


if __name__ == "__main__":
    if len(sys.argv) != 3:
        sys.exit(__doc__)
    sys.exit(main(*sys.argv[1:]))
