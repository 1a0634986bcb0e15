// What a seed decides: docs/protocol.md, "From a seed to cards".

import { sha256 } from "./sha256.js";

const WORDS = 2n ** 64n;

/** The endless sequence of 64-bit words that a seed and a label give. */
export function* words(seed, label) {
  const begun = Uint8Array.of(...seed, ...new TextEncoder().encode(label), ...new Uint8Array(8));
  const counter = new DataView(begun.buffer, begun.length - 8);
  for (let count = 0n; ; count++) {
    counter.setBigUint64(0, count);
    const block = new DataView(sha256(begun).buffer);
    for (let at = 0; at < block.byteLength; at += 8) yield block.getBigUint64(at);
  }
}

/** An even draw from 0 to m - 1, a BigInt as m is; words past the last multiple of m are passed over. */
export function below(stream, m) {
  const even = WORDS - (WORDS % m);
  let word;
  do word = stream.next().value;
  while (word >= even);
  return word % m;
}

export function shuffled(stream, things) {
  const order = [...things];
  for (let i = order.length - 1; i > 0; i--) {
    const j = Number(below(stream, BigInt(i + 1)));
    [order[i], order[j]] = [order[j], order[i]];
  }
  return order;
}

/** The draws of one match: its seed, bound to the game, its options and the number of players. */
export class Chance {
  constructor({ seed, game, players, options }) {
    const chosen = Object.keys(options).sort().map((key) => `${key}=${options[key]}`);
    this.seed = bytesOf(seed);
    this.prefix = `${game}/${players}/${chosen}`;
    this.dealt = new Map(); // all legs have the same deals
  }

  draw(label, m) {
    return Number(below(words(this.seed, `${this.prefix}/${label}`), BigInt(m)));
  }

  /** The deck in the order in which it is dealt in a round. */
  deal(round, deck) {
    if (!this.dealt.has(round)) {
      this.dealt.set(round, shuffled(words(this.seed, `${this.prefix}/deal/${round}`), deck));
    }
    return this.dealt.get(round);
  }

  dealer(players) {
    return this.draw("dealer", players);
  }

  /** Which of several claimants, ascending, takes the card. */
  claimant(round, window, claimants) {
    return claimants[this.draw(`claim/${round}/${window}/${claimants}`, claimants.length)];
  }

  /** The index of the legal move that the house plays for a seat. */
  house(leg, decision, seat, choices) {
    return this.draw(`house/${leg}/${decision}/${seat}`, choices);
  }
}

export function bytesOf(hex) {
  return Uint8Array.from(hex.match(/../g), (digits) => parseInt(digits, 16));
}

export function hexOf(bytes) {
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
}
