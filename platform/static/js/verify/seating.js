// Who sits where, leg by leg: docs/protocol.md, "Seating".

/** Whether every bot sits on every seat equally often, and each behind each other one, up to one time. */
export function isBalanced(legs, players) {
  const seats = legs.flatMap((row) => row.map((bot, seat) => `${seat} ${bot}`));
  const pairs = legs.flatMap((row) => row.map((bot, seat) => `${bot} ${row[(seat + 1) % players]}`));
  return (
    legs.every((row) => [...row].sort().join() === [...Array(players).keys()].join()) &&
    spread(seats, players * players) === 0 &&
    spread(pairs, players * (players - 1)) <= 1
  );
}

/** How much more often the commonest thing occurs than the rarest, of so many that there are. */
function spread(things, kinds) {
  const often = new Map();
  for (const thing of things) often.set(thing, 1 + (often.get(thing) ?? 0));
  const rarest = often.size < kinds ? 0 : Math.min(...often.values());
  return Math.max(...often.values()) - rarest;
}
