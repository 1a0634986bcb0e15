// Sticheln: judges a trick as if nobody played after it.
//
// The pain card is the lowest card I have. In a trick I play the card that is best for me if the trick ended
// right then: a take brings a point a card, but my own pain cards count against it. Among equals the low
// cards go first, so that the high ones can take later.

const readline = require("readline");

const colour = (card) => card.split("-")[0];
const value = (card) => Number(card.split("-")[1]);

// The first of those with the highest rating; ratings are compared number by number.
function best(cards, rating) {
  return cards.reduce((one, other) => (isHigher(rating(other), rating(one)) ? other : one));
}

function isHigher(one, other) {
  const at = one.findIndex((number, i) => number !== other[i]);
  return at >= 0 && one[at] > other[at];
}

// The highest card that is not of the lead colour, or else the highest; zeros take nothing.
function takingCard(trick) {
  const lead = colour(trick[0]);
  return best(trick, (card) => [Number(value(card) > 0 && colour(card) !== lead), value(card)]);
}

function gain(trick, card, pain) {
  const after = [...trick, card];
  if (takingCard(after) !== card) return 0;
  return after.reduce((sum, other) => sum + (colour(other) === pain ? -value(other) : 1), 0);
}

function choose(view, legal) {
  if (view.phase === "pain") return best(legal, (card) => [-value(card)]);
  const pain = colour(view.pain[view.seat]);
  const trick = view.trick.map((play) => play.card);
  return best(legal, (card) => [gain(trick, card, pain), -value(card)]);
}

const lines = readline.createInterface({ input: process.stdin });
lines.on("line", (line) => {
  const message = JSON.parse(line);
  if (message.type === "start") {
    console.log(JSON.stringify({ type: "ready" }));
  } else if (message.type === "move") {
    console.log(JSON.stringify({ id: message.id, move: choose(message.view, message.legal) }));
  } else {
    lines.close();
  }
});
