/* SPDX-License-Identifier: MIT */
/*
 * Runs the core on a machine that is a sum of numbers: simulated CASE FILE, status 1 and a sentence where it is
 * refused. Time goes on at each reading of the clock and in each step of the load; the tick comes when its deadline
 * has passed. Each case is a mistake that a stranger makes, or what a kernel may do (tests/port/mistakes.py judges
 * them).
 */
#include <stdio.h>
#include <string.h>

#include "cpuprobe-core.h"

#define MS       1000000ull /* ns, the clock's unit */
#define SECOND   (1000 * MS)
#define READING  20u        /* that a reading of the clock takes */
#define STEP     500u       /* of the load */
#define HANDLER  100u
#define LATE     5000u /* of ticks beside an account: each call of it keeps them away for a moment */
#define POLL     (100 * MS)
#define PAGE     4096u
#define COUNT    1000u      /* ns in a count of the source */

struct load {
    const char *name;
    uint32_t (*task)(uint64_t at); /* ns since the run began */
    const char *(*name_of)(uint32_t id);
    unsigned shown, told; /* bits of the clock: what it has, and .clock_bits; 0: 64 */
    bool sleeps;          /* the clock stands still while the processor is idle */
    bool jumps;           /* it goes back by a second, once */
    bool counts;          /* no clock, but counts left */
    bool twice;           /* the handler calls cpuprobe_tick() twice */
    bool drives;          /* the tick switches tasks, each 10 ms or later */
    bool shared;          /* and the port says so */
    uint64_t grain;       /* ns in a step of the clock; 0: each is one */
    uint64_t arming;      /* ns that arm() takes */
    uint64_t held;        /* ns by which each tick is held up */
    unsigned rows;        /* of an account, which is told of each task */
    bool misses;          /* but of one of two not */
    bool ends;            /* a child calls cpuprobe_ended() itself, in its last millisecond of 50 */
    uint32_t source_hz;   /* that is told; 0: the right one */
};

static uint64_t memory[CPUPROBE_SIZE / 8], events[CPUPROBE_EVENTS_SIZE(256) / 8], sliced, now,
    account[CPUPROBE_ACCOUNT_SIZE(64) / 8], asleep, deadline, began;
static struct cpuprobe *probe;
static const struct load *load;
static bool armed, inside;
static uintptr_t locked;
static FILE *out;

static uint64_t since_begin(void)
{
    return began != 0 ? now - began : 0;
}

/* ---- loads ---- */

static uint32_t turn(uint64_t at, uint32_t tasks)
{
    return (uint32_t)(at / MS % tasks);
}

/* Five tasks before the first idle tick: IDLE has 95 % of the time. */
static uint32_t five_then_idle(uint64_t at)
{
    return at < SECOND / 2 ? 1 + turn(at, 5) : CPUPROBE_IDLE;
}

/* Ids that are addresses of pages. */
static uint32_t pages(uint64_t at)
{
    return 0x80100000u + PAGE * turn(at, 30);
}

/* More tasks than there are records. */
static uint32_t crowd(uint64_t at)
{
    return 1 + turn(at, 2 * CPUPROBE_RECORDS);
}

static uint32_t two(uint64_t at)
{
    return 1 + turn(at, 2);
}

/* A shell that becomes another program. */
static const char *after_exec(uint32_t id)
{
    return since_begin() < 2 * SECOND ? "sh" : id == 1 ? "make" : "gcc";
}

/* A parent, and a child each 50 ms whose id is never told as ended. */
static uint32_t children(uint64_t at)
{
    return at / MS % 2 ? 1 : 100 + (uint32_t)(at / (50 * MS));
}

static const char *parent_only(uint32_t id)
{
    return id == 1 ? "parent" : NULL;
}

/* Idle in each other millisecond. */
static uint32_t half_idle(uint64_t at)
{
    return at / MS % 2 ? 1 : CPUPROBE_IDLE;
}

static uint32_t current = 1;

static uint32_t sliced_task(uint64_t at)
{
    (void)at;
    return current;
}

static void slice(void)
{
    if (!load->drives || now - sliced < 10 * MS)
        return;
    sliced = now;
    current = 3 - current;
    cpuprobe_switch(probe, current);
}

static const struct load loads[] = {
    { .name = "five", .task = five_then_idle },
    { .name = "pages", .task = pages },
    { .name = "crowd", .task = crowd },
    { .name = "exec", .task = two, .name_of = after_exec },
    { .name = "children", .task = children, .name_of = parent_only },
    { .name = "wraps", .task = two, .shown = 32 },
    { .name = "bits", .task = two, .shown = 32, .told = 32 },
    { .name = "bits-24", .task = two, .shown = 24, .told = 24 },
    { .name = "sleeps", .task = half_idle, .sleeps = true },
    { .name = "counts", .task = two, .counts = true },
    { .name = "jumps", .task = two, .jumps = true },
    { .name = "twice", .task = two, .twice = true },
    { .name = "account", .task = pages, .rows = 64 },
    { .name = "missed-hook", .task = two, .rows = 64, .misses = true },
    { .name = "ends-itself", .task = children, .name_of = parent_only, .rows = 64, .ends = true },
    { .name = "few-rows", .task = pages, .rows = 4 },
    { .name = "drives", .task = sliced_task, .drives = true },
    { .name = "shared", .task = sliced_task, .drives = true, .shared = true },
    { .name = "coarse", .task = two, .grain = MS },
    { .name = "slow-tick", .task = two, .arming = 3 * MS / 2 },
    { .name = "held-up", .task = two, .held = 3 * MS },
    { .name = "one-and-a-half", .task = two, .source_hz = 3 * SECOND / COUNT / 2 },
    { .name = "double", .task = two, .source_hz = 2 * SECOND / COUNT },
};

/* ---- the machine ---- */

static void pass(uint64_t time)
{
    now += time;
    if (load->sleeps && began != 0 && !inside && load->task(since_begin()) == CPUPROBE_IDLE)
        asleep += time;
    if (!armed || now < deadline + load->held || locked != 0 || inside)
        return;
    inside = true;
    armed = false;
    now += HANDLER;
    cpuprobe_tick(probe, 0x1000, load->task(since_begin()), CPUPROBE_KERNEL);
    if (load->twice && began != 0)
        cpuprobe_tick(probe, 0x1000, load->task(since_begin()), CPUPROBE_KERNEL);
    slice();
    inside = false;
}

static uint64_t read_clock(void)
{
    uint64_t shown;

    pass(READING);
    shown = now - asleep;
    if (load->jumps && since_begin() > 3 * SECOND)
        shown -= SECOND;
    if (load->grain != 0)
        shown -= shown % load->grain;
    return load->shown != 0 ? shown & ((1ull << load->shown) - 1) : shown;
}

static void arm(uint32_t counts)
{
    now += load->arming;
    armed = true;
    deadline = now + (uint64_t)counts * COUNT;
}

static int32_t left(void)
{
    pass(READING);
    return (int32_t)(((int64_t)deadline - (int64_t)now) / (int64_t)COUNT);
}

static bool put(const void *bytes, size_t length)
{
    return fwrite(bytes, 1, length, out) == length;
}

static uintptr_t lock(void)
{
    const uintptr_t was = locked;

    locked = 1;
    return was;
}

static void unlock(uintptr_t was)
{
    locked = was;
}

static void tell_account(void)
{
    static uint32_t last;
    const uint32_t task = load->task(since_begin());

    if (load->ends && last >= 100 && task == 1 && since_begin() / MS % 50 == 49)
        cpuprobe_ended(probe, last);
    if (!load->misses || task == 1)
        cpuprobe_now(probe, task, CPUPROBE_KERNEL, false);
    last = task;
}

static const char *run(const struct cpuprobe_port *port)
{
    const char *why;
    uint64_t poll;

    const struct cpuprobe_options options = {
        .seconds = 10, .seed = 7, .events = load->drives ? events : NULL, .events_size = sizeof events,
        .late = load->rows != 0 ? LATE : 0, .account = load->rows != 0 ? account : NULL,
        .account_size = CPUPROBE_ACCOUNT_SIZE(load->rows),
    };

    probe = cpuprobe_init(memory, sizeof memory, port, &options, &why);
    if (probe == NULL || (why = cpuprobe_begin(probe)) != NULL)
        return why;
    began = now;
    for (poll = now; now < poll || cpuprobe_poll(probe); pass(STEP)) {
        if (now >= poll)
            poll = now + POLL;
        if (load->rows != 0)
            tell_account();
    }
    return NULL;
}

int main(int argc, char **argv)
{
    struct cpuprobe_port port = {
        .name = "simulated", .clock = read_clock, .clock_hz = SECOND, .source = "timer", .source_hz = SECOND / COUNT,
        .longest = 65535, .arm = arm, .write = put, .lock = lock, .unlock = unlock,
    };
    const char *why;

    for (load = loads; argc == 3 && load < loads + sizeof loads / sizeof loads[0]; load++)
        if (strcmp(load->name, argv[1]) == 0)
            break;
    if (argc != 3 || load == loads + sizeof loads / sizeof loads[0] || (out = fopen(argv[2], "w")) == NULL)
        return 2;
    port.name_of = load->name_of;
    port.clock_bits = load->told;
    port.shared = load->shared;
    if (load->counts) {
        port.clock = NULL;
        port.clock_hz = 0;
        port.left = left;
    }
    if (load->source_hz != 0)
        port.source_hz = load->source_hz;
    why = run(&port);
    if (why != NULL)
        puts(why);
    return fclose(out) != 0 || why != NULL;
}
