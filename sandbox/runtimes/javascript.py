"""JavaScript: nothing to build, Node starts the main file."""

from sandbox.box import BoxLimits
from sandbox.runtimes.runtime import Runtime

# The rest of the box's memory is Node's own. A bot pays for the CPU time of all its threads, so helpers that
# collect and compile beside it only cost.
FLAGS = ("--max-old-space-size=160", "--single-threaded")
SELF_TEST = """\
const lines = require("readline").createInterface({ input: process.stdin });
lines.on("line", (line) => {
  const message = JSON.parse(line);
  if (message.type === "start") console.log('{"type":"ready"}');
  if (message.type === "move") console.log(JSON.stringify({ id: message.id, move: message.legal[0] }));
});
"""

JAVASCRIPT = Runtime(
    name="javascript",
    title="JavaScript",
    version_command=("node", "--version"),
    endings=(".js", ".mjs", ".cjs"),
    start=lambda main: ("node", *FLAGS, "{bot}/" + main),
    self_test={"main.js": SELF_TEST},
    starters=("node", "nodejs"),
    limits=BoxLimits(memory_mb=256, processes=64, calls="strict"),
)
