// The table of Stop It!: the sequence that runs, Stop It cards, the window after a card.

import { element } from "../elements.js";
import { signed } from "../texts.js";
import { face, namesOf, slot } from "./cards.js";

/** The points of the round so far are part of the total. */
export const ADDS_UP = true;
export const points = (count, words) => words("fives_points", { points: signed(count) });

export function mark(state, seat) {
  if (state.phase === "lead" && state.leader === seat) return "leads";
  return state.phase === "window" && state.leader === seat ? "played_last" : null;
}

export function emblem({ state, words }, seat) {
  if (!state.stop_it[seat]) return null;
  return element("span", { class: "emblem", role: "img", "aria-label": words("has_taken") }, stopCard());
}

const stopCard = () => element("span", { class: "card stop" });

/** How many cards are left, and how many lie in the own pile. */
export function facts({ state, words }, seat) {
  const pile = state.played.filter((play) => play.seat === seat).length;
  return [words("in_hand", { count: state.hand_sizes[seat] }), " · ", words("in_pile", { count: pile })];
}

export function middle(table) {
  return [element("div", { class: "sequence-row" }, stopPile(table), sequence(table)), windowOf(table)];
}

function stopPile({ state, words }) {
  const left = state.stop_it_left;
  return element(
    "div",
    { class: "stop-pile", role: "img", "aria-label": words("stop_it_left", { count: left }) },
    ...(left ? Array.from({ length: left }, stopCard) : [slot()]),
    element("em", {}, words("left", { count: left })),
  );
}

/** The cards since the last lead: one a player chose, and those that had to follow. */
export function sequenceOf(played) {
  const lead = played.findLastIndex((play) => !play.forced);
  return lead < 0 ? [] : played.slice(lead);
}

function sequence({ state, words }) {
  const plays = sequenceOf(state.played);
  const label = plays.length
    ? words("sequence", { cards: namesOf(plays.map((play) => play.card), words) })
    : words("no_sequence");
  const cards = plays.map((play, place) =>
    element(
      "div",
      { class: "in-sequence" },
      face(play.card, words, { look: place === plays.length - 1 ? "takes" : "" }),
      element("i", { class: "seatno" }, String(play.seat)),
    ),
  );
  return element("div", { class: "sequence", role: "img", "aria-label": label }, ...(cards.length ? cards : [slot()]));
}

/** Who was asked after the card before, and what they said as far as that is known. */
function windowOf(table) {
  const { state, words } = table;
  const { window } = state;
  if (!window) return element("div", { class: "window no-window" });
  const answers = state.stop_it.map((_, seat) => answer(table, seat));
  return element(
    "div",
    { class: "window" },
    element("p", {}, element("b", {}, words("window")), " ", words("at_once")),
    element("ol", {}, ...answers),
  );
}

function answer({ state, bots, words }, seat) {
  const { seats, moves, taker } = state.window;
  const move = moves[seats.indexOf(seat)];
  const said = seat === taker ? "drawn" : !seats.includes(seat) ? "has_taken" : (move ?? "unknown");
  return element(
    "li",
    { class: `said-${said}`, title: bots[seat].name },
    element("i", { class: "seatno" }, String(seat)),
    words(said),
  );
}
