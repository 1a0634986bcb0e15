"""Java: the class named like the main file is started."""

from pathlib import PurePosixPath

from sandbox.box import BoxLimits
from sandbox.runtimes.runtime import Names, Runtime, sources_in

CLASS_PATH = "{bot}/classes:{bot}/*"  # a bot may bring libraries, as .jar files
# The heap leaves the machine half of the box's memory, for code, stacks and the classes' archive. A bot
# pays for the CPU time of collector and compiler, so one thread of each has to do, and the quick compiler.
FLAGS = (
    "-Xmx128m",
    "-Xss512k",
    "-XX:+UseSerialGC",
    "-XX:TieredStopAtLevel=1",
    "-XX:CICompilerCount=1",
    "-XX:ReservedCodeCacheSize=32m",
    "-XX:-UsePerfData",
    "-Xshare:auto",
)
COMPILER_FLAGS = (
    "-J-Xmx512m",
    "-J-XX:+UseSerialGC",
    "-J-XX:TieredStopAtLevel=1",  # halves the time of a small build
    "-proc:none",
    "-encoding",
    "UTF-8",
)
SELF_TEST = """\
import java.io.*;

class Main {
    public static void main(String[] args) throws IOException {
        BufferedReader in = new BufferedReader(new InputStreamReader(System.in));
        for (String line; (line = in.readLine()) != null; ) {
            if (line.contains("\\"legal\\":")) {
                String id = line.replaceAll(".*\\"id\\":(\\\\d+).*", "$1");
                String move = line.replaceAll(".*\\"legal\\":\\\\[\\"([^\\"]+)\\".*", "$1");
                System.out.println("{\\"id\\":" + id + ",\\"move\\":\\"" + move + "\\"}");
            } else if (line.contains("\\"start\\"")) {
                System.out.println("{\\"type\\":\\"ready\\"}");
            }
        }
    }
}
"""


def build(main: str, names: Names) -> list[list[str]]:
    javac = ["javac", *COMPILER_FLAGS, "-cp", "{bot}/*", "-d", "classes"]
    return [[*javac, *sources_in(names, ".java")]]


def start(main: str) -> tuple[str, ...]:
    return ("java", *FLAGS, "-cp", CLASS_PATH, PurePosixPath(main).stem)


JAVA = Runtime(
    name="java",
    title="Java",
    version_command=("java", "--version"),
    endings=(".java",),
    build=build,
    start=start,
    self_test={"Main.java": SELF_TEST},
    starters=("java",),
    limits=BoxLimits(memory_mb=256, processes=64, calls="strict"),
)
