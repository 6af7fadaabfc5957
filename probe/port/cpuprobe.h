/* SPDX-License-Identifier: MIT */
/*
 * The sampling core in a kernel of yours: one struct of callbacks, memory that you own, a dozen calls.
 * A first table needs init, begin, tick and poll; docs/PORTING.md begins with these.
 *
 * Contexts: [I] interrupt, with interrupts off; [T] one task or main loop, always the same one;
 * [A] any.  One processor for each struct cpuprobe.  Nothing here uses floating point, allocates,
 * or needs a symbol but memcpy, memmove, memset and memcmp.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/*
 * A kernel's own stdint.h may be wrong and never noticed: where this does not compile,
 * use the compiler's (-ffreestanding).
 */
typedef char cpuprobe_uint64_t_has_64_bits[sizeof(uint64_t) == 8 && (uint64_t)-1 > 0 ? 1 : -1];
typedef char cpuprobe_uint32_t_has_32_bits[sizeof(uint32_t) == 4 && (uint32_t)-1 > 0 ? 1 : -1];
typedef char cpuprobe_uintptr_t_holds_pointers[sizeof(uintptr_t) == sizeof(void *) &&
                                               sizeof(size_t) == sizeof(void *) ? 1 : -1];

/* Rows of the table: a power of two, 16 to 256.  The same where the core and where its callers are compiled. */
#ifndef CPUPROBE_RECORDS
#define CPUPROBE_RECORDS 128
#endif

/* Raw samples that can wait for the next poll: a power of two, 16 to 4096.  The same in both places. */
#ifndef CPUPROBE_SAMPLES
#define CPUPROBE_SAMPLES 256
#endif

/* Ids of tasks are yours: any number up to the first; the second is the row of idle time. */
#define CPUPROBE_TASK_MAX 0xfffeffffu
#define CPUPROBE_IDLE     0xffff0001u

/* What the processor was doing: a task's program, a privileged service of it, the kernel for it, a handler. */
enum cpuprobe_mode { CPUPROBE_USER, CPUPROBE_SUPERVISOR, CPUPROBE_KERNEL, CPUPROBE_INTERRUPT };

/* What your kernel provides.  What is not called optional must be there: cpuprobe_init() says what is not. */
struct cpuprobe_port {
    const char *name;  /* who speaks, e.g. "mykernel" */
    const char *build; /* optional: the build id of your kernel's ELF file, hexadecimal, by which the host finds it */

    /*
     * Never goes back, e.g. the TSC. [A]  Its rate, Hz; 0: measured against the source by
     * cpuprobe_begin(), which needs arm(), and refuses a rate that is off by more than an eighth.  Its bits: after
     * 2^clock_bits it begins again from 0; 0: never.
     */
    uint64_t (*clock)(void);
    uint64_t clock_hz;
    unsigned clock_bits;

    /*
     * The tick source: its name, the rate of its counter, Hz, and the most counts that arm() takes: a
     * longer interval is armed in pieces.  arm(): interrupt once, so many counts from now. [I]
     * NULL: the source interrupts by itself every `longest` counts.  Then intervals are fixed, so that
     * what runs in step with the tick is missed, and the table has no confidence intervals.
     */
    const char *source;
    uint32_t source_hz, longest;
    void (*arm)(uint32_t counts);

    /*
     * Optional: the counts that are left of the last arm(), below 0 so many since it was over: to a source that goes
     * on counting then.  By it a kernel without a clock keeps time in counts, and leaves .clock and .clock_hz out.
     * [A]
     */
    int32_t (*left)(void);

    /*
     * The source makes the kernel's own tick too: what that begins always begins right behind a sample.  Then the
     * default policy is exponential, with which this makes no difference.
     */
    bool shared;

    /*
     * Optional: halt until an interrupt was taken.  Called with interrupts off; on its way it lets
     * them in so that none is missed (sti; hlt).  By it the latency out of a halt is measured. [T]
     */
    void (*wait)(void);

    /*
     * Optional: the name of a task, of which 14 characters are told; NULL or "": it is gone.  Asked at
     * each snapshot; the last name is kept, so that a task that ended keeps it. [T]
     */
    const char *(*name_of)(uint32_t id);

    /*
     * Send bytes, all or none; may wait.  False: there was no room, and the host sees a gap.  [T], never in a tick.
     */
    bool (*write)(const void *bytes, size_t length);

    /* Optional, for commands: the next byte that came in on the line; -1: none. [T] */
    int (*read)(void);

    /* Interrupts off; and back as they were. [A] */
    uintptr_t (*lock)(void);
    void (*unlock)(uintptr_t was);
};

/* Addresses [low, high) of a task, CPUPROBE_ANY for all, in a mode: hits in 512 slots. */
#define CPUPROBE_ANY 0xffff0004u
struct cpuprobe_region {
    uint32_t task;
    enum cpuprobe_mode mode;
    uint64_t low, high;
};

/* What is measured, and how.  All zero is the default. */
struct cpuprobe_options {
    uint32_t rate;      /* Hz; 0: 500, or what a source without arm() has */
    /*
     * stratified, random, exponential, narrow, arithmetic or fixed; NULL: the first, or the last without arm(), or
     * exponential with port.shared
     */
    const char *policy;
    uint64_t seed;      /* of the intervals, below 2^63; 0: by the clock */
    uint32_t seconds;   /* the run ends after so many; 0: by cpuprobe_end() */

    /*
     * A tick that waited for more than so many clock units found interrupts off: it goes to row MASKED
     * instead of its task.  0: measured by cpuprobe_begin().  UINT64_MAX: never.  `late_idle`: the same for
     * ticks that find CPUPROBE_IDLE; for a kernel that idles with interrupts off UINT64_MAX.
     */
    uint64_t late, late_idle;

    bool nmi; /* ticks come where lock() does not keep them away; not together with an account */

    /* Optional memory, 8-byte aligned: for exact times (cpuprobe_now()), for commands of a host. */
    void *account;
    size_t account_size; /* CPUPROBE_ACCOUNT_SIZE(tasks) or more */
    void *commands;
    size_t commands_size; /* CPUPROBE_COMMANDS_SIZE or more; needs read() */

    /*
     * Optional memory, 8-byte aligned, for intervals: they are drawn ahead by cpuprobe_poll().  Without it each tick
     * draws its own, and takes longer.
     */
    void *intervals;
    size_t intervals_size; /* CPUPROBE_INTERVALS_SIZE(n) for n of them: 64 or more */

    /* The same for raw samples: the host gets each tick, with time and address, beside the table. */
    void *samples;
    size_t samples_size; /* CPUPROBE_SAMPLES_SIZE or more */

    /* The same for events: what cpuprobe_switch() and cpuprobe_event() tell, with its times. */
    void *events;
    size_t events_size; /* CPUPROBE_EVENTS_SIZE(n) for n that can wait for the next poll: 64 or more */

    /* Optional: up to 8 regions, and memory for them. */
    const struct cpuprobe_region *region;
    unsigned regions;
    void *region_memory;
    size_t region_size; /* CPUPROBE_REGIONS_SIZE(regions) or more */
};

/* Bytes that are enough on every machine; cpuprobe_size(): what it is here. [A] */
#define CPUPROBE_SIZE              (5824u + 214u * CPUPROBE_RECORDS)
#define CPUPROBE_ACCOUNT_SIZE(n)   (512u + 320u * (n))
#define CPUPROBE_COMMANDS_SIZE     4096u
#define CPUPROBE_REGIONS_SIZE(n)   (17000u * (n))
#define CPUPROBE_INTERVALS_SIZE(n) (24u * (n))
#define CPUPROBE_SAMPLES_SIZE      (16400u + 48u * CPUPROBE_SAMPLES)
#define CPUPROBE_EVENTS_SIZE(n)    (22000u + 16u * (n))
size_t cpuprobe_size(void);

struct cpuprobe; /* in your memory */

/*
 * Check everything, and lay a probe down in `memory`, 8-byte aligned.  The structs are copied, what they
 * point to must stay.  NULL, and in `why` a sentence that says which field is wrong. [T]
 */
struct cpuprobe *cpuprobe_init(void *memory, size_t size, const struct cpuprobe_port *port,
                               const struct cpuprobe_options *options, const char **why);

/*
 * Measure clock, floor, lateness and handler for a fifth of a second, say HELLO, arm the first interval.
 * Interrupts on, and the source's handler calls cpuprobe_tick().  NULL, or a sentence: nothing was begun. [T]
 */
const char *cpuprobe_begin(struct cpuprobe *p);

/*
 * The tick: first thing in the handler of the source.  `pc` and `mode` of what was interrupted (0 where
 * they are not known), `task` running then, CPUPROBE_IDLE in mode KERNEL where it was idle.  Arms the next interval.
 * End the interrupt at its controller before or after, as yours wants it.  `p` NULL: nothing. [I]
 */
void cpuprobe_tick(struct cpuprobe *p, uint64_t pc, uint32_t task, enum cpuprobe_mode mode);

/*
 * Often, at least each second: draws intervals ahead, answers commands, once a second sends HELLO, names
 * and a snapshot.  Waits for no tick.  False: the run is over, END was sent. [T]
 */
bool cpuprobe_poll(struct cpuprobe *p);

/* End the run: the next polls send the final snapshot and END. [T] */
void cpuprobe_end(struct cpuprobe *p);

/*
 * Optional.  The task has ended, and its id may be given to another one: what was counted goes to row
 * ENDED.  Without it a row stays until most are taken, and those without a name_of() go first. [A] but [I]
 */
void cpuprobe_ended(struct cpuprobe *p, uint32_t task);

/*
 * Optional, with an account: the truth beside the samples.  From now on time is that of this task in
 * this mode; `masked`: with interrupts off.  Call it wherever your kernel changes one of the three (entry
 * and return of traps, switch of tasks, interrupts off and on).  It returns what cpuprobe_back() goes back to;
 * cpuprobe_masked() changes the last of the three alone.  `p` NULL or without account: nothing. [A]
 */
uint32_t cpuprobe_now(struct cpuprobe *p, uint32_t task, enum cpuprobe_mode mode, bool masked);
void cpuprobe_back(struct cpuprobe *p, uint32_t cell);
void cpuprobe_masked(struct cpuprobe *p, bool masked);

/*
 * Optional, with events: another task runs from now on (CPUPROBE_IDLE: none); something of your own happened, a
 * number and a value of 48 bits.  An event that finds no room is counted, and the host is told.  `p` NULL or without
 * events: nothing. [A] but not in an NMI
 */
void cpuprobe_switch(struct cpuprobe *p, uint32_t task);
void cpuprobe_event(struct cpuprobe *p, uint8_t number, uint64_t value);

/*
 * The known load, by which `cpuprobe verify-port FILE` tells line by line whether a port is right.  Three tasks of
 * the kernel, each with a part, call this over and over and sleep for some milliseconds between (or yield, if the
 * kernel has no sleep): the first works twice as long as the second, 2 ms and 1 ms; the third for half a millisecond
 * between lock() and unlock().  `task` and `mode`: as cpuprobe_tick() is told them of this task.  The work is
 * counted, and so it does not matter who interrupts whom.  Before cpuprobe_begin() and behind END: nothing. [A task]
 */
enum cpuprobe_part { CPUPROBE_TWO, CPUPROBE_ONE, CPUPROBE_OFF, CPUPROBE_PARTS };
void cpuprobe_selftest(struct cpuprobe *p, enum cpuprobe_part part, uint32_t task, enum cpuprobe_mode mode);

#ifdef __cplusplus
}
#endif
