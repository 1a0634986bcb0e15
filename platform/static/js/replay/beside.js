// What stands beside a move: who made it, what the clock says, and what is private of the reader's own bots.

import { element } from "../elements.js";
import { short } from "../table/cards.js";
import { number } from "../texts.js";

/** @param {import("../texts.js").Words} words */
export function beside(leg, at, bots, secrets, words) {
  const scene = leg.scenes[at];
  const asked = (scene.seats ?? []).map((seat, place) => answer(leg, scene, place, bots[seat], words));
  return [
    ...(asked.length ? [clocks(asked, words)] : [element("p", { class: "faint" }, words("no_decision"))]),
    ...faultsOf(leg, at, bots, secrets, words),
    ...notes(scene, bots, secrets, words),
  ];
}

function answer(leg, scene, place, bot, words) {
  const [seat, move] = [scene.seats[place], scene.moves[place]];
  const [cpu, wall] = [scene.cpu_ms[place], scene.wall_ms[place]];
  const isHidden = leg.seat !== null && leg.seat !== seat;
  const isHouse = !isHidden && wall === null;
  return element(
    "tr",
    {},
    element("th", { scope: "row" }, element("i", { class: "seatno" }, String(seat)), element("span", { class: "clip", title: bot.name }, bot.name)),
    element("td", {}, ...(move === null ? [words("hidden")] : moveOf(move, words))),
    isHouse
      ? element("td", { colspan: 2, class: "r faint" }, words("house_move"))
      : [milliseconds(cpu, words), milliseconds(wall, words)],
  );
}

function moveOf(move, words) {
  if (move === "claim" || move === "pass") return [words(move)];
  return move.split("+").map((card) => short(card, words));
}

const milliseconds = (ms, words) => element("td", { class: "r" }, ms === null ? "–" : words("ms", { ms: number(+ms.toFixed(ms < 10 ? 2 : 1)) }));

function clocks(rows, words) {
  const heads = ["asked_head", "move_head"].map((key) => element("th", { scope: "col" }, words(key)));
  const times = ["cpu_head", "wall_head"].map((key) => element("th", { scope: "col", class: "r" }, words(key)));
  return element(
    "table",
    { class: "clocks" },
    element("thead", {}, element("tr", {}, ...heads, ...times)),
    element("tbody", {}, ...rows),
  );
}

// -- Faults and notes -----------------------------------------------------------------------------

function faultsOf(leg, at, bots, secrets, words) {
  return leg.landmarks.faults
    .filter((fault) => fault.at === at)
    .map(({ seat, kind }) => {
      const own = secrets?.faults.find((fault) => fault.seat === seat);
      return element(
        "div",
        { class: "note bad" },
        element("p", {}, element("b", {}, `${bots[seat].name}: ${kind}`)),
        own && element("p", { class: "breaks" }, own.why),
        own?.came && element("pre", { class: "code wraps", tabindex: 0 }, own.came),
      );
    });
}

function notes(scene, bots, secrets, words) {
  const here = (secrets?.notes ?? []).filter(({ decision }) => decision === scene.decision);
  return here.map(({ seat, note }) =>
    element(
      "div",
      { class: "own-note" },
      element("p", { class: "small faint" }, words("note_of", { name: bots[seat].name })),
      element("p", { class: "mono breaks" }, note),
    ),
  );
}

/** All that the own bots of a leg wrote to their standard error. */
export function debugOf(bots, secrets, words) {
  return Object.entries(secrets?.debug ?? {}).map(([seat, text]) =>
    element(
      "details",
      {},
      element("summary", {}, words("debug_of", { name: bots[seat].name, seat })),
      text ? element("pre", { class: "code wraps log", tabindex: 0 }, text) : element("p", { class: "empty" }, words("no_debug")),
    ),
  );
}
