// A leg from left to right: score over time, time per move, rounds and faults, each scene one step wide.

import { drawn, element } from "../elements.js";
import { number } from "../texts.js";

const HEIGHT = 100; // of a chart, in units of its own

export class Timeline {
  /** `here`: the seat whose line stands out. @param {import("../texts.js").Words} words */
  constructor(box, leg, bots, here, words) {
    Object.assign(this, { leg, bots, here, words, last: leg.scenes.length - 1 });
    this.heads = [this.#head(), this.#head()];
    this.seen = drawn("rect", { x: 0, y: -5, height: HEIGHT + 10, width: 0 });
    const times = this.#times();
    box.replaceChildren(
      this.#lane("score", words("score_lane"), this.#scores(), this.heads[0]),
      times && this.#lane("times", times.label, times.chart, this.heads[1]),
      element("div", { class: "rounds" }, ...this.#rounds()),
    );
  }

  /** Moves the mark to a scene; what is after it can be hidden by css. */
  show(at) {
    for (const head of this.heads) head.setAttribute("transform", `translate(${at} 0)`);
    this.seen.setAttribute("width", at);
  }

  #head() {
    return drawn("path", { class: "head", d: `M0 0V${HEIGHT}` });
  }

  #lane(name, label, chart, head) {
    const box = `0 0 ${Math.max(1, this.last)} ${HEIGHT}`;
    const svg = drawn("svg", { viewBox: box, preserveAspectRatio: "none", "aria-hidden": "true" }, ...chart, head);
    return element("div", { class: `lane ${name}` }, element("span", { class: "lane-name" }, label), svg, name === "score" && this.#legend());
  }

  // -- Score --------------------------------------------------------------------------------------

  /** A line for each seat: the total, and what the round has brought so far. */
  #scores() {
    const lines = this.bots.map((_, seat) => this.leg.states.map((state) => state.totals[seat] + (state.points?.[seat] ?? 0)));
    const all = lines.flat();
    const [low, high] = [Math.min(0, ...all), Math.max(1, ...all)];
    this.height = (points) => HEIGHT - (HEIGHT * (points - low)) / (high - low);
    const clip = drawn("clipPath", { id: "seen-part" }, this.seen);
    const zero = drawn("path", { class: "zero", d: `M0 ${this.height(0)}H${this.last}` });
    const paths = lines.map((line, seat) => drawn("path", { class: this.#look(seat), d: steps(line, this.height) }));
    return [clip, ...this.#roundLines(), zero, drawn("g", { class: "lines" }, ...paths)];
  }

  #look(seat) {
    return seat === this.here ? "line here" : `line seat-${seat}`;
  }

  #roundLines() {
    return this.leg.landmarks.rounds.slice(1).map((at) => drawn("path", { class: "round-line", d: `M${at} 0V${HEIGHT}` }));
  }

  /** The names beside the ends of their lines, as close to them as they fit. */
  #legend() {
    const ends = this.leg.scores.map((points, seat) => ({ seat, points, y: this.height(points) }));
    ends.sort((one, other) => one.y - other.y || one.seat - other.seat);
    const names = ends.map(({ seat, points }) => this.#end(seat, points));
    return element("ol", { class: "ends" }, ...names);
  }

  #end(seat, points) {
    const { name } = this.bots[seat];
    return element(
      "li",
      { class: this.#look(seat) },
      drawn("svg", { viewBox: "0 0 16 4", "aria-hidden": "true" }, drawn("path", { class: this.#look(seat), d: "M0 2H16" })),
      element("i", { class: "seatno" }, String(seat)),
      element("span", { class: "end-name", title: name }, name),
      element("b", { class: "result" }, number(points)),
    );
  }

  // -- Time ---------------------------------------------------------------------------------------

  /** CPU where it could be read, else the wall clock; a decision of several shows the longest. */
  #times() {
    const longest = (key) => this.leg.scenes.map((scene) => Math.max(...(scene[key] ?? []).map((ms) => ms ?? 0), 0));
    const cpu = longest("cpu_ms");
    const isCpu = cpu.some((ms) => ms > 0);
    const bars = isCpu ? cpu : longest("wall_ms");
    const most = Math.max(...bars);
    if (!most) return null;
    const path = bars.map((ms, at) => (ms ? `M${at} ${HEIGHT}v${-((HEIGHT * ms) / most).toFixed(1)}` : "")).join("");
    const label = this.words(isCpu ? "cpu_lane" : "wall_lane", { ms: number(+most.toPrecision(3)) });
    return { label, chart: [drawn("path", { class: "bars", d: path })] };
  }

  // -- Rounds and faults --------------------------------------------------------------------------

  #rounds() {
    const { rounds, faults } = this.leg.landmarks;
    const names = rounds.map((at, index) => this.#at(at, "round-name", this.words(rounds.length > 6 ? "round_short" : "round", { round: index + 1 })));
    const marks = faults.map(({ at, seat, kind }) => this.#at(at, "fault-mark", `${this.bots[seat].name}: ${kind}`));
    return [...names, ...marks];
  }

  #at(at, look, text) {
    const button = element("button", { type: "button", tabindex: -1, class: look, "data-at": at, title: text }, text);
    button.style.setProperty("--at", this.last ? at / this.last : 0);
    return button;
  }
}

/** A line that stays and then jumps. */
function steps(values, height) {
  let path = `M0 ${height(values[0]).toFixed(2)}`;
  for (let at = 1; at < values.length; at++) {
    if (values[at] !== values[at - 1]) path += `H${at}V${height(values[at]).toFixed(2)}`;
  }
  return `${path}H${values.length - 1}`;
}
