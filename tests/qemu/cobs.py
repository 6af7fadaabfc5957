# SPDX-License-Identifier: MIT
"""Consistent overhead byte stuffing (docs/PROTOCOL.md), as tests take frames apart and make them:
apart from the product's."""


def decode(block):
    """The bytes between two zeros, without the code."""
    out, at = bytearray(), 0
    while at < len(block):
        code = block[at]
        out += block[at + 1:at + code]
        at += code
        if code < 255 and at < len(block):
            out.append(0)
    return bytes(out)


def encode(data):
    """What may stand between two zeros."""
    out = bytearray()
    pieces = data.split(b"\0")
    for number, piece in enumerate(pieces):
        while len(piece) >= 254:
            out += b"\xff" + piece[:254]
            piece = piece[254:]
            if not piece and number + 1 == len(pieces):
                return bytes(out)
        out += bytes([len(piece) + 1]) + piece
    return bytes(out)
