# SPDX-License-Identifier: MIT
"""Frames that the host sends, and the answer to them, written down a second time.

Not probe/stream/wire.c, but docs/PROTOCOL.md is what they are made by.
"""

import zlib

import cobs

COMMAND, ANSWER = 18, 19
HEAD = 3  # bytes of a frame before its fields: type, sequence
CRC = 4   # bytes of it behind them
ANSWER_NUMBERS = ("boot", "session", "id", "status", "repeated", "part", "parts", "took")
ZERO = b"\0"


def number(value):
    out = bytearray()
    while value > 127:
        out.append(value & 127 | 128)
        value >>= 7
    return bytes(out) + bytes([value])


def text(line):
    return number(len(line)) + line


def crc(body):
    return zlib.crc32(body).to_bytes(CRC, "little")


def frame(kind, fields, sequence=0):
    body = bytes([kind]) + sequence.to_bytes(2, "little") + fields
    return ZERO + cobs.encode(body + crc(body)) + ZERO


def command(line, *, session, number_, boot=0, sequence=0):
    """A COMMAND frame."""
    fields = number(boot) + number(session) + number(number_) + text(line.encode("latin-1"))
    return frame(COMMAND, fields, sequence)


def numbers(data, names):
    """The first fields of a record, all of them numbers."""
    found, at = {}, 0
    for name in names:
        end = next(i for i in range(at, len(data)) if data[i] < 128) + 1
        found[name] = sum((byte & 127) << 7 * i for i, byte in enumerate(data[at:end]))
        at = end
    return found


def intact(block):
    """The frame without its CRC, or nothing where it is damaged,
    as the first one is when a line is joined in mid-frame."""
    body = cobs.decode(block)
    return body[:-CRC] if body[-CRC:] == crc(body[:-CRC]) else b""


def answers(stream):
    """ANSWER frames of what came in so far, without their texts; `bytes` is what each takes on the line,
    with its zero."""
    for block in stream.split(ZERO)[:-1]:
        body = intact(block)
        if body[:1] == bytes([ANSWER]):
            yield numbers(body[HEAD:], ANSWER_NUMBERS) | {"bytes": len(block) + 1}
