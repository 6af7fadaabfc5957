/* SPDX-License-Identifier: MIT */
/*
 * Loads in step with the system clock, which a sampler by the same clock measures wrongly: Crowe's deadlock
 * ("Source of clock ticks"), tasks that look for work at each tick, tasks that sleep while it comes, and a burst
 * that drifts against it.
 */
#include "kernel/abi/syscall_numbers.h"
#include "kernel/workload/workload.h"

#define RING  8u   /* tasks of the deadlock */
#define LOOK  100u /* thousandths of a clock tick: the cost of one look for the resource */

#define TAKER(n) \
    { .name = "TAKER" #n, .program = "taker", .argument = TAKER_ARGUMENT(n, RING, LOOK), \
      .grants = GRANTS_CLOCK | GRANTS_SLEEP | GRANT_CALL(SYS_TAKE) }
#define POLLER(n) \
    { .name = "POLL" #n, .program = "poller", .argument = 100, .grants = GRANTS_CLOCK | GRANTS_SLEEP }

WORKLOAD(workload_deadlock, "deadlock", "eight tasks wait in a ring and poll at each clock tick",
         TAKER(0), TAKER(1), TAKER(2), TAKER(3), TAKER(4), TAKER(5), TAKER(6), TAKER(7));

WORKLOAD(workload_pollers, "pollers", "six tasks use a tenth of each clock tick, behind it",
         POLLER(1), POLLER(2), POLLER(3), POLLER(4), POLLER(5), POLLER(6));

#define ROUNDED(n, share) \
    { .name = "EVERY" #n, .program = "poller", .argument = ((n) - 1) << POLLER_PASSES | (share), \
      .grants = GRANTS_CLOCK | GRANTS_SLEEP }

WORKLOAD(workload_rounded, "rounded", "five tasks that sleep 1, 2, 3, 5 and 7 clock ticks and then compute",
         ROUNDED(1, 110), ROUNDED(2, 170), ROUNDED(3, 230), ROUNDED(5, 190), ROUNDED(7, 130));

/*
 * McCanne and Torek's counting program, to twice its ten million, and their adversaries,
 * which sleep as long before a tick as those in the paper's appendix do.
 */
#define TWENTY_MILLION 20000000u
#define WITHOUT_END    (1ull << 40)
#define LEAD           1000u /* us before a clock tick */

#define GRANTS_TIMED (GRANTS_CLOCK | GRANTS_SLEEP | GRANTS_REPORT)
#define COUNT(number) \
    { .name = "COUNT", .program = "counter", .argument = (number), .grants = GRANTS_TIMED }
#define HOGS(more) \
    { .name = "HOG1", .program = "adversary", .argument = LEAD | HOG_TURNS | (more), \
      .grants = GRANTS_TIMED }, \
    { .name = "HOG2", .program = "adversary", .argument = LEAD | HOG_TURNS | HOG_SECOND | (more), \
      .grants = GRANTS_TIMED }

WORKLOAD(workload_hog0, "hog0", "a task counts to twenty million and reports how long it took",
         COUNT(TWENTY_MILLION));

WORKLOAD(workload_hog1, "hog1", "a task computes from each clock tick to just before the next",
         { .name = "HOG", .program = "adversary", .argument = 500, .grants = GRANTS_TIMED });

WORKLOAD(workload_hog2, "hog2", "the same task beside two hogs that hide from the clock",
         HOGS(0), COUNT(TWENTY_MILLION));

WORKLOAD(workload_hogsweep, "hogsweep", "a task counts beside two hogs that hide from the clock ever more narrowly",
         HOGS(HOG_SWEEP), COUNT(WITHOUT_END));

#define FREE_HOG(task) \
    { .name = (task), .program = "adversary", .argument = LEAD | HOG_FREE, .seeded = true, .grants = GRANTS_TIMED }

WORKLOAD(workload_freehogs, "freehogs", "a task counts beside two hogs whose turns are those of chance",
         FREE_HOG("HOG1"), FREE_HOG("HOG2"), COUNT(WITHOUT_END));

/*
 * The isochronous process of McCanne and Torek, "The Isochronous Anomaly": a frame of sound each 22.5 ms against a
 * clock of 10 ms.
 *
 * Four bursts take 90 ms, nine ticks of the clock, and begin at four phases of a tick that are 2.5 ms apart.  So a
 * sampler on the clock charges 1 tick of 9 or none: the 0 and 10 % of the paper's Figure 3.  If a burst lasts half of
 * 2.5 ms, that is so for half of the time, as there and in Figure 4.  It changes each minute if the two clocks drift
 * apart by 2.5 ms a minute, 42 ppm, as crystals do.  The clocks of an emulator do not drift, so the period is 42 ppm
 * longer instead.
 */
#define PERIOD_NS 22500945ull /* 22.5 ms and 42 ppm */
#define BURST_NS  1250000ull

WORKLOAD(workload_isochronous, "isochronous", "a burst each 22.5 ms, off the clock's grid",
         { .name = "VAT", .program = "isochronous",
           .argument = BURST_NS << ISOCHRONOUS_BURST | PERIOD_NS,
           .grants = GRANTS_CLOCK | GRANTS_SLEEP | GRANTS_REPORT });

/* Tasks that sleep and report how long it took: some to the microsecond, others to a tick of the system clock. */
#define SLEEPER(task, how_long) \
    { .name = (task), .program = "sleeper", .argument = (how_long), \
      .grants = GRANTS_CLOCK | GRANTS_SLEEP | GRANTS_REPORT }

WORKLOAD(workload_sleepers, "sleepers", "tasks that report how long they slept",
         SLEEPER("SL100", 100), SLEEPER("SL1000", 1000), SLEEPER("SL22K5", 22500),
         SLEEPER("GRID1K", SLEEPER_GRID | 1000), SLEEPER("GRID15", SLEEPER_GRID | 15000));
