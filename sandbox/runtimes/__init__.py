"""The languages of the box, one small file each: how a bot is recognised, built and started."""

from sandbox.runtimes.c import C
from sandbox.runtimes.cpp import CPP
from sandbox.runtimes.go import GO
from sandbox.runtimes.java import JAVA
from sandbox.runtimes.javascript import JAVASCRIPT
from sandbox.runtimes.python import PYTHON
from sandbox.runtimes.runtime import Runtime
from sandbox.runtimes.rust import RUST

RUNTIMES: tuple[Runtime, ...] = (PYTHON, C, CPP, JAVA, JAVASCRIPT, GO, RUST)

__all__ = ["RUNTIMES", "Runtime"]
