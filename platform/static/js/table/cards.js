// Cards as they lie on a table and as they stand in a text: css/cards.css draws them.

import { element } from "../elements.js";

export const colour = (card) => card.split("-")[0];
export const value = (card) => card.split("-")[1] ?? "";

/** "blue 9", in the words of the page. */
export function nameOf(card, words) {
  return [words(colour(card)), value(card)].join(" ").trim();
}

export const namesOf = (cards, words) => cards.map((card) => nameOf(card, words)).join(", ");

/** A card face up; with `play` it can be chosen. */
export function face(card, words, { look = "", play = null } = {}) {
  const about = {
    class: `card ${value(card) ? "" : "solid"} ${look}`,
    "data-suit": colour(card),
    "data-card": card,
    title: nameOf(card, words),
  };
  const number = value(card) && element("b", {}, value(card));
  if (!play) return element("span", about, number);
  const chosen = { type: "button", "aria-label": nameOf(card, words), click: () => play(card) };
  return element("button", { ...about, ...chosen }, number);
}

export const back = () => element("span", { class: "card back" });

/** Where a card was. */
export const slot = () => element("span", { class: "card slot" });

/** A card in a table, as short as can be: its pip and its value. */
export function short(card, words) {
  const name = nameOf(card, words);
  const about = { class: "cx short", "data-suit": colour(card), role: "img", "aria-label": name, title: name };
  return element("span", about, value(card));
}
