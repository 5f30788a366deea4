"""The written form of a step: plain mappings, as case files, the bus and the journal have them."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Literal, TypeVar, get_args

from betline.fields import (
    FieldError,
    Fields,
    Path,
    chips,
    dotted,
    flag,
    game,
    list_of,
    one_of,
    positive,
    seat,
    text,
    true,
    whole,
)
from betline.settings import STREETS
from betline.settings.model import nearest
from betline.steps.setup import house_rules
from betline.steps.values import (
    Act,
    Action,
    AfterMinutes,
    Award,
    Borrow,
    BringIn,
    Change,
    ChopBlinds,
    ClockExpired,
    ColorUp,
    CorrectBet,
    CorrectButton,
    CorrectRecord,
    Count,
    Deal,
    FloorDecision,
    FloorRuling,
    FouledDeck,
    Gesture,
    KillHand,
    KillPot,
    LastTwo,
    Leave,
    Misdeal,
    MoneyBehind,
    MoveChips,
    NextHand,
    Override,
    Part,
    PassOut,
    Penalty,
    Rebuy,
    ReopenAward,
    Return,
    SitDown,
    SitOut,
    Step,
    Straddle,
    TakeRock,
    Undo,
    Winners,
)

HOUSE_PLACES = ("tray", "kitty", "rake")
"""Where chips of the house lie, beside the seats."""
_ACTION: Callable[[object, Path], Action] = one_of("check", "call", "bet", "raise", "complete", "fold", "all-in")
_STREET: Callable[[object, Path], str] = one_of(*sorted({name for names in STREETS.values() for name in names}))
_FLOOR_RULING: Callable[[object, Path], str] = one_of(
    "check", "call", "bet", "raise", "fold", "withdraw", "live", "passive", "dead"
)
_OVERRIDING: Callable[[object, Path], FloorRuling] = one_of(*get_args(FloorRuling))
_GESTURE: Callable[[object, Path], Gesture] = one_of("tap", "muck")
_Read = TypeVar("_Read")


class StepError(FieldError):
    """A step cannot be read; `path` leads to the key, `sentence` says what would be right."""

    @property
    def key(self) -> str:
        """The key that is at fault, dotted."""
        return dotted(self.path)


def parse_step(data: object, path: Path = ()) -> Step:
    """Reads a step from its mapping; raises StepError with the key and a sentence."""
    try:
        if not isinstance(data, Mapping):
            raise FieldError(path, "a step must be a mapping such as {seat: 3, action: call}.")
        if "seat" in data:
            return _act(data, path)
        for key, read in _READERS.items():
            if key in data:
                return read(data, path)
        first = next(iter(data), "")
        raise FieldError((*path, str(first)), f"is not a known step; {nearest(str(first), ('seat', *_READERS))}")
    except StepError:
        raise
    except FieldError as error:
        raise StepError(error.path, error.sentence) from None


def step_to_mapping(step: Step) -> dict[str, Any]:
    """The written form of a step, fit for JSON and YAML; `parse_step` reads it back."""
    return _WRITERS[type(step)](step)


# reading


def _act(data: object, path: Path) -> Act:
    fields = Fields(data, path)
    number = fields.required("seat", seat)
    if fields.has("chips") and fields.has("motions"):
        raise FieldError((*path, "motions"), "stands beside chips; name the chips of every motion in motions.")
    motions = fields.optional("motions", list_of(chips, least=1), ())
    if fields.has("chips"):
        motions = (fields.required("chips", chips),)
    act = Act(
        seat=number,
        motions=motions,
        says=fields.optional("says", _words, None),
        first=fields.optional("first", one_of("says", "chips", "both"), "says"),
        takes_back=fields.optional("takes_back", chips, ()),
        carries_back=fields.optional("carries_back", chips, ()),
        changes=fields.optional("changes", _change, None),
        pays=fields.optional("pays", chips, ()),
        splashes=fields.optional("splashes", chips, ()),
        gesture=fields.optional("gesture", _GESTURE, None),
        action=fields.optional("action", _ACTION, None),
        to=fields.optional("to", positive, None),
        accepted=fields.optional("accepted", flag, False),
    )
    fields.done()
    physical = act.motions or act.says or act.takes_back or act.carries_back or act.splashes or act.changes
    if act.pays and (physical or act.gesture or act.action):
        raise FieldError((*path, "pays"), "stands alone: chips that pay what is owed are no act.")
    if not (physical or act.gesture or act.action or act.pays):
        raise FieldError(path, "an act needs chips, words, a gesture or an action.")
    if act.action and (physical or act.gesture):
        raise FieldError((*path, "action"), "is unambiguous by itself: leave chips, words and gestures out.")
    if act.gesture and physical:
        raise FieldError((*path, "gesture"), "stands alone: leave chips and words out.")
    if act.action is None and (act.to is not None or act.accepted):
        raise FieldError((*path, "to" if act.to is not None else "accepted"), "belongs to an action.")
    if fields.has("first") and not (act.says and (act.motions or act.splashes)):
        raise FieldError((*path, "first"), "belongs to words and chips in one act.")
    return act


def _words(value: object, path: Path) -> str:
    """YAML and JSON read a bare number as one: `says: 300` means the words "300"."""
    return str(value) if type(value) is int else text(value, path)


def _change(value: object, path: Path) -> Change:
    fields = Fields(value, path)
    change = Change(gives=fields.required("gives", chips), takes=fields.required("takes", chips))
    fields.done()
    return change


def _deal(data: object, path: Path) -> Deal:
    fields = Fields(data, path)
    step = Deal(
        street=fields.required("deal", _STREET),
        first=fields.optional("first", seat, None),
        open_pair=fields.optional("open_pair", flag, False),
    )
    fields.done()
    return step


def _award(data: object, path: Path) -> Award:
    fields = Fields(data, path)
    step = Award(pots=fields.required("award", list_of(_winners)))
    fields.done()
    return step


def _winners(value: object, path: Path) -> Winners:
    return _parts(value, path, _part) if isinstance(value, Mapping) else (_names(value, path),)


def _part(value: object, path: Path) -> Part:
    """A part of a pot: who splits it, or, of a board that is divided once more, its own parts."""
    return _parts(value, path, _names) if isinstance(value, Mapping) else _names(value, path)


def _parts(value: object, path: Path, read: Callable[[object, Path], _Read]) -> tuple[_Read, ...]:
    fields = Fields(value, path)
    parts = fields.required("parts", list_of(read, least=1))
    fields.done()
    return parts


def _names(value: object, path: Path) -> tuple[int, ...]:
    return list_of(seat, least=1)(value, path)


def _next_hand(data: object, path: Path) -> NextHand:
    fields = Fields(data, path)
    if isinstance(data, Mapping) and data["next_hand"] is True:
        fields.required("next_hand", true)
        step = NextHand()
    else:
        inner = Fields(fields.required("next_hand", _any), (*path, "next_hand"))
        step = NextHand(
            game=inner.optional("game", game, None),
            bomb_pot=inner.optional("bomb_pot", whole, None),
            button=inner.optional("button", seat, None),
            house=inner.optional("house", house_rules, None),
        )
        inner.done()
    fields.done()
    return step


def _any(value: object, _path: Path) -> object:
    return value


def _single(
    key: str, read: Callable[[object, Path], Any], make: Callable[[Any], Step]
) -> Callable[[object, Path], Step]:
    """A step of one key with a plain value."""

    def reader(data: object, path: Path) -> Step:
        fields = Fields(data, path)
        step = make(fields.required(key, read))
        fields.done()
        return step

    return reader


def _inner(key: str, make: Callable[[Fields], Step]) -> Callable[[object, Path], Step]:
    """A step of one key whose value is a mapping."""

    def reader(data: object, path: Path) -> Step:
        fields = Fields(data, path)
        inner = Fields(fields.required(key, _any), (*path, key))
        step = make(inner)
        inner.done()
        fields.done()
        return step

    return reader


def _counts(fields: Fields) -> Count:
    step = Count(
        seat=fields.required("seat", seat),
        bet=fields.optional("bet", whole, None),
        stack=fields.optional("stack", whole, None),
    )
    if (step.bet is None) == (step.stack is None):
        raise FieldError((*fields.path, "bet"), "name one of bet and stack.")
    return step


def _place(value: object, path: Path) -> int | str:
    return one_of(*HOUSE_PLACES)(value, path) if isinstance(value, str) else seat(value, path)


def _lender(value: object, path: Path) -> int | Literal["pot"]:
    return "pot" if value == "pot" else seat(value, path)


_READERS: dict[str, Callable[[object, Path], Step]] = {
    "deal": _deal,
    "bring_in": _single("bring_in", seat, lambda v: BringIn(seat=v)),
    "straddle": _inner("straddle", lambda f: Straddle(
        seat=f.required("seat", seat), to=f.required("to", positive),
        kind=f.required("kind", one_of("live", "mississippi", "sleeper")),
    )),
    "award": _award,
    "next_hand": _next_hand,
    "sits": _inner("sits", lambda f: SitDown(
        seat=f.required("seat", seat), stack=f.required("stack", positive),
        post=f.optional("post", flag, True), buys_button=f.optional("buys_button", flag, False),
        player=f.optional("player", text, ""),
    )),
    "leaves": _single("leaves", seat, lambda v: Leave(seat=v)),
    "away": _single("away", seat, lambda v: SitOut(seat=v)),
    "back": _inner("back", lambda f: Return(
        seat=f.required("seat", seat), post=f.optional("post", flag, True),
        buys_button=f.optional("buys_button", flag, False),
    )),
    "adds": _inner("adds", lambda f: Rebuy(seat=f.required("seat", seat), amount=f.required("amount", positive))),
    "borrows": _inner("borrows", lambda f: Borrow(
        seat=f.required("seat", seat), amount=f.required("amount", positive), source=f.required("from", _lender),
        declined=f.optional("declined", list_of(seat), ()),
    )),
    "undo": _single("undo", positive, lambda v: Undo(count=v)),
    "records": _inner("records", lambda f: CorrectRecord(
        street=f.required("street", _STREET), seat=f.required("seat", seat), to=f.required("to", whole),
    )),
    "reopens": _single("reopens", one_of("last_hand"), lambda _: ReopenAward()),
    "counts": _inner("counts", _counts),
    "moves": _inner("moves", lambda f: MoveChips(
        source=f.required("from", _place), to=f.required("to", _place), amount=f.required("amount", positive),
        why=f.optional("why", text, ""),
    )),
    "behind": _inner("behind", lambda f: MoneyBehind(
        seat=f.required("seat", seat), amount=f.required("amount", positive), cash=f.optional("cash", flag, False),
    )),
    "misdeal": _single("misdeal", true, lambda _: Misdeal()),
    "fouled": _single("fouled", true, lambda _: FouledDeck()),
    "pass_out": _single("pass_out", true, lambda _: PassOut()),
    "chop": _single("chop", true, lambda _: ChopBlinds()),
    "button": _single("button", seat, lambda v: CorrectButton(seat=v)),
    "kills": _inner("kills", lambda f: KillHand(seat=f.required("seat", seat), why=f.required("why", text))),
    "expires": _single("expires", seat, lambda v: ClockExpired(seat=v)),
    "race": _inner("race", lambda f: ColorUp(
        remove=f.required("remove", positive), wins=f.required("wins", list_of(seat)),
        to=f.optional("to", positive, None),
    )),
    "rock": _single("rock", seat, lambda v: TakeRock(seat=v)),
    "kill": _single("kill", seat, lambda v: KillPot(seat=v)),
    "penalty": _inner("penalty", lambda f: Penalty(
        seat=f.required("seat", seat), hands=f.required("hands", whole),
    )),
    "after_minutes": _single("after_minutes", positive, lambda v: AfterMinutes(minutes=v)),
    "last_two": _single("last_two", true, lambda _: LastTwo()),
    "corrects": _inner("corrects", lambda f: CorrectBet(seat=f.required("seat", seat), to=f.required("to", positive))),
    "floor": _inner("floor", lambda f: FloorDecision(
        ruling=f.required("ruling", _FLOOR_RULING), to=f.optional("to", positive, None),
        why=f.optional("why", text, ""),
    )),
    "overrides": _inner("overrides", lambda f: Override(
        seat=f.required("seat", seat), ruling=f.required("ruling", _OVERRIDING), to=f.optional("to", positive, None),
        street=f.optional("street", _STREET, None), by=f.required("by", text), why=f.required("why", text),
    )),
}  # fmt: skip


# writing


def _act_mapping(act: Act) -> dict[str, Any]:
    found: dict[str, Any] = {"seat": act.seat}
    if len(act.motions) == 1:
        found["chips"] = list(act.motions[0])
    elif act.motions:
        found["motions"] = [list(motion) for motion in act.motions]
    if act.says is not None:
        found["says"] = act.says
        if act.motions or act.splashes:
            found["first"] = act.first
    for key in ("takes_back", "carries_back", "pays", "splashes"):
        if value := getattr(act, key):
            found[key] = list(value)
    if act.changes:
        found["changes"] = {"gives": list(act.changes.gives), "takes": list(act.changes.takes)}
    return found | _set(act, "gesture", "action", "to") | ({"accepted": True} if act.accepted else {})


def _set(step: Step, *names: str) -> dict[str, Any]:
    """The named fields that are not None."""
    return {name: value for name in names if (value := getattr(step, name)) is not None}


def _arrival(key: str, step: SitDown | Return, *names: str) -> dict[str, Any]:
    found = _set(step, *names)
    if not step.post:
        found["post"] = False
    if step.buys_button:
        found["buys_button"] = True
    if isinstance(step, SitDown) and step.player:
        found["player"] = step.player
    return {key: found}


def _next_hand_mapping(step: NextHand) -> dict[str, Any]:
    game = {} if step.game is None else {"game": step.game.model_dump(mode="json", exclude_defaults=True)}
    house = {} if step.house is None else {"house": step.house.model_dump(mode="json", exclude_unset=True)}
    return {"next_hand": {**game, **_set(step, "bomb_pot", "button"), **house} or True}


def _winners_form(winners: Winners) -> object:
    return _part_form(winners[0]) if len(winners) == 1 else {"parts": [_part_form(part) for part in winners]}


def _part_form(part: Part) -> object:
    names = [seat for seat in part if isinstance(seat, int)]
    return names or {"parts": [list(half) for half in part if not isinstance(half, int)]}


_WRITERS: dict[type, Callable[[Any], dict[str, Any]]] = {
    Act: _act_mapping,
    Deal: lambda s: {"deal": s.street, **_set(s, "first"), **({"open_pair": True} if s.open_pair else {})},
    BringIn: lambda s: {"bring_in": s.seat},
    Straddle: lambda s: {"straddle": _set(s, "seat", "to", "kind")},
    Award: lambda s: {"award": [_winners_form(pot) for pot in s.pots]},
    NextHand: _next_hand_mapping,
    SitDown: lambda s: _arrival("sits", s, "seat", "stack"),
    Leave: lambda s: {"leaves": s.seat},
    SitOut: lambda s: {"away": s.seat},
    Return: lambda s: _arrival("back", s, "seat"),
    Rebuy: lambda s: {"adds": _set(s, "seat", "amount")},
    Borrow: lambda s: {
        "borrows": {
            "seat": s.seat,
            "amount": s.amount,
            "from": s.source,
            **({"declined": list(s.declined)} if s.declined else {}),
        }
    },
    Undo: lambda s: {"undo": s.count},
    CorrectRecord: lambda s: {"records": _set(s, "street", "seat", "to")},
    ReopenAward: lambda _: {"reopens": "last_hand"},
    Count: lambda s: {"counts": _set(s, "seat", "bet", "stack")},
    MoveChips: lambda s: {
        "moves": {"from": s.source, "to": s.to, "amount": s.amount, **({"why": s.why} if s.why else {})}
    },
    MoneyBehind: lambda s: {"behind": {**_set(s, "seat", "amount"), **({"cash": True} if s.cash else {})}},
    Misdeal: lambda _: {"misdeal": True},
    FouledDeck: lambda _: {"fouled": True},
    PassOut: lambda _: {"pass_out": True},
    ChopBlinds: lambda _: {"chop": True},
    CorrectButton: lambda s: {"button": s.seat},
    KillHand: lambda s: {"kills": _set(s, "seat", "why")},
    ClockExpired: lambda s: {"expires": s.seat},
    ColorUp: lambda s: {"race": {"remove": s.remove, "wins": list(s.wins), **_set(s, "to")}},
    TakeRock: lambda s: {"rock": s.seat},
    KillPot: lambda s: {"kill": s.seat},
    Penalty: lambda s: {"penalty": _set(s, "seat", "hands")},
    AfterMinutes: lambda s: {"after_minutes": s.minutes},
    LastTwo: lambda _: {"last_two": True},
    CorrectBet: lambda s: {"corrects": _set(s, "seat", "to")},
    Override: lambda s: {"overrides": _set(s, "seat", "ruling", "to", "street", "by", "why")},
    FloorDecision: lambda s: {"floor": {**_set(s, "ruling", "to"), **({"why": s.why} if s.why else {})}},
}
