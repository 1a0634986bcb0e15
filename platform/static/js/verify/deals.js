// The decks, and who is dealt what: docs/protocol.md, "From a seed to cards".

const RAINBOW = ["red", "yellow", "green", "blue", "purple", "gray"];
const STICHELN = {
  sticheln: RAINBOW,
  "stick-em": RAINBOW,
  misery: ["green", "brown", "red", "blue", "yellow", "violet"],
};
const STICHELN_HIGHEST = { 3: 8, 4: 11, 5: 14, 6: 14, 7: 17, 8: 18 };
const STOP_IT = ["red", "yellow", "green", "blue", "black"];
const COLOR_STOCK = ["red", "yellow", "green", "blue", "purple"];
const COLOR_STOCK_HANDS = { 2: 12, 3: 12, 4: 11 };

const numbered = (colours, from, to) =>
  colours.flatMap((colour) => Array.from({ length: to - from + 1 }, (_, at) => `${colour}-${from + at}`));

/** Of each game: its deck before the shuffle, how many of the cards are dealt, and who gets the first. */
const GAMES = {
  sticheln: {
    deck: (players, { rules }) =>
      numbered(STICHELN[rules].slice(0, players < 6 ? 5 : 6), 0, STICHELN_HIGHEST[players]),
    dealt: (cards, players) => cards - (cards % players),
    first: () => 0,
  },
  "stop-it": {
    deck: (players) => numbered(STOP_IT.slice(0, players < 4 ? 4 : 5), 1, 10),
    dealt: (cards) => cards,
    first: (leader) => leader,
  },
  "color-stock": {
    deck: (players) =>
      COLOR_STOCK.slice(0, players < 4 ? 4 : 5).flatMap((colour) => Array(9).fill(colour)),
    dealt: (_, players) => COLOR_STOCK_HANDS[players] * players,
    first: () => 0,
  },
};

export function deckOf({ game, players, options }) {
  return GAMES[game].deck(players, options);
}

/** The sorted hands of a round by seat, and what is left over in the order of the deal. */
export function dealOf(replay, chance, round, leader) {
  const { players } = replay;
  const rules = GAMES[replay.game];
  const deck = deckOf(replay);
  // Places in the deck are dealt instead of cards: they sort as hands are sorted.
  const places = chance.deal(round, deck.keys());
  const dealt = rules.dealt(deck.length, players);
  const hands = Array.from({ length: players }, () => []);
  places.slice(0, dealt).forEach((place, at) => {
    hands[(rules.first(leader) + at) % players].push(place);
  });
  return {
    hands: hands.map((hand) => hand.sort((one, other) => one - other).map((place) => deck[place])),
    leftOver: places.slice(dealt).map((place) => deck[place]),
  };
}
