# SPDX-License-Identifier: MIT
"""What Bochs makes the image say in any run: no fault of the image, and no business of most tests."""

WARNINGS = (
    # its models tell the rate of the chip that they are named after, whatever their clock does
    "the 8254 and CPUID differ by",
    "ticks take",                    # of the time, more than 10 %: so they do at 11520 a second
)
# its transmitter takes a byte at once, requests the next, and withdraws that where it gets one
NOTE = "cpuprobe: spurious interrupts: "


def others(texts):
    """The warnings that are not expected."""
    return [text for text in texts if not any(mark in text for mark in WARNINGS)]


def last_line(text):
    """Of a run's text, but for the note."""
    return [line for line in text.rstrip().splitlines() if not line.startswith(NOTE)][-1]
