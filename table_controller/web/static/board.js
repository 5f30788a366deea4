import { amount, clock, follow, left_of, made, now_ms, put, seat_name, theme } from "/files/live.js";

let view = null;

const HEADS = { idle: "Waiting for the first hand.", posting: "Blinds, please.", showdown: "Showdown." };

function show(news) {
  view = news.view;
  if (view === null) return;
  const turn = view.turn;
  put("game", view.game);
  put("who", turn ? seat_name(view, turn.seat) : "");
  put("cost", turn ? cost(turn) : quiet(view));
  put("more", turn ? more(turn) : "");
  put("last", view.last_act ? `${view.last_act.text}.` : "");
  put("pot", view.pot === null ? "" : amount(view.pot));
  put("players", view.players ? `${view.players} ${view.players === 1 ? "player" : "players"} left` : "");
  put("average", view.average_stack === null ? "" : `Average stack ${amount(view.average_stack)}`);
  seats();
  tick();
}

/** What it costs to go on, in the fewest words. */
function cost(turn) {
  if (turn.call === null) return rest(turn.text) || "To act";
  return turn.call === 0 ? "May check" : `${amount(turn.call)} to call`;
}

/** The turn in words without the seat, which stands above. */
const rest = (text) => text.replace(/^Seat \d+[:,.]?\s*/, "");

function more(turn) {
  if (turn.min_raise_to === null) return "";
  const least = turn.wager === "bet" ? "Minimum bet" : turn.wager === "complete" ? "Complete to" : "Minimum raise to";
  const most = turn.max_raise_to === null || turn.max_raise_to === turn.min_raise_to ? "" : ` · at most ${amount(turn.max_raise_to)}`;
  return `${least} ${amount(turn.min_raise_to)}${most}`;
}

/** What is shown while nobody is to act. */
function quiet(view) {
  if (view.phase === "hand-over" && view.winners.length) {
    const names = view.winners.map((seat) => seat_name(view, seat)).join(" and ");
    return `${names} ${view.winners.length === 1 ? "wins" : "split"}`;
  }
  return HEADS[view.phase] ?? (view.street ? `The ${view.street}.` : "");
}

function seats() {
  const list = document.getElementById("seats");
  list.replaceChildren(
    ...view.seats.filter((seat) => seat.status !== "empty").map((seat) => {
      const acts = view.turn?.seat === seat.seat;
      const won = view.winners.includes(seat.seat);
      const box = made("li", `seat ${seat.status}${acts ? " acts" : ""}${won ? " won" : ""}`);
      const marks = [[view.button, "button"], [view.small_blind, "small"], [view.big_blind, "big"]];
      const place = marks.filter(([at]) => at === seat.seat).map(([, name]) => name).join(" ");
      box.append(made("p", "number", `${seat.seat}${place ? ` ${place}` : ""}`));
      if (seat.name) box.append(made("p", "name", seat.name));
      box.append(made("p", "stack", state(seat)));
      box.append(made("p", "bet", seat.bet ? `bet ${amount(seat.bet)}` : ""));
      return box;
    }),
  );
}

function state(seat) {
  if (seat.status === "folded") return "folded";
  if (seat.away) return "away";
  if (seat.status === "all-in") return "all-in";
  if (seat.stack !== null) return amount(seat.stack);
  return seat.status === "out" ? "not in" : "in";
}

/** What goes on between two messages: clocks. */
function tick() {
  const level = view?.level;
  if (level) {
    put("stakes", level.in_break ? "Break" : `Level ${level.number} · ${level.stakes}`);
    put("clock", `${clock(left_of(level))}${level.ends_ms === null ? " paused" : ""}`);
    put("next", level.next_number === null ? "" : `Next ${level.next_stakes}`);
  }
  const player = view?.player_clock;
  put("time", player ? `Seat ${player.seat}: ${clock(player.ends_ms - now_ms())} to act` : "");
}

theme();
setInterval(tick, 250);
follow("board", show, (sentence) => put("trouble", sentence));
