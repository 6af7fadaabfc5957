# SPDX-License-Identifier: MIT
"""Proof 12: system calls at the call site in three ways, and profiles in the tasks' own memory,
as 4.4BSD has them."""

import lib
from runs import Boot, Section, sized

WORDS = "monitor=system,callers seconds=16 rate=500 seed=1"
SHIFT = 7
# the least that the storm adds to the time difference: half of what its 41 % duty in half of the run can
EXCESS = 1.15
# of the truth: what ticks may differ, of which chance has 1.7 % in a deviation; 4.6 of them in brief
TICKS = sized(0.1, 0.18)
OWN = 0.05     # of the truth: what the time difference may differ without a storm


def boots():
    return {"bsd-callsites": Boot(f"tasks=callsites {WORDS}", shift=SHIFT),
            "bsd-callstorm": Boot(f"tasks=callstorm {WORDS}", shift=SHIFT),
            "bsd-profil": Boot(f"tasks=profil monitor=system,profil seconds={sized(8, 4)} rate=1000 seed=1", shift=6),
            "bsd-profil-nmi": Boot(f"tasks=profil monitor=system,profil seconds={sized(8, 4)} rate=1000 seed=1 "
                                   "delivery=nmi", shift=6)}


def sites(dump):
    """The two calls of WORKER: that of heavy() has more time."""
    rows = [r for r in lib.stat(dump)["callers"]["rows"] if r["name"] == "WORKER"]
    heavy, light = sorted(rows, key=lambda r: -r["kernel_s"])
    return {"heavy": heavy, "light": light}


def report_calls(section, dumps):
    section.text(
        "McCanne and Torek: 4.3BSD charges a system call, at its exit, "
        "to the address that it returns to, with the difference of the process's system time since its entry, "
        "converted to ticks; interrupts that came meanwhile are in that time. 4.4BSD takes "
        "the difference of the process's system ticks. `monitor=callers` does both, counts samples in the kernel "
        "for the caller at once, and has the truth from the account, from the gate to the end of the return.")
    section.commands(boots()["bsd-callsites"], boots()["bsd-callstorm"])
    rows = []
    for load in ("callsites", "callstorm"):
        for name, r in sites(dumps[f"bsd-{load}"]).items():
            rows.append((f"`{load}`", f"`{name}`", r["calls"],
                         *(f"{r[k]:.3f}" for k in ("kernel_s", "sampled_s", "ticks_s", "time_s")),
                         f"{r['time_s'] / r['kernel_s']:.2f}"))
    section.table(("load", "call in", "calls", "truth, s", "samples, s", "tick difference, s", "time difference, s",
                   "time difference over truth"), rows)
    alone, storm = (sites(dumps[f"bsd-{load}"])["heavy"] for load in ("callsites", "callstorm"))
    ratio = {n: r["time_s"] / r["kernel_s"] for n, r in (("alone", alone), ("storm", storm))}
    section.verdict(abs(ratio["alone"] - 1) <= OWN, f"alone the time difference is {ratio['alone']:.3f} of the truth")
    section.verdict(ratio["storm"] >= EXCESS,
                    f"beside a storm it is {ratio['storm']:.3f}: the interrupts are charged to the call")
    for name, r in (("alone", alone), ("storm", storm)):
        section.verdict(abs(r["ticks_s"] / r["kernel_s"] - 1) <= TICKS,
                        f"{name}: the tick difference is {r['ticks_s'] / r['kernel_s']:.3f}")


def report_profil(section, dumps):
    section.text(
        "**profil**: the tick increments the task's counter itself where its page is mapped, and defers it to a trap "
        "where it is not (4.4BSD); before, each tick took a trap.")
    section.commands(boots()["bsd-profil"], boots()["bsd-profil-nmi"])
    rows = []
    for name in ("bsd-profil", "bsd-profil-nmi"):
        for p in lib.stat(dumps[name])["profil"]:
            rows.append((name.removeprefix("bsd-"), p["name"], p["direct"], p["trapped"], p["touched"], p["calls"]))
            if p["name"] == "TOUCH":
                section.verdict(0 < p["trapped"] == p["touched"],
                                f"{name}: {p['trapped']} traps, {p['touched']} pages first touched")
            if p["name"] == "TRAPS":
                section.verdict(p["direct"] == 0 and p["trapped"] > 100,
                                f"{name}: the old way takes {p['trapped']} traps")
    section.table(("run", "task", "counted by the tick", "traps", "pages first touched by them",
                   "ticks charged to calls"), rows)


def report(dumps, folder):
    section = Section("12. Code profiling as 4.4BSD does it", folder)
    report_calls(section, dumps)
    report_profil(section, dumps)
    return section
