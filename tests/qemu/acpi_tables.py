# SPDX-License-Identifier: MIT
"""Tables of ACPI by their fields, for QEMU's -acpitable: SPCR and DBG2, sound or wrong.

Microsoft, "Serial Port Console Redirection Table" (revision 4) and "Debug Port Table 2"; ACPI specification 6.5, 5.2.
"""

import struct

MEMORY, PORTS = 0, 1  # address spaces
COM = {1: 0x3f8, 2: 0x2f8, 3: 0x3e8, 4: 0x2e8}


def gas(space, address, bits=8, access=1):
    """A generic address structure."""
    return struct.pack("<BBBBQ", space, bits, 0, access, address)


def table(signature, revision, body):
    """A whole table with its length and checksum."""
    head = struct.pack("<4sIBB6s8sI4sI", signature.encode(), 36 + len(body), revision, 0, b"CPROBE", b"TESTTEST", 1,
                       b"TEST", 1)
    whole = bytearray(head + body)
    whole[9] = -sum(whole) & 0xff
    return bytes(whole)


def spcr(address, *, kind=0, baud=7, pci=(0xffff, 0xffff, 0, 0, 0), clock=0, revision=3):
    """An SPCR; `pci` is device and vendor id, bus, device and function."""
    body = struct.pack("<B3x12sBBIBBBBBBHHBBBIBI", kind, address, 3, 4, 4, baud, 0, 1, 0, 3, 0, *pci, 0, 0, clock)
    return table("SPCR", revision, body)


def dbg2(*devices):
    """A DBG2; a device is (type, subtype, address)."""
    body = b""
    for kind, subtype, address in devices:
        name = b".\0"
        body += struct.pack("<BHBHHHHHH2xHH", 0, 22 + 16 + len(name), 1, len(name), 22 + 16, 0, 0, kind, subtype, 22,
                            34)
        body += address + struct.pack("<I", 8) + name
    return table("DBG2", 0, struct.pack("<II", 44, len(devices)) + body)
