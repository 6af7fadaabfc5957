/* SPDX-License-Identifier: MIT */
/*
 * What the subcommands of the host tool share: their table, their exit codes (docs/ACCOUNTING.md,
 * "Numbers and codes"), error messages, and standard streams.
 */
#pragma once

#include <argp.h>
#include <stdint.h>

#include "tools/base/alloc.h"
#include "tools/base/exit_code.h"

struct subcommand {
    const char *name;
    int (*run)(int argc, char **argv); /* argv[0] is "cpuprobe NAME" */
    const char *what;
};

int cmd_record(int argc, char **argv);
int cmd_control(int argc, char **argv);
int cmd_zoom(int argc, char **argv);
int cmd_stat(int argc, char **argv);
int cmd_info(int argc, char **argv);
int cmd_script(int argc, char **argv);
int cmd_histogram(int argc, char **argv);
int cmd_samples(int argc, char **argv);
int cmd_transitions(int argc, char **argv);
int cmd_trace(int argc, char **argv);
int cmd_gantt(int argc, char **argv);
int cmd_intercept(int argc, char **argv);
int cmd_acct(int argc, char **argv);
int cmd_idle(int argc, char **argv);
int cmd_ps(int argc, char **argv);
int cmd_procstat(int argc, char **argv);
int cmd_compare(int argc, char **argv);
int cmd_kiviat(int argc, char **argv);
int cmd_states(int argc, char **argv);
int cmd_load(int argc, char **argv);
int cmd_durations(int argc, char **argv);
int cmd_masked(int argc, char **argv);
int cmd_model(int argc, char **argv);
int cmd_waits(int argc, char **argv);
int cmd_profile(int argc, char **argv);
int cmd_diff(int argc, char **argv);
int cmd_time(int argc, char **argv);
int cmd_audit(int argc, char **argv);
int cmd_export(int argc, char **argv);

/*
 * Call this first.  Descriptors 0 to 2 are open afterwards.  At any exit the status is
 * EXIT_NO_DATA, with a message, if standard output could not be written.
 */
void cli_begin(void);

/*
 * Parse the value of an option: a decimal whole number from `least` to `most`.  Otherwise
 * argp_error() ends the program.
 */
uint64_t cli_number(const char *text, uint64_t least, uint64_t most, const struct argp_state *state);

/* The same for seconds: above 0, at most 10^9, a fraction is allowed. */
double cli_seconds(const char *text, const struct argp_state *state);

/* Seconds of CLOCK_MONOTONIC. */
double monotonic_seconds(void);

/* Print a message on standard error after the tool's name; control characters become '?'. */
void cli_error(const char *format, ...) __attribute__((format(printf, 1, 2)));
