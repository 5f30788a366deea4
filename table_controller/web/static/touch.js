// Fingers on a terminal: a tap is a click there, a swipe turns the wheel. Bytes are those of a mouse in a terminal (SGR, 1006).

const [PRESS, RELEASE] = ["M", "m"];
const [LEFT, UP, DOWN] = [0, 64, 65]; // the button, and the wheel

/** Tells `type` what fingers do in `box`, in which the terminal stands; they open no keyboard. */
export function follow_fingers(box, terminal, type) {
  let last = null; // where the finger was, in cells
  let swipes = false;

  const place = ({ clientX, clientY }) => {
    const { left, top, width, height } = box.querySelector(".xterm-screen").getBoundingClientRect();
    const cell = (at, size, count) => Math.min(count, Math.max(1, Math.floor((at / size) * count) + 1));
    return [cell(clientX - left, width, terminal.cols), cell(clientY - top, height, terminal.rows)];
  };
  const mouse = (button, [column, row], how) => `\x1b[<${button};${column};${row}${how}`;
  const on = (name, follow) =>
    box.addEventListener(
      name,
      (event) => {
        event.stopPropagation();
        event.preventDefault(); // else a browser adds a click of its own, and scrolls
        follow(event);
      },
      { capture: true, passive: false },
    );

  on("touchstart", ({ touches }) => {
    last = touches.length === 1 ? place(touches[0]) : null;
    swipes = false;
  });
  on("touchmove", ({ touches }) => {
    if (!last) return;
    const now = place(touches[0]);
    const rows = now[1] - last[1];
    if (!rows) return;
    swipes = true;
    last = now;
    type(mouse(rows > 0 ? UP : DOWN, now, PRESS).repeat(Math.abs(rows)));
  });
  on("touchend", () => {
    if (last && !swipes) type(mouse(LEFT, last, PRESS) + mouse(LEFT, last, RELEASE));
    last = null;
  });
  on("touchcancel", () => {
    last = null;
  });
}
