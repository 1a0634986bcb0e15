// A leg walked through by its decisions: the event that each of them is, and the hands just before.

const WINDOW = ["claim", "pass"];

/** Of every decision in turn: its index, the event that shows its moves (none if all pass), and the table. */
export function* course(leg) {
  const table = { round: 0, window: 0, hands: [] };
  let at = 0;
  for (const [index, decision] of leg.decisions.entries()) {
    const isWindow = WINDOW.includes(decision.moves[0]);
    const isSeen = !isWindow || decision.moves.includes("claim");
    while (isSeen && at < leg.events.length && !shows(leg.events[at])) follow(table, leg.events[at++]);
    const event = isSeen ? leg.events[at] : undefined;
    yield { index, decision, isWindow, event, ...table };
    if (event) follow(table, leg.events[at++]);
    if (isWindow) table.window += 1;
  }
}

/** Whether an event is what somebody has decided, and not what came of it. */
function shows({ event, forced }) {
  return event === "pain" || event === "put" || event === "stopped" || (event === "played" && !forced);
}

function follow(table, event) {
  if (event.event === "round") Object.assign(table, { round: event.round, window: 0, hands: [] });
  else if (event.event === "dealt") table.hands[event.seat] = [...event.hand];
  else for (const [seat, card] of cardsOf(event)) takeOut(table.hands[seat], card);
}

/** The cards that leave hands with an event, each with its seat. */
export function cardsOf({ event, seat, card, cards }) {
  if (event === "pain") return [...cards.entries()];
  if (event === "put") return cards.map((each) => [seat, each]);
  return event === "played" ? [[seat, card]] : [];
}

function takeOut(hand, card) {
  const place = hand.indexOf(card);
  if (place >= 0) hand.splice(place, 1);
}
