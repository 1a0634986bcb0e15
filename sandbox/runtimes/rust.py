"""Rust: the main file and the modules it names, without crates from elsewhere."""

from sandbox.runtimes.runtime import PROGRAM, START_PROGRAM, Names, Runtime

FLAGS = ("--edition=2021", "--crate-name=bot", "-O", "-Ccodegen-units=1", "-Cstrip=symbols")
SELF_TEST = """\
use std::io::BufRead;

fn main() {
    for line in std::io::stdin().lock().lines().map(|line| line.unwrap()) {
        if let Some((_, legal)) = line.split_once("\\"legal\\":[\\"") {
            let (_, id) = line.split_once("\\"id\\":").unwrap();
            let id = id.split(|c: char| !c.is_ascii_digit()).next().unwrap();
            println!("{{\\"id\\":{},\\"move\\":\\"{}\\"}}", id, legal.split('"').next().unwrap());
        } else if line.contains("\\"start\\"") {
            println!("{{\\"type\\":\\"ready\\"}}");
        }
    }
}
"""


def build(main: str, names: Names) -> list[list[str]]:
    return [["rustc", *FLAGS, "-o", PROGRAM, f"./{main}"]]


RUST = Runtime(
    name="rust",
    title="Rust",
    version_command=("rustc", "--version"),
    endings=(".rs",),
    build=build,
    start=lambda main: START_PROGRAM,
    self_test={"main.rs": SELF_TEST},
    also_main=("src/main.rs",),
)
