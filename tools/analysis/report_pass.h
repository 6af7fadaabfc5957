/* SPDX-License-Identifier: MIT */
/* A report of one epoch that needs its samples, states or events one by one. */
#pragma once

#include "tools/timeline/epoch_pass.h"

/* Prints one report from a stream that is open; returns the exit code. */
typedef int pass_report_maker(void *arguments, struct epoch_pass *p);

/*
 * Open the stream at `path` and make the report of its epoch (0: the last complete one): the exit code of the
 * command.  EXIT_NO_DATA, with a message, if the file holds no stream or has no such epoch.
 */
int report_pass(const char *path, unsigned long epoch, void *arguments, pass_report_maker *make);
