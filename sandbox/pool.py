"""Boxes at hand: kept ones by program, fresh ones started ahead, and the burial of those no longer wanted."""

import threading
import time
from collections import OrderedDict, deque
from concurrent.futures import ThreadPoolExecutor
from typing import Protocol

from sandbox import settings
from sandbox.box import BoxLimits, InfrastructureFault, Program
from sandbox.engine import Engine
from sandbox.fresh import FreshBox
from sandbox.kept import KeptBox

HANDS = 4  # engine calls at the same time, so that one that hangs holds up nobody
KINDS_AHEAD = 3  # limits for which fresh boxes are started ahead

Key = tuple[str, tuple[str, ...], BoxLimits]


class Closable(Protocol):
    born_s: float

    def hang_up(self) -> None: ...

    def close(self) -> None: ...


class Undertaker:
    """Ends boxes: at once as far as they listen, by the engine in the background."""

    def __init__(self) -> None:
        self.hands = ThreadPoolExecutor(HANDS, thread_name_prefix="boxes")

    def bury(self, box: Closable) -> None:
        box.hang_up()
        try:
            self.hands.submit(box.close)
        except RuntimeError:  # we are closed; whoever comes so late waits for it
            box.close()

    def close(self) -> None:
        self.hands.shutdown(wait=True)


class KeptPool:
    """Boxes that stay up for their programs. Of those not in play, the one used longest ago goes first."""

    def __init__(
        self, engine: Engine, how: settings.BoxSettings, most: int, undertaker: Undertaker
    ) -> None:
        self.engine = engine
        self.how = how
        self.most = most
        self.undertaker = undertaker
        self.lock = threading.Lock()
        self.idle: OrderedDict[KeptBox, Key] = OrderedDict()
        self.playing: dict[KeptBox, Key] = {}
        self.starting = 0
        self.closed = False

    def take(self, program: Program) -> KeptBox:
        key = (program.sha256, program.command, program.limits)
        with self.lock:
            box = self.idle_box(key)
            if box:
                self.playing[box] = key
                return box
            self.starting += 1
            self.make_room()
        try:
            box = KeptBox(self.engine, self.how, program)
            with self.lock:
                self.playing[box] = key
            return box
        finally:
            with self.lock:
                self.starting -= 1

    def idle_box(self, key: Key) -> KeptBox | None:
        for box in [box for box, its in reversed(self.idle.items()) if its == key]:
            del self.idle[box]
            if young(box, self.how) and box.said(0) is None:
                return box
            self.undertaker.bury(box)
        return None

    def make_room(self) -> None:
        """Boxes in play are never too many: a seat without one could not be played."""
        while self.idle and len(self.idle) + len(self.playing) + self.starting > self.most:
            self.undertaker.bury(self.idle.popitem(last=False)[0])

    def give_back(self, box: KeptBox) -> None:
        with self.lock:
            key = self.playing.pop(box, None)
            if key and box.usable and not self.closed:
                self.idle[box] = key
                self.make_room()
            else:
                self.undertaker.bury(box)

    def close(self) -> None:
        with self.lock:
            self.closed = True
            for box in [*self.idle, *self.playing]:
                self.undertaker.bury(box)
            self.idle.clear()
            self.playing.clear()


class FreshPool:
    """Boxes started ahead, for the limits that were asked for last."""

    def __init__(
        self, engine: Engine, how: settings.BoxSettings, ahead: int, undertaker: Undertaker
    ) -> None:
        self.engine = engine
        self.how = how
        self.ahead = ahead
        self.undertaker = undertaker
        self.lock = threading.Lock()
        self.ready: OrderedDict[BoxLimits, deque[FreshBox]] = OrderedDict()
        self.coming: dict[BoxLimits, int] = {}
        self.hands = ThreadPoolExecutor(HANDS, thread_name_prefix="boxes-ahead")
        self.playing: set[FreshBox] = set()
        self.closed = False

    def take(self, limits: BoxLimits) -> FreshBox:
        box = self.ready_box(limits) or FreshBox(self.engine, self.how, limits)
        with self.lock:
            self.playing.add(box)
        self.refill(limits)
        return box

    def ready_box(self, limits: BoxLimits) -> FreshBox | None:
        with self.lock:
            boxes = self.ready.setdefault(limits, deque())
            self.ready.move_to_end(limits)
            while boxes:
                box = boxes.popleft()
                if young(box, self.how) and not box.ready(0):
                    return box
                self.undertaker.bury(box)
        return None

    def refill(self, limits: BoxLimits) -> None:
        with self.lock:
            there = len(self.ready.get(limits, ())) + self.coming.get(limits, 0)
            wanted = 0 if self.closed else self.ahead - there
            self.coming[limits] = self.coming.get(limits, 0) + max(0, wanted)
            while len(self.ready) > KINDS_AHEAD:
                for box in self.ready.popitem(last=False)[1]:
                    self.undertaker.bury(box)
            for _ in range(wanted):
                self.hands.submit(self.add, limits)

    def add(self, limits: BoxLimits) -> None:
        """What fails here fails again, and is told, where a box is wanted."""
        box = None
        try:
            if not self.closed:
                box = FreshBox(self.engine, self.how, limits)
        except InfrastructureFault:
            pass
        finally:
            with self.lock:
                self.coming[limits] -= 1
                wanted = not self.closed and limits in self.ready
                if box and wanted:
                    self.ready[limits].append(box)
            if box and not wanted:
                self.undertaker.bury(box)

    def give_back(self, box: FreshBox) -> None:
        with self.lock:
            self.playing.discard(box)
        self.undertaker.bury(box)

    def close(self) -> None:
        self.closed = True
        self.hands.shutdown(wait=True, cancel_futures=True)
        with self.lock:
            for box in [*self.playing, *(box for boxes in self.ready.values() for box in boxes)]:
                self.undertaker.bury(box)
            self.ready.clear()
            self.playing.clear()


def young(box: Closable, how: settings.BoxSettings) -> bool:
    """Whether a box has time left for a whole leg."""
    return time.monotonic() - box.born_s < how.lifetime_s / 2
