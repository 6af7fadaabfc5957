/* SPDX-License-Identifier: MIT */
/*
 * PROBE, the task that shows what the probe found: tables on the serial line or
 * frames, without suspending any other task.
 */
#ifndef KERNEL_DISPLAY_H
#define KERNEL_DISPLAY_H

#include <stdint.h>

#include "kernel/calibrate.h"
#include "probe/snapshot.h"

/* What the display must know of the run; set once, before PROBE is made. */
struct display_facts {
    struct calibration calibration;
    struct handler_cost cost;
    const char *source;  /* name of the tick source in force */
    uint64_t mean;       /* mean interval, counts, 48.16; 0: no ticks */
    uint32_t minimum;    /* counts */
    bool ticks;
};

extern struct display_facts display_facts;

/* Make the task. False where it cannot be made. */
bool display_start(void);

/* Print the table of this snapshot as text (kernel/display_text.c). Task PROBE. */
void display_text(struct snapshot *s);

/* Send the snapshot as frames (kernel/display_frames.c). Task PROBE. */
void display_hello(void);
void display_frames(const struct snapshot *s);
void display_end(bool success, const char *reason);

#endif
