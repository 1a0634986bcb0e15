// Lets cards glide from where they lay to where they lie now, unless one prefers that nothing moves.

const calm = matchMedia("(prefers-reduced-motion: reduce)");
const MOVE_MS = 200;

/** Where each card lies; equal cards lie in the same pile and are left out. */
export function placesOf(board) {
  const places = new Map();
  if (calm.matches) return places;
  for (const card of board.querySelectorAll(".card[data-card]:not(.solid)")) {
    places.set(card.dataset.card, card.getBoundingClientRect());
  }
  return places;
}

export function glide(board, before) {
  if (!before.size) return;
  for (const card of board.querySelectorAll(".middle .card[data-card]")) {
    const from = before.get(card.dataset.card);
    const to = card.getBoundingClientRect();
    if (!from || !to.width || (from.x === to.x && from.y === to.y)) continue;
    const start = `translate(${from.x - to.x}px, ${from.y - to.y}px) scale(${from.width / to.width})`;
    const frames = [{ transform: start, transformOrigin: "0 0" }, { transform: "none", transformOrigin: "0 0" }];
    card.animate(frames, { duration: MOVE_MS, easing: "cubic-bezier(.2, .7, .2, 1)" });
  }
}
