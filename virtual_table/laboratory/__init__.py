"""A laboratory: a whole virtual table in simulated time, in one process and without threads.

World, players and dealer are those of the demonstration; readers, camera and bus are models that keep their timing and
their faults; the session, its edge and its journal's entries are the controller's own. The same seed gives the same
evening, reading by reading.

    from virtual_table.laboratory.laboratory import Conditions, Laboratory

    lab = Laboratory("home-six", seed=7, conditions=Conditions(missed=0.05, neighbour=0.01))
    lab.play(3)                        # random hands, as people mean them
    lab.faults.unplug("reader-3", for_s=3)   # docs/faults.md; a whole plan by Conditions(faults=plan)
    lab.report.wrong, lab.report.faults, lab.messages, lab.controller.session

Between hands, or from a function given to ``lab.agenda.at(when_s, act)``, anything may be moved with the functions of
`virtual_table.table.player_motions` and `dealer_motions` at ``lab.agenda.now_s``; ``lab.let(seconds)`` lets time pass.
"""
