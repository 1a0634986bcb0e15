// Keyboard and touch: which key and which gesture does what.

const KEYS = {
  ArrowLeft: "back",
  ArrowRight: "on",
  ArrowUp: "part_back",
  ArrowDown: "part_on",
  "[": "round_back",
  "]": "round_on",
  Home: "first",
  End: "last",
  f: "fault",
  " ": "play",
};
const WRITES = "input:not([type=range]), select, textarea";
const PRESSES = "a, button, summary, select";
const SWIPE_PX = 40;

/** @param {(action: string) => void} act @param {(seat: number|null) => void} look */
export function listenToKeys(act, look, players) {
  const listen = (event) => {
    if (event.metaKey || event.ctrlKey || event.altKey || event.target.matches?.(WRITES)) return;
    if (event.key === " " && event.target.matches?.(PRESSES)) return;
    const action = KEYS[event.key.length > 1 ? event.key : event.key.toLowerCase()];
    if (action) {
      event.preventDefault();
      act(action);
    } else if (event.key.toLowerCase() === "a") look(null);
    else if (/^\d$/.test(event.key) && +event.key < players) look(+event.key);
  };
  document.addEventListener("keydown", listen);
  return () => document.removeEventListener("keydown", listen);
}

/** A finger that goes to the left goes on, as in a book. */
export function listenToSwipes(board, act) {
  let start = null;
  board.addEventListener("pointerdown", (event) => {
    start = event.pointerType === "mouse" ? null : event;
  });
  board.addEventListener("pointerup", (event) => {
    if (!start) return;
    const [dx, dy] = [event.clientX - start.clientX, event.clientY - start.clientY];
    if (Math.abs(dx) > SWIPE_PX && Math.abs(dx) > 2 * Math.abs(dy)) act(dx < 0 ? "on" : "back");
    start = null;
  });
}
