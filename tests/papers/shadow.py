# SPDX-License-Identifier: MIT
"""Proof 6: the shadow of CLI, Crowe's limit: what runs masked is charged to what follows, or by NMI to itself."""

import charts
import estimates
import lib
import workloads
from runs import Boot, Section, deviations, sized, widened

SECONDS = sized(20, 6)
WORDS = f"tasks=shadow monitor=system,samples rate=1000 seconds={SECONDS} seed=1"
# points between the instructions that were counted and what was designed: the run's own edges
CLOSE = widened(1.0, 20, SECONDS)


def boots():
    return {"shadow-irq": Boot(WORDS, options=("--door", "rom", "--qemu-arg", "-plugin", "--qemu-arg", plugin())),
            "shadow-nmi": Boot(f"{WORDS} delivery=nmi")}


def plugin():
    first = min(address for address, _ in workloads.functions().values())
    return f"{lib.ROOT}/build/qemu/count.so,out={counts()},from={first:#x}"


def counts():
    return lib.folder() / "shadow.counts"


def percents(sums):
    whole = sum(sums.values())
    return {name: 100 * sums[name] / whole for name in workloads.SHADOW}


def sampled(dump):
    """Samples in the functions by PC, those whose tick was late too: what a classic sampler charges."""
    text, _ = lib.host("samples", dump)
    rows = (line.split() for line in text.splitlines() if not line.startswith("#"))
    return workloads.by_function(workloads.functions(), ((int(r[6], 16), 1) for r in rows if r[6] != "-"))


def counted():
    lines = (line.split() for line in counts().read_text().splitlines())
    return workloads.by_function(workloads.functions(), ((int(a, 16), int(times)) for a, _, times in lines))


def estimated(hits):
    """The share of each function, with its interval."""
    taken = sum(hits.values())
    return [estimates.percent(hits[name], taken) for name in workloads.SHADOW]


def report(dumps, folder):
    section = Section("6. The shadow of CLI", folder)
    section.text(
        "Crowe, on interrupt handling: a tick that comes while interrupts are masked waits, and is assigned to the "
        "first instruction behind the masked section; it never samples handlers and the probe itself. No policy of "
        "intervals cures this.",
        "Here a path through the kernel takes a lock (`lock` to `unlock`) and masks interrupts over `find`, `link` "
        "and `mark`, 9.6 % of it. The truth is counted by the emulator, instruction by instruction (the plugin "
        "`build/qemu/count.so`).")
    section.commands(*boots().values())
    irq, nmi = sampled(dumps["shadow-irq"]), sampled(dumps["shadow-nmi"])
    shares = {"exact": percents(counted()), "irq": percents(irq), "nmi": percents(nmi)}
    section.table(("function", "masked", "counted, %", "irq, by PC, %", "nmi, by PC, %"),
                  [(f"`{f}`", "yes" if f in workloads.MASKED else "",
                    *(f"{shares[w][f]:.2f}" for w in ("exact", "irq", "nmi")))
                   for f in workloads.SHADOW])
    charts.bars(section.picture("shadow", "Shares by function, counted and sampled"), "A path with a masked section",
                "share of the path, %", list(workloads.SHADOW),
                {"counted": list(shares["exact"].values()), "tick by interrupt": estimated(irq),
                 "tick by NMI": estimated(nmi)},
                marked={"unlock": "blamed"}, note="what is counted is exact; find, link and mark are masked")
    judge(section, shares, irq, nmi, lib.stat(dumps["shadow-irq"]))
    section.text("What differs: the image does not charge a late tick to `unlock` in its own tables, but to row "
                 "MASKED; the column `irq` is what the PCs say, that is what Crowe's probe would print.")
    return section


def judge(section, shares, irq, nmi, table):
    hidden = sum(shares["exact"][f] for f in workloads.MASKED)
    section.verdict(not any(irq[f] for f in workloads.MASKED), f"irq: no sample of {sum(irq.values())} lies in the "
                    f"{hidden:.1f} % that are masked")
    blamed, true = shares["irq"]["unlock"], shares["exact"]["unlock"]
    section.verdict(blamed > true + 0.8 * hidden, f"irq: `unlock` has {blamed:.1f} % for a true {true:.2f} %")
    taken = sum(nmi.values())
    far = [abs(shares["nmi"][f] - p) / (100 * (p / 100 * (1 - p / 100) / taken) ** 0.5)
           for f, p in shares["exact"].items()]
    section.verdict(max(far) <= deviations(4),
                    f"nmi: each function is met, the worst {max(far):.1f} standard errors off")
    masked = lib.row(table, "MASKED")["total"]["percent"]
    section.verdict(abs(masked - hidden) <= CLOSE,
                    f"irq: row MASKED has {masked:.2f} % of the samples, for {hidden:.2f} % of the path")
