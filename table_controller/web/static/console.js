// A console, or the floor: a terminal (xterm.js) on a line to a program that the server runs for this page.

import { enter } from "/files/live.js";
import { follow_fingers } from "/files/touch.js";
import { choose_theme, put } from "/files/words.js";
import { Terminal } from "/files/xterm.js";
import { FitAddon } from "/files/xterm-fit.js";

const MOST_TYPED = 1000; // the server takes no more at once
const WIDE = 132; // so many columns on a screen that is wide enough for it
const [COLUMNS, ROWS] = [80, 24]; // and at least so many on any other, as long as people can read it
const [LEAST_PX, USUAL_PX, MOST_PX] = [9, 15, 48];
const [LETTER_WIDTH, LINE_HEIGHT] = [0.61, 1.2]; // by the size of the letters
const NO_LINE = "The connection to the table's server is lost.";

const at = (id) => document.getElementById(id);
let line = null;
let step = 0; // how much larger or smaller than usual

const terminal = new Terminal({
  fontFamily: '"DejaVu Sans Mono", "Noto Sans Mono", Menlo, Consolas, "Roboto Mono", monospace',
  fontSize: letters(),
  theme: { background: "#0b1210" },
  scrollback: 0,
  linkHandler: { activate() {} }, // what is shown here opens nothing
});
const fit = new FitAddon();
terminal.loadAddon(fit);

/** The size of the letters in pixels, by that of the screen. */
function letters() {
  const { clientWidth: width, clientHeight: height } = at("terminal");
  const usual = Math.max(USUAL_PX, width / WIDE / LETTER_WIDTH);
  const fitting = Math.min(usual, width / COLUMNS / LETTER_WIDTH, height / ROWS / LINE_HEIGHT);
  return Math.min(MOST_PX, Math.max(LEAST_PX, Math.floor(fitting)) + step);
}

function say(message) {
  if (line?.readyState === WebSocket.OPEN) line.send(JSON.stringify(message));
}

function type(text) {
  put("said", "");
  if (text.length > MOST_TYPED) put("said", "That is too long to paste here.");
  else if (text) say(["typed", text]);
}

/** Has ended: says why, and waits for somebody to start it again. */
function ended(why) {
  line = null;
  at("why").textContent = why;
  at("ended").hidden = false;
  at("terminal").inert = true;
  at("again").focus();
}

/** Why there is no console to have now; empty where there is one. */
async function refusal() {
  try {
    const answer = await fetch(`${location.pathname}/ready`);
    return answer.ok ? "" : (await answer.text()).trim();
  } catch {
    return NO_LINE;
  }
}

async function begin() {
  at("ended").hidden = true;
  at("terminal").inert = false;
  const why = await refusal();
  if (why) return ended(why);
  terminal.reset();
  resize();
  const size = new URLSearchParams({ columns: terminal.cols, rows: terminal.rows });
  const mine = (line = new WebSocket(`${location.origin.replace(/^http/, "ws")}${location.pathname}/line?${size}`));
  mine.binaryType = "arraybuffer";
  mine.onopen = () => {
    say(["size", terminal.cols, terminal.rows]);
    say(["focus", true]);
    take_keys();
  };
  mine.onmessage = ({ data }) => terminal.write(new Uint8Array(data));
  mine.onclose = async ({ reason, code }) => {
    if (mine !== line) return;
    ended(reason || (code === 1012 ? "The table's server has ended." : (await refusal()) || NO_LINE));
  };
}

function resize() {
  terminal.options.fontSize = letters();
  fit.fit();
}

function larger(by) {
  step += by;
  resize();
  take_keys();
}

/** Keys go to the terminal; a touch screen opens its keyboard only when asked for it. */
function take_keys() {
  if (!matchMedia("(pointer: coarse)").matches) terminal.focus();
}

choose_theme();
terminal.open(at("terminal"));
terminal.onData(type);
follow_fingers(at("terminal"), terminal, type);
terminal.onResize(({ cols, rows }) => say(["size", cols, rows]));
terminal.textarea.addEventListener("focus", () => say(["focus", true]));
for (const key of document.querySelectorAll("[data-types]")) key.onclick = () => type(key.dataset.types);
at("keyboard").onclick = () => terminal.focus();
at("smaller").onclick = () => larger(-1);
at("larger").onclick = () => larger(1);
at("again").onclick = begin;
new ResizeObserver(resize).observe(at("terminal"));

try {
  const why = await enter();
  if (why) ended(why);
  else await begin();
} catch {
  ended(NO_LINE);
}
