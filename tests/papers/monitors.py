# SPDX-License-Identifier: MIT
"""Proof 8: monitors in the machine and outside of it, Thurner: interference, Figure 1, Table 1."""

import json

import hybrid
import charts
import lib
import svg
from runs import Boot, Section, clock_hz, sized

WORKLOADS = sized(("figure3", "calls", "masked", "openstorm", "turnover"), ("calls", "openstorm"))
RATES = sized((100, 300, 1000, 3000, 10000, 30000), (100, 300, 1000, 30000))  # Hz, of the image's ticks
SHIFT = 3            # of the rates: an instruction takes 8 ns
BASE = 1             # Hz: hardly any tick
HWMON_RATE = 10000   # Hz, of hwmon's samples
TICK = 200           # instructions of a tick at most, what it costs the caches left out: there are none
LEAST = 3            # percent: the paper's interference of software monitors ("3 to over 50 %")
WINDOW = "open=base_clock,close=copy_exact_rows"
NOBODYS = "monitor=tick_entry,monitor=nmi_entry"  # the image's account leaves its ticks out
ALL = Boot(f"tasks=figure3 rate=1000 seconds={sized(10, 3)} seed=1 account=log monitor=system,samples,idle",
           shift=SHIFT, observed=f"account=log,interval=stratified,{WINDOW},{NOBODYS}")
EVENTS = (f"tasks=hybrid tick=none seconds={sized(6, 4)} seed=1 monitor=system,events buffer=overwrite "
          "events=user,switch")
WATCHED = Boot(EVENTS, shift=SHIFT, observed=f"window={hybrid.WINDOW:#x}")
UNWATCHED = Boot(EVENTS, shift=SHIFT)
STREAMS = {"call": "software: system call", "page": "software: page", "store": "hybrid: window"}
# percent: an interrupt of the clock more or less in the least time of a piece, some 200 instructions of 6 million
CLOCK = 0.01
HYBRID = 3           # percent: the paper's interference of hybrid monitors ("1 % to 3 %")
QUICK = 11000        # events a second: about 10 % at 7 to 15 us each, as the paper has it of one hybrid monitor
ROWS = ("debugging", "load", "bottleneck", "model")


def alone(tasks):
    return Boot(f"tasks={tasks} rate=1000 seconds={sized(2, 1)} seed=3")


def observed(tasks):
    return Boot(f"tasks={tasks} rate=1000 seconds={sized(2, 1)} seed=3", observed=f"rate={HWMON_RATE},account=log")


def ticking(rate):
    """2 s in brief too: the window ends with a tick, and so has two snapshots at each rate, at 1 Hz too."""
    return Boot(f"tasks=spin interval=fixed account=off rate={rate} seconds=2 seed=1", shift=SHIFT, observed=WINDOW)


def boots():
    return {"monitors-all": ALL, "monitors-hybrid": WATCHED, "monitors-hybrid-alone": UNWATCHED,
            **{f"monitors-alone-{t}": alone(t) for t in WORKLOADS},
            **{f"monitors-observed-{t}": observed(t) for t in WORKLOADS},
            **{f"monitors-rate-{rate}": ticking(rate) for rate in (BASE, *RATES)}}


def report(dumps, folder):
    section = Section("8. Monitors in the machine and outside of it", folder)
    section.text(
        'Thurner, "Performance Measurement Using System Monitors", classifies monitors by their place (hardware, '
        "hybrid, software) and their principle. Here those of the image (software) and `build/hwmon.so`, "
        "which observes the same machine from outside (hardware), measure the same runs.")
    interference(section, dumps)
    events(section, dumps)
    side_by_side(section, dumps)
    return section


# ---- interference ----

def work(dump):
    """The share of the CPU that the task which only computes has in user mode, by hwmon: no rounding, no estimate."""
    return lib.row(lib.stat(dump.with_suffix(".hwmon")), "SPIN")["user"]["exact"]


def interference(section, dumps):
    section.text("### Interference", "The paper: software monitors take 3 to over 50 % of the machine, hardware "
                 "monitors take nothing. A task that only computes, and ticks by interrupt at several rates; hwmon "
                 "says what the task is left with. hwmon itself takes nothing: the bytes on the line are the same.")
    section.commands(ticking(RATES[2]), observed(WORKLOADS[0]))
    base = work(dumps[f"monitors-rate-{BASE}"])
    taken = {rate: 100 * (1 - work(dumps[f"monitors-rate-{rate}"]) / base) for rate in RATES}
    per_tick = {rate: taken[rate] / 100 / rate * 1e9 / 2 ** SHIFT for rate in RATES}
    section.table(("ticks a second", "slow-down by the image's sampler, %", "instructions a tick",
                   "slow-down by hwmon, %"),
                  [(rate, f"{taken[rate]:.3f}", f"{per_tick[rate]:.1f}", "0") for rate in RATES])
    charts.curves(section.picture("monitors-interference",
                                  "Slow-down of a task that only computes, by the rate of samples"),
                  "A monitor in the machine slows it down, one outside does not",
                  ("samples a second", "slow-down, %"),
                  {"in the machine": [(0, 0), *taken.items()], "outside: 0": [(0, 0), (max(RATES), 0)]},
                  bold=("outside: 0",), ends=True, note="each instruction is counted")
    section.verdict(all(0 < per_tick[rate] <= TICK for rate in RATES[2:]),
                    f"a tick takes {min(per_tick[r] for r in RATES[2:]):.1f} to "
                    f"{max(per_tick[r] for r in RATES[2:]):.1f} "
                    f"instructions of the task at {RATES[2]} Hz and above, at most {TICK}")
    section.verdict(taken[1000] < LEAST,
                    f"at 1000 Hz the software monitor takes {taken[1000]:.3f} %, below the paper's {LEAST} %")
    for tasks in WORKLOADS:
        one, other = (dumps[f"monitors-{kind}-{tasks}"].read_bytes() for kind in ("alone", "observed"))
        section.verdict(one and one == other,
                        f"`{tasks}`: {len(one)} bytes on the line, the same with and without hwmon")


def slow_downs(dump):
    """{way: {events a second of the work alone: percent by which the task is slower}}."""
    found = {way: {} for way in STREAMS}
    for units, took in hybrid.costs(dump).items():
        rate = hybrid.PIECE // units / (took["none"] / clock_hz(dump))
        for way in STREAMS:
            found[way][rate] = 100 * (took[way] / took["none"] - 1)
    return found


def events(section, dumps):
    section.text("The paper: a hybrid monitor takes 1 to 3 % of the machine, one of them 7 to 15 us an event and "
                 "0.1 to 10 %; its software part is one call of monitor(). Here a task that only computes records "
                 "events in three ways: a system call, whose event the kernel records; a record in a page of its "
                 "own, which the kernel takes later; and one store to a window, which hwmon records from outside. "
                 "What the kernel records stays in its memory.")
    section.commands(WATCHED)
    found = slow_downs(dumps["monitors-hybrid"])
    section.table(("events a second", *(f"{name}, slow-down in %" for name in STREAMS.values()),
                   "hardware: hwmon alone"),
                  [(f"{rate:.0f}", *(f"{found[way][rate]:.3f}" for way in STREAMS), "0") for rate in found["call"]])
    charts.log_curves(section.picture("monitors-events",
                                      "Slow-down of a task that only computes, by the rate of its events"),
                      "Interference of software and hybrid monitors", ("events a second", "slow-down, %"),
                      {name: [(rate, value) for rate, value in found[way].items() if value > 0]
                       for way, name in STREAMS.items()},
                      note="by the machine's clock, an interrupt of it more or less")
    judge_events(section, dumps, found)


def judge_events(section, dumps, found):
    limit = {rate: 100 * hybrid.STORE * rate * 2 ** SHIFT * 1e-9 + CLOCK for rate in found["store"]}
    section.verdict(all(value <= limit[rate] for rate, value in found["store"].items()),
                    f"the hybrid monitor takes {hybrid.STORE} instructions an event at most: "
                    f"{max(found['store'].values()):.3f} % at "
                    f"{max(found['store']):.0f} events a second, {limit[max(limit)]:.3f} at most")
    section.verdict(all(found["store"][r] < found["page"][r] < found["call"][r] for r in found["call"]
                        if r > RATES[1]),
                    "at each rate above 300 a second a store takes less than a page, and that less than a call")
    quick = {rate: value for rate, value in found["store"].items() if rate <= QUICK}
    section.verdict(max(quick.values()) < HYBRID, f"up to {max(quick):.0f} events a second the hybrid monitor takes "
                    f"{max(quick.values()):.3f} %, below the paper's {HYBRID} %")
    alone, watched = (dumps[f"monitors-hybrid{kind}"].read_bytes() for kind in ("-alone", ""))
    section.verdict(alone and alone == watched, "the store costs the same whether hwmon records it or not: "
                    f"{len(alone)} bytes on the line are the same")
    seen = [value for _, _, value in hybrid.user_events(dumps["monitors-hybrid"].with_suffix(".hwmon"))]
    section.verdict(seen == list(range(len(seen))) and len(seen) > QUICK,
                    f"hwmon has all {len(seen)} of them, in order")


# ---- Figure 1 and Table 1 ----

def compare(dump, *options):
    text, status = lib.host("compare", *options, dump, dump.with_suffix(".hwmon"))
    if status != 0:
        raise SystemExit(f"cpuprobe compare {dump}: status {status}")
    return text


def number(value, form):
    return "-" if value is None else format(value, form)


def side_by_side(section, dumps):
    dump = dumps["monitors-all"]
    monitors = json.loads(compare(dump, "--json"))["monitors"]
    section.text("### Resolution, duration, amount of data", "One run of Figure 3's system with all of them. "
                 "The truth is hwmon's exact account. `cpuprobe compare` prints this and more.")
    section.commands(ALL)
    section.table(("monitor", "resolution, s", "off by, points", "bytes a second", "1 MiB lasts, s"),
                  [(f"{m['place']}: {m['monitor']}", f"{m['step']:.3g}",
                    "truth" if m["truth"] else number(m["off"], ".4f"),
                    f"{m['bytes_per_second']:.0f}", number(m["memory_seconds"], ".0f")) for m in monitors])
    picture = section.picture("monitors", "Monitors by resolution, duration and amount of data")
    compare(dump, "--svg", str(picture))
    svg.licence(picture)
    usages(section, monitors)
    judge(section, monitors)


def usages(section, monitors):
    section.text("### Usages", "The paper's Table 1 says which monitor is for what. Made tasks: the order and time "
                 "of changes (debugging, error in s), the load, the busiest task (bottleneck), each task's demand "
                 "by mode (model; errors in points).")
    section.table(("monitor", *ROWS), [(f"{m['place']}: {m['monitor']}", *(answer(m["usages"][u]) for u in ROWS))
                                       for m in monitors])


def answer(usage):
    if not usage["solved"]:
        return "no"
    return "yes" if usage["error"] is None else f"{usage['error']:.3g}"


def judge(section, monitors):
    found = {(m["place"], m["monitor"].split(",")[0]): m for m in monitors}
    account, log = found["software", "exact account"], found["software", "log of changes"]
    idle, sampling = found["software", "idle counters"], found["software", "sampling"]
    section.verdict(found["hardware", "exact account"]["truth"], "the truth is hwmon's")
    section.verdict(account["off"] <= account["points"], f"the image's exact account is off by {account['off']:.4f} "
                    f"points at most, within its printed resolution of {account['points']:.4f}")
    section.verdict(abs(log["off"] - account["off"]) < 1e-6, "its log of changes says the same")
    section.verdict(found["hardware", "log of changes"]["off"] < 1e-6, "hwmon's log of changes is its account")
    section.verdict(idle["off"] <= account["points"], f"the idle counters are off by {idle['off']:.4f} points")
    section.verdict(sampling["usages"]["bottleneck"]["solved"] and not sampling["usages"]["debugging"]["solved"],
                    f"sampling finds the busiest task and tells no order; it is off by {sampling['off']:.3f} "
                    "points at most")
    section.verdict(log["bytes_per_second"] > sampling["bytes_per_second"] > idle["bytes_per_second"],
                    "the finer the monitor the more data: log of changes, sampling, idle counters")
    section.text("What differs: the paper's hardware monitors are probes on the bus of a machine; "
                 "here the machine is emulated, and the "
                 "monitor sees each instruction. Its times have the resolution of an instruction.")
