# SPDX-License-Identifier: MIT
"""What a screen shows, read back from its pixels: a picture (PPM) that QEMU makes of it, and the fonts that it is in.

Each cell is compared with every letter of the font, so that a pixel too many or too few is no letter.
"""

import dataclasses
import re

import lib

HEIGHT = 16  # rows of a letter
FULL, SHADE = "\xdb", "\xb1"  # of bars (drivers/font.h)
WRONG = "\x00"  # a cell that is no letter
BORDER = 200  # white pixels in a row: above a code, and never in a letter
VGA_ROM = "/usr/share/seabios/vgabios-stdvga.bin"
# where the ROM's font has A
VGA_A = bytes((0, 0, 0x10, 0x38, 0x6c, 0xc6, 0xc6, 0xfe, 0xc6, 0xc6, 0xc6, 0xc6, 0, 0, 0, 0))


def own_font():
    """Each letter by its pixels, from the sheets in which it is drawn."""
    rows = re.findall(r"^\s*\{((?:0b[01]{8}(?:, )?){8})\},$", (lib.ROOT / "drivers/font.c").read_text(), re.MULTILINE)
    rows = [[int(dots, 2) for dots in row.split(", ")] for row in rows]
    font = {}
    for sheet in range(len(rows) // HEIGHT):
        for place in range(8):
            font.setdefault(bytes(rows[sheet * HEIGHT + y][place] for y in range(HEIGHT)),
                            chr(32 + sheet * 8 + place))
    font[b"\xff" * HEIGHT] = FULL
    font[b"\xaa\x55" * (HEIGHT // 2)] = SHADE
    return font


def vga_font():
    """The same of a VGA, as its BIOS loads it."""
    with open(VGA_ROM, "rb") as file:
        rom = file.read()
    first = rom.index(VGA_A) - ord("A") * HEIGHT
    font = {}
    for code in (*range(32, 127), ord(FULL), ord(SHADE)):
        font.setdefault(rom[first + code * HEIGHT:first + (code + 1) * HEIGHT], chr(code))
    return font


@dataclasses.dataclass(frozen=True)
class Picture:
    width: int
    height: int
    pixels: bytes  # three a pixel

    def lit(self, x, y):
        at = 3 * (y * self.width + x)
        return any(self.pixels[at:at + 3])

    def colour(self, x, y):
        at = 3 * (y * self.width + x)
        return tuple(self.pixels[at:at + 3])


def read_ppm(path):
    data = path.read_bytes()
    head = re.match(rb"P6\s+(\d+)\s+(\d+)\s+255\s", data)
    width, height = int(head[1]), int(head[2])
    pixels = data[head.end():]
    if len(pixels) != 3 * width * height:
        raise ValueError(f"{path}: {len(pixels)} bytes of {width}x{height} pixels")
    return Picture(width, height, pixels)


def scale_of(picture):
    """As the image magnifies its letters: 132 columns and 25 rows, if there is room."""
    return max(1, min(picture.width // (132 * 8), picture.height // (25 * HEIGHT)))


def code_at(picture):
    """The first column and row of cells that a code covers; None: there is none."""
    scale = scale_of(picture)
    line = 3 * picture.width
    for row in range(picture.height // (HEIGHT * scale)):
        at = row * HEIGHT * scale * line
        found = picture.pixels.find(b"\xff" * (3 * BORDER), at, at + line)
        if found >= 0:
            return (found - at) // 3 // (8 * scale), row
    return None


def letter(picture, font, left, top, scale):
    dots = bytes(sum(picture.lit(left + x * scale, top + y * scale) << 7 - x for x in range(8))
                 for y in range(HEIGHT))
    # the cursor is a cell the other way round
    return font.get(dots) or font.get(bytes(0xff - row for row in dots), WRONG)


def read(picture, vga):
    """The rows of the screen, blanks at their ends and a code left out."""
    wide, scale = (9, 1) if vga else (8, scale_of(picture))
    font = vga_font() if vga else own_font()
    columns, rows = min(picture.width // (wide * scale), 255), min(picture.height // (HEIGHT * scale), 80)
    code = (None if vga else code_at(picture)) or (columns, rows)
    return ["".join(letter(picture, font, column * wide * scale, row * HEIGHT * scale, scale)
                    for column in range(columns if row < code[1] else code[0])).rstrip()
            for row in range(rows)]
