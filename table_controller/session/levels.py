"""The evening in a session: the level and the game of the next hand, what the clock announces, what is set.

The journal holds the clock's mark and what was announced of it last, and whose turn in the rotation it is; a hand
keeps the game with which it began (R-293).
"""

from __future__ import annotations

from betline.messages.table import Alert, LevelState, RotationState
from betline.settings import GameSettings
from betline.settings.model import nearest
from betline.steps import Clock, Game, NextHand
from table_controller.betting import Illegal
from table_controller.journal.entries import ClockSet, GameChosen, TurnBegan
from table_controller.levels import LevelClock, Period, Reading, Turn, after_hand, due, following, periods_of, stakes
from table_controller.session.book import Book, Told
from table_controller.session.draft import Draft
from table_controller.session.terms import Terms
from table_controller.session.words import Response

MINUTE_MS = 60_000


def clock_of(book: Book, terms: Terms) -> LevelClock | None:
    """The table's clock; None where its file has no levels, or a script set it up and says its own games."""
    if not terms.table.levels or not _follows_the_file(book):
        return None
    return LevelClock.of(periods_of(terms.table.levels), book.clock)


def _follows_the_file(book: Book) -> bool:
    return book.table is None or book.from_file


# --- the next hand


def next_game(draft: Draft, terms: Terms, button: int | None) -> tuple[GameSettings, Turn | None]:
    """The game of a hand that begins now, and its turn in the rotation; `button` is where the dealer puts it."""
    clock = clock_of(draft.book, terms)
    level = 1 if clock is None else clock.at(draft.now.at_ms).in_force
    rotation = terms.table.rotation
    if rotation is None:
        return terms.table.game_at(level), None
    book = draft.book
    if button is None and rotation.by == "orbits" and book.played is not None:
        button = _button_to_come(draft, terms.table.game_at(level, book.played.game))
    turn = due(rotation, book.played, book.chosen, button or 0)
    return terms.table.game_at(level, turn.game), turn


def _button_to_come(draft: Draft, game: GameSettings) -> int | None:
    """Where the button will be if the same game goes on, as the table says it."""
    if draft.table is None:
        return None
    placed = draft.table.apply(NextHand(game=game)).table.state.placed
    return None if placed is None else placed.button


def note_turn(draft: Draft, terms: Terms, turn: Turn | None) -> None:
    """Journals that a hand of that turn has begun."""
    rotation = terms.table.rotation
    placed = None if draft.table is None else draft.table.state.placed
    if rotation is None or turn is None or placed is None:
        return
    played = after_hand(rotation, draft.book.played, turn, placed.button, len(placed.seats))
    draft.note(
        TurnBegan(
            game=played.game, hands=played.hands, orbits=played.orbits, first_button=played.first_button,
            button=played.button, seats=played.seats,
        )
    )  # fmt: skip


# --- what the staff and the dealer set


def set_clock(draft: Draft, args: Clock, terms: Terms) -> Response:
    """The staff starts, pauses or adjusts the clock."""
    clock, now_ms = clock_of(draft.book, terms), draft.now.at_ms
    if clock is None:
        return "not-open", "This table has no levels: its table file names them under [[levels]]."
    try:
        left_ms = None if args.left_s is None else args.left_s * 1000
        moved = clock.adjusted(args.action, now_ms, args.level, left_ms, in_break=args.in_break)
    except Illegal as refusal:
        return refusal.code, refusal.sentence
    _tell(draft, terms, moved, args.action)
    return "ok", _clock_sentence(moved.at(now_ms))


def choose_game(draft: Draft, args: Game, terms: Terms) -> Response:
    """The dealer names the game of the next hand."""
    rotation = terms.table.rotation
    if rotation is None or not _follows_the_file(draft.book):
        return "not-open", "This table has one game: its table file names others under [rotation]."
    game = rotation.named(args.name)
    if game is None:
        return (
            "bad-arguments",
            f"There is no game {args.name}; {nearest(args.name, [one.name for one in rotation.games])}",
        )
    draft.note(GameChosen(game=game.name))
    draft.alert(Alert(severity="info", code="game", sentence=f"The next hand is {game.name}."))
    return "ok", f"The next hand is {game.name}."


# --- what the clock announces


def tick(draft: Draft, terms: Terms) -> None:
    """Announces what the clock has come to since the last time."""
    clock = clock_of(draft.book, terms)
    if clock is None or clock.mark.since_ms is None:
        return
    if _stage(clock, clock.at(draft.now.at_ms)) != draft.book.clock_told:
        _tell(draft, terms, clock, "time")


def _stage(clock: LevelClock, reading: Reading) -> Told:
    """What people are to know of a moment: the period, and how far it is."""
    if not reading.left_ms and reading.next_level is None:
        return Told(reading.period, "over")
    short = clock.periods[reading.period].length_ms <= MINUTE_MS
    return Told(reading.period, "ending" if reading.left_ms <= MINUTE_MS and not short else "begun")


def _tell(draft: Draft, terms: Terms, clock: LevelClock, by: str) -> None:
    before, reading = draft.book.clock_told, clock.at(draft.now.at_ms)
    now, mark = _stage(clock, reading), clock.mark
    draft.note(
        ClockSet(by=by, period=mark.period, left_ms=mark.left_ms, since_ms=mark.since_ms, told=(now.period, now.stage))
    )
    was = None if before is None else clock.periods[min(before.period, len(clock.periods) - 1)]
    if before is None or before.period != now.period:
        _tell_of_the_period(draft, terms, clock, reading, was)
    elif now.stage not in (before.stage, "begun"):
        _alert(draft, "level-ending", _ending_sentence(draft.book, terms, reading, now))


def _tell_of_the_period(
    draft: Draft, terms: Terms, clock: LevelClock, reading: Reading, was: Period | None
) -> None:  # fmt: skip
    if reading.in_break:
        minutes = clock.periods[reading.period].length_ms // MINUTE_MS
        follows = _level_words(draft.book, terms, reading.in_force)
        _alert(draft, "break", f"Level {reading.level} has ended: break of {minutes} minutes, then {follows}.")
    else:
        over = "The break is over. " if was is not None and was.is_break else ""
        words = _level_words(draft.book, terms, reading.level)
        _alert(draft, "level", f"{over}{words[:1].upper()}{words[1:]}, from the next hand on.")
    for number in range(1 if was is None else was.in_force + 1, reading.in_force + 1):
        raced = terms.table.levels[number - 1].colour_up
        if raced is not None:
            sentence = f"Colour up before level {number}: the {raced}s leave the table."
            draft.alert(Alert(severity="warning", code="colour-up", sentence=sentence))


def _alert(draft: Draft, code: str, sentence: str) -> None:
    draft.alert(Alert(severity="info", code=code, sentence=sentence))


def _ending_sentence(book: Book, terms: Terms, reading: Reading, now: Told) -> str:
    if now.stage == "over":
        return f"The time of level {reading.level}, the last one, is up; it goes on."
    seconds = -(-reading.left_ms // 1000)
    left = "1 minute" if seconds >= 59 else f"{seconds} seconds"
    what = "The break" if reading.in_break else f"Level {reading.level}"
    then = "" if reading.next_level is None else f", then {_level_words(book, terms, reading.next_level)}"
    return f"{what} ends in {left}{then}."


def _level_words(book: Book, terms: Terms, level: int) -> str:
    return f"level {level}, {stakes(terms.table.game_at(level, _game_now(book, terms)))}"


def _clock_sentence(reading: Reading) -> str:
    what = f"Break after level {reading.level}" if reading.in_break else f"Level {reading.level}"
    seconds = -(-reading.left_ms // 1000)
    return f"{what}, {seconds // 60}:{seconds % 60:02} left{'' if reading.running else ', paused'}."


# --- what people see


def _game_now(book: Book, terms: Terms) -> str | None:
    """The name of the present game in the rotation, of the first one before any was dealt."""
    rotation = terms.table.rotation
    if rotation is None:
        return None
    known = None if book.played is None else rotation.named(book.played.game)
    return rotation.games[0].name if known is None else known.name


def level_state(book: Book, terms: Terms) -> LevelState | None:
    """The level as the state has it; its time is given by its end, so that no message a second is needed."""
    clock = clock_of(book, terms)
    if clock is None:
        return None
    mark, name = clock.mark, _game_now(book, terms)
    place = book.clock_told.period if book.clock_told is not None and mark.since_ms is not None else mark.period
    period = clock.periods[min(place, len(clock.periods) - 1)]
    following_level = period.level + 1 if period.level < clock.periods[-1].level else None
    levels, table = terms.table.levels, terms.table
    return LevelState(
        number=period.level,
        stakes=stakes(table.game_at(period.level, name)),
        next_number=following_level,
        next_stakes="" if following_level is None else stakes(table.game_at(following_level, name)),
        in_break=period.is_break,
        started=book.clock is not None,
        ends_ms=clock.ends_ms(place),
        left_ms=mark.left_ms if mark.since_ms is None else None,
        to_break_ms=clock.to_break_ms(place),
        colour_up=None if following_level is None else levels[following_level - 1].colour_up,
    )


def rotation_state(book: Book, terms: Terms) -> RotationState | None:
    """The rotation as the state has it."""
    rotation, now = terms.table.rotation, _game_now(book, terms)
    if rotation is None or now is None or not _follows_the_file(book):
        return None
    by_hands = rotation.by == "hands" and rotation.count is not None and book.played is not None
    return RotationState(
        game=now,
        next_game=book.chosen or ("" if rotation.by == "choice" else following(rotation, now)),
        chosen=book.chosen is not None,
        games=tuple(one.name for one in rotation.games),
        hands_left=max(0, (rotation.count or 0) - (book.played.hands if book.played else 0)) if by_hands else None,
    )
