# SPDX-License-Identifier: MIT
"""Noise on a line: bytes that become other ones."""

import random

RATES = (1e-6, 1e-5, 1e-4, 1e-3, 1e-2)  # of a byte


def noisy(data, rate, seed):
    """Each byte is another one with this probability, and one at least if it is above 0."""
    if not rate:
        return data
    chance, changed = random.Random(seed), bytearray(data)
    count = sum(chance.random() < rate for _ in data)
    for _ in range(max(count, 1)):
        changed[chance.randrange(len(changed))] ^= chance.randrange(1, 256)
    return bytes(changed)
