/* SPDX-License-Identifier: MIT */
/*
 * A made-up run with events, as an image would send it, for the tests of what reads events: two tasks that an
 * interrupt wakes in turn, with calls, services and masked sections.  By rule, without chance.
 */
#pragma once

#include "probe/stream/event_encode.h"
#include "tests/host/dumped.h"

#define RUN_BEGIN  2000000 /* as dump_snapshot_of() */
#define RUN_CYCLE  10000   /* clock units of a cycle */
#define RUN_EVENTS 20      /* of a cycle */

static struct event_encoder event_sender;

static inline void event_run_send(void *context, struct wire_writer *w)
{
    (void)context;
    dump_end_frame(&d, w);
}

static inline void event_run_put(int64_t time, enum trace_class class, uint64_t argument)
{
    event_encoder_put(&event_sender, &(struct trace_event){
        .time = (uint64_t)(RUN_BEGIN + time), .argument = argument, .class = (uint8_t)class,
    });
}

static inline uint64_t event_run_cell(enum mode mode, unsigned masked)
{
    return 2u * mode + masked;
}

/*
 * One cycle.  Task 100 runs in user mode; at 1000 an interrupt wakes task 101, which runs from 2000 on, calls
 * service 3 and call 5, and sleeps from 8000 on; 100 was ready from 1500 to 8500.
 */
static inline void event_run_cycle(uint64_t n)
{
    const int64_t t = (int64_t)n * RUN_CYCLE;
    const uint64_t user = event_run_cell(MODE_USER, 0), a = trace_task(100, 1), b = trace_task(101, 2);

    event_run_put(t + 1000, TRACE_IRQ_ENTER, 0x40);
    event_run_put(t + 1200, TRACE_WAKE, b);
    event_run_put(t + 1400, TRACE_IRQ_EXIT, trace_exit(0x40, event_run_cell(MODE_KERNEL, 1)));
    event_run_put(t + 1500, TRACE_READY, a);
    event_run_put(t + 2000, TRACE_SWITCH, b);
    event_run_put(t + 2100, TRACE_RESUME, trace_exit(0, user));
    event_run_put(t + 3000, TRACE_SERVICE_ENTER, 3);
    event_run_put(t + 4000, TRACE_SERVICE_EXIT, trace_exit(3, user));
    event_run_put(t + 5000, TRACE_SYSCALL_ENTER, 5);
    event_run_put(t + 5500, TRACE_MASK, 0);
    event_run_put(t + 5600, TRACE_UNMASK, 0);
    event_run_put(t + 5700, TRACE_TICK_ENTER, 0);
    event_run_put(t + 5800, TRACE_TICK_EXIT, 0);
    event_run_put(t + 6000, TRACE_SYSCALL_EXIT, trace_exit(5, user));
    event_run_put(t + 7000, TRACE_USER, n << 8 | 7);
    event_run_put(t + 7500, TRACE_SYSCALL_ENTER, 2);
    event_run_put(t + 7600, TRACE_MASK, 0);
    event_run_put(t + 8000, TRACE_SLEEP, b);
    event_run_put(t + 8500, TRACE_SWITCH, a);
    event_run_put(t + 8600, TRACE_RESUME, trace_exit(0, user));
}

static inline void event_run_begin(uint64_t unit)
{
    const struct event_encoder_request request = {.epoch = 1, .unit = unit, .send = event_run_send};

    dump_hello(&d, 1, "");
    dump_snapshot(&d, 1, 1, true, 1);
    event_encoder_begin(&event_sender, &request, trace_task(100, 1));
}

/* A run of this many cycles; a frame each `per_frame` of them. */
static inline void event_run(uint64_t cycles, uint64_t per_frame)
{
    event_run_begin(1);
    for (uint64_t n = 0; n < cycles; n++) {
        event_run_cycle(n);
        if (n % per_frame == per_frame - 1)
            event_encoder_flush(&event_sender);
    }
    event_encoder_end(&event_sender);
    dump_end(&d, 1, 0, "done");
}
