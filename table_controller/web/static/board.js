import { follow, now_ms } from "/files/live.js";
import { amount, choose_theme, clock, left_of, made, next_break, put, quiet_words, seat_name, turn_words } from "/files/words.js";

let view = null;

function show(news) {
  view = news.view;
  if (view === null) return;
  const [cost, more] = view.turn ? turn_words(view.turn, view.pot !== null) : [quiet_words(view), ""];
  put("game", view.level ? view.game.replace(` ${view.level.stakes}`, "") : view.game);
  put("who", view.turn ? seat_name(view, view.turn.seat) : "");
  put("cost", cost);
  document.getElementById("cost").className = cost.length > 22 ? "long" : "";
  put("more", more);
  put("last", view.last_act && view.phase === "betting" ? view.last_act.text : "");
  put("pot", view.pot === null ? "" : amount(view.pot));
  put("players", view.players ? `${view.players} ${view.players === 1 ? "player" : "players"} left` : "");
  put("average", view.average_stack === null ? "" : `Average stack ${amount(view.average_stack)}`);
  document.getElementById("seats").replaceChildren(...view.seats.filter((seat) => seat.status !== "empty").map(seat_box));
  tick();
}

function seat_box(seat) {
  const acts = view.turn?.seat === seat.seat;
  const won = view.winners.includes(seat.seat);
  const box = made("li", `seat ${seat.status}${acts ? " acts" : ""}${won ? " won" : ""}`);
  const places = [[view.button, "Button"], [view.small_blind, "Small"], [view.big_blind, "Big"]];
  const place = places.filter(([at]) => at === seat.seat).map(([, name]) => name).join(" · ");
  const [kind, text] = status(seat);
  box.append(made("p", "number", String(seat.seat)), made("p", "name", seat.name), made("p", kind, text));
  box.append(made("p", "bet", seat.bet ? `Bet ${amount(seat.bet)}` : ""), made("p", "place", place));
  return box;
}

/** What the seat has, as a class and in words; who is simply in the hand needs none. */
function status(seat) {
  if (seat.status === "folded") return ["word", "folded"];
  if (seat.away) return ["word", "away"];
  if (seat.status === "all-in") return ["stack", "all-in"];
  if (seat.stack !== null) return [seat.stack > 999999 ? "stack wide" : "stack", amount(seat.stack)];
  return ["word", seat.status === "out" ? "not in" : ""];
}

/** What goes on between two messages: the clocks. */
function tick() {
  const level = view?.level;
  if (level) {
    put("stakes", level.in_break ? "Break" : `Level ${level.number} · ${level.stakes}`);
    put("clock", clock(left_of(level)));
    put("paused", level.ends_ms === null ? (level.started ? "paused" : "not started") : "");
    put("next", level.next_number === null ? "" : `Next ${level.next_stakes}`);
    put("break", next_break(level));
  }
  const player = view?.player_clock;
  put("time", player ? `${clock(player.ends_ms - now_ms())} left to act` : "");
}

choose_theme();
setInterval(tick, 250);
follow("board", show, (sentence) => put("trouble", sentence));
