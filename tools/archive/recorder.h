/* SPDX-License-Identifier: MIT */
/*
 * Keeps the bytes of a line unchanged until the image reports the end of its run, in one file or in several, also
 * from an emulator that runs the image meanwhile.  Host.
 */
#pragma once

#include <stdbool.h>
#include <stdint.h>

struct record_options {
    const char *port, *file;
    unsigned long baud, seconds, timeout; /* as of the options of `cpuprobe record` */
    unsigned long reopen; /* seconds to wait for a port that is away; 0: not */
    bool progress, force, times;
    uint64_t part_bytes;  /* begin another file after so many, or so long, s; 0: one file */
    double part_seconds;
};

/*
 * Record until END, silence, a signal or an end of the port; messages tell what went wrong.  The exit
 * status; `*ended`: END came.  interrupt_watch() was called.
 */
int record_stream(const struct record_options *o, bool *ended);
