#!/usr/bin/env -S python3 -B
# SPDX-License-Identifier: MIT
"""A watchdog that a stage before the image has started (tests/qemu/hostile.asm): it is told of,
and stopped where that is asked for.

Left alone it resets the machine after two time-outs, in the middle of the run.  QEMU's ICH9 has one; that software
may let it reset the machine is an option there.
"""

import os
import re

import lib

SECONDS = 15  # longer than two time-outs
TIMEOUTS = 12  # seconds, both (hostile_states.inc, TCO_COUNTS)
RESETS = ("--qemu-arg", "-global", "--qemu-arg", "ICH9-LPC.noreboot=false")
WARNING = re.compile(r"warning: the chipset's watchdog runs and will reset this machine, in (\d+) seconds")


def boot(name, state, words):
    options = ("--machine", "q35", "--image", "build/qemu/hostile.bin", "--qemu-arg", "-initrd", "--qemu-arg",
               f"build/core.bin {state}", *RESETS)
    run = lib.boot(name, f"output=text rate=100 seconds={SECONDS} tasks=hog1 health=off {words}", options=options)
    return run, run.dump.read_text(errors="replace")


def main():
    os.chdir(lib.ROOT)
    checks = lib.Checks()
    run, text = boot("leave", "tco", "")
    told = WARNING.search(text)
    # It counts down while the image starts, which takes less than two seconds, 0.7 of them for the look.
    checks.check(told and TIMEOUTS - 3 <= int(told[1]) <= TIMEOUTS,
                 f"a running watchdog is told of: {told and told[0]}")
    checks.check(run.status != lib.COMPLETE, f"it resets the machine in mid-run (status {run.status})")
    run, text = boot("stop", "tco", "watchdog=stop")
    checks.check("the chipset's watchdog ran; it is stopped" in text, "watchdog=stop stops it, and says so")
    checks.check(run.status == lib.COMPLETE, f"the run of {SECONDS} s ends well {run.said.strip()}".rstrip())
    for name, state in (("idle", "none"), ("harmless", "tcosoft")):
        run, text = boot(name, state, "")
        told = "watchdog" in text
        checks.check(run.status == lib.COMPLETE and not told,
                     f"{name}: nothing is told, and the run ends well {run.said.strip()}".rstrip())
    checks.finish()


main()
