/* SPDX-License-Identifier: MIT */
/*
 * Is a small kernel with the sampling core in it, as example and as test: three tasks that run to completion in turn,
 * the last one with interrupts off, a loop that polls the core, and idle time.  CASE chooses what else kernels are
 * like (docs/PORTING.md); machine.h is what a processor gives.
 */
#include <cpuprobe-core.h>
#include "tests/port/machine.h"

enum { ONE = 1, THREE, LOCKER, POLLER, CHILD = 100 };
enum { PLAIN, IDLE_OFF, NO_FRAME, LATE_EOI, OWN_TICK, FORKS, RING, BARE, NMI, OPEN, HALTS,
       LOAD, LOAD_NO_IDLE, LOAD_NO_TASK, LOAD_NO_MODE, LOAD_NO_HOOK, LOAD_NO_NAME }; /* the known load; mistakes */
enum { SECONDS = 4 }; /* twice that of the known load */

static struct cpuprobe *probe;
static uint64_t memory[CPUPROBE_SIZE / 8], account[CPUPROBE_ACCOUNT_SIZE(16) / 8 + 1],
                region_memory[CPUPROBE_REGIONS_SIZE(1) / 8 + 1], commands[CPUPROBE_COMMANDS_SIZE / 8],
                intervals[CPUPROBE_INTERVALS_SIZE(128) / 8], samples[CPUPROBE_SAMPLES_SIZE / 8],
                events[CPUPROBE_EVENTS_SIZE(1024) / 8];
static volatile uint32_t current = POLLER;
static volatile bool idling;
static uint32_t children;

/* ---- what the linker would else take from a library ---- */

void *memset(void *to, int byte, size_t bytes)
{
    for (size_t i = 0; i < bytes; i++)
        ((volatile char *)to)[i] = (char)byte;
    return to;
}

/* Slow on purpose: byte by byte. */
void *memmove(void *to, const void *from, size_t bytes)
{
    volatile char *const t = to;
    const volatile char *const f = from;

    for (size_t i = 0, at; i < bytes; i++) {
        at = (uintptr_t)to <= (uintptr_t)from ? i : bytes - 1 - i;
        t[at] = f[at];
    }
    return to;
}

void *memcpy(void *restrict to, const void *restrict from, size_t bytes) __attribute__((alias("memmove")));

#define SPIN(n) for (volatile uint32_t i = 0; i < (n); i++) continue

TASK void task_one(void) { SPIN(4000u); }
TASK void task_three(void) { SPIN(12000u); }
TASK void task_locker(void) { SPIN(2000u); }
TASK void task_child(void) { SPIN(1000u); }

static const char *name_of(uint32_t id)
{
    static const char *const names[] = { [ONE] = "one", [THREE] = "three", [LOCKER] = "locker", [POLLER] = "poller" };

    if (id > CHILD) /* a child lives as long as it runs */
        return id == CHILD + children ? "child" : NULL;
    return id < sizeof names / sizeof names[0] && CASE != LOAD_NO_NAME ? names[id] : NULL;
}

static void turn_to(uint32_t id)
{
    current = id;
    if (CASE != LOAD_NO_HOOK || id != THREE)
        cpuprobe_now(probe, id, CPUPROBE_KERNEL, false);
    cpuprobe_switch(probe, id);
}

/* ---- the line: a ring that the idle loop empties, where there is no UART to spare ---- */

static char ring[1 << 16];
static uint32_t ring_put, ring_taken;

static bool write_ring(const void *bytes, size_t length)
{
    if (sizeof ring - (ring_put - ring_taken) < length)
        return false;
    for (size_t i = 0; i < length; i++)
        ring[ring_put++ % sizeof ring] = ((const char *)bytes)[i];
    return true;
}

static void drain(void)
{
    while (ring_taken != ring_put)
        uart_put(ring[ring_taken++ % sizeof ring]);
}

static bool write_uart(const void *bytes, size_t length)
{
    for (size_t i = 0; i < length; i++)
        uart_put(((const char *)bytes)[i]);
    return true;
}

/* ---- the port: this is all of it ---- */

static const struct cpuprobe_port port = {
    .name = MACHINE, .build = CASE == BARE ? NULL : BUILD, .clock = clock_read,
    .clock_hz = CASE == OWN_TICK ? OWN_CLOCK_HZ : CLOCK_HZ, .source = TIMER, .source_hz = TIMER_HZ,
    .longest = CASE == OWN_TICK ? TIMER_HZ / 100 : TIMER_MAX, .arm = CASE == OWN_TICK ? NULL : timer_arm,
    .wait = CASE == BARE ? NULL : halt, .name_of = CASE == BARE ? NULL : name_of, .read = uart_get,
    .write = CASE == RING ? write_ring : write_uart, .lock = interrupts_off, .unlock = interrupts_restore,
};
static const struct cpuprobe_region region = { .task = CPUPROBE_ANY, .mode = CPUPROBE_KERNEL, .high = UINT32_MAX };
static const struct cpuprobe_options options = {
    .rate = CASE == OWN_TICK ? 0 : 1000, .seconds = CASE == OPEN ? 0 : CASE == LOAD ? 2 * SECONDS : SECONDS,
    .policy = CASE == HALTS ? "exponential" : NULL, .nmi = CASE == NMI, .seed = 7,
    .late_idle = CASE == IDLE_OFF ? UINT64_MAX : 0,
    .account = CASE == BARE || CASE == NMI ? NULL : account, .account_size = sizeof account,
    .intervals = CASE == BARE ? NULL : intervals, .intervals_size = sizeof intervals,
    .samples = CASE == BARE || CASE == RING ? NULL : samples, .samples_size = sizeof samples,
    .events = CASE == BARE || CASE == RING ? NULL : events, .events_size = sizeof events,
    .commands = CASE == BARE ? NULL : commands, .commands_size = sizeof commands, .region_size = sizeof region_memory,
    .region = CASE == BARE ? NULL : &region, .regions = CASE != BARE, .region_memory = region_memory,
};

/* From the stub of the timer's interrupt, interrupts off. */
void timer_interrupt(uintptr_t pc)
{
    if (CASE != LATE_EOI)
        timer_end();
    cpuprobe_tick(probe, CASE == NO_FRAME ? 0 : pc, idling && CASE != LOAD_NO_IDLE ? CPUPROBE_IDLE :
                  CASE == LOAD_NO_TASK || idling ? POLLER : current,
                  CASE == LOAD_NO_MODE ? CPUPROBE_USER : CPUPROBE_KERNEL);
    if (CASE == LATE_EOI)
        timer_end();
}

/*
 * Until 5 ms of the clock have passed, and not until a tick comes, but in HALTS: idle time that a tick ends is in
 * step with the ticks.  A kernel that idles with interrupts off lets them in by and by.
 */
static void idle(void)
{
    static uint64_t next;

    next = next == 0 || clock_read() > next ? clock_read() + OWN_CLOCK_HZ / 200 : next + OWN_CLOCK_HZ / 200;
    turn_to(CPUPROBE_IDLE);
    idling = true;
    while (clock_read() < next) {
        const uintptr_t was = CASE == IDLE_OFF || CASE == HALTS ? interrupts_off() : 0;

        SPIN(CASE == IDLE_OFF ? 2000u : CASE == HALTS ? 1u : 20u);
        if (CASE == HALTS)
            halt();
        interrupts_restore(was);
    }
    idling = false;
    drain();
}

static void run_locker(void)
{
    turn_to(LOCKER);
    interrupts_off();
    cpuprobe_masked(probe, true);
    task_locker();
    cpuprobe_masked(probe, false);
    interrupts_restore(INTERRUPTS_ON);
}

/* A task that begins and ends, with an id of its own. */
static void run_child(void)
{
    children++;
    turn_to(CHILD + children);
    task_child();
    turn_to(POLLER);
    if (children % 2 == 0) /* the others are noticed by their names */
        cpuprobe_ended(probe, CHILD + children);
}

static void run_load(void)
{
    static const uint32_t task[] = { [CPUPROBE_TWO] = THREE, [CPUPROBE_ONE] = ONE, [CPUPROBE_OFF] = LOCKER };

    for (unsigned part = 0; part < CPUPROBE_PARTS; part++) {
        turn_to(task[part]);
        cpuprobe_selftest(probe, part, task[part], CPUPROBE_KERNEL);
    }
}

static void run_tasks(void)
{
    turn_to(ONE);
    task_one();
    turn_to(THREE);
    task_three();
    if (CASE != BARE && CASE != IDLE_OFF)
        run_locker();
    if (CASE == FORKS)
        run_child();
}

static void fail(const char *why)
{
    while (*why != '\0')
        uart_put(*why++);
    power_off();
}

void kernel_main(void)
{
    const char *why;

    machine_begin(CASE == OWN_TICK ? TIMER_HZ / 100 : 0, CASE == NMI);
    probe = cpuprobe_init(memory, sizeof memory, &port, &options, &why);
    interrupts_restore(INTERRUPTS_ON);
    if (probe == NULL || (why = cpuprobe_begin(probe)) != NULL)
        fail(why);
    do {
        CASE >= LOAD ? run_load() : run_tasks();
        turn_to(POLLER);
        idle();
        turn_to(POLLER);
    } while (cpuprobe_poll(probe));
    drain();
    power_off();
}
