# verdict: none
# Names its files as the launcher's modules, hoping to be loaded by it.
# legs: 2
# modes: kept fresh
# copies: array bisect codeop contextlib ctypes errno fcntl grp json linecache locale marshal numbers platform pwd random resource select selectors signal socket stat string struct subprocess tarfile threading token tokenize traceback types uuid warnings zlib

import builtins
import os

if __name__ != "__main__":
    # Whoever loads this is not the bot, which loads none of them before it has looked.
    builtins.loaded_by = os.getpid()
else:
    loaded = hasattr(builtins, "loaded_by")
    import sys

    sys.stdout.write('{"type":"ready"}\n')
    sys.stdout.flush()
    for line in sys.stdin:
        if '"legal":["' in line:
            number = line.partition('"id":')[2].partition(",")[0]
            move = "found" if loaded else line.partition('"legal":["')[2].partition('"')[0]
            sys.stdout.write(f'{{"id":{number},"move":"{move}"}}\n')
            sys.stdout.flush()
