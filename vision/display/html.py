"""The live page itself: one document without anything from elsewhere."""

from __future__ import annotations

from typing import Final

PAGE: Final = """<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<title>Betline: what the camera sees</title>
<style>
body { margin: 0; background: #14171a; color: #dde3e8; font: 15px/1.4 system-ui, sans-serif; }
img { display: block; width: 100%; max-width: 1280px; min-height: 6em; }
p { margin: .5em 1em; }
table { border-collapse: collapse; margin: 0 1em 1em; }
td, th { padding: .15em .9em .15em 0; text-align: left; }
.number { text-align: right; }
#stopped { color: #ffb454; font-weight: 600; }
</style>
<img id="picture" src="stream.mjpg" alt="The table as the camera sees it">
<p><span id="words">Waiting for the camera.</span> <span id="stopped"></span></p>
<p id="middle"></p>
<table>
<thead><tr><th>Seat</th><th>State</th><th>Why</th><th>mm2</th><th>Footprints</th><th>Motions</th><th>Cards</th><th></th></tr></thead>
<tbody id="seats"></tbody>
</table>
<script>
const at = name => document.getElementById(name);
const cell = (row, text, number) => {
  const made = row.insertCell();
  made.textContent = text;
  if (number) made.className = "number";
};
const why = (phase, reason) => reason ? `${phase}, ${reason}` : phase;
async function look() {
  try {
    const state = await (await fetch("state.json")).json();
    if (state.frame !== null) at("words").textContent = `Frame ${state.frame}. ${state.words}`;
    at("stopped").textContent = state.frozen ? `No betting events: ${state.frozen.replace("_", " ")}.` : "";
    at("seats").replaceChildren();
    for (const seat of state.seats) {
      const row = at("seats").insertRow();
      cell(row, seat.seat, true);
      cell(row, seat.phase);
      cell(row, seat.reason);
      for (const number of [seat.area_mm2, seat.footprints, seat.motions]) cell(row, number, true);
      cell(row, seat.cards);
      cell(row, seat.cards_phase === "rest" ? seat.cards_reason : why(seat.cards_phase, seat.cards_reason));
    }
    const middle = state.middle;
    at("middle").textContent = middle === null ? "" :
      `Middle of the felt: ${why(middle.phase, middle.reason)}.` +
      (middle.found ? ` Last found there: ${middle.found}.` : "");
  } catch (error) {
    at("stopped").textContent = "The camera's program has ended; this page begins again when it does.";
    at("picture").src = `stream.mjpg?${Date.now()}`;
  }
  setTimeout(look, 500);
}
look();
</script>
</html>
"""
