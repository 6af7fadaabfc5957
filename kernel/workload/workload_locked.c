/* SPDX-License-Identifier: MIT */
/*
 * Loads in step with the system clock, which a sampler by the same clock measures
 * wrongly: Crowe's deadlock ("Source of clock ticks"), tasks that look for work at each
 * tick, and tasks that sleep while it comes.
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

static const struct workload_task deadlocked[] = {
    TAKER(0), TAKER(1), TAKER(2), TAKER(3), TAKER(4), TAKER(5), TAKER(6), TAKER(7),
};

WORKLOAD(workload_deadlock, "deadlock", "eight tasks wait in a ring and poll at each clock tick", deadlocked);

static const struct workload_task pollers[] = {
    POLLER(1), POLLER(2), POLLER(3), POLLER(4), POLLER(5), POLLER(6),
};

WORKLOAD(workload_pollers, "pollers", "six tasks use a tenth of each clock tick, behind it", pollers);

#define ROUNDED(n, share) \
    { .name = "EVERY" #n, .program = "poller", .argument = ((n) - 1) << POLLER_PASSES | (share), \
      .grants = GRANTS_CLOCK | GRANTS_SLEEP }

static const struct workload_task rounded[] = {
    ROUNDED(1, 110), ROUNDED(2, 170), ROUNDED(3, 230), ROUNDED(5, 190), ROUNDED(7, 130),
};

WORKLOAD(workload_rounded, "rounded", "five tasks that sleep 1, 2, 3, 5 and 7 clock ticks and then compute", rounded);

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

static const struct workload_task count_alone[] = { COUNT(TWENTY_MILLION) };

WORKLOAD(workload_hog0, "hog0", "a task counts to twenty million and reports how long it took", count_alone);

static const struct workload_task hog[] = {
    { .name = "HOG", .program = "adversary", .argument = 500, .grants = GRANTS_TIMED },
};

WORKLOAD(workload_hog1, "hog1", "a task computes from each clock tick to just before the next", hog);

static const struct workload_task hogs[] = { HOGS(0), COUNT(TWENTY_MILLION) };

WORKLOAD(workload_hog2, "hog2", "the same task beside two hogs that hide from the clock", hogs);

static const struct workload_task sweep[] = { HOGS(HOG_SWEEP), COUNT(WITHOUT_END) };

WORKLOAD(workload_hogsweep, "hogsweep", "a task counts beside two hogs that hide from the clock ever more narrowly",
         sweep);

#define FREE_HOG(task) \
    { .name = (task), .program = "adversary", .argument = LEAD | HOG_FREE, .seeded = true, .grants = GRANTS_TIMED }

static const struct workload_task free_hogs[] = { FREE_HOG("HOG1"), FREE_HOG("HOG2"), COUNT(WITHOUT_END) };

WORKLOAD(workload_freehogs, "freehogs", "a task counts beside two hogs whose turns are those of chance", free_hogs);
