// Folds the events of a leg into states, one for each scene: what table.js draws. It knows what events say,
// not the rules: who takes a trick or what counts how much stands in the events and scenes.

/** One state for each scene of a leg, as /matches/<pk>/legs/<leg>.json tells it. */
export function fold(leg) {
  let state = beginning(leg);
  const states = leg.scenes.map((scene) => {
    state = { ...state, moved: null, finished: null, window: null, newest: null };
    for (const event of scene.events) state = { ...state, ...EVENTS[event.event](state, event, scene) };
    return (state = { ...state, ...known(scene, state) });
  });
  return states.map((each, at) => ({ ...each, ...nextQuestion(leg.scenes, at) }));
}

function beginning(leg) {
  return {
    game: leg.game,
    seat: leg.seat ?? 0,
    round: 0,
    phase: "",
    scores: [],
    totals: Array(leg.players).fill(0),
    hands: Array(leg.players).fill(null),
    out: [],
    full: leg.full,
  };
}

/** What a scene says beside its events. */
function known(scene, state) {
  const points = scene.events.some(({ event }) => event === "scored") ? null : scene.points;
  const window = scene.phase === "window" ? windowOf(scene) : null;
  return { points, window, worth: scene.worth, hand: state.hands[state.seat] ?? [] };
}

function windowOf({ seats, moves, events }) {
  const taker = events.find(({ event }) => event === "stopped")?.seat ?? null;
  return { seats, moves, taker };
}

/** Whose answer the next scenes wait for. */
function nextQuestion(scenes, at) {
  const next = scenes[at + 1];
  if (!next || next.decision === undefined) return { asked: [] };
  return { asked: next.seats, phase: next.phase };
}

// -- Events ---------------------------------------------------------------------------------------
// Each returns what changes.

const EVENTS = {
  faulted: (state, { seat }) => ({ out: [...state.out, seat] }),
  round: (state, { round, leader }, { view }) => ({
    ...view,
    round,
    leader,
    hands: view.hand_sizes.map(() => null),
    dealt: view.hand_sizes.map(() => null),
  }),
  dealt: ({ hands, dealt }, { seat, hand }) => ({ hands: put(hands, seat, hand), dealt: put(dealt, seat, hand) }),
  scored: ({ scores }, event) => ({ scores: [...scores, event.scores], totals: event.totals }),
  left: (state, { hands }) => ({ hands, dealt: hands.map((hand, seat) => state.dealt[seat] ?? hand) }),

  // Sticheln
  undealt: (state, { cards }) => ({ undealt: cards }),
  pain: (state, { cards }) => ({ pain: cards, ...withoutAll(state, cards.map((card, seat) => [seat, [card]])) }),
  taken: ({ trick, tricks, taken, leader }, { seat, cards }) => ({
    finished: { cards: trick, taker: seat },
    trick: [],
    tricks: [...tricks, { leader: trick[0].seat, cards, taker: seat }],
    taken: seat === null ? taken : put(taken, seat, [...taken[seat], ...cards]),
    leader: seat ?? leader,
  }),

  // Sticheln and Stop It!
  played: (state, { seat, card, forced }) => ({
    ...withoutAll(state, [[seat, [card]]]),
    ...(forced === undefined
      ? { trick: [...state.trick, { seat, card }] }
      : { played: [...state.played, { seat, card, forced }], last: card, leader: seat }),
    moved: seat,
  }),

  // Stop It!
  stopped: ({ stop_it, stop_it_left }, { seat }) => ({
    stop_it: put(stop_it, seat, true),
    stop_it_left: stop_it_left - 1,
    leader: seat,
    moved: seat,
  }),
  out: () => ({}),

  // Color Stock
  put: (state, { seat, cards }) => ({
    ...withoutAll(state, [[seat, cards]]),
    ...stacked(state, cards),
    put: [...state.put, { seat, cards }],
    moved: seat,
  }),
  turned_up: (state, { cards }) => ({
    ...stacked(state, cards),
    turned_up: [...state.turned_up, cards],
    pile: state.pile - cards.length,
  }),
  over: () => ({}),
};

const put = (list, at, value) => list.map((each, place) => (place === at ? value : each));

function stacked({ stacks }, cards) {
  const higher = { ...stacks };
  for (const card of cards) higher[card] += 1;
  return { stacks: higher, newest: cards };
}

/** Hands, as far as they are known, and their sizes without the cards that each seat lays down. */
function withoutAll({ hands, hand_sizes }, laid) {
  for (const [seat, cards] of laid) {
    hands = put(hands, seat, hands[seat] && cards.reduce(without, hands[seat]));
    hand_sizes = put(hand_sizes, seat, hand_sizes[seat] - cards.length);
  }
  return { hands, hand_sizes };
}

function without(hand, card) {
  const at = hand.indexOf(card);
  return [...hand.slice(0, at), ...hand.slice(at + 1)];
}
