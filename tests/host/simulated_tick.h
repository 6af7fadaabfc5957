/* SPDX-License-Identifier: MIT */
/*
 * A simulated clock and source for the tests of probe/core/probe.c: two probes that share one account, and a tick
 * from its entry to the next interval.  The ticks have no points: each interval begins in the handler
 * (tests/host/test_probe_points.c has the others).
 */
#pragma once

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "probe/core/probe.h"
#include "probe/schedule/splitmix64.h"

#define COST  40u   /* clock units of a handler */
#define FLOOR 7u    /* clock units from expiry to entry that nothing delayed */
#define LATE  20u   /* above it a tick is late; out of HLT twice either */
#define TASKS 4u

static struct probe p, q;
static struct account account;
static uint64_t now, task_time[TASKS], random_state;
static struct region_request requests[REGIONS_MAX];
static struct region regions[REGIONS_MAX], closed_regions[REGIONS_MAX];
static struct samples_ring ring;
static unsigned copies; /* windows that were closed */

static inline uint64_t below(uint64_t width)
{
    return splitmix64_mix(random_state += SPLITMIX64_GAMMA) % width;
}

static inline uint64_t clock_now(void)
{
    return now;
}

static inline void copy_exact_rows(struct probe *of)
{
    assert_true(of == &p || of == &q);
    copies++;
}

static inline void set_up(struct probe *of, uint64_t seed, uint64_t goal, uint32_t monitors)
{
    const struct schedule_request request = {
        .policy = INTERVAL_STRATIFIED, .rng = RNG_CARTA, .mean = 1000ull << 16, .minimum = 3, .seed = seed,
    };

    memset(of, 0, sizeof *of);
    of->region_request = requests;
    of->region = regions;
    of->closed.region = closed_regions;
    of->samples = &ring;
    assert_null(schedule_init(&of->schedule, &request));
    of->running = (struct probe_lateness){ FLOOR, LATE };
    of->halted = (struct probe_lateness){ 2 * FLOOR, 2 * LATE };
    of->account = &account;
    of->exact = true;
    of->goal = goal;
    of->clock = clock_now;
    of->copy_exact_rows = copy_exact_rows;
    of->relative = true;
    probe_set_monitors(of, monitors);
    probe_prepare(of);
}

/* A window, and its first interval. */
static inline uint64_t begin(uint64_t seed, uint64_t start, uint64_t goal, uint32_t monitors)
{
    set_up(&p, seed, goal, monitors);
    memset(task_time, 0, sizeof task_time);
    copies = 0;
    random_state = seed;
    now = start;
    account = (struct account){ .last = now, .cell = &task_time[0] };
    return probe_begin(&p, now);
}

/* The tick that `interval` was armed for; the handler begins `lateness` after it.  The next interval. */
static inline uint64_t tick(struct probe *of, uint64_t interval, uint64_t lateness, bool halted, uint32_t task)
{
    const struct probe_event e = {
        .sample = { .time = now += interval + lateness, .pc = 0x1000 + task, .task = task + 1,
                    .mode = (enum mode)(task % MODES) },
        .lateness = lateness, .halted = halted,
    };

    probe_enter(of, &e);
    interval = probe_is_late(of, &e) ? probe_tick_late(of, &e) : probe_tick_on_time(of, &e);
    now += COST;
    account_switch_at(&account, now, &task_time[(task + 1) % TASKS]);
    return interval;
}

static inline uint64_t timely(uint64_t interval)
{
    return tick(&p, interval, FLOOR, false, 0);
}
