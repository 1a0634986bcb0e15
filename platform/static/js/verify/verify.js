// What follows from a match's seed, compared with what its replay says: the same that `kibitz verify` compares,
// but for all that the rules of play decide, which are not written here again.

import { Chance, bytesOf, hexOf } from "./chance.js";
import { cardsOf, course } from "./course.js";
import { dealOf } from "./deals.js";
import { isBalanced } from "./seating.js";
import { sha256 } from "./sha256.js";

/** Where a replay says something else than the seed gives. */
class Difference extends Error {
  constructor(where, expected, found) {
    super("the replay differs");
    Object.assign(this, { where, expected: listed(expected), found: listed(found) });
  }
}

const CHECKS = { seed, seating, deals, dealer, moves, claims, house };

/** The checks in order, each with how much it compared and, if the replay is wrong, the first difference. */
export function verify(replay, published = replay.seed_sha256) {
  return Object.entries(CHECKS).map(([name, check]) => ({ name, ...outcomeOf(check, replay, published) }));
}

function outcomeOf(check, replay, published) {
  try {
    const compared = check(replay, published);
    return { outcome: compared ? "same" : "nothing", compared };
  } catch (error) {
    if (!(error instanceof Difference)) return { outcome: "unreadable" };
    const { where, expected, found } = error;
    return { outcome: "differs", difference: { where, expected, found } };
  }
}

function same(where, expected, found) {
  if (JSON.stringify(expected) !== JSON.stringify(found)) throw new Difference(where, expected, found);
}

function listed(value) {
  if (value === undefined || value === null) return "–";
  return Array.isArray(value) ? value.join(" ") || "–" : String(value);
}

// -- Seed and seats -------------------------------------------------------------------------------

function seed(replay, published) {
  const hash = hexOf(sha256(bytesOf(replay.seed)));
  same({}, hash, replay.seed_sha256);
  same({}, hash, published);
  return 1;
}

/** In a file of one leg any seating is right. */
function seating({ legs, players }) {
  if (legs.length === 1) return 0;
  const rows = legs.map((leg) => leg.seating);
  if (isBalanced(rows, players)) return rows.length;
  throw new Difference({}, null, rows.map((row) => row.join("-")));
}

// -- The cards ------------------------------------------------------------------------------------

/** Every hand, the cards that are left over, and those that are turned up from the pile. */
function deals(replay) {
  const chance = new Chance(replay);
  return summed(replay, (leg, events) => {
    const rounds = events.filter(({ event }) => event === "round");
    const counted = Array.from({ length: rounds.length || 1 }, (_, at) => at + 1);
    same({ leg: leg + 1 }, counted, rounds.map(({ round }) => round));
    return rounds.reduce((compared, opening, at) => {
      const from = events.indexOf(opening);
      const to = at + 1 < rounds.length ? events.indexOf(rounds[at + 1]) : events.length;
      return compared + deal(replay, chance, leg, events.slice(from, to));
    }, 0);
  });
}

function deal(replay, chance, leg, [{ round, leader }, ...events]) {
  const { hands, leftOver } = dealOf(replay, chance, round, leader);
  const where = { leg: leg + 1, round };
  const dealt = events.filter(({ event }) => event === "dealt");
  hands.forEach((hand, seat) => same({ ...where, seat }, hand, dealt[seat]?.hand));
  same(where, [...hands.keys()], dealt.map(({ seat }) => seat));
  const shown = events.filter(({ event }) => event === "undealt").flatMap(({ cards }) => cards);
  same(where, replay.game === "sticheln" ? leftOver : [], shown);
  const turnedUp = events.filter(({ event }) => event === "turned_up").flatMap(({ cards }) => cards);
  same(where, leftOver.slice(0, turnedUp.length), turnedUp);
  return hands.length + shown.length + turnedUp.length;
}

/** In misery the first dealer, who leads, is drawn. */
function dealer(replay) {
  if (replay.options.rules !== "misery") return 0;
  const drawn = new Chance(replay).dealer(replay.players);
  return summed(replay, (leg, events) => {
    same({ leg: leg + 1, round: 1 }, drawn, events.find(({ event }) => event === "round")?.leader);
    return 1;
  });
}

function summed({ legs }, compare) {
  return legs.reduce((sum, { events }, leg) => sum + compare(leg, events), 0);
}

// -- The moves ------------------------------------------------------------------------------------

/** Every move is the event that it caused, and every card that is played was in the hand dealt. */
function moves(replay) {
  return eachDecision(replay, (where, { decision, event, hands, isWindow }) => {
    if (isWindow && !event) return decision.moves.length;
    same(where, shownMoves(decision, isWindow), shownEvent(event));
    for (const [seat, card] of cardsOf(event)) {
      if (!hands[seat].includes(card)) throw new Difference({ ...where, seat }, hands[seat], card);
    }
    return decision.moves.length;
  });
}

/** A window is shown by who stops; of several claimants one does, as the draw of claims says. */
function shownMoves({ seats, moves }, isWindow) {
  return isWindow ? ["stopped"] : seats.map((seat, at) => `${seat}:${moves[at]}`);
}

function shownEvent(event) {
  if (!event || event.event === "stopped") return [event?.event];
  if (event.event === "put") return [`${event.seat}:${event.cards.join("+")}`];
  return cardsOf(event).map(([seat, card]) => `${seat}:${card}`);
}

/** In Stop It! one of several claimants is drawn; a single one takes the card. */
function claims(replay) {
  const chance = new Chance(replay);
  return eachDecision(replay, (where, { decision, event, isWindow, round, window }) => {
    const claimants = decision.seats.filter((_, at) => isWindow && decision.moves[at] === "claim");
    if (!claimants.length) return 0;
    const taker = claimants.length > 1 ? chance.claimant(round, window, claimants) : claimants[0];
    same(where, taker, event?.seat);
    return 1;
  });
}

/** The house passes in a window; else it draws one of the legal moves, which are all that the hand holds. */
function house(replay) {
  const chance = new Chance(replay);
  return eachDecision(replay, (where, { index, decision, hands, isWindow }, leg) => {
    const seats = decision.seats.filter((_, at) => decision.wall_ms[at] === null);
    for (const seat of seats) {
      const legal = isWindow ? ["pass"] : legalFrom(replay.game, hands[seat]);
      const drawn = isWindow ? 0 : chance.house(leg, index, seat, legal.length);
      same({ ...where, seat }, legal[drawn], decision.moves[decision.seats.indexOf(seat)]);
    }
    return seats.length;
  });
}

function legalFrom(game, hand) {
  if (game !== "color-stock") return hand;
  const pairs = hand.flatMap((first, at) => hand.slice(at + 1).map((second) => `${first}+${second}`));
  return [...new Set(pairs)];
}

function eachDecision({ legs }, compare) {
  let compared = 0;
  legs.forEach((leg, number) => {
    for (const step of course(leg)) {
      compared += compare({ leg: number + 1, round: step.round, decision: step.index }, step, number);
    }
  });
  return compared;
}
