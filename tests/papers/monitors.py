# SPDX-License-Identifier: MIT
"""Proof 8: monitors in the machine and outside of it, Thurner: interference, Figure 1, Table 1."""

import json

import lib
import svg
from runs import Boot, Section

WORKLOADS = ("figure3", "calls", "masked", "openstorm", "turnover")
RATES = (100, 300, 1000, 3000, 10000, 30000)  # Hz, of the image's ticks
SHIFT = 3            # of the rates: an instruction takes 8 ns
BASE = 1             # Hz: hardly any tick
HWMON_RATE = 10000   # Hz, of hwmon's samples
TICK = 200           # instructions of a tick at most, what it costs the caches left out: there are none
LEAST = 3            # percent: the paper's interference of software monitors ("3 to over 50 %")
WINDOW = "open=base_clock,close=copy_exact_rows"
NOBODYS = "monitor=tick_entry,monitor=nmi_entry"  # the image's account leaves its ticks out
ALL = Boot("tasks=figure3 rate=1000 seconds=10 seed=1 account=log monitor=system,samples,idle", shift=SHIFT,
           observed=f"account=log,interval=stratified,{WINDOW},{NOBODYS}")
ROWS = ("debugging", "load", "bottleneck", "model")


def alone(tasks):
    return Boot(f"tasks={tasks} rate=1000 seconds=2 seed=3")


def observed(tasks):
    return Boot(f"tasks={tasks} rate=1000 seconds=2 seed=3", observed=f"rate={HWMON_RATE},account=log")


def ticking(rate):
    return Boot(f"tasks=spin interval=fixed account=off rate={rate} seconds=2 seed=1", shift=SHIFT, observed=WINDOW)


def boots():
    return {"monitors-all": ALL, **{f"monitors-alone-{t}": alone(t) for t in WORKLOADS},
            **{f"monitors-observed-{t}": observed(t) for t in WORKLOADS},
            **{f"monitors-rate-{rate}": ticking(rate) for rate in (BASE, *RATES)}}


def report(dumps, folder):
    section = Section("8. Monitors in the machine and outside of it", folder)
    section.text(
        'Thurner, "Performance Measurement Using System Monitors", classifies monitors by their place (hardware, '
        "hybrid, software) and their principle. Here those of the image (software) and `build/hwmon.so`, which observes the "
        "same machine from outside (hardware), measure the same runs.")
    interference(section, dumps)
    side_by_side(section, dumps)
    return section


# ---- interference ----

def work(dump):
    """The share of the CPU that the task which only computes has in user mode, by hwmon: no rounding, no estimate."""
    return lib.row(lib.stat(dump.with_suffix(".hwmon")), "SPIN")["user"]["exact"]


def interference(section, dumps):
    section.text("### Interference", "The paper: software monitors take 3 to over 50 % of the machine, hardware monitors take nothing. "
                 "A task that only computes, and ticks by interrupt at several rates; hwmon says what the task is left with. "
                 "hwmon itself takes nothing: the bytes on the line are the same.")
    section.commands(ticking(RATES[2]), observed(WORKLOADS[0]))
    base = work(dumps[f"monitors-rate-{BASE}"])
    taken = {rate: 100 * (1 - work(dumps[f"monitors-rate-{rate}"]) / base) for rate in RATES}
    per_tick = {rate: taken[rate] / 100 / rate * 1e9 / 2 ** SHIFT for rate in RATES}
    section.table(("ticks a second", "slow-down by the image's sampler, %", "instructions a tick", "slow-down by hwmon, %"),
                  [(rate, f"{taken[rate]:.3f}", f"{per_tick[rate]:.1f}", "0") for rate in RATES])
    svg.curves(section.picture("monitors-interference", "Slow-down of a task that only computes, by the rate of samples"),
               "Interference of a software and of a hardware monitor", ("samples a second", "slow-down, %"),
               {"in the machine (image)": [(0, 0), *taken.items()], "outside of it (hwmon)": [(0, 0), (max(RATES), 0)]})
    section.verdict(all(0 < per_tick[rate] <= TICK for rate in RATES[2:]),
                    f"a tick takes {min(per_tick[r] for r in RATES[2:]):.1f} to {max(per_tick[r] for r in RATES[2:]):.1f} "
                    f"instructions of the task at {RATES[2]} Hz and above, at most {TICK}")
    section.verdict(taken[1000] < LEAST, f"at 1000 Hz the software monitor takes {taken[1000]:.3f} %, below the paper's {LEAST} %")
    for tasks in WORKLOADS:
        one, other = (dumps[f"monitors-{kind}-{tasks}"].read_bytes() for kind in ("alone", "observed"))
        section.verdict(one and one == other, f"`{tasks}`: {len(one)} bytes on the line, the same with and without hwmon")


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
    section.text("### Resolution, duration, amount of data", "One run of Figure 3's system with all of them. The truth is hwmon's exact "
                 "account. `cpuprobe compare` prints this and more.")
    section.commands(ALL)
    section.table(("monitor", "resolution, s", "off by, points", "bytes a second", "1 MiB lasts, s"),
                  [(f"{m['place']}: {m['monitor']}", f"{m['step']:.3g}", "truth" if m["truth"] else number(m["off"], ".4f"),
                    f"{m['bytes_per_second']:.0f}", number(m["memory_seconds"], ".0f")) for m in monitors])
    compare(dump, "--svg", str(section.picture("monitors", "Monitors by resolution, duration and amount of data")))
    usages(section, monitors)
    judge(section, monitors)


def usages(section, monitors):
    section.text("### Usages", "The paper's Table 1 says which monitor is for what. Made tasks: the order and time of changes "
                 "(debugging, error in s), the load, the busiest task (bottleneck), each task's demand by mode (model; errors in "
                 "points).")
    section.table(("monitor", *ROWS), [(f"{m['place']}: {m['monitor']}", *(answer(m["usages"][u]) for u in ROWS)) for m in monitors])


def answer(usage):
    if not usage["solved"]:
        return "no"
    return "yes" if usage["error"] is None else f"{usage['error']:.3g}"


def judge(section, monitors):
    found = {(m["place"], m["monitor"].split(",")[0]): m for m in monitors}
    account, log = found["software", "exact account"], found["software", "log of changes"]
    idle, sampling = found["software", "idle counters"], found["software", "sampling"]
    section.verdict(found["hardware", "exact account"]["truth"], "the truth is hwmon's")
    section.verdict(account["off"] <= account["points"], f"the image's exact account is off by {account['off']:.4f} points at "
                    f"most, within its printed resolution of {account['points']:.4f}")
    section.verdict(abs(log["off"] - account["off"]) < 1e-6, "its log of changes says the same")
    section.verdict(found["hardware", "log of changes"]["off"] < 1e-6, "hwmon's log of changes is its account")
    section.verdict(idle["off"] <= account["points"], f"the idle counters are off by {idle['off']:.4f} points")
    section.verdict(sampling["usages"]["bottleneck"]["solved"] and not sampling["usages"]["debugging"]["solved"],
                    f"sampling finds the busiest task and tells no order; it is off by {sampling['off']:.3f} points at most")
    section.verdict(log["bytes_per_second"] > sampling["bytes_per_second"] > idle["bytes_per_second"],
                    "the finer the monitor the more data: log of changes, sampling, idle counters")
    section.text("What differs: the paper's hardware monitors are probes on the bus of a machine; here the machine is emulated, and the "
                 "monitor sees each instruction. Its times have the resolution of an instruction.")
