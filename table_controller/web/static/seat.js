import { follow, now_ms } from "/files/live.js";
import { amount, cards, choose_theme, clock, hand_words, left_of, made, put, quiet_words, seat_name, turn_words } from "/files/words.js";

const number = Number(location.pathname.split("/").pop());
let view = null;
let was_mine = false;

function show({ view: seen, prompt, hands }) {
  view = seen;
  if (view === null) return;
  const mine = Boolean(prompt?.active) && view.turn?.seat === number;
  put("seat", seat_name(view, number));
  turn(mine, prompt);
  facts();
  past(hands);
  tick();
  document.title = mine ? `Your turn: ${document.getElementById("cost").textContent}` : `Seat ${number}`;
  if (mine && !was_mine && navigator.userActivation?.hasBeenActive) navigator.vibrate?.(200);
  was_mine = mine;
}

function turn(mine, prompt) {
  document.getElementById("turn").className = mine ? "yours" : "";
  put("owes", prompt?.owes ? `Put out ${amount(prompt.owes)}` : "");
  if (mine) {
    const [cost, more] = turn_words(prompt, view.pot !== null);
    put("who", "Your turn");
    put("cost", cost);
    put("more", more);
    return;
  }
  put("who", view.turn ? `${seat_name(view, view.turn.seat)} to act` : quiet_words(view));
  put("cost", "");
  put("more", view.turn ? turn_words(view.turn, view.pot !== null)[0] : "");
}

function facts() {
  const own = view.seats.find((seat) => seat.seat === number);
  const known = [
    ["Pot", view.pot],
    ["Your stack", own?.stack ?? null],
    ["Your bet", own?.bet || null],
    ["Players left", view.players || null],
    ["Average stack", view.average_stack],
  ].filter(([, value]) => value !== null);
  document.getElementById("facts").replaceChildren(
    ...known.map(([name, value]) => {
      const box = document.createElement("div");
      box.append(made("dt", "", name), made("dd", "", amount(value)));
      return box;
    }),
  );
}

function past(hands) {
  document.getElementById("past").hidden = hands.length === 0;
  document.getElementById("hands").replaceChildren(
    ...hands.map((hand) => {
      const item = made("li", hand.outcome);
      const made_of = hand.made ? ` with ${hand_words(hand.made)}` : "";
      item.append(made("span", "", `Hand ${hand.hand_no}: ${hand.outcome}${made_of}`));
      item.append(made("span", "change", change(hand.change)));
      if (hand.cards) item.append(cards(hand.cards));
      if (hand.board.length) item.append(cards(hand.board.join("")));
      return item;
    }),
  );
}

const change = (chips) => (chips === null ? "" : chips > 0 ? `+${amount(chips)}` : chips < 0 ? `−${amount(-chips)}` : "0");

/** What goes on between two messages: the clocks. */
function tick() {
  const level = view?.level;
  if (level) put("stakes", `${level.in_break ? "Break" : level.stakes} · ${clock(left_of(level))}`);
  const player = view?.player_clock;
  put("time", player?.seat === number ? `${clock(player.ends_ms - now_ms())} left to act` : "");
}

choose_theme();
put("seat", `Seat ${number}`);
setInterval(tick, 250);
follow(`seat-${number}`, show, (sentence) => put("trouble", sentence));
