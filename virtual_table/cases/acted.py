"""One case played, whichever table it is played at, and what came of it."""

from __future__ import annotations

import time
from collections.abc import Callable

from betline.cases import STEP, Case, Failure, Result
from virtual_table.cases.asking import AskedInstead
from virtual_table.cases.player import CasePlayer, Untold
from virtual_table.cases.skipping import untold
from virtual_table.play.link import ControllerSilent
from virtual_table.table.bank import BankError


def acted_out(case: Case, player: CasePlayer, *, faulty: bool = True) -> Result:
    """Plays a case; one that cannot be told is skipped, one that was asked about ends there, and what stops it else is
    its failure. With ``faulty`` False no faults strike this time.
    """
    began_s, skip, asked = time.monotonic(), None, ""
    failures: tuple[Failure, ...] = ()
    try:
        failures = player.play(case, faulty=faulty)
    except Untold as error:
        skip = untold(str(error))
    except AskedInstead as error:
        asked = str(error)
    except (ControllerSilent, BankError) as error:
        failures = (Failure(1, STEP, None, str(error)),)
    except Exception as fault:  # one story that our program stumbles over must not hide how the others went
        failures = (Failure(1, STEP, None, f"A fault of the program: {fault!r}."),)
    return Result(case, failures, skip, time.monotonic() - began_s, asked)


def excused(result: Result, without_faults: Callable[[], Result]) -> Result:
    """A case that was asked about counts so only if it holds where no faults strike; else that is its result."""
    if not result.asked:
        return result
    plain = without_faults()
    return plain if plain.failures else result
