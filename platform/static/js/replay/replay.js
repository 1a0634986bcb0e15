// The replay of a match: <kibitz-replay> shows a leg scene by scene, from all sides or from one seat.

import { wordsOf } from "../texts.js";
import { draw } from "../table/table.js";
import { goTo, moveTo, addressOf, placeIn } from "./address.js";
import { beside, debugOf } from "./beside.js";
import { listenToKeys, listenToSwipes } from "./hands_on.js";
import { after, before, called } from "./landmarks.js";
import { Legs } from "./legs.js";
import { sentences } from "./sentences.js";
import { Sheet } from "./sheet.js";
import { Timeline } from "./timeline.js";

const PACE_MS = { slow: 1600, normal: 800, quick: 400, fast: 150 };
const HIDDEN = "hide-results";

class Replay extends HTMLElement {
  #timer = null;
  #wanted = 0;

  connectedCallback() {
    this.words = wordsOf();
    this.lineup = JSON.parse(this.dataset.lineup);
    this.legs = new Legs(this.dataset.legs);
    this.size = { legs: +this.dataset.count, players: this.lineup.length };
    this.view = (name) => document.querySelector(`[data-view="${name}"]`);
    this.view("copy").hidden = !navigator.clipboard; // as over plain HTTP; the address bar has it, too
    this.hideResults(localStorage.getItem(HIDDEN) === "yes");
    this.#listen();
    this.open(placeIn(location, this.size));
  }

  disconnectedCallback() {
    this.stop();
    this.silence();
  }

  // -- What is shown ------------------------------------------------------------------------------

  /** Goes to a place in the match. Only the last place wanted is shown, whatever comes first. */
  async open(place) {
    const ticket = ++this.#wanted;
    this.dataset.state = "loading";
    try {
      const leg = await this.legs.leg(place.leg, place.seat);
      const secrets = this.dataset.own === undefined ? null : await this.legs.private(place.leg, place.seat);
      if (ticket !== this.#wanted) return;
      this.#take(leg, secrets, place);
    } catch (error) {
      if (ticket !== this.#wanted) return;
      this.dataset.state = "failed";
      console.warn(error);
    }
  }

  #take(leg, secrets, place) {
    this.place = place;
    this.leg = leg;
    this.secrets = secrets;
    this.bots = leg.seating.map((bot) => this.lineup[bot]);
    this.last = leg.scenes.length - 1;
    this.bottom = leg.seat ?? Math.max(0, this.bots.findIndex(({ isOwn }) => isOwn));
    this.sheet = new Sheet(this.view("sheet"), leg, this.bots, this.words);
    this.timeline = new Timeline(this.view("timeline"), leg, this.bots, this.bottom, this.words);
    this.view("scrub").max = this.last;
    this.view("debug").replaceChildren(...debugOf(this.bots, secrets, this.words));
    this.#offerFault(leg.landmarks.faults);
    this.#choose();
    this.dataset.state = "ready";
    this.show(place.move);
  }

  #offerFault([first]) {
    const button = this.querySelector("[data-act='fault']");
    button.hidden = !first;
    if (first) button.textContent = this.words("first_fault", { name: this.bots[first.seat].name, kind: first.kind });
  }

  /** Marks the leg and the perspective that are shown, and names the seats of this leg. */
  #choose() {
    const { leg, seat } = this.place;
    for (const link of this.querySelectorAll("[data-leg]")) current(link, +link.dataset.leg === leg);
    for (const link of this.querySelectorAll("[data-seat-link]")) {
      const its = link.dataset.seatLink === "" ? null : +link.dataset.seatLink;
      current(link, its === seat);
      if (its !== null) link.querySelector("[data-name]").textContent = link.title = this.bots[its].name;
      link.href = addressOf({ ...this.place, seat: its });
    }
    for (const cell of document.querySelectorAll("[data-made-in]")) cell.classList.toggle("now", +cell.dataset.madeIn === leg);
    this.view("title").textContent = this.words("leg", { leg });
  }

  show(at) {
    const move = Math.max(0, Math.min(this.last, at));
    this.place = { ...this.place, move };
    const { leg, bots, words } = this;
    draw(this.view("board"), { ...leg.states[move], seat: this.bottom }, bots, words);
    this.#tell(sentences(leg.scenes[move], bots));
    const name = called(leg, move, words);
    this.view("where").textContent = name;
    this.view("beside").replaceChildren(...beside(leg, move, bots, this.secrets, words));
    this.view("scrub").value = move;
    this.view("scrub").setAttribute("aria-valuetext", name);
    this.sheet.show(move);
    this.timeline.show(move);
    this.dataset.move = move;
  }

  #tell(told) {
    this.view("told").classList.toggle("many", told.length > 3);
    this.view("told").replaceChildren(...told);
  }

  hideResults(isHidden) {
    document.body.classList.toggle(HIDDEN, isHidden);
    this.view("hide")?.setAttribute("aria-pressed", isHidden);
  }

  // -- Going through it ---------------------------------------------------------------------------

  act(action) {
    if (!this.leg) return;
    if (action === "play") return this.#timer ? this.stop() : this.play();
    this.stop();
    const { rounds, parts, faults } = this.leg.landmarks;
    const { move } = this.place;
    const to = {
      back: () => move - 1,
      on: () => move + 1,
      part_back: () => before(parts, move),
      part_on: () => after(parts, move, this.last),
      round_back: () => before(rounds, move),
      round_on: () => after(rounds, move, this.last),
      first: () => 0,
      last: () => this.last,
      fault: () => faults[0]?.at ?? move,
    };
    this.step(to[action]());
  }

  step(at) {
    this.show(at);
    moveTo(this.place);
  }

  /** A place that the reader may want to come back to. */
  jump(place) {
    this.stop();
    const isSameLeg = place.leg === this.place.leg && place.seat === this.place.seat;
    if (isSameLeg) this.show(place.move);
    else this.open(place);
    goTo(place);
  }

  play() {
    if (this.place.move === this.last) this.show(0);
    const pace = PACE_MS[this.view("pace").value];
    this.#timer = setInterval(() => (this.place.move < this.last ? this.step(this.place.move + 1) : this.stop()), pace);
    this.#playing(true);
  }

  stop() {
    clearInterval(this.#timer);
    this.#timer = null;
    this.#playing(false);
  }

  #playing(isPlaying) {
    this.toggleAttribute("data-playing", isPlaying);
    const button = this.querySelector("[data-act='play']");
    button.setAttribute("aria-label", this.words(isPlaying ? "pause" : "play"));
  }

  // -- Listening ----------------------------------------------------------------------------------

  #listen() {
    const look = (seat) => this.leg && this.jump({ ...this.place, seat });
    const quiet = listenToKeys((action) => this.act(action), look, this.size.players);
    const back = () => this.open(placeIn(location, this.size));
    const follow = (event) => this.#follow(event);
    addEventListener("popstate", back);
    document.addEventListener("click", follow);
    this.silence = () => {
      quiet();
      removeEventListener("popstate", back);
      document.removeEventListener("click", follow);
    };
    listenToSwipes(this.view("board"), (action) => this.act(action));
    this.view("scrub").addEventListener("input", ({ target }) => {
      this.stop();
      this.step(+target.value);
    });
    this.view("pace").addEventListener("change", () => this.#timer && (this.stop(), this.play()));
  }

  /** Links to legs and seats, buttons, moves in the sheet: all that says with data what it does. */
  #follow(event) {
    if (event.metaKey || event.ctrlKey || event.shiftKey || event.button) return;
    const chosen = event.target.closest("[data-act], [data-at], [data-leg], [data-made-in], [data-seat-link], [data-view='hide'], [data-view='copy'], [data-view='again']");
    if (!chosen || (!this.leg && chosen.dataset.view !== "again")) return;
    const { act, at, leg, madeIn, seatLink, view } = chosen.dataset;
    if (chosen.matches("a")) event.preventDefault();
    if (act) this.act(act);
    else if (at) this.jump({ ...this.place, move: +at });
    else if (leg ?? madeIn) this.#toLeg(+(leg ?? madeIn));
    else if (seatLink !== undefined) this.jump({ ...this.place, seat: seatLink === "" ? null : +seatLink });
    else if (view === "hide") this.#switchResults();
    else if (view === "copy") this.#copy(chosen);
    else this.open(placeIn(location, this.size));
  }

  /** The same moment of the same deals, as far as there is one: legs have other lengths. */
  #toLeg(leg) {
    this.jump({ ...this.place, leg, move: 0 });
    this.scrollIntoView({ block: "start" });
  }

  #switchResults() {
    const isHidden = !document.body.classList.contains(HIDDEN);
    localStorage.setItem(HIDDEN, isHidden ? "yes" : "no");
    this.hideResults(isHidden);
  }

  async #copy(button) {
    await navigator.clipboard.writeText(new URL(addressOf(this.place), location.href));
    button.textContent = this.words("copied");
  }
}

function current(link, isCurrent) {
  if (isCurrent) link.setAttribute("aria-current", "true");
  else link.removeAttribute("aria-current");
}

customElements.define("kibitz-replay", Replay);
