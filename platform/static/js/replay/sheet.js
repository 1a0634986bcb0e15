// The move list as a score sheet: a row for each trick, sequence or lap, a column for each seat. Each move leads
// to its scene.

import { element } from "../elements.js";
import { short } from "../table/cards.js";
import { signed } from "../texts.js";

export class Sheet {
  #cells = new Map();
  #now = null;

  constructor(box, leg, bots, words) {
    this.box = box;
    this.words = words;
    const body = element("tbody");
    const maker = new MAKERS[leg.game](this, leg, body);
    leg.scenes.forEach((scene, at) => scene.events.forEach((event) => maker[event.event]?.(event, at, scene)));
    const heads = leg.seating.map((_, seat) => head(seat, bots[seat]));
    box.replaceChildren(
      element(
        "table",
        {},
        element("caption", { class: "vh" }, words("moves")),
        element("thead", {}, element("tr", {}, element("td"), ...heads)),
        body,
      ),
    );
    this.cells = [...this.#cells].sort(([one], [other]) => one - other);
  }

  /** A button that leads to a scene. */
  move(at, look, ...content) {
    const button = element("button", { type: "button", tabindex: -1, "data-at": at, class: look }, ...content);
    if (!this.#cells.has(at)) this.#cells.set(at, button);
    return button;
  }

  /** Marks the move of a scene, or the last one before it. */
  show(at) {
    const [, cell] = this.cells.findLast(([place]) => place <= at) ?? this.cells[0];
    if (cell !== this.#now) {
      this.#now?.removeAttribute("aria-current");
      cell.setAttribute("aria-current", "true");
      this.#now = cell;
      this.#reveal(cell);
    }
    for (const row of this.box.querySelectorAll("tr[data-from]")) row.toggleAttribute("data-later", +row.dataset.from > at);
  }

  #reveal(cell) {
    const { box } = this;
    const place = cell.getBoundingClientRect();
    const frame = box.getBoundingClientRect();
    box.scrollTop += place.top - frame.top - box.clientHeight / 2 + place.height / 2;
  }
}

function head(seat, bot) {
  const number = element("span", { class: bot.isOwn ? "seatno own" : "seatno" }, String(seat));
  return element("th", { scope: "col", title: bot.name }, number, element("span", { class: "vh" }, ` ${bot.name}`));
}

// -- Games ----------------------------------------------------------------------------------------
// Each has a method for the events that stand in the sheet.

class Maker {
  constructor(sheet, leg, body) {
    Object.assign(this, { sheet, leg, body, words: sheet.words });
  }

  round({ round }, at) {
    this.count = 0;
    const title = element("th", { scope: "row" }, this.sheet.move(at, "", this.words(this.leg.players > 5 ? "round_short" : "round", { round })));
    this.scores = this.leg.seating.map(() => element("td"));
    this.body.append(element("tr", { class: "round-row" }, title, ...this.scores));
  }

  scored({ scores }, at) {
    scores.forEach((points, seat) => this.scores[seat].append(this.sheet.move(at, "result", signed(points))));
  }

  /** A new row with a cell for each seat. */
  row(at, label) {
    this.cells = this.leg.seating.map(() => element("td"));
    this.body.append(
      element("tr", { "data-from": at }, element("th", { scope: "row" }, label), ...this.cells),
    );
  }

  shorts(cards) {
    return cards.map((card) => short(card, this.words));
  }
}

class StichelnMaker extends Maker {
  pain({ cards }, at) {
    this.row(at, this.words("pain"));
    cards.forEach((card, seat) => this.cells[seat].append(this.sheet.move(at, "", ...this.shorts([card]))));
    this.trick = [];
  }

  played({ seat, card }, at) {
    if (!this.trick.length) this.row(at, String(++this.count));
    const move = this.sheet.move(at, this.trick.length ? "" : "leads", ...this.shorts([card]));
    this.trick.push(move);
    this.cells[seat].append(move);
  }

  taken({ seat }) {
    if (seat !== null) this.cells[seat].firstChild.classList.add("takes");
    this.trick = [];
  }
}

class StopItMaker extends Maker {
  /** A sequence takes the whole width: its cards go from seat to seat. */
  sequence(at) {
    this.line = element("td", { colspan: this.leg.players, class: "sequence-cell" });
    this.body.append(element("tr", { "data-from": at }, element("th", { scope: "row" }, String(++this.count)), this.line));
  }

  played({ seat, card, forced }, at) {
    if (!forced) this.sequence(at);
    this.line.append(this.sheet.move(at, forced ? "" : "leads", who(seat), ...this.shorts([card])));
  }

  stopped({ seat }, at) {
    this.line.append(this.sheet.move(at, "stops", who(seat), this.words("stops")));
  }
}

const who = (seat) => element("i", { class: "seatno" }, String(seat));

class ColorStockMaker extends Maker {
  put({ seat, cards }, at) {
    if (seat === this.leg.states[at].starter) this.row(at, String(++this.count));
    this.cells[seat].append(this.sheet.move(at, "", ...this.shorts(cards)));
  }

  turned_up({ cards }, at) {
    const move = this.sheet.move(at, "", ...this.shorts(cards));
    const line = element("td", { colspan: this.leg.players }, move);
    this.body.append(element("tr", { "data-from": at }, element("th", { scope: "row" }, this.words("pile_row")), line));
  }
}

const MAKERS = { sticheln: StichelnMaker, "stop-it": StopItMaker, "color-stock": ColorStockMaker };
