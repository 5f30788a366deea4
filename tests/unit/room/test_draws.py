"""Draws checked afterwards: by the seed that was told before, and from outside by the list alone."""

from dataclasses import replace

from cardroom.room import events as e
from cardroom.room import tournament
from cardroom.room.events import MovesOrdered
from cardroom.room.lots import Seed, digest_of
from cardroom.room.verbs.checks import checked_draws, draw_proof, proof_broken
from tests.unit.room.floor import RULES, Floor


def drawn(seed: str, told: str) -> tuple[Floor, MovesOrdered]:
    floor = Floor().opened({"t1": 9, "t2": 9}, 11)
    floor.add(e.DrawCommitted(game="main", digest=digest_of(told)))
    ordered = tournament.draw_seats(floor.room, "main", RULES, Seed(seed), late=False)
    floor.add(e.DrawCommitted(game="main", digest=digest_of("the one after")), ordered)
    return floor, ordered


def test_a_draw_from_another_seed_than_was_told_is_found_though_its_seats_are_that_seeds() -> None:
    (fair,) = checked_draws(drawn("a", "a")[0].happened, RULES)
    (other,) = checked_draws(drawn("b", "a")[0].happened, RULES)

    assert fair.same
    assert not other.same


def test_each_draw_is_held_against_what_was_told_before_it_and_not_by_it() -> None:
    floor, ordered = drawn("a", "a")
    for move in ordered.moves:
        floor.add(e.Moved(player=move.player, chips=1000))
    again = tournament.redraw(floor.room, "main", Seed("the one after"))
    floor.add(e.DrawCommitted(game="main", digest=digest_of("a third one")), replace(again, reason="final table"))

    found = checked_draws(floor.happened, RULES)

    assert [(one.same, one.committed, one.reason) for one in found] == [
        (True, len(floor.happened) - 15, ""),
        (True, len(floor.happened) - 14, "final table"),
    ]


def test_a_draw_with_dice_thrown_in_public_is_not_known_from_the_seed_alone_and_is_checked_with_them() -> None:
    floor = Floor().opened({"t1": 9, "t2": 9}, 11)
    floor.add(e.DrawCommitted(game="main", digest=digest_of("a")))
    plain = tournament.draw_seats(floor.room, "main", RULES, Seed("a"), late=False)
    ordered = tournament.draw_seats(floor.room, "main", RULES, Seed("a", public="dice 3 5"), late=False)
    floor.add(e.DrawCommitted(game="main", digest=digest_of("the one after")), ordered)

    (found,) = checked_draws(floor.happened, RULES)
    proof = draw_proof(floor.happened, len(floor.happened), RULES)

    assert ordered.moves != plain.moves
    assert (found.same, found.public, found.committed) == (True, "dice 3 5", len(floor.happened) - 2)
    assert proof_broken(proof, digest_of("a")) == ()
    assert "other seats" in proof_broken({**proof, "public": "dice 3 6"}, "")[0]
    floor.happened[-1] = replace(floor.happened[-1], event=replace(ordered, public="dice 6 6"))
    assert not checked_draws(floor.happened, RULES)[0].same


def test_a_document_of_a_draw_is_checked_without_the_journal() -> None:
    floor, ordered = drawn("a", "a")
    proof = draw_proof(floor.happened, len(floor.happened), RULES)

    assert proof_broken(proof, digest_of("a")) == proof_broken(proof, "") == ()
    assert len(proof["places"]) == len(ordered.moves) == 11
    assert "not the one that was told" in proof_broken({**proof, "seed": "b"}, "")[0]
    assert "not told before" in proof_broken({**proof, "told": None}, "")[0]
    fewer = {**proof, "players": proof["players"][1:]}
    assert "other seats" in proof_broken(fewer, "")[0]
    assert "seats" in proof_broken({**proof, "open": {"t1": [1]}}, "")[0]
    for wrong in (None, [], {}, {**proof, "places": {"p-1": [3]}}, {**proof, "open": 3}):
        assert proof_broken(wrong, "") == ("This is no draw: print it with betline room proof ENTRY.",)
