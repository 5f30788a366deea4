// What every page shares: the code of a link, the newest of a channel, and in words what is missing.

const SILENT_MS = 10000; // two beats and a little: then nobody knows whether what is shown still holds
const LOOK_MS = 500;
const AGAIN_MS = 5000;

let ahead_ms = 0; // the server's time of day, less this browser's

/** The time of day at the table, by which clocks are read. */
export const now_ms = () => Date.now() + ahead_ms;

/** Exchanges the code behind the # of a link for a cookie, and takes it out of the address. */
async function enter() {
  const token = decodeURIComponent(location.hash.slice(1));
  if (!token.includes(".")) return "";
  history.replaceState(null, "", location.pathname + location.search);
  const answer = await fetch("/enter", {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ token }),
  });
  return answer.ok ? "" : (await answer.text()).trim();
}

/** Follows a channel: `show` gets what it shows, `trouble` a sentence, empty where all is well. */
export async function follow(channel, show, trouble) {
  let source = null;
  let heard_ms = performance.now();
  let said = ""; // by the server: what is missing behind it
  let refused = ""; // why it does not let us in
  let last = null;

  const tell = () => {
    const silent_s = Math.floor((performance.now() - heard_ms) / 1000);
    trouble(refused || (silent_s * 1000 >= SILENT_MS ? `No word from the table for ${silent_s} s.` : said));
  };
  const heard = () => {
    heard_ms = performance.now();
    refused = "";
  };
  const open = () => {
    source?.close();
    source = new EventSource(`/events/${channel}`);
    source.onmessage = (event) => {
      heard();
      last = JSON.parse(event.data);
      said = last.trouble;
      show(last);
      tell();
    };
    source.addEventListener("beat", (event) => {
      heard();
      ahead_ms = Number(event.data) - Date.now();
      tell();
    });
    source.onerror = async () => {
      if (source.readyState !== EventSource.CLOSED) return; // it comes again by itself
      setTimeout(open, AGAIN_MS);
      try {
        const answer = await fetch(`/events/${channel}`, { method: "HEAD" });
        refused = answer.ok ? "" : REFUSALS[answer.status] || "";
      } catch {
        refused = "";
      }
      tell();
    };
  };
  const wake = () => {
    if (document.visibilityState === "visible" && performance.now() - heard_ms > SILENT_MS / 2) open();
  };

  try {
    refused = await enter();
  } catch {
    refused = "";
  }
  open();
  document.addEventListener("visibilitychange", wake);
  window.addEventListener("online", open);
  window.addEventListener("pageshow", wake);
  setInterval(tell, LOOK_MS);
}

const REFUSALS = {
  401: "This page needs its code: scan the QR code or open the link again.",
  404: "This table has no such seat.",
  503: "Too many pages are open: close some.",
};

/** An amount as it is written on a tournament clock: 12,500. */
export const amount = (chips) => String(chips).replace(/\B(?=(\d{3})+$)/g, ",");

/** Minutes and seconds, or hours before them. */
export function clock(left_ms) {
  const all_s = Math.max(0, Math.ceil(left_ms / 1000));
  const [h, m, s] = [Math.floor(all_s / 3600), Math.floor(all_s / 60) % 60, all_s % 60];
  const two = (number) => String(number).padStart(2, "0");
  return h ? `${h}:${two(m)}:${two(s)}` : `${m}:${two(s)}`;
}

/** What is left of a level or break. */
export const left_of = (level) => (level.ends_ms === null ? level.left_ms ?? 0 : level.ends_ms - now_ms());

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

/** Who sits there: the seat's number and the name, where it has one. */
export const seat_name = (view, number) => {
  const name = view.seats.find((seat) => seat.seat === number)?.name;
  return name ? `Seat ${number} · ${name}` : `Seat ${number}`;
};

/** Black or white, by the address (?theme=bright) or what was chosen last. */
export function theme() {
  const asked = new URLSearchParams(location.search).get("theme");
  if (asked === "bright" || asked === "dark") document.documentElement.dataset.theme = asked;
}
