"""The question page: one clip at a time, done with keys alone."""

from __future__ import annotations

from typing import Final

PAGE: Final = """<!doctype html>
<html lang="en"><head><meta charset="utf-8"><title>What happened here?</title>
<style>
body { margin: 0; font: 16px/1.4 system-ui, sans-serif; background: #16181c; color: #e8e8e8; }
main { display: grid; grid-template-columns: minmax(0, 1fr) 22rem; gap: 1rem; padding: 1rem; }
h1 { font-size: 1.3rem; margin: 0 0 .5rem; }
#stage { position: relative; } #stage img { width: 100%; display: block; }
#stage b { position: absolute; transform: translate(-50%, -50%); background: #000a;
  padding: 0 .4em; border-radius: 1em; }
#bar { position: relative; height: 1.6rem; background: #2a2e35; margin-top: .4rem; }
#bar i { position: absolute; top: 0; bottom: 0; width: 3px; background: #f6c945; }
#bar u { position: absolute; top: 0; bottom: 0; width: 2px; background: #7db7ff; }
kbd { background: #333a44; border-radius: .25em; padding: 0 .4em; font: inherit; }
li { list-style: none; margin: .15rem 0; } ul { padding: 0; margin: .3rem 0 1rem; }
#said { color: #ffb4a8; min-height: 1.4em; } small { color: #9aa3ad; }
.wait { outline: 2px solid #f6c945; }
</style></head><body><main>
<section><h1>What happened here? <small id="where"></small></h1>
<div id="stage"><img id="picture" alt="the clip"></div><div id="bar"></div><p id="said" role="status"></p>
<p><kbd>Space</kbd> play <kbd>&larr;</kbd> <kbd>&rarr;</kbd> one picture <kbd>&uarr;</kbd> <kbd>&darr;</kbd> ten
<kbd>Home</kbd> first &nbsp; <kbd>PgUp</kbd> <kbd>PgDn</kbd> clip before, after &nbsp;
<kbd>Q</kbd> stop for today</p></section>
<aside><b>Mark each act at its picture:</b><ul id="choices"></ul>
<b>then</b><ul>
<li><kbd>Enter</kbd> that was all: next clip</li><li><kbd>N</kbd> nothing happened: next clip</li>
<li><kbd>X</kbd> cannot tell: next clip</li><li><kbd>U</kbd> take the last mark back</li></ul>
<b>Marked</b><ul id="marks"></ul><b>Readers and dealer's keys</b><ul id="account"></ul></aside>
</main><script>
"use strict";
let film, clip, at = 0, now = 0, marks = [], what = null, playing = null, busy = false, cache = [];
const el = (name) => document.getElementById(name);
const say = (text) => { el("said").textContent = text; };
const get = async (path) => (await fetch(path)).json();
async function post(path, body) {
  const answer = await fetch(path, { method: "POST", body: JSON.stringify(body) });
  const said = (await answer.json()).sentence;
  if (said) say(said);
  return answer.ok;
}
function list(name, lines) {
  el(name).replaceChildren(...lines.map((line) => {
    const item = document.createElement("li"); item.append(...[].concat(line)); return item; }));
}
function key(text) { const k = document.createElement("kbd"); k.textContent = text; return k; }
function show() {
  el("picture").src = cache[now].src;
  const first = clip.from_ms, length = clip.to_ms - first;
  const line = (tag, t) => {
    const e = document.createElement(tag);
    e.style.left = (100 * (t - first) / length) + "%";
    return e;
  };
  el("bar").replaceChildren(...marks.map((m) => line("u", m.t_ms)), line("i", clip.frames[now]));
  list("marks", marks.map((m) => `${((m.t_ms - first) / 1000).toFixed(2)} s  seat ${m.seat}: ` +
    film.choices.find((c) => c.what === m.what).words));
  const done = film.answered.filter((one) => one).length;
  el("where").textContent = `clip ${at + 1} of ${film.clips}, ${done} answered, ` +
    `${((clip.frames[now] - first) / 1000).toFixed(2)} s`;
  el("choices").classList.toggle("wait", what !== null);
}
function step(by) { now = Math.max(0, Math.min(clip.frames.length - 1, now + by)); show(); }
function stop() { clearTimeout(playing); playing = null; }
function play() {
  if (now + 1 >= clip.frames.length) { stop(); return; }
  const wait = clip.frames[now + 1] - clip.frames[now];
  playing = setTimeout(() => { step(1); play(); }, wait);
}
async function open(number) {
  stop(); busy = true; at = number; clip = await get(`clip/${at}`); now = 0; what = null;
  marks = clip.given ? clip.given.marks : [];
  cache = clip.frames.map((_, n) => { const i = new Image(); i.src = `picture/${at}/${n}`; return i; });
  list("account", clip.account.map((one) => `${((one.t_ms - clip.from_ms) / 1000).toFixed(1)} s  ${one.words}`));
  say(clip.given ? `Answered before: ${clip.given.answer}.` : "");
  busy = false;
  if (clip.frames.length) { show(); play(); } else { say("No picture was kept here: press X."); }
}
function next() {
  const after = film.answered.indexOf(false, at + 1);
  const to = after < 0 ? film.answered.indexOf(false) : after;
  if (to < 0) { say("All clips are answered. Press Q, then: betline film score."); show(); return; }
  return open(to);
}
async function answer(given) {
  busy = true;
  const ok = await post(`clip/${at}`, { answer: given, marks: given === "acts" ? marks : [] });
  busy = false;
  if (ok) { film.answered[at] = true; await next(); }
}
function mark(seat) {
  if (!film.seats.includes(seat)) { say(`The table has no seat ${seat}.`); what = null; show(); return; }
  marks.push({ t_ms: clip.frames[now], seat, what });
  marks.sort((a, b) => a.t_ms - b.t_ms); what = null; say(""); show();
}
document.addEventListener("keydown", async (event) => {
  if (event.ctrlKey || event.metaKey || event.altKey || busy || !clip) return;
  const pressed = event.key.length === 1 ? event.key.toLowerCase() : event.key;
  const choice = film.choices.find((c) => c.key === pressed);
  const used = () => event.preventDefault();
  if (what !== null && /^[0-9]$/.test(pressed)) { used(); mark(pressed === "0" ? 10 : Number(pressed)); }
  else if (choice && clip.frames.length) {
    used(); stop(); what = choice.what; show();
    say(`${choice.words}: at ${choice.mark}. Which seat? 1 to 9, 0 is seat 10.`);
  }
  else if (pressed === " " && playing) { used(); stop(); }
  else if (pressed === " ") { used(); if (now + 1 >= clip.frames.length) now = 0; play(); }
  else if (pressed === "ArrowRight") { used(); stop(); step(1); }
  else if (pressed === "ArrowLeft") { used(); stop(); step(-1); }
  else if (pressed === "ArrowDown") { used(); stop(); step(10); }
  else if (pressed === "ArrowUp") { used(); stop(); step(-10); }
  else if (pressed === "Home") { used(); stop(); step(-clip.frames.length); }
  else if (pressed === "PageDown" && at + 1 < film.clips) { used(); await open(at + 1); }
  else if (pressed === "PageUp" && at > 0) { used(); await open(at - 1); }
  else if (pressed === "Escape") { what = null; say(""); show(); }
  else if (pressed === "u") { used(); marks.pop(); what = null; show(); }
  else if (pressed === "n" && marks.length) { say("Press U to take the marks back, or Enter to keep them."); }
  else if (pressed === "n") { used(); await answer("nothing"); }
  else if (pressed === "x") { used(); await answer("unsure"); }
  else if (pressed === "Enter" && !marks.length) { say("Nothing is marked: press N if nothing happened."); }
  else if (pressed === "Enter") { used(); await answer("acts"); }
  else if (pressed === "q") { await post("end", {}); stop(); clip = null; say("Stopped. You may close this page."); }
});
(async () => {
  film = await get("film.json");
  list("choices", film.choices.map((c) => [key(c.key.toUpperCase()), ` ${c.words}`]));
  for (const [seat, [x, y]] of Object.entries(film.places)) {
    const b = document.createElement("b"); b.textContent = seat;
    b.style.left = (100 * x / film.size[0]) + "%"; b.style.top = (100 * y / film.size[1]) + "%"; el("stage").append(b);
  }
  const first = film.answered.indexOf(false);
  await open(first < 0 ? 0 : first);
  if (first < 0) say("All clips are answered. Press Q, then: betline film score.");
})();
</script></body></html>
"""
