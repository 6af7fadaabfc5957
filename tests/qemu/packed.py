# SPDX-License-Identifier: MIT
"""Raw samples of a stream, decoded a second time: by docs/PROTOCOL.md, not by probe/stream/sample_unpack.c."""

import frames

PACKED_SAMPLES, PACKED_PLACES = 48, 49
NUMBERS = "epoch first count lost time generator phase fraction carry second".split()
MEASURED = "late arrivals earliest latest arrived".split()  # behind the steps
CLASSES, AGAIN, FULL = 14, 14, 15
ROWS_BACK = 256
HANDLER = (0, 12, 0)  # a point that fell into a handler of a tick is no sample
LATE = 4 | 8  # of the mode


def zigzag(value):
    return value >> 1 ^ -(value & 1)


class Field:
    """Bytes that are read from the front, and bits of them from the lowest on."""

    def __init__(self, data):
        self.data, self.at = data, 0

    def byte(self):
        self.at += 1
        return self.data[self.at - 1]

    def bytes(self, count):
        self.at += count
        assert self.at <= len(self.data)
        return self.data[self.at - count:self.at]

    def number(self):
        value = shift = 0
        while True:
            byte = self.byte()
            value |= (byte & 127) << shift
            shift += 7
            if byte < 128:
                return value

    def signed(self):
        return zigzag(self.number())

    def over(self):
        return self.at == len(self.data)


class Bits:
    def __init__(self, data):
        self.value, self.used = int.from_bytes(data, "little"), 0

    def take(self, width):
        found = self.value >> self.used & ((1 << width) - 1)
        self.used += width
        return found


def places_of(fields):
    """The rows of PACKED_PLACES: index, and task, mode, address."""
    rows, tasks, after, near = Field(fields), [], 0, {False: 0, True: 0}
    rows.number()  # epoch
    while not rows.over():
        what, task, pc = rows.number(), rows.number(), rows.signed()
        mode, more = what % 16, what // 16
        index = after + (more >> 1 ^ -(more & 1))
        user = mode % 4 == 0
        near[user] = near[user] + pc & (1 << 64) - 1
        tasks.append(tasks[-task] if task < ROWS_BACK else task - ROWS_BACK)
        after = index + 1
        yield index, (tasks[-1], mode, near[user])


def steps_of(data, count, runs):
    """The steps of the samples but the first."""
    steps, field = [], Field(data)
    if runs:
        while not field.over():
            byte = field.byte()
            steps += [0] * (byte >> 2) + [(None, 0, 1, -1)[byte & 3]]
            if steps[-1] is None:
                steps[-1] = field.signed()
        assert len(steps) < count
        return steps + [0] * (count - 1 - len(steps))
    kinds = Bits(field.bytes((count + 2) // 4))
    found = [(None, 0, 1, -1)[kinds.take(2)] for _ in range(count - 1)]
    found = [field.signed() if step is None else step for step in found]
    assert field.over()
    return found


def samples_of(fields):
    """What PACKED_SAMPLES says: its numbers by name, its places (index or tuple), its steps where it has times."""
    field = Field(fields)
    head = {name: field.number() for name in NUMBERS}
    codes, steps = (field.bytes(field.number()) for _ in range(2))
    head |= {name: field.number() for name in MEASURED}
    assert field.over()
    if not head["count"]:
        assert not codes and not steps
        return head, [], []
    field = Field(codes)
    widths, base, bases = Bits(field.bytes(CLASSES // 2)), 0, []
    runs = field.byte()
    for _ in range(CLASSES):
        width = widths.take(4)
        bases.append((base, width))
        base += 1 << width
    kinds = Bits(field.bytes((head["count"] + 1) // 2))
    kinds = [kinds.take(4) for _ in range(head["count"])]
    extra = Bits(field.bytes((sum(bases[kind][1] for kind in kinds if kind < CLASSES) + 7) // 8))
    places = []
    for kind in kinds:
        if kind == AGAIN:
            places.append(places[-1])
        elif kind == FULL:
            places.append(None)
        else:
            places.append(bases[kind][0] + extra.take(bases[kind][1]))
    for i, place in enumerate(places):
        if place is None:
            mode, task, pc = field.byte(), field.number(), field.signed()
            places[i] = (task, mode, pc & (1 << 64) - 1)
    assert field.over()
    return head, places, steps_of(steps, head["count"], runs) if head["time"] else []


def arrivals_of(head):
    """How many were measured in this frame; one that its number draws is none but between the earliest and the
    latest."""
    earliest, latest, drawn = (zigzag(head[name]) for name in ("earliest", "latest", "arrived"))
    assert head["arrivals"] <= head["count"] and earliest <= drawn <= latest
    return head["arrivals"]


def read(stream):
    """Samples by their number, as task, mode and address; and counts of the handlers' points,
    the arrivals and the steps."""
    meaning, samples, told = {}, {}, {"handler": 0, "arrivals": 0, "steps": 0, "steps_in_time": 0}
    stepped = []
    for block in stream.split(frames.ZERO):
        body = frames.intact(block) if block else b""
        if body[:1] == bytes([PACKED_PLACES]):
            meaning.update(places_of(body[frames.HEAD:]))
        if body[:1] == bytes([PACKED_SAMPLES]):
            head, places, steps = samples_of(body[frames.HEAD:])
            samples.update((head["first"] + i, place) for i, place in enumerate(places))
            stepped += [head["first"] + 1 + i for i, step in enumerate(steps) if step]
            told["arrivals"] += arrivals_of(head)
    samples = {number: place if isinstance(place, tuple) else meaning[place] for number, place in samples.items()}
    told["steps"] = len(stepped)
    told["steps_in_time"] = sum(not samples[number][1] & LATE for number in stepped)
    told["handler"] = sum(place == HANDLER for place in samples.values())
    return {number: place for number, place in samples.items() if place != HANDLER}, told
