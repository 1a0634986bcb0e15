// Fetches legs, each once for each perspective.

import { fold } from "./fold.js";
import { landmarksOf } from "./landmarks.js";

export class Legs {
  #kept = new Map();

  /** @param {string} pattern the address of leg 0 */
  constructor(pattern) {
    this.pattern = pattern;
  }

  /** The leg with its states and landmarks. */
  async leg(number, seat) {
    const address = this.#address(number, seat);
    if (!this.#kept.has(address)) this.#kept.set(address, await this.#fetched(address));
    return this.#kept.get(address);
  }

  /** What is private of the reader's own bots; it is not kept by the browser. */
  async private(number, seat) {
    return json(this.#address(number, seat).replace(".json", "/private.json"));
  }

  async #fetched(address) {
    const leg = await json(address);
    const states = fold(leg);
    return { ...leg, states, landmarks: landmarksOf(leg, states) };
  }

  #address(number, seat) {
    return this.pattern.replace("/0.json", `/${number}.json`) + (seat === null ? "" : `?seat=${seat}`);
  }
}

async function json(address) {
  const answer = await fetch(address);
  if (!answer.ok) throw new Error(`${address}: ${answer.status}`);
  return answer.json();
}
