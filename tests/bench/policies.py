# SPDX-License-Identifier: MIT
"""What each policy and generator costs over `fixed`: in the handler, and in PROBE,
which draws the intervals ahead."""

from image import POLICIES
from result import Result, Table
from runs import Spin, code, run_all

# A fixed interval draws nothing.
SCHEDULES = [(policy, rng) for rng in ("carta", "chacha8") for policy in POLICIES
             if (policy, rng) != ("fixed", "chacha8")]
PLAIN = ("fixed", "carta")
# So many ticks that the points which wait at the end (4096 at most) are no matter; and so far apart that few come
# close behind another's handler, or fall into it: that costs by the rate, and not by the policy's code.
RATE, SECONDS = 4000, 18
MORE = 15  # instructions that a handler may take over that of `fixed`
# What handler and drawing may take together over those of `fixed`: 15, with what costs more by its nature 40.  The
# last two are no better yet: a stratum's points have to be put in order, and an exponential interval of ChaCha8 is
# both exceptions at once.
PLAIN_ALL, COSTLY_ALL, STRATIFIED_ALL, BOTH_ALL = 15, 40, 21, 46


def limit_of_all(policy, rng):
    costly = (policy == "exponential") + (rng == "chacha8")
    if costly:
        return COSTLY_ALL if costly == 1 else BOTH_ALL
    return STRATIFIED_ALL if policy == "stratified" else PLAIN_ALL


def results(_):
    entry = code().address["tick_entry"]
    ran = run_all({schedule: Spin(f"account=off tick=pit rate={RATE} interval={schedule[0]} rng={schedule[1]}",
                                  seconds=SECONDS, entry=entry, drawing=True) for schedule in SCHEDULES})
    drawn = {schedule: done.drawn / done.visits.number for schedule, done in ran.items()}
    whole = {schedule: done.visits.instructions + drawn[schedule] for schedule, done in ran.items()}
    rows = []
    for schedule, done in ran.items():
        name = ", ".join(schedule)
        in_handler = done.visits.instructions - ran[PLAIN].visits.instructions
        in_all = whole[schedule] - whole[PLAIN]
        rows.append((*(f"`{part}`" for part in schedule), f"{done.visits.instructions:.1f}",
                     f"{round(in_handler, 1) + 0.0:+.1f}", f"{drawn[schedule]:.1f}", f"{in_all:+.1f}"))
        yield Result(f"handler, {name}", done.visits.instructions, "instructions", shown=False)
        yield Result(f"handler, {name}, over fixed", in_handler, "instructions", MORE, shown=False)
        yield Result(f"drawing ahead, {name}", drawn[schedule], "instructions", shown=False)
        yield Result(f"handler and drawing, {name}, over fixed", in_all, "instructions",
                     limit_of_all(*schedule), shown=False)
    yield Table(("interval", "rng", "handler", "over `fixed`", "drawn ahead", "both over `fixed`"), rows)
