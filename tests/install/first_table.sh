#!/bin/sh
# Follows docs/guides/first-table.md by its own words in a bare Debian 12: from a clone to `betline doctor` without a fault and
# a first hand. It takes the marked blocks of the page and runs them as they stand; only the address of the clone is another:
# this checkout, committed. Not part of ./run test: it installs packages and takes some minutes.
#
#   sudo tests/install/first_table.sh [FOLDER]
#
# Needs root, debootstrap and a Debian mirror, which is the one that this machine's apt uses. FOLDER keeps the base system for
# the next time (a fifth of the minutes); left out, a scratch folder is used and removed.
set -eu

root=$(CDPATH='' cd -- "$(dirname -- "$0")/../.." && pwd)
cd "$root"
page=docs/guides/first-table.md
fail() {
    echo "first_table.sh: $1" >&2
    exit 1
}
[ "$(id -u)" -eq 0 ] || fail 'start it as root: a chroot needs that.'
command -v debootstrap > /dev/null || fail 'there is no debootstrap: type `apt install debootstrap`.'
mirror=$(apt-get indextargets --format '$(REPO_URI) $(RELEASE)' 'Created-By: Packages' |
    awk '$2 == "bookworm" { print $1; exit }')
[ -n "$mirror" ] || fail 'apt on this machine knows no mirror of Debian 12 (bookworm).'

work=$(mktemp -d)
base=${1:-$work/base}
debian=$work/debian
finish() {
    status=$?
    trap - EXIT
    for process in /proc/[0-9]*; do # what the guide began and did not end
        case $(readlink "$process/root" 2> /dev/null || :) in
            "$debian"*) kill "${process#/proc/}" 2> /dev/null || : ;;
        esac
    done
    sleep 1
    for mount in dev/pts dev/shm proc; do umount -l "$debian/$mount" 2> /dev/null || :; done
    if ! grep -q " $debian" /proc/mounts; then rm -rf "$work"; fi
    exit "$status"
}
trap finish EXIT
trap 'exit 130' INT TERM

marked() { # MARK...: the blocks of the page with these marks, in its order
    awk -v marks=" $* " '
        /^<!-- [a-z]+ -->$/ { mark = $2; next }
        /^```/ { if (inside) inside = 0; else if (mark != "" && index(marks, " " mark " ")) inside = 1; mark = ""; next }
        inside' "$page"
}
say() {
    printf '\n=== %s (%s s)\n' "$1" "$(($(date +%s) - began))"
}

began=$(date +%s)
say 'a bare Debian 12'
[ -x "$base/bin/sh" ] || debootstrap --variant=minbase bookworm "$base" "$mirror" > "$work/debootstrap.log" ||
    { tail -n 5 "$work/debootstrap.log" >&2; fail 'debootstrap failed.'; }
cp -a "$base" "$debian"
mount -t proc proc "$debian/proc"
mount -t devpts -o newinstance,ptmxmode=0666,mode=0620 devpts "$debian/dev/pts"
mkdir -p "$debian/dev/shm"
mount -t tmpfs tmpfs "$debian/dev/shm"
ln -sf pts/ptmx "$debian/dev/ptmx"
cp /etc/resolv.conf /etc/hosts "$debian/etc/"
# The registries of this machine: a bare Debian on another network has none of this and needs none.
for settings in /etc/pip.conf /etc/apt/apt.conf.d/* /usr/local/share/ca-certificates/* /etc/ssl/certs/ca-certificates.crt; do
    if [ -f "$settings" ]; then
        mkdir -p "$debian$(dirname "$settings")"
        cp "$settings" "$debian$settings"
    fi
done
pip config list 2> /dev/null | sed -n "s/^[^.]*\.\(index-url\|trusted-host\|extra-index-url\)='\(.*\)'$/\1 = \2/p" > "$work/pip"
if [ -s "$work/pip" ]; then { echo '[global]'; cat "$work/pip"; } > "$debian/etc/pip.conf"; fi
git clone --quiet --no-hardlinks "$root" "$debian/opt/betline.git"

inside() { # USER FILE: runs a script there, with nothing of this machine's environment
    cp "$2" "$debian/tmp/step.sh"
    chroot "$debian" /usr/bin/env -i HOME="$([ "$1" = root ] && echo /root || echo "/home/$1")" USER="$1" LANG=C.UTF-8 \
        PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin \
        $([ "$1" = root ] || echo "setpriv --reuid=$1 --regid=$1 --init-groups") bash -euo pipefail -c \
        'cd "$HOME"; . /tmp/step.sh'
}

say 'as root: what the guide installs'
{ echo 'export DEBIAN_FRONTEND=noninteractive; apt-get update -qq'; marked root; echo 'useradd --create-home host'; } > "$work/root.sh"
inside root "$work/root.sh" > "$work/apt.log" 2>&1 || { tail -n 20 "$work/apt.log" >&2; fail 'the packages could not be installed.'; }

say 'as a user: clone, install, and every marked block of the guide'
{
    echo 'set -x; git config --global --add safe.directory "*"'
    marked clone run | sed 's#https://github.com/betline/betline$#/opt/betline.git betline#'
} > "$work/guide.sh"
status=0
inside host "$work/guide.sh" > "$work/guide.log" 2>&1 || status=$?
cat "$work/guide.log"
if [ "$status" -ne 0 ]; then
    for log in "$debian"/home/host/betline/*.log; do echo "== $log"; tail -n 8 "$log"; done
    fail "the guide failed with status $status."
fi
! grep -q '^FAULT' "$work/guide.log" || fail 'the doctor found a fault.'
grep -q '^All is well' "$work/guide.log" || fail 'the doctor has something to say: see above.'
say 'from a clone to a first hand: done'
