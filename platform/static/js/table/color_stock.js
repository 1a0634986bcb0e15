// The table of Color Stock: the stacks, the cards turned up, the pile; hands by colour.

import { element } from "../elements.js";
import { back, colour, face, short } from "./cards.js";

/** What a hand is worth changes until the round ends: no part of the total. */
export const ADDS_UP = false;
export const points = (count, words) => words("worth", { points: count });

export function mark(state, seat) {
  return state.starter === seat ? "began" : null;
}

export const emblem = () => null;

export function facts({ state, words }, seat) {
  return [words("in_hand", { count: state.hand_sizes[seat] })];
}

/** Equal cards overlap; under each group stands how many there are, and what each is worth. */
export function arrange(held, { state }) {
  const colours = [...new Set(held.map(({ card }) => card))];
  return colours.map((each) => {
    const group = held.filter(({ card }) => card === each);
    const count = group.filter(({ isGone }) => !isGone).length;
    const worth = count && state.worth ? `${count} × ${state.worth[each]}` : String(count);
    return element(
      "span",
      { class: "group" },
      element("span", { class: "equal" }, ...group.map(({ node }) => node)),
      element("em", {}, worth),
    );
  });
}

export function middle(table) {
  const { state } = table;
  const stacks = Object.entries(state.stacks).map(([each, height]) => stack(table, each, height));
  const pile = state.pile || state.turned_up.length ? pileOf(table) : null;
  return [element("div", { class: "stacks" }, ...stacks, pile)];
}

function stack({ state, words }, each, height) {
  const { full } = state;
  const cards = Array.from({ length: height }, () => face(each, words));
  const last = state.newest?.filter((card) => card === each).length ?? 0;
  cards.slice(height - last).forEach((card) => card.classList.add("newest"));
  const looks = ["stack-of", height >= full ? "over" : height === full - 1 ? "nearly" : ""];
  const label = words("stack", { colour: words(colour(each)), count: height, full });
  return element(
    "div",
    { class: looks.join(" ").trim(), "data-suit": each, "data-height": height, role: "img", "aria-label": label },
    element("span", { class: "heap" }, ...cards),
    element("p", {}, element("b", {}, String(height)), ` / ${full}`),
  );
}

function pileOf({ state, words }) {
  const last = state.turned_up.at(-1) ?? [];
  return element(
    "div",
    { class: "pile" },
    element("span", { class: "heap" }, state.pile ? back() : null),
    element("p", {}, words("pile", { count: state.pile })),
    last.length ? element("p", {}, words("turned_up"), " ", ...last.map((card) => short(card, words))) : null,
  );
}
