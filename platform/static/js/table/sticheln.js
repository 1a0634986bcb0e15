// The table of Sticheln: pain cards, the trick with its order of play, taken cards, cards not dealt.

import { element } from "../elements.js";
import { signed } from "../texts.js";
import { colour, face, nameOf, short, slot } from "./cards.js";

/** The points of the round so far are part of the total. */
export const ADDS_UP = true;
export const points = (count, words) => words("round_points", { points: signed(count) });

export function mark(state, seat) {
  return state.phase === "play" && state.leader === seat ? "leads" : null;
}

/** The pain card, or the place for it. */
export function emblem({ state, bots, words }, seat) {
  const card = state.pain[seat];
  const { name } = bots[seat];
  const label = card ? words("pain_of", { name, card: nameOf(card, words) }) : words("no_pain_of", { name });
  return element(
    "span",
    { class: "emblem", role: "img", "aria-label": label },
    card ? face(card, words) : slot(),
    element("em", {}, words("pain")),
  );
}

/** How many cards are taken, and which of them hurt. */
export function facts({ state, words }, seat) {
  const taken = state.taken[seat];
  const painful = taken.filter((card) => colour(card) === colour(state.pain[seat] ?? ""));
  if (!taken.length) return [words("nothing_taken")];
  return [words("taken", { count: taken.length }), ...painful.map((card) => short(card, words))];
}

/** The pain card leaves no slot: it lies beside the name. */
export function arrange(held, { state }, seat) {
  return held.filter(({ card }) => card !== state.pain[seat]).map(({ node }) => node);
}

export function middle(table) {
  const { state } = table;
  const played = state.trick.length ? state.trick : (state.finished?.cards ?? []);
  return [trick(table, played), state.undealt.length ? undealt(table) : null];
}

function trick(table, played) {
  const { state, bots, words } = table;
  const order = new Map(played.map(({ seat }, place) => [seat, place]));
  const cards = played.map(({ seat, card }) => `${bots[seat].name} ${nameOf(card, words)}`).join(", ");
  const label = played.length ? words("trick", { cards }) : words("no_trick");
  const places = bots.map((_, seat) => {
    const place = order.get(seat);
    return trickPlace(table, seat, place, place === undefined ? null : played[place].card);
  });
  return element("div", { class: "trick", role: "img", "aria-label": label }, ...places);
}

/** Around an oval, each before its seat. */
function trickPlace({ state, bots, words }, seat, place, card) {
  const taker = state.trick.length ? undefined : state.finished?.taker;
  const look = taker === undefined ? "" : taker === seat ? "takes" : "lost";
  const order = card && element("em", {}, place ? String(place + 1) : words("lead"));
  const box = element("div", { class: "place" }, card ? face(card, words, { look }) : slot(), order);
  const angle = (2 * Math.PI * ((seat - state.seat + bots.length) % bots.length)) / bots.length;
  box.style.setProperty("--x", (-Math.sin(angle)).toFixed(4));
  box.style.setProperty("--y", Math.cos(angle).toFixed(4));
  return box;
}

function undealt({ state, words }) {
  const cards = state.undealt.map((card) => short(card, words));
  return element("p", { class: "undealt" }, words("undealt"), " ", ...cards);
}
