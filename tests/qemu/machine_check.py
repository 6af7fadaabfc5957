#!/usr/bin/env -S python3 -B
# SPDX-License-Identifier: MIT
"""Machine checks of QEMU's making, in ring 3 and in ring 0: each ends the image with a dump that says where it was
and what the bank holds.

They come by the host's clock, in a machine that stands still meanwhile, at the ring that is asked for.  What is told
must agree with the CS that is told; where another task was struck than is asked for the boot is repeated.
"""

import pathlib
import re
import tempfile
import threading
import time

import lib
import qmp

VECTOR = 18
BANK = 1
ADDRESS, MISC = 0x123456000, 0x8c
STATUS = 0xbe00000000000135  # valid, uncorrected, enabled, misc and address valid, context corrupt; a data read
GLOBAL = 0x4                 # of MCG_STATUS: a check is in progress
SAID = 400                   # bytes of the stream, by which the tasks run
LOOK = 0.01                  # seconds between two looks at it
TRIES = 4                    # another task of that ring has less than a tenth of the time
RINGS = {"user": 3, "kernel": 0}
USER_CODE = range(0x400000, 0x7ffffffff000)


class Failing(threading.Thread):
    """A machine that raises one machine check, once its window has begun."""

    def __init__(self, path, dump, ring):
        super().__init__()
        self.path, self.dump, self.ring = path, dump, ring

    def stands(self, machine):
        """Whether it does so at the ring; else it goes on."""
        machine.do("stop")
        if f"CPL={self.ring}" in machine.monitor("info registers"):
            return True
        machine.do("cont")
        return False

    def run(self):
        try:
            with qmp.Qmp(self.path) as machine:
                before, now = -1, 0
                while now < SAID or now > before:  # till PROBE, which is at ring 0, has sent all that it has
                    time.sleep(LOOK)
                    before, now = now, self.dump.stat().st_size if self.dump.exists() else 0
                while not self.stands(machine):
                    time.sleep(LOOK)
                machine.monitor(f"mce 0 {BANK} {STATUS:#x} {GLOBAL:#x} {ADDRESS:#x} {MISC:#x}")
                machine.do("cont")
        except (OSError, ValueError, TimeoutError):
            pass  # the image has ended meanwhile: what it said is looked at


def strike(name, tasks, aim, options=()):
    """One boot with one machine check: the run, the image's sentences, the ring that was struck by its CS."""
    dump = lib.folder() / f"{name}.dump"
    dump.unlink(missing_ok=True)
    with tempfile.TemporaryDirectory() as folder:
        path = pathlib.Path(folder) / "qmp"
        failing = Failing(path, dump, aim)
        failing.start()
        run = lib.boot(name, f"tasks={tasks} output=frames rate=1000 seconds=60 seed=1",
                       options=(*(options or ("--door", "rom")), *qmp.options(path)))
        failing.join()
    said = [head["text"] for head, _ in lib.records(run.dump, "TEXT")]
    cs = re.search(r" cs (0x[0-9a-f]+)", "\n".join(said))
    return run, said, int(cs[1], 16) & 3 if cs else None


def check(checks, name, tasks, where, mode, task, options=()):
    for _ in range(TRIES):
        run, said, ring = strike(name, tasks, RINGS[mode], options)
        if ring is None or f"task {task}" in said[-1]:
            break
    checks.check(ring == RINGS[mode], f"{name}: ring {ring} was struck")
    text = "\n".join(said)
    checks.check(run.status == lib.FAILURE, f"{name}: the image ends with failure ({run.status}) {run.said.strip()}")
    head = next((line for line in said if "exception in" in line), "")
    checks.check(f"exception in {where}: machine check (vector {VECTOR})" in head, f"{name}: {head}")
    rip = re.search(r"at (0x[0-9a-f]+)", head)
    checks.check(rip and (int(rip[1], 16) in USER_CODE) == (mode == "user"), f"{name}: at an address of that ring")
    bank = f"machine check, bank {BANK}: status {STATUS:#x}, address {ADDRESS:#x}, misc {MISC:#x}"
    checks.check(text.count("machine check, bank") == 1 and bank in text, f"{name}: {bank}")
    checks.check(said and f"mode {mode}, task {task}" in said[-1], f"{name}: {said[-1:]}")
    checks.check(not list(lib.records(run.dump, "FAULT")), f"{name}: no task is blamed")


def main():
    checks = lib.Checks()
    check(checks, "ring3", "spin", "a task", "user", "SPIN")
    check(checks, "ring0", "shadow", "the kernel", "kernel", "SHADOW")
    checks.finish()


if __name__ == "__main__":
    main()
