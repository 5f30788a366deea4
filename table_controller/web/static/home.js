// All pages, by name and at once: each in a frame of its usual size, made smaller.

import { choose_theme, made } from "/files/words.js";

const FACES = [
  ["board", "Board", 1920, 1080],
  ["seat", "Seat", 390, 1100],
  ["overlay", "Overlay", 1920, 1080],
];
const REMOTE = ["remote", "Remote", 430, 1100];

function face(kind, name, address, width, height) {
  const figure = document.createElement("figure");
  figure.id = `face-${kind}`;
  const frame = made("div", "frame");
  const page = document.createElement("iframe");
  page.src = address;
  page.title = name;
  page.width = width;
  page.height = height;
  frame.append(page);
  figure.append(made("figcaption", "", name), frame);
  new ResizeObserver(() => {
    const scale = frame.clientWidth / width;
    page.style.transform = `scale(${scale})`;
    frame.style.height = `${height * scale}px`;
  }).observe(frame);
  return figure;
}

async function begin() {
  choose_theme();
  const { seats, remote, floor, console: has_console } = await (await fetch("/table")).json();
  document.getElementById("remote").hidden = !remote;
  document.getElementById("floor").hidden = !floor;
  document.getElementById("console").hidden = !has_console;
  const links = seats.map((seat) => {
    const link = made("a", "", String(seat));
    link.href = `/seat/${seat}`;
    return link;
  });
  document.getElementById("seats").replaceChildren(...links.flatMap((link) => [link, " "]));
  if (!matchMedia("(min-width: 40rem)").matches) return;
  const wanted = Number(new URLSearchParams(location.search).get("seat")) || seats[0];
  document.getElementById("faces").replaceChildren(
    ...[...FACES, ...(remote ? [REMOTE] : [])].map(([kind, name, width, height]) => {
      const seat = kind === "seat";
      return face(kind, seat ? `Seat ${wanted}` : name, seat ? `/seat/${wanted}` : `/${kind}`, width, height);
    }),
  );
}

begin();
