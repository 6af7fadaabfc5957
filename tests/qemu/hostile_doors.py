#!/usr/bin/env -S python3 -B
# SPDX-License-Identifier: MIT
"""Enters the image with many hostile states at once, by each door: hostile_doors.py DOOR [all].

rom         a stage makes them before the flash image's first instruction
bochs-rom   the same in Bochs, whose local APIC has the mode x2APIC
disk        when the BIOS has read the last sector of the core's file
uefi        when UEFI has ended its boot services
iso         GRUB starts the stage, with the core as its module
linux-q35   QEMU starts it, which enters the core by Linux's 32-bit protocol

One boot has all states that can be together (tests/qemu/hostile.py has them one by one).  The short form has one
state of each kind of the 8254's, and three cures that build/uncured.bin leaves out;
`all` has every state and every cure.
"""

import shutil
import subprocess
import sys

import hostile
import lib

FIRMWARE = ("--firmware", "uefi")
VOLUME = "@@1M"          # of the disk image
PARTITION = 1 << 20
APPLICATION = "EFI/BOOT/BOOTX64.EFI"
SECTOR = 512
LOADER_SECTORS = 32      # boot/disk/disk.inc
SIGNATURE_AT = 440       # of the disk: behind the code of its first sector
MARK = b"hostile states: "  # hostile_resident.asm
WORDS = 256
BLOCK = 1 << 16          # of a flash chip
ENTRY = 256              # hostile_rom.asm, ENTRY_BYTES
RESET = 16
FIRST = 0xfff0           # where the reset vector is in its segment, and its jump of 3 bytes
JUMP = 3

PIT = ("pit2", "pithalf", "pitread", "pitlsb", "pit1", "pit3", "pit4", "pit5", "pitmsb", "pitbcd", "pitstat")
SHORT = 4                # of them; there are as many of the UART
UART = ("uartspd", "uartloop", "uartdlab", "uartfifo")
OTHERS = (("picserv", "hpet", "ioapic", "pending", "periodic", "lint0", "tpr"),
          ("picpend", "hpet", "ioapic", "softoff"))
PROCESSOR = hostile.PROCESSOR

# UEFI's firmware runs in long mode, in which that cannot be changed; Bochs's processor has four levels alone.
NEVER = {"uefi": ("la57",), "bochs-rom": ("la57",)}
# In boots of their own.  QEMU 7.2 emulates no such mode; Bochs's local APIC cannot be enabled again once it is left,
# and the image runs without.
ALSO = {"bochs-rom": ("x2apic",)}

# Of those of hostile.py: of a device that no reset brings in order, of the line, of the processor.
CURES = ("ioapic", "divisor", "efer")
# What Bochs does not tell from a harmless state: its processor takes the 8259's requests whatever LINT0 is, its
# timer needs no mode 0,
# its processor has SMAP, and no keys of pages.
ALIKE = {"bochs-rom": ("lint0", "picpend", "pit2", "pitread", "pitstat", "ldt", "pke")}
# no firmware has enabled the local APIC: nothing is harmless
AT_RESET = {"rom": ("lint0", "svr"), "bochs-rom": ("lint0", "svr")}
UNSEEN = {"bochs-rom": ("divisor",)}  # Bochs does not tell the line's rate
CPU = "max,-smap,vendor=GenuineIntel"  # for the states ldt and sysent
# seconds of wall time for a run that is to fail; one that ends takes four by the slowest door
HANGS = 15


def together(door):
    """The words of each boot."""
    for number, pit in enumerate(PIT):
        others = OTHERS[number % len(OTHERS)]
        # The 8259's states need the 8254 and the UART: they come first.
        states = (others[0], pit, UART[number % len(UART)], *others[1:], *PROCESSOR)
        yield ",".join(state for state in states if state not in NEVER.get(door, ()))


def built(name):
    return (lib.ROOT / "build" / name).read_bytes()


def put_words(data, states, cure):
    """The same bytes with the words in the stage."""
    words = MARK + f"{states} {cure or '-'} ".encode()
    assert len(words) < len(MARK) + WORDS and data.count(MARK) == 1
    at = data.index(MARK)
    return data[:at] + words + data[at + len(words):]


def resident(states, cure):
    return put_words(built("qemu/hostile_resident.bin"), states, cure)


def make_rom(path, core, states, cure):
    chip = bytearray(b"\xff" * BLOCK + built(f"{core}.rom"))
    stage = resident(states, cure)
    chip[:len(stage)] = stage
    entry, reset = len(chip) - RESET - ENTRY, len(chip) - RESET
    assert chip[reset] == 0xe9 and set(chip[entry:reset]) == {0xff}
    begins = FIRST + JUMP + int.from_bytes(chip[reset + 1:reset + JUMP], "little", signed=True)
    code = built("qemu/hostile_rom.bin")[:-8]
    chip[entry:reset] = code + ((1 << 32) - len(chip)).to_bytes(4, "little") + begins.to_bytes(4, "little")
    chip[reset + 1:reset + JUMP] = (-ENTRY - JUMP).to_bytes(2, "little", signed=True)
    path.write_bytes(chip)
    return "--door", "rom"


def mtool(command, image, *arguments):
    return subprocess.run([command, "-i", f"{image}{VOLUME}", *map(str, arguments)], check=True,
                          stdout=subprocess.PIPE, text=True).stdout


def last_sector(image, length):
    """Of the application on the disk's volume, which is one of FAT16."""
    clusters = mtool("mshowfat", image, f"::/{APPLICATION}").replace("<",
                                                                     " ").replace(">", " ").replace("-", " ").split()
    with image.open("rb") as file:
        file.seek(PARTITION)
        boot = file.read(SECTOR)
    each, reserved, fats = boot[13], int.from_bytes(boot[14:16], "little"), boot[16]
    entries, table = int.from_bytes(boot[17:19], "little"), int.from_bytes(boot[22:24], "little")
    data = PARTITION // SECTOR + reserved + fats * table + entries * 32 // SECTOR
    return data + (int(clusters[-1]) - 2) * each + (length - 1) // SECTOR % each


def make_disk(path, core, states, cure):
    shutil.copy(lib.ROOT / "build/cpuprobe.img", path)
    application = lib.ROOT / f"build/{'BOOTX64.EFI' if core == 'cpuprobe' else f'{core}.efi'}"
    mtool("mcopy", path, "-o", application, f"::/{APPLICATION}")
    stage = built("qemu/hostile_mbr.bin")[:-4] + last_sector(path, application.stat().st_size).to_bytes(4, "little")
    with path.open("r+b") as disk:
        first = disk.read(SECTOR)
        disk.seek(0)
        disk.write(stage[:SIGNATURE_AT])
        disk.seek((1 + LOADER_SECTORS) * SECTOR)
        disk.write(first + resident(states, cure))
    return "--door", "disk"


def make_uefi(path, core, states, cure):
    shutil.copy(lib.ROOT / "build/cpuprobe.img", path)
    application = lib.ROOT / f"build/{'BOOTX64.EFI' if core == 'cpuprobe' else f'{core}.efi'}"
    stage = path.with_suffix(".efi")
    stage.write_bytes(put_words(built("hostile.efi"), states, cure))
    mtool("mcopy", path, "-o", stage, f"::/{APPLICATION}")
    mtool("mcopy", path, application, "::/EFI/BOOT/CPUPROBE.EFI")
    return "--door", "disk", *FIRMWARE


def make_iso(path, core, states, cure):
    menu = path.with_suffix(".cfg")
    menu.write_text("load_env --file /boot/words words\n"
                    "multiboot /boot/hostile.bin name ${words}\n"
                    f"module /boot/core.bin name {states} {cure or '-'}\nboot\n")
    path.unlink(missing_ok=True)
    flat = "core" if core == "cpuprobe" else core
    subprocess.run(["xorriso", "-indev", lib.ROOT / "build/cpuprobe.iso", "-outdev", path, "-boot_image", "any",
                    "replay", "-overwrite", "on", "-map", lib.ROOT / "build/qemu/hostile.bin", "/boot/hostile.bin",
                    "-map", lib.ROOT / f"build/{flat}.bin", "/boot/core.bin", "-map", menu, "/boot/grub/grub.cfg"],
                   check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    return "--door", "iso"


def make_bochs(path, core, states, cure):
    return *make_rom(path, core, states, cure), "--emulator", "bochs"


def make_linux(path, core, states, cure):
    shutil.copy(lib.ROOT / "build/qemu/hostile.bin", path)
    flat = "core" if core == "cpuprobe" else core
    module = f"build/{flat}.bin {states} {cure or '-'} linux".replace(",", ",,")
    return "--qemu-arg", "-initrd", "--qemu-arg", module


MAKES = {"rom": make_rom, "bochs-rom": make_bochs, "disk": make_disk, "uefi": make_uefi, "iso": make_iso,
         "linux-q35": make_linux}
ENTERED = {"iso": "multiboot", "bochs-rom": "rom", "linux-q35": "linux"}
MACHINES = {"bochs-rom": ("pc",), "linux-q35": ("q35",)}


def boot(door, name, core, states, *, machine, cure="", timeout=lib.GUARD):
    """The run, and in QEMU the trace of its UART."""
    path, trace = lib.folder() / f"{name}.image", lib.folder() / f"{name}.trace"
    options = ["--image", str(path), *MAKES[door](path, core, states, cure)]
    if door == "bochs-rom":
        trace = None
    else:
        options += ["--machine", machine, "--cpu", CPU]
        for argument in ("-trace", "serial_update_parameters", "-D", str(trace)):
            options += ["--qemu-arg", argument]
    run = lib.boot(name, f"{hostile.WORDS}{hostile.TASKS['syscall']} health=off", timeout=timeout, options=options)
    path.unlink()
    return run, trace


def wrong(door, run, trace):
    culprits = hostile.faults.CULPRITS if door == "bochs-rom" else hostile.culprits("ldt")
    return hostile.wrong(run, trace, culprits)


def machines(door):
    return MACHINES.get(door, hostile.MACHINES)


def check_cured(checks, door, boots):
    for number, states in enumerate(boots):
        machine = machines(door)[number // len(OTHERS) % len(machines(door))]
        run, trace = boot(door, f"{door}-{number}", "cpuprobe", states, machine=machine)
        reason = wrong(door, run, trace)
        entered = lib.stat(run.dump)["epoch"]["door"] if not reason else ENTERED.get(door, door)
        checks.check(not reason and entered == ENTERED.get(door, door),
                     f"{states}, {machine}: cured, entered by {entered} {reason}".rstrip())


def check_needed(checks, door, cure, states, harmless):
    machine = machines(door)[0]
    if cure not in AT_RESET.get(door, ()):
        reason = wrong(door, *boot(door, f"{door}-{harmless}-{cure}", "uncured", harmless, machine=machine,
                                   cure=cure))
        checks.check(not reason, f"{harmless}: not needed is {cure} {reason}".rstrip())
    for state in states:
        reason = wrong(door, *boot(door, f"{door}-{state}-{cure}", "uncured", state, machine=machine, cure=cure,
                             timeout=HANGS))
        if state in (*hostile.ALIKE, *ALIKE.get(door, ())):
            print(f"note: {state}: without {cure} {reason or 'it runs'}")
        else:
            checks.check(reason, f"{state}: without {cure} it does not run: {reason}")


def main():
    door, whole, checks = sys.argv[1], sys.argv[2:] == ["all"], lib.Checks()
    boots = list(together(door))
    check_cured(checks, door, [*(boots if whole else boots[:SHORT]), *ALSO.get(door, ())])
    for cure, states, harmless in hostile.CURES:
        if cure in UNSEEN.get(door, ()):
            continue
        if whole:
            check_needed(checks, door, cure, states, harmless)
        elif cure in CURES:
            check_needed(checks, door, cure, states[:1], harmless)
    checks.finish()


if __name__ == "__main__":
    main()
