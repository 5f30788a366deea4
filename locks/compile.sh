#!/bin/sh
# Makes the locks again from the ranges of pyproject.toml. `locks/compile.sh` keeps every pin that still fits,
# `locks/compile.sh --upgrade` takes the newest, `--upgrade-package NAME` renews one. See docs/install.md.
set -eu

root=$(CDPATH='' cd -- "$(dirname -- "$0")/.." && pwd)
python=${PYTHON:-python3}

# The lowest Python that is supported: a later one would leave out what only the lowest needs.
if ! "$python" -c 'import sys; sys.exit(sys.version_info[:2] != (3, 11))'; then
    echo "locks/compile.sh: locks are made with Python 3.11; name one: PYTHON=python3.11 locks/compile.sh" >&2
    exit 1
fi

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
trap 'exit 130' INT TERM
"$python" -m venv "$work/venv"
"$work/venv/bin/python" -m pip install --quiet --disable-pip-version-check 'pip-tools>=7.5,<8'
cd "$work"

# The ranges, one file a resolution. The notes in the locks name these files, so their names are for readers.
"$python" - "$root/pyproject.toml" <<'PYTHON'
import sys
import tomllib
from pathlib import Path

with open(sys.argv[1], "rb") as file:
    settings = tomllib.load(file)
ranges = {
    "project.in": settings["project"]["dependencies"],
    "dev.in": settings["dependency-groups"]["dev"],
    "docs.in": settings["dependency-groups"]["docs"],
    "lab.in": settings["project"]["optional-dependencies"]["lab"],
    "site.in": settings["project"]["optional-dependencies"]["site"],
    "metrics.in": settings["project"]["optional-dependencies"]["metrics"],
    "traces.in": settings["project"]["optional-dependencies"]["traces"],
    "build.in": settings["build-system"]["requires"],
}
for name, lines in ranges.items():
    Path(name).write_text("\n".join(lines) + "\n", encoding="utf-8")
PYTHON

resolve() { # OUTPUT INPUT [OPTION...]: pins and hashes all that INPUT needs, keeping the pins OUTPUT has already
    output=$1 input=$2
    shift 2
    echo "resolving $input" >&2
    venv/bin/pip-compile --quiet --no-config --no-header --generate-hashes --allow-unsafe --strip-extras \
        --no-emit-index-url --no-emit-find-links --no-emit-trusted-host --output-file "$output" "$@" "$input" >&2
}
only() { # PACKAGE FILE: the lines of one package
    awk -v head="$1==" '/^[^ #]/ { inside = index($0, head) == 1 } inside' "$2"
}
without() { # PACKAGE FILE: the lines of all the others
    awk -v head="$1==" '/^[^ #]/ { inside = index($0, head) == 1 } !inside' "$2"
}
keep() { # LOCK OUTPUT: the pins to start from, if there are any
    if [ -f "$root/locks/$1" ]; then cat "$root/locks/$1" >> "$2"; fi
}

# OpenCV takes part in the resolution, and gets a lock of its own for each of its two builds.
keep base.txt all.txt
keep opencv.txt all.txt
resolve all.txt project.in "$@"
without opencv-python all.txt > base.txt
only opencv-python all.txt > opencv.txt

sed -n 's/^opencv-python==\([^ ]*\).*/opencv-python-headless==\1/p' opencv.txt > headless.in
keep opencv-headless.txt headless.txt
resolve headless.txt headless.in --constraint base.txt
only opencv-python-headless headless.txt > opencv-headless.txt

keep build.txt build.txt
resolve build.txt build.in --constraint base.txt "$@"
keep dev.txt dev.txt
resolve dev.txt dev.in --constraint base.txt --constraint build.txt "$@"
keep docs.txt docs.txt
resolve docs.txt docs.in --constraint base.txt --constraint build.txt --constraint dev.txt "$@"
keep lab.txt lab.txt
resolve lab.txt lab.in --constraint base.txt --constraint build.txt --constraint dev.txt "$@"
keep site.txt site.txt
resolve site.txt site.in --constraint base.txt --constraint build.txt --constraint dev.txt "$@"
keep metrics.txt metrics.txt
resolve metrics.txt metrics.in --constraint base.txt --constraint build.txt --constraint dev.txt "$@"
keep traces.txt traces.txt
resolve traces.txt traces.in --constraint base.txt --constraint build.txt --constraint dev.txt "$@"

cp base.txt opencv.txt opencv-headless.txt build.txt dev.txt docs.txt lab.txt site.txt metrics.txt traces.txt "$root/locks/"
