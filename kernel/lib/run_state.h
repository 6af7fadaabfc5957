/* SPDX-License-Identifier: MIT */
/*
 * What was asked of the image: the configuration in force, the door that started it, and when.  What was found
 * about the machine is told by whoever found it.
 */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "kernel/boot_info.h"
#include "probe/config/config.h"

struct run_state {
    struct config config;         /* `given`: at the start or since */
    const struct boot_info *boot; /* constant after the start, as the next */
    uint64_t start;               /* TSC when the image took over: time 0 of all that is told */
};

/* For reading alone; any context. */
extern const struct run_state *const run_state;

/* The configuration in force. */
static inline const struct config *run_config(void)
{
    return &run_state->config;
}

/* The stream is frames, not text. */
static inline bool run_in_frames(void)
{
    return run_state->config.output == OUTPUT_FRAMES;
}

/* Once, first of all. */
void run_state_init(const struct boot_info *boot, uint64_t start);

/* Another configuration is in force.  The start of the image; after it, while no tick can come. */
void run_state_set_config(const struct config *config);
