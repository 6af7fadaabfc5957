/* SPDX-License-Identifier: MIT */
/*
 * PROBE, the task that shows what the probe found: tables on the serial line or
 * frames, without suspending any other task.
 */
#ifndef KERNEL_DISPLAY_H
#define KERNEL_DISPLAY_H

#include <stdint.h>

#include "kernel/calibrate.h"
#include "kernel/source.h"
#include "probe/snapshot.h"

/* What the display must know of the run; set once, before PROBE is made. */
struct display_facts {
    struct calibration calibration;
    struct handler_cost cost;
    struct source_facts source; /* of tick_source; mean 0: no ticks */
    bool ticks;
};

extern struct display_facts display_facts;

/* Make the task. False where it cannot be made. */
bool display_start(void);

/* Print the table of this snapshot as text (kernel/display_text.c). Task PROBE. */
void display_text(struct snapshot *s);

/* Print a region of it as a histogram (kernel/display_histogram.c).  Task PROBE. */
void display_histogram(const struct snapshot *s, uint32_t number,
                       void (*line)(void *context, const char *text));

/*
 * precision= (kernel/display_precision.c).  NULL, or why this run has no interval
 * that it could look at; once the schedule is laid down.  And whether the snapshot
 * has reached it, with what END is to say of that.  Task PROBE.
 */
const char *display_imprecise(void);
bool display_precise(const struct snapshot *s, const char **reason);

/* Say who speaks (kernel/display_hello.c).  Task PROBE. */
void display_hello(void);

/* Send the snapshot as frames (kernel/display_frames.c). Task PROBE. */
void display_frames(const struct snapshot *s);
void display_end(bool success, const char *reason);

/*
 * Raw samples (kernel/display_samples.c).  Prepare once, after the schedule is
 * laid down and before its first tick.  Task PROBE: send what the ring holds;
 * send also what is less than a frame; send all, the window being closed.
 */
void display_samples_prepare(void);
void display_samples(void);
void display_samples_flush(void);
void display_samples_end(void);

/* Within this many microseconds the ring is to be looked at again. */
uint64_t display_samples_look_us(void);

/* Clock units in a unit of the samples' time; 0: they have no times. */
uint64_t display_stamp(void);

#endif
