"""C++: all C++ files make one program."""

from sandbox.runtimes.runtime import PROGRAM, START_PROGRAM, Names, Runtime, sources_in

ENDINGS = (".cpp", ".cc", ".cxx")
SELF_TEST = """\
#include <iostream>
#include <string>

int main() {
    for (std::string line; std::getline(std::cin, line);) {
        const auto id = line.find("\\"id\\":"), legal = line.find("\\"legal\\":[\\"");
        if (legal != line.npos) {
            const auto move = line.substr(legal + 10, line.find('"', legal + 10) - legal - 10);
            std::cout << "{\\"id\\":" << std::stoi(line.substr(id + 5)) << ",\\"move\\":\\"" << move << "\\"}" << std::endl;
        } else if (line.find("\\"start\\"") != line.npos) {
            std::cout << "{\\"type\\":\\"ready\\"}" << std::endl;
        }
    }
}
"""


def build(main: str, names: Names) -> list[list[str]]:
    return [["g++", "-std=gnu++20", "-O2", "-pthread", "-o", PROGRAM, *sources_in(names, *ENDINGS)]]


CPP = Runtime(
    name="cpp",
    title="C++",
    version_command=("g++", "--version"),
    endings=ENDINGS,
    build=build,
    start=lambda main: START_PROGRAM,
    self_test={"main.cpp": SELF_TEST},
)
