"""Makes the recordings of this folder anew, all or those of the families that are named:

python tests/data/recordings/make.py m6e chafon

For when a dialogue asks something else on purpose. What lies there and what is wrong with the line stay the same.
"""

from __future__ import annotations

import signal
import subprocess
import sys
import tempfile
from pathlib import Path

FOLDER = Path(__file__).parent
BETLINE = (sys.executable, "-m", "betline", "bridge")
SECONDS = 6
PLAN = "[line]\nsplit = 0.2\ndamage = 0.03\ngarbage = 0.05\nsilence = 0.02\n"
FORMS = {
    "feig": "E00401{:010X}",
    "betline": "E00401{:010X}",
    "pn532": "04{:012X}",
    "bb": "E280{:020X}",
    "m6e": "E280{:020X}",
    "chafon": "E280{:020X}",
}


def make(family: str, work: Path) -> None:
    """Records five tags on a bad line."""
    tags, plan, out = work / "tags", work / "plan.toml", FOLDER / f"{family}.jsonl"
    uids = [FORMS[family].format(number * 7919) for number in range(1, 6)]
    tags.write_text("\n".join(uids), encoding="utf-8")
    plan.write_text(PLAN, encoding="utf-8")
    out.unlink(missing_ok=True)
    virtual = [*BETLINE, "virtual", "--protocol", family, "--tags", str(tags), "--faults", str(plan), "--seed", "7"]
    record = [*BETLINE, "record", "--protocol", family, "--seconds", str(SECONDS), "--note", " ".join(uids)]
    with subprocess.Popen(virtual, stdout=subprocess.PIPE, text=True) as reader:
        assert reader.stdout is not None
        port = reader.stdout.readline().strip()
        subprocess.run([*record, "--port", port, "--out", str(out)], check=True)
        reader.send_signal(signal.SIGTERM)


if __name__ == "__main__":
    with tempfile.TemporaryDirectory() as folder:
        for name in sys.argv[1:] or FORMS:
            make(name, Path(folder))
