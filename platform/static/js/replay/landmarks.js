// Where in a leg rounds and their parts (tricks, sequences, turns) begin, where faults are, and how places are called.

/** By game: whether a scene begins a part of its round. */
const BEGINS = {
  sticheln: (scene, state, before) => has(scene, "pain") || (has(scene, "played") && !before.trick.length),
  "stop-it": (scene) => scene.events.some(({ event, forced }) => event === "played" && !forced),
  "color-stock": (scene) => has(scene, "put"),
};

const has = (scene, kind) => scene.events.some(({ event }) => event === kind);

/**
 * @returns {{rounds: number[], parts: number[], faults: {at: number, seat: number, kind: string}[]}} where (by scene)
 *   rounds and parts begin, the scored ends of rounds among them
 */
export function landmarksOf(leg, states) {
  const places = leg.scenes.map((_, at) => at);
  const begins = BEGINS[leg.game];
  return {
    rounds: places.filter((at) => has(leg.scenes[at], "round")),
    parts: places.filter((at) => {
      const scene = leg.scenes[at];
      return has(scene, "round") || has(scene, "scored") || begins(scene, states[at], states[at - 1]);
    }),
    faults: leg.faults.map(({ decision, seat, kind }) => ({ at: sceneOf(leg, decision), seat, kind })),
  };
}

/** The scene of a decision; a fault at start-up is seen in the first. */
const sceneOf = (leg, decision) => Math.max(0, leg.scenes.findIndex((scene) => scene.decision === decision));

export const before = (places, at) => places.findLast((place) => place < at) ?? 0;
export const after = (places, at, last) => places.find((place) => place > at) ?? last;

/** "Round 3, trick 7, card 4 of 4" @param {import("../texts.js").Words} words */
export function called(leg, at, words) {
  const state = leg.states[at];
  const round = words("round", { round: state.round });
  const part = CALLED[leg.game](leg, at, state, words);
  return part ? `${round}, ${part}` : round;
}

const CALLED = {
  sticheln(leg, at, state, words) {
    const { finished, trick, tricks } = state;
    const card = finished ? finished.cards.length : trick.length;
    if (card) return words("trick_card", { trick: tricks.length + !finished, card, players: leg.players });
    return ends(leg, at, words, has(leg.scenes[at], "pain") ? "pain_cards" : "deal");
  },
  "stop-it"(leg, at, state, words) {
    const cards = state.played.length;
    return ends(leg, at, words, cards ? "played_cards" : "deal", { count: cards });
  },
  "color-stock"(leg, at, state, words) {
    const turns = state.put.length;
    return ends(leg, at, words, turns ? "turn" : "deal", { count: turns });
  },
};

const ends = (leg, at, words, key, values) => words(has(leg.scenes[at], "scored") ? "score" : key, values);
