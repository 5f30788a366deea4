"""Sensors that are silent, read badly, or contradict one another."""

from __future__ import annotations

from collections.abc import Iterator

from betline.units import NS_PER_MS
from table_controller.sensing.account import Account
from table_controller.sensing.alerts.evidence import alert, counted
from table_controller.sensing.belief import ALIVE_MISSES, Standing, Track, ZoneBelief
from table_controller.sensing.observations import Alert
from table_controller.sensing.setup import HOUSE_ZONES, zone_of
from table_controller.sensing.state import SensingState

BET_HEARD_NS = 1_500 * NS_PER_MS
"""A reader hears a bet that the camera saw so much later at most."""
PARTIAL_NS = 1_000 * NS_PER_MS
"""A crowd of chips that came at once is told in parts for a round or two, and then whole."""
OVERLAP_NS = 1_000 * NS_PER_MS
TOGETHER_NS = 200 * NS_PER_MS
OVERLAPPING = 3
"""So many chips do not lie between two zones by chance: they are named as soon as neither zone settles for them."""
OFTEN = 0.75
"""Share of its rounds in which a zone hears its own chips."""
LOUD_HITS = 3
"""So often both zones must have heard a chip: of a pile of 50 three strays in one round are ordinary."""
SPARE_ROUNDS = 3
"""So many rounds more than a set needs may pass before its chips are called unsure."""
GIVEN_UP_NS = 9_000 * NS_PER_MS
"""A bridge waits no longer for a round: 300 chips take 3 s, and 4.5 s where the bridge's machine is busy."""


def camera(sensing: SensingState, now_ns: int) -> Iterator[Alert]:
    """The camera is silent."""
    if sensing.setup.camera and not sensing.witness.live(now_ns, sensing.setup.thresholds.stale_ms):
        sentence = "Key folds and checks: the camera is silent, acts are read from the chips alone."
        yield alert(sensing, "camera-stale", None, sentence)


def silent(sensing: SensingState, seat: int) -> Alert:
    """The reader of a seat is silent."""
    return alert(sensing, "reader-stale", seat, f"Key what seat {seat} does: its reader is silent.")


def weak_antenna(sensing: SensingState, seat: int, belief: ZoneBelief) -> Alert:
    """The antenna of a seat misses so many reads that somebody must look at it."""
    key = "key its amounts" if belief.quality.unreliable else "key amounts that look wrong"
    sentence = f"Seat {seat}: check its antenna and cable, and {key}: it misses {_share(belief)} reads."
    return alert(sensing, "antenna-weak", seat, sentence)


def weak_house_antennas(sensing: SensingState, now_ns: int) -> Iterator[Alert]:
    """The antennas of pot and tray that miss so many reads; one alert for both."""
    sentences = [
        f"{zone.capitalize()}: check its antenna and cable, and count it by hand: it misses {_share(belief)} reads."
        for zone in HOUSE_ZONES
        if (belief := sensing.zones.get(zone)) is not None
        and belief.quality.weak
        and belief.heard(now_ns, sensing.setup.thresholds.stale_ms)
    ]
    if sentences:
        yield alert(sensing, "antenna-weak", None, " ".join(sentences))


def tells_a_part(belief: ZoneBelief) -> bool:
    """Whether a reader has told only a part of its zone's chips for so long that a person must count them."""
    return belief.partial and belief.at_ns - belief.partial_ns >= PARTIAL_NS


def partial(sensing: SensingState, seat: int) -> Alert:
    """The reader of a seat does not tell all of its chips: there are too many, or it says that it is disturbed."""
    sentence = f"Seat {seat}: count its chips by hand and key its act: its reader does not tell all of them."
    return alert(sensing, "reader-partial", seat, sentence)


def partial_in_the_house(sensing: SensingState, now_ns: int) -> Iterator[Alert]:
    """The same of pot and tray; one alert for both."""
    stale_ms = sensing.setup.thresholds.stale_ms
    zones = [
        zone.capitalize()
        for zone in HOUSE_ZONES
        if (belief := sensing.zones.get(zone)) is not None and tells_a_part(belief) and belief.heard(now_ns, stale_ms)
    ]
    if zones:
        sentence = f"{' and '.join(zones)}: count by hand: the reader does not tell all chips there."
        yield alert(sensing, "reader-partial", None, sentence)


def _share(belief: ZoneBelief) -> str:
    """`1 in 5`; of ten where that says more."""
    one_in = round(1 / belief.quality.missed_share)
    return f"1 in {one_in}" if one_in > 2 else f"{round(belief.quality.missed_share * 10)} in 10"


def wrong_hand(sensing: SensingState, account: Account) -> Iterator[Alert]:
    """Chips that another seat's hand brought; the ruling waits until the dealer says whose they are."""
    if not account.doubt or account.aside != "other-hand":
        return
    seat, present = account.seat, sensing.belief(account.seat).present
    chips = {uid: present[uid] for uid in account.doubt if uid in present}
    value = sum(value or 0 for value in chips.values())
    sentence = (
        f"Seat {seat}: ask whose {value} it is, and check the cables of the readers: "
        f"another seat's hand brought it, and that seat's reader heard nothing."
    )
    yield alert(sensing, "wrong-hand", seat, sentence, value, chips, zone_of(seat))


def against_camera(sensing: SensingState, seat: int, belief: ZoneBelief, now_ns: int) -> Iterator[Alert]:
    """The camera saw a bet that still lies there, and the reader hears no chip that lies there."""
    seen = sensing.seen(seat, now_ns)
    if seen is None or seen.hand or not seen.occupied or belief.present or sensing.hand.phase != "betting":
        return
    if seen.bet_ns <= sensing.turn.street_ns or now_ns - seen.bet_ns < BET_HEARD_NS:
        return
    if any(track.standing is Standing.CANDIDATE for track in belief.tracks.values()):
        return
    tracks = {uid: track for uid, track in belief.tracks.items() if track.hits >= track.rounds - 1}
    if any(_may_be_leaving(sensing, belief.zone, track, now_ns) for track in tracks.values()):
        return
    heard = {uid: track.value for uid, track in tracks.items()}
    if heard:
        why = f"its reader hears {counted(len(heard))} that lie elsewhere too: one set may be copies"
    else:
        why = "its reader hears nothing"
    sentence = f"Seat {seat}: look at its chips and key its act: the camera sees a bet, {why}."
    yield alert(sensing, "reader-against-camera", seat, sentence, chips=heard, zone=belief.zone)


def _may_be_leaving(sensing: SensingState, zone: str, track: Track, now_ns: int) -> bool:
    """Whether a zone that owns the chip has not been all through a round since this one first heard it."""
    return any(
        track.uid in other.present and other.earlier_ns < track.since_ns
        for other in sensing.zones.values()
        if other.zone != zone and other.heard(now_ns, sensing.setup.thresholds.stale_ms)
    )


def overlap(sensing: SensingState, now_ns: int) -> Iterator[Alert]:
    """Two readers hear the same chips equally well for so long that their seats cannot be ruled.

    Copies in front of two seats side by side look the same, and so do one or two chips that lie between two zones.
    """
    stale_ms, window = sensing.setup.thresholds.stale_ms, sensing.setup.thresholds.window_rounds
    heard = [
        (seat, belief)
        for seat in sensing.setup.seats
        if (belief := sensing.belief(seat)).fresh(now_ns, stale_ms) and belief.tracks
    ]
    for place, (one, here) in enumerate(heard):
        for other, there in heard[place + 1 :]:
            both = _heard_by_both(here, there, window, now_ns)
            if both:
                what = (
                    f"{counted(len(both))}. If they cannot be one set"
                    if len(both) > 1
                    else "chip. If it lies there twice"
                )
                sentence = (
                    f"Seat {one}: move its chips away from those of seat {other}, or turn one reader down: "
                    f"both readers hear the same {what}, call the floor."
                )
                yield alert(sensing, "readers-overlap", one, sentence, chips=both, zone=here.zone)


def _heard_by_both(here: ZoneBelief, there: ZoneBelief, window: int, now_ns: int) -> dict[str, int | None]:
    """The chips that both zones hear in most rounds: for a whole window, or many while neither settles for a second.

    A window that began after the other zone's last round cannot have ended by now: eight rounds take 245 ms.
    """
    waits = all(not one.settled and now_ns - one.unsettled_ns > OVERLAP_NS for one in (here, there))
    together = abs(here.at_ns - there.at_ns) <= TOGETHER_NS
    if not waits and not together:
        return {}
    both, for_long = {}, {}
    for uid in here.tracks.keys() & there.tracks.keys():
        tracks = (here.tracks[uid], there.tracks[uid])
        if all(map(_loud, tracks)):
            both[uid] = tracks[0].value
            if together and all(one.rounds >= window and not one.missed for one in tracks):
                for_long[uid] = tracks[0].value
    return both if waits and len(both) >= OVERLAPPING else for_long


def _loud(track: Track) -> bool:
    """Whether a zone hears a chip in most of its rounds."""
    return track.missed <= ALIVE_MISSES and track.hits >= max(LOUD_HITS, OFTEN * track.rounds)


def unsure(sensing: SensingState, seat: int, belief: ZoneBelief, now_ns: int) -> Iterator[Alert]:
    """The chips of a seat are not sure for so long that a person must help. A round of many chips is a long one, and
    they have all the rounds that they need; so have those of a pile beside them, as long as the zone overhears it: it
    settles only some rounds after the last stray came.
    """
    round_ns = belief.at_ns - belief.earlier_ns
    if any(track.standing is not Standing.PRESENT for track in belief.tracks.values()):
        beside = (sensing.zones[zone] for zone in sensing.setup.beside(belief.zone) if zone in sensing.zones)
        round_ns = max(round_ns, *(_long_round_ns(one, now_ns) for one in beside), 0)
    rounds_ns = (belief.needs + SPARE_ROUNDS) * round_ns
    if now_ns - belief.unsettled_ns > max(sensing.setup.thresholds.unsure_ms * NS_PER_MS, rounds_ns):
        sentence = f"Seat {seat}: spread its chips, or key the act: they read badly or lie between two zones."
        yield alert(sensing, "unsure-chip", seat, sentence)


def _long_round_ns(belief: ZoneBelief, now_ns: int) -> int:
    """How long a zone takes over a round, the one under way included; 0 for one that no reader reads any more."""
    under_way_ns = now_ns - belief.at_ns
    return max(belief.at_ns - belief.earlier_ns, under_way_ns) if under_way_ns <= GIVEN_UP_NS else 0
