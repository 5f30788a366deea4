"""The ``betline`` command: it hands a verb to the room that owns it, by name, when it is called."""

from __future__ import annotations

import importlib
import importlib.metadata
import logging
import os
import sys
import traceback
from functools import cache
from typing import Any, Final, NamedTuple

import typer
from typer.main import get_command

from betline import logs
from betline.options import DONE, FAILED, INTERRUPTED, WRONG_USAGE, UserError
from betline.settings import SettingsError
from betline.settings.model import nearest

_OF_UNIX: Final = frozenset({"fcntl", "grp", "pty", "pwd", "resource", "termios", "tty"})
"""Modules that Python has on Unix only."""


class Verb(NamedTuple):
    """Where a verb lives: the module with the typer application ``app``, and one line about it."""

    module: str
    help: str
    group: bool = False
    elsewhere: tuple[tuple[str, str], ...] = ()
    """Verbs of this group that another room owns, with the module of each."""


VERBS: dict[str, Verb] = {
    "demo": Verb("virtual_table.cli", "The whole system on this machine with virtual readers and camera."),
    "run": Verb("betline.cli", "The whole system with the real hardware that a table file names."),
    "table": Verb(
        "betline.tables.cli", "Table files: a new one from a few measures, check, draw, move one thing.", group=True
    ),
    "setup": Verb(
        "betline.setup.cli", "Set a table up by questions: table, rules, readers, camera; ends with a test hand."
    ),
    "doctor": Verb("betline.doctor.cli", "What stands between this machine and a hand, and what to do about it."),
    "broker": Verb("betline.cli", "The embedded MQTT broker, on loopback."),
    "provision": Verb(
        "betline.provision.cli",
        "Logins for a table's programs and devices, and the files of a mosquitto that knows them.",
        group=True,
    ),
    "bridge": Verb(
        "firmware_bridge.cli",
        "RFID readers to the bus.",
        group=True,
        elsewhere=(("virtual", "virtual_table.run.cli"), ("replay", "firmware_bridge.line_replay.cli")),
    ),
    "chips": Verb("firmware_bridge.chips.cli", "The chip register: enrol, list, verify, retire, hot list.", group=True),
    "cards": Verb("firmware_bridge.cards.cli", "The house's cards with tags: enrol, list.", group=True),
    "vision": Verb(
        "vision.cli",
        "The camera to the bus; detection in recorded video.",
        group=True,
        elsewhere=(("render", "virtual_table.films.cli"),),
    ),
    "film": Verb(
        "vision.film.cli",
        "A film of a real evening, without faces: record, label, score the detector on it, pack, check.",
        group=True,
        elsewhere=(("score", "virtual_table.bench.own_film.cli"),),
    ),
    "people": Verb(
        "betline.people.cli", "The staff: enrol dealers, floor and technicians, PINs, badges, rights.", group=True
    ),
    "room": Verb(
        "cardroom.room.cli", "The floor of a cardroom: seats, waiting lists, tournaments, dealers, chips.", group=True
    ),
    "controller": Verb("table_controller.cli", "The table controller: sensors and dealer in, rulings out."),
    "console": Verb("table_controller.cli", "The dealer's console."),
    "floor": Verb("cardroom.floor.cli", "All tables of a site on one screen, and the rulings that wait there."),
    "voice": Verb("table_controller.cli", "Says aloud what the table announces."),
    "web": Verb("table_controller.web.cli", "The table in browsers: a board for a TV, a page a seat, an overlay."),
    "hooks": Verb("table_controller.hooks.cli", "What happens at a table, posted to a web address, signed."),
    "home": Verb("table_controller.home.cli", "The table in Home Assistant: a device with entities, events, triggers."),
    "world": Verb("virtual_table.cli", "The simulated table by itself: chips, players, readers, camera."),
    "site": Verb(
        "cardroom.cli",
        "A site with many tables: all journals into one database, checked, kept, erased.",
        group=True,
        elsewhere=(("try", "virtual_table.site.cli"),),
    ),
    "soak": Verb("virtual_table.soak.cli", "Hours of play while things go wrong: what is lost, what grows."),
    "chaos": Verb("virtual_table.chaos.cli", "Break a simulated table by random faults; the shortest plan that does."),
    "cases": Verb("virtual_table.cases.cli", "Run case files: on the rules, in simulated time, through a whole table."),
    "rule": Verb("table_controller.cli", "Rule on one act of a case and explain: arithmetic, rules, house options."),
    "train": Verb(
        "table_controller.training.cli", "Train rulings: situations, questions, explanations, a score for each person."
    ),
    "record": Verb(
        "table_controller.recorder.cli", "A table that plays, into one file: bus, serial lines, journal, pictures."
    ),
    "trace": Verb("table_controller.tracing.cli", "Each act of a table as a trace of OpenTelemetry, to a collector."),
    "replay-table": Verb(
        "table_controller.table_replay.cli", "Replay a recorded table: verify every ruling, look, step, make a case."
    ),
    "replay": Verb("table_controller.cli", "Play PHH hand histories through the engine."),
    "levels": Verb("table_controller.cli", "The printed sheet: blind levels, times, and what may be bet at each."),
    "bench": Verb("betline.cli", "The benchmarks: what this machine measures, beside the targets."),
    "install": Verb("betline.services.cli", "A table as services of systemd, started with the machine."),
    "uninstall": Verb("betline.services.cli", "Take a table's services away; what it has written stays."),
    "backup": Verb("betline.upkeep.cli", "One file with all that is a table's own, also while it plays."),
    "restore": Verb("betline.upkeep.cli", "Put a backup in its place, checked before anything is replaced."),
    "update": Verb("betline.update.cli", "A new version beside the one that runs, tried on a copy; and the way back."),
    "export": Verb("table_controller.cli", "Hands for other programs: PHH, OHH, PokerStars' text, CSV, JSON."),
    "report": Verb("table_controller.cli", "One hand for a dispute: acts, rulings, rules, evidence, pictures, a code."),
    "journal": Verb("table_controller.cli", "Journalled hands, the ledger, who pays whom; verify, erase."),
}


def main(arguments: list[str] | None = None) -> None:
    """Runs the command line and exits with its status; errors are one sentence on standard error."""
    sys.exit(run(sys.argv[1:] if arguments is None else arguments))


def run(arguments: list[str]) -> int:
    """Runs one command line; returns the exit status."""
    if arguments[:1] == [logs.OPTION]:
        os.environ[logs.ENVIRONMENT] = logs.JSON
        arguments = arguments[1:]
    if not arguments or arguments[0] in ("-h", "--help", "help"):
        print(usage(), file=sys.stdout if arguments else sys.stderr)
        return DONE if arguments else WRONG_USAGE
    if arguments[0] == "--version":
        print(f"betline {importlib.metadata.version('betline')}")
        return DONE
    name, *rest = arguments
    logs.begin(name)
    verb = VERBS.get(name)
    if verb is None:
        return _complain(f"There is no verb {name}; {nearest(name, VERBS)} See betline --help.", WRONG_USAGE)
    try:
        room = room_of(verb)
        if verb.group:
            result = room.main(args=rest, prog_name=f"betline {name}", standalone_mode=False)
        else:
            result = room.main(args=arguments, prog_name="betline", standalone_mode=False)
    except typer.Exit as leaving:
        return leaving.exit_code
    except (typer.Abort, KeyboardInterrupt):
        return INTERRUPTED
    except BrokenPipeError:
        return FAILED
    except UserError as error:
        return _complain(str(error), error.status)
    except SettingsError as error:
        return _complain(str(error), WRONG_USAGE)
    except Exception as error:
        if _wants_unix(error):
            return _complain(
                f"{name} needs Linux, this system lacks a part of it ({error}). On Windows install Debian in WSL 2 and "
                "run Betline there.",
                FAILED,
            )
        if not hasattr(error, "format_message"):  # what typer and click raise for a wrong command line
            return _complain(_fault_sentence(error), FAILED)
        return _complain(_usage_sentence(error, name), getattr(error, "exit_code", WRONG_USAGE))
    return result if isinstance(result, int) else DONE


@cache
def room_of(verb: Verb) -> Any:
    """The command line of a verb. It takes some 40 ms to make, so a program that runs several makes it once."""
    room: Any = get_command(importlib.import_module(verb.module).app)
    for word, module in verb.elsewhere:
        room.add_command(get_command(importlib.import_module(module).app), word)
    return room


def usage() -> str:
    """The page that ``betline --help`` prints."""
    width = max(map(len, VERBS)) + 2
    lines = [f"  {name:<{width}}{verb.help}" for name, verb in VERBS.items()]
    return "\n".join(
        (
            "Usage: betline [--log-json] VERB [OPTIONS]",
            "",
            "The electronic dealer of a physical poker table.",
            "",
            *lines,
            "",
            "--log-json: what programs say on standard error is one JSON object a line (docs/observability.md).",
            "betline VERB --help explains a verb. Begin with: betline demo",
        )
    )


def _usage_sentence(error: Any, name: str) -> str:
    context = getattr(error, "ctx", None)
    if type(error).__name__ == "NoArgsIsHelpError":  # its message is the whole page of help
        message = f"Say which of {', '.join(error.ctx.command.commands)} is meant"
    else:
        message = " ".join(str(error.format_message()).split()).rstrip(".")
    message = message.replace(": Value error, ", ": ").replace(": Input should be", ": it must be")
    message = message or "The command is not complete"
    page = getattr(context, "command_path", f"betline {name}")
    return f"{message}{'' if message.endswith('?') else '.'} See {page} --help."


def _wants_unix(error: Exception) -> bool:
    """Whether a verb failed because this system has no locks, pseudo-terminals, users or signals of Unix."""
    if isinstance(error, ModuleNotFoundError):
        return error.name in _OF_UNIX
    return os.name != "posix" and isinstance(error, AttributeError | NotImplementedError)


def _fault_sentence(error: Exception) -> str:
    """A fault of ours: where it was, for the report; with BETLINE_TRACEBACK=1 the traceback is printed too."""
    if os.environ.get("BETLINE_TRACEBACK") == "1":
        traceback.print_exception(error)
    place = traceback.extract_tb(error.__traceback__)[-1]
    what = " ".join(f"{type(error).__name__}: {error}".split()).rstrip(".")
    return f"A fault of the program stopped it ({what}, {place.filename}:{place.lineno}); please report this line."


def _complain(sentence: str, status: int) -> int:
    logs.say(sentence, logging.ERROR, plain=f"betline: {sentence}")
    return status
