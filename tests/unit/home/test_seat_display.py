"""The display of a seat, `config/esphome/seat.yaml`: what it does and shows after each message.

Its lambdas are C++, so they are compiled with its actions into a small program, against stand-ins for ESPHome's parts.
`esphome config` is what knows ESPHome itself; this knows what the seat sees.
"""

from __future__ import annotations

import json
import shutil
import subprocess
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import yaml

FILE = Path(__file__).parents[3] / "config" / "esphome" / "seat.yaml"
COMPILER = shutil.which("g++")
pytestmark = pytest.mark.skipif(COMPILER is None, reason="no C++ compiler (apt install g++): a seat's display")
PARTS = r"""
#include <cstdarg>
#include <cstdio>
#include <map>
#include <string>
struct Value {
  int kind = 0; long number = 0; std::string text;  // 0 null, 1 bool, 2 int, 3 string
  template <class T> bool is() const { return kind == 2; }
  template <class T> T as() const;
};
template <> bool Value::as<bool>() const { return kind == 1 && number; }
template <> int Value::as<int>() const { return kind == 2 ? (int) number : 0; }
template <> std::string Value::as<std::string>() const { return text; }
struct Json {
  std::map<std::string, Value> fields;
  Value operator[](const char *name) const { return fields.count(name) ? fields.at(name) : Value{}; }
};
enum Font { small_, large_ };
struct Screen {
  std::string shown;
  void print(int, int, Font, const char *text) { shown += std::string(text) + "|"; }
  void printf(int, int, Font, const char *form, ...) {
    char text[99]; va_list rest; va_start(rest, form); vsnprintf(text, 99, form, rest); va_end(rest);
    shown += std::string(text) + "|";
  }
} it;
bool ring = false;
#define id(name) name
#define small small_
#define large large_
"""
STATUS, PROMPT = "status", "prompt"


class Loader(yaml.SafeLoader):
    """Knows the tag of a secret."""


Loader.add_constructor("!secret", lambda _loader, _node: "secret")


def actions(steps: list[dict[str, Any]] | None) -> Iterator[str]:
    """C++ that does what these actions do."""
    for step in steps or ():
        [(what, how)] = step.items()
        match what:
            case "lambda":
                yield f"{{ {how} }}"
            case "if":
                yield f"if ([&]() -> bool {{ {how['condition']['lambda']} }}()) {{"
                yield from actions(how["then"])
                yield "} else {"
                yield from actions(how.get("else"))
                yield "}"
            case "light.turn_on" | "light.turn_off":
                yield f"ring = {'true' if what.endswith('on') else 'false'};"
            case "component.update":
                yield "draw();"
            case "script.execute":
                yield f"script_{how}();"
            case _:
                raise AssertionError(f"the test knows no action {what}")


def program(steps: list[tuple[str, dict[str, Any]]]) -> str:
    """The display's own code, and a main that does the steps and prints after each what can be seen."""
    known = yaml.load(FILE.read_text(encoding="utf-8"), Loader)
    parts = [PARTS]
    parts += [
        f"{one['type']} {one['id']}{{{one.get('initial_value', '').strip(chr(34))}}};" for one in known["globals"]
    ]
    parts.append(f"void drawn() {{ {known['display'][0]['lambda']} }}\nvoid draw() {{ it.shown.clear(); drawn(); }}")
    parts += [f"void script_{one['id']}();" for one in known["script"]]
    parts += [f"void script_{one['id']}() {{ {' '.join(actions(one['then']))} }}" for one in known["script"]]
    mqtt = known["mqtt"]
    for name in ("on_connect", "on_disconnect"):
        parts.append(f"void {name}(Json) {{ {' '.join(actions(mqtt.get(name)))} }}")
    heard = {one["topic"].rsplit("/", 1)[1]: one for one in mqtt["on_json_message"]}
    for name in (STATUS, PROMPT):
        parts.append(f"void {name}(Json x) {{ {' '.join(actions(heard.get(name, {}).get('then')))} }}")
    done = [f'{what}({fields(said)}); printf("%d|%s\\n", ring, it.shown.c_str());' for what, said in steps]
    return "\n".join([*parts, f"int main() {{ {' '.join(done)} }}"])


def fields(said: dict[str, Any]) -> str:
    def value(one: Any) -> str:
        kind = 0 if one is None else 1 if isinstance(one, bool) else 2 if isinstance(one, int) else 3
        number, text = (int(one), '""') if kind in (1, 2) else (0, json.dumps(one or ""))
        return f"Value{{{kind}, {number}, {text}}}"

    return f"Json{{{{{', '.join(f'{{{json.dumps(name)}, {value(one)}}}' for name, one in said.items())}}}}}"


def seen(folder: Path, *steps: tuple[str, dict[str, Any]]) -> list[str]:
    """What ring and screen show after each step: `1|To call|300|`."""
    assert COMPILER is not None
    (folder / "seat.cpp").write_text(program(list(steps)), encoding="utf-8")
    subprocess.run([COMPILER, "-std=c++17", "-w", "-o", folder / "seat", folder / "seat.cpp"], check=True)
    done = subprocess.run([folder / "seat"], capture_output=True, text=True, check=True)
    return done.stdout.splitlines()


TURN = {"active": True, "call": 300, "min_raise_to": 600, "owes": 0}
IDLE = {"active": False, "call": None, "min_raise_to": None, "owes": 0}
ONLINE, OFFLINE = {"state": "online"}, {"state": "offline"}
ITS_TURN = "1|To call|300|Raise to 600|"


def test_the_display_is_cleared_while_the_controller_is_away_and_shows_no_old_amount_when_it_is_back(
    tmp_path: Path,
) -> None:
    shown = seen(
        tmp_path,
        ("on_connect", {}), (PROMPT, TURN), (STATUS, ONLINE),
        (STATUS, OFFLINE), (STATUS, {"state": "starting"}), (STATUS, ONLINE), (PROMPT, IDLE), (PROMPT, TURN),
        (STATUS, OFFLINE), (PROMPT, TURN), (STATUS, ONLINE),
        ("on_disconnect", {}), ("on_connect", {}), (STATUS, ONLINE), (PROMPT, TURN),
    )  # fmt: skip
    away = "0|Table is away|"
    assert shown == [
        away, away, ITS_TURN,
        away, away, "0|", "0|", ITS_TURN,
        away, away, ITS_TURN,
        "0|No word from table|", away, "0|", ITS_TURN,
    ]  # fmt: skip


def test_every_letter_that_is_shown_is_in_the_font() -> None:
    known = yaml.load(FILE.read_text(encoding="utf-8"), Loader)
    letters = next(one["glyphs"] for one in known["font"] if one["id"] == "small")
    for words in ("Table is away", "No word from table", "Check or bet", "To call", "Raise to 10", "Put out 20"):
        assert words in known["display"][0]["lambda"].replace("%s", "10").replace("%d", "20")
        assert set(words) <= set(letters), words
