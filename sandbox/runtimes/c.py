"""C: all .c files make one program."""

from sandbox.runtimes.runtime import PROGRAM, START_PROGRAM, Names, Runtime, sources_in

SELF_TEST = """\
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static char line[70000];

int main(void) {
    while (fgets(line, sizeof line, stdin)) {
        char *id = strstr(line, "\\"id\\":"), *legal = strstr(line, "\\"legal\\":[\\"");
        if (id && legal)
            printf("{\\"id\\":%d,\\"move\\":\\"%.*s\\"}\\n", atoi(id + 5), (int)strcspn(legal + 10, "\\""), legal + 10);
        else if (strstr(line, "\\"start\\""))
            puts("{\\"type\\":\\"ready\\"}");
        fflush(stdout);
    }
}
"""


def build(main: str, names: Names) -> list[list[str]]:
    return [
        ["gcc", "-std=gnu17", "-O2", "-pthread", "-o", PROGRAM, *sources_in(names, ".c"), "-lm"]
    ]


C = Runtime(
    name="c",
    title="C",
    version_command=("gcc", "--version"),
    endings=(".c",),
    build=build,
    start=lambda main: START_PROGRAM,
    self_test={"main.c": SELF_TEST},
)
