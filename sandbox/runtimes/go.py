"""Go: the folder is built if it is a module, else its topmost files."""

from sandbox.box import BoxLimits
from sandbox.runtimes.runtime import PROGRAM, START_PROGRAM, Names, Runtime, sources_in

CACHE = "{bot}/.go-cache"
ENVIRONMENT = ("CGO_ENABLED=0", "GOFLAGS=-buildvcs=false", f"GOCACHE={CACHE}", "GOPROXY=off")
SELF_TEST = """\
package main

import (
	"bufio"
	"encoding/json"
	"fmt"
	"os"
)

func main() {
	lines := bufio.NewReader(os.Stdin)
	for {
		line, err := lines.ReadBytes('\\n')
		if err != nil {
			return
		}
		var message struct {
			Type  string
			Id    int
			Legal []string
		}
		json.Unmarshal(line, &message)
		if message.Type == "start" {
			fmt.Println(`{"type":"ready"}`)
		} else if message.Type == "move" {
			fmt.Printf("{\\"id\\":%d,\\"move\\":%q}\\n", message.Id, message.Legal[0])
		}
	}
}
"""


def build(main: str, names: Names) -> list[list[str]]:
    topmost = [name for name in names if "/" not in name and not name.endswith("_test.go")]
    what = ["."] if "go.mod" in names else sources_in(topmost, ".go")
    go = ["env", *ENVIRONMENT, "go", "build", "-ldflags=-s -w", "-o", PROGRAM, *what]
    return [go, ["rm", "-rf", CACHE]]  # the cache is larger than a bot may be


GO = Runtime(
    name="go",
    title="Go",
    version_command=("go", "version"),
    endings=(".go",),
    build=build,
    start=lambda main: START_PROGRAM,
    limits=BoxLimits(calls="strict"),  # its timers open a pipe
    self_test={"main.go": SELF_TEST},
)
