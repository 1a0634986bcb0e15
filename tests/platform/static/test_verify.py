"""Verifying in the browser: the modules against the printed vectors, right replays and wrong ones, in a browser
to which the site is plain HTTP on another machine, as in a classroom."""

import json
from copy import deepcopy
from hashlib import sha256
from pathlib import Path

import pytest

from games import replay as replays
from games.seating import seatings
from tests.games.conftest import VARIANTS, make_replay

ROOT = Path(__file__).parents[3]
VECTORS = json.loads((ROOT / "docs" / "vectors.json").read_text(encoding="utf-8"))
CHECKS = ("seed", "seating", "deals", "dealer", "moves", "claims", "house")


@pytest.fixture
def called(window):
    """Calls a function of a module with arguments that go through JSON."""

    def call(module, function, *arguments):
        return window.evaluate(
            """async ([module, name, given]) => {
                const found = await import(`/js/verify/${module}.js`);
                return found[name](...JSON.parse(given));
            }""",
            [module, function, json.dumps(arguments)],
        )

    return call


@pytest.fixture
def outcomes(called):
    """What the browser finds in a replay, by the names of the checks."""

    def verify(replay, *published):
        found = called("verify", "verify", replay, *published)
        assert [check["name"] for check in found] == list(CHECKS)
        return {check["name"]: check for check in found}

    return verify


def test_the_browser_keeps_its_own_hashes_to_itself(window):
    assert window.evaluate("[isSecureContext, typeof crypto.subtle]") == [False, "undefined"]


# -- The vectors ----------------------------------------------------------------------------------

TAKEN = """async ([seed, label, count, way]) => {
    const { below, bytesOf, words } = await import("/js/verify/chance.js");
    const stream = words(bytesOf(seed), label);
    const draw = way ? () => below(stream, BigInt(way)) : () => stream.next().value;
    return Array.from({ length: count }, () => draw().toString(16));
}"""


def taken(window, label, count, m=""):
    """The first words of a stream, or numbers below m, as hexadecimal digits."""
    return window.evaluate(TAKEN, [VECTORS["seed"], label, count, m])


@pytest.mark.parametrize("vector", VECTORS["streams"], ids=lambda vector: vector["label"])
def test_streams_are_those_of_the_vectors(window, vector):
    found = taken(window, vector["label"], len(vector["words"]))
    assert [word.zfill(16) for word in found] == vector["words"]


@pytest.mark.parametrize("vector", VECTORS["below"], ids=lambda vector: str(vector["m"]))
def test_numbers_are_those_of_the_vectors(window, vector):
    found = taken(window, vector["label"], len(vector["numbers"]), str(vector["m"]))
    assert [int(number, 16) for number in found] == vector["numbers"]


def test_words_are_passed_over_as_in_the_vectors(window):
    [vector] = VECTORS["below_with_words_passed_over"]
    found = taken(window, vector["label"], len(vector["numbers"]), f"0x{vector['m']}")
    assert [number.zfill(16) for number in found] == vector["numbers"]


def test_draws_are_those_of_the_vectors(window):
    found = window.evaluate(
        """async ([seed, vectors]) => {
            const { Chance } = await import("/js/verify/chance.js");
            const { deckOf } = await import("/js/verify/deals.js");
            const of = (vector) => new Chance({ seed, ...vector });
            return {
                deals: vectors.deals.map((each) => of(each).deal(each.round, deckOf(each))),
                dealers: vectors.dealers.map((each) => of(each).dealer(each.players)),
                claims: vectors.claims.map((each) => of(each).claimant(each.round, each.window, each.claimants)),
                house: vectors.house.map((each) => of(each).house(each.leg, each.decision, each.seat, each.legal_moves)),
            };
        }""",
        [VECTORS["seed"], VECTORS],
    )
    for kind, said in (
        ("deals", "shuffled"),
        ("dealers", "dealer"),
        ("claims", "taker"),
        ("house", "index"),
    ):
        assert found[kind] == [vector[said] for vector in VECTORS[kind]], kind


@pytest.mark.parametrize("length", [0, 1, 55, 56, 63, 64, 65, 119, 1000])
def test_a_hash_is_right_at_every_length_of_the_padding(window, length):
    found = window.evaluate(
        """async (length) => {
            const { sha256 } = await import("/js/verify/sha256.js");
            return [...sha256(Uint8Array.from({ length }, (_, at) => at % 251))];
        }""",
        length,
    )
    assert bytes(found) == sha256(bytes(at % 251 for at in range(length))).digest()


@pytest.mark.parametrize("players", range(2, 9))
def test_the_seatings_are_balanced_and_others_are_not(called, players):
    legs = seatings(players)
    assert called("seating", "isBalanced", legs, players)
    assert not called("seating", "isBalanced", [*legs[:-1], legs[0]], players)


# -- Right replays --------------------------------------------------------------------------------


@pytest.mark.parametrize("variant", VARIANTS, ids=str)
def test_a_right_replay_of_every_table_is_found_right(outcomes, variant):
    right = make_replay(variant.game, variant.players, variant.options, rate=0.05)
    found = outcomes(right)
    assert {check["outcome"] for check in found.values()} <= {"same", "nothing"}, found
    assert found["deals"]["compared"] >= variant.players
    assert found["moves"]["compared"] == sum(
        len(decision["moves"]) for decision in right["legs"][0]["decisions"]
    )
    assert found["house"]["compared"] == sum(
        wall_ms is None
        for leg in right["legs"]
        for decision in leg["decisions"]
        for wall_ms in decision["wall_ms"]
    )


@pytest.fixture(scope="module")
def right():
    """Whole matches with house moves in them, by name."""
    return {
        "sticheln": make_replay("sticheln", 3, legs=None, rate=0.02),
        "undealt": make_replay("sticheln", 7, legs=1),
        "misery": make_replay("sticheln", 4, {"rules": "misery"}, legs=None, rate=0.02),
        "stop-it": make_replay("stop-it", 4, legs=None, rate=0.01),
        "color-stock": make_replay("color-stock", 2, legs=None, rate=0.05),
    }


def test_right_replays_of_whole_matches_are_found_right(outcomes, right):
    for name, replay in right.items():
        found = outcomes(replay)
        assert {check["outcome"] for check in found.values()} <= {"same", "nothing"}, name
    assert outcomes(right["stop-it"])["claims"]["compared"] > 10
    assert outcomes(right["misery"])["dealer"]["compared"] == 4
    assert outcomes(right["undealt"])["seating"]["outcome"] == "nothing"


# -- Wrong replays --------------------------------------------------------------------------------


def first(replay, name, leg=0, **about):
    """The first event of that name in a leg."""
    return next(
        event
        for event in replay["legs"][leg]["events"]
        if event["event"] == name and about.items() <= event.items()
    )


def other_seed(replay):
    replay["seed"] = f"{int(replay['seed'][0], 16) ^ 1:x}{replay['seed'][1:]}"


def other_hash(replay):
    replay["seed_sha256"] = "0" * 64


def same_seats_twice(replay):
    replay["legs"][1]["seating"] = replay["legs"][0]["seating"]


def cards_changed_hands(replay):
    one, other = (first(replay, "dealt", leg=1, seat=seat)["hand"] for seat in (0, 1))
    one[0], other[0] = other[0], one[0]


def unsorted_hand(replay):
    first(replay, "dealt")["hand"].reverse()


def hand_left_out(replay):
    replay["legs"][0]["events"].remove(first(replay, "dealt", seat=1))


def round_left_out(replay):
    first(replay, "round", round=2)["round"] = 3


def nothing_dealt(replay):
    replay["legs"][0] |= {"decisions": [], "events": []}


def undealt_turned(replay):
    first(replay, "undealt")["cards"].reverse()


def undealt_hidden(replay):
    replay["legs"][0]["events"].remove(first(replay, "undealt"))


def pile_stacked(replay):
    first(replay, "turned_up")["cards"][:] = ["red", "blue"]
    first(replay, "turned_up", leg=1)["cards"][:] = ["blue", "red"]


def other_dealer(replay):
    opening = first(replay, "round")
    opening["leader"] = (opening["leader"] + 1) % replay["players"]


def other_claimant(replay):
    for leg in replay["legs"]:
        stopped = [event for event in leg["events"] if event["event"] == "stopped"]
        claims = [
            [
                seat
                for seat, move in zip(each["seats"], each["moves"], strict=True)
                if move == "claim"
            ]
            for each in leg["decisions"]
        ]
        for event, claimants in zip(stopped, filter(None, claims), strict=True):
            if len(claimants) > 1:
                event["seat"] = next(seat for seat in claimants if seat != event["seat"])
                return


def other_house_move(replay):
    leg = next(leg for leg in replay["legs"] if leg["faults"])
    decision = next(each for each in leg["decisions"] if None in each["wall_ms"])
    at = decision["wall_ms"].index(None)
    decision["moves"][at] = next(
        move for each in leg["decisions"] for move in each["moves"] if move != decision["moves"][at]
    )


def other_move(replay):
    decision = replay["legs"][0]["decisions"][1]
    decision["moves"][0] = "red-0" if decision["moves"][0] != "red-0" else "red-1"


def card_from_the_sleeve(replay):
    """A move and its event name a card of somebody else."""
    leg = replay["legs"][0]
    other = first(replay, "dealt", seat=1)["hand"][0]
    first(replay, "pain")["cards"][0] = leg["decisions"][0]["moves"][0] = other


WRONG = [
    ("sticheln", other_seed, "seed"),
    ("stop-it", other_hash, "seed"),
    ("sticheln", same_seats_twice, "seating"),
    ("sticheln", cards_changed_hands, "deals"),
    ("stop-it", cards_changed_hands, "deals"),
    ("color-stock", unsorted_hand, "deals"),
    ("sticheln", hand_left_out, "deals"),
    ("misery", round_left_out, "deals"),
    ("stop-it", nothing_dealt, "deals"),
    ("undealt", undealt_turned, "deals"),
    ("undealt", undealt_hidden, "deals"),
    ("color-stock", pile_stacked, "deals"),
    ("stop-it", other_dealer, "deals"),
    ("misery", other_dealer, "dealer"),
    ("stop-it", other_claimant, "claims"),
    ("sticheln", other_house_move, "house"),
    ("color-stock", other_house_move, "house"),
    ("sticheln", other_move, "moves"),
    ("stop-it", other_move, "moves"),
    ("sticheln", card_from_the_sleeve, "moves"),
]


@pytest.mark.parametrize(
    ("name", "tamper", "check"), WRONG, ids=lambda given: getattr(given, "__name__", given)
)
def test_a_wrong_replay_is_found_wrong_where_it_is(outcomes, right, name, tamper, check):
    wrong = deepcopy(right[name])
    tamper(wrong)
    with pytest.raises(replays.Difference):
        replays.verify(wrong)
    found = outcomes(wrong)[check]
    assert found["outcome"] == "differs", found
    assert found["difference"]["expected"] != found["difference"]["found"]


def test_the_first_difference_is_told_with_its_place(outcomes, right):
    wrong = deepcopy(right["sticheln"])
    hand = first(wrong, "dealt", leg=1, seat=0)["hand"]
    dealt = " ".join(hand)
    hand.pop()
    assert outcomes(wrong)["deals"]["difference"] == {
        "where": {"leg": 2, "round": 1, "seat": 0},
        "expected": dealt,
        "found": " ".join(hand),
    }


def test_the_seed_is_also_compared_with_the_hash_published_before(outcomes, right):
    published = "ab" * 32
    found = outcomes(right["sticheln"], published)["seed"]
    assert (found["outcome"], found["difference"]["found"]) == ("differs", published)


@pytest.mark.parametrize("missing", ["legs", "seed", "options", "game"])
def test_what_is_no_replay_cannot_be_read(outcomes, right, missing):
    broken = {key: value for key, value in right["sticheln"].items() if key != missing}
    assert "unreadable" in {check["outcome"] for check in outcomes(broken).values()}
