// Draws a table with all seats: `draw(board, state, bots, words)`.
//
// A state is the view of docs/protocol.md, section "Views", as a bot gets it, and this:
//
//   game      its name
//   hands     by seat: the cards, null where they are not known
//   dealt     by seat: the cards as they were dealt; those that are gone leave empty slots (optional)
//   points    by seat: what the round would bring if it ended now, null where it is not known (optional)
//   asked     the seats that decide now; nobody's at the end
//   moved     the seat whose move was the last thing that happened, or null
//   out       the seats whose bots have faulted: the house plays
//   finished  Sticheln: the trick just taken, {cards: [{seat, card}], taker}, until the next card; or null
//   window    Stop It!: the window just closed, {seats, moves, taker}; moves are null where not known; or null
//   full      Color Stock: the height at which a stack ends the round
//   worth     Color Stock: what a card of each colour kept in a hand is worth now (optional)
//   newest    Color Stock: the cards that lie on top since the last thing that happened (optional)
//
// A bot is {name, version, address, isOwn}; only the name is needed. The own perspective (`state.seat`) sits
// at the bottom, the others clockwise from its left.

import { element } from "../elements.js";
import { number } from "../texts.js";
import { back, face, namesOf, slot } from "./cards.js";
import * as colorStock from "./color_stock.js";
import { glide, placesOf } from "./motion.js";
import * as sticheln from "./sticheln.js";
import * as stopIt from "./stop_it.js";

const GAMES = { sticheln, "stop-it": stopIt, "color-stock": colorStock };

// How many sit on the left and across, by the number of seats; as many as on the left sit on the right.
const SIDES = { 2: [0, 1], 3: [1, 0], 4: [1, 1], 5: [1, 2], 6: [2, 1], 7: [2, 2], 8: [3, 1] };

/**
 * @param {HTMLElement} board what it draws into
 * @param {object} state
 * @param {{name: string, version?: number, address?: string, isOwn?: boolean}[]} bots by seat
 * @param {import("../texts.js").Words} words
 * @param {{onCard?: (card: string) => void, canPlay?: (card: string) => boolean}} [options] with `onCard` the
 *   cards of the own hand that `canPlay` (all, without it) can be chosen
 */
export function draw(board, state, bots, words, options = {}) {
  const table = { state, bots, words, options, game: GAMES[state.game] };
  const before = placesOf(board);
  const focused = board.contains(document.activeElement) ? document.activeElement.dataset.card : null;
  const middle = element("div", { class: "middle" }, ...table.game.middle(table));
  const cloth = { class: "cloth", "data-game": state.game, "data-players": bots.length };
  board.classList.add("board");
  board.replaceChildren(element("div", cloth, ...sides(table), middle));
  if (focused) board.querySelector(`button[data-card="${focused}"]`)?.focus();
  glide(board, before);
}

function sides(table) {
  const players = table.bots.length;
  const [left, across] = SIDES[players];
  const seats = Array.from({ length: players }, (_, place) => (table.state.seat + place) % players);
  const side = (name, from, to) =>
    element("div", { class: `side ${name}` }, ...seats.slice(from, to).map((each) => seat(table, each)));
  return [
    side("own", 0, 1),
    side("left", 1, 1 + left),
    side("across", 1 + left, 1 + left + across),
    side("right", 1 + left + across),
  ];
}

// -- A seat ---------------------------------------------------------------------------------------

function seat(table, each) {
  const { state, bots, words } = table;
  const looks = ["seat", each === state.moved && "moved", state.asked.includes(each) && "asked"];
  const about = {
    class: looks.filter(Boolean).join(" "),
    "data-seat": each,
    "aria-label": words("seat_of", { seat: each, name: bots[each].name }),
  };
  return element("section", about, plate(table, each), hand(table, each));
}

function plate(table, each) {
  const { state, words, game } = table;
  const points = state.points?.[each] ?? null;
  const total = element("b", { "data-total": true }, number(state.totals[each] + (game.ADDS_UP ? points : 0)));
  const round = points !== null && element("span", {}, game.points(points, words));
  return element(
    "div",
    { class: "plate" },
    game.emblem(table, each),
    element(
      "div",
      { class: "who" },
      title(table, each),
      element("p", { class: "score" }, total, round, tag(table, each)),
      element("p", { class: "facts-of-seat" }, ...game.facts(table, each)),
    ),
  );
}

function title({ bots }, each) {
  const { name, version, address, isOwn } = bots[each];
  return element(
    "p",
    { class: "title" },
    element("i", { class: "seatno" }, String(each)),
    element(address ? "a" : "b", { class: isOwn ? "bot own" : "bot", href: address, title: name }, name),
    version ? element("span", { class: "v" }, `v${version}`) : null,
  );
}

/** It stands beside the score, where it moves nothing when it comes and goes. */
function tag({ state, words, game }, each) {
  if (state.out.includes(each)) return element("span", { class: "tag bad" }, words("house_plays"));
  const mark = game.mark(state, each);
  return mark && element("span", { class: "tag line" }, words(mark));
}

// -- A hand ---------------------------------------------------------------------------------------

function hand(table, each) {
  const { state, options } = table;
  const cards = state.hands[each];
  const isPlayed = options.onCard && each === state.seat;
  const label = handLabel(table, each);
  const made = element("div", { class: "hand", role: isPlayed ? "group" : "img", "aria-label": label });
  return filled(made, cards ? places(table, each, isPlayed) : Array.from({ length: state.hand_sizes[each] }, back));
}

/** Cards overlap when there is no room for all of them: css/table.css counts with --n, and with --held without slots. */
function filled(hand, cards) {
  hand.style.setProperty("--n", cards.length);
  hand.style.setProperty("--held", cards.filter((card) => !card.classList.contains("slot")).length);
  hand.append(...cards);
  return hand;
}

function places(table, each, isPlayed) {
  const { state, words, options, game } = table;
  const cards = state.hands[each];
  const play = (card) => (isPlayed && (options.canPlay?.(card) ?? true) ? options.onCard : null);
  const shown = (card) => face(card, words, { play: play(card) });
  const held = withSlots(state.dealt?.[each] ?? cards, cards, shown);
  return game.arrange ? game.arrange(held, table, each) : held.map(({ node }) => node);
}

function handLabel({ state, bots, words }, each) {
  const { name } = bots[each];
  const cards = state.hands[each];
  if (!cards) return words("hand_unseen", { name, count: state.hand_sizes[each] });
  return cards.length ? words("hand_of", { name, cards: namesOf(cards, words) }) : words("hand_empty", { name });
}

/** The cards in the places in which they were dealt, [{card, node, isGone}]; equal ones go from the right. */
function withSlots(dealt, cards, shown) {
  const left = new Map();
  for (const card of cards) left.set(card, (left.get(card) ?? 0) + 1);
  return dealt.map((card) => {
    const count = left.get(card) ?? 0;
    left.set(card, count - 1);
    return { card, isGone: count < 1, node: count < 1 ? slot() : shown(card) };
  });
}
