/* SPDX-License-Identifier: MIT */
/*
 * The compiler's hooks (-finstrument-functions): calls, inclusive and exclusive time by function, in
 * the table that the kernel reads (kernel/abi/monitor_page.h).  Between two hooks the time is that
 * of the function on top of the stack.
 */
#include <stdbool.h>

#include "kernel/abi/monitor.h"

#define UNTRACED __attribute__((no_instrument_function))
#define DEPTH    64
#define ROUNDS   8 /* of the calibration; interrupts only lengthen one, so that the shortest counts */
#define NO_ROW   0

static struct call_table *const table = (struct call_table *)(uint64_t)CALL_TABLE;
static uint64_t on_stack[CALL_ROWS]; /* activations of the row's function */
static uint32_t stack[DEPTH];        /* rows; NO_ROW: the function has none */
static uint32_t depth;
static uint64_t skipped; /* activations above the stack */
static bool began;

UNTRACED void __cyg_profile_func_enter(void *function, void *site);
UNTRACED void __cyg_profile_func_exit(void *function, void *site);

UNTRACED static inline struct call_row *row_at(uint32_t number)
{
    return &table->row[number - 1];
}

/* Open addressing; the table is never full of other functions unless the program has so many. */
UNTRACED static uint32_t row_of(uint64_t function)
{
    uint32_t number = (uint32_t)(function >> 4) % CALL_ROWS;

    for (uint32_t looks = 0; looks < CALL_ROWS; looks++, number = (number + 1) % CALL_ROWS) {
        if (number == NO_ROW)
            continue;
        if (row_at(number)->function == 0)
            row_at(number)->function = function;
        if (row_at(number)->function == function)
            return number;
    }
    return NO_ROW;
}

/* The time up to `now` is that of the top of the stack. */
UNTRACED static inline void charge(uint64_t now)
{
    if (depth != 0 && stack[depth - 1] != NO_ROW)
        row_at(stack[depth - 1])->exclusive += now - table->head.last;
    table->head.last = now;
}

UNTRACED static void enter(uint64_t function)
{
    uint32_t number;

    if (depth == DEPTH) {
        table->head.deep++;
        skipped++;
        return;
    }
    number = row_of(function);
    charge(monitor_task_time());
    if (depth != 0 && stack[depth - 1] != NO_ROW)
        row_at(stack[depth - 1])->made++;
    stack[depth++] = number;
    if (number == NO_ROW) {
        table->head.lost++;
        return;
    }
    row_at(number)->calls++;
    if (on_stack[number]++ == 0)
        row_at(number)->entered = table->head.last;
}

UNTRACED static void leave(void)
{
    uint32_t number;

    if (skipped != 0) {
        skipped--;
        return;
    }
    if (depth == 0)
        return;
    charge(monitor_task_time());
    number = stack[--depth];
    if (number == NO_ROW || --on_stack[number] != 0)
        return;
    row_at(number)->inclusive += table->head.last - row_at(number)->entered;
    row_at(number)->entered = 0;
}

UNTRACED static void clear(void)
{
    for (uint32_t i = 1; i < CALL_ROWS; i++)
        *row_at(i) = (struct call_row){ .function = 0 };
}

/* What is measured: calls of a function that does nothing, instrumented and not. */
__attribute__((noipa)) void __cyg_profile_empty(void);
__attribute__((noipa)) void __cyg_profile_calls(void);
UNTRACED __attribute__((noipa)) static void empty(void);
UNTRACED __attribute__((noipa)) static void calls(void);

void __cyg_profile_empty(void)
{
}

void __cyg_profile_calls(void)
{
    for (uint32_t i = 0; i < CALL_COST_CALLS; i++)
        __cyg_profile_empty();
}

static void empty(void)
{
}

static void calls(void)
{
    for (uint32_t i = 0; i < CALL_COST_CALLS; i++)
        empty();
}

UNTRACED static uint64_t time_of(void (*run)(void))
{
    const uint64_t before = monitor_task_time();

    run();
    return monitor_task_time() - before;
}

/* What the instrumentation adds to both. */
UNTRACED static void measure(uint64_t *inside, uint64_t *outside)
{
    const uint64_t bare = time_of(calls);

    clear();
    __cyg_profile_calls();
    *inside = row_at(row_of((uint64_t)__cyg_profile_empty))->exclusive;
    *outside = row_at(row_of((uint64_t)__cyg_profile_calls))->exclusive;
    *outside -= bare < *outside ? bare : *outside;
    clear();
}

UNTRACED static void begin(void)
{
    uint64_t best_inside = UINT64_MAX, best_outside = UINT64_MAX, inside, outside;

    began = true;
    for (uint32_t i = 0; i < ROUNDS; i++) {
        measure(&inside, &outside);
        best_inside = inside < best_inside ? inside : best_inside;
        best_outside = outside < best_outside ? outside : best_outside;
    }
    table->head = (struct call_head){
        .cost = best_inside + best_outside, .inside = best_inside, .since = monitor_tsc(),
        .first = monitor_task_time(),
    };
    table->head.last = table->head.first;
}

void __cyg_profile_func_enter(void *function, void *site)
{
    (void)site;
    if (!began)
        begin();
    enter((uint64_t)function);
}

void __cyg_profile_func_exit(void *function, void *site)
{
    (void)function;
    (void)site;
    leave();
}
