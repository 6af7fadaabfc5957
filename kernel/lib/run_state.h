/* SPDX-License-Identifier: MIT */
/* What the doors passed in, and what was measured at the start: read everywhere. */
#ifndef KERNEL_LIB_RUN_STATE_H
#define KERNEL_LIB_RUN_STATE_H

#include <stdbool.h>
#include <stdint.h>

#include "kernel/boot_info.h"
#include "probe/config/config.h"

struct options {
    struct config words;
    const struct boot_info *boot;
    bool has_vga_text;
    uint64_t seed;  /* in force: words.seed, or what auto drew */
    uint64_t interval; /* asked for last: a source that repeats one interval has fixed in force */
    uint64_t epoch; /* identifier of this run */
    uint64_t begin; /* TSC when the run began: seconds= counts from here */
    bool task_has_rtc; /* a task has the RTC for itself: neither tick nor clock come by that */
    uint64_t start; /* TSC when the image took over: time 0 of all that is told */
};

extern struct options options; /* set by kernel_main; words, seed, interval, epoch and begin by a change too */

/* The stream is frames, not text. */
static inline bool options_frames(void)
{
    return options.words.output == OUTPUT_FRAMES;
}

#endif
