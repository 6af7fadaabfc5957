/* SPDX-License-Identifier: MIT */
/* Loads of Crowe's papers: his Figure 3, programs whose faults he found and mended, and what a tick costs a task. */
#include "kernel/workload/workload.h"

/*
 * The 34 tasks of Crowe's Figure 3, each with its shares of kernel, supervisor and user time; the rest is IDLE.  A
 * task that the figure prints as 0.0 in each mode and 0.1 in total gets 0.02 % in each mode; one that it prints as
 * 0.0 everywhere gets less.  In figure3-fixed ROGUE is repaired: it makes the same records a second, and calls dbwrit
 * no more often than they need.
 */
#define TENTHS(n) ((n) * 1000u) /* of a percent, as millionths */
#define TRACE     200u          /* a third of what rounds to 0.1 % */
#define SPARK     50u           /* less than the figure can print */

/* The broken ROGUE keeps its share of time, the repaired one its amount of work. */
#define ROGUE(in_program, how)                                               \
    { .name = "ROGUE", .program = (in_program), .kernel = TENTHS(354),       \
      .supervisor = TENTHS(0), .user = TENTHS(78), .how = true,                \
      .grants = GRANTS_PACE }

#define FIGURE3(rogue) \
    WORKER("...LDR", TRACE, TRACE, TRACE),                                   \
    WORKER("AM", TRACE, TRACE, TRACE),                                       \
    WORKER("AMXM", TRACE, TRACE, TRACE),                                     \
    WORKER("AU", TENTHS(3), TENTHS(1), TENTHS(1)),                           \
    WORKER("CAE", TENTHS(8), TENTHS(0), TENTHS(1)),                          \
    WORKER("CAN", TENTHS(7), TENTHS(1), TENTHS(2)),                          \
    WORKER("CN", TENTHS(9), TENTHS(0), TENTHS(1)),                           \
    WORKER("CP", TENTHS(30), TENTHS(17), TENTHS(28)),                        \
    WORKER("CRT", TENTHS(3), TENTHS(1), TENTHS(1)),                          \
    WORKER("CSIT1", TENTHS(12), TENTHS(4), TENTHS(15)),                      \
    WORKER("CS2T1", TENTHS(5), TENTHS(2), TENTHS(7)),                        \
    WORKER("CS3T1", TENTHS(25), TENTHS(5), TENTHS(34)),                      \
    WORKER("CS4T1", TENTHS(13), TENTHS(3), TENTHS(13)),                      \
    WORKER("CS5T1", TENTHS(14), TENTHS(4), TENTHS(14)),                      \
    WORKER("CS6T1", TENTHS(17), TENTHS(4), TENTHS(17)),                      \
    rogue,                                                                   \
    WORKER("DS", TENTHS(18), TENTHS(3), TENTHS(18)),                         \
    WORKER("DT", TENTHS(5), TENTHS(2), TENTHS(4)),                           \
    WORKER("F11ACP", SPARK, SPARK, SPARK),                                   \
    WORKER("FTSIDE", TENTHS(1), TENTHS(0), TENTHS(0)),                       \
    WORKER("IN", TENTHS(2), TENTHS(1), TENTHS(0)),                           \
    WORKER("INSV1", TENTHS(2), TENTHS(0), TENTHS(0)),                        \
    WORKER("JTCHK", TENTHS(1), TENTHS(0), TENTHS(0)),                        \
    WORKER("JTRCV", TENTHS(13), TENTHS(3), TENTHS(2)),                       \
    WORKER("JTSEND", TENTHS(49), TENTHS(18), TENTHS(9)),                     \
    WORKER("LKM", TENTHS(13), TENTHS(2), TENTHS(5)),                         \
    WORKER("MCR...", SPARK, SPARK, SPARK),                                   \
    WORKER("OUTT1", TENTHS(4), TENTHS(0), TENTHS(0)),                        \
    WORKER("PATV1", SPARK, SPARK, SPARK),                                    \
    WORKER("RUNV1", TENTHS(1), TENTHS(0), TENTHS(0)),                        \
    WORKER("SM", TENTHS(8), TENTHS(3), TENTHS(20)),                          \
    WORKER("TCDLM", TENTHS(0), TENTHS(0), TENTHS(2)),                        \
    WORKER("TM", TENTHS(3), TENTHS(0), TENTHS(1)),                           \
    WORKER("XM", TENTHS(2), TENTHS(0), TENTHS(2))

WORKLOAD(workload_figure3, "figure3", "the 34 tasks of the paper's Figure 3", FIGURE3(ROGUE("rogue", absorbs)));
WORKLOAD(workload_figure3_fixed, "figure3-fixed", "the same with ROGUE repaired",
         FIGURE3(ROGUE("rogue-fixed", counted)));

/* Crowe's second case, as it was found and mended in two steps (kernel/tasks/bits.c). */
#define BITS(mended) \
    { .name = "BITS", .program = "bits", .argument = (mended), .grants = GRANTS_CLOCK | GRANTS_SLEEP }

WORKLOAD(workload_bits, "bits", "a task that takes a quarter of the CPU in loops over bits", BITS(0));
WORKLOAD(workload_bits_checked, "bits-checked", "the same, with a cheap check whether they are needed", BITS(1));
WORKLOAD(workload_bits_fixed, "bits-fixed", "and with the loops rearranged", BITS(2));

/*
 * One CPU-bound task that measures how long a fixed amount of work takes, again and again.  The cost of a tick shows
 * as longer times (Crowe, "Interrupt handling").
 */
WORKLOAD(workload_spin, "spin", "one CPU-bound task that reports how long its work takes", SPINNER("SPIN"));

/* Crowe's 10 000 emulated divisions (kernel/tasks/divider.c). */
WORKLOAD(workload_divisions, "divisions", "ten thousand emulated divisions of 32 bits",
         { .name = "DIVIDE", .program = "divider", .argument = 10000, .grants = GRANTS_SLEEP | GRANTS_REPORT });
