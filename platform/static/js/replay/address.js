// Where one is in a match, in the address of the page: ?leg=2&move=57&seat=1. A fragment (#leg=2&move=57) says the
// same and goes first; without a seat all hands are open.

/** @typedef {{leg: number, move: number, seat: number|null}} Place */

/** @returns {Place} what the address says, as far as the match has it */
export function placeIn(location, { legs, players }) {
  const said = new URLSearchParams(location.search);
  for (const [key, value] of new URLSearchParams(location.hash.slice(1))) said.set(key, value);
  const number = (key, from, to) => {
    const text = said.get(key) ?? "";
    return /^\d{1,6}$/.test(text) && +text >= from && +text <= to ? +text : null;
  };
  return { leg: number("leg", 1, legs) ?? 1, move: number("move", 0, Infinity) ?? 0, seat: number("seat", 0, players - 1) };
}

/** @param {Place} place */
export function addressOf({ leg, move, seat }) {
  const said = new URLSearchParams({ leg, move });
  if (seat !== null) said.set("seat", seat);
  return `${location.pathname}?${said}`;
}

const QUIET_MS = 300;
let timer;

/** A step of its own in the browser's history. */
export function goTo(place) {
  clearTimeout(timer);
  history.pushState(null, "", addressOf(place));
}

/** No step of its own; browsers refuse too many of these, so only the last of several is written. */
export function moveTo(place) {
  clearTimeout(timer);
  timer = setTimeout(() => history.replaceState(null, "", addressOf(place)), QUIET_MS);
}
