/* SPDX-License-Identifier: MIT */
/*
 * A synthetic run of the software monitors, whose records agree with the exact table of dump_exact():
 * idle counters, disk, intercepted interrupts, account log, callers; and counted calls of a program.
 */
#pragma once

#include "probe/trace/event_class.h"
#include "tests/host/dump.h"
#include "tests/host/dump_code.h"

#define DUMP_MS 1000000u /* clock units */

static inline void dump_idle(struct dump *d, const struct wire_snapshot *s, uint64_t k)
{
    const struct wire_idle idle = {
        .epoch = s->epoch, .serial = s->serial, .begin = s->begin, .end = s->end,
        .idle = 20 * k * DUMP_MS + 1000 * k, .io = 5 * k * DUMP_MS,
        .halts = 10 * k, /* late by 100 clock units a halt */
    };
    const struct wire_disk disk = {
        .epoch = s->epoch, .time = s->end, .requests = 10 * k, .done = 10 * k - 1, .refused = k, .blocks = 80 * k,
        .busy = 30 * k * DUMP_MS, .queue = 50 * k * DUMP_MS, .waits = 45 * k * DUMP_MS, .longest = 4,
    };

    dump_head(d, WIRE_IDLE, &idle);
    dump_head(d, WIRE_DISK, &disk);
}

/* Two vectors take the 5k ms of the exact table's interrupts; ticks are MONITOR's. */
static inline void dump_intercept(struct dump *d, const struct wire_snapshot *s, uint64_t k)
{
    const struct wire_intercept head = {s->epoch, s->serial, s->begin, s->end, 1};
    struct wire_writer w;

    wire_begin(&w, WIRE_INTERCEPT, &head);
    wire_row(&w, WIRE_INTERCEPT, &(struct wire_intercept_row){0x20, dump_text("IRQ 0"), 1, 118 * k, 400000 * k, 5000,
                                                              118 * k, 118 * k * 700, 900});
    wire_row(&w, WIRE_INTERCEPT, &(struct wire_intercept_row){.vector = 0x24, .name = dump_text("COM1"),
                                                              .count = 50 * k,
                                                              .time = 3 * k * DUMP_MS, .greatest = 100000});
    wire_row(&w, WIRE_INTERCEPT, &(struct wire_intercept_row){0x28, dump_text("clock"), 0, 100 * k, 2 * k * DUMP_MS,
                                                              40000, 100 * k, 100 * k * 500, 2000});
    dump_end_frame(d, &w);
}

/*
 * Task 1 is IDLE; 2 to 6 have the exact table's rows, but that 6 begins with the second snapshot and
 * 3 ends with it.
 */
static inline void dump_acct(struct dump *d, const struct wire_snapshot *s, uint64_t k)
{
    const struct wire_acct head = {s->epoch, s->serial, s->end, 0};
    struct wire_writer w;

    wire_begin(&w, WIRE_ACCT, &head);
    wire_row(&w, WIRE_ACCT, &(struct wire_acct_row){.task = 1, .id = ROW_IDLE, .kernel = 20 * k * DUMP_MS});
    for (uint64_t i = 0; i < DUMP_TASKS; i++)
        if (!(i == 4 && s->serial == 1) && !(i == 1 && s->serial == 3))
            wire_row(&w, WIRE_ACCT, &(struct wire_acct_row){
                .task = 2 + i, .id = 100 + i, .ended = i == 1 && s->serial == 2, .user = (7 + i) * k * DUMP_MS,
                .supervisor = 2 * i * k * DUMP_MS, .kernel = (3 + i) * k * DUMP_MS + k * DUMP_MS / 5,
                .interrupt = k * DUMP_MS, .switches = 10 * k, .calls = 20 * k, .denied = i == 2, .pages = 16,
                .io = 2 * k, .io_time = 3 * k * DUMP_MS, .activations = 10 * k, .response = 4 * k * DUMP_MS,
                .response_greatest = DUMP_MS,
            });
    dump_end_frame(d, &w);
}

/* A call of the task, one that a service makes for it, and user code with callers and without. */
static inline void dump_call_stacks(struct dump *d, const struct wire_snapshot *s, uint64_t k)
{
    static const uint64_t pcs[] = {0x401234, 0x401280, 0xffffffff80101000, 0x4012c0};
    const struct wire_call_stacks head = {s->epoch, s->serial, s->begin, s->end, k, 2, 1};
    struct wire_writer w;

    dump_head(d, WIRE_STACK_WALKS, &(struct wire_stack_walks){s->epoch, s->serial, 4, 9 * k, 1, k, 0, k});
    wire_begin(&w, WIRE_CALL_STACKS, &head);
    for (unsigned i = 0; i < 3; i++)
        wire_row(&w, WIRE_CALL_STACKS, &(struct wire_call_stacks_row){
            100, i == 1 ? MODE_SUPERVISOR : MODE_KERNEL, {(const char *)&pcs[i], i == 2 ? 16 : 8}, 20 * k,
            i == 1 ? 0 : 100 * k, i == 1 ? 0 : 18 * k, i == 1 ? 0 : 2 * k * DUMP_MS, i == 1 ? 0 : k * DUMP_MS,
            i == 1 ? 0 : k * DUMP_MS / 10,
        });
    for (unsigned n = 1; n <= 2; n++)
        wire_row(&w, WIRE_CALL_STACKS, &(struct wire_call_stacks_row){
            .id = 100, .mode = MODE_USER, .pcs = {(const char *)pcs, n * sizeof(pcs[0])}, .samples = 5 * k,
        });
    dump_end_frame(d, &w);
}

/* A task's own profile, in two frames. */
static inline void dump_profil(struct dump *d, const struct wire_snapshot *s, uint64_t k)
{
    struct wire_profil head = {
        .epoch = s->epoch, .serial = s->serial, .time = s->end, .id = 100, .number = 2, .buffer = 0x600000,
        .bytes = 32768, .offset = 0x401000, .scale = 65536, .direct = 50 * k, .trapped = 2, .touched = 2,
        .calls = 30 * k,
    };
    struct wire_writer w;

    for (head.part = 0; head.part < 2; head.part++) {
        wire_begin(&w, WIRE_PROFIL, &head);
        for (uint64_t i = 0; i < 20; i++)
            wire_row(&w, WIRE_PROFIL, &(struct wire_profil_row){100 + 20 * head.part + i, 2 * k + i});
        dump_end_frame(d, &w);
    }
}

/* Ticks of the system clock, 1000 a second: as many as milliseconds of the exact table. */
static inline void dump_procstat(struct dump *d, const struct wire_snapshot *s, uint64_t k)
{
    const struct wire_procstat head = {
        .epoch = s->epoch, .serial = s->serial, .begin = s->begin, .end = s->end, .hz = 1000, .user = 40 * k,
        .nice = 10 * k, .system = 30 * k, .idle = 20 * k, .iowait = 6 * k, .irq = 10 * k, .running = 2, .blocked = 1,
        .load1 = 2048, .load5 = 1024,
        .load15 = 512,
    };
    struct wire_writer w;

    wire_begin(&w, WIRE_PROCSTAT, &head);
    wire_row(&w, WIRE_PROCSTAT, &(struct wire_procstat_row){2, 100, 0, 40 * k, 20 * k});
    wire_row(&w, WIRE_PROCSTAT, &(struct wire_procstat_row){3, 101, wire_zigzag(5), 10 * k, 20 * k});
    dump_end_frame(d, &w);
}

/* Of /proc/stat and of /proc/PID/stat, each reading 4 us long, the shortest 3. */
static inline void dump_proc_reads(struct dump *d, const struct wire_snapshot *s, uint64_t k)
{
    struct wire_writer w;

    wire_begin(&w, WIRE_PROCREADS, &(struct wire_procreads){.epoch = s->epoch, .serial = s->serial});
    wire_row(&w, WIRE_PROCREADS, &(struct wire_procreads_row){0, 10 * k, 10 * k * 4 * DUMP_MS / 1000,
                                                              3 * DUMP_MS / 1000, 1500 * k});
    wire_row(&w, WIRE_PROCREADS, &(struct wire_procreads_row){2, 5 * k, 5 * k * 4 * DUMP_MS / 1000,
                                                              3 * DUMP_MS / 1000, 600 * k});
    dump_end_frame(d, &w);
}

/* The load meters say what the exact table does; of the processes 3 to 5 each lives for one snapshot. */
static inline void dump_load(struct dump *d, const struct wire_snapshot *s, uint64_t k)
{
    const uint64_t window = s->end - s->begin;
    struct wire_writer w;

    wire_begin(&w, WIRE_IDLETASK, &(struct wire_idletask){s->epoch, s->serial});
    wire_row(&w, WIRE_IDLETASK, &(struct wire_idletask_row){6, 100, s->begin, s->end, 20 * k, 20000,
                                                            20000ull * DUMP_MS});
    dump_end_frame(d, &w);
    dump_head(d, WIRE_PERFCALL, &(struct wire_perfcall){
        s->epoch, s->serial, s->begin, s->end, window, 20 * k * DUMP_MS, window - 25 * k * DUMP_MS, 5 * k * DUMP_MS});
    wire_begin(&w, WIRE_PROCTABLE, &(struct wire_proctable){s->epoch, s->serial, s->end, 100 * k, 3});
    wire_row(&w, WIRE_PROCTABLE, &(struct wire_proctable_row){1, ROW_IDLE, 0, 20 * k, 0, 0, 0});
    wire_row(&w, WIRE_PROCTABLE, &(struct wire_proctable_row){2, 100, 10 * k, 30 * k, wire_zigzag(1), 1, 1});
    wire_row(&w, WIRE_PROCTABLE, &(struct wire_proctable_row){2 + s->serial, 101, 15, 5, wire_zigzag(-1), 2, 0});
    dump_end_frame(d, &w);
}

/* buffer=count: what happened is counted by class, and nothing recorded. */
static inline void dump_event_counts(struct dump *d, const struct wire_snapshot *s, uint64_t k)
{
    struct wire_writer w;

    wire_begin(&w, WIRE_EVENT_COUNTS, &(struct wire_event_counts){.epoch = s->epoch, .time = s->end});
    wire_row(&w, WIRE_EVENT_COUNTS, &(struct wire_event_counts_row){TRACE_SWITCH, 100 * k});
    wire_row(&w, WIRE_EVENT_COUNTS, &(struct wire_event_counts_row){TRACE_WAKE, 40 * k});
    dump_end_frame(d, &w);
}

/* Three snapshots, of 1, 2 and 3 times the same, each with what `records` puts beside it. */
static inline void dump_run_with(struct dump *d, uint64_t epoch, const char *words,
                                 void (*records)(struct dump *d, const struct wire_snapshot *s, uint64_t k))
{
    for (uint64_t serial = 1; serial <= 3; serial++) {
        const struct wire_snapshot s = dump_snapshot_of(epoch, serial, serial == 3, serial);

        dump_hello(d, epoch, words);
        dump_snapshot(d, epoch, serial, serial == 3, serial);
        records(d, &s, serial);
    }
    dump_end(d, epoch, 0, "60 seconds are over");
}

static inline void dump_counters(struct dump *d, const struct wire_snapshot *s, uint64_t k)
{
    dump_load(d, s, k);
    dump_procstat(d, s, k);
    dump_proc_reads(d, s, k);
    dump_event_counts(d, s, k);
}

static inline void dump_monitored(struct dump *d, const struct wire_snapshot *s, uint64_t k)
{
    dump_idle(d, s, k);
    dump_intercept(d, s, k);
    dump_acct(d, s, k);
    dump_call_stacks(d, s, k);
    dump_profil(d, s, k);
}

static inline void dump_load_run(struct dump *d, uint64_t epoch, const char *words)
{
    dump_run_with(d, epoch, words, dump_counters);
}

static inline void dump_monitored_run(struct dump *d, uint64_t epoch, const char *words)
{
    dump_run_with(d, epoch, words, dump_monitored);
}

/*
 * The program of `c` counted its calls: 1000 of its first function, which has called the second one 2000
 * times; 1024 calls cost 102400 clock units, half of that inside.
 */
static inline void dump_calls_run(struct dump *d, const struct dump_code *c, uint64_t functions)
{
    const uint64_t ms = DUMP_MS;
    const struct wire_calls head = {
        .epoch = c->epoch, .id = DUMP_ROGUE, .number = 1, .program = 1, .time = 50000 * ms, .since = 1000 * ms,
        .ran = 40000 * ms, .cost = 102400, .inside = 51200, .deep = 3, .lost = 4, .functions = functions,
    };
    struct wire_writer w;

    dump_code_run(d, c, false);
    dump_code_snapshot(d, c);
    wire_begin(&w, WIRE_CALLS, &head);
    wire_row(&w, WIRE_CALLS, &(struct wire_calls_row){c->function[0].address, 1000, 2000, 40000 * ms, 10000 * ms});
    wire_row(&w, WIRE_CALLS, &(struct wire_calls_row){c->function[1].address, 2000, 0, 30000 * ms, 30000 * ms});
    dump_end_frame(d, &w);
    dump_end(d, c->epoch, 0, "60 seconds are over");
}
