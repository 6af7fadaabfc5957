/* SPDX-License-Identifier: MIT */
/*
 * The loads of Stefanov and Gradskov, "Analysis of CPU Usage Data Properties" (2016).  delays: the 18 delays of
 * their Table 1, one after another, each by a task of its own, so that each has a row; at which phase of the system
 * clock one begins is drawn from seed=, or is one of eight (delays-phases).  refused: two tasks that loop and make
 * calls which are refused, one mostly the one and the other, whose nice value is above 0, mostly the other.  pauses:
 * one that loops and sleeps.
 */
#include "kernel/abi/syscall_numbers.h"
#include "kernel/lib/run_state.h"
#include "kernel/sched/children.h"
#include "kernel/sched/task.h"
#include "kernel/sched/timer.h"
#include "kernel/workload/workload.h"

#define SLEEPS   20u   /* thousands, of each delay */
#define REFUSALS 1000u /* thousands, without one */
#define LIFE_US  10000000000ull /* nobody is ended */

static const uint16_t delays[] = { 0, 1, 5, 10, 20, 30, 40, 50, 60, 70, 80, 90, 100, 150, 200, 700, 750, 1000 };

#define DELAYS (sizeof delays / sizeof delays[0])

static struct children sum; /* written by task MAKER */

/*
 * `turns` thousands of calls; the phase is drawn from seed=, or fixed: `phase` us.  The names are "D0000" to "D1000".
 */
static struct task *make_delayer(uint64_t number, uint64_t turns, bool drawn, uint64_t phase)
{
    const unsigned delay = delays[number];
    const struct workload_task row = {
        .program = "delayer", .seeded = drawn, .argument = delay | turns << DELAYER_TURNS | phase << DELAYER_DRAWN,
        .grants = GRANTS_CLOCK | GRANTS_SLEEP | GRANTS_REPORT | GRANT_CALL(SYS_DISK),
    };
    char name[] = "D0000";

    for (unsigned place = 4, left = delay; place > 0; place--, left /= 10)
        name[place] = (char)('0' + left % 10);
    return workload_make_child(&row, name, number);
}

static struct task *make(uint64_t number)
{
    return make_delayer(number, delays[number] == 0 ? REFUSALS : SLEEPS, true, 0);
}

/* An eighth of the calls, as one of eight runs at phases that are spaced equally over a tick of 1 ms. */
static struct task *make_phased(uint64_t number)
{
    const uint64_t turns = (delays[number] == 0 ? REFUSALS : SLEEPS + DELAYER_FIXED / 2) / DELAYER_FIXED;

    return make_delayer(number, turns, false, run_config()->seed % DELAYER_FIXED * (DELAYER_PHASES / DELAYER_FIXED));
}

static void maker(void)
{
    children_run(&(const struct child_kind){ make, &sum }, 1, DELAYS, timer_us_to_clocks(LIFE_US));
}

static void phased_maker(void)
{
    children_run(&(const struct child_kind){ make_phased, &sum }, 1, DELAYS, timer_us_to_clocks(LIFE_US));
}

WORKLOAD(workload_delays, "delays", "the same call with 18 delays, one after another",
         { .name = "MAKER", .entry = maker });
WORKLOAD(workload_delays_phases, "delays-phases", "the same at one of eight fixed phases of the clock",
         { .name = "MAKER", .entry = phased_maker });

#define MIXER(task, loop_us, calls, sleep_us, more)                                                          \
    { .name = (task), .program = "mixer", .nice = (more),                                                    \
      .argument = (loop_us) | (uint64_t)(calls) << MIXER_CALLS | (uint64_t)(sleep_us) << MIXER_SLEEP,        \
      .grants = GRANTS_CLOCK | GRANTS_SLEEP | GRANT_CALL(SYS_DISK) }

WORKLOAD(workload_refused, "refused", "a task that loops, and one that makes calls that are refused",
         MIXER("LOOPER", 90, 4, 0, 0), MIXER("CALLER", 10, 60, 0, 5));

#define WATCHER(period_us)                                                                                   \
    { .name = "READER", .program = "procreader", .argument = (period_us) * 1000u,                            \
      .grants = GRANTS_CLOCK | GRANTS_SLEEP | GRANTS_MONITOR | GRANT_CALL(SYS_PROC) }

WORKLOAD(workload_pauses, "pauses", "a task that loops and sleeps, and one that reads the tick counters each 200 us",
         MIXER("PAUSER", 130, 0, 270, 0), WATCHER(200));
WORKLOAD(workload_pauses350, "pauses350", "the same, read each 350 us",
         MIXER("PAUSER", 130, 0, 270, 0), WATCHER(350));

#define READER(task, hz, every, more)                                                                        \
    { .name = (task), .program = "procreader",                                                               \
      .argument = 1000000000u / (hz) | (uint64_t)(every) << PROCREADER_EVERY | (more),                       \
      .grants = GRANTS_CLOCK | GRANTS_SLEEP | GRANTS_REPORT | GRANT_CALL(SYS_PROC) }

WORKLOAD(workload_readers, "readers", "tasks that read the tick counters, one 6000 times a second",
         MIXER("LOOPER", 90, 4, 500, 0), READER("SLOW", 1, 1, 0), READER("FAST", 6000, 6000, 0),
         READER("HOSTIL", 1, 1, PROCREADER_HOSTILE));

/* One mostly in its loop, one mostly in the kernel, one that waits for the disk; their numbers begin at 2. */
WORKLOAD(workload_proctexts, "proctexts",
         "tasks that loop, call and wait, and one that reports the texts of all tick counters",
         MIXER("LOOPER", 90, 4, 500, 0), MIXER("CALLER", 10, 60, 500, 5),
         { .name = "READER", .program = "diskuser", .argument = 100, .seeded = true,
           .grants = GRANTS_CLOCK | GRANTS_SLEEP | GRANT_CALL(SYS_DISK) },
         READER("TELLER", 1, 1, PROCREADER_TELLS));
