# SPDX-License-Identifier: MIT
"""The methods of docs/METHODS.md, a row each, and the boots in which they run."""

import collections.abc
import dataclasses

import method_readers as read

HZ = 100  # of the system clock and of every sampler: they differ in when they look, not in how often
WINDOW = "open=base_clock,close=copy_exact_rows,monitor=tick_entry,monitor=nmi_entry"

# Words of a boot, for each workload.  Methods share one where none changes what another reads: they count in places
# of their own, and what one costs is in the truth of all.  The intercept has one of its own: the exact table knows
# nothing of its stubs, and gives their time to whom they interrupt; so has the task at idle priority, beside which
# the processor never halts.
RUNS = {
    "stratified": f"tick=pit,clock rate={HZ} monitor=system,idle,acct,perfcall,proctable",
    "random": f"tick=pit interval=random rate={HZ} monitor=system,procstat",
    "fixed": f"tick=pit-periodic interval=fixed rate={HZ} monitor=system,events,states events=switch,irq buffer=stop "
             "records=1048576", "idletask": f"tick=pit rate={HZ} monitor=system,idletask",
    "nohz": f"tick=pit rate={HZ} monitor=system,procstat nohz=on",
    "intercept": f"tick=pit rate={HZ} monitor=system,intercept",
    "nmi-stratified": f"tick=pit delivery=nmi rate={HZ}",
    "nmi-random": f"tick=pit interval=random delivery=nmi rate={HZ}",
    "nmi-fixed": f"tick=pit interval=fixed delivery=nmi rate={HZ}",
}
OBSERVED = {"stratified": f"account=log,event=store:current:6,{WINDOW}"}  # by hwmon


@dataclasses.dataclass(frozen=True)
class Method:
    name: str
    papers: str
    what: str                           # it does, in a sentence
    run: str                            # of RUNS
    read: collections.abc.Callable      # of method_readers
    cost: str                           # words with which it runs alone; "": it costs the machine nothing
    needs: str
    use: str
    errs: dict = dataclasses.field(default_factory=dict)  # workload: what theory says of its reading


def none_or_all(reading, truth):
    """The load keeps its place between two ticks, so that each tick finds the same."""
    return not 2 < reading.busy < 98


def misses(reading, truth):
    """No tick finds it, but for some while it learns when they come."""
    return reading.guilty <= 1


def hidden(reading, truth):
    """Handlers keep interrupts off: no tick finds one, and their time stays with the tasks."""
    return reading.guilty <= 1


def vanished(reading, truth):
    """Tasks that have ended are not in the list any more, and their ticks with them."""
    return reading.guilty < truth.guilty / 2


def turns(reading, truth):
    """It counts turns, not time: a task that takes turns with IDLE has about as many,
    however short or long its own are."""
    return abs(reading.guilty - truth.guilty) > 10


def half_off(reading, truth):
    """In a stretch of half a minute no tick meets its bursts, or twice as many as should."""
    return abs(reading.guilty - truth.guilty) > truth.guilty / 2


IN_STEP = {"hog1": none_or_all, "rounded": none_or_all, "isochronous": half_off}
BEHIND = {"hog1": misses, "rounded": misses, "isochronous": half_off}
HANDLERS = {"storm": hidden}
TURNS = dict.fromkeys(("hog1", "rounded", "isochronous"), turns)
COUNTED = {**BEHIND, **HANDLERS, "brief": vanished}
SAMPLED = "monitor=system account=off"
TICK, TIMER, NMI = "nothing: the tick is there", "a timer of its own", "a timer whose interrupt can be an NMI"
ACCOUNT = "exact times (`account=on`)"

METHODS = (
    Method("tick counters (/proc/stat, rusage)", "Stefanov, Gradskov; McCanne, Torek",
           "each tick of the system clock is charged whole to the task and the mode that it finds",
           "random", read.tick_counters, "tick=none monitor=procstat account=off", "nothing: the tick is there",
           "never for shares of tasks: it looks at the one moment when they have just gone or not yet come", COUNTED),
    Method("tick counters, no ticks while idle (nohz)", "Stefanov, Gradskov",
           "the same without ticks while the processor is idle: idle time is measured by the clock; "
           "busy is what is left of the time that passed", "nohz", read.elapsed_counters,
           "tick=none monitor=procstat account=off nohz=on", "a timer for each sleep",
           "for the load, by elapsed time; never for shares of tasks", COUNTED),
    Method("samples at the clock's ticks", "Crowe; McCanne, Torek",
           "the same, but a tick that came late is charged to row MASKED, not to the task that it then finds",
           "stratified", read.clock_sampled, f"tick=clock {SAMPLED}", TICK,
           "never; the row MASKED only makes it honest about handlers", BEHIND),
    Method("fixed samples, interrupt", "Crowe; McCanne, Torek",
           "a timer of its own interrupts at a fixed period and notes which task runs",
           "fixed", read.sampled,
           f"tick=pit-periodic interval=fixed rate={HZ} {SAMPLED}", TIMER,
           "only where nothing in the system has a period near the sampler's or a multiple of it", IN_STEP),
    Method("fixed samples, NMI", "Crowe",
           "the same by an interrupt that nothing can switch off; the next period begins in the handler, "
           "so that the ticks slowly move through the load", "nmi-fixed", read.sampled,
           f"tick=pit interval=fixed delivery=nmi rate={HZ} {SAMPLED}", NMI,
           "as fixed samples; it sees code with interrupts off too"),
    Method("random samples, interrupt", "McCanne, Torek",
           "each interval between two samples is drawn, from nothing to twice the mean",
           "random", read.sampled, f"tick=pit interval=random rate={HZ} {SAMPLED}",
           "a timer that can be set for each tick", "for everyday use, where no task tries to hide"),
    Method("random samples, NMI", "McCanne, Torek",
           "the same by an interrupt that nothing can switch off",
           "nmi-random", read.sampled,
           f"tick=pit interval=random delivery=nmi rate={HZ} {SAMPLED}", NMI,
           "the same, where drivers and handlers are under suspicion"),
    Method("stratified samples, interrupt", "after McCanne, Torek",
           "two samples at random moments of each stretch of two mean intervals",
           "stratified", read.sampled, f"tick=pit rate={HZ} {SAMPLED}",
           "a timer that can be set for each tick", "for everyday use: the narrowest interval for as many samples"),
    Method("stratified samples, NMI", "after McCanne, Torek",
           "the same by an interrupt that nothing can switch off",
           "nmi-stratified", read.sampled,
           f"tick=pit delivery=nmi rate={HZ} {SAMPLED}", NMI, "when in doubt: everything is seen, handlers by name"),
    Method("profil", "McCanne, Torek",
           "each tick that finds a program counts the place in its code, in memory of the program's own",
           "random", read.silent, f"tick=pit interval=random rate={HZ} monitor=system,profil account=off",
           "a program that asks for it", "not for these questions: it tells where in one program the time goes"),
    Method("rusage, p_k T_e by the clock's ticks", "McCanne, Torek",
           "a clock is read when a task gets and leaves the processor (T_e); the system clock's ticks only divide "
           "that time into modes (p_k)", "stratified", read.rusage_by_clock,
           "tick=clock monitor=system account=on", "a reading of a clock at each switch of tasks",
           "for totals of tasks; its split into user and system is a guess", HANDLERS),
    Method("rusage, p_k T_e by random NMIs", "McCanne, Torek",
           "the same, divided by samples at random times",
           "nmi-random", read.rusage_by_samples,
           f"tick=pit interval=random delivery=nmi rate={HZ} monitor=system account=on",
           "a reading of a clock at each switch of tasks; NMIs",
           "for totals of tasks with a split that can be trusted"),
    Method("process table", "Yevtushenko",
           "each time that a task loses the processor counts one for it, however long it ran; the table has the "
           "tasks that are there now", "stratified", read.process_table, "tick=none monitor=proctable account=off",
           "a counter in the scheduler", "to see which tasks there are and what they wait for, not for their shares",
           {**TURNS, "brief": vanished}),
    Method("idle task", "Yevtushenko",
           "a task that runs when no other wants to counts; how far it came, against how far it counts alone, "
           "is the idle time", "idletask", read.idle_task, "tick=none monitor=idletask account=off",
           "priorities, and a processor that need not halt",
           "for the load of a system that you cannot change, if no other task has idle priority and power does "
           "not matter"),
    Method("performance call", "Yevtushenko",
           "a system call returns time, idle time and interrupt time since the start; a task reads it twice "
           "and subtracts", "stratified", read.performance_call, "tick=none monitor=perfcall account=on", ACCOUNT,
           "for the load from a program of your own"),
    Method("account log", "Thurner",
           "a clock is read at each change of task or mode; what each task has used is sent each second and "
           "at its end", "stratified", read.account_log, "tick=none monitor=acct account=on", ACCOUNT,
           "for bills and for capacity: what each task used, ended ones included"),
    Method("events", "Thurner",
           "each switch of tasks and each interrupt is recorded with its time; the reader adds up",
           "fixed", read.from_events, "tick=none monitor=system,events events=switch,irq buffer=overwrite account=on",
           f"{ACCOUNT}; a buffer", "to find out why: order, waits, latencies"),
    Method("classes of states", "Thurner",
           "the user names classes of states, such as idle; "
           "each change from one to another is recorded with its time", "fixed", read.classes,
           "tick=none monitor=states classes=0=idle:task=IDLE,1=other:else buffer=overwrite account=on",
           f"{ACCOUNT}; a buffer; a question asked before the run",
           "for a question of your own, such as a protocol's phases"),
    Method("idle counters", "Thurner",
           "two counters: the time for which the processor was halted, and all time",
           "stratified", read.idle_counters, "tick=none monitor=idle account=off", "a reading of a clock around HLT",
           "when one number, the load, is enough; hardly anything is cheaper"),
    Method("interrupt intercept", "Thurner",
           "the entries of interrupts are led through a counter while the system runs, without the "
           "handlers' knowledge", "intercept", read.intercepted, "tick=none monitor=intercept account=on", ACCOUNT,
           "when devices are suspected: time and latency of each interrupt"),
    Method("hybrid: the scheduler's store", "Thurner",
           "the scheduler stores which task runs next, as it does anyway; an observer outside records these stores "
           "with their time", "stratified", read.hybrid, "",
           "an observer of the bus, or the emulator, that knows where the scheduler stores",
           "for tasks, with nothing added to the system"),
    Method("hardware monitor", "Thurner",
           "an observer outside sees each instruction",
           "stratified", read.hardware, "", "an observer of the bus, or the emulator",
           "as the judge of all others, where you have one"),
)
