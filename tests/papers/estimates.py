# SPDX-License-Identifier: MIT
"""Values with a 95 % interval, as the figures draw them: printed by the host, of hits among samples,
of a standard error."""

import math
import typing

Z = 1.96  # of the normal distribution, 95 %


class Estimate(typing.NamedTuple):
    value: float
    low: float
    high: float


def value_of(number):
    """Of a number with or without an interval."""
    return number.value if isinstance(number, Estimate) else number


def highest(number):
    return number.high if isinstance(number, Estimate) else number


def wilson(hits, samples):
    """The share, from 0 to 1, and its 95 % limits, of independent samples."""
    p, zz = hits / samples, Z * Z / samples
    middle, half = (p + zz / 2) / (1 + zz), Z * math.sqrt(p * (1 - p) / samples + zz / samples / 4) / (1 + zz)
    return Estimate(p, max(0.0, middle - half), min(1.0, middle + half))


def percent(hits, samples, effect=1.0):
    """The share in percent; `effect`: the design effect of the ticks,
    by which fewer independent samples are worth as much."""
    return Estimate(*(100 * s for s in wilson(hits / effect, samples / effect)))


def printed(cell):
    """A cell of the host's table, in percent; a plain number where the policy of the ticks promises no interval."""
    if cell["low"] is None:
        return cell["percent"]
    return Estimate(cell["percent"], cell["low"], cell["high"])


def around(value, error):
    """A value with a standard error."""
    return Estimate(value, value - Z * error, value + Z * error)
