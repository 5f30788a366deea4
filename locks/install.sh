# shellcheck shell=sh
# How an environment is made from the locks. `run` and `.ci/run` read this in after setting `root` to the checkout.
#
# The order matters: first everything but OpenCV, then the one build of OpenCV that this machine can import, then Betline
# itself with --no-deps: pip would otherwise put the full build beside the headless one, and both own the module `cv2`.
# All that is said here goes to standard error; standard output belongs to what is run afterwards.

say() {
    printf '%s: %s\n' "${0##*/}" "$1" >&2
}

fail() { # SENTENCE: what went wrong and what to do about it
    say "$1"
    exit 1
}

find_python() { # prints the name of the first Python that is new enough; it must be able to make environments
    found=
    for name in python3 python3.14 python3.13 python3.12 python3.11; do
        version=$("$name" -V 2> /dev/null) || continue
        found=${found:-$version}
        "$name" -c 'import sys; sys.exit(sys.version_info < (3, 11))' || continue
        "$name" -c 'import ensurepip, venv' 2> /dev/null ||
            fail "$name cannot make environments yet: type \`apt install $name-venv\` as root and try again."
        echo "$name"
        return
    done
    [ -n "$found" ] || fail "there is no python3 here: type \`apt install python3 python3-venv\` as root and try again."
    fail "$found is too old: install Python 3.11 or newer (Debian 12 has it) and try again."
}

show_progress() { # COUNT: reads what pip writes; a terminal shows at which of COUNT packages it is
    number=0
    while IFS= read -r line; do
        case $line in
            'Collecting '*) number=$((number + 1)) what=${line#Collecting } what="$number/$1 ${what%% *}" ;;
            '  Downloading '*' ('*) what="$what (${line##*\(}" ;;
            'Installing collected '*) what='unpacking' ;;
            *) continue ;;
        esac
        if [ -t 2 ]; then printf '\r\033[K  %s' "$what" >&2; fi
    done
    if [ -t 2 ]; then printf '\r\033[K' >&2; fi
}

explain() { # LOG: ends with a sentence for what pip wrote there
    if grep -q 'No space left on device' "$1"; then
        fail 'the disk is full: free 500 MB and try again.'
    elif grep -q 'CERTIFICATE_VERIFY_FAILED' "$1"; then
        fail 'the package registry is not trusted: set the clock, type `apt install ca-certificates` as root and try again.'
    elif grep -Eqi 'name resolution|NewConnectionError|NameResolutionError|ConnectTimeout|unreachable|ProxyError' "$1"; then
        fail 'the package registry cannot be reached: connect this machine to the network and try again.'
    elif grep -q 'DO NOT MATCH THE HASHES' "$1"; then
        fail "a package is not the one that was locked: type \`$venv/bin/pip cache purge\` and try again; details are in $1."
    elif grep -q 'No matching distribution found' "$1"; then
        fail "a package has no build for this machine: use a 64-bit Linux with Python 3.11 to 3.14; details are in $1."
    fi
    fail "the packages could not be installed; what pip said is in $1."
}

pip_install() { # COUNT ARGUMENT...: installs into $venv or ends with a sentence
    count=$1
    shift
    {
        "$venv/bin/python" -m pip --disable-pip-version-check --no-input install --progress-bar off "$@" 2>&1 &&
            echo installed
    } | tee "$venv/install.log" | show_progress "$count" || :
    [ "$(tail -n 1 "$venv/install.log")" = installed ] || explain "$venv/install.log"
}

install_locks() { # VENV LOCK...
    venv=$1
    shift
    count=$(cd "$root/locks" && cat "$@" | grep -c ==)
    for lock in "$@"; do # each name becomes the option that hands pip this file
        shift
        set -- "$@" --requirement "$root/locks/$lock"
    done
    pip_install "$count" --require-hashes "$@"
}

imports_opencv() { # VENV
    "$1/bin/python" -c 'import cv2' > /dev/null 2>&1
}

choose_opencv() { # VENV: prints the lock to try first: the full build needs libraries of a desktop, and is a big download
    if "$1/bin/python" -c '
import ctypes
for name in ("libGL.so.1", "libxcb.so.1", "libgthread-2.0.so.0"):
    ctypes.CDLL(name)
' 2> /dev/null; then echo opencv.txt; else echo opencv-headless.txt; fi
}

make_environment() { # VENV [LOCK...]: makes it anew, with base.txt, the LOCKs and one build of OpenCV
    venv=$1
    shift
    python=$(find_python) || exit 1
    "$python" -m venv --clear "$venv" > /dev/null ||
        fail "$venv cannot be made: see that its folder can be written to and the disk has room, and try again."
    opencv=$(choose_opencv "$venv")
    install_locks "$venv" base.txt "$opencv" "$@"
    if [ "$opencv" = opencv.txt ] && ! imports_opencv "$venv"; then
        "$venv/bin/python" -m pip uninstall --quiet --yes opencv-python >&2
        opencv=opencv-headless.txt
        install_locks "$venv" "$opencv"
    fi
    imports_opencv "$venv" || fail "OpenCV cannot be imported: type \`$venv/bin/python -c 'import cv2'\` to see what is missing."
}

install_project() { # VENV WHEEL|FOLDER: Betline itself; a folder is installed as it lies there and needs the lock build.txt
    venv=$1
    if [ -d "$2" ]; then set -- --no-build-isolation --editable "$2"; else set -- "$2"; fi
    pip_install 1 --no-deps "$@"
}
