# SPDX-License-Identifier: MIT
"""By how much samples may tell MASKED apart from the truth without a fault (docs/ACCOUNTING.md,
"How lateness is found")."""


def blind(table, hello):
    """Hits by which MASKED may read too little, and by row what others may read too much.

    A tick that expires less than `late` - `floor` before interrupts are on again is in time.
    A section with interrupts off makes two changes of cell or more.
    """
    sections = table["transitions"] / 2
    stretch = (hello["late"] - hello["floor"]) / hello["clock_hz"]
    all_of_it = sections * stretch / table["window"]["seconds"] * table["samples"]
    masked = {row["name"]: row["total"]["masked"] or 0 for row in table["tasks"]}
    whole = sum(masked.values())
    return all_of_it, {name: all_of_it * part / whole for name, part in masked.items()}


def outside(table, hello, name):
    """Whether a row's truth is outside its 99.9 % interval by more than what is blind or was missed explains.

    The missed ticks were due while interrupts were off: they are hits that MASKED lacks, and the
    shares of all other rows are of so many fewer.
    """
    total = next(row["total"] for row in table["tasks"] if row["name"] == name)
    all_of_it, part = blind(table, hello)
    missed, share = table["missed"]["masked"], total["exact"] / 100
    percent = 100 / table["samples"]
    if name == "MASKED":
        return (not total["low999"] <= total["exact"] <= total["high999"]
                + (all_of_it + missed * (1 - share)) * percent)
    return not total["low999"] - (part.get(name, 0) + missed * share) * percent <= total["exact"] <= total["high999"]
