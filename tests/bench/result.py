# SPDX-License-Identifier: MIT
"""What a measurement of `make bench` gives: single results with their limits, and tables in Markdown."""

import dataclasses


@dataclasses.dataclass
class Result:
    name: str
    value: float
    unit: str
    limit: float | None = None
    at_least: float | None = None
    shown: bool = True  # on a line of its own; else in a table

    @property
    def holds(self):
        if self.at_least is not None:
            return self.value >= self.at_least
        return None if self.limit is None else self.value <= self.limit

    def tell(self):
        if not self.shown and self.holds is not False:
            return
        limit = "" if self.limit is None else f"at most {self.limit:g}"
        limit = limit if self.at_least is None else f"at least {self.at_least:g}"
        limit += "" if self.holds is not False else "  DOES NOT HOLD"
        value = f"{self.value:.0f}" if self.unit == "bytes" or isinstance(self.value, int) else f"{self.value:.3f}"
        print(f"{self.name:64} {value:>10} {self.unit:12} {limit}".rstrip(), flush=True)

    def row(self):
        kept = ("name", "value", "unit", "limit", "at_least")
        return {key: getattr(self, key) for key in kept} | {"holds": self.holds}


@dataclasses.dataclass
class Table:
    """What stands in a page under the same head, word for word."""
    head: tuple
    rows: list
    page: str = "docs/COST.md"

    def lines(self):
        head, *rows = (f"| {' | '.join(cells)} |" for cells in (self.head, *self.rows))
        return [head, f"|{'---|' * len(self.head)}", *rows]

    def tell(self):
        print("\n".join(["", *self.lines(), ""]), flush=True)

    def write(self, root):
        """In place of the table with this head in its page; where it has none, nothing."""
        path = root / self.page
        lines = path.read_text().splitlines()
        new = self.lines()
        if new[0] not in lines:
            return
        first = lines.index(new[0])
        end = next(i for i in range(first, len(lines) + 1) if i == len(lines) or not lines[i].startswith("|"))
        path.write_text("\n".join(lines[:first] + new + lines[end:]) + "\n")
