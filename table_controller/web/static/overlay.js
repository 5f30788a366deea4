// ?theme=dark|bright|felt|plain  ?show=action,last,pot,stacks,stakes  ?at=top|bottom  ?size=0.5 to 3  ?trouble=hide

import { follow } from "/files/live.js";
import { amount, choose_theme, made, put, quiet_words, seat_name, turn_words } from "/files/words.js";

const PARTS = ["action", "last", "pot", "stacks", "stakes"];
const asked = new URLSearchParams(location.search);
const shown = new Set(asked.get("show")?.split(",") ?? PARTS);

function show({ view }) {
  document.getElementById("third").hidden = view === null;
  if (view === null) return;
  document.getElementById("action").hidden = !shown.has("action");
  put("who", view.turn ? seat_name(view, view.turn.seat) : "");
  put("cost", view.turn ? turn_words(view.turn, true)[0] : quiet_words(view));
  put("last", shown.has("last") && view.last_act && view.phase === "betting" ? view.last_act.text : "");
  put("pot", shown.has("pot") && view.pot !== null ? amount(view.pot) : "");
  put("stakes", shown.has("stakes") && view.level ? view.level.stakes : "");
  const seats = shown.has("stacks") ? view.seats.filter((seat) => ["in", "all-in", "folded"].includes(seat.status)) : [];
  document.getElementById("seats").replaceChildren(...seats.map((seat) => seat_box(view, seat)));
}

function seat_box(view, seat) {
  const acts = view.turn?.seat === seat.seat ? " acts" : "";
  const box = made("li", `seat ${seat.status}${acts}${view.winners.includes(seat.seat) ? " won" : ""}`);
  const stack = seat.status === "folded" ? "folded" : seat.status === "all-in" ? "all-in" : seat.stack === null ? "" : amount(seat.stack);
  box.append(made("p", "name", seat.name || `Seat ${seat.seat}`), made("p", "stack", stack));
  box.append(made("p", "bet", seat.bet ? `Bet ${amount(seat.bet)}` : ""));
  return box;
}

/** Viewers are not shown what may no longer be so. */
function trouble(sentence) {
  document.getElementById("third").classList.toggle("stale", sentence !== "");
  put("trouble", asked.get("trouble") === "hide" ? "" : sentence);
}

choose_theme();
if (asked.get("at") === "top") document.body.className = "top";
const size = Number(asked.get("size") ?? 1);
if (size >= 0.5 && size <= 3) document.documentElement.style.setProperty("--size", String(size));
follow("overlay", show, trouble);
