/* SPDX-License-Identifier: MIT */
/* The one place where the configuration in force is written. */
#include "kernel/lib/run_state.h"

static struct run_state state;
const struct run_state *const run_state = &state;

void run_state_init(const struct boot_info *boot, uint64_t start)
{
    state.boot = boot;
    state.start = start;
}

void run_state_set_config(const struct config *config)
{
    const uint64_t given = state.config.given;

    state.config = *config;
    state.config.given |= given;
}
