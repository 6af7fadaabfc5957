# SPDX-License-Identifier: MIT
"""The paper's Figure 1 from two runs: when the processor was busy, and where ticks of either kind sampled it."""

import json

import lib
import svg
from runs import Boot, agrees, sized

BEGIN, SPAN = 1.0, 0.15  # s of the machine's time that are drawn
WAYS = {"fixed": "tick=pit-periodic interval=fixed", "random": "tick=pit interval=random"}
BOOTS = {f"isochrony-{way}": Boot(f"tasks=rounded {words} rate=100 seconds={sized(20, 5)} "
                                  "seed=1 monitor=system,events events=switch,tick buffer=stop")
         for way, words in WAYS.items()}
WRONG = 20  # points: less than fixed ticks must be off by, where they stay in step with the load
BUSY, MISSED = svg.INKS[0], svg.INKS[1]  # arrows of ticks that find a task, and of those that find none


def stretches(dump):
    """((begin, end) of the busy stretches, ticks) in the time that is drawn, seconds."""
    text, _ = lib.host("trace", "--json", "--from", str(BEGIN - 0.1), "--to", str(BEGIN + SPAN), dump)
    busy, ticks, since = [], [], None
    for event in map(json.loads, text.splitlines()):
        if event.get("event") == "tick-enter":
            ticks.append(event["time"])
        elif event.get("event") == "switch" and event["argument"] == "IDLE" and since is not None:
            busy.append((since, event["time"]))
            since = None
        elif event.get("event") == "switch" and event["argument"] != "IDLE" and since is None:
            since = event["time"]
    return [s for s in busy if s[1] > BEGIN], [t for t in ticks if t >= BEGIN]


def idle(dump):
    return next(t["total"] for t in lib.stat(dump)["tasks"] if t["name"] == "IDLE")


def arrow(sheet, x, level, ink):
    tip, end = sheet.y(level), sheet.y(level - 0.42)
    sheet.line(x, end, x, tip + 5, ink, 1.6)
    sheet.parts.append(f'<path d="M{x - 3.5:.1f} {tip + 7:.1f} L{x:.1f} {tip:.1f} L{x + 3.5:.1f} {tip + 7:.1f} Z" '
                       f'fill="{ink}"/>')


def band(sheet, level, words, dump):
    busy, ticks = stretches(dump)
    sheet.text(svg.LEFT, sheet.y(level + 1) - 8, words, size=13)
    for begin, end in busy:
        left, right = (sheet.x(1000 * (max(t, BEGIN) - BEGIN)) for t in (begin, end))
        sheet.box(left, sheet.y(level + 0.85), right - left, sheet.y(level) - sheet.y(level + 0.85), svg.INKS[2])
    sheet.line(svg.LEFT, sheet.y(level), svg.WIDTH - svg.RIGHT, sheet.y(level))
    for tick in ticks:
        found = any(begin <= tick < end for begin, end in busy)
        arrow(sheet, sheet.x(1000 * (tick - BEGIN)), level, BUSY if found else MISSED)


def draw(path, dumps):
    sheet = svg.Sheet("Ticks in step with the load always find it busy", (0, 1000 * SPAN), (0, 3.5),
                      note="No interval is drawn: moments as they were recorded; shares are those of the whole run")
    for level, way in ((2.2, "fixed"), (0.5, "random")):
        said = idle(dumps[f"isochrony-{way}"])
        limits = f" ({100 - said['high']:.1f} to {100 - said['low']:.1f})" if said["low"] is not None else ""
        band(sheet, level, f"{way} ticks: {100 - said['percent']:.1f} % busy{limits}, in truth "
                           f"{100 - said['exact']:.1f} %", dumps[f"isochrony-{way}"])
    sheet.box(svg.LEFT, 47, 12, 12, svg.INKS[2])
    sheet.text(svg.LEFT + 17, 57, "busy")
    for x, ink, words in ((70, BUSY, "a tick that finds it busy"), (260, MISSED, "a tick that finds it idle")):
        sheet.line(svg.LEFT + x, 59, svg.LEFT + x, 49, ink, 1.6)
        sheet.parts.append(f'<path d="M{svg.LEFT + x - 4:.1f} 52L{svg.LEFT + x:.1f} 45L{svg.LEFT + x + 4:.1f} 52z" '
                           f'fill="{ink}"/>')
        sheet.text(svg.LEFT + x + 10, 57, words)
    sheet.x_axis("time, ms")
    sheet.write(path)


def report(section, dumps):
    """The picture, and what the two runs say."""
    section.text("The paper's Figure 1, from runs of five tasks that the system clock wakes (`tasks=rounded`): "
                 "boxes are the time in which a task ran, arrows the ticks, in orange where they found none.")
    section.commands(*BOOTS.values())
    draw(section.picture("isochrony", "When the processor was busy, and where ticks sampled it"), dumps)
    fixed, drawn = idle(dumps["isochrony-fixed"]), idle(dumps["isochrony-random"])
    section.verdict(abs(fixed["percent"] - fixed["exact"]) > WRONG,
                    "fixed ticks in step with the load find the processor idle in "
                    f"{fixed['percent']:.1f} % of the samples, {fixed['exact']:.1f} % of the time is true")
    section.verdict(agrees(drawn), f"random ticks find it idle in {drawn['percent']:.1f} %; "
                    f"{drawn['exact']:.1f} % is true, within their 99.9 % interval")
