// What every page shares: the code of a link, the newest of a channel, and in words what is missing.

const SILENT_MS = 10000; // two beats and a little: then nobody knows whether what is shown still holds
const LOOK_MS = 500;
const AGAIN_MS = 5000;

let ahead_ms = 0; // the server's time of day, less this browser's

/** The time of day at the server, by which clocks are read. */
export const now_ms = () => Date.now() + ahead_ms;

/** Exchanges the code behind the # of a link for a cookie, and takes it out of the address. */
export async function enter() {
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

/** Exchanges the code of the link, then follows a channel, or the address of one: `show` gets what it shows, `trouble` a
 *  sentence, empty where all is well. `before` is asked for first, and again where the server has forgotten us; it gives
 *  a sentence where it was refused. */
export async function follow(channel, show, trouble, before = async () => "") {
  const address = channel.startsWith("/") ? channel : `/events/${channel}`;
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
    source = new EventSource(address);
    source.onmessage = (event) => {
      heard();
      last = JSON.parse(event.data);
      said = last.trouble;
      show(last);
      document.documentElement.dataset.version = last.view?.version ?? "";
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
        const answer = await fetch(address, { method: "HEAD" });
        refused = answer.ok ? "" : answer.status === 410 ? await before() : REFUSALS[answer.status] || "";
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
    refused = (await enter()) || (await before());
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
