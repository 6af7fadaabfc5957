# SPDX-License-Identifier: MIT
"""Proof 4: interrupt interference, McCanne and Torek, Figure 2:
what a bystander is charged for a device's interrupts."""

import charts
import lib
from runs import Boot, Section, charged_estimates, deviations, samples, sized

SECONDS, HZ = sized(24, 8), 1000  # whole storms: 4 s of each 8
EACH = 2  # s between two error bars of the picture
WORDS = f"rate={HZ} seconds={SECONDS} seed=1 monitor=system,samples"
BOOTS = {
    "openstorm-irq": Boot(f"tasks=openstorm {WORDS}"),
    "openstorm-nmi": Boot(f"tasks=openstorm {WORDS} delivery=nmi"),
    "storm-irq": Boot(f"tasks=storm {WORDS}"),
    "storm-nmi": Boot(f"tasks=storm {WORDS} delivery=nmi"),
}
STORM = 15.0  # percent of the CPU that the handlers have at least
# points: what a bystander may be charged for what is not its own, and 4.6 deviations of two runs of 8 s
OWN = sized(1.0, 2.5)


def boots():
    return BOOTS


def bystander(dump):
    return lib.row(lib.stat(dump), "BYSTND")


def report(dumps, folder):
    section = Section("4. Interrupt interference", folder)
    section.text(
        'McCanne and Torek ("Interrupt Activity Interference", Figure 2): a program that hardly calls the system '
        'was charged much system time during a storm of interrupts from a network interface, because handlers were '
        'charged to it. If interrupts have a mode of their own, the curve stays flat.',
        "Here a device interrupts 4096 times a second, "
        "4 s of each 8, and its handler works 0.1 ms; the bystander computes. "
        "`openstorm` runs its handlers with interrupts on, so ticks find them as in the paper; `storm` does not. A "
        "tick by interrupt knows the ring only (`kernel`), the NMI knows that a handler runs (`interrupt`).")
    section.commands(*BOOTS.values())
    rows = []
    for name in BOOTS:
        table, row = lib.stat(dumps[name]), bystander(dumps[name])
        masked = lib.row(table, "MASKED")
        rows.append((f"`{name}`",
                     *(f"{row[m]['percent']:.2f} ({row[m]['exact']:.2f})" for m in ("user", "kernel", "interrupt")),
                     f"{masked['total']['percent']:.2f} ({masked['total']['exact']:.2f})" if masked else "none"))
    section.text("Percent charged to the bystander, in brackets the exact share of that column (of what is not "
                 "masked, where the tick is an interrupt):")
    section.table(("run", "user", "kernel", "interrupt", "row MASKED"), rows)
    draw(section, dumps)
    judge(section, dumps)
    section.text("What differs: the storm comes from a clock chip, not from a network, and comes three times. The "
                 "image never charges a late tick to the code that it interrupts: with `storm` by interrupt the "
                 "handlers are in row MASKED, where a classic kernel would "
                 "have charged the bystander's user time.")
    return section


def draw(section, dumps):
    found = {name: samples(dumps[name]) for name in ("openstorm-irq", "openstorm-nmi")}

    def charged(name, mode):
        effect = bystander(dumps[name])[mode]["deff"]
        return charged_estimates(found[name], 1 / HZ, lambda s: s.task == "BYSTND" and s.mode == mode and not s.late,
                                 effect, EACH)

    charts.curves(section.picture("interference", "Time charged to the bystander over time"),
                  "Charged to a bystander while a device storms", ("time, s", "charged, s"),
                  {"kernel, own mode (nmi)": charged("openstorm-nmi", "kernel"),
                   "kernel, no mode (irq)": charged("openstorm-irq", "kernel"),
                   "interrupt (nmi)": charged("openstorm-nmi", "interrupt")}, bold=("kernel, no mode (irq)",),
                  note=f"each {EACH} s, of all charged until then")


def judge(section, dumps):
    blamed = bystander(dumps["openstorm-irq"])["kernel"]["percent"]
    own = bystander(dumps["openstorm-nmi"])
    section.verdict(blamed > STORM,
                    f"without a mode of their own the handlers are charged to the bystander: {blamed:.1f} % kernel")
    section.verdict(own["kernel"]["percent"] < OWN and own["interrupt"]["percent"] > STORM,
                    f"with one it has {own['kernel']['percent']:.2f} % kernel, and interrupts "
                    f"{own['interrupt']['percent']:.1f} %")
    masked, hidden = (lib.row(lib.stat(dumps["storm-irq"]), "MASKED")["total"],
                      bystander(dumps["storm-nmi"])["interrupt"])
    others = masked["exact"] - hidden["exact"]
    section.verdict(abs(masked["percent"] - others - hidden["percent"]) < OWN,
                    f"with interrupts off {masked['percent']:.1f} % are in MASKED; "
                    f"less {others:.1f} % that other masked code has by the account, "
                    f"these are the handlers that the NMI sees, {hidden['percent']:.1f} %")
    for name in ("openstorm-nmi", "storm-nmi"):
        judge_time(section, name, dumps[name])


def judge_time(section, name, dump):
    """T_u = p_u T_e: what the samples say of the part in user mode, times the exact elapsed time of the task."""
    table, row = lib.stat(dump), bystander(dump)
    elapsed = row["total"]["exact"] / 100 * table["tau"] / table["clock_hz"]
    true = row["user"]["exact"] / 100 * table["tau"] / table["clock_hz"]
    part = row["user"]["hits"] / row["total"]["hits"]
    allowed = deviations(4) * (part * (1 - part) / row["total"]["hits"]) ** 0.5 * elapsed
    section.verdict(abs(part * elapsed - true) <= allowed, f"`{name}`: T_u = p_u T_e = {part:.4f} x "
                    f"{elapsed:.3f} s = {part * elapsed:.3f} s, exact {true:.3f} s, at most {allowed:.3f} s off")
