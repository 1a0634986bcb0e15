"""The audit script: small, with no code of the site, and it finds whatever is not as published."""

import ast
import json
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

from bench.synthetic import Field, random_tables
from ratings import log
from ratings.fit import fit
from ratings.results import Match, Results
from ratings.uncertainty import uncertainty

SCRIPT = Path(__file__).resolve().parents[2] / "docs" / "rerate.py"
ANCHOR, REMOVED = 1, 104
PREVIOUS = {12: 7, 13: 12, 14: 3}


def matches():
    """A ladder of 14 versions, the anchor on several seats now and then."""
    chance = np.random.default_rng(14)
    field = Field.of(15, chance)
    tables = 1 + random_tables(14, 40, 4, chance)
    tables[::9, :2] = ANCHOR
    ranks = field.ranks(tables, chance)
    return [
        Match(100 + at, lineup, legs)
        for at, (lineup, legs) in enumerate(zip(tables.tolist(), ranks.tolist(), strict=True))
    ]


def line_of(match):
    return {
        "match": match.id,
        "seed": f"{match.id:064x}",
        "lineup": [
            {"version": version, "bot": version, "owner": version, "sha256": f"{version:064x}"}
            for version in match.lineup
        ],
        "ranks": match.ranks,
        "scores": [[10 * (5 - rank) for rank in leg] for leg in match.ranks],
        "faults": [],
    }


@pytest.fixture(scope="module")
def export():
    played, lines, last = matches(), [], log.BEFORE_THE_FIRST
    for line in [*map(line_of, played), {"remove": REMOVED, "reason": "a helper"}]:
        lines.append(log.chained(line, last) | {"names": {"bots": {"1": "Greedy"}}})
        last = lines[-1]["hash"]
    kept = [match for match in played if match.id != REMOVED]
    known = uncertainty(fit(Results.of(kept, players=4, legs=4), anchor=ANCHOR, previous=PREVIOUS))
    header = {"export": "kibitz ladder", "format": 1, "ladder": "a-ladder", "anchor": ANCHOR}
    return [header, *lines, {"last": last, "versions": log.published(known, PREVIOUS)}]


@pytest.fixture
def rerate(tmp_path):
    def run(export):
        path = tmp_path / "export.ndjson"
        text = "".join(f"{json.dumps(line, ensure_ascii=False)}\n" for line in export)
        path.write_text(text, encoding="utf-8")
        return subprocess.run(
            [sys.executable, SCRIPT, path],
            capture_output=True,
            text=True,
            check=False,
            cwd=tmp_path,
        )

    return run


def changed(export, at, **more):
    return [line | more if number == at else line for number, line in enumerate(export)]


def test_the_published_numbers_are_found_again(rerate, export):
    answer = rerate(export)
    assert answer.stdout.splitlines() == [
        "119 matches, 1 removed, 14 versions",
        "Every number is as published, and the chain is unbroken.",
    ]
    assert (answer.returncode, answer.stderr) == (0, "")


def test_a_ladder_without_matches_is_found_right(rerate):
    known = uncertainty(fit(Results.of([], players=4, legs=4), anchor=ANCHOR))
    trailer = {"last": log.BEFORE_THE_FIRST, "versions": log.published(known, {})}
    assert rerate([{"anchor": ANCHOR}, trailer]).returncode == 0


@pytest.mark.parametrize(("what", "by"), [("rating", 0.1), ("plus_minus", 1), ("matches", 1)])
def test_a_number_that_is_not_as_published_is_named(rerate, export, what, by):
    versions = [dict(line) for line in export[-1]["versions"]]
    versions[5][what] = round(versions[5][what] + by, 1)
    answer = rerate(changed(export, len(export) - 1, versions=versions))
    assert answer.returncode == 1
    assert f"version 6: {what} {versions[5][what]} is published" in answer.stdout


def test_a_changed_result_breaks_the_chain(rerate, export):
    ranks = [leg[::-1] for leg in export[20]["ranks"]]
    answer = rerate(changed(export, 20, ranks=ranks))
    assert answer.returncode == 1
    assert "the line of match 119 is not what was hashed" in answer.stdout


def test_a_result_changed_with_its_hash_does_not_fit_the_next_line(rerate, export):
    line = {**export[20], "seed": "f" * 64}
    answer = rerate(changed(export, 20, seed="f" * 64, hash=log.hash_of(line)))
    assert answer.returncode == 1
    assert "the line of match 120 does not follow" in answer.stdout


def test_a_line_that_was_taken_out_is_missed(rerate, export):
    answer = rerate(export[:20] + export[21:])
    assert answer.returncode == 1
    assert "does not follow the line before it" in answer.stdout
    answer = rerate(export[:-2] + export[-1:])
    assert "the last line is not the one that the trailer names" in answer.stdout


def test_names_may_be_taken_out(rerate, export):
    bare = [{key: value for key, value in line.items() if key != "names"} for line in export]
    assert rerate(bare).returncode == 0


@pytest.mark.parametrize("text", ["", "{}\n", "no JSON\n"], ids=["empty", "a stranger", "no JSON"])
def test_what_is_no_export_is_refused(tmp_path, text):
    path = tmp_path / "file"
    path.write_text(text)
    answer = subprocess.run(
        [sys.executable, SCRIPT, path], capture_output=True, text=True, check=False
    )
    assert answer.returncode == 2
    assert "no export" in answer.stderr


def test_the_script_is_short_and_has_no_code_of_the_site():
    source = SCRIPT.read_text(encoding="utf-8")
    assert len(source.splitlines()) < 150
    imported = set()
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Import):
            imported |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            imported.add(node.module)
    roots = {name.partition(".")[0] for name in imported}
    assert roots - sys.stdlib_module_names == {"numpy"}
