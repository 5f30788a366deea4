// A console for a phone: what is asked now, its keys as buttons, a line to type, and what happened.

import { follow } from "/files/live.js";
import { amount, choose_theme, made, put } from "/files/words.js";

const at = (id) => document.getElementById(id);
let asks = "";

/** Says something to the server; what it refuses stands under the line. */
async function post(path, said) {
  put("said", "");
  try {
    const answer = await fetch(path, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify(said),
    });
    if (!answer.ok) put("said", (await answer.text()).trim());
    return answer.ok;
  } catch {
    put("said", "Not sent: there is no connection to the table.");
    return false;
  }
}

/** Asks for a remote for this browser; a sentence where there is none to have. */
async function begin() {
  const answer = await fetch("/remote/begin", { method: "POST" });
  return answer.ok ? "" : (await answer.text()).trim();
}

function show(news) {
  at("now").replaceChildren(...news.now.map((line) => made("p", "", line)));
  asking(news.asks);
  const keys = news.keys.map(({ line, words }) => {
    const key = made("button", "", words.charAt(0).toUpperCase() + words.slice(1));
    key.type = "button";
    key.onclick = () => post("/remote/line", { line });
    return key;
  });
  at("keys").replaceChildren(...keys);
  at("keys").hidden = news.asks.length > 0;
  at("lines").replaceChildren(...news.lines.slice(-12).reverse().map(({ text }) => made("li", "", text)));
  staff(news);
  at("seats").tBodies[0].replaceChildren(...news.seats.map(row));
  put("pot", news.pot === null ? "" : `In the pot: ${amount(news.pot)}`);
}

/** What the console asks before it sends something stands above the line, which is where it is answered. */
function asking(sentences) {
  const now = sentences.join(" ");
  at("asks").textContent = now || "An amount, or anything the console takes";
  at("typing").className = now ? "asked" : "";
  at("cancel").hidden = !now;
  at("line").inputMode = now ? "decimal" : "text";
  if (now && now !== asks) at("line").focus();
  asks = now;
}

function staff({ who, people }) {
  at("who").hidden = !who;
  at("who").textContent = who;
  const names = [...at("person").options].map((one) => one.value);
  if (names.join("\n") !== people.join("\n")) {
    at("person").replaceChildren(...people.map((name) => new Option(name, name)));
  }
  if (!who) at("staff").hidden = true;
}

function row(seat) {
  const line = made("tr", seat.acts ? "acts" : "");
  line.append(
    made("td", "", seat.name ? `${seat.seat} ${seat.name}` : String(seat.seat)),
    made("td", "", amount(seat.stack)),
    made("td", "", seat.bet ? amount(seat.bet) : ""),
    made("td", "", seat.status === "in" ? "" : seat.status),
  );
  return line;
}

at("typing").onsubmit = async (event) => {
  event.preventDefault();
  if (await post("/remote/line", { line: at("line").value })) at("line").value = "";
};
at("cancel").onclick = () => post("/remote/line", { line: "cancel" });
at("who").onclick = () => (at("staff").hidden = !at("staff").hidden);
at("leave").onclick = () => post("/remote/line", { line: "sign in" }); // without a name it signs out
at("staff").onsubmit = async (event) => {
  event.preventDefault();
  const said = { person: at("person").value, pin: at("pin").value };
  at("pin").value = "";
  if (await post("/remote/sign-in", said)) at("staff").hidden = true;
};

choose_theme();
follow("/remote/events", show, (sentence) => put("trouble", sentence), begin);
