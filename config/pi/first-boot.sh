#!/bin/sh
# Installs Betline from a folder and starts the table with the machine: the wheel, the locks, table.toml, and, if wanted,
# `packages/` with all wheels for a machine without a network, and `options` with more words for `betline install`.
# It may be run again: what is there already stays.
set -eu

from=${1:?usage: first-boot.sh FOLDER}
home=${BETLINE_HOME:-/opt/betline}
etc=${BETLINE_ETC:-/etc/betline}

fail() {
    printf 'first-boot: %s\n' "$1" >&2
    exit 1
}

set -- "$from"/betline-*.whl
if [ $# -ne 1 ] || [ ! -f "$1" ]; then fail "put exactly one betline-VERSION-...whl into $from."; fi
wheel=$1
[ -f "$from/table.toml" ] || fail "put your table file into $from as table.toml."
[ -f "$from/locks/base.txt" ] || fail "copy the folder locks of the checkout to $from/locks."

version=${wheel##*/betline-}
version=${version%%-*}
if [ ! -x "$home/$version/bin/betline" ]; then
    mkdir -p "$home"
    rm -rf "${home:?}/$version"
    python3 -m venv "$home/$version"
    set -- --disable-pip-version-check --no-input
    [ ! -d "$from/packages" ] || set -- "$@" --no-index --find-links "$from/packages"
    "$home/$version/bin/python" -m pip install "$@" --require-hashes \
        -r "$from/locks/base.txt" -r "$from/locks/opencv-headless.txt"
    "$home/$version/bin/python" -m pip install "$@" --no-deps "$wheel"
fi
[ -L "$home/current" ] || ln -s "$version" "$home/current"

mkdir -p "$etc"
[ -f "$etc/table.toml" ] || cp "$from/table.toml" "$etc/table.toml"
chmod 644 "$etc/table.toml"

set -- --system --table "$etc/table.toml"
if [ -f "$from/options" ]; then
    while IFS= read -r word || [ -n "$word" ]; do
        [ -z "$word" ] || set -- "$@" "$word"
    done < "$from/options"
fi
"$home/current/bin/betline" install "$@"
