// How the table is put into words and figures, the same on every page.

import { now_ms } from "/files/live.js";

/** An amount as dealers write it: 12,500. */
export const amount = (chips) => String(chips).replace(/\B(?=(\d{3})+$)/g, ",");

/** Minutes and seconds, and hours before them. */
export function clock(left_ms) {
  const all_s = Math.max(0, Math.ceil(left_ms / 1000));
  const [h, m, s] = [Math.floor(all_s / 3600), Math.floor(all_s / 60) % 60, all_s % 60];
  const two = (number) => String(number).padStart(2, "0");
  return h ? `${h}:${two(m)}:${two(s)}` : `${m}:${two(s)}`;
}

/** What is left of a level or a break. */
export const left_of = (level) => (level.ends_ms === null ? level.left_ms ?? 0 : level.ends_ms - now_ms());

/** When the next break is, as a sentence; empty where none is to come. */
export function next_break(level) {
  if (level.in_break || level.to_break_ms === null) return "";
  const minutes = Math.ceil((left_of(level) + level.to_break_ms) / 60000);
  return `Break in ${minutes} min`;
}

/** Who sits there: the seat's number, and the name where it has one. */
export function seat_name(view, number) {
  const name = view.seats.find((seat) => seat.seat === number)?.name;
  return name ? `Seat ${number} · ${name}` : `Seat ${number}`;
}

const capital = (text) => text.charAt(0).toUpperCase() + text.slice(1);

/** The turn in two parts, "300 to call" and "Minimum raise to 600", of the text that its audience may read. */
export function turn_words(turn, hides_pot) {
  const parts = turn.text.replace(/^Seat \d+: ?/, "").split(", ");
  const cost = turn.call ? `${amount(turn.call)} to call` : capital(parts[0]);
  const more = parts.slice(1).filter((part) => !(hides_pot && part.endsWith(" in the middle")));
  return [cost, capital(more.join(", "))];
}

const QUIET = { idle: "Waiting for the next hand", posting: "Blinds, please", showdown: "Showdown" };

/** What is to be said while nobody is to act. */
export function quiet_words(view) {
  if (view.phase === "hand-over" && view.winners.length) {
    const names = view.winners.map((seat) => seat_name(view, seat)).join(" and ");
    const made = view.won_with.find((hand) => view.winners.includes(hand.seat))?.kind ?? "";
    return `${names} ${view.winners.length === 1 ? "wins" : "split"}${made ? ` with ${hand_words(made)}` : ""}`;
  }
  if (view.phase === "hand-over") return "The hand is over";
  return QUIET[view.phase] ?? (view.street ? capital(view.street) : "");
}

const ONE = ["pair", "straight", "flush", "full-house", "straight-flush", "royal-flush", "low", "badugi"];

/** The name of a hand: a full house, two pair. */
export const hand_words = (kind) => `${ONE.includes(kind) ? "a " : ""}${kind === "three" || kind === "four" ? `${kind} of a kind` : kind.replace("-", " ")}`;

const SUITS = { s: ["♠", "spades"], h: ["♥", "hearts"], d: ["♦", "diamonds"], c: ["♣", "clubs"] };

/** Cards as hand histories write them, as elements to look at and to be read out. */
export function cards(text) {
  const box = made("span", "cards");
  for (const card of text.match(/../g) ?? []) {
    const [sign, name] = SUITS[card[1]] ?? ["?", "unknown"];
    const one = made("span", `card ${name}`, `${card[0] === "T" ? "10" : card[0]}${sign}`);
    one.setAttribute("role", "img");
    one.setAttribute("aria-label", `${card[0] === "T" ? "10" : card[0]} of ${name}`);
    box.append(one);
  }
  return box;
}

/** Puts text into the element with this id, and hides it where there is none. */
export function put(id, text) {
  const element = document.getElementById(id);
  if (element.textContent !== text) element.textContent = text;
  element.hidden = text === "";
}

/** A new element with a class and text. */
export function made(name, kind, text = "") {
  const element = document.createElement(name);
  element.className = kind;
  element.textContent = text;
  return element;
}

/** Colours by the address, ?theme=bright; the usual ones where it names none. */
export function choose_theme() {
  const asked = new URLSearchParams(location.search).get("theme") ?? "";
  if (/^[a-z]+$/.test(asked)) document.documentElement.dataset.theme = asked;
}
