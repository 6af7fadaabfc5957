#!/usr/bin/env -S python3 -B
# SPDX-License-Identifier: MIT
"""Boots a task for every kind of fault: each ends alone, with its record, and the others go on."""

import subprocess

import lib

DIVIDE, OPCODE, STACK, PROTECTION, PAGE = 0, 6, 12, 13, 14
USER_CODE = 0x401000
USER_STACK = 0x00007fffffffefe0

# By ring (U is 3, S is 1) and kind: the vectors that are right, and the address that a page fault is to tell where it
# is known beforehand (kernel/abi/fault_injection.h).
BOTH = {
    "READ": ((PAGE,), 0x0000123456789000),
    "WRITE": ((PAGE,), None),
    "EXEC": ((PAGE,), None),
    "PRIV": ((PROTECTION,), None),
    "PORT": ((PROTECTION,), None),
    "DIV": ((DIVIDE,), None),
    "UD": ((OPCODE,), None),
    "RECUR": ((PAGE,), None),
    "STACK": ((PAGE, STACK), None),
}
KINDS = {
    "U": BOTH | {"KERN": ((PAGE,), 0xffffffff80100000), "UMIP": ((PROTECTION,), None),
                 "SCALL": ((OPCODE,), None), "SENTER": ((OPCODE, PROTECTION), None), "XGETBV": ((OPCODE,), None),
                 "GATE": ((PROTECTION,), None)},
    "S": BOTH | {"USER": ((PAGE,), USER_STACK), "ACUSER": ((PAGE,), USER_STACK), "UEXEC": ((PAGE,), USER_CODE)},
}
RINGS = {"U": "user", "S": "supervisor"}
CULPRITS = {ring + kind for ring, kinds in KINDS.items() for kind in kinds}
GOOD = ("GOOD1", "GOOD2")
GOOD_PERCENT = 6.0  # 2 % in each of three modes, kernel/workload/workload_faults.c
GOOD_OFF = 0.10     # as for a cell of Figure 3
OTHERS = {*GOOD, "PROBE", "IDLE", *lib.NOT_TASKS}
FETCH = 1 << 4      # bit of a page fault's error code: it was an instruction fetch


def symbols(elf):
    """Name and address of each: names of statics are not alone."""
    lines = subprocess.run(["nm", lib.ROOT / elf], stdout=subprocess.PIPE, text=True, check=True).stdout.splitlines()
    return [(name, int(address, 16)) for address, _, name in (line.split() for line in lines)]


def code_and_data():
    """For each ring: where its code is, and the bytes that are no code but are jumped to."""
    user, kernel = symbols("build/tasks/culprit.elf"), symbols("build/cpuprobe.elf")
    data = [{a for name, a in table if name.startswith("data.")} for table in (user, kernel)]
    user, kernel = dict(user), dict(kernel)
    return {"U": (range(USER_CODE, user["__bss_start"]), data[0]),
            "S": (range(kernel["image_start"], kernel["text_end"]), data[1])}


def check_fault(checks, places, fault):
    name, pc, address = fault["name"], int(fault["pc"], 16), int(fault["address"], 16)
    ring, kind = name[0], name[1:]
    vectors, known = KINDS[ring][kind]
    code, data = places[ring]
    checks.check(fault["mode"] == RINGS[ring], f"{name}: in {fault['mode']} mode")
    checks.check(fault["vector"] in vectors, f"{name}: vector {fault['vector']}, {fault['cause']}")
    if kind in ("EXEC", "UEXEC"):
        target = data if kind == "EXEC" else {known}
        checks.check(pc == address and pc in target and fault["error"] & FETCH,
                     f"{name}: fetched from {pc:#x}, no code of its")
    else:
        checks.check(pc in code, f"{name}: pc {pc:#x} is in its code")
    if known is not None:
        checks.check(address == known, f"{name}: touched {address:#x}")


def exact_by_snapshot(dump, name):
    """The exact time of a task, all modes, in each snapshot, and when that was made."""
    ids = {r["name"]: r["id"] for _, rows in lib.records(dump, "NAMES") for r in rows}
    made = {head["serial"]: head["made"] for head, _ in lib.records(dump, "SNAPSHOT")}
    time = {}
    for head, rows in lib.records(dump, "EXACT"):
        for r in rows:
            if r["id"] == ids[name]:
                time[head["serial"]] = sum(r[mode] for mode in lib.MODES)
    return [(made[serial], time[serial]) for serial in sorted(time)]


def check_good(checks, table, dump, last_fault):
    for name in GOOD:
        exact = lib.row(table, name)["total"]["exact"]
        checks.check(abs(exact - GOOD_PERCENT) <= GOOD_OFF * GOOD_PERCENT, f"{name} has {exact:.3f} % of the CPU")
        after = [time for made, time in exact_by_snapshot(dump, name) if made > last_fault]
        grows = all(a < b for a, b in zip(after, after[1:]))
        checks.check(len(after) > 2 and grows, f"{name} goes on: its time grows in all {len(after)} snapshots after")


def main():
    checks = lib.Checks()
    table = lib.boot_table(checks, "faults", "tasks=faults rate=1000 seconds=5 seed=1")
    names = [f["name"] for f in table["faults"]]
    started = {r["name"] for r in table["tasks"]} - OTHERS
    checks.check(started == CULPRITS, f"{len(started)} culprits: {' '.join(sorted(started))}")
    checks.check(sorted(names) == sorted(started), f"one record each: {' '.join(names)}")
    places = code_and_data()
    for fault in table["faults"]:
        check_fault(checks, places, fault)
    last = max(f["time"] for f in table["faults"])
    check_good(checks, table, lib.folder() / "faults.dump", last)
    checks.finish()


if __name__ == "__main__":
    main()
