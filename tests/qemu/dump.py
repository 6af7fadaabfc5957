#!/usr/bin/env -S python3 -B
# SPDX-License-Identifier: MIT
"""Makes the kernel do wrong: the dump of the exception is readable, ends the image, and does not loop."""

import re
import subprocess

import lib

REGISTERS = ("rip", "cs", "rflags", "rsp", "ss", "rax", "rbx", "rcx", "rdx", "rsi", "rdi", "rbp",
             *(f"r{n}" for n in range(8, 16)))
NOWHERE = 0x123456789000  # kernel/abi/fault_injection.h


def said(dump, output):
    """The image's sentences."""
    if output == "frames":
        return [head["text"] for head, _ in lib.records(dump, "TEXT")]
    return [line for line in dump.read_text(errors="replace").splitlines() if line.startswith("cpuprobe: ")]


def functions():
    """Address ranges of the image's functions, by name."""
    listed = subprocess.run(["nm", "-S", lib.ROOT / "build/cpuprobe.elf"], capture_output=True, text=True, check=True)
    rows = [line.split() for line in listed.stdout.splitlines()]
    return {r[3]: range(int(r[0], 16), int(r[0], 16) + int(r[1], 16)) for r in rows if len(r) == 4 and r[2] in "tT"}


def boot(checks, tasks, output):
    run = lib.boot(f"{tasks}-{output}", f"tasks={tasks} output={output} seconds=2")
    checks.check(run.status == lib.FAILURE, f"{tasks} {output}: status {run.status}, {run.said.strip()}")
    return said(run.dump, output)


def check_dump(checks, what, lines, vector):
    head = next((line for line in lines if "exception in the kernel" in line), "")
    checks.check(f"(vector {vector})" in head, f"{what}: {head}")
    text = "\n".join(lines)
    missing = [r for r in REGISTERS if not re.search(rf"\b{r} 0x[0-9a-f]+", text)]
    checks.check(not missing, f"{what}: every register is told but {missing}")
    return head, text


def check_read(checks, output):
    lines = boot(checks, "panic", output)
    head, text = check_dump(checks, f"panic {output}", lines, 14)
    checks.check(f"address {NOWHERE:#x}" in head, f"panic {output}: the address that was touched")
    checks.check("mode kernel, task KREAD" in text, f"panic {output}: mode and task")
    checks.check("stack 0x" in text, f"panic {output}: the stack")
    pc = int(re.search(r"at (0x[0-9a-f]+)", head)[1], 16)
    where = [name for name, span in functions().items() if pc in span]
    checks.check(any("fault" in name or "inject_fault" in name for name in where),
                 f"panic {output}: PC is in {where}")


def main():
    checks = lib.Checks()
    for output in ("text", "frames"):
        check_read(checks, output)
        lines = boot(checks, "overflow", output)  # no stack is left for the page fault: its own stack tells of it
        check_dump(checks, f"overflow {output}", lines, 8)
        checks.check(any("mode kernel, task KRECUR" in line for line in lines), f"overflow {output}: mode and task")
        lines = boot(checks, "panic2", output)
        second = [line for line in lines if "another exception" in line]
        checks.check(len(second) == 1 and lines[-1] == second[0],
                     f"panic2 {output}: the second is told once, and last")
    checks.finish()


if __name__ == "__main__":
    main()
