/* SPDX-License-Identifier: MIT */
/* The table of the commands of the host tool: a row each, in the order of the help. */
#pragma once

#include "tools/base/subcommand.h"

#define COMMANDS_EACH(ROW) \
    ROW(boot)              \
    ROW(run)               \
    ROW(shell)             \
    ROW(record)            \
    ROW(control)           \
    ROW(top)               \
    ROW(zoom)              \
    ROW(stat)              \
    ROW(histogram)         \
    ROW(info)              \
    ROW(list)              \
    ROW(script)            \
    ROW(output)            \
    ROW(samples)           \
    ROW(transitions)       \
    ROW(trace)             \
    ROW(gantt)             \
    ROW(intercept)         \
    ROW(acct)              \
    ROW(procstat)          \
    ROW(idle)              \
    ROW(ps)                \
    ROW(compare)           \
    ROW(profile)           \
    ROW(kiviat)            \
    ROW(diff)              \
    ROW(states)            \
    ROW(load)              \
    ROW(durations)         \
    ROW(masked)            \
    ROW(waits)             \
    ROW(model)             \
    ROW(time)              \
    ROW(audit)             \
    ROW(survey)            \
    ROW(report)            \
    ROW(export)            \
    ROW(serve)             \
    ROW(help)

#define COMMANDS_DECLARE(name) extern const struct subcommand cmd_##name;
COMMANDS_EACH(COMMANDS_DECLARE)
#undef COMMANDS_DECLARE

extern const struct subcommand *const commands[]; /* NULL ends it */
