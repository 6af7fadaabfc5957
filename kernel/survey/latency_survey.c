/* SPDX-License-Identifier: MIT */
/*
 * Accesses are timed one by one, unlike those of kernel/measure/access_cost.h, whose mean knows no worst.  Interrupts
 * are one-shots of the 8254: what a shot takes beyond its counts, known to one count.
 */
#include "kernel/survey/latency_survey.h"

#include <stdbool.h>

#include "drivers/io.h"
#include "drivers/lapic.h"
#include "drivers/pic.h"
#include "drivers/pit.h"
#include "kernel/measure/one_shot.h"
#include "kernel/source/source_pit.h"
#include "kernel/survey/time_list.h"
#include "kernel/tick/handler_cost.h"
#include "kernel/tick/window.h"

#define IRQ_PIT      0
#define SHOTS        1000u
#define SHOT_COUNT   211u /* 0.18 ms: the shortest whose latency is measured at the start too */
#define SHOT_LENGTHS 16u
#define SHOT_STEP    7u   /* counts: every phase of CPU against timer */
#define LONGEST_PART 4u   /* of a second: a shot that has not come by then is lost */

static uint64_t read_port(void)
{
    return inb(PIC_MASTER_MASK);
}

/* The mask that is there is written: nothing changes. */
static uint8_t mask; /* the start */

static uint64_t write_port(void)
{
    outb(PIC_MASTER_MASK, mask);
    return mask;
}

static uint64_t read_lapic(void)
{
    return lapic_id();
}

static void time_accesses(struct survey *s, const char *name, uint64_t (*access)(void))
{
    const uint64_t grain = clock_grain();

    access();
    for (unsigned i = 0; i < TIME_LIST; i++) {
        const uint64_t begin = rdtsc();

        access();
        time_list[i] = rdtsc() - begin;
    }
    time_list_add(s, name, TIME_LIST, grain);
}

/* Of running code, or out of HLT. */
static void time_shots(struct survey *s, const char *name, bool halted)
{
    const uint64_t per_65536 = tick_facts.calibration.per_65536;
    struct one_shot_timer timer = {
        .name = "the 8254", .arm = source_pit_arm_once, .fired = &source_pit_fired, .counts_past = source_pit_fired_past,
        .longest = tick_facts.calibration.rate.clock_hz / LONGEST_PART, .shortest = SHOT_COUNT,
    };
    unsigned shots = 0;

    while (shots < SHOTS) {
        const uint32_t counts = SHOT_COUNT + shots % SHOT_LENGTHS * SHOT_STEP;
        const uint64_t took = one_shot(&timer, counts, halted), due = counts * per_65536 >> 16;

        if (timer.lost)
            break;
        time_list[shots++] = took > due ? took - due : 0;
    }
    time_list_add(s, name, shots, 0);
}

/* By IRQ, whatever delivers the run's ticks: an NMI needs no interrupts that are on. */
static void time_interrupts(struct survey *s)
{
    pit_init();
    pic_unmask(IRQ_PIT);
    time_shots(s, "interrupt to handler", false);
    time_shots(s, "wake from HLT", true);
    pit_init();
    pic_mask(IRQ_PIT);
}

void latency_survey(struct survey *s)
{
    const unsigned ticks = tick_facts.ticks ? handler_cost_series(time_list, TIME_LIST / 2) : 0;

    time_list_add(s, "tick", ticks, 0);
    time_interrupts(s);
    time_accesses(s, "port read", read_port);
    mask = inb(PIC_MASTER_MASK);
    time_accesses(s, "port write", write_port);
    if (lapic_in_use())
        time_accesses(s, "local APIC read", read_lapic);
}
